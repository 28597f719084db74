//! The lines of a text, each with its words and its context. They locate a finding, and the words that occur in similar places.

use std::collections::HashSet;

use crate::{
    Diagnostic, Diagnostics, FileId, SourceMap, Span,
    lexer::lex,
    syntax,
    token::{Token, TokenKind},
};

/// A line with its parent.
pub(super) struct Row {
    pub(super) file: FileId,
    pub(super) indent: usize,
    pub(super) tokens: Vec<Token>,
    /// The row of its parent.
    pub(super) parent: Option<usize>,
    /// The row of its construct.
    pub(super) construct: usize,
}

/// All lines of an application.
pub(super) struct Corpus<'a> {
    pub(super) files: &'a SourceMap,
    pub(super) rows: Vec<Row>,
    /// The names that findings report as unknown.
    pub(super) unknown: Vec<&'a str>,
}

/// The place of a finding: the row, and the first token in or after it.
pub(super) struct Place {
    pub(super) row: usize,
    pub(super) token: usize,
}

impl<'a> Corpus<'a> {
    pub(super) fn new(files: &'a SourceMap, found: &[Diagnostic]) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        for (file, source) in files.files() {
            let mut open: Vec<usize> = Vec::new();
            for line in lex(file, &source.text, syntax::prose, &mut Diagnostics::default()) {
                open.retain(|row| rows[*row].indent < line.indent);
                let here = rows.len();
                let construct = open.first().copied().unwrap_or(here);
                rows.push(Row { file, indent: line.indent, tokens: line.tokens, parent: open.last().copied(), construct });
                open.push(here);
            }
        }
        let unknown = found.iter().filter(|it| it.rule.starts_with("unknown-")).map(|it| files.text(it.span)).collect();
        Corpus { files, rows, unknown }
    }

    /// The row and the token of a finding.
    pub(super) fn place(&self, found: &Diagnostic) -> Option<Place> {
        let starts = |row: &Row| row.tokens[0].span;
        let file = |row: &&Row| (row.file, starts(row).start) <= (found.span.file, found.span.start);
        let row = self.rows.iter().take_while(|row| row.file < found.span.file || file(row)).count().checked_sub(1)?;
        if self.rows[row].file != found.span.file {
            return None;
        }
        let tokens = &self.rows[row].tokens;
        let token = tokens.iter().position(|token| token.span.end > found.span.start).unwrap_or(tokens.len());
        Some(Place { row, token })
    }

    /// The text of a token.
    pub(super) fn text(&self, token: &Token) -> &'a str {
        self.files.text(token.span)
    }

    /// The first word of the parent of a row.
    pub(super) fn parent_word(&self, row: usize) -> Option<&'a str> {
        self.rows[row].parent.map(|parent| self.text(&self.rows[parent].tokens[0]))
    }

    /// The names of the fields of an entity or archetype: the words at the start of its lines that a colon follows.
    pub(super) fn fields_of(&self, name: &str) -> Vec<&'a str> {
        let header = |row: &Row| row.parent.is_none() && row.tokens.get(1).is_some_and(|token| self.text(token) == name);
        let Some(entity) = self.rows.iter().position(header) else { return Vec::new() };
        let own = self.rows.iter().filter(|row| row.parent == Some(entity));
        let named = own.filter(|row| row.tokens.get(1).is_some_and(|it| it.is(":")) && row.tokens.len() > 2);
        named.map(|row| self.text(&row.tokens[0])).collect()
    }

    /// The names of constructs, fields, figures, inputs, sections and steps, each with its place.
    pub(super) fn names(&self) -> HashSet<(&'a str, Span)> {
        let mut names = HashSet::new();
        for (at, row) in self.rows.iter().enumerate() {
            let above = self.parent_word(at);
            let name = match above {
                None => row.tokens.get(1),
                Some("entity" | "archetype" | "aggregate" | "input" | "output" | "context") => {
                    row.tokens.first().filter(|_| row.tokens.get(2).is_some_and(is_word))
                }
                Some(_) => {
                    let named = matches!(self.text(&row.tokens[0]), "section" | "action" | "related" | "step" | "parallel");
                    row.tokens.get(1).filter(|_| named)
                }
            };
            names.extend(name.filter(|it| it.word().is_some()).map(|it| (self.text(it), it.span)));
        }
        names
    }

    /// The names of all constructs with a keyword.
    pub(super) fn declared(&self, word: &str) -> Vec<&'a str> {
        let all = self.rows.iter().filter(|row| row.parent.is_none() && self.text(&row.tokens[0]) == word);
        all.filter_map(|row| row.tokens.get(1)).map(|token| self.text(token)).collect()
    }

    /// The entity of a construct: itself, or the one that it uses, or the source of a region.
    pub(super) fn subject(&self, row: usize) -> Option<&'a str> {
        let construct = self.rows[row].construct;
        if matches!(self.text(&self.rows[construct].tokens[0]), "entity" | "archetype") {
            return self.rows[construct].tokens.get(1).map(|it| self.text(it));
        }
        let mut above = Some(row);
        while let Some(at) = above {
            let siblings = self.rows.iter().filter(|it| it.parent == Some(at));
            let mut named = siblings.filter_map(|it| match it.tokens.as_slice() {
                [uses, entity, name, ..] if self.text(uses) == "uses" && self.text(entity) == "entity" => Some(self.text(name)),
                [source, _, name, ..] if self.text(source) == "source" => Some(self.text(name)),
                _ => None,
            });
            if let Some(name) = named.next_back() {
                return Some(name);
            }
            above = self.rows[at].parent;
        }
        None
    }
}

/// True for a token that is neither a sign nor prose.
pub(super) fn is_word(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Word(_) | TokenKind::Number(_) | TokenKind::Duration(..))
}
