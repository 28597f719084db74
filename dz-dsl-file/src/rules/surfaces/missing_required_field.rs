//! A form without a required field.

use crate::{
    Diagnostics, Severity,
    diagnostic::list_first,
    model::{Auto, Entity, Field, FieldId, FieldType, Mode, Model, NestedList, Path, Placed, Section, SectionBody, Surface, Variant, Via},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "missing-required-field",
    severity: Severity::Error,
    summary: "a create form lacks a required field",
    wrong: "entity Task:\n  id: uuid pk\n  title: str(80) required\n  due: date\n  permit:\n    create: true\n    read: true\nsurface task_new:\n  uses entity Task\n  mode: create\n  section main:\n    field due\n",
    right: "entity Task:\n  id: uuid pk\n  title: str(80) required\n  due: date\n  permit:\n    create: true\n    read: true\nsurface task_new:\n  uses entity Task\n  mode: create\n  section main:\n    field title\n    field due\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for surface in model.surfaces.iter().filter(|surface| surface.declared && surface.mode == Mode::Create) {
        form(model, surface, out);
        for section in &surface.sections {
            if let SectionBody::Nested(list) = &section.body {
                nested(model, section, list, out);
            }
        }
    }
}

/// Reports a nested list of a create form whose rows lack a required field: no row could be saved.
fn nested(model: &Model, section: &Section, list: &NestedList, out: &mut Diagnostics) {
    let entity = model.entity(list.entity);
    let has = |at: FieldId| list.columns.iter().any(|column| column.path.hops.is_empty() && !column.read_only && column.path.field == at);
    let fields = entity.fields.iter().enumerate().filter(|(at, field)| is_needed(entity, FieldId(*at), field));
    let absent: Vec<&Field> =
        fields.filter(|(at, _)| list.via != Via::Ref(FieldId(*at)) && !has(FieldId(*at))).map(|(_, field)| field).collect();
    let Some(first) = absent.first() else { return };
    let names: Vec<&str> = absent.iter().map(|field| field.name.as_str()).collect();
    let (verb, which) = if absent.len() == 1 { ("is", "it") } else { ("are", "each") };
    let message = format!(
        "the rows of `{}` lack {} of `{}`, which {verb} required and without default",
        section.name,
        list_first(&names),
        entity.name
    );
    let help = match first.ty.is_file() {
        true => format!("add {which} to the section, such as `field {}`", first.name),
        false => format!("add {which} to the section, such as `field {}`, or give {which} a default", first.name),
    };
    out.push(RULE.diagnostic(section.span, message).help(help).label(first.span, "required here"));
}

fn form(model: &Model, surface: &Surface, out: &mut Diagnostics) {
    let entity = model.entity(surface.entity);
    let written: Vec<FieldId> = surface
        .sections
        .iter()
        .filter_map(|section| match &section.body {
            SectionBody::Fields(columns) => Some(columns),
            SectionBody::Nested(_) => None,
        })
        .flatten()
        .filter(|column| column.path.hops.is_empty() && !column.read_only)
        .map(|column| column.path.field)
        .collect();
    let needed = entity.fields.iter().enumerate().filter(|(at, field)| is_needed(entity, FieldId(*at), field));
    surface.variants.iter().for_each(|it| variant(model, surface, it, needed.clone(), out));
    let absent = needed.filter(|(at, _)| !written.contains(&FieldId(*at)));
    let absent: Vec<&Field> = absent.map(|(_, field)| field).collect();
    let Some(first) = absent.first() else { return };
    let names: Vec<&str> = absent.iter().map(|field| field.name.as_str()).collect();
    let (verb, which) = if absent.len() == 1 { ("is", "it") } else { ("are", "each") };
    let message = format!("the form `{}` lacks {}, which {verb} required and without default", surface.name, list_first(&names));
    let mut found = RULE
        .diagnostic(surface.span, message)
        .help(format!("add {which} to a section, such as `field {}`, or give {which} a default", first.name));
    // The caller is known without a field in the form.
    if let [field] = absent.as_slice()
        && field.ty == FieldType::Ref(model.account)
        && field.end != field.span
    {
        let help = format!(
            "give `{0}` the default `current_user`, so that the form needs no field for the caller; or add `field {0}`",
            field.name
        );
        found = found.help(help).replace(field.end, " = current_user");
    }
    for field in absent.iter().filter(|field| entity.has_written(field)) {
        found = found.label(field.span, "required here");
    }
    out.push(found);
}

/// True for a field that the form of a new row needs.
fn is_needed(entity: &Entity, at: FieldId, field: &Field) -> bool {
    let generated = at == entity.pk && field.ty.is_generated_key();
    let said = field.default.is_none() && field.auto == Auto::No && !generated;
    // The form shows the currency together with its amount.
    let beside = field.ty.amount().is_some();
    said && !beside && field.required && field.is_stored() && !field.secret && entity.tenant != Some(at)
}

/// Reports a variant that hides a required field of a form without a default for it.
fn variant<'f>(
    model: &Model,
    surface: &Surface,
    variant: &Variant,
    needed: impl Iterator<Item = (usize, &'f Field)>,
    out: &mut Diagnostics,
) {
    for (at, field) in needed.filter(|_| !variant.read_only) {
        let own = |path: &&Placed<Path>| path.it.hops.is_empty() && path.it.field == FieldId(at);
        let shown = variant.show.is_empty() || variant.show.iter().any(|path| own(&path));
        let place = variant.hide.iter().find(own).map(|path| path.span).or((!shown).then_some(variant.span));
        let begins = variant.defaults.iter().any(|(given, _)| given.it == FieldId(at));
        let Some(span) = place.filter(|_| !begins) else { continue };
        let names: Vec<&str> = variant.personas.iter().map(|role| model.personas[role.it.0].name.as_str()).collect();
        let message =
            format!("the form `{}` lacks `{}` for {}, which is required and without default", surface.name, field.name, list_first(&names));
        out.push(
            RULE.diagnostic(span, message)
                .label(field.span, "required here")
                .help(format!("show it to them, or give `{}` a value under `defaults:`", field.name)),
        );
    }
}
