//! `audit:`: the actions that the audit log records, and for which callers.

use super::{expr, key, no_children};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    dialect,
    layout::Line,
};

/// The recorded actions.
#[derive(Debug, Clone, PartialEq)]
pub enum AuditLine {
    /// `audit: all`
    All(Name),
    /// `audit: [update, delete]`, or a line that only contains the action.
    Action(Name),
    /// `action: condition`: only actions of these callers.
    When(Name, expr::Expr),
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Vec<AuditLine> {
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    cursor.expect(":");
    if cursor.is_done() {
        super::block_head(line, "lines such as `update: role(name)`, or write `audit: all`", out);
        return line.children.iter().filter_map(|child| under(child, out)).collect();
    }
    let mut lines = Vec::new();
    if cursor.at_word("false") || cursor.at_word("true") {
        switch(line, &mut cursor);
    } else if cursor.at_word("all") {
        lines.extend(cursor.name().map(AuditLine::All));
        cursor.finish();
    } else {
        lines.extend(cursor.names("an action").into_iter().map(AuditLine::Action));
    }
    no_children(line, out);
    lines
}

/// `audit: false` and `audit: true` of the other dialect.
fn switch(line: &Line, cursor: &mut Cursor<'_>) {
    let on = cursor.at_word("true");
    let phrase = dialect::phrase(if on { "audit-everything" } else { "no-audit" });
    let here = cursor.here();
    let span = if on { here } else { line.span() };
    let found = Diagnostic::error("unexpected-token", here, "`audit` takes the names of actions, not a switch");
    cursor.take();
    let plain = cursor.is_done();
    let ours = if on { "all" } else { "" };
    cursor.out.push(found.help(phrase.help).replace(span, phrase.replacement(ours.to_owned(), plain)));
    cursor.skip();
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
