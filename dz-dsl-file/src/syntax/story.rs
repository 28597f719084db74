//! `story`

use super::{body_colon, duplicate_key, key, list, no_children, unknown_key};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::{near_word, nearest, with_article},
    layout::Line,
    token::TokenKind,
};

/// `story ID "Title":` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// Its id, e.g. `ST-001`.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// The sentence under the title.
    pub description: Option<Name>,
    /// `actor:` or `persona:`
    pub actor: Option<Name>,
    /// `trigger:`
    pub trigger: Option<Name>,
    /// `scope:` or `entities:`
    pub scope: Vec<Name>,
    /// `status:`
    pub status: Option<Name>,
    /// `given:` lines.
    pub given: Vec<Name>,
    /// `when:` lines.
    pub when: Vec<Name>,
    /// `then:` lines.
    pub then: Vec<Name>,
    /// `unless:` lines.
    pub unless: Vec<Unless>,
}

/// A line of `unless:`, with its alternative outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Unless {
    /// The line.
    pub text: Name,
    /// `then:` under it.
    pub then: Vec<Name>,
}

/// Words whose lines are prose.
pub const PROSE: &[&str] = &["given", "when", "then", "unless"];

/// The triggers of stories.
pub const TRIGGERS: &[&str] =
    &["form_submitted", "status_changed", "timer_elapsed", "external_event", "user_click", "cron_daily", "cron_hourly"];

/// The statuses of a story.
pub const STATUSES: &[&str] = &["draft", "accepted", "rejected"];

pub(crate) const KEYS: &[&str] = &["actor", "trigger", "scope", "status", "given", "when", "then", "unless"];

/// Keys with two spellings, each pair with the main one last.
pub(crate) const SYNONYMS: [(&str, &str); 2] = [("persona", "actor"), ("entities", "scope")];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Story> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let Some(name) = cursor.compound(&["-"]) else {
        cursor.report_unexpected("expected the id of the story, such as `ST-001`");
        return None;
    };
    let title = cursor.text();
    body_colon(&mut cursor, line);
    cursor.finish();
    let mut story = Story {
        name,
        title,
        description: None,
        actor: None,
        trigger: None,
        scope: Vec::new(),
        status: None,
        given: Vec::new(),
        when: Vec::new(),
        then: Vec::new(),
        unless: Vec::new(),
    };
    let mut seen: Vec<Name> = Vec::new();
    for child in &line.children {
        if matches!(child.tokens[0].kind, TokenKind::Text(_)) {
            description(child, &mut story, out);
        } else {
            keyed(child, &mut story, &mut seen, out);
        }
    }
    Some(story)
}

fn description(line: &Line, story: &mut Story, out: &mut Diagnostics) {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    let text = cursor.text();
    cursor.finish();
    match (&story.description, text) {
        (Some(first), Some(text)) => duplicate_key(&Name { text: "the description".to_owned(), ..text }, first.span, out),
        (_, text) => story.description = text,
    }
}

fn keyed(line: &Line, story: &mut Story, seen: &mut Vec<Name>, out: &mut Diagnostics) {
    let Some((name, mut cursor)) = key(line, out) else { return };
    let usual = SYNONYMS.iter().find(|(other, _)| *other == name.text).map_or(name.text.as_str(), |(_, usual)| usual);
    let is_key = KEYS.contains(&usual);
    let meant = if is_key { Some(usual) } else { nearest(&name.text, KEYS.iter().copied()) };
    if !is_key {
        unknown_key(&name, "story", KEYS, cursor.out);
    }
    let first = seen.iter().find(|it| Some(it.text.as_str()) == meant).map(|it| it.span);
    let usual = match (meant, first) {
        (Some(usual), None) => usual,
        (Some(_), Some(first)) if is_key => return duplicate_key(&name, first, out),
        _ => return,
    };
    // A misspelt key can still follow on another line.
    seen.extend(is_key.then(|| Name { text: usual.to_owned(), span: name.span }));
    match usual {
        "given" => story.given = sentences(line, &name, out),
        "when" => story.when = sentences(line, &name, out),
        "then" => story.then = sentences(line, &name, out),
        "unless" => story.unless = exceptions(line, &name, out),
        "actor" => story.actor = word(&mut cursor, line, "a persona"),
        "trigger" => story.trigger = word(&mut cursor, line, "a trigger").and_then(|it| check_word(it, "trigger", TRIGGERS, out)),
        "status" => {
            story.status =
                word(&mut cursor, line, "`draft`, `accepted` or `rejected`").and_then(|it| check_word(it, "status", STATUSES, out));
        }
        _ => {
            story.scope = cursor.names("an entity");
            no_children(line, out);
        }
    }
}

fn word(cursor: &mut Cursor<'_>, line: &Line, what: &str) -> Option<Name> {
    let word = cursor.expect_name(what);
    if word.is_some() {
        cursor.finish();
    }
    no_children(line, cursor.out);
    word
}

/// Checks that a word is one of a list.
fn check_word(word: Name, what: &str, words: &[&str], out: &mut Diagnostics) -> Option<Name> {
    if words.contains(&word.text.as_str()) {
        return Some(word);
    }
    let found = Diagnostic::error("unknown-value", word.span, format!("`{}` is not {} of a story", word.text, with_article(what)));
    out.push(match near_word(&word.text, words.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`? Known ones are {}", list(words))).replace(word.span, near),
        None => found.help(format!("known ones are {}", list(words))),
    });
    None
}

/// Parses a line's own text, or the dash lines under it.
fn sentences(line: &Line, name: &Name, out: &mut Diagnostics) -> Vec<Name> {
    let mut sentences = Vec::new();
    if let Some(own) = own_text(line, name, out) {
        sentences.push(own);
        return sentences;
    }
    for child in &line.children {
        let Some((text, _)) = dash_line(child, name, out) else { continue };
        sentences.push(text);
        if let Some(deeper) = child.children.first() {
            deeper_text(child, deeper, out);
        }
    }
    sentences
}

fn exceptions(line: &Line, name: &Name, out: &mut Diagnostics) -> Vec<Unless> {
    if let Some(text) = own_text(line, name, out) {
        return vec![Unless { text, then: Vec::new() }];
    }
    let mut exceptions = Vec::new();
    for child in &line.children {
        let Some((mut text, colon)) = dash_line(child, name, out) else { continue };
        if !colon && !child.children.is_empty() && text.text.ends_with(':') {
            let bare = text.text.trim_end_matches(':').trim_end().len();
            text.span.end -= (text.text.len() - bare) as u32;
            text.text.truncate(bare);
        }
        let mut exception = Unless { text, then: Vec::new() };
        for deeper in &child.children {
            instead(child, deeper, &mut exception, out);
        }
        exceptions.push(exception);
    }
    exceptions
}

/// `then:` under a line of `unless:`.
fn instead(parent: &Line, line: &Line, exception: &mut Unless, out: &mut Diagnostics) {
    match line.tokens[0].word() {
        Some("then") => {
            let name = Name { text: "then".to_owned(), span: line.tokens[0].span };
            match exception.then.first() {
                Some(first) => duplicate_key(&name, first.span, out),
                None => exception.then = sentences(line, &name, out),
            }
        }
        Some(_) => out.push(
            Diagnostic::error("unexpected-token", line.tokens[0].span, format!("{} is not allowed here", line.tokens[0].describe()))
                .help("only `then: …` is allowed under a line of `unless:`"),
        ),
        None => deeper_text(parent, line, out),
    }
}

/// The text after the colon, after which a block is not allowed.
fn own_text(line: &Line, name: &Name, out: &mut Diagnostics) -> Option<Name> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    cursor.eat(":");
    let own = cursor.prose();
    cursor.eat(":");
    cursor.finish();
    match (&own, line.children.first()) {
        (Some(text), Some(child)) => out.push(
            Diagnostic::error("unexpected-token", child.span(), format!("`{}` has its text on its own line already", name.text))
                .label(text.span, "written here")
                .help(format!("write each line as `- …` under `{}:`", name.text)),
        ),
        (None, None) => out.push(
            Diagnostic::error("empty-block", name.span, format!("no lines follow under `{}`", name.text))
                .help("add lines such as `- the invoice is sent` under it"),
        ),
        _ => {}
    }
    own
}

/// Parses `- text`; the flag is true for a colon after a string.
fn dash_line(line: &Line, block: &Name, out: &mut Diagnostics) -> Option<(Name, bool)> {
    let mut cursor = Cursor::new(line, out);
    if !cursor.eat("-") {
        let span = cursor.here();
        let start = Span { end: span.start, ..span };
        cursor.out.push(
            Diagnostic::error("unexpected-token", span, format!("lines under `{}` begin with `-`", block.text))
                .help("write `- …`, or indent the line less if it does not belong to the block")
                .replace(start, "- "),
        );
        return None;
    }
    let Some(text) = cursor.prose() else {
        cursor.report_unexpected("expected a text");
        return None;
    };
    let colon = cursor.eat(":");
    cursor.finish();
    Some((text, colon))
}

/// Reports a sentence that continues on the next line.
fn deeper_text(parent: &Line, line: &Line, out: &mut Diagnostics) {
    let joint = Span { start: parent.span().end, end: line.span().start, ..line.span() };
    out.push(
        Diagnostic::error("unexpected-token", line.span(), "a text ends with its line")
            .label(parent.span(), "this text")
            .help("write it on one line, or as two lines with `-`")
            .replace(joint, " "),
    );
}
