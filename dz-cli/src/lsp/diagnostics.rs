//! The findings of a project, for each of its files.

use dz_dsl_file::Severity;
use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, PublishDiagnosticsParams, Url};

use super::{projects::Project, state::State, unit::Unit};
use crate::findings::level;

/// The findings of every file of a project.
pub fn of_project(state: &State, project: &Project) -> Vec<PublishDiagnosticsParams> {
    let mut found: Vec<(Url, Vec<Diagnostic>)> = project.urls.iter().map(|url| (url.clone(), Vec::new())).collect();
    for unit in project.units(&state.open) {
        for it in &unit.analysis().diagnostics {
            let Some(severity) = level(it, &project.settings, true) else { continue };
            if let Some((_, list)) = found.get_mut(it.span.file.0 as usize) {
                list.push(diagnostic(state, unit, it, severity));
            }
        }
    }
    for ((url, _), path) in found.iter_mut().zip(&project.paths) {
        if let Some(open) = state.open.iter().find(|it| it.path == *path) {
            *url = open.url.clone();
        }
    }
    let version = |url: &Url| state.open.iter().find(|it| it.url == *url).map(|it| it.version);
    found.into_iter().map(|(uri, diagnostics)| PublishDiagnosticsParams { version: version(&uri), uri, diagnostics }).collect()
}

fn diagnostic(state: &State, unit: &Unit, it: &dz_dsl_file::Diagnostic, severity: Severity) -> Diagnostic {
    let related = it
        .labels
        .iter()
        .map(|(span, text)| DiagnosticRelatedInformation { location: unit.location(*span, state.encoding), message: text.clone() });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Diagnostic {
        range: unit.range(it.span, state.encoding),
        severity: Some(severity_of(severity)),
        code: Some(NumberOrString::String(it.rule.to_owned())),
        source: Some("dz".to_owned()),
        message: message(it),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// The message with the correction on a line of its own.
fn message(it: &dz_dsl_file::Diagnostic) -> String {
    match &it.help {
        Some(help) => format!("{}\n{help}", it.message),
        None => it.message.clone(),
    }
}

fn severity_of(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Lint => DiagnosticSeverity::HINT,
    }
}
