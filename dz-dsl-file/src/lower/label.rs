//! Labels of rows: `display_field:`, a field that is usually a name, or the title with a date or a number.

use super::Lowering;
use crate::{
    Diagnostic,
    cursor::Name,
    model::{Auto, EntityId, Field, FieldId, Label, Path, Unique},
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    let own: Vec<(FieldId, bool)> = (0..it.entities.len()).map(|at| own_label(it, EntityId(at))).collect();
    for at in 0..it.entities.len() {
        let id = EntityId(at);
        it.entities[at].label = match follow(it, id, &own) {
            Ok(label) => label,
            Err(again) => {
                if let Some(name) = display_field(it, id).filter(|_| again == id) {
                    report_cycle(it, id, name);
                }
                Label::own(id, fallback_label(it, id), true)
            }
        };
    }
}

fn display_field<'a>(it: &Lowering<'a>, id: EntityId) -> Option<&'a Name> {
    it.declared[id.0].and_then(|declared| declared.body.display_field.as_ref())
}

/// The field of the label that the entity's declaration implies, and whether the title precedes its value.
fn own_label(it: &mut Lowering<'_>, id: EntityId) -> (FieldId, bool) {
    let named = match display_field(it, id) {
        Some(name) => resolve_display_field(it, id, name),
        None => usual_label(it, id),
    };
    named.map_or_else(|| (fallback_label(it, id), true), |field| (field, false))
}

/// Resolves `display_field:`, a stored or computed field, or reports it.
fn resolve_display_field(it: &mut Lowering<'_>, id: EntityId, name: &Name) -> Option<FieldId> {
    let found = it.field_names[id.0].get(&name.text).copied();
    match found.filter(|at| !it.entities[id.0].fields[*at].secret) {
        Some(at) => {
            it.field_used(name.span, id, at);
            names_one(it, id, name, FieldId(at)).then_some(FieldId(at))
        }
        None => {
            it.unknown_field("unknown-field", id, name, Field::has_value);
            None
        }
    }
}

/// Reports a field that cannot be a label, or not that of this entity: labels of accounts and tenants are visible to callers who
/// cannot read the rows that they reference.
fn names_one(it: &mut Lowering<'_>, id: EntityId, name: &Name, field: FieldId) -> bool {
    if !it.entities[id.0].fields[field.0].has_value() {
        let found =
            Diagnostic::error("type-mismatch", name.span, format!("`{}` is a list of other rows and cannot label a row", name.text));
        it.out.push(found.help("name a field with a value, a ref, or a computed text"));
        return false;
    }
    let what = match id {
        id if id == it.account => "an account",
        id if Some(id) == it.tenant => "a tenant",
        _ => return true,
    };
    let leads = it.entities[id.0].fields[field.0].ty.target().is_some();
    if leads {
        let message = format!("{what} cannot have a ref as its label: callers who cannot read the referenced row see the label");
        it.out.push(Diagnostic::error("not-allowed-here", name.span, message).help("name a text field of the entity itself"));
    }
    !leads
}

/// `title`, `name`, `label`, else the first short text.
fn usual_label(it: &Lowering<'_>, id: EntityId) -> Option<FieldId> {
    let fields = &it.entities[id.0].fields;
    let named = ["title", "name", "label"]
        .iter()
        .find_map(|name| fields.iter().position(|field| field.name == *name && field.ty.is_text() && field.has_value()));
    let first = || fields.iter().position(|field| field.ty.is_str() && field.is_stored() && is_open(field));
    let account = || fields.iter().position(|field| it.entities[id.0].account && field.name == "email");
    named
        .filter(|_| !it.entities[id.0].account || fields.iter().any(|field| field.name == "name"))
        .or_else(account)
        .or_else(first)
        .map(FieldId)
}

/// True if the field at a position can be the label.
type Rank<'a> = &'a dyn Fn(usize, &Field) -> bool;

/// The best label of an entity without a text: an auto-increment number, else a required date, else any date, else the key.
fn fallback_label(it: &Lowering<'_>, id: EntityId) -> FieldId {
    let entity = &it.entities[id.0];
    let counts = |at: usize, field: &Field| {
        field.ty.is_int() && field.is_stored() && (at == entity.pk.0 || (field.required && field.unique != Unique::No))
    };
    let is_date = |field: &Field| field.ty.is_time() && field.is_stored();
    let ranks: [Rank<'_>; 4] = [
        &counts,
        &|_, field| is_date(field) && field.required && field.auto == Auto::No,
        &|_, field| is_date(field) && field.auto == Auto::Add,
        &|_, field| is_date(field) && field.auto == Auto::No,
    ];
    let open = || entity.fields.iter().enumerate().filter(|(_, field)| is_open(field));
    let found = ranks.iter().find_map(|fits| open().find(|(at, field)| fits(*at, field)));
    found.map_or(entity.pk, |(at, _)| FieldId(at))
}

fn is_open(field: &Field) -> bool {
    !field.secret && !field.sensitive
}

/// Follows refs to the label of the row at their end. The error is the entity at which a cycle closes.
fn follow(it: &Lowering<'_>, id: EntityId, own: &[(FieldId, bool)]) -> Result<Label, EntityId> {
    let (field, mut titled) = own[id.0];
    let mut path = Path { from: id, hops: Vec::new(), field };
    let mut met = vec![id];
    let mut at = id;
    // An entity whose fields could not be parsed has no label.
    let target = |at: EntityId, field: FieldId| -> Option<EntityId> { it.entities[at.0].fields.get(field.0)?.ty.target() };
    while let (false, Some(next)) = (titled, target(at, path.field)) {
        at = next;
        if met.contains(&at) {
            return Err(at);
        }
        met.push(at);
        path.hops.push(path.field);
        (path.field, titled) = own[at.0];
    }
    Ok(Label { path, titled })
}

fn report_cycle(it: &mut Lowering<'_>, id: EntityId, name: &Name) {
    let entity = &it.entities[id.0].name;
    let message = format!("`{}` refers back to a `{entity}`, whose label would contain itself", name.text);
    it.out.push(
        Diagnostic::error("label-cycle", name.span, message)
            .help("name a field of the row itself, or a computed text such as `label: computed concat(number, \": \", topic)`"),
    );
}
