//! Every rule of the language, in one table by area. `dz explain`, the reference, the fixtures and the checks read this table.
//!
//! A rule about the whole model has a file of its own, `rules/<area>/<rule>.rs`, with its text and its check. The text of a rule
//! that the parser or the resolver reports is in the file of its area.

#[macro_use]
mod examples;
mod access;
mod archetypes;
mod expressions;
mod graph;
mod invariants;
mod services_and_processes;
mod states;
mod stories_and_experiences;
mod structure;
mod surfaces;
mod text;
mod types;
mod workspaces;

use crate::{Diagnostic, Diagnostics, Severity, Span, model::Model};

/// Every area, in the order of a declaration.
///
/// ```
/// let text = dz_dsl_file::AREAS.iter().find(|area| area.name == "text").unwrap();
/// assert!(text.rules.iter().any(|rule| rule.name == "bad-escape"));
/// ```
pub const AREAS: &[Area] = &[
    text::AREA,
    structure::AREA,
    types::AREA,
    expressions::AREA,
    states::AREA,
    invariants::AREA,
    access::AREA,
    archetypes::AREA,
    surfaces::AREA,
    workspaces::AREA,
    graph::AREA,
    stories_and_experiences::AREA,
    services_and_processes::AREA,
];

/// The rules of one subject.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// The subject, in lower case.
    pub name: &'static str,
    /// Its rules by name.
    pub rules: &'static [Rule],
}

impl Area {
    /// The name of the folder of the area's files and fixtures.
    pub fn folder(&self) -> String {
        self.name.replace(' ', "_")
    }
}

/// A rule: the text that `dz explain` shows, and its check.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Kebab-case name.
    pub name: &'static str,
    /// The severity of its diagnostics.
    pub severity: Severity,
    /// A sentence about the violation.
    pub summary: &'static str,
    /// A text that violates it.
    pub wrong: &'static str,
    /// The same text, corrected.
    pub right: &'static str,
    /// The stage that reports it.
    pub reported_by: ReportedBy,
}

/// Reports the violations of one rule in a model.
pub type Check = fn(&Model, &mut Diagnostics);

/// The stages that report rules.
#[derive(Debug, Clone, Copy)]
pub enum ReportedBy {
    /// The parser or the resolver.
    Reading,
    /// A check of the whole model.
    Model(Check),
    /// The parser or the resolver, and a check of the whole model.
    Both(Check),
}

impl Rule {
    const fn error(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Self {
        Rule { name, severity: Severity::Error, summary, wrong, right, reported_by: ReportedBy::Reading }
    }

    const fn warning(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Self {
        Rule { name, severity: Severity::Warning, summary, wrong, right, reported_by: ReportedBy::Reading }
    }

    const fn lint(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Self {
        Rule { name, severity: Severity::Lint, summary, wrong, right, reported_by: ReportedBy::Reading }
    }

    /// A diagnostic of this rule.
    pub(crate) fn diagnostic(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.name, self.severity, span, message)
    }
}

/// Every rule.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    AREAS.iter().flat_map(|area| area.rules)
}

/// True for a rule about the whole model, which is not checked if the text has errors.
pub fn is_about_the_whole(rule: &str) -> bool {
    rules().any(|it| it.name == rule && matches!(it.reported_by, ReportedBy::Model(_)))
}

/// Runs the check of every rule.
pub(crate) fn check(model: &Model, out: &mut Diagnostics) {
    for rule in rules() {
        match rule.reported_by {
            ReportedBy::Reading => {}
            ReportedBy::Model(check) | ReportedBy::Both(check) => check(model, out),
        }
    }
}
