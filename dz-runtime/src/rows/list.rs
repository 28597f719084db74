//! Lists of rows: one statement for the rows, and one for their total number.

mod groups;

pub(crate) use groups::{Group, GroupAggregate, GroupKey, aggregate_groups};

use super::{
    Counting, Extra, Page, Query, Row, RowTest, RowsOfLevel, Total, audit, filter,
    joins::Joins,
    keyset::{self, OrderKey},
    select::{Columns, ROW, View, column, where_rows},
};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{self, Grant, List},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope, fill},
    },
    def::{AttentionDef, EntityDef, EntityIx, Expr, FieldIx},
};

/// The alias of the parent row in a nested list.
const PARENT: &str = "p";

/// The rows that the caller may list: one statement, and one for the total number if the page does not determine it.
///
/// # Errors
/// 400 for a field that cannot be filtered, sorted or searched.
pub fn list(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query) -> Result<Page> {
    read(tx, grant, query).map(|(page, _)| page)
}

/// Where a row of the result contains the value of a sort key.
enum OrderValue {
    /// In a selected column of the entity.
    Own(usize),
    /// After the additional columns.
    Extra,
}

/// A page and, for a query in batches, the positions of the sort keys in its rows.
fn read(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query) -> Result<(Page, Vec<OrderValue>)> {
    let entity = grant.entity;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, entity);
    let Some(list_sql) = ListSql::new(&emit, &mut joins, grant, query)? else { return Ok(Default::default()) };
    let mut order_values = Vec::new();

    let rows = match query.limit {
        0 => Vec::new(),
        _ => {
            let columns = Columns::with_fields(&emit, entity, ROW, View::Masked, query.only.as_deref());
            let mut extra = Extras::new(&emit, &mut joins, &query.extra);
            query.tests.iter().for_each(|test| extra.add_test(&emit, entity, *test));
            for key in list_sql.order_keys.iter().filter(|_| query.after.is_some()) {
                match columns.position(entity, key) {
                    Some(at) => order_values.push(OrderValue::Own(at)),
                    None => {
                        extra.add(key);
                        order_values.push(OrderValue::Extra);
                    }
                }
            }
            let mut select = Statement::new();
            select.push("SELECT ").append(columns.sql.clone()).append(extra.sql.clone());
            // A batch starts at a place in an index and is too long for a lookup of each key. PostgreSQL plans a page faster
            // without the join with its keys, which has no benefit if no row is skipped and nothing else is joined.
            let first = emit.engine == Engine::Postgres && query.offset == 0 && joins.len() == list_sql.order_joins;
            if query.after.is_some() || first {
                select
                    .append(list_sql.source_and_condition(&joins))
                    .push(" ORDER BY ")
                    .append(list_sql.order.clone())
                    .append(limit(emit.engine, query));
            } else {
                // Sorts the keys first, so that only the rows of the page are read completely.
                let (keys, key) = list_sql.identified_keys(&emit, entity, &joins, query);
                select.push(" FROM (").append(keys);
                // SQLite evaluates the left side of a cross join first: the keys, not the table.
                let join = if emit.engine == Engine::Sqlite { ") AS \"page\" CROSS JOIN " } else { ") AS \"page\" JOIN " };
                select.push(join).ident(entity.table).push(" AS ").ident(ROW).push(" ON ").push(&key).push(" = \"page\".\"k\"");
                select.append(joins.sql(joins.len())).push(" ORDER BY ").append(list_sql.order.clone());
            }
            let kinds: Vec<_> = columns.kinds.iter().chain(&extra.kinds).copied().collect();
            let answer = tx.conn.rows(limit_caching(&mut select, query), &kinds)?;
            answer.into_iter().map(|row| extra.insert_nulls(columns.row(row))).collect()
        }
    };
    let limit = tx.hooks.lists.count_limit;
    let total = match Total::of_page(query, limit, rows.len()) {
        _ if query.count == Counting::Off => Total::default(),
        Some(total) => total,
        None => {
            let mut counted = from_clause(&emit, entity);
            counted.append(list_sql.parent).append(joins.sql(list_sql.filter_joins)).append(list_sql.rows);
            let mut select = Total::statement(emit.engine, query, limit, counted);
            match tx.conn.rows(limit_caching(&mut select, query), &[BindKind::Int])?.into_iter().flatten().next() {
                Some(Value::Int(counted)) => Total::from_counted(query, limit, u64::try_from(counted).unwrap_or_default()),
                _ => Total::default(),
            }
        }
    };
    audit::record_list(tx, entity, &rows)?;
    Ok((Page { rows, total }, order_values))
}

/// The keys of the rows that the caller may list, in one statement.
///
/// # Errors
/// 400 for a field that cannot be filtered, sorted or searched.
pub(crate) fn keys(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query) -> Result<Vec<Value>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, grant.entity);
    let Some(list_sql) = ListSql::new(&emit, &mut joins, grant, query)? else { return Ok(Vec::new()) };
    let kind = BindKind::from_kind(grant.entity.key().kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut select = list_sql.keys(emit.engine, &joins, query);
    Ok(tx.conn.rows(limit_caching(&mut select, query), &[kind])?.into_iter().flatten().collect())
}

/// The next batch of a query, and the position of its end; requires [`Query::after`].
///
/// # Errors
/// 400 for a field that cannot be filtered, sorted or searched.
pub(crate) fn batch(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query) -> Result<(Vec<Row>, Option<Vec<Value>>)> {
    let (Page { mut rows, .. }, order_values) = read(tx, grant, query)?;
    let extra = query.extra.len();
    let end = rows.last().map(|row| {
        let mut more = row.extra.iter().skip(extra);
        let value = |key: &OrderValue| match key {
            OrderValue::Own(at) => row.values.get(*at),
            OrderValue::Extra => more.next(),
        };
        order_values.iter().map(value).map(|value| value.cloned().unwrap_or_default()).collect()
    });
    rows.iter_mut().for_each(|row| row.extra.truncate(extra));
    Ok((rows, end))
}

/// The rows of several parents: of each parent at most `query.limit` rows after `query.offset`, in one statement. `parent` is the
/// reference to the parent, by which the query must be filtered. At most `most` rows are read for all parents together.
///
/// # Errors
/// 400 for a field that cannot be filtered, sorted or searched.
#[cfg(feature = "graphql")]
pub(crate) fn list_by_parent(
    tx: &mut Tx<'_>,
    grant: &Grant<List>,
    query: &Query,
    parent: crate::def::FieldAt,
    most: u64,
) -> Result<Vec<Row>> {
    let entity = grant.entity;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, entity);
    let Some(list_sql) = ListSql::new(&emit, &mut joins, grant, query)? else { return Ok(Vec::new()) };
    let columns = Columns::with_fields(&emit, entity, ROW, View::Masked, query.only.as_deref());
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).push(" FROM (SELECT ").push(&list_sql.key).push(" AS \"k\", row_number() OVER (");
    select.push("PARTITION BY ").push(&column(ROW, parent.field(emit.app).name)).push(" ORDER BY ").append(list_sql.order.clone());
    select.push(") AS \"n\"").append(list_sql.source_and_condition(&joins));
    let join = if emit.engine == Engine::Sqlite { ") AS \"page\" CROSS JOIN " } else { ") AS \"page\" JOIN " };
    select.push(join).ident(entity.table).push(" AS ").ident(ROW).push(" ON ").push(&list_sql.key).push(" = \"page\".\"k\"");
    select.push(" WHERE \"page\".\"n\" > ").bind(count(query.offset), BindKind::Int);
    select.push(" AND \"page\".\"n\" <= ").bind(count(query.offset.saturating_add(query.limit)), BindKind::Int);
    // A part of the text, so that the engines plan once, as `limit` explains.
    select.push(&format!(" ORDER BY \"page\".\"n\" LIMIT {most}"));
    let answer = tx.conn.rows(limit_caching(&mut select, query), &columns.kinds)?;
    let rows: Vec<Row> = answer.into_iter().map(|row| columns.row(row)).collect();
    audit::record_list(tx, entity, &rows)?;
    Ok(rows)
}

/// Aggregates over all rows of a query, independent of its page, in one statement: the sum of a number field, or the number of rows
/// in which a boolean field is true.
///
/// # Errors
/// 400 for a field that cannot be filtered, sorted or searched.
pub(crate) fn aggregate(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query, fields: &[FieldIx]) -> Result<Vec<Value>> {
    let entity = grant.entity;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, entity);
    let list_sql = if fields.is_empty() { None } else { ListSql::new(&emit, &mut joins, grant, query)? };
    let Some(list_sql) = list_sql else { return Ok(vec![Value::Int(0); fields.len()]) };
    // Counted as the total number is; the count is the first column.
    let mut select = Statement::new();
    select.push("SELECT count(*)");
    let mut kinds = vec![BindKind::Int];
    for field in fields.iter().map(|at| entity.field(*at)) {
        select.push(", ");
        kinds.push(if field.kind.is_bool() {
            select.push("COUNT(CASE WHEN ").append(emit.field_value(entity, field, ROW)).push(" THEN 1 END)");
            BindKind::Int
        } else {
            let (sum, kind) = emit.sum(entity, field, ROW);
            select.append(sum);
            kind.ok_or_else(|| Error::internal(format!("`{}` cannot be added up", field.name)))?
        });
    }
    select.append(list_sql.from).append(list_sql.parent).append(joins.sql(list_sql.filter_joins)).append(list_sql.rows);
    let answer = tx.conn.rows(limit_caching(&mut select, query), &kinds)?.into_iter().next().unwrap_or_default();
    Ok(answer.into_iter().skip(1).collect())
}

impl RowsOfLevel {
    /// The condition on the rows.
    fn condition(self, emit: &Emit<'_>, entity: &'static EntityDef) -> Condition {
        let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
        let any = |signals: &'static [AttentionDef]| {
            signals.iter().fold(Condition::Never, |any, it| any.or(emit.condition(&it.when, scope, false)))
        };
        any(self.any_of).and(any(self.none_of).negate())
    }
}

/// The rows of a query and their order, as SQL.
struct ListSql {
    /// The `FROM` clause of the entity.
    from: Statement,
    /// The key column.
    key: String,
    /// The join of the parent row.
    parent: Statement,
    /// ` WHERE …`
    rows: Statement,
    order: Statement,
    /// The sort keys.
    order_keys: Vec<OrderKey>,
    /// The number of joins that the condition needs, and the number that condition and order need.
    filter_joins: usize,
    order_joins: usize,
}

impl ListSql {
    /// `None` if no row can match.
    fn new(emit: &Emit<'_>, joins: &mut Joins<'_>, grant: &Grant<List>, query: &Query) -> Result<Option<ListSql>> {
        let entity = grant.entity;
        let mut condition = grant.condition(emit.app, emit.engine, emit.caller, ROW);
        let parent = parent(emit, query);
        if let Some((expr, _)) = &query.condition {
            let outer = parent.as_ref().map(|(ix, _)| (*ix, PARENT));
            condition = condition.and(emit.condition(expr, Scope { entity: entity.ix, alias: ROW, outer }, false));
        }
        if let Some(narrower) = &query.narrower {
            condition = condition.and(narrower.clone());
        }
        if let Some(level) = query.attention {
            condition = condition.and(level.condition(emit, entity));
        }
        if let Some(link) = &query.link {
            condition = condition.and(link.condition(emit, &column(ROW, entity.key().name))?);
        }
        for wanted in &query.filters {
            condition = condition.and(filter::filter(emit, joins, wanted)?);
        }
        if let Some((words, paths)) = &query.search {
            condition = condition.and(filter::search(emit, joins, words, paths)?);
        }
        if let Some(ranked) = &query.ranked {
            condition = condition.and(filter::search_words(emit, joins, ranked)?);
        }
        let filter_joins = joins.len();
        let order_keys = keyset::order_keys(emit, joins, entity, query)?;
        if let Some(after) = query.after.as_deref().filter(|after| !after.is_empty()) {
            condition = condition.and(keyset::rows_after(emit, &order_keys, after));
        }
        let mut order = keyset::order(emit.engine, &order_keys);
        if let Some(rank) = query.ranked.as_ref().map_or(Ok(None), |ranked| filter::rank(emit, joins, ranked))? {
            order = fill("{}, {}", [rank, order]);
        }
        let (order_joins, key) = (joins.len(), column(ROW, entity.key().name));
        let parent = parent.map(|(_, sql)| sql).unwrap_or_default();
        Ok(where_rows(condition).map(|rows| ListSql {
            from: from_clause(emit, entity),
            key,
            parent,
            rows,
            order,
            order_keys,
            filter_joins,
            order_joins,
        }))
    }

    /// `FROM` with all joins, and `WHERE`.
    fn source_and_condition(&self, joins: &Joins<'_>) -> Statement {
        let mut rows = self.from.clone();
        rows.append(self.parent.clone()).append(joins.sql(joins.len())).append(self.rows.clone());
        rows
    }

    /// The keys of the page, as column `k`.
    fn keys(&self, engine: Engine, joins: &Joins<'_>, query: &Query) -> Statement {
        self.keys_from(self.from.clone(), &self.key, engine, joins, query)
    }

    /// What identifies the rows of the page, as column `k`, and the column of the table that contains it.
    fn identified_keys(&self, emit: &Emit<'_>, entity: &'static EntityDef, joins: &Joins<'_>, query: &Query) -> (Statement, String) {
        let (rows, name) = emit.identified_rows(entity);
        let mut from = Statement::new();
        from.push(" FROM ").append(rows).push(" AS ").ident(ROW);
        let key = column(ROW, name);
        (self.keys_from(from, &key, emit.engine, joins, query), key)
    }

    fn keys_from(&self, from: Statement, key: &str, engine: Engine, joins: &Joins<'_>, query: &Query) -> Statement {
        let mut select = Statement::new();
        select.push("SELECT ").push(key).push(" AS \"k\"").append(from).append(self.parent.clone());
        select.append(joins.sql(self.order_joins)).append(self.rows.clone()).push(" ORDER BY ").append(self.order.clone());
        select.append(limit(engine, query));
        select
    }
}

/// Page sizes that are written into the text. PostgreSQL keeps a plan if it knows the number of rows; for a parameter it assumes a
/// tenth of all rows, rejects the plan as too slow, and plans each time.
const COMMON_SIZES: [u64; 6] = [1, 10, 20, 25, 50, 100];

/// The `LIMIT` and `OFFSET` clauses.
fn limit(engine: Engine, query: &Query) -> Statement {
    let mut rows = Statement::new();
    match engine {
        // SQLite reads a bare parameter of `LIMIT` at planning and plans again for each value, but does not read one inside a sum.
        Engine::Sqlite => {
            rows.push(" LIMIT 0 + ").bind(count(query.limit), BindKind::Int);
            rows.push(" OFFSET 0 + ").bind(count(query.offset), BindKind::Int);
        }
        Engine::Postgres => {
            match COMMON_SIZES.contains(&query.limit) {
                true => rows.push(&format!(" LIMIT {}", query.limit)),
                false => rows.push(" LIMIT ").bind(count(query.limit), BindKind::Int),
            };
            if query.offset > 0 {
                rows.push(" OFFSET ").bind(count(query.offset), BindKind::Int);
            }
        }
    }
    rows
}

fn limit_caching<'s>(select: &'s mut Statement, query: &Query) -> &'s Statement {
    if query.dynamic {
        select.cache_within_limit();
    }
    select
}

pub(super) fn count(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The `FROM` clause with the visible rows of an entity.
#[cfg_attr(debug_assertions, track_caller)]
pub(super) fn from_clause(emit: &Emit<'_>, entity: &'static EntityDef) -> Statement {
    let mut from = Statement::new();
    from.push(" FROM ").append(emit.visible_rows(entity)).push(" AS ").ident(ROW);
    from
}

/// The join of the parent row of a nested list, so that `this` can be any of its fields.
fn parent(emit: &Emit<'_>, query: &Query) -> Option<(EntityIx, Statement)> {
    let (expr, key) = query.condition.as_ref()?;
    let key = key.clone()?;
    let parent = emit.app.entity(parent_entity(emit, expr)?);
    let mut join = Statement::new();
    join.push(" JOIN ").append(emit.visible_rows(parent)).push(" AS ").ident(PARENT).push(" ON ").push(&column(PARENT, parent.key().name));
    join.push(" = ").bind(key, BindKind::from_kind(parent.key().kind, emit.app)?);
    Some((parent.ix, join))
}

/// The entity of `this` in a condition: of its field, or the target of the reference that it is compared with.
fn parent_entity(emit: &Emit<'_>, expr: &Expr) -> Option<EntityIx> {
    let mut found = None;
    expr.visit(&mut |part| match part {
        Expr::This(Some(path)) => found = Some(path.origin_ix()),
        Expr::Compare(_, left, right) => {
            for (this, other) in [(left, right), (right, left)] {
                if let (Expr::This(None), Expr::Path(path)) = (this, other) {
                    let end = path.end(emit.app);
                    found = Some(end.target(emit.app).map_or(end.entity_ix(), |target| target.ix));
                }
            }
        }
        _ => {}
    });
    found
}

/// The additional columns; a column without readable rows is null and not selected.
pub(super) struct Extras {
    pub(super) sql: Statement,
    pub(super) kinds: Vec<BindKind>,
    present: Vec<bool>,
}

impl Extras {
    pub(super) fn new(emit: &Emit<'_>, joins: &mut Joins<'_>, wanted: &[Extra]) -> Extras {
        let mut extras = Extras { sql: Statement::new(), kinds: Vec::new(), present: Vec::new() };
        for extra in wanted {
            let joined = match extra {
                Extra::Test(test) => {
                    extras.add_test(emit, joins.entity(), *test);
                    continue;
                }
                Extra::Field(path) => joins.join_field(*path),
                Extra::Label(path) => joins.join_label(*path),
                Extra::Key(path) => joins.join_key(*path),
            };
            let selected = joined.and_then(|joined| joined.into_column(emit));
            extras.present.push(selected.is_some());
            if let Some((sql, kind)) = selected {
                extras.sql.push(", ").append(sql);
                extras.kinds.push(kind);
            }
        }
        extras
    }

    /// Adds the result of a condition on the row.
    fn add_test(&mut self, emit: &Emit<'_>, entity: &'static EntityDef, test: RowTest) {
        let condition = match test {
            RowTest::Rule(action) => access::row_condition(emit, entity, action, ROW),
            RowTest::When(when) => emit.condition(when, Scope { entity: entity.ix, alias: ROW, outer: None }, false),
        };
        self.sql.push(", ").append(condition.into_sql());
        self.kinds.push(BindKind::Bool);
        self.present.push(true);
    }

    /// Adds a sort key, from whose value the next batch starts.
    fn add(&mut self, key: &OrderKey) {
        self.sql.push(", ").append(key.sql.clone());
        self.kinds.push(key.bind);
        self.present.push(true);
    }

    /// Inserts null for the columns that were not selected.
    pub(super) fn insert_nulls(&self, mut row: Row) -> Row {
        let mut found = std::mem::take(&mut row.extra).into_iter();
        row.extra = self.present.iter().map(|present| if *present { found.next().unwrap_or_default() } else { Value::Null }).collect();
        row
    }
}
