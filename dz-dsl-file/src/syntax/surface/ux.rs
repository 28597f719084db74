//! `ux:` of a surface or a workspace: order, filters, search, attention messages, variants for personas.

use super::name_of;
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{
        body_colon, expr, key,
        keys::Keys,
        meant_line, no_children,
        paths::{self, Path},
        words,
    },
};

/// `ux:`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ux {
    /// The keyword, if the block exists.
    pub span: Option<Span>,
    /// Its keys without duplicates, in order.
    pub keys: Vec<Name>,
    /// `purpose:`
    pub purpose: Option<Name>,
    /// `show:` paths.
    pub show: Vec<Path>,
    /// `sort:` paths, each with `desc`.
    pub sort: Vec<(Path, bool)>,
    /// `filter:` paths.
    pub filter: Vec<Path>,
    /// `search:` paths.
    pub search: Vec<Path>,
    /// `empty:`
    pub empty: Option<Name>,
    /// `attention LEVEL:` blocks in order.
    pub attention: Vec<Attention>,
    /// `for PERSONA:` blocks in order.
    pub variants: Vec<Variant>,
}

/// `attention LEVEL:`
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    /// The word `attention`.
    pub keyword: Name,
    /// The level.
    pub level: Option<Name>,
    /// `when:`
    pub when: Option<expr::Expr>,
    /// `message:`
    pub message: Option<Name>,
    /// `action:`
    pub action: Option<Name>,
}

/// `for PERSONA:` or `as PERSONA:`
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// The word `for` or `as`.
    pub keyword: Name,
    /// Its personas.
    pub personas: Vec<Name>,
    /// Its keys, in order.
    pub keys: Vec<Name>,
    /// `scope:`; `None` for `all` and for a missing key.
    pub scope: Option<expr::Expr>,
    /// `purpose:`
    pub purpose: Option<Name>,
    /// `show:`
    pub show: Vec<Path>,
    /// `hide:`
    pub hide: Vec<Path>,
    /// `show_aggregate:`
    pub show_aggregate: Vec<Path>,
    /// `action_primary:`
    pub action_primary: Option<Name>,
    /// `read_only:`
    pub read_only: bool,
    /// `defaults:`
    pub defaults: Vec<(Name, expr::Expr)>,
    /// `focus:`
    pub focus: Vec<Name>,
    /// `empty:`
    pub empty: Option<Name>,
}

/// The keys of `ux:`
pub(crate) const KEYS: &[&str] = &["purpose", "show", "sort", "filter", "search", "empty", "attention", "for", "as"];

pub(in crate::syntax) fn parse(line: &Line, ux: &mut Ux, out: &mut Diagnostics) {
    ux.span = Some(line.tokens[0].span);
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    body_colon(&mut cursor, line);
    cursor.finish();
    let mut keys = Keys::new("ux", KEYS);
    for child in &line.children {
        let child = &*meant_line(child, "ux", KEYS, |near| !keys.has(near), out);
        match child.tokens[0].word().unwrap_or_default() {
            "attention" => ux.attention.push(attention(child, out)),
            "for" | "as" => ux.variants.push(variant(child, out)),
            _ => {
                let Some((name, mut cursor)) = keys.leaf(child, out) else { continue };
                match name.text.as_str() {
                    "purpose" => ux.purpose = Some(words(&mut cursor)),
                    "empty" => ux.empty = Some(words(&mut cursor)),
                    "show" => ux.show = paths::paths(&mut cursor),
                    "sort" => ux.sort = paths::sort(&mut cursor),
                    "filter" => ux.filter = paths::paths(&mut cursor),
                    _ => ux.search = paths::paths(&mut cursor),
                }
            }
        }
    }
    ux.keys = keys.seen;
}

/// The keys of an attention.
pub(crate) const ATTENTION_KEYS: &[&str] = &["when", "message", "action"];

fn keyword(cursor: &mut Cursor<'_>) -> Name {
    let span = cursor.here();
    cursor.name().unwrap_or_else(|| Name { text: String::new(), span })
}

fn attention(line: &Line, out: &mut Diagnostics) -> Attention {
    let mut cursor = Cursor::new(line, out);
    let keyword = keyword(&mut cursor);
    let level = cursor.name_or_help("a level", "the levels are `critical`, `warning`, `notice`, `info`");
    body_colon(&mut cursor, line);
    cursor.finish();
    let mut attention = Attention { keyword, level, when: None, message: None, action: None };
    let mut keys = Keys::new("attention", ATTENTION_KEYS);
    for child in &line.children {
        let Some((name, mut cursor)) = keys.leaf(child, out) else { continue };
        match name.text.as_str() {
            "when" => {
                if let Some(when) = expr::whole(&mut cursor) {
                    attention.when = Some(when);
                }
            }
            "message" => attention.message = Some(words(&mut cursor)),
            _ => attention.action = name_of(&mut cursor, "a surface", "name the surface that opens"),
        }
    }
    let missing: Vec<String> = ["when", "message"].iter().filter(|key| keys.lacks(key)).map(|key| format!("`{key}:`")).collect();
    if !missing.is_empty() && attention.level.is_some() {
        out.push(
            Diagnostic::error("attention-incomplete", attention.keyword.span, format!("this attention lacks {}", missing.join(" and ")))
                .help("write the condition and the message: `when: condition` and `message: \"text\"`"),
        );
    }
    attention
}

/// The keys of a variant.
pub(crate) const VARIANT_KEYS: &[&str] =
    &["scope", "purpose", "show", "hide", "show_aggregate", "action_primary", "read_only", "defaults", "focus", "empty"];

fn variant(line: &Line, out: &mut Diagnostics) -> Variant {
    let mut cursor = Cursor::new(line, out);
    let keyword = keyword(&mut cursor);
    let mut variant = Variant {
        keyword,
        personas: personas(&mut cursor),
        keys: Vec::new(),
        scope: None,
        purpose: None,
        show: Vec::new(),
        hide: Vec::new(),
        show_aggregate: Vec::new(),
        action_primary: None,
        read_only: false,
        defaults: Vec::new(),
        focus: Vec::new(),
        empty: None,
    };
    if !variant.personas.is_empty() {
        body_colon(&mut cursor, line);
        if cursor.is_done() && line.children.is_empty() && !line.tokens.last().is_some_and(|token| token.is(":")) {
            let found = Diagnostic::error("empty-block", line.span(), "this line needs lines under it");
            cursor.out.push(found.help("write what differs for them, such as `read_only: true`"));
        }
        cursor.finish();
    }
    let mut keys = Keys::new("for", VARIANT_KEYS);
    for child in &line.children {
        if child.tokens[0].word() == Some("defaults") {
            if keys.block(child, out) {
                defaults(child, &mut variant, out);
            }
            continue;
        }
        let Some((name, mut cursor)) = keys.leaf(child, out) else { continue };
        match name.text.as_str() {
            "scope" => scope(&mut cursor, &mut variant),
            "purpose" => variant.purpose = Some(words(&mut cursor)),
            "show" => variant.show = paths::paths(&mut cursor),
            "hide" => variant.hide = paths::paths(&mut cursor),
            "show_aggregate" => variant.show_aggregate = paths::paths(&mut cursor),
            "action_primary" => variant.action_primary = name_of(&mut cursor, "a surface", "name the surface that opens"),
            "read_only" => variant.read_only = paths::flag(&mut cursor).unwrap_or(false),
            "focus" => variant.focus = cursor.names("a region"),
            _ => variant.empty = Some(words(&mut cursor)),
        }
    }
    variant.keys = keys.seen;
    variant
}

/// `a` or `a, b` or `[a, b]`, up to the colon.
fn personas(cursor: &mut Cursor<'_>) -> Vec<Name> {
    let bracket = cursor.eat("[");
    let mut personas = Vec::new();
    loop {
        let Some(name) = cursor.name_or_help("a persona", "name the persona: `for NAME:`") else { return Vec::new() };
        personas.push(name);
        if !cursor.comma() {
            break;
        }
    }
    if bracket && !cursor.expect("]") {
        cursor.skip();
    }
    personas
}

fn scope(cursor: &mut Cursor<'_>, variant: &mut Variant) {
    if cursor.at_word("all") && cursor.peek_at(1).is_none() {
        cursor.take();
        return;
    }
    let Some(scope) = expr::parse(cursor) else { return };
    cursor.finish_expression();
    variant.scope = Some(scope);
}

fn defaults(block: &Line, variant: &mut Variant, out: &mut Diagnostics) {
    for line in &block.children {
        no_children(line, out);
        let Some((name, mut cursor)) = key(line, out).filter(|_| line.tokens.len() > 1) else { continue };
        let Some(value) = expr::parse(&mut cursor) else { continue };
        cursor.finish();
        variant.defaults.push((name, value));
    }
}
