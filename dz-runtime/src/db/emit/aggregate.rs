//! Aggregates over the rows of a statement, and the units of time by which rows are grouped, as columns of its `SELECT`.

use super::{Condition, Emit, NEVER, fill, operand::Operand};
use crate::{
    Engine,
    db::{BindKind, Statement, ops},
    def::{Aggregate, Bucket, FieldDef, Function, Type},
};

impl Emit<'_> {
    /// An aggregate over those rows of a group for which the condition is true, with the kind to decode it. `value` is the value of
    /// a row, for the aggregates that need one.
    pub(crate) fn rows_aggregate(
        &self,
        kind: Aggregate,
        value: Option<(Statement, &'static FieldDef)>,
        condition: Condition,
    ) -> (Statement, Option<BindKind>) {
        let Some((sql, field)) = value else { return (count(kind, condition), Some(count_kind(kind))) };
        let sql = match condition {
            Condition::Always => sql,
            Condition::Never => fill(&format!("CASE WHEN {NEVER} THEN {{}} END"), [sql]),
            Condition::Rows(condition) => fill("CASE WHEN {} THEN {} END", [condition, sql]),
        };
        let item = Operand { plain: false, ..self.field_operand(sql, field) };
        let (ty, stored) = match kind {
            Aggregate::Min | Aggregate::Max => (item.ty, item.stored),
            Aggregate::Avg if item.ty == Type::Int => (Type::Decimal, None),
            Aggregate::Count | Aggregate::Any | Aggregate::All | Aggregate::Sum | Aggregate::Avg => (item.ty, None),
        };
        let places = u32::from(item.stored.map_or(0, |(_, scale)| scale)).max(ops::DIVISION_PLACES);
        let sql = match self.engine {
            Engine::Sqlite => self.fold_sqlite(kind, item, ty, places),
            Engine::Postgres => super::postgres::aggregate(kind, item, ty, places),
        };
        let folded = Operand { stored, ..Operand::computed(sql, ty) };
        let decoded = folded.kind();
        (folded.sql, decoded)
    }

    /// The first day of the unit of time that contains the value of a field, in the time zone of the application.
    pub(crate) fn bucket(&self, sql: Statement, field: &'static FieldDef, unit: Bucket) -> Statement {
        let held = self.field_operand(sql, field);
        let day = match self.engine {
            _ if held.ty != Type::DateTime => held.sql,
            Engine::Sqlite => self.call_sqlite(Function::Date, held, None, Type::Date),
            Engine::Postgres => self.call_postgres(Function::Date, held, None, Type::Date),
        };
        let template = match (self.engine, unit) {
            (_, Bucket::Day) => return day,
            // The Sunday on or after the day, and six days before it.
            (Engine::Sqlite, Bucket::Week) => "date({}, 'weekday 0', '-6 days')",
            (Engine::Sqlite, Bucket::Month) => "date({}, 'start of month')",
            (Engine::Sqlite, Bucket::Quarter) => {
                return fill("date({}, 'start of month', '-' || ((strftime('%m', {}) - 1) % 3) || ' months')", [day.clone(), day]);
            }
            (Engine::Sqlite, Bucket::Year) => "date({}, 'start of year')",
            (Engine::Postgres, Bucket::Week) => "date_trunc('week', {}::timestamp)::date",
            (Engine::Postgres, Bucket::Month) => "date_trunc('month', {}::timestamp)::date",
            (Engine::Postgres, Bucket::Quarter) => "date_trunc('quarter', {}::timestamp)::date",
            (Engine::Postgres, Bucket::Year) => "date_trunc('year', {}::timestamp)::date",
        };
        fill(template, [day])
    }
}

/// The number of rows for which the condition is true, or whether there is one, or whether it is true for all.
fn count(kind: Aggregate, condition: Condition) -> Statement {
    let condition = if kind == Aggregate::All { condition.negate() } else { condition };
    let number = match condition {
        Condition::Always => fill("COUNT(*)", []),
        Condition::Never => fill("0", []),
        Condition::Rows(condition) => fill("COUNT(CASE WHEN {} THEN 1 END)", [condition]),
    };
    match kind {
        Aggregate::Any => fill("({} > 0)", [number]),
        Aggregate::All => fill("({} = 0)", [number]),
        Aggregate::Count | Aggregate::Sum | Aggregate::Avg | Aggregate::Min | Aggregate::Max => number,
    }
}

fn count_kind(kind: Aggregate) -> BindKind {
    match kind {
        Aggregate::Any | Aggregate::All => BindKind::Bool,
        Aggregate::Count | Aggregate::Sum | Aggregate::Avg | Aggregate::Min | Aggregate::Max => BindKind::Int,
    }
}
