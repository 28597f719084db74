//! A demo row that violates an invariant of its entity.

use crate::{
    Diagnostics, Severity,
    facts::demo_rows::DemoRows,
    model::{DemoRow, Entity, Expr, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "demo-violates-invariant",
    severity: Severity::Error,
    summary: "a demo row violates an invariant of its entity",
    wrong: counted_task!("demo:\n  Task:\n    - done: 5, planned: 3\n"),
    right: counted_task!("demo:\n  Task:\n    - done: 3, planned: 5\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for rows in DemoRows::sets(model) {
        for row in rows.new_rows() {
            report_row(model, &rows, row, out);
        }
    }
}

/// Reports the first invariant that the values of the row violate.
fn report_row(model: &Model, rows: &DemoRows<'_>, row: &DemoRow, out: &mut Diagnostics) {
    let entity = model.entity(row.entity);
    let Some(invariant) = entity.invariants.iter().find(|it| rows.truth(row, &it.condition) == Some(false)) else { return };
    let named = match &invariant.code {
        Some((code, _)) => format!("the invariant `{code}`"),
        None => "an invariant".to_owned(),
    };
    let mut found = RULE.diagnostic(row.span, format!("this row of `{}` violates {named}, so none of the rows can be stored", entity.name));
    found = found.label(invariant.span, "this invariant");
    let fields = fields_of(entity, &invariant.condition);
    out.push(found.help(match fields.as_slice() {
        [] => "change the row, or the invariant".to_owned(),
        fields => {
            let fields: Vec<String> = fields.iter().map(|name| format!("`{name}`")).collect();
            format!("change {}, or the invariant", fields.join(", "))
        }
    }));
}

/// The names of the row's own fields that a condition reads, without duplicates.
fn fields_of<'m>(entity: &'m Entity, condition: &Expr) -> Vec<&'m str> {
    let mut names: Vec<&str> = Vec::new();
    for path in condition.own_paths() {
        let name = entity.fields[path.hops.first().unwrap_or(&path.field).0].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
