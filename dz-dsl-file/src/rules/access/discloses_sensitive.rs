//! A field or a relation that reveals the value of a `sensitive` field.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity, Span,
    facts::sensitive::Sources,
    model::{EntityId, Field, FieldId, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "discloses-sensitive",
    severity: Severity::Error,
    summary: "a computed field, a default or a relation reveals the value of a `sensitive` field",
    wrong: "persona boss\nentity Task:\n  id: uuid pk\n  title: str(80)\n  pay: int sensitive\n  double: computed pay * 2\n  permit:\n    list: true\n    read: true\n    update: role(boss)\n",
    right: "persona boss\nentity Task:\n  id: uuid pk\n  title: str(80)\n  pay: int sensitive\n  double: computed pay * 2 sensitive\n  permit:\n    list: true\n    read: true\n    update: role(boss)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let mut report = Report { model, sources: Sources::new(model), reported: HashSet::new() };
    for at in (0..model.entities.len()).map(EntityId) {
        for (position, field) in model.entity(at).fields.iter().enumerate() {
            report.check_field(at, field, out);
            report.check_relation(at, FieldId(position), field, out);
        }
    }
    for (surface, variant) in model.surfaces.iter().flat_map(|surface| surface.variants.iter().map(move |it| (surface, it))) {
        for (target, value) in &variant.defaults {
            report.check_value(surface.entity, model.field(surface.entity, target.it), value, target.span, out);
        }
    }
}

struct Report<'m> {
    model: &'m Model,
    sources: Sources<'m>,
    /// Reported places: a declaration in an archetype is reported once for all entities that extend it.
    reported: HashSet<Span>,
}

impl Report<'_> {
    fn check_field(&mut self, at: EntityId, field: &Field, out: &mut Diagnostics) {
        for value in field.computed.iter().chain(&field.default) {
            self.check_value(at, field, value, field.span, out);
        }
    }

    /// Reports a value that is computed from a sensitive field and set in one that is not.
    fn check_value(&mut self, at: EntityId, field: &Field, value: &crate::model::Expr, span: Span, out: &mut Diagnostics) {
        let Some(source) = self.sources.find(value).filter(|_| !field.sensitive) else { return };
        if !self.reported.insert(span) {
            return;
        }
        let hidden = self.model.field(source.0, source.1);
        let message = format!("`{}` shows what {} hides", field.name, self.field_text(at, source));
        out.push(
            RULE.diagnostic(span, message)
                .label(hidden.span, "`sensitive` here")
                .help("add `sensitive`: callers who may not update the row then find null in it")
                .replace(field.end, " sensitive"),
        );
    }

    /// Reports a relation whose rows reference it by a sensitive ref.
    fn check_relation(&mut self, at: EntityId, position: FieldId, field: &Field, out: &mut Diagnostics) {
        let Some(source) = self.sources.revealed_by_relation(at, position) else { return };
        if !self.reported.insert(field.span) {
            return;
        }
        let hidden = self.model.field(source.0, source.1);
        out.push(
            RULE.diagnostic(field.span, format!("`{}` shows what {} hides", field.name, self.field_text(at, source)))
                .label(hidden.span, "`sensitive` here")
                .help(format!("remove `{}`, or remove `sensitive` from `{}`", field.name, hidden.name)),
        );
    }

    fn field_text(&self, at: EntityId, (entity, field): (EntityId, FieldId)) -> String {
        let name = &self.model.field(entity, field).name;
        if entity == at { format!("`{name}`") } else { format!("`{name}` of `{}`", self.model.entity(entity).name) }
    }
}
