//! `entity`

use std::collections::HashSet;

use super::{
    audit, demo, duplicate_key, expr, field, graph, groups::Groups, header, index, invariant, key, no_children, scope, temporal,
    transitions, unknown_key, words,
};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    dialect,
    layout::Line,
    token::{Token, TokenKind},
};

/// `entity NAME "Title":` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// Its fields and blocks.
    pub body: Block,
}

/// The lines of an entity or of an archetype.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// Fields in order.
    pub fields: Vec<field::Field>,
    /// Lines of `permit`, `forbid` and `access`.
    pub rules: Vec<AccessLine>,
    /// `index` and `unique` lines.
    pub indexes: Vec<index::IndexLine>,
    /// Fields of `no_index` lines.
    pub no_index: Vec<Name>,
    /// `intent:`
    pub intent: Option<Name>,
    /// `domain:`
    pub domain: Option<Name>,
    /// `patterns:`
    pub patterns: Vec<Name>,
    /// `display_field:`
    pub display_field: Option<Name>,
    /// `plural:`
    pub plural: Option<Name>,
    /// `was:` the former name.
    pub was: Option<Name>,
    /// `extends:`
    pub extends: Vec<Name>,
    /// Rows of `transitions:`
    pub transitions: Vec<transitions::Transition>,
    /// `final:` under `transitions:`.
    pub finals: Option<transitions::Ends>,
    /// `failed:` under `transitions:`.
    pub failures: Option<transitions::Ends>,
    /// `invariant:` lines.
    pub invariants: Vec<invariant::Invariant>,
    /// Lines of `scope:`
    pub scopes: Vec<scope::ScopeLine>,
    /// The lines of `audit:`
    pub audits: Vec<audit::AuditLine>,
    /// Rows of `examples:`
    pub examples: Vec<demo::Row>,
    /// `archetype:` the kind of entity.
    pub kind: Option<Name>,
    /// `graph_edge:`
    pub graph_edge: Option<graph::GraphEdge>,
    /// `graph_node:`
    pub graph_node: Option<graph::GraphNode>,
    /// `temporal:`
    pub temporal: Option<temporal::Temporal>,
    /// `soft_delete`
    pub soft_delete: Option<Span>,
    /// Names of reported fields that are not in `fields`.
    pub unread: Vec<Name>,
    /// True if a reported line may be any field.
    pub open: bool,
    /// True if a block is missing, which is reported.
    pub empty: bool,
}

/// A line of an access block.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessLine {
    /// Which block.
    pub block: AccessBlock,
    /// The action.
    pub action: Name,
    /// The condition.
    pub condition: expr::Expr,
}

/// The access blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language")]
pub enum AccessBlock {
    Access,
    Permit,
    Forbid,
}

/// The words that begin a line of an entity that is not a field.
pub(crate) const BLOCKS: &[&str] = &[
    "permit",
    "forbid",
    "access",
    "scope",
    "audit",
    "transitions",
    "invariant",
    "index",
    "unique",
    "no_index",
    "intent",
    "domain",
    "patterns",
    "display_field",
    "plural",
    "was",
    "extends",
    "examples",
    "archetype",
    "graph_edge",
    "graph_node",
    "temporal",
    "soft_delete",
];

/// The blocks that an archetype can contain besides fields.
pub(crate) const IN_ARCHETYPES: &[&str] = &["extends", "index", "unique", "invariant"];

pub(super) fn parse(line: &Line, groups: &Groups, out: &mut Diagnostics) -> Option<Entity> {
    let head = header(line, "entity", out)?;
    let inherited = groups.inherited_fields(line);
    Some(Entity { name: head.name, title: head.title, body: parse_body(line, "entity", &inherited, out) })
}

/// Parses the lines; `inherited` are the fields of archetypes.
pub(super) fn parse_body(line: &Line, what: &str, inherited: &HashSet<&str>, out: &mut Diagnostics) -> Block {
    let own: HashSet<&str> = field_names(line).collect();
    let declared = |name: &str| own.contains(name) || inherited.contains(name);
    let mut block = Block { empty: line.children.is_empty() && line.tokens.last().is_some_and(|it| it.is(":")), ..Block::default() };
    for child in &line.children {
        let word = child.tokens[0].word().unwrap_or_default();
        let known = BLOCKS.contains(&word);
        let meant = if known { None } else { misspelt(child, declared) };
        if let Some(near) = meant {
            unknown_key(&Name { text: word.to_owned(), span: child.tokens[0].span }, what, BLOCKS, out);
            keyed(child, near, &mut block, out);
        } else if !known || field::type_follows(child, word, declared) {
            block_field(child, what, &mut block, out);
        } else if what == "archetype" && !IN_ARCHETYPES.contains(&word) {
            let name = Name { text: word.to_owned(), span: child.tokens[0].span };
            unknown_key(&name, "archetype", IN_ARCHETYPES, out);
        } else {
            keyed(child, word, &mut block, out);
        }
    }
    block
}

/// True for a word that begins a block of an entity.
pub(crate) fn is_block(word: &str) -> bool {
    BLOCKS.contains(&word)
}

/// The block of which a word is a misspelling by one letter.
pub fn block_meant(word: &str) -> Option<&'static str> {
    nearest(word, BLOCKS.iter().copied()).filter(|near| *near != word)
}

/// The names of the fields that the lines under a line can declare.
pub(super) fn field_names(line: &Line) -> impl Iterator<Item = &str> {
    let field = |line: &&Line| line.tokens.get(1).is_some_and(|it| it.is(":")) && line.tokens.len() > 2;
    line.children.iter().filter(field).filter_map(|line| line.tokens[0].word()).filter(|word| !is_block(word))
}

/// The block of which the first word of a line is a misspelling, if the rest of the line cannot be that of a field: a list,
/// a condition, or lines under it.
fn misspelt(line: &Line, declared: impl Fn(&str) -> bool) -> Option<&'static str> {
    let second = line.tokens.get(1)?;
    let subject = line.tokens.get(2).and_then(Token::word).is_some_and(&declared);
    let joined = line.tokens.get(3).is_some_and(|it| expr::joins(it) || (subject && it.is("=")));
    let listed = line.tokens.get(3).is_some_and(|it| it.is(",")) || line.tokens.get(2).is_some_and(|it| it.is("["));
    let text = line.tokens.get(2).is_some_and(|it| matches!(it.kind, TokenKind::Text(_)));
    let words = second.word().is_some();
    // Most lines are fields without any part of a block; that is found without comparing words.
    if line.children.is_empty() && !(joined || listed || text || words) {
        return None;
    }
    let near = block_meant(line.tokens[0].word()?)?;
    let typed = field::type_follows(line, near, &declared);
    let condition = near == "invariant" && second.is(":") && joined;
    let words = words && matches!(near, "index" | "unique");
    (!typed && (listed || words || text || condition || !line.children.is_empty())).then_some(near)
}

fn block_field(line: &Line, what: &str, block: &mut Block, out: &mut Diagnostics) {
    let colon = line.tokens.get(1).is_some_and(|token| token.is(":"));
    let announces = colon && line.tokens.len() == 2 && !line.children.is_empty();
    let typed = field::lacks_colon(line);
    let named = line.tokens[0].word().map(|word| Name { text: word.to_owned(), span: line.tokens[0].span });
    block.open |= named.is_none();
    match named {
        Some(name) if ((colon && !announces) || typed) && !is_foreign(&name, what, line) => match field::parse(line, out) {
            Some(field) => block.fields.push(field),
            None => block.unread.push(name),
        },
        Some(name) => unknown_key(&name, what, BLOCKS, out),
        None => out.push(
            Diagnostic::error(
                "unexpected-token",
                line.tokens[0].span,
                format!("expected a field or a block, but found {}", line.tokens[0].describe()),
            )
            .help("fields look like `name: str(80) required`"),
        ),
    }
}

/// True for a word of another dialect in a line that cannot be a field.
fn is_foreign(name: &Name, block: &str, line: &Line) -> bool {
    let value = line.tokens.get(2).and_then(Token::word);
    let is_type = value.is_some_and(|word| field::is_type(word) || word.starts_with(char::is_uppercase));
    line.tokens.len() > 2 && !is_type && dialect::word(block, &name.text).is_some()
}

fn keyed(line: &Line, word: &str, block: &mut Block, out: &mut Diagnostics) {
    match word {
        "permit" => access(line, AccessBlock::Permit, block, out),
        "forbid" => access(line, AccessBlock::Forbid, block, out),
        "access" => access(line, AccessBlock::Access, block, out),
        "index" | "unique" => index::parse(line, &mut block.indexes, out),
        "transitions" => transitions::parse(line, block, out),
        "invariant" => block.invariants.extend(invariant::parse(line, out)),
        "scope" => block.scopes.extend(scope::parse(line, out)),
        "audit" => block.audits.extend(audit::parse(line, out)),
        "examples" => examples(line, block, out),
        "graph_edge" => once(line, &mut block.graph_edge, |it| it.span, graph::edge, out),
        "graph_node" => once(line, &mut block.graph_node, |it| it.span, graph::node, out),
        "temporal" => once(line, &mut block.temporal, |it| it.span, temporal::parse, out),
        "soft_delete" => once(line, &mut block.soft_delete, |it| *it, soft_delete, out),
        "no_index" => {
            no_children(line, out);
            let mut cursor = Cursor::new(line, out);
            cursor.take();
            cursor.optional_colon();
            for name in cursor.names("a field") {
                match block.no_index.iter().find(|first| first.text == name.text) {
                    Some(first) => duplicate_key(&name, first.span, cursor.out),
                    None => block.no_index.push(name),
                }
            }
        }
        "extends" => {
            no_children(line, out);
            let mut cursor = Cursor::new(line, out);
            cursor.take();
            cursor.optional_colon();
            block.extends.extend(cursor.names("an archetype"));
        }
        _ => described(line, word, block, out),
    }
}

/// Parses a block that is allowed once; a second one is parsed and reported.
fn once<T>(line: &Line, slot: &mut Option<T>, place: fn(&T) -> Span, parse: fn(&Line, &mut Diagnostics) -> T, out: &mut Diagnostics) {
    let parsed = parse(line, out);
    match slot {
        Some(first) => duplicate_key(&Name { text: super::shown_word(line), span: line.tokens[0].span }, place(first), out),
        None => *slot = Some(parsed),
    }
}

fn soft_delete(line: &Line, out: &mut Diagnostics) -> Span {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    cursor.finish();
    line.tokens[0].span
}

fn examples(line: &Line, block: &mut Block, out: &mut Diagnostics) {
    super::block_head(line, "rows such as `- title: \"Paint the fence\"`", out);
    let of = Name { text: String::new(), span: line.tokens[0].span };
    block.examples.extend(line.children.iter().filter_map(|child| demo::parse_row(child, &of, out)));
}

fn described(line: &Line, word: &str, block: &mut Block, out: &mut Diagnostics) {
    no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    let Some(name) = cursor.name() else { return };
    cursor.optional_colon();
    let slot = match word {
        "patterns" => return block.patterns.extend(cursor.names_or_texts("a pattern")),
        "intent" => &mut block.intent,
        "domain" => &mut block.domain,
        "plural" => &mut block.plural,
        "was" => &mut block.was,
        "archetype" => &mut block.kind,
        _ => &mut block.display_field,
    };
    let value = if word == "intent" {
        words(&mut cursor)
    } else {
        let Some(word) = cursor.expect_name("a name") else { return };
        cursor.finish();
        word
    };
    match slot {
        Some(first) => {
            let first = first.span;
            duplicate_key(&name, first, out);
        }
        None => *slot = Some(value),
    }
}

fn access(line: &Line, kind: AccessBlock, block: &mut Block, out: &mut Diagnostics) {
    let mut head = Cursor::new(line, out);
    head.take();
    if head.is_done() && !line.children.is_empty() {
        let word = line.tokens[0].word().unwrap_or_default().to_owned();
        head.missing_colon(&Name { text: word, span: line.tokens[0].span });
    } else if !head.expect(":") {
        head.skip();
    } else if let Some(token) = head.peek() {
        let span = Span { end: line.span().end, ..token.span };
        let word = line.tokens[0].describe();
        head.out.push(
            Diagnostic::error("unexpected-token", span, format!("{} has no meaning after {word}", token.describe()))
                .help("write each rule on a line of its own under it, such as `read: role(name)`"),
        );
    } else if line.children.is_empty() {
        out.push(
            Diagnostic::error("empty-block", line.span(), "this line needs lines under it")
                .help("add lines such as `read: role(name)` under it"),
        );
    }
    let beside: Vec<&str> = line.children.iter().filter_map(|it| it.tokens[0].word()).collect();
    for child in &line.children {
        no_children(child, out);
        let Some((action, mut cursor)) = key(child, out) else { continue };
        known_action(kind, &action, &beside, cursor.out);
        if let Some(condition) = expr::whole(&mut cursor) {
            block.rules.push(AccessLine { block: kind, action, condition });
        }
    }
}

/// The built-in actions.
pub(crate) const ACTIONS: &[&str] = &["list", "read", "create", "update", "delete", "transition", "restore"];

/// The keys of `access:`
pub(crate) const ACCESS_KEYS: &[&str] = &["read", "write", "create", "update", "delete", "list"];

/// Words of other systems, with the action of dz. Where the block has a rule for that action, the word is an action of its own.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("view", "read"),
    ("show", "read"),
    ("edit", "update"),
    ("modify", "update"),
    ("remove", "delete"),
    ("destroy", "delete"),
    ("insert", "create"),
    ("add", "create"),
    ("get", "read"),
    ("change", "update"),
];

/// Words for several actions, with these actions. dz has no such action, so a line with the word permits none of them.
const GROUPS: &[(&str, &str)] = &[
    ("write", "`create`, `update` and `delete`"),
    ("writes", "`create`, `update` and `delete`"),
    ("mutate", "`create`, `update` and `delete`"),
    ("readlist", "`list` and `read`"),
    ("listread", "`list` and `read`"),
    ("read_list", "`list` and `read`"),
    ("list_read", "`list` and `read`"),
    ("see", "`list` and `read`"),
    ("all", "`list`, `read`, `create`, `update` and `delete`"),
    ("any", "`list`, `read`, `create`, `update` and `delete`"),
    ("every", "`list`, `read`, `create`, `update` and `delete`"),
    ("everything", "`list`, `read`, `create`, `update` and `delete`"),
    ("manage", "`list`, `read`, `create`, `update` and `delete`"),
    ("crud", "`list`, `read`, `create`, `update` and `delete`"),
    ("full", "`list`, `read`, `create`, `update` and `delete`"),
    ("full_access", "`list`, `read`, `create`, `update` and `delete`"),
    ("admin", "`list`, `read`, `create`, `update` and `delete`"),
    ("rw", "`list`, `read`, `create`, `update` and `delete`"),
    ("readwrite", "`list`, `read`, `create`, `update` and `delete`"),
    ("read_write", "`list`, `read`, `create`, `update` and `delete`"),
];

/// Reports an unknown action of `access`; in the other blocks, which can have actions of their own, it reports a word that
/// differs by one letter from a known action, a word of another system for one, and a word for several actions.
fn known_action(kind: AccessBlock, action: &Name, beside: &[&str], out: &mut Diagnostics) {
    if kind == AccessBlock::Access {
        if !ACCESS_KEYS.contains(&action.text.as_str()) {
            unknown_key(action, "access", ACCESS_KEYS, out);
        }
        return;
    }
    if ACTIONS.contains(&action.text.as_str()) {
        return;
    }
    let found = || Diagnostic::warning("similar-action", action.span, format!("`{}` is not an action of dz", action.text));
    if let Some((_, actions)) = GROUPS.iter().find(|(word, _)| *word == action.text) {
        let short = if action.text == "write" { "; `access:` has a short form for them" } else { "" };
        return out.push(found().help(format!("write a line for each of {actions}{short}")));
    }
    let other = OTHER_WORDS.iter().find(|(word, ours)| *word == action.text && !beside.contains(ours));
    if let Some((_, ours)) = other {
        return out.push(found().help(format!("did you mean `{ours}`?")).replace(action.span, *ours));
    }
    // One wrong letter is a typo at any position. Two are a typo only after a correct first letter: `relist` is another word.
    let slip = |near: &&str| {
        let letters = strsim::damerau_levenshtein(near, &action.text.to_lowercase());
        letters <= 1 || near.chars().next() == action.text.chars().next()
    };
    if let Some(near) = nearest(&action.text, ACTIONS.iter().copied()).filter(slip) {
        out.push(found().help(format!("did you mean `{near}`?")).replace(action.span, near));
    }
}
