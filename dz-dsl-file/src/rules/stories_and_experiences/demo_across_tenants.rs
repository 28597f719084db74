//! A demo row that refers to a row of another tenant.

use crate::{
    Diagnostics, Severity,
    facts::demo_rows::DemoRows,
    model::{DemoRow, DemoValue, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "demo-across-tenants",
    severity: Severity::Error,
    summary: "a demo row refers to a row of another tenant",
    wrong: firm_tasks!("    - firm: @a, name: \"Two\", up: @one\n    - firm: @b, name: \"Three\", up: @one\n"),
    right: firm_tasks!("    - firm: @a, name: \"Two\", up: @one\n    - firm: @b, name: \"Three\"\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for rows in DemoRows::sets(model) {
        for row in rows.new_rows() {
            report_row(model, &rows, row, out);
        }
    }
}

fn report_row(model: &Model, rows: &DemoRows<'_>, row: &DemoRow, out: &mut Diagnostics) {
    let entity = model.entity(row.entity);
    let tenant_of = |row: &DemoRow| rows.target(row, model.entity(row.entity).tenant?);
    let Some(own) = tenant_of(row) else { return };
    for (field, value) in &row.values {
        let DemoValue::Row(target) = value else { continue };
        let Some(target) = rows.rows.get(*target) else { continue };
        let Some(other) = tenant_of(target).filter(|other| *other != own) else { continue };
        let Some(tenant) = entity.tenant.map(|tenant| entity.fields[tenant.0].name.as_str()) else { continue };
        let field = &entity.fields[field.0].name;
        let mut found = RULE
            .diagnostic(row.span, format!("`{field}` refers to a row of another `{tenant}`, and the database refuses such a reference"))
            .label(target.span, "this row");
        if let Some(tenant) = rows.rows.get(other) {
            found = found.label(tenant.span, "it belongs to this one");
        }
        out.push(found.help(format!("refer to a row with the same `{tenant}`, or change `{tenant}` of this row")));
    }
}
