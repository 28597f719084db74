//! The syntax tree: an application as written, one file per construct.
//!
//! Nothing is resolved here. Words that the language knows but dz does not act on are kept as a tree of
//! lines and reported, so that no text is ever dropped in silence.

pub mod app;
pub mod archetype;
pub mod audience;
pub mod audit;
pub mod demo;
pub mod entity;
pub mod enumeration;
pub mod expr;
pub mod field;
pub mod graph;
pub mod invariant;
mod keys;
pub mod paths;
pub mod persona;
pub mod rules;
pub mod scope;
pub mod surface;
pub mod temporal;
pub mod transitions;
pub mod workspace;

use std::borrow::Cow;

use crate::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span,
    cursor::{Cursor, Name},
    diagnostic::{Notes, nearest},
    layout::{Line, layout},
    lexer::lex,
    names,
    token::{Token, TokenKind},
};

/// One parsed text.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Which text.
    pub id: FileId,
    /// `module a.b`
    pub module: Option<Name>,
    /// `use a.b`
    pub uses: Vec<Name>,
    /// The constructs in order.
    pub items: Vec<Item>,
    /// From a word or sign that could not be read to the end of its line: what is found there later only follows from it.
    pub unread: Vec<Span>,
}

/// A top-level construct.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// `app`
    App(app::App),
    /// `persona`
    Persona(persona::Persona),
    /// `entity`
    Entity(entity::Entity),
    /// `enum`
    Enum(enumeration::Enum),
    /// `archetype`
    Archetype(archetype::Archetype),
    /// `surface`
    Surface(surface::Surface),
    /// `workspace`
    Workspace(workspace::Workspace),
    /// `demo`
    Demo(demo::Demo),
    /// A construct that is kept without being understood.
    Other(Line),
}

const CONSTRUCTS: &[&str] = &["app", "persona", "entity", "enum", "archetype", "surface", "workspace", "demo", "module", "use"];

/// Constructs of the language that dz reads but does not act on.
const LATER: &[&str] = &["service", "process", "schedule", "story", "experience", "llm_model", "llm_config", "llm_intent", "scenario"];

/// Constructs of the language family that have no meaning in dz.
const FOREIGN: &[&str] = &[
    "integration",
    "foreign_model",
    "approval",
    "sla",
    "webhook",
    "notification",
    "channel",
    "message",
    "event_model",
    "ledger",
    "transaction",
    "view",
    "rule",
    "question",
    "island",
    "nav",
    "rhythm",
    "guide",
    "test",
    "flow",
];

/// Parses every text.
pub fn parse(sources: &SourceMap) -> (Vec<File>, Diagnostics) {
    let mut out = Diagnostics::default();
    let files = sources.files().map(|(id, source)| parse_file(id, &source.text, &mut out)).collect();
    (files, out)
}

/// What reading a text notes of it; the findings are not wanted.
pub(crate) fn notes(id: FileId, text: &str) -> Notes {
    let mut out = Diagnostics::with_notes();
    parse_file(id, text, &mut out);
    out.into_notes()
}

fn parse_file(id: FileId, text: &str, out: &mut Diagnostics) -> File {
    let mut lexical = Diagnostics::default();
    let lines = layout(lex(id, text, is_free_text, &mut lexical), &mut lexical);
    let mut file = File { id, module: None, uses: Vec::new(), items: Vec::new(), unread: Vec::new() };
    let mut kept: Vec<Span> = Vec::new();
    let mut found = out.fresh();
    for line in &lines {
        match parse_item(line, &mut file, &mut found) {
            Some(Item::Other(line)) => {
                kept.push(line.whole_span());
                file.items.push(Item::Other(line));
            }
            Some(item) => file.items.push(item),
            None => {}
        }
    }
    // Free text inside a construct that is only kept need not follow the rules of tokens.
    let free = |found: &Diagnostic| {
        let before = kept.partition_point(|span| span.start < found.span.start);
        before.checked_sub(1).is_some_and(|at| found.span.end <= kept[at].end)
    };
    lexical.retain(|found| !free(found));
    let ends = line_ends(&lines);
    let mut doubts = Doubts::default();
    doubts.add(&lexical, &ends, |_| true);
    found.retain(|it| !doubts.cover(it));
    doubts.add(&found, &ends, |it| it.rule == "unexpected-token");
    file.unread = doubts.spans;
    out.extend(lexical);
    out.extend(found);
    file
}

/// Where the lines of a tree begin and end, in order.
fn line_ends(lines: &[Line]) -> Vec<(u32, u32)> {
    let mut ends = Vec::new();
    let mut open: Vec<&Line> = lines.iter().rev().collect();
    while let Some(line) = open.pop() {
        ends.push((line.span().start, line.span().end));
        open.extend(line.children.iter().rev());
    }
    ends
}

/// Stretches of a text that were not understood, in order and apart.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    spans: Vec<Span>,
}

impl Doubts {
    /// Those of a parsed text.
    pub(crate) fn of(file: &File) -> Self {
        Doubts { spans: file.unread.clone() }
    }

    /// Adds the errors that `unread` wants, each to the end of its line.
    fn add(&mut self, found: &Diagnostics, ends: &[(u32, u32)], unread: impl Fn(&Diagnostic) -> bool) {
        let indentation = |it: &Diagnostic| matches!(it.rule, "mixed-indentation" | "inconsistent-indentation");
        for it in found.iter().filter(|it| it.severity == Severity::Error && !indentation(it) && unread(it)) {
            let line = ends.partition_point(|(start, _)| *start <= it.span.start).checked_sub(1).and_then(|at| ends.get(at));
            self.spans.push(Span { end: line.map_or(it.span.end, |(_, end)| it.span.end.max(*end)), ..it.span });
        }
        self.spans.sort_by_key(|span| (span.start, span.end));
        self.spans.dedup_by(|next, span| {
            let touch = next.start <= span.end;
            if touch {
                span.end = span.end.max(next.end);
            }
            touch
        });
    }

    /// True for a finding that begins in such a stretch, or holds its beginning.
    pub(crate) fn cover(&self, found: &Diagnostic) -> bool {
        let after = self.spans.partition_point(|span| span.start <= found.span.start);
        let before = after.checked_sub(1).is_some_and(|at| found.span.start <= self.spans[at].end);
        before || self.spans.get(after).is_some_and(|span| span.start < found.span.end)
    }
}

/// True for constructs whose lines are free text, where an apostrophe is no quote.
pub(crate) fn is_free_text(word: &str) -> bool {
    word == "story" || FOREIGN.contains(&word)
}

fn parse_item(line: &Line, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    let word = line.tokens[0].word().unwrap_or_default().to_owned();
    parse_as(&word, line, file, out)
}

/// Reads a line and those under it as the construct `word`, whatever its own first word says.
fn parse_as(word: &str, line: &Line, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    match word {
        "module" => {
            no_children(line, out);
            let name = dotted(line, out)?;
            match &file.module {
                Some(first) => {
                    let keyword = Name { text: word.to_owned(), span: line.tokens[0].span };
                    duplicate_key(&keyword, first.span, out);
                }
                None => file.module = Some(name),
            }
            None
        }
        "use" => {
            file.uses.extend(dotted(line, out));
            no_children(line, out);
            None
        }
        "app" => app::parse(line, out).map(Item::App),
        "persona" => persona::parse(line, out).map(Item::Persona),
        "entity" => entity::parse(line, out).map(Item::Entity),
        "enum" => enumeration::parse(line, out).map(Item::Enum),
        "archetype" => archetype::parse(line, out).map(Item::Archetype),
        "surface" => surface::parse(line, out).map(Item::Surface),
        "workspace" => workspace::parse(line, out).map(Item::Workspace),
        "demo" => Some(Item::Demo(demo::parse(line, out))),
        _ => other(line, word, file, out),
    }
}

fn other(line: &Line, word: &str, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    let span = line.tokens[0].span;
    if LATER.contains(&word) {
        not_available(span, word, out);
    } else if FOREIGN.contains(&word) {
        out.push(
            Diagnostic::warning(
                "construct-not-supported",
                span,
                format!("`{word}` has no meaning in dz; it is kept and otherwise ignored"),
            )
            .help("remove it, or express it with the constructs of dz"),
        );
    } else {
        return unknown(line, word, file, out);
    }
    Some(Item::Other(line.clone()))
}

/// A word that begins no construct. What it was meant to be is read all the same, so that the lines under it are
/// checked, and what it declares is known to those who refer to it.
fn unknown(line: &Line, word: &str, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    let token = &line.tokens[0];
    if token.word().is_none() {
        let found = Diagnostic::error("unexpected-token", token.span, format!("expected a construct, but found {}", token.shown()));
        out.push(found.help(format!("a construct begins with its kind: {}", list(CONSTRUCTS))));
        return Some(Item::Other(line.clone()));
    }
    let found = Diagnostic::error("unknown-construct", token.span, format!("unknown construct `{word}`"));
    if let Some(near) = meant(line, word) {
        out.push(found.help(format!("did you mean `{near}`?")).replace(token.span, near));
        return parse_as(near, line, file, out);
    }
    let turned = line.tokens.get(1).and_then(Token::word).and_then(|second| CONSTRUCTS.iter().find(|it| **it == second));
    if let Some(kind) = turned {
        let both = Span { end: line.tokens[1].span.end, ..token.span };
        out.push(found.help(format!("write `{kind} {word}`")).replace(both, format!("{kind} {word}")));
        let mut line = line.clone();
        line.tokens.swap(0, 1);
        return parse_as(kind, &line, file, out);
    }
    if let Some(kind) = kind_of(line) {
        let before = Span { end: token.span.start, ..token.span };
        out.push(found.help(format!("a construct begins with its kind: write `{kind} {word}`")).replace(before, format!("{kind} ")));
        let mut line = line.clone();
        line.tokens.insert(0, Token { kind: TokenKind::Word(kind.to_owned()), span: before });
        return parse_as(kind, &line, file, out);
    }
    let inside = entity::is_block(word) && !line.children.is_empty();
    out.push(found.help(match inside {
        true => format!("`{word}` stands inside an entity; indent it"),
        false => format!("known ones are {}", list(CONSTRUCTS)),
    }));
    Some(Item::Other(line.clone()))
}

/// The construct that a first word was meant to be: one letter beside it, or what other systems call it.
fn meant(line: &Line, word: &str) -> Option<&'static str> {
    const ELSEWHERE: &[(&str, &str)] = &[
        ("table", "entity"),
        ("model", "entity"),
        ("class", "entity"),
        ("struct", "entity"),
        ("type", "entity"),
        ("actor", "persona"),
        ("role", "persona"),
        ("page", "surface"),
        ("screen", "surface"),
        ("form", "surface"),
        ("mixin", "archetype"),
        ("trait", "archetype"),
        ("seed", "demo"),
    ];
    let known = || CONSTRUCTS.iter().chain(LATER).copied();
    let near = nearest(word, known()).or_else(|| ELSEWHERE.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours))?;
    // Nothing else than a name follows the kind of a construct.
    let fits = match near {
        "demo" => line.tokens.len() <= 2,
        _ => line.tokens.get(1).is_some_and(|next| next.word().is_some() || matches!(next.kind, TokenKind::Text(_))),
    };
    known().find(|it| *it == near).filter(|_| fits)
}

/// What a construct without its kind must be, as the lines under it show.
fn kind_of(line: &Line) -> Option<&'static str> {
    let title = line.tokens.get(1).is_some_and(|it| matches!(it.kind, TokenKind::Text(_)) || it.is(":"));
    let first = |words: &[&str]| line.children.iter().any(|it| it.tokens[0].word().is_some_and(|word| words.contains(&word)));
    let field =
        |it: &Line| it.tokens.get(1).is_some_and(|it| it.is(":")) && it.tokens.get(2).and_then(Token::word).is_some_and(field::is_type);
    if !title || line.children.is_empty() {
        None
    } else if first(&["permit", "access", "extends"]) {
        Some("entity")
    } else if first(&["uses", "mode"]) {
        Some("surface")
    } else if line.children.iter().any(field) {
        Some("archetype")
    } else if first(&["description", "goals", "proficiency"]) {
        Some("persona")
    } else if line.children.iter().all(|it| it.children.is_empty() && it.tokens.len() <= 2 && !it.tokens[0].is("-")) {
        Some("enum")
    } else {
        None
    }
}

/// Reports a word that the language has and dz does not build yet. It is sound, so that validating it raises no
/// more than a lint; a build refuses it, since it would have no effect.
pub(crate) fn not_available(span: Span, word: &str, out: &mut Diagnostics) {
    out.push(
        Diagnostic::lint(crate::NOT_AVAILABLE, span, format!("`{word}` is not available yet"))
            .help("remove it; it would have no effect, and dz does not ignore what it was told"),
    );
}

/// Reports a key that a block does not have.
pub(crate) fn unknown_key(name: &Name, block: &str, keys: &[&str], out: &mut Diagnostics) {
    let near = nearest(&name.text, keys.iter().copied());
    let mut found = Diagnostic::error("unknown-key", name.span, format!("`{block}` has no key `{}`", name.text)).help(match near {
        Some(near) => format!("did you mean `{near}`? The keys are {}", list(keys)),
        None => format!("the keys are {}", list(keys)),
    });
    if let Some(near) = near {
        found = found.replace(name.span, near);
    }
    out.push(found);
}

/// A line whose first word is one letter beside one of `known` is reported, and read as if it were that one, when
/// `free` says that it may still stand.
pub(crate) fn meant_line<'l>(
    line: &'l Line,
    block: &str,
    known: &[&str],
    free: impl Fn(&str) -> bool,
    out: &mut Diagnostics,
) -> Cow<'l, Line> {
    let token = &line.tokens[0];
    let Some(word) = token.word().filter(|word| !known.contains(word)) else { return Cow::Borrowed(line) };
    let Some(near) = nearest(word, known.iter().copied()).filter(|near| free(near)) else { return Cow::Borrowed(line) };
    unknown_key(&Name { text: word.to_owned(), span: token.span }, block, known, out);
    let mut meant = line.clone();
    meant.tokens[0].kind = TokenKind::Word(near.to_owned());
    Cow::Owned(meant)
}

/// Reports a key that stands twice where one is meant.
pub(crate) fn duplicate_key(name: &Name, first: Span, out: &mut Diagnostics) {
    out.push(
        Diagnostic::error("duplicate-key", name.span, format!("`{}` is already said", name.text))
            .label(first, "first said here")
            .help("keep one of the two lines"),
    );
}

pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

fn dotted(line: &Line, out: &mut Diagnostics) -> Option<Name> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let mut name = cursor.expect_name("a module's name")?;
    while cursor.eat(".") {
        let part = cursor.expect_name("a module's name")?;
        name.text = format!("{}.{}", name.text, part.text);
        name.span.end = part.span.end;
    }
    cursor.finish();
    Some(name)
}

/// Reports lines under a line that takes none.
pub(crate) fn no_children(line: &Line, out: &mut Diagnostics) {
    if let Some(child) = line.children.first() {
        out.push(
            Diagnostic::error("unexpected-token", child.span(), "this line stands under one that takes none")
                .label(line.span(), "it is indented under this one")
                .help("move it to the left, or remove it"),
        );
    }
}

/// A construct's header: keyword, name, title, colon.
pub(crate) struct Header {
    pub name: Name,
    pub title: Option<Name>,
}

pub(crate) fn header(line: &Line, what: &str, out: &mut Diagnostics) -> Option<Header> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let Some(name) = cursor.name() else { return nameless(cursor, line, what) };
    let title = cursor.text();
    body_colon(&mut cursor, line);
    cursor.finish();
    Some(Header { name, title })
}

/// A construct whose name was forgotten: its title tells what the name might be, so that those who refer to it are
/// not wrong as well.
fn nameless(mut cursor: Cursor<'_>, line: &Line, what: &str) -> Option<Header> {
    let title = match cursor.text() {
        Some(title) if title.text.starts_with(char::is_alphabetic) => title,
        _ => {
            cursor.unexpected(&format!("expected the name of the {what}"));
            return None;
        }
    };
    let text = match what {
        "entity" | "enum" | "archetype" => names::camel(&title.text),
        _ => names::snake(&title.text),
    };
    cursor.out.push(
        Diagnostic::error("unexpected-token", title.span, format!("expected the name of the {what}, but found its title"))
            .help(format!("write a name before it, such as `{text}`"))
            .replace(Span { end: title.span.start, ..title.span }, format!("{text} ")),
    );
    body_colon(&mut cursor, line);
    cursor.finish();
    let name = Name { text, span: title.span };
    Some(Header { name, title: Some(title) })
}

/// The colon before a body: needed when there is one, and a body is needed after it.
pub(crate) fn body_colon(cursor: &mut Cursor<'_>, line: &Line) {
    let found = cursor.eat(":");
    if !found && !line.children.is_empty() && cursor.done() {
        let span = cursor.before();
        cursor.out.push(
            Diagnostic::error("missing-colon", span, "a colon is missing before the lines that stand under this one")
                .help("end the line with `:`")
                .replace(Span { start: span.end, ..span }, ":"),
        );
    }
    if found && line.children.is_empty() && cursor.done() {
        cursor.out.push(Diagnostic::error("empty-block", cursor.before(), "nothing stands under this line").help(
            match line.tokens[0].word() {
                Some("entity" | "archetype") => "add its fields under it, indented: `id: uuid pk`",
                Some("enum") => "list its values under it, indented",
                Some("surface") => "say what it shows under it, indented: `uses entity NAME`, `mode: list`",
                _ => "add indented lines under it, or remove the colon",
            },
        ));
    }
}

/// A line that is a word and a colon, with lines under it; `such` says what they look like.
pub(crate) fn block_head(line: &Line, such: &str, out: &mut Diagnostics) {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    if !cursor.expect(":") {
        return cursor.skip();
    }
    cursor.finish();
    if line.children.is_empty() {
        out.push(Diagnostic::error("empty-block", line.span(), "nothing stands under this line").help(format!("add {such} under it")));
    }
}

/// A `key: …` line: takes the key and the colon.
pub(crate) fn key<'a>(line: &'a Line, out: &'a mut Diagnostics) -> Option<(Name, Cursor<'a>)> {
    let mut cursor = Cursor::new(line, out);
    let name = cursor.expect_name("a key")?;
    cursor.expect_colon(&name);
    Some((name, cursor))
}

/// A value of a descriptive key: a string or words.
pub(crate) fn words(cursor: &mut Cursor<'_>) -> Name {
    if let Some(text) = cursor.text() {
        cursor.finish();
        return text;
    }
    let mut span = cursor.here();
    let mut parts = Vec::new();
    while let Some(token) = cursor.take() {
        span.end = token.span.end;
        parts.push(match &token.kind {
            crate::token::TokenKind::Word(word) => word.clone(),
            crate::token::TokenKind::Number(number) => number.clone(),
            crate::token::TokenKind::Text(text) => text.clone(),
            crate::token::TokenKind::Duration(amount, unit) => format!("{amount}{unit}"),
            crate::token::TokenKind::Mark(mark) => (*mark).to_owned(),
        });
    }
    let text = parts.join(" ").replace(" - ", "-").replace(" / ", "/");
    if text.is_empty() {
        cursor.unexpected("expected a value");
    }
    Name { text, span }
}

/// The first word of a line, or how a message names its first token.
pub(crate) fn shown_word(line: &Line) -> String {
    line.tokens[0].word().map_or_else(|| line.tokens[0].shown().trim_matches('`').to_owned(), str::to_owned)
}
