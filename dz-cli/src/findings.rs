//! The findings of a command: their levels in a project, their formats, and the exit code.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use dz_dsl_file::{
    Diagnostic, Severity, SourceMap, Span,
    project::{Level, ProjectFile},
    render,
};
use serde_json::{Value, json};

use crate::output::{Coloured, counted};

/// The format of findings.
#[derive(Args)]
pub struct Show {
    /// The format of findings
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// `warnings`: the command also fails for warnings
    #[arg(long, value_enum)]
    deny: Option<Deny>,
    #[command(flatten)]
    pub colours: Coloured,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Format {
    Human,
    Short,
    Json,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Deny {
    Warnings,
}

/// Findings with the levels of a project.
pub struct Findings<'a> {
    files: &'a SourceMap,
    list: Vec<Diagnostic>,
    with_lints: bool,
}

/// The severity of a finding in a project; `None` if dz.toml allows it, and for lints unless `with_lints` is set.
pub fn level(found: &Diagnostic, settings: &ProjectFile, with_lints: bool) -> Option<Severity> {
    match (found.severity, settings.lints.get(found.rule)) {
        (Severity::Error, _) | (_, Some(Level::Deny)) => Some(Severity::Error),
        (_, Some(Level::Allow)) => None,
        (_, Some(Level::Warn)) => Some(Severity::Warning),
        (Severity::Lint, None) if !with_lints => None,
        (severity, None) => Some(severity),
    }
}

impl<'a> Findings<'a> {
    /// Collects findings with their levels in dz.toml, else with those of their rules. Lints count only if `with_lints` is set.
    pub fn new(files: &'a SourceMap, found: &[Diagnostic], settings: &ProjectFile, with_lints: bool) -> Self {
        let counted = |it: &Diagnostic| Some(Diagnostic { severity: level(it, settings, with_lints)?, ..it.clone() });
        Findings { files, list: found.iter().filter_map(counted).collect(), with_lints }
    }

    /// The number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|it| it.severity == severity).count()
    }

    /// The exit code: a failure for errors, and for warnings if they are denied.
    pub fn code(&self, show: &Show) -> ExitCode {
        let denied = show.deny == Some(Deny::Warnings) && self.count(Severity::Warning) > 0;
        if denied || self.count(Severity::Error) > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// All findings in a format; the last line contains the number of `repaired` findings.
    pub fn text(&self, format: Format, colour: render::Colour, repaired: Option<usize>) -> String {
        match format {
            Format::Short => self.list.iter().map(|it| render::short(self.files, it) + "\n").collect(),
            Format::Json => self.json(repaired).to_string() + "\n",
            Format::Human => {
                let mut text: String = self.list.iter().map(|it| render::human(self.files, it, colour) + "\n\n").collect();
                text.push_str(&self.summary(repaired));
                text
            }
        }
    }

    fn summary(&self, repaired: Option<usize>) -> String {
        let mut counts = vec![(Severity::Error, "error"), (Severity::Warning, "warning")];
        counts.extend(self.with_lints.then_some((Severity::Lint, "lint")));
        let counts: Vec<String> = counts.into_iter().map(|(severity, word)| counted(self.count(severity), word)).collect();
        let repaired = repaired.map_or(String::new(), |count| format!("; {} made", counted(count, "repair")));
        format!("{} in {}{repaired}\n", counts.join(", "), counted(self.files.files().count(), "file"))
    }

    /// All findings as JSON, with the number of `repaired` findings, if given.
    pub fn json(&self, repaired: Option<usize>) -> Value {
        let mut report = json!({
            "diagnostics": self.list.iter().map(|it| self.finding(it)).collect::<Vec<_>>(),
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
            "lints": self.count(Severity::Lint),
        });
        if let Some(repaired) = repaired {
            report["repairs"] = repaired.into();
        }
        report
    }

    fn finding(&self, it: &Diagnostic) -> Value {
        let labels: Vec<Value> = it.labels.iter().map(|(span, text)| self.placed(*span, json!({ "text": text }))).collect();
        let edit = |certain: bool| {
            let wanted = it.suggestion.as_ref().filter(|edit| edit.is_certain() == certain);
            wanted.map(|edit| self.placed(edit.span, json!({ "text": edit.text })))
        };
        let rest = json!({
            "rule": it.rule,
            "severity": it.severity.as_str(),
            "message": it.message,
            "help": it.help,
            "labels": labels,
            "replacement": edit(true),
            "proposal": edit(false),
        });
        self.placed(it.span, rest)
    }

    /// Adds the place to an object: lines and columns from 1, columns in characters.
    fn placed(&self, span: Span, mut object: Value) -> Value {
        let file = self.files.file(span.file);
        let ((line, column), (end_line, end_column)) = (file.line_column(span.start), file.line_column(span.end));
        object["file"] = file.name.as_str().into();
        for (key, value) in [("line", line), ("column", column), ("end_line", end_line), ("end_column", end_column)] {
            object[key] = value.into();
        }
        object
    }
}
