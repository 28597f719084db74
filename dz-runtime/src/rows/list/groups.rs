//! Aggregates over the rows of a list, in one statement: over all of them, or over groups.

use super::{ListSql, limit_caching};
use crate::{
    Engine, Result, Tx, Value,
    access::{Grant, List},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope},
    },
    def::{Aggregate, AppDef, Bucket, Expr, Path},
    rows::{
        Query, RowsOfLevel,
        joins::Joins,
        select::{ROW, column},
    },
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
    let grouping = Grouping { grant, query, keys, wanted, limit };
    if let Some(groups) = grouping.by_references(tx)? {
        return Ok(groups);
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, grant.entity);
    let Some(list_sql) = ListSql::new(&emit, &mut joins, grant, query)? else {
        return Ok(if keys.is_empty() { vec![no_rows(wanted)] } else { Vec::new() });
    };
    let mut selected = Selected::new();
    keys.iter().flat_map(|key| key_columns(&emit, &mut joins, key)).for_each(|column| selected.add(column));
    let grouped = selected.kinds.len();
    for aggregate in wanted {
        selected.add(aggregate_column(&emit, &mut joins, grant, aggregate));
    }
    selected.add(Some((count_all(), BindKind::Int)));
    let mut select = Statement::new();
    select.push("SELECT ").append(selected.sql.clone()).append(list_sql.source_and_condition(&joins));
    if !keys.is_empty() {
        push_group_by(&mut select, grouped);
        select.append(grouping.order(emit.engine, &selected, "COUNT(*)", grouped > 0));
    }
    let answer = tx.conn.rows(limit_caching(&mut select, query), &selected.kinds)?;
    // A statement without rows and without `GROUP BY` has one group, which is one of all keys only if there are none.
    let rows = answer.into_iter().filter(|row| keys.is_empty() || row.last() != Some(&Value::Int(0)));
    Ok(rows.map(|row| grouping.read(tx.app, &selected, row)).collect())
}

/// `GROUP BY` the first columns.
fn push_group_by(select: &mut Statement, columns: usize) {
    if columns > 0 {
        let positions: Vec<String> = (1..=columns).map(|at| at.to_string()).collect();
        select.push(" GROUP BY ").push(&positions.join(", "));
    }
}

/// The arguments of [`aggregate_groups`].
struct Grouping<'g> {
    grant: &'g Grant<List>,
    query: &'g Query,
    keys: &'g [GroupKey],
    wanted: &'g [GroupAggregate],
    limit: u64,
}

impl Grouping<'_> {
    /// The order of the groups, and their number. `count` is the number of rows of a group.
    fn order(&self, engine: Engine, selected: &Selected, count: &str, has_first: bool) -> Statement {
        let dated = self.keys.first().is_some_and(|key| key.unit.is_some()) && selected.present.first() == Some(&true);
        let mut order = Statement::new();
        order.push(" ORDER BY ").push(&match (dated, engine) {
            (true, Engine::Sqlite) => "1 DESC".to_owned(),
            (true, Engine::Postgres) => "1 DESC NULLS LAST".to_owned(),
            (false, _) => format!("{count} DESC{}", if has_first { ", 1" } else { "" }),
        });
        order.push(&format!(" LIMIT {}", self.limit));
        order
    }

    fn read(&self, app: &'static AppDef, selected: &Selected, row: Vec<Value>) -> Group {
        let mut values = selected.values(row);
        let mut next = || values.next().unwrap_or_default();
        let keys = self.keys.iter().map(|key| (next(), is_reference(app, key).then(&mut next))).collect();
        Group { keys, values: self.wanted.iter().map(|_| next()).collect() }
    }

    /// True for a reference of the row itself whose value every caller of the list may see.
    fn is_own_reference(&self, app: &'static AppDef, key: &GroupKey) -> bool {
        is_reference(app, key) && key.path.own_field().is_some_and(|at| !self.grant.entity.field(at).sensitive)
    }

    /// The groups by the references themselves, so that each group is joined with the row to which it refers, and not each row: the
    /// engines join many rows, and SQLite also sorts them. `None` without such a reference, if there are too many groups, or if several
    /// groups refer to rows that the caller may not read, which are one group.
    fn by_references(&self, tx: &mut Tx<'_>) -> Result<Option<Vec<Group>>> {
        let (app, entity) = (tx.app, self.grant.entity);
        if !self.keys.iter().any(|key| self.is_own_reference(app, key)) {
            return Ok(None);
        }
        let emit = Emit { app, engine: tx.engine(), caller: &tx.caller };
        let (mut joins, mut outer_joins) = (Joins::new(&emit, entity), Joins::new(&emit, entity));
        let Some(list_sql) = ListSql::new(&emit, &mut joins, self.grant, self.query)? else { return Ok(None) };
        let (mut inner, mut outer) = (Vec::new(), Selected::new());
        let pass = |inner: &mut Vec<Statement>, outer: &mut Selected, column_of: Option<(Statement, BindKind)>| {
            let name = alias(inner.len());
            outer.add(column_of.map(|(sql, kind)| {
                inner.push(named(sql, &name));
                (Statement::from_text(&column(ROW, &name)), kind)
            }));
        };
        for key in self.keys {
            match key.path.own_field().filter(|_| self.is_own_reference(app, key)).map(|at| entity.field(at).name) {
                Some(name) => {
                    // The joins of the result use the name of the reference.
                    inner.push(named(Statement::from_text(&column(ROW, name)), name));
                    key_columns(&emit, &mut outer_joins, key).into_iter().for_each(|column| outer.add(column));
                }
                None => key_columns(&emit, &mut joins, key).into_iter().for_each(|column| pass(&mut inner, &mut outer, column)),
            }
        }
        let grouped = inner.len();
        for aggregate in self.wanted {
            pass(&mut inner, &mut outer, aggregate_column(&emit, &mut joins, self.grant, aggregate));
        }
        pass(&mut inner, &mut outer, Some((count_all(), BindKind::Int)));
        let count = column(ROW, &alias(inner.len() - 1));
        let mut select = Statement::new();
        select.push("SELECT ").append(outer.sql.clone()).push(" FROM (SELECT ");
        for (at, sql) in inner.into_iter().enumerate() {
            select.push(if at == 0 { "" } else { ", " }).append(sql);
        }
        select.append(list_sql.source_and_condition(&joins));
        push_group_by(&mut select, grouped);
        select.push(") AS ").ident(ROW).append(outer_joins.sql(outer_joins.len()));
        select.append(self.order(emit.engine, &outer, &count, true));
        let answer = tx.conn.rows(limit_caching(&mut select, self.query), &outer.kinds)?;
        if answer.len() as u64 >= self.limit {
            return Ok(None);
        }
        let groups: Vec<Group> = answer.into_iter().map(|row| self.read(app, &outer, row)).collect();
        let hidden: Vec<&Group> = groups.iter().filter(|group| group.keys.iter().any(|(key, _)| key.is_null())).collect();
        let is_repeated = |(at, group): (usize, &&Group)| hidden.iter().take(at).any(|other| other.keys == group.keys);
        let repeated = hidden.iter().enumerate().any(is_repeated);
        Ok((!repeated).then_some(groups))
    }
}

/// The name of a column of a subquery, which no field can have.
fn alias(at: usize) -> String {
    format!("dz {at}")
}

/// A column of a subquery.
fn named(mut sql: Statement, name: &str) -> Statement {
    sql.push(" AS ").ident(name);
    sql
}

fn is_reference(app: &'static AppDef, key: &GroupKey) -> bool {
    key.path.end(app).field(app).kind.target().is_some()
}

/// The columns of a key: its value, and for a reference the label of the row.
fn key_columns(emit: &Emit<'_>, joins: &mut Joins<'_>, key: &GroupKey) -> Vec<Option<(Statement, BindKind)>> {
    if is_reference(emit.app, key) {
        let joined = [joins.join_key(key.path), joins.join_label(key.path)];
        return joined.into_iter().map(|joined| joined.and_then(|joined| joined.into_column(emit))).collect();
    }
    let joined = joins.join_field(key.path);
    vec![joined.and_then(|joined| {
        let field = joined.field;
        let (sql, kind) = joined.into_column(emit)?;
        Some(match key.unit {
            Some(unit) => (emit.bucket(sql, field, unit), BindKind::Date),
            None => (sql, kind),
        })
    })]
}

fn aggregate_column(emit: &Emit<'_>, joins: &mut Joins<'_>, grant: &Grant<List>, of: &GroupAggregate) -> Option<(Statement, BindKind)> {
    let scope = Scope { entity: grant.entity.ix, alias: ROW, outer: None };
    let condition = of.condition.map_or(Condition::Always, |condition| emit.condition(condition, scope, false));
    let condition = condition.and(of.level.map_or(Condition::Always, |level| level.condition(emit, grant.entity)));
    let value = match of.value {
        None => None,
        // Values that the caller may not read are null, and a column that is null in every row is not selected.
        Some(path) => {
            let joined = joins.join_field(path)?;
            let field = joined.field;
            Some((joined.into_column(emit)?.0, field))
        }
    };
    let (sql, kind) = emit.rows_aggregate(of.kind, value, condition);
    kind.map(|kind| (sql, kind))
}

fn count_all() -> Statement {
    Statement::from_text("COUNT(*)")
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
