//! Completion inside expressions: the names, functions and words that a position allows.

use dz_dsl_file::{
    model::{EntityId, Field, Model},
    vocabulary::words_of,
};
use lsp_types::CompletionItemKind;

use super::{Offer, follow};
use crate::lsp::names::Declares;

/// Where an expression is. Positions differ in the words and aggregates that they allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// A rule of access.
    Rule,
    /// The guard of a transition.
    Guard,
    /// An invariant, or a computed field: the same for every caller.
    Row,
    /// A filter, a scope or a condition of a page.
    Filter,
    /// The filter of a nested list, which can name the row of the page.
    Nested,
    /// A figure of a workspace.
    Metric,
}

impl Position {
    /// True if the expression can name the caller.
    fn knows_caller(self) -> bool {
        matches!(self, Position::Rule | Position::Guard | Position::Filter | Position::Nested)
    }

    /// The aggregates that can begin here.
    fn aggregates(self) -> Vec<&'static str> {
        match self {
            Position::Rule => vec!["any", "count"],
            Position::Guard | Position::Row | Position::Metric => words_of("aggregate"),
            Position::Filter | Position::Nested => Vec::new(),
        }
    }

    /// The words apart from fields and functions.
    fn words(self) -> &'static [&'static str] {
        match self {
            Position::Rule => &["current_user", "authenticated", "anonymous", "true", "false", "null", "not", "today", "now"],
            Position::Guard | Position::Filter => &["current_user", "true", "false", "null", "not", "today", "now"],
            Position::Nested => &["this", "current_user", "true", "false", "null", "not", "today", "now"],
            Position::Row => &["true", "false", "null", "not", "today", "now"],
            Position::Metric => &[],
        }
    }
}

/// An aggregate that is not closed yet: its name, and the text in its parentheses before the cursor.
fn open_aggregate(before: &str) -> Option<(&str, &str)> {
    let mut open = Vec::new();
    for (at, c) in before.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => {
                open.pop();
            }
            _ => {}
        }
    }
    let words = words_of("aggregate");
    let is_aggregate = |at: &usize| words.contains(&last_word(&before[..*at]));
    open.into_iter().rev().find(is_aggregate).map(|at| (last_word(&before[..at]), &before[at + 1..]))
}

/// The word at the end of a text.
fn last_word(text: &str) -> &str {
    &text[text
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))..]
}

/// The path at the end of a text.
fn last_path(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    &text[text.rfind(|c: char| !is_part(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))..]
}

/// The entity of the rows over which an aggregate runs: an entity for a figure, else the target of a relation of the row.
fn counted(model: &Model, row: Option<EntityId>, name: &str) -> Option<EntityId> {
    let Some(row) = row else { return model.entities.iter().position(|entity| entity.name == name).map(EntityId) };
    let field = model.entity(row).fields.iter().find(|field| field.name == name)?;
    field.ty.relation().map(|(child, _)| child)
}

impl Offer<'_> {
    /// An expression about rows of an entity; figures of workspaces have no row of their own.
    pub(super) fn expression(&mut self, row: Option<EntityId>, before: &str, position: Position) {
        let model = self.names.model();
        if before.rfind("role(").is_some_and(|at| !before[at..].contains(')')) {
            if position.knows_caller() {
                self.declared(|it| matches!(it, Declares::Persona(_)));
            }
            return;
        }
        let Some((aggregate, inside)) = open_aggregate(before) else { return self.operand(row, before, position) };
        let path = inside.trim_start().split('.').next().unwrap_or_default();
        if matches!(aggregate, "min" | "max") && row.is_some() && counted(model, row, path).is_none() {
            // Of several values of the row, these are functions.
            return self.operand(row, before, position);
        }
        match inside.split_once(" where") {
            Some((rows, condition)) => {
                let name = rows.trim().split('.').next().unwrap_or_default();
                let within = if position == Position::Metric { Position::Filter } else { position };
                // The rows of an outer aggregate are not an operand of a condition.
                self.operand(counted(model, row, name), &format!(":{condition}"), within);
            }
            None => match inside.trim_start().split_once('.') {
                Some((name, _)) => counted(model, row, name).into_iter().for_each(|child| self.fields(child, |field| field.has_value())),
                None if !inside.trim().is_empty() && !inside.trim_end().ends_with(',') => self.plain(&["where"]),
                None => self.rows(row),
            },
        }
    }

    /// What an aggregate can count.
    fn rows(&mut self, row: Option<EntityId>) {
        match row {
            None => self.declared(|it| matches!(it, Declares::Entity(_))),
            Some(row) => self.fields(row, |field| field.ty.relation().is_some()),
        }
    }

    /// A value, or what can follow one.
    fn operand(&mut self, row: Option<EntityId>, before: &str, position: Position) {
        let model = self.names.model();
        if let Some(path) = before.strip_suffix('.') {
            let target = follow(model, row.unwrap_or(model.account), last_path(path));
            return target.into_iter().for_each(|target| self.fields(target, |_| true));
        }
        let trimmed = before.trim_end();
        let compared = trimmed.trim_end_matches(['=', '!', '<', '>', ' ']);
        if compared.len() < trimmed.len()
            && let Some(values) = row.and_then(|row| compared_field(model, row, last_path(compared))).and_then(|it| it.ty.enumeration())
        {
            let values = &model.enums[values.0].values;
            return values.iter().for_each(|it| self.item(&it.name, CompletionItemKind::ENUM_MEMBER, Some(&it.title), None));
        }
        let is_begun = trimmed.ends_with([':', '(', ',', '=', '<', '>', '+', '-', '*', '/'])
            || ["and", "or", "not", "where", "computed", "in"].contains(&last_word(trimmed));
        if !is_begun {
            return self.plain(&["and", "or", "in", "is null", "is not null"]);
        }
        row.into_iter().for_each(|row| self.fields(row, |_| true));
        let functions: Vec<&str> = words_of("function").into_iter().filter(|word| *word != "role" || position.knows_caller()).collect();
        self.plain_of(&functions, "function");
        self.plain_of(&position.aggregates(), "aggregate");
        self.plain(position.words());
    }

    /// Words of a place of the vocabulary, without those that are not valid here.
    fn plain_of(&mut self, words: &[&str], place: &str) {
        for word in words {
            self.item(word, CompletionItemKind::KEYWORD, Some(place), crate::lsp::words::describe(place, word));
        }
    }
}

/// The field at the end of a path.
fn compared_field<'m>(model: &'m Model, row: EntityId, path: &str) -> Option<&'m Field> {
    let (of, name) = match path.rsplit_once('.') {
        Some((path, name)) => (follow(model, row, path)?, name),
        None => (row, path),
    };
    model.entity(of).fields.iter().find(|field| field.name == name)
}
