//! The syntax tree: an application as written, one file per construct.
//!
//! Nothing is resolved here. Constructs that the language knows and dz does not implement are kept as a tree of lines and
//! reported, so that no text is dropped silently.

pub mod app;
pub mod archetype;
pub mod audience;
pub mod audit;
pub mod demo;
pub mod duration;
pub mod entity;
pub mod enumeration;
pub mod experience;
pub mod expr;
pub mod field;
pub mod graph;
mod groups;
pub mod index;
pub mod invariant;
mod keyed;
mod keys;
mod line;
mod line_span;
pub mod llm;
pub mod mapping;
pub mod module;
pub mod paths;
pub mod persona;
pub mod process;
pub mod scenario;
pub mod schedule;
pub mod scope;
pub mod service;
pub mod story;
pub mod surface;
pub mod temporal;
pub mod transitions;
mod unknown;
mod unread;
pub mod value;
pub mod workspace;

pub use keys::PresentKeys;
pub(crate) use line::{block_head, body_colon, header, key, shown_word, words};
pub use line_span::LineSpan;
use std::borrow::Cow;
pub(crate) use unread::UnreadRanges;

use groups::Groups;

use crate::{
    Diagnostic, Diagnostics, FileId, SourceMap, Span,
    cursor::Name,
    diagnostic::{near_word, nearest},
    dialect,
    layout::{Line, layout},
    lexer::{Prose, lex},
    token::TokenKind,
    vocabulary,
};

/// One parsed text.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The id of the text.
    pub id: FileId,
    /// `module a.b`
    pub module: Option<Name>,
    /// `use a.b`
    pub uses: Vec<module::Use>,
    /// The indentation of the line with `module`, for a line that must be under it.
    pub margin: String,
    /// The constructs in order.
    pub items: Vec<Item>,
    /// The ranges of its lines, in order.
    pub lines: Vec<LineSpan>,
    /// The spans from an unreadable word or sign to the end of its line: later findings there only follow from it.
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
    /// `service`
    Service(service::Service),
    /// `process`
    Process(Box<process::Process>),
    /// `schedule`
    Schedule(schedule::Schedule),
    /// `llm_model`
    LlmModel(llm::LlmModel),
    /// `llm_config`
    LlmConfig(llm::Config),
    /// `llm_intent`
    LlmIntent(Box<llm::Intent>),
    /// `story`
    Story(story::Story),
    /// `experience`
    Experience(experience::Experience),
    /// `scenario`
    Scenario(scenario::Scenario),
    /// A construct without a meaning yet.
    Other(Line),
}

/// The words that begin a construct.
pub(crate) const CONSTRUCTS: &[&str] = &[
    "app",
    "persona",
    "entity",
    "enum",
    "archetype",
    "surface",
    "workspace",
    "story",
    "experience",
    "scenario",
    "demo",
    "module",
    "use",
    "service",
    "process",
    "schedule",
    "llm_model",
    "llm_config",
    "llm_intent",
];

/// Constructs of other languages of this family, which have no meaning in dz.
pub(crate) const FOREIGN: &[&str] = &[
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
    "analytics",
    "asset",
    "atomic",
    "audit",
    "data_products",
    "document",
    "feedback_widget",
    "grant_schema",
    "hless",
    "interfaces",
    "job",
    "param",
    "policies",
    "project",
    "projection",
    "search",
    "stream",
    "subprocessor",
    "subscribe",
    "template",
    "tenancy",
];

/// Parses every text.
pub fn parse(sources: &SourceMap) -> (Vec<File>, Diagnostics) {
    let mut out = Diagnostics::default();
    let trees: Vec<Tree> = sources.files().map(|(id, source)| Tree::read(id, &source.text)).collect();
    let mut groups = Groups::default();
    trees.iter().for_each(|tree| groups.add(&tree.lines));
    let files = trees.into_iter().map(|tree| parse_file(tree, &groups, &mut out)).collect();
    (files, out)
}

/// A text as a tree of lines.
struct Tree<'t> {
    id: FileId,
    text: &'t str,
    lines: Vec<Line>,
    /// The findings about its tokens and its indentation.
    found: Diagnostics,
}

impl<'t> Tree<'t> {
    fn read(id: FileId, text: &'t str) -> Self {
        let mut found = Diagnostics::default();
        let lines = layout(lex(id, text, prose, &mut found), &mut found);
        Tree { id, text, lines, found }
    }
}

/// The context of the parser of a construct: the data besides its lines.
#[derive(Clone, Copy)]
struct Source<'s> {
    text: &'s str,
    groups: &'s Groups,
}

/// The notes about a text, without the findings.
#[cfg(feature = "tools")]
pub(crate) fn notes(id: FileId, text: &str) -> crate::diagnostic::Notes {
    let mut out = Diagnostics::with_notes();
    let tree = Tree::read(id, text);
    let mut groups = Groups::default();
    groups.add(&tree.lines);
    parse_file(tree, &groups, &mut out);
    out.into_notes()
}

fn parse_file(Tree { id, text, lines, found: mut lexical }: Tree<'_>, groups: &Groups, out: &mut Diagnostics) -> File {
    let source = Source { text, groups };
    let mut file = File {
        id,
        module: None,
        uses: Vec::new(),
        margin: String::new(),
        items: Vec::new(),
        lines: line_span::measure(&lines),
        unread: Vec::new(),
    };
    let mut kept: Vec<Span> = Vec::new();
    let mut found = out.new_like_this();
    for line in &lines {
        match parse_item(line, source, &mut file, &mut found) {
            Some(Item::Other(line)) => {
                kept.push(line.whole_span());
                file.items.push(Item::Other(line));
            }
            Some(item) => file.items.push(item),
            None => {}
        }
    }
    if let Some(module) = &file.module {
        file.margin = module::margin(text, module);
    }
    // Free text inside a construct without a meaning need not follow the rules of tokens.
    let free = |found: &Diagnostic| {
        let before = kept.partition_point(|span| span.start < found.span.start);
        before.checked_sub(1).is_some_and(|at| found.span.end <= kept[at].end)
    };
    lexical.retain(|found| !free(found));
    let mut unread = UnreadRanges::default();
    unread.add(&lexical, &file.lines, |_| true);
    found.retain(|it| !unread.covers(it));
    unread.add(&found, &file.lines, |it| it.rule == "unexpected-token");
    file.unread = unread.spans;
    out.extend(lexical);
    out.extend(found);
    file
}

/// True if the construct accepts any line that begins with `line`: a construct without a meaning, or `app`, which keeps
/// unknown keys.
pub(crate) fn takes_anything(construct: &str, line: &str) -> bool {
    FOREIGN.contains(&construct) || (construct == "app" && !app::KEYS.contains(&line))
}

/// The constructs that contain prose. The content of constructs without a meaning is unknown.
pub(crate) fn prose(word: &str) -> Prose {
    match word {
        "story" => Prose::Under(story::PROSE),
        _ if FOREIGN.contains(&word) => Prose::Everywhere,
        _ if CONSTRUCTS.contains(&word) => Prose::Nowhere,
        // A misspelt word is parsed as the correct word.
        _ if nearest(word, ["story"]).is_some() && nearest(word, CONSTRUCTS.iter().copied()) == Some("story") => Prose::Under(story::PROSE),
        _ => Prose::Nowhere,
    }
}

fn parse_item(line: &Line, source: Source<'_>, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    let word = line.tokens[0].word().unwrap_or_default().to_owned();
    parse_as(&word, line, source, file, out)
}

/// Parses a line and its block as the construct `word`, independently of its first word.
fn parse_as(word: &str, line: &Line, source: Source<'_>, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    match word {
        "module" | "use" => {
            module::parse(word, line, file, out);
            None
        }
        "app" => app::parse(line, out).map(Item::App),
        "persona" => persona::parse(line, out).map(Item::Persona),
        "entity" => entity::parse(line, source.groups, out).map(Item::Entity),
        "enum" => enumeration::parse(line, out).map(Item::Enum),
        "archetype" => archetype::parse(line, out).map(Item::Archetype),
        "surface" => surface::parse(line, out).map(Item::Surface),
        "workspace" => workspace::parse(line, out).map(Item::Workspace),
        "demo" => Some(Item::Demo(demo::parse(line, out))),
        "service" => service::parse(line, out).map(Item::Service),
        "process" => process::parse(line, out).map(|it| Item::Process(Box::new(it))),
        "schedule" => schedule::parse(line, out).map(Item::Schedule),
        "llm_model" => llm::parse_model(line, out).map(Item::LlmModel),
        "llm_config" => Some(Item::LlmConfig(llm::parse_config(line, out))),
        "llm_intent" => llm::parse_intent(line, source.text, out).map(|it| Item::LlmIntent(Box::new(it))),
        "story" => story::parse(line, out).map(Item::Story),
        "experience" => experience::parse(line, out).map(Item::Experience),
        "scenario" => scenario::parse(line, out).map(Item::Scenario),
        _ => other(line, word, source, file, out),
    }
}

fn other(line: &Line, word: &str, source: Source<'_>, file: &mut File, out: &mut Diagnostics) -> Option<Item> {
    let span = line.tokens[0].span;
    if FOREIGN.contains(&word) {
        out.push(
            Diagnostic::warning("construct-not-supported", span, format!("`{word}` has no meaning in dz and is ignored"))
                .help("remove it, or express it with the constructs of dz"),
        );
    } else {
        return unknown::parse(line, word, source, file, out);
    }
    Some(Item::Other(line.clone()))
}

/// Reports a key that a block does not have.
pub(crate) fn unknown_key(name: &Name, block: &str, keys: &[&str], out: &mut Diagnostics) {
    let found = Diagnostic::error("unknown-key", name.span, format!("`{block}` has no key `{}`", name.text));
    if let Some(row) = dialect::word(block, &name.text) {
        let found = found.help(row.help());
        return out.push(match row.replacement() {
            Some(ours) => found.replace(name.span, ours),
            None => found,
        });
    }
    if let Some(place) = place_of(block, &name.text) {
        return out.push(found.help(format!("`{}` {place}", name.text)));
    }
    let near = near_word(&name.text, keys.iter().copied());
    let mut found = found.help(match &near {
        Some(near) => format!("did you mean `{near}`? The keys are {}", list(keys)),
        None => format!("the keys are {}", list(keys)),
    });
    if let Some(near) = near {
        // A known word of another place is probably no misspelling.
        found = found.replace(name.span, if vocabulary::holds(&name.text) { near.as_proposal() } else { near });
    }
    out.push(found);
}

/// The place of a key that belongs to another block of the same construct.
fn place_of(block: &str, key: &str) -> Option<&'static str> {
    match (block, key) {
        ("surface", "field") => Some("belongs in a section: write it under a line `section main:`"),
        ("surface", _) if surface::ux::KEYS.contains(&key) => Some("belongs under a line `ux:`"),
        ("workspace", _) if workspace::region::KEYS.contains(&key) => {
            Some("belongs in a region: write it under a line such as `open \"Open\":`")
        }
        _ => None,
    }
}

/// The known word that the first word of a line misspells by one letter, after a report, if `free` returns that it is still
/// available.
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

/// Reports a duplicate key.
pub(crate) fn duplicate_key(name: &Name, first: Span, out: &mut Diagnostics) {
    out.push(
        Diagnostic::error("duplicate-key", name.span, format!("`{}` is already set", name.text))
            .label(first, "first set here")
            .help("keep one of the two lines"),
    );
}

pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// Reports lines under a line that has no block.
pub(crate) fn no_children(line: &Line, out: &mut Diagnostics) {
    if let Some(child) = line.children.first() {
        out.push(
            Diagnostic::error("unexpected-token", child.span(), "the line above takes no lines under it")
                .label(line.span(), "it is indented under this one")
                .help("indent it less, or remove it"),
        );
    }
}
