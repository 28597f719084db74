//! An application without entities.

use crate::{
    Diagnostics, FileId, Severity, Span,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "empty-app",
    severity: Severity::Warning,
    summary: "an application has no entities",
    wrong: "app nothing\n",
    right: "app something\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    if model.entities.iter().all(|entity| !entity.declared) {
        let start = Span { file: FileId(0), start: 0, end: 0 };
        let span = model.app.span.unwrap_or(start);
        out.push(RULE.diagnostic(span, "the application declares no entity").help("add `entity NAME:` with at least `id: uuid pk`"));
    }
}
