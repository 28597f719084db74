//! `enum`

use super::body_colon;
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `enum NAME ordered? "Title":` with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `ordered`
    pub ordered: bool,
    /// Values with their labels.
    pub values: Vec<(Name, Option<Name>)>,
    /// True if the values are missing, which is reported.
    pub empty: bool,
}

fn is_empty(line: &Line) -> bool {
    line.children.is_empty() && line.tokens.last().is_some_and(|it| it.is(":"))
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Enum> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    let Some(name) = cursor.name() else {
        let head = super::header(line, "enum", cursor.out)?;
        return Some(Enum { name: head.name, title: head.title, ordered: false, values: values(line, out), empty: is_empty(line) });
    };
    let mut ordered = cursor.eat_word("ordered");
    let title = cursor.text();
    ordered |= cursor.eat_word("ordered");
    body_colon(&mut cursor, line);
    cursor.finish_near(&["ordered"]);
    Some(Enum { name, title, ordered, values: values(line, out), empty: is_empty(line) })
}

fn values(line: &Line, out: &mut Diagnostics) -> Vec<(Name, Option<Name>)> {
    let mut values = Vec::new();
    for child in &line.children {
        super::no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        loop {
            let Some(value) = cursor.name_or_text() else {
                cursor.report_unexpected("expected a value");
                break;
            };
            let label = cursor.text();
            values.push((value, label));
            if !cursor.comma() || cursor.is_done() {
                break;
            }
        }
        cursor.finish();
    }
    values
}
