//! `app`

use super::{duplicate_key, header, key, words};
use crate::{Diagnostics, cursor::Name, layout::Line};

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

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<App> {
    let head = header(line, "application", out)?;
    let mut keys: Vec<(Name, Name)> = Vec::new();
    for child in &line.children {
        super::no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        let value = words(&mut cursor);
        if let Some((first, _)) = keys.iter().find(|(it, _)| it.text == name.text) {
            duplicate_key(&name, first.span, out);
        } else if matches!(name.text.as_str(), "multi_tenant" | "registration" | "currency") {
            super::not_available(name.span, &name.text, out);
        } else {
            keys.push((name, value));
        }
    }
    Some(App { name: head.name, title: head.title, keys })
}
