//! `audit:`, which actions are written down, and for whom.

use super::{expr, key, no_children};
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};

/// What is written down.
#[derive(Debug, Clone, PartialEq)]
pub enum AuditLine {
    /// `audit: all`
    All(Name),
    /// `audit: [update, delete]`, or a line that is nothing but the action.
    Action(Name),
    /// `action: condition`: only what these callers do.
    When(Name, expr::Expr),
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Vec<AuditLine> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    cursor.expect(":");
    if cursor.done() {
        super::block_head(line, "lines such as `update: role(name)`, or write `audit: all`", out);
        return line.children.iter().filter_map(|child| under(child, out)).collect();
    }
    let mut lines = Vec::new();
    if cursor.at_word("all") {
        lines.extend(cursor.name().map(AuditLine::All));
        cursor.finish();
    } else {
        lines.extend(cursor.names("an action").into_iter().map(AuditLine::Action));
    }
    no_children(line, out);
    lines
}

fn under(line: &Line, out: &mut Diagnostics) -> Option<AuditLine> {
    no_children(line, out);
    if let [token] = line.tokens.as_slice()
        && let Some(word) = token.word()
    {
        let name = Name { text: word.to_owned(), span: token.span };
        return Some(if word == "all" { AuditLine::All(name) } else { AuditLine::Action(name) });
    }
    let (action, mut cursor) = key(line, out)?;
    let condition = expr::whole(&mut cursor)?;
    Some(AuditLine::When(action, condition))
}
