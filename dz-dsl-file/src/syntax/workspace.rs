//! `workspace`

pub mod region;

use super::{
    audience::{self, Audience},
    duplicate_key, header,
    keys::Keys,
    surface::ux::{self, Ux},
    words,
};
use crate::{Diagnostics, cursor::Name, layout::Line, token::TokenKind};
use region::Region;

/// `workspace NAME "Title":` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `purpose:`
    pub purpose: Option<Name>,
    /// `stage:` or `engine_hint:`
    pub stage: Option<Name>,
    /// `access:`
    pub access: Option<Audience>,
    /// `ux:`
    pub ux: Ux,
    /// Regions in order.
    pub regions: Vec<Region>,
}

/// The keys of a workspace.
pub(crate) const KEYS: &[&str] = &["purpose", "stage", "engine_hint", "access", "ux"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Workspace> {
    let head = header(line, "workspace", out)?;
    let mut workspace =
        Workspace { name: head.name, title: head.title, purpose: None, stage: None, access: None, ux: Ux::default(), regions: Vec::new() };
    let mut keys = Keys::new("workspace", KEYS);
    for child in &line.children {
        let word = child.tokens[0].word().unwrap_or_default();
        match word {
            "ux" if !has_title(child) => {
                if keys.note(child, out).is_some() {
                    ux::parse(child, &mut workspace.ux, out);
                }
            }
            _ if is_region(child) => workspace.regions.extend(region::parse(child, out)),
            _ => leaf(child, &mut keys, &mut workspace, out),
        }
    }
    Some(workspace)
}

fn leaf(line: &Line, keys: &mut Keys<'_>, workspace: &mut Workspace, out: &mut Diagnostics) {
    // The two spellings of a key are one key.
    let twin = |word: &str| keys.seen.iter().find(|name| name.text == word).cloned();
    let other = match line.tokens[0].word() {
        Some("stage") => twin("engine_hint"),
        Some("engine_hint") => twin("stage"),
        _ => None,
    };
    let Some((name, mut cursor)) = keys.leaf(line, out) else { return };
    match name.text.as_str() {
        "purpose" => workspace.purpose = Some(words(&mut cursor)),
        "access" => workspace.access = audience::parse(&mut cursor),
        _ => {
            workspace.stage = cursor.name_or_text();
            if workspace.stage.is_none() {
                cursor.report_unexpected("expected a name");
                cursor.skip();
            }
            cursor.finish();
            if let Some(first) = other {
                duplicate_key(&name, first.span, out);
            }
        }
    }
}

fn has_title(line: &Line) -> bool {
    line.tokens.get(1).is_some_and(|token| matches!(token.kind, TokenKind::Text(_)))
}

/// True for a region: a name, an optional title, and a block. A word of [`KEYS`] can be the name of a region too.
fn is_region(line: &Line) -> bool {
    let [name, rest @ ..] = line.tokens.as_slice() else { return false };
    let known = name.word().is_some_and(|word| KEYS.contains(&word));
    let rest = if has_title(line) { rest.get(1..).unwrap_or_default() } else { rest };
    let ends = match rest {
        [] => true,
        [colon] => colon.is(":"),
        _ => false,
    };
    name.word().is_some() && ends && (!known || !line.children.is_empty())
}
