//! Queries of the property test with the methods of [`Scoped`] and the operators of columns.
//!
//! The test has only the description of an application, so it sets the names of its columns at run time. The query, the operators and the
//! table are the same as in an application.

use std::marker::PhantomData;

use diesel::{
    AppearsOnTable, Expression, QueryResult, SelectableExpression,
    backend::Backend,
    expression::{TypedExpressionType, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::Nullable,
};
use rust_decimal::Decimal;
use serde_json::json;

use crate::{
    Error, FromValue, IntoValue, Result, Scoped, Tx, Value, access,
    db::BindKind,
    def::{EntityDef, FieldIx},
    scoped::query_entity,
    sql_types::{self, Sql},
    table::Operation,
};

/// A query over the rows that an action covers.
#[derive(Debug, Clone)]
pub(super) struct TypedQuery {
    pub action: &'static str,
    pub tests: Vec<(FieldIx, ColumnTest)>,
    /// The column before the key in the order, and whether it is descending.
    pub order: Option<(FieldIx, bool)>,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
    /// The selected column; `None` counts the rows.
    pub shows: Option<FieldIx>,
    /// A second table, which a single reference connects with the first one.
    pub other: Option<OtherTable>,
}

/// A second table of a query.
#[derive(Debug, Clone)]
pub(super) struct OtherTable {
    pub entity: &'static EntityDef,
    /// The reference of the first table to itself that connects it with itself under a second name.
    pub itself: Option<FieldIx>,
    pub use_of_rows: UseOfRows,
    pub tests: Vec<(FieldIx, ColumnTest)>,
    /// The selected column, in place of that of the first table; only for joins.
    pub shows: Option<FieldIx>,
}

impl OtherTable {
    fn table(&self) -> Table {
        (self.entity, if self.itself.is_some() { "second" } else { self.entity.table })
    }
}

/// How a query uses the rows of its second table, which the caller can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UseOfRows {
    InnerJoin,
    LeftJoin,
    Exists,
    NotExists,
}

impl UseOfRows {
    /// True if the rows are part of the result.
    pub fn is_join(self) -> bool {
        matches!(self, UseOfRows::InnerJoin | UseOfRows::LeftJoin)
    }
}

/// A condition on a column.
#[derive(Debug, Clone)]
pub(super) enum ColumnTest {
    Null,
    Given,
    Equals(Value),
    Differs(Value),
    Above(Value),
}

/// The table of any entity.
enum AnyTable {}

/// A column with its names; every column is nullable.
#[derive(Debug, Clone, Copy)]
struct NamedColumn<ST> {
    table: &'static str,
    column: &'static str,
    sql: PhantomData<fn() -> ST>,
}

type Column<ST> = Operation<NamedColumn<Nullable<ST>>, ()>;

fn column<ST>((entity, table): Table, at: FieldIx) -> Column<ST> {
    Operation::with_safe_parts(NamedColumn { table, column: entity.field(at).name, sql: PhantomData })
}

/// An entity, and the name of its table in the query.
type Table = (&'static EntityDef, &'static str);

impl<ST: TypedExpressionType> Expression for NamedColumn<ST> {
    type SqlType = ST;
}

impl<ST: TypedExpressionType, QS> AppearsOnTable<QS> for NamedColumn<ST> {}

impl<ST: TypedExpressionType, QS> SelectableExpression<QS> for NamedColumn<ST> {}

impl<ST> ValidGrouping<()> for NamedColumn<ST> {
    type IsAggregate = is_aggregate::No;
}

impl<ST> QueryId for NamedColumn<ST> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<ST, DB: Backend> QueryFragment<DB> for NamedColumn<ST> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_identifier(self.table)?;
        out.push_sql(".");
        out.push_identifier(&dz_vocabulary::column_of_field(self.column))
    }
}

/// Runs code for the SQL type and the Rust type of a kind of column.
macro_rules! with_type {
    ($kind:expr, $sql:ident, $rust:ident, $code:expr) => {
        with_type! { @of $kind, $sql, $rust, $code;
            BindKind::Text => sql_types::Text, String;
            BindKind::Int => sql_types::BigInt, i64;
            BindKind::Float => sql_types::Double, f64;
            BindKind::Bool => sql_types::Bool, bool;
            BindKind::Date => sql_types::Date, chrono::NaiveDate;
            BindKind::DateTime => sql_types::DateTime, chrono::DateTime<chrono::Utc>;
            BindKind::Uuid => sql_types::Uuid, uuid::Uuid;
            BindKind::Json => sql_types::Json, serde_json::Value;
            BindKind::Decimal { scale: 0, .. } => sql_types::Decimal<18, 0>, Decimal;
            BindKind::Decimal { scale: 1, .. } => sql_types::Decimal<18, 1>, Decimal;
            BindKind::Decimal { scale: 2, .. } => sql_types::Decimal<18, 2>, Decimal;
            BindKind::Decimal { scale: 3, .. } => sql_types::Decimal<18, 3>, Decimal;
            BindKind::Decimal { scale: 4, .. } => sql_types::Decimal<18, 4>, Decimal;
        }
    };
    (@of $kind:expr, $sql:ident, $rust:ident, $code:expr; $($pattern:pat => $sql_type:ty, $rust_type:ty;)*) => {
        match $kind {
            $($pattern => {
                type $sql = $sql_type;
                #[allow(dead_code, reason = "not all code names it")]
                type $rust = $rust_type;
                $code
            })*
            BindKind::Decimal { .. } => Err(Error::internal("the proof compares no decimals of so many places")),
        }
    };
}

/// True if queries of the proof can use a decimal of this type.
pub(super) fn knows_decimal(precision: u8, scale: u8) -> bool {
    precision <= 18 && scale <= 4
}

/// Runs a query, and returns JSON.
///
/// # Errors
/// The errors of the query.
pub(super) fn run_query(tx: &mut Tx<'_>, entity: &'static EntityDef, query: &TypedQuery) -> Result<serde_json::Value> {
    let own = (entity, entity.table);
    let key = column::<sql_types::Text>(own, entity.pk);
    let mut rows: Scoped<AnyTable, _> = match query.action {
        "list" => query_entity(tx, entity, entity.table, access::List, key)?,
        "read" => query_entity(tx, entity, entity.table, access::Read, key)?,
        _ => query_entity(tx, entity, entity.table, access::Update, key)?,
    };
    rows = add_tests(tx, own, rows, &query.tests)?;
    if let Some(other) = &query.other {
        rows = add_table(tx, entity, rows, other)?;
    }
    let by_own = query.order.into_iter().chain([(entity.pk, false)]).map(|(at, descends)| (own, at, descends));
    let joined = query.other.iter().filter(|other| other.use_of_rows.is_join()).map(|other| (other.table(), other.entity.pk, false));
    for (table, at, descends) in by_own.chain(joined) {
        // The type of a column does not matter in an order.
        let column = column::<sql_types::Text>(table, at);
        rows = if descends { rows.then_order_by(column.desc()) } else { rows.then_order_by(column.asc()) };
    }
    if let Some(limit) = query.limit {
        rows = rows.limit(limit);
    }
    if let Some(offset) = query.offset {
        rows = rows.offset(offset);
    }
    let Some(shows) = query.shows else { return Ok(json!({ "count": tx.count(rows)? })) };
    let shown = query.other.as_ref().and_then(|other| Some((other.table(), other.shows?))).unwrap_or((own, shows));
    with_type!(bind_kind(tx, shown.0.0, shown.1)?, St, Rust, {
        let found: Vec<Option<Rust>> = tx.load(rows.select(column::<St>(shown.0, shown.1)))?;
        let values = found.into_iter().map(|value| format_value(&value.map_or(Value::Null, IntoValue::into_value)));
        Ok(json!({ "values": values.collect::<Vec<_>>() }))
    })
}

fn bind_kind(tx: &Tx<'_>, entity: &'static EntityDef, at: FieldIx) -> Result<BindKind> {
    BindKind::from_kind(entity.field(at).kind, tx.app()).ok_or_else(|| Error::internal("not a column"))
}

/// Adds the second table of a query.
fn add_table<S>(tx: &Tx<'_>, entity: &'static EntityDef, rows: Scoped<AnyTable, S>, other: &OtherTable) -> Result<Scoped<AnyTable, S>> {
    let (table, key) = (other.table(), column::<sql_types::Text>(other.table(), other.entity.pk));
    let further: Scoped<AnyTable, _> = query_entity(tx, other.entity, table.1, access::Read, key)?;
    let further = add_tests(tx, table, further, &other.tests)?;
    let columns = other.itself.map(|at| (entity.field(at).name, other.entity.key().name));
    Ok(match (other.use_of_rows, columns) {
        (UseOfRows::InnerJoin, Some(columns)) => rows.join_by_columns(false, further, columns),
        (UseOfRows::LeftJoin, Some(columns)) => rows.join_by_columns(true, further, columns),
        (UseOfRows::Exists, Some(columns)) => rows.exists_by_columns(false, further, columns),
        (UseOfRows::NotExists, Some(columns)) => rows.exists_by_columns(true, further, columns),
        (UseOfRows::InnerJoin, None) => rows.join_by_reference(false, further),
        (UseOfRows::LeftJoin, None) => rows.join_by_reference(true, further),
        (UseOfRows::Exists, None) => rows.exists_by_reference(false, further),
        (UseOfRows::NotExists, None) => rows.exists_by_reference(true, further),
    })
}

fn add_tests<S>(tx: &Tx<'_>, table: Table, mut rows: Scoped<AnyTable, S>, tests: &[(FieldIx, ColumnTest)]) -> Result<Scoped<AnyTable, S>> {
    for (at, test) in tests {
        rows = with_type!(bind_kind(tx, table.0, *at)?, St, Rust, {
            let column = column::<St>(table, *at);
            let sent = |value: &Value| Rust::from_value(value.clone()).map(Some).map(Sql);
            Ok::<_, Error>(match test {
                ColumnTest::Null => rows.filter(column.is_null()),
                ColumnTest::Given => rows.filter(column.is_not_null()),
                ColumnTest::Equals(value) => rows.filter(column.eq(sent(value)?)),
                ColumnTest::Differs(value) => rows.filter(!column.eq(sent(value)?)),
                ColumnTest::Above(value) => rows.filter(column.gt(sent(value)?)),
            })
        })?;
    }
    Ok(rows)
}

/// A value as the route of the proof writes it.
pub(super) fn format_value(value: &Value) -> String {
    match value {
        Value::Decimal(number) => format!("Decimal({})", number.normalize()),
        other => format!("{other:?}"),
    }
}
