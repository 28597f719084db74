//! Demo rows with the same value in a unique column.
//!
//! The resolver reports duplicates without a condition; a condition needs the defaults too.

use std::collections::HashMap;

use crate::{
    Diagnostics, Severity, Span,
    emit::phrase,
    facts::decide::{Caller, Fact, Question, own_path},
    model::{DemoRow, DemoValue, Entity, EntityId, Expr, FieldId, Index, Model},
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
        }
    }
}

/// Reports rows from position `new` on with the same values as an earlier one in the columns of an index.
fn agreeing(model: &Model, id: EntityId, entity: &Entity, index: &Index, rows: &[&DemoRow], new: usize, out: &mut Diagnostics) {
    let Some(condition) = &index.rows else { return };
    let columns: Vec<FieldId> = entity.tenant.into_iter().chain(index.columns.iter().map(|column| column.field)).collect();
    let mut seen: HashMap<Vec<String>, Span> = HashMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.entity == id) {
        let given = |field: &FieldId| row.values.iter().find(|(it, _)| it == field).map(|(_, value)| value);
        let keys = columns.iter().map(|field| given(field)?.key(entity.fields[field.0].ty));
        let Some(keys) = keys.collect::<Option<Vec<String>>>() else { continue };
        if question_about(model, entity, row).can_fail(condition) {
            continue;
        }
        let Some(first) = seen.get(&keys).copied() else {
            seen.insert(keys, row.span);
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
