//! Human tasks.

use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{
        PresentKeys, body_colon,
        duration::{self, Duration},
        expr, keyed,
        keys::Keys,
        no_children,
        paths::path,
    },
    token::TokenKind,
};

/// `human_task:` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanTask {
    /// The keyword.
    pub key: Name,
    /// `surface:`
    pub surface: Option<Name>,
    /// `entity:`
    pub entity: Option<Name>,
    /// `assignee_role:`
    pub assignee_role: Option<Name>,
    /// `assignee:`
    pub assignee: Option<expr::Expr>,
    /// `timeout:`
    pub timeout: Option<Duration>,
    /// `outcomes:`
    pub outcomes: Vec<Outcome>,
    /// The present keys.
    pub present: PresentKeys,
}

/// `- NAME "Title":` under `outcomes:`
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `goto:`
    pub goto: Option<Name>,
    /// `sets:`
    pub sets: Vec<Setting>,
    /// `confirm:`
    pub confirm: Option<Confirm>,
}

/// `path -> value`
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The path of the field.
    pub path: Vec<Name>,
    /// Its new value.
    pub value: expr::Expr,
}

/// `confirm:`
#[derive(Debug, Clone, PartialEq)]
pub enum Confirm {
    /// `true` or `false`
    Flag(bool),
    /// The question.
    Text(Name),
}

pub(crate) const KEYS: &[&str] = &["surface", "entity", "assignee_role", "assignee", "timeout", "outcomes"];

/// The keys of an outcome.
pub(crate) const OUTCOME_KEYS: &[&str] = &["goto", "sets", "confirm"];

pub(super) fn parse(key: Name, line: &Line, out: &mut Diagnostics) -> HumanTask {
    let mut task = HumanTask {
        key,
        surface: None,
        entity: None,
        assignee_role: None,
        assignee: None,
        timeout: None,
        outcomes: Vec::new(),
        present: PresentKeys::default(),
    };
    let mut keys = Keys::new("human_task", KEYS);
    for child in keyed::block(line, out) {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "surface" => task.surface = keyed::value(child, out, |cursor| cursor.expect_name("a surface")),
            "entity" => task.entity = keyed::value(child, out, |cursor| cursor.expect_name("an entity")),
            "assignee_role" => task.assignee_role = keyed::value(child, out, persona),
            "assignee" => task.assignee = keyed::value(child, out, expr::whole),
            "timeout" => task.timeout = keyed::value(child, out, duration::parse),
            _ => task.outcomes = keyed::block(child, out).iter().filter_map(|line| outcome(line, out)).collect(),
        }
    }
    task.present = keys.into_present();
    task
}

/// The persona of a task.
fn persona(cursor: &mut Cursor<'_>) -> Option<Name> {
    let name = cursor.expect_name("a persona")?;
    if cursor.at(",") {
        let found = Diagnostic::error("unexpected-token", cursor.here(), "a task is assigned to one persona");
        cursor.out.push(found.help(format!("write `assignee_role: {}`, or declare a persona for all of these accounts", name.text)));
        cursor.skip();
    }
    Some(name)
}

fn outcome(line: &Line, out: &mut Diagnostics) -> Option<Outcome> {
    let mut cursor = keyed::entry(line, out);
    let name = cursor.expect_name("the name of an outcome")?;
    let title = cursor.text();
    body_colon(&mut cursor, line);
    cursor.finish();
    let mut outcome = Outcome { name, title, goto: None, sets: Vec::new(), confirm: None };
    let mut keys = Keys::new("outcome", OUTCOME_KEYS);
    for child in &line.children {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "goto" => outcome.goto = keyed::value(child, out, |cursor| cursor.expect_name("a step, `complete` or `fail`")),
            "sets" => outcome.sets = settings(child, out),
            _ => outcome.confirm = keyed::value(child, out, confirm),
        }
    }
    Some(outcome)
}

fn confirm(cursor: &mut Cursor<'_>) -> Option<Confirm> {
    match cursor.peek().map(|token| &token.kind) {
        Some(TokenKind::Text(_)) => cursor.text().map(Confirm::Text),
        _ => keyed::truth(cursor).map(Confirm::Flag),
    }
}

fn settings(line: &Line, out: &mut Diagnostics) -> Vec<Setting> {
    let mut settings = Vec::new();
    if keyed::has_value(line) {
        keyed::value(line, out, |cursor| {
            loop {
                settings.push(setting(cursor)?);
                if !cursor.comma() {
                    return Some(());
                }
            }
        });
        return settings;
    }
    for child in keyed::block(line, out) {
        no_children(child, out);
        let mut cursor = keyed::entry(child, out);
        match setting(&mut cursor) {
            Some(setting) => settings.push(setting),
            None => cursor.skip(),
        }
        cursor.finish();
    }
    settings
}

fn setting(cursor: &mut Cursor<'_>) -> Option<Setting> {
    let path = path(cursor)?;
    if !cursor.expect("->") {
        return None;
    }
    Some(Setting { path, value: expr::parse(cursor)? })
}
