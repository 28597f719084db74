//! Demo rows with the same value in a unique column.
//!
//! The resolver reports duplicates without a condition; a condition needs the defaults too.

use std::collections::HashMap;

use crate::{
    Diagnostics, Severity, Span,
    emit::phrase,
    facts::decide::{Caller, Fact, Question, own_path},
    model::{Archetype, DemoRow, DemoValue, Entity, EntityId, Expr, FieldId, Index, Model, TODAY},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "duplicate-value",
    severity: Severity::Error,
    summary: "two rows of demo data share a unique value",
    wrong: named_task!("demo:\n  Task:\n    - name: \"One\"\n    - name: \"One\"\n"),
    right: named_task!("demo:\n  Task:\n    - name: \"One\"\n    - name: \"Two\"\n"),
    reported_by: ReportedBy::Both(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let scenarios = model.scenarios.iter().map(|scenario| scenario.demo.as_slice());
    for (at, rows) in std::iter::once(&[][..]).chain(scenarios).enumerate() {
        // Rows outside of scenarios are part of each scenario, and are checked once.
        let new = if at == 0 { 0 } else { model.demo.len() };
        let all: Vec<&DemoRow> = model.demo.iter().chain(rows).collect();
        for (id, entity) in model.entities.iter().enumerate() {
            for index in entity.indexes.iter().filter(|index| index.unique && index.rows.is_some()) {
                agreeing(model, EntityId(id), entity, index, &all, new, out);
            }
            if matches!(entity.kind, Some(Archetype::Settings | Archetype::TenantSettings)) {
                singletons(EntityId(id), entity, &all, new, out);
            }
        }
    }
}

/// Reports a second row of settings, which have one row in the system or in each tenant.
fn singletons(id: EntityId, entity: &Entity, rows: &[&DemoRow], new: usize, out: &mut Diagnostics) {
    let mut seen: HashMap<Option<String>, Span> = HashMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.entity == id) {
        let tenant = entity.tenant.map(|tenant| row.key_of(&entity.fields, tenant));
        // The tenant of the row is unknown.
        if tenant == Some(None) {
            continue;
        }
        let Some(first) = seen.get(&tenant.clone().flatten()).copied() else {
            seen.insert(tenant.flatten(), row.span);
            continue;
        };
        if at >= new {
            let place = if entity.tenant.is_some() { " in each tenant" } else { "" };
            let message = format!("`{}` holds settings, which have one row{place}", entity.name);
            out.push(RULE.diagnostic(row.span, message).label(first, "the other one").help("write all values in one row"));
        }
    }
}

/// Reports rows from position `new` on with the same values as an earlier one in the columns of an index.
fn agreeing(model: &Model, id: EntityId, entity: &Entity, index: &Index, rows: &[&DemoRow], new: usize, out: &mut Diagnostics) {
    let Some(condition) = &index.rows else { return };
    let columns: Vec<FieldId> = entity.tenant.into_iter().chain(index.columns.iter().map(|column| column.field)).collect();
    let mut seen: HashMap<Vec<String>, (usize, Span)> = HashMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.entity == id) {
        let keys = columns.iter().map(|field| row.key_of(&entity.fields, *field));
        let Some(keys) = keys.collect::<Option<Vec<String>>>() else { continue };
        if question_about(model, entity, row).can_fail(condition) {
            continue;
        }
        // The rows of a scenario can be stored on a later day.
        let is_later = |first: usize| first < new && keys.iter().any(|key| key == TODAY);
        let Some((_, first)) = seen.get(&keys).copied().filter(|(first, _)| at < new || !is_later(*first)) else {
            seen.insert(keys, (at, row.span));
            continue;
        };
        if at >= new {
            let names: Vec<String> = index.columns.iter().map(|column| format!("`{}`", entity.fields[column.field.0].name)).collect();
            let message = format!(
                "two rows of `{}` have the same {} while {}",
                entity.name,
                names.join(" and "),
                phrase::text(model, entity, condition)
            );
            out.push(RULE.diagnostic(row.span, message).label(first, "the other one").help("change one of them"));
        }
    }
}

/// The known facts about a demo row, including the defaults of missing fields.
fn question_about<'m>(model: &'m Model, entity: &Entity, row: &DemoRow) -> Question<'m> {
    let mut question = Question::new(model, Caller::System);
    for (at, field) in entity.fields.iter().enumerate() {
        let given = row.values.iter().find(|(it, _)| it.0 == at).map(|(_, value)| value);
        let holds = match (given, &field.default) {
            (Some(DemoValue::Row(_)), _) => Fact::Set,
            (Some(DemoValue::Literal(value)), _) | (None, Some(value)) => match value {
                Expr::EnumValue(_, value) => Fact::Value(*value),
                literal => Fact::Literal(literal.clone()),
            },
            (None, None) => continue,
        };
        question = question.with_fact(own_path(row.entity.0, FieldId(at)), holds);
    }
    question
}
