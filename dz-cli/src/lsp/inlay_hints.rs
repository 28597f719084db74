//! Hints beside the text: inferred indexes, the fields that dz adds, and who is permitted an action.

use dz_dsl_file::{
    Span,
    emit::{
        access::{Cell, matrix},
        schema::Schema,
    },
    model::{Entity, Model},
};
use dz_knowledge::type_text;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};

use super::{failure::Failure, state::State, unit::Unit};

/// The hints of the lines of a range.
pub fn answer(state: &State, params: InlayHintParams) -> Result<Vec<InlayHint>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let mut found = Vec::new();
    for (unit, file) in place.units(state) {
        let hints = hints(unit);
        let inside = hints.into_iter().filter(|(at, ..)| at.file == file);
        found.extend(inside.map(|(at, label, tooltip)| hint(state, unit, at, label, tooltip)));
    }
    let (first, last) = (params.range.start.line, params.range.end.line);
    found.retain(|it| first <= it.position.line && it.position.line <= last);
    found.sort_by_key(|it| it.position);
    Ok(found)
}

/// A hint: the line that it follows, its text, and its reasons.
type Hint = (Span, String, String);

fn hint(state: &State, unit: &Unit, at: Span, label: String, tooltip: String) -> InlayHint {
    InlayHint {
        position: state.encoding.position(unit.file(at.file), at.end),
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: (!tooltip.is_empty()).then_some(InlayHintTooltip::String(tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn hints(unit: &Unit) -> Vec<Hint> {
    let model = &unit.read().model;
    let lines = &unit.read().lines;
    let line_of = |span: Span| {
        let lines = &lines[span.file.0 as usize];
        lines.iter().rfind(|it| it.line.start <= span.start && span.end <= it.line.end).map_or(span, |it| it.line)
    };
    let mut found = Vec::new();
    let declared = || model.entities.iter().filter(|entity| entity.declared);
    for entity in declared() {
        let added = added_fields(model, entity);
        if !added.is_empty() {
            found.push((line_of(entity.span), format!("+ {}", added.join(", ")), "fields that dz adds".to_owned()));
        }
    }
    add_indexes(model, &mut found, line_of);
    add_permissions(unit, &mut found);
    found
}

/// The fields of an entity that are in no text, with their types.
fn added_fields(model: &Model, entity: &Entity) -> Vec<String> {
    let added = entity.fields.iter().filter(|field| !entity.has_written(field) && !field.secret);
    added.map(|field| format!("{}: {}", field.name, type_text(model, field.ty))).collect()
}

/// The indexes that begin with a field, at its line. Declared ones are in the text already.
fn add_indexes(model: &Model, found: &mut Vec<Hint>, line_of: impl Fn(Span) -> Span) {
    for purpose in Schema::from_model(model).purposes(model) {
        if purpose.why.iter().any(|why| why.starts_with("is declared")) {
            continue;
        }
        let entity = model.entities.iter().find(|it| it.table == purpose.table && it.declared);
        let fields = entity.into_iter().flat_map(|entity| entity.fields.iter().filter(|it| entity.has_written(it)));
        if let Some(field) = fields.filter(|it| it.span.start < it.span.end).find(|it| it.name == purpose.first_column) {
            let why: Vec<String> = purpose.why.iter().map(|why| format!("this index {why}")).collect();
            found.push((line_of(field.span), format!("index {}", purpose.index), why.join("\n")));
        }
    }
}

/// The callers of each action, at its line of `permit:`.
fn add_permissions(unit: &Unit, found: &mut Vec<Hint>) {
    let model = &unit.read().model;
    let matrix = matrix(model);
    for entity in model.entities.iter().filter(|entity| entity.declared) {
        for permission in &entity.access.permissions {
            let Some(line) = permission.lines.iter().find(|line| !line.forbids && line.span != entity.span) else { continue };
            let row = matrix.rows.iter().find(|row| row.entity == entity.name && row.action == permission.action.name());
            let Some(row) = row else { continue };
            let callers = |wanted: fn(&Cell) -> bool| {
                let cells = matrix.callers.iter().zip(&row.cells).filter(|(_, cell)| wanted(cell));
                cells.map(|(caller, _)| caller.as_str()).collect::<Vec<_>>()
            };
            let (all, some) = (callers(|cell| *cell == Cell::Yes), callers(|cell| matches!(cell, Cell::When(_))));
            let parts = [("", all), ("some rows: ", some)].into_iter().filter(|(_, list)| !list.is_empty());
            let text: Vec<String> = parts.map(|(word, list)| format!("{word}{}", list.join(", "))).collect();
            let text = if text.is_empty() { "no caller".to_owned() } else { text.join("; ") };
            let at = Span { end: end_of_line(unit, line.span), ..line.span };
            found.push((at, format!("{}: {text}", permission.action.name()), String::new()));
        }
    }
}

/// The end of the line in which a span ends, without a comment.
fn end_of_line(unit: &Unit, span: Span) -> u32 {
    let lines = &unit.read().lines[span.file.0 as usize];
    lines.iter().rfind(|it| it.line.start <= span.start && span.start < it.line.end).map_or(span.end, |it| it.line.end)
}
