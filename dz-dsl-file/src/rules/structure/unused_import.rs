//! A `use` line whose module the file does not need.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
    suggestion::same,
};

pub(super) const RULE: Rule = Rule {
    name: "unused-import",
    severity: Severity::Warning,
    summary: "a file uses a module without referring to its names",
    wrong: "# --- file: people.dsl\nmodule people\npersona clerk\n# --- file: tasks.dsl\nmodule tasks\nuse people\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: "# --- file: people.dsl\nmodule people\npersona clerk\n# --- file: tasks.dsl\nmodule tasks\nuse people\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(clerk)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for import in model.imports.iter().filter(|import| !import.used) {
        out.push(
            RULE.diagnostic(import.span, format!("nothing of the module `{}` is used in this file", import.module))
                .help("remove the line")
                .replace(import.line, same("")),
        );
    }
}
