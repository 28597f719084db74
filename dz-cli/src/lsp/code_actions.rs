//! Corrections of findings: the edits that the rules suggest, and those that analysis of candidates finds.

use std::collections::HashMap;

use dz_dsl_file::{Diagnostic, FileId, SourceMap, Span, analyse, propose};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, NumberOrString, Range, TextEdit, Url, WorkspaceEdit};

use super::{failure::Failure, state::State, unit::Unit};

/// The corrections of the findings in a range.
pub fn answer(state: &State, params: CodeActionParams) -> Result<Vec<CodeActionOrCommand>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    if params.context.only.as_ref().is_some_and(|only| !only.iter().any(|kind| "quickfix".starts_with(kind.as_str()))) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for (unit, file) in place.units(state) {
        let wanted = span_of(unit, file, params.range, state);
        let touches = |it: &&Diagnostic| it.span.file == file && it.span.start <= wanted.end && wanted.start <= it.span.end;
        let analysis = unit.analysis();
        if !analysis.diagnostics.iter().any(|it| touches(&it)) {
            continue;
        }
        let mut analysis = analysis.clone();
        propose(&mut analysis);
        for it in analysis.diagnostics.iter().filter(touches) {
            let known = params.context.diagnostics.iter().find(|known| {
                known.code == Some(NumberOrString::String(it.rule.to_owned())) && known.range == unit.range(it.span, state.encoding)
            });
            found.extend(correction(state, unit, it).map(|action| of_finding(action, known)));
            found.extend(comment(state, unit, it).map(|action| of_finding(action, known)));
        }
    }
    Ok(found.into_iter().map(CodeActionOrCommand::CodeAction).collect())
}

fn span_of(unit: &Unit, file: FileId, range: Range, state: &State) -> Span {
    let byte = |at| unit.byte(file, at, state.encoding);
    Span { file, start: byte(range.start), end: byte(range.end) }
}

fn of_finding(mut action: CodeAction, finding: Option<&lsp_types::Diagnostic>) -> CodeAction {
    action.diagnostics = finding.map(|it| vec![it.clone()]);
    action
}

/// The edit that corrects a finding.
fn correction(state: &State, unit: &Unit, it: &Diagnostic) -> Option<CodeAction> {
    let suggestion = it.suggestion.as_ref()?;
    let old = unit.files.text(suggestion.span);
    let title = match (old.trim(), suggestion.text.trim()) {
        ("", "") => "Correct the layout".to_owned(),
        ("", new) => format!("Insert `{}`", first_line(new)),
        (old, "") => format!("Remove `{}`", first_line(old)),
        (old, new) => format!("Replace `{}` with `{}`", first_line(old), first_line(new)),
    };
    Some(action(state, unit, title, suggestion.span, suggestion.text.clone(), suggestion.is_certain()))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A comment that allows a warning or a lint, if it has that effect.
fn comment(state: &State, unit: &Unit, it: &Diagnostic) -> Option<CodeAction> {
    if it.severity == dz_dsl_file::Severity::Error {
        return None;
    }
    let file = unit.files.file(it.span.file);
    let (_, start, line) = file.lines_around(it.span.start, it.span.start);
    let indent = &line[..line.len() - line.trim_start().len()];
    let at = Span { start: start as u32, end: start as u32, ..it.span };
    let text = format!("{indent}# dz: allow({}) because of the reason that you write here\n", it.rule);
    // In the first line of a Rust block there is no line above.
    if unit.block.is_some_and(|block| start < block.start) || !allows(unit, at, &text, it) {
        return None;
    }
    Some(action(state, unit, format!("Allow `{}` with a comment", it.rule), at, text, false))
}

/// True if a finding is gone after an insertion.
fn allows(unit: &Unit, at: Span, text: &str, it: &Diagnostic) -> bool {
    let mut files = SourceMap::default();
    for (id, file) in unit.files.files() {
        let mut whole = file.text.clone();
        if id == at.file {
            whole.insert_str(at.start as usize, text);
        }
        files.add(file.name.as_str(), whole);
    }
    let count = |list: &[Diagnostic]| list.iter().filter(|other| other.rule == it.rule).count();
    count(&analyse(files).diagnostics) < count(&unit.analysis().diagnostics)
}

fn action(state: &State, unit: &Unit, title: String, span: Span, text: String, preferred: bool) -> CodeAction {
    let location = unit.location(span, state.encoding);
    let changes: HashMap<Url, Vec<TextEdit>> = HashMap::from([(location.uri, vec![TextEdit { range: location.range, new_text: text }])]);
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: Some(preferred),
        ..CodeAction::default()
    }
}
