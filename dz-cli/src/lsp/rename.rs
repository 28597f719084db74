//! Renaming: the declaration and every use of a name, in all files of the project. The renamed texts are analysed first, so that a
//! name that is taken, or that changes the meaning of another one, is refused.

use std::collections::{BTreeSet, HashMap};

use dz_dsl_file::{Analysis, Severity, SourceMap, Span, analyse, names};
use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit};

use super::{
    failure::Failure,
    names::{Declares, Names},
    state::{At, State},
    unit::Unit,
};

/// Words with a meaning of their own inside expressions.
const RESERVED: &[&str] = &["and", "or", "not", "in", "is", "true", "false", "null"];

/// The place of the name that a position can rename.
pub fn prepare(state: &State, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let Some(it) = place.at(state, params.position) else { return Ok(None) };
    let Some(found) = it.unit.names().at(it.file, it.byte) else { return Err(nameless()) };
    let span = bare(it.unit, found.at);
    let placeholder = it.unit.files.text(span).to_owned();
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: it.unit.range(span, state.encoding), placeholder }))
}

/// The edits that rename the name at a position.
pub fn answer(state: &State, params: RenameParams) -> Result<Option<WorkspaceEdit>, Failure> {
    let at = params.text_document_position;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let names = it.unit.names();
    let Some(found) = names.at(it.file, it.byte) else { return Err(nameless()) };
    let new = params.new_name.as_str();
    check_name(new)?;
    let old = it.unit.files.text(bare(it.unit, found.declared));
    let mut spans: BTreeSet<Span> = names.uses_of(found.declared).map(|span| bare(it.unit, span)).collect();
    spans.insert(bare(it.unit, found.declared));
    if old != new {
        check_free(&names, found.declared, new)?;
        check_result(it, &spans, new)?;
    }
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for span in spans {
        let location = it.unit.location(span, state.encoding);
        changes.entry(location.uri).or_default().push(TextEdit { range: location.range, new_text: new.to_owned() });
    }
    Ok(Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }))
}

fn nameless() -> Failure {
    Failure::refused("there is no name here that can be renamed")
}

/// The name without its quotes.
fn bare(unit: &Unit, span: Span) -> Span {
    let quoted = unit.files.text(span).starts_with(['"', '\'']);
    if quoted { Span { start: span.start + 1, end: span.end - 1, ..span } } else { span }
}

fn check_name(new: &str) -> Result<(), Failure> {
    let begins = new.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if !begins || !new.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(Failure::wrong_params(format!("`{}` is not a name: write a letter, then letters, digits and `_`", new.escape_debug())));
    }
    if RESERVED.contains(&new) {
        return Err(Failure::wrong_params(format!("`{new}` has a meaning of its own in expressions; write another name")));
    }
    Ok(())
}

/// Refuses a name that another declaration of the same name space has.
fn check_free(names: &Names<'_>, declared: Span, new: &str) -> Result<(), Failure> {
    let Some(own) = names.declared_at(declared) else { return Ok(()) };
    let taken = names.all.iter().find(|it| it.span != declared && it.name == new && shares_names(names, own.declares, it.declares));
    let taken = taken.or_else(|| {
        // Two names that are equal in Rust or in the database are one name too.
        let is_entity = |it: Declares| matches!(it, Declares::Entity(_));
        let same =
            |it: &&super::names::Name<'_>| it.span != declared && is_entity(it.declares) && names::snake(it.name) == names::snake(new);
        names.all.iter().filter(|_| is_entity(own.declares)).find(same)
    });
    match taken {
        Some(taken) => Err(Failure::refused(format!("the {} `{}` exists already; write another name", taken.declares.word(), taken.name))),
        None => Ok(()),
    }
}

/// True if two declarations cannot have the same name.
fn shares_names(names: &Names<'_>, own: Declares, other: Declares) -> bool {
    match (own, other) {
        (Declares::Field(own, at), Declares::Field(other, _)) => {
            let span = names.model().field(own, at).span;
            // A field of an archetype is a field of several entities.
            own == other || names.model().entities[other.0].fields.iter().any(|field| field.span == span)
        }
        (Declares::Value(own, _), Declares::Value(other, _)) => own == other,
        (Declares::Region(own, _), Declares::Region(other, _)) => own == other,
        (Declares::Section(own, _), Declares::Section(other, _)) => own == other,
        (Declares::Step(own, _), Declares::Step(other, _)) => own == other,
        (Declares::ExperienceStep(own, _), Declares::ExperienceStep(other, _)) => own == other,
        // Types share their names in Rust, and pages their addresses.
        (
            Declares::Entity(_) | Declares::Enum(_) | Declares::Archetype(_),
            Declares::Entity(_) | Declares::Enum(_) | Declares::Archetype(_),
        ) => true,
        (Declares::Surface(_) | Declares::Workspace(_), Declares::Surface(_) | Declares::Workspace(_)) => true,
        (Declares::Other, _) | (_, Declares::Other) => false,
        (own, other) => own.word() == other.word() && own != other,
    }
}

/// Analyses the renamed texts, and refuses the name if they have more errors.
fn check_result(it: At<'_>, spans: &BTreeSet<Span>, new: &str) -> Result<(), Failure> {
    let mut files = SourceMap::default();
    for (id, file) in it.unit.files.files() {
        let mut text = file.text.clone();
        for span in spans.iter().rev().filter(|span| span.file == id) {
            text.replace_range(span.start as usize..span.end as usize, new);
        }
        files.add(file.name.as_str(), text);
    }
    let after = analyse(files);
    let before = it.unit.analysis();
    let known: BTreeSet<&str> = errors(before).collect();
    match errors(&after).count() > errors(before).count() {
        true => {
            let said = errors(&after).find(|message| !known.contains(message)).unwrap_or("it has more errors");
            Err(Failure::refused(format!("`{new}` makes the declaration invalid: {said}")))
        }
        false => Ok(()),
    }
}

fn errors(analysis: &Analysis) -> impl Iterator<Item = &str> {
    analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).map(|it| it.message.as_str())
}
