//! `temporal:`, `soft_delete` and `examples:` of an entity.

use super::{Lowering, demo, entities::field};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{EntityId, Example, FieldId, Temporal},
    names::in_database,
    syntax::temporal as written,
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let Some(declared) = it.declared[at] else { continue };
        let id = EntityId(at);
        if let Some(temporal) = &declared.body.temporal {
            it.entities[at].temporal = lower_one(it, id, temporal);
        }
        it.entities[at].soft_delete = declared.body.soft_delete.is_some();
        let own = it.entities[at].fields.iter().find(|field| in_database(&field.name) == "deleted_at").map(|field| field.span);
        if let (Some(span), Some(own)) = (declared.body.soft_delete, own) {
            let found = Diagnostic::error("name-collision", own, "`soft_delete` adds a column `deleted_at`");
            it.out.push(found.label(span, "written here").help("rename the field, or remove it: dz sets its own column"));
        }
    }
}

/// Lowers example rows of an entity: they are typed like demo data, but may be incomplete.
pub(super) fn examples(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let Some(declared) = it.declared[at] else { continue };
        for row in &declared.body.examples {
            let values = demo::example(it, EntityId(at), row);
            it.entities[at].examples.push(Example { values, span: row.span });
        }
    }
}

fn lower_one(it: &mut Lowering<'_>, id: EntityId, temporal: &written::Temporal) -> Option<Temporal> {
    for (name, key) in [("start", &temporal.start), ("end", &temporal.end)] {
        if key.is_none() {
            let found = Diagnostic::error("missing-key", temporal.span, format!("`temporal` lacks its `{name}`"));
            it.out.push(found.help(format!("add `{name}: field` with a date or datetime field")));
        }
    }
    let start = temporal.start.as_ref().and_then(|name| period_field(it, id, name));
    let end = temporal.end.as_ref().and_then(|name| period_field(it, id, name));
    let (start, end) = (start?, end?);
    let (first, second) = (&it.entities[id.0].fields[start.0], &it.entities[id.0].fields[end.0]);
    if first.ty != second.ty
        && let Some(name) = &temporal.end
    {
        let found = Diagnostic::error("type-mismatch", name.span, "start and end are of different types")
            .label(first.span, "the start")
            .label(second.span, "the end")
            .help("make both `date`, or both `datetime`");
        it.out.push(found);
        return None;
    }
    if second.required
        && let Some(name) = &temporal.end
    {
        let message =
            format!("every row has an end, so no list of `{}` shows a row: lists show the rows without one", it.entities[id.0].name);
        let found = Diagnostic::warning("never-current", name.span, message).label(second.span, "required here");
        it.out.push(found.help(format!("remove `required` from `{0}`, or remove `temporal:` and filter lists by `{0}`", name.text)));
    }
    Some(Temporal { start, end })
}

fn period_field(it: &mut Lowering<'_>, id: EntityId, name: &Name) -> Option<FieldId> {
    let at = field(it, id, name)?;
    let found = &it.entities[id.0].fields[at.0];
    if found.ty.is_time() {
        return Some(at);
    }
    let wrong = Diagnostic::error("type-mismatch", name.span, format!("`{}` is neither a date nor a datetime", name.text))
        .label(found.span, "declared here")
        .help("name a field of type `date` or `datetime`");
    it.out.push(wrong);
    None
}
