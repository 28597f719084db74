//! The tree of lines by their indentation.

use crate::{
    Diagnostic, Diagnostics, Span,
    lexer::RawLine,
    token::{Token, TokenKind},
};

/// A logical line with its block: the form of every construct before it is parsed, and of constructs without a meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The tokens; never empty.
    pub tokens: Vec<Token>,
    /// The lines of its block.
    pub children: Vec<Line>,
}

impl Line {
    /// From its first to its last token, whose order can differ from the text in a corrected line.
    pub fn span(&self) -> Span {
        let (first, last) = (self.tokens[0].span, self.tokens[self.tokens.len() - 1].span);
        Span { start: first.start.min(last.start), end: first.end.max(last.end), ..first }
    }

    /// The line with its block.
    pub fn whole_span(&self) -> Span {
        let end = self.children.last().map_or(self.span().end, |child| child.whole_span().end);
        Span { end, ..self.span() }
    }
}

/// The largest depth of nested blocks, which limits the recursion.
const MAX_DEPTH: usize = 64;

/// Builds the tree.
pub fn layout(lines: Vec<RawLine>, out: &mut Diagnostics) -> Vec<Line> {
    let lines = join_continued(lines);
    let mut stack: Vec<(usize, Vec<Line>)> = vec![(lines.first().map_or(0, |line| line.indent), Vec::new())];
    let mut too_deep = false;
    let mut lines = lines.into_iter().peekable();
    while let Some(raw) = lines.next() {
        let depth = stack.len();
        let level = stack[depth - 1].0;
        if raw.indent > level && depth < MAX_DEPTH {
            stack.push((raw.indent, Vec::new()));
        } else if raw.indent > level && !too_deep {
            too_deep = true;
            out.push(
                Diagnostic::error(
                    "inconsistent-indentation",
                    raw.tokens[0].span,
                    format!("blocks are nested more than {MAX_DEPTH} levels deep"),
                )
                .help("indent this line less"),
            );
        } else if raw.indent < level {
            let target = level_of(&raw, &stack, out);
            while stack.len() > 1 && stack[stack.len() - 1].0 > target {
                fold(&mut stack);
            }
            // The lines of a new block are measured from its own level, because they can have the indentation of a neighbouring block.
            let begins = raw.tokens.last().is_some_and(|it| it.is(":")) && lines.peek().is_some_and(|next| next.indent > raw.indent);
            if let (true, Some(top)) = (begins && target > raw.indent, stack.last_mut()) {
                top.0 = raw.indent;
            }
        }
        let last = stack.len() - 1;
        stack[last].1.push(Line { tokens: raw.tokens, children: Vec::new() });
    }
    while stack.len() > 1 {
        fold(&mut stack);
    }
    stack.pop().map(|(_, lines)| lines).unwrap_or_default()
}

/// Joins a line that ends in an operator, a comma, `and` or `or` with the deeper lines after it.
fn join_continued(lines: Vec<RawLine>) -> Vec<RawLine> {
    let mut joined: Vec<RawLine> = Vec::with_capacity(lines.len());
    for line in lines {
        match joined.last_mut() {
            Some(last) if line.indent > last.indent && goes_on(&last.tokens) && !begins(last, &line) => last.tokens.extend(line.tokens),
            _ => joined.push(line),
        }
    }
    joined
}

/// True for a `key:` line, which continues a line after a comma, but not after an operator without an operand.
fn begins(last: &RawLine, line: &RawLine) -> bool {
    let key = line.tokens.first().and_then(Token::word).is_some_and(|word| !matches!(word, "else" | "elif"));
    let colon = line.tokens.get(1).is_some_and(|token| token.is(":"));
    key && colon && !last.tokens.last().is_some_and(|token| token.is(","))
}

fn goes_on(tokens: &[Token]) -> bool {
    match tokens.last().map(|token| &token.kind) {
        Some(TokenKind::Word(word)) => tokens.len() > 1 && matches!(word.as_str(), "and" | "or" | "not" | "AND" | "OR" | "NOT"),
        Some(TokenKind::Mark(mark)) => {
            matches!(*mark, "," | "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%" | "->") && tokens.len() > 1
        }
        _ => false,
    }
}

fn fold(stack: &mut Vec<(usize, Vec<Line>)>) {
    if let Some((_, children)) = stack.pop()
        && let Some((_, lines)) = stack.last_mut()
        && let Some(parent) = lines.last_mut()
    {
        parent.children.extend(children);
    }
}

/// The open level of a line that is indented less than the previous line. A line between two levels gets the nearest one, and
/// the deeper of two, because a typo of one column is more likely.
fn level_of(raw: &RawLine, stack: &[(usize, Vec<Line>)], out: &mut Diagnostics) -> usize {
    let levels = || stack.iter().map(|(level, _)| *level);
    let Some(nearest) = levels().min_by_key(|level| (level.abs_diff(raw.indent), std::cmp::Reverse(*level))) else { return 0 };
    if nearest != raw.indent {
        let open: Vec<String> = levels().map(|level| level.to_string()).collect();
        out.push(
            Diagnostic::error(
                "inconsistent-indentation",
                raw.tokens[0].span,
                format!("this line is indented by {} columns, which matches no open block", raw.indent),
            )
            .help(format!("the open blocks are indented by {}; this line is read with an indentation of {nearest}", open.join(", "))),
        );
    }
    nearest
}
