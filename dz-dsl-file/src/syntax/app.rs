//! `app`

use std::collections::HashMap;

use super::{duplicate_key, header, key, words};
use crate::{Diagnostic, Diagnostics, Span, cursor::Name, diagnostic::near_word, layout::Line};

/// `app NAME "Title":` with its keys.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `key: value` lines in order.
    pub keys: Vec<(Name, Name)>,
}

/// The keys that dz implements; other keys are kept unchanged.
pub(crate) const KEYS: &[&str] = &["description", "default_locale", "timezone", "theme", "registration", "multi_tenant", "currency"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<App> {
    let head = header(line, "application", out)?;
    let mut keys: Vec<(Name, Name)> = Vec::new();
    let mut seen: HashMap<String, Span> = HashMap::new();
    for child in &line.children {
        super::no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        let value = words(&mut cursor);
        if let Some(first) = seen.get(&name.text) {
            duplicate_key(&name, *first, out);
            continue;
        }
        seen.insert(name.text.clone(), name.span);
        similar_key(&name, out);
        keys.push((name, value));
    }
    Some(App { name: head.name, title: head.title, keys })
}

/// Reports an unknown key that differs by one letter from a known one. Other unknown keys are kept for other tools.
fn similar_key(name: &Name, out: &mut Diagnostics) {
    if KEYS.contains(&name.text.as_str()) {
        return;
    }
    if let Some(near) = near_word(&name.text, KEYS.iter().copied()) {
        out.push(
            Diagnostic::warning("similar-key", name.span, format!("`{}` is kept without effect", name.text))
                .help(format!("did you mean `{near}`?"))
                .replace(name.span, near.as_proposal()),
        );
    }
}
