//! Aggregates over the rows of a list, in one statement: over all of them, or over groups.

use super::{ListSql, limit_caching};
use crate::{
    Engine, Result, Tx, Value,
    access::{Grant, List},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope},
    },
    def::{Aggregate, Bucket, Expr, Path},
    rows::{Query, RowsOfLevel, joins::Joins, select::ROW},
};

/// A value by which rows are grouped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupKey {
    /// The field; a reference groups by the row that it refers to.
    pub path: Path,
    /// The unit of time for a date.
    pub unit: Option<Bucket>,
}

/// An aggregate over the rows of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupAggregate {
    /// The kind of the aggregate.
    pub kind: Aggregate,
    /// The value of a row.
    pub value: Option<Path>,
    /// The condition on the row.
    pub condition: Option<&'static Expr>,
    /// The signals of the row.
    pub level: Option<RowsOfLevel>,
}

impl GroupAggregate {
    /// The number of rows.
    pub const COUNT: GroupAggregate = GroupAggregate { kind: Aggregate::Count, value: None, condition: None, level: None };
}

/// Rows with the same keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// For each key its value, and for a reference the label of the row.
    pub keys: Vec<(Value, Option<Value>)>,
    /// The aggregates, in their order.
    pub values: Vec<Value>,
}

/// The columns of a `SELECT`, some of which are null in every row and are not selected.
struct Selected {
    sql: Statement,
    kinds: Vec<BindKind>,
    present: Vec<bool>,
}

impl Selected {
    fn new() -> Selected {
        Selected { sql: Statement::new(), kinds: Vec::new(), present: Vec::new() }
    }

    fn add(&mut self, column: Option<(Statement, BindKind)>) {
        self.present.push(column.is_some());
        if let Some((sql, kind)) = column {
            self.sql.push(if self.kinds.is_empty() { "" } else { ", " }).append(sql);
            self.kinds.push(kind);
        }
    }

    /// The values of a row, with null for the columns that were not selected.
    fn values(&self, answer: Vec<Value>) -> impl Iterator<Item = Value> {
        let mut answer = answer.into_iter();
        let present = self.present.clone();
        present.into_iter().map(move |present| if present { answer.next().unwrap_or_default() } else { Value::Null })
    }
}

/// The groups of the rows that the caller may list, at most `limit`: of dates the latest ones, of other values those with the most
/// rows. Without keys there is one group of all rows.
///
/// # Errors
/// 400 for a field that cannot be filtered, sorted or searched.
pub(crate) fn aggregate_groups(
    tx: &mut Tx<'_>,
    grant: &Grant<List>,
    query: &Query,
    keys: &[GroupKey],
    wanted: &[GroupAggregate],
    limit: u64,
) -> Result<Vec<Group>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, grant.entity);
    let Some(list_sql) = ListSql::new(&emit, &mut joins, grant, query)? else {
        return Ok(if keys.is_empty() { vec![no_rows(wanted)] } else { Vec::new() });
    };
    let mut selected = Selected::new();
    for key in keys {
        select_key(&emit, &mut joins, &mut selected, key);
    }
    let grouped = selected.kinds.len();
    for aggregate in wanted {
        select_aggregate(&emit, &mut joins, grant, &mut selected, aggregate);
    }
    selected.add(Some((count_all(), BindKind::Int)));
    let mut select = Statement::new();
    select.push("SELECT ").append(selected.sql.clone()).append(list_sql.source_and_condition(&joins));
    if !keys.is_empty() {
        if grouped > 0 {
            let positions: Vec<String> = (1..=grouped).map(|at| at.to_string()).collect();
            select.push(" GROUP BY ").push(&positions.join(", "));
        }
        let dated = keys.first().is_some_and(|key| key.unit.is_some()) && selected.present.first() == Some(&true);
        let last = match emit.engine {
            Engine::Sqlite => "1 DESC",
            Engine::Postgres => "1 DESC NULLS LAST",
        };
        select.push(" ORDER BY ").push(if dated { last } else { "COUNT(*) DESC" });
        select.push(&format!("{} LIMIT {limit}", if grouped > 0 && !dated { ", 1" } else { "" }));
    }
    let answer = tx.conn.rows(limit_caching(&mut select, query), &selected.kinds)?;
    let group = |row| {
        let mut values = selected.values(row);
        let mut next = || values.next().unwrap_or_default();
        let keys = keys.iter().map(|key| (next(), is_reference(tx.app, key).then(&mut next))).collect();
        Group { keys, values: wanted.iter().map(|_| next()).collect() }
    };
    // A statement without rows and without `GROUP BY` has one group, which is one of all keys only if there are none.
    let rows = answer.into_iter().filter(|row| keys.is_empty() || row.last() != Some(&Value::Int(0)));
    Ok(rows.map(group).collect())
}

fn is_reference(app: &'static crate::def::AppDef, key: &GroupKey) -> bool {
    key.path.end(app).field(app).kind.target().is_some()
}

fn select_key(emit: &Emit<'_>, joins: &mut Joins<'_>, selected: &mut Selected, key: &GroupKey) {
    if is_reference(emit.app, key) {
        for joined in [joins.join_key(key.path), joins.join_label(key.path)] {
            selected.add(joined.and_then(|joined| joined.into_column(emit)));
        }
        return;
    }
    let joined = joins.join_field(key.path);
    selected.add(joined.and_then(|joined| {
        let field = joined.field;
        let (sql, kind) = joined.into_column(emit)?;
        Some(match key.unit {
            Some(unit) => (emit.bucket(sql, field, unit), BindKind::Date),
            None => (sql, kind),
        })
    }));
}

fn select_aggregate(emit: &Emit<'_>, joins: &mut Joins<'_>, grant: &Grant<List>, selected: &mut Selected, of: &GroupAggregate) {
    let scope = Scope { entity: grant.entity.ix, alias: ROW, outer: None };
    let condition = of.condition.map_or(Condition::Always, |condition| emit.condition(condition, scope, false));
    let condition = condition.and(of.level.map_or(Condition::Always, |level| level.condition(emit, grant.entity)));
    let value = match of.value {
        None => None,
        // Values that the caller may not read are null, and a column that is null in every row is not selected.
        Some(path) => match joins.join_field(path).and_then(|joined| Some((joined.field, joined.into_column(emit)?.0))) {
            Some((field, sql)) => Some((sql, field)),
            None => return selected.add(None),
        },
    };
    let (sql, kind) = emit.rows_aggregate(of.kind, value, condition);
    selected.add(kind.map(|kind| (sql, kind)));
}

fn count_all() -> Statement {
    let mut sql = Statement::new();
    sql.push("COUNT(*)");
    sql
}

/// The aggregates of no rows.
fn no_rows(wanted: &[GroupAggregate]) -> Group {
    let value = |of: &GroupAggregate| match of.kind {
        Aggregate::Count | Aggregate::Sum => Value::Int(0),
        Aggregate::Any => Value::Bool(false),
        Aggregate::All => Value::Bool(true),
        Aggregate::Avg | Aggregate::Min | Aggregate::Max => Value::Null,
    };
    Group { keys: Vec::new(), values: wanted.iter().map(value).collect() }
}
