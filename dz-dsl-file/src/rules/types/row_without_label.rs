//! Entities whose rows have no label of their own.

use crate::{
    Diagnostics, Severity,
    model::{Entity, EntityId, Field, FieldId, FieldType, Mode, Model, Unique},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "row-without-label",
    severity: Severity::Lint,
    summary: "no field gives rows a label",
    wrong: "entity Loan:\n  id: uuid pk\n  lent_on: date required\n  permit:\n    list: true\n    read: true\nentity Fine:\n  id: uuid pk\n  \
            loan: ref Loan required\n  reason: str(80) required\n  permit:\n    list: true\n    read: true\n",
    right: "entity Loan:\n  id: uuid pk\n  copy: str(20) required\n  lent_on: date required\n  display_field: called\n  \
            called: computed concat(copy, \" lent\")\n  permit:\n    list: true\n    read: true\nentity Fine:\n  id: uuid pk\n  \
            loan: ref Loan required\n  reason: str(80) required\n  permit:\n    list: true\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate() {
        let single = entity.kind.is_some_and(|kind| kind.is_singleton());
        let own = entity.label.titled && entity.label.path.hops.is_empty();
        if entity.declared && own && !single && is_named(model, EntityId(at)) {
            out.push(
                RULE.diagnostic(entity.span, format!("rows of `{}` have labels such as `{}`", entity.name, example_label(entity)))
                    .help(help(entity)),
            );
        }
    }
}

/// True if a page or another row shows the labels of the entity's rows.
fn is_named(model: &Model, id: EntityId) -> bool {
    let referred = model.entities.iter().flat_map(|entity| &entity.fields).any(|field| field.ty == FieldType::Ref(id));
    referred || model.surfaces.iter().any(|surface| surface.entity == id && surface.mode == Mode::View)
}

/// An example of the current label of a row.
fn example_label(entity: &Entity) -> String {
    let title = &entity.title;
    let numbered = format!("{title} 12");
    let dated = format!("{title} of 22 Nov 2026");
    let by_key = format!("{title} 0192f3a1");
    let Some(field) = entity.fields.get(entity.label.path.field.0) else { return by_key };
    match field.ty {
        FieldType::Date | FieldType::DateTime => dated,
        FieldType::Int { .. } => numbered,
        FieldType::Uuid
        | FieldType::Str(_)
        | FieldType::Text
        | FieldType::Float
        | FieldType::Decimal { .. }
        | FieldType::Bool
        | FieldType::Enum(_)
        | FieldType::Json
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Money(_)
        | FieldType::Currency { .. }
        | FieldType::File { .. }
        | FieldType::Ref(_)
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => by_key,
    }
}

/// Several rows can refer to one row and would then have one label, so only a `ref` that is unique is proposed.
fn help(entity: &Entity) -> String {
    let computed = "or a computed one, such as `label: computed concat(…)`";
    let leads = |(at, field): &(usize, &Field)| {
        let is_distinct = field.required && field.unique != Unique::No;
        let is_short = field.ty.target().is_some() || [FieldType::Slug, FieldType::Email].contains(&field.ty);
        is_distinct && is_short && entity.tenant != Some(FieldId(*at)) && !field.sensitive
    };
    match entity.fields.iter().enumerate().find(leads) {
        Some((_, field)) => format!("name a field that distinguishes the rows: `display_field: {}`, {computed}", field.name),
        None => format!("add a text field such as `name: str(80)`, {computed}, and name it: `display_field: name`"),
    }
}
