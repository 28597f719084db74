//! `module` and `use`

use super::{File, duplicate_key, no_children};
use crate::{
    Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `use a.b`
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    /// The module.
    pub name: Name,
    /// The line.
    pub line: Span,
}

pub(super) fn parse(word: &str, line: &Line, file: &mut File, out: &mut Diagnostics) {
    no_children(line, out);
    let Some(name) = dotted(line, out) else { return };
    if word == "module" {
        match &file.module {
            Some(first) => {
                let keyword = Name { text: word.to_owned(), span: line.tokens[0].span };
                duplicate_key(&keyword, first.span, out);
            }
            None => file.module = Some(name),
        }
        return;
    }
    match file.uses.iter().find(|used| used.name.text == name.text) {
        Some(first) => duplicate_key(&name, first.name.span, out),
        None => file.uses.push(Use { name, line: line.span() }),
    }
}

/// The indentation of the line with `module`.
pub(super) fn margin(text: &str, module: &Name) -> String {
    let before = text.get(..module.span.start as usize).unwrap_or_default();
    let line = &before[before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
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
