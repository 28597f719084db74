//! The declaration: its findings, its migrations and its lock file of access rules.

use std::fs;

use dz_dsl_file::{Severity, emit::access::matrix};

use super::{Check, Project};
use crate::{findings::Findings, migrate, output::counted};

pub(super) fn check(project: &Project, checks: &mut Vec<Check>) {
    let findings = Findings::new(&project.analysis.files, &project.analysis.diagnostics, &project.file, false);
    let (errors, warnings) = (findings.count(Severity::Error), findings.count(Severity::Warning));
    let show = "`dz validate` shows them";
    checks.push(match (errors, warnings) {
        (0, 0) => Check::ok("declaration", "no errors and no warnings"),
        (0, count) => Check::warning("declaration", counted(count, "warning"), show),
        (count, _) => Check::problem("declaration", format!("{}: a build refuses it", counted(count, "error")), show),
    });
    migrations(project, checks);
    access(project, checks);
}

fn migrations(project: &Project, checks: &mut Vec<Check>) {
    let Some(model) = project.model() else { return };
    let found = migrate::missing_steps(&project.root, &project.file, project.engine(), model);
    checks.push(match found {
        Ok(found) if found.existing == 0 => Check::warning(
            "migrations",
            "there are no migrations: after a change of the declaration, the application does not start with an existing database",
            "write the first one with `dz migrate diff` before the database has data to keep",
        ),
        Ok(found) if found.steps.is_empty() => {
            Check::ok("migrations", format!("{}, equal to the declaration", counted(found.existing, "migration")))
        }
        Ok(found) => Check::problem(
            "migrations",
            format!("the declaration has changed since the last migration: {}", found.steps.join(", ")),
            "write the next one with `dz migrate diff NAME`",
        ),
        Err(message) => Check::problem("migrations", message, "correct it, then run `dz migrate diff --check`"),
    });
}

fn access(project: &Project, checks: &mut Vec<Check>) {
    let Some(model) = project.model() else { return };
    let Ok(kept) = fs::read_to_string(project.root.join("access.lock")) else { return };
    checks.push(match kept == matrix(model).json() {
        true => Check::ok("access", "access.lock is equal to the access rules"),
        false => Check::problem(
            "access",
            "the access rules differ from access.lock",
            "`dz access --check access.lock` shows the difference; `dz access --write access.lock` accepts it",
        ),
    });
}
