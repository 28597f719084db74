//! `use` lines that nothing needs.

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::Model,
    suggestion::same,
};

pub(super) const RULES: &[Rule] = &[Rule {
    name: "unused-import",
    severity: Severity::Warning,
    summary: "a file refers to no name of a module that it uses",
    wrong: "# --- file: people.dsl\nmodule people\npersona desk\n# --- file: tasks.dsl\nmodule tasks\nuse people\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: "# --- file: people.dsl\nmodule people\npersona desk\n# --- file: tasks.dsl\nmodule tasks\nuse people\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(desk)\n",
}];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for import in model.imports.iter().filter(|import| !import.used) {
        out.push(
            Diagnostic::warning("unused-import", import.span, format!("nothing of the module `{}` is used in this file", import.module))
                .help("remove the line")
                .replace(import.line, same("")),
        );
    }
}
