//! Where a position is in a declaration: the lines around it, and the text before it in its line. It is read from the text, because
//! a line that is being typed is seldom valid.

use dz_dsl_file::{
    layout::Line,
    model::{EntityId, Model},
    token::TokenKind,
};

use super::state::At;

/// The place of a position.
pub struct Context<'t> {
    /// The lines around it, from the outermost, without their indentation.
    pub around: Vec<&'t str>,
    /// The lines of the innermost block around it.
    pub siblings: Vec<&'t str>,
    /// The text before it in its line, without its indentation and without the word that is being typed.
    pub before: &'t str,
}

impl<'t> Context<'t> {
    /// The context of a position; `None` inside strings, comments and free text.
    pub fn at(it: At<'t>) -> Option<Context<'t>> {
        let text = it.unit.files.file(it.file).text.as_str();
        let byte = it.byte as usize;
        if in_text(it.unit.lines(it.file), it.byte) {
            return None;
        }
        let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
        let line = &text[start..byte];
        let typed = line.trim_start();
        let word_at = typed
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + typed[at..].chars().next().map_or(1, char::len_utf8));
        let before = &typed[..word_at];
        if is_closed(before) {
            return None;
        }
        let indent = line.len() - typed.len();
        let (around, siblings) = lines_around(&text[..start], &text[start..], indent);
        Some(Context { around, siblings, before })
    }

    /// The first word of the construct.
    pub fn construct(&self) -> &'t str {
        self.around.first().map_or("", |line| head(line))
    }

    /// The name of the construct.
    pub fn name(&self) -> &'t str {
        self.around.first().and_then(|line| second(line)).unwrap_or_default()
    }

    /// The first word of the innermost line around the position.
    pub fn block(&self) -> &'t str {
        self.around.last().map_or("", |line| head(line))
    }

    /// The entity whose fields the position can name.
    pub fn entity(&self, model: &Model) -> Option<EntityId> {
        let named = match self.construct() {
            "entity" => second(self.around[0]),
            _ => self.siblings.iter().chain(&self.around).find_map(|line| uses(line)),
        }?;
        model.entities.iter().position(|entity| entity.name == named).map(EntityId)
    }
}

/// The entity that a line names: `uses entity X`, `source: X`, `entity X`.
fn uses(line: &str) -> Option<&str> {
    let rest = ["uses entity ", "source: ", "entity: ", "trigger: entity "].into_iter().find_map(|key| line.strip_prefix(key))?;
    words(rest).next()
}

/// The first word of a line; a dash before it is not a word.
pub fn head(line: &str) -> &str {
    words(line).next().unwrap_or_default()
}

fn second(line: &str) -> Option<&str> {
    words(line).nth(1)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// True inside a string or free text.
fn in_text(lines: &[Line], byte: u32) -> bool {
    lines.iter().any(|line| {
        let own = line.tokens.iter().any(|token| {
            let open = matches!(token.kind, TokenKind::Text(_)) && token.span.start < byte && byte < token.span.end;
            open || (matches!(token.kind, TokenKind::Raw(_)) && token.span.start <= byte && byte <= token.span.end)
        });
        own || in_text(&line.children, byte)
    })
}

/// True behind the beginning of a comment, or inside a string that is not closed.
fn is_closed(before: &str) -> bool {
    let mut quote: Option<char> = None;
    let mut last = ' ';
    for c in before.chars() {
        match (quote, c) {
            (None, '#') => return true,
            (None, '/') if last == '/' => return true,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open && last != '\\' => quote = None,
            _ => {}
        }
        last = c;
    }
    quote.is_some()
}

/// The lines around a line of some indentation, from the outermost, and the other lines of its block.
fn lines_around<'t>(before: &'t str, from: &'t str, indent: usize) -> (Vec<&'t str>, Vec<&'t str>) {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#') && !line.trim_start().starts_with("//");
    let (mut around, mut siblings) = (Vec::new(), Vec::new());
    let mut level = indent;
    for line in before.lines().rev().filter(is_code) {
        if depth(line) < level {
            level = depth(line);
            around.push(line.trim());
            if level == 0 {
                break;
            }
        } else {
            siblings.push(line.trim());
        }
    }
    siblings.extend(from.lines().skip(1).filter(is_code).take_while(|line| depth(line) >= indent.max(1)).map(str::trim));
    around.reverse();
    (around, siblings)
}
