//! diesel queries over the rows that a caller may see.
//!
//! [`Scoped`] carries the row condition inside and offers only what narrows or shapes the query, so that the
//! condition cannot be lost.

use diesel::{
    Expression, QueryResult,
    backend::Backend,
    dsl::{CountStar, Filter, Limit, Offset, Order, Select, count_star},
    expression::{AppearsOnTable, SelectableExpression, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    query_dsl::methods::{FilterDsl, LimitDsl, OffsetDsl, OrderDsl, SelectDsl},
    sql_types::Bool,
};

use crate::{
    Result, Tx,
    access::Action,
    db::{
        Conn, DELETED_AT, Statement,
        emit::{Condition, Emit},
    },
    def::EntityDef,
};

/// A diesel query that holds the row condition of its caller.
///
/// ```compile_fail,E0599
/// # fn f(tx: &mut dz_runtime::Tx<'_>, query: dz_runtime::Scoped<i64>) {
/// query.or_filter(true); // nothing can widen the rows
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a query does nothing until it is loaded"]
pub struct Scoped<Q> {
    query: Q,
}

/// The rows for which a caller may do an action, as a diesel expression.
#[derive(Debug, Clone)]
pub struct RowCondition {
    statement: Statement,
}

/// An expression in brackets, so that nothing in it reaches beyond.
#[derive(Debug, Clone, Copy)]
pub struct Enclosed<E>(E);

/// A query over the rows of `table` for which the caller may do `action`.
///
/// # Errors
/// 401 or 403 when no row could ever be covered.
pub fn scoped<T, A>(tx: &Tx<'_>, table: T, entity: &'static EntityDef, action: A) -> Result<Scoped<Filter<T, RowCondition>>>
where
    T: diesel::Table + FilterDsl<RowCondition>,
    A: Action,
{
    let _ = action;
    let grant = tx.ask::<A>(entity)?;
    let condition = grant.condition(tx.app, tx.engine(), &tx.caller, entity.table);
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let own = emit.of_tenant(entity, Some(entity.table)).map_or(Condition::Always, Condition::Rows);
    let statement = match condition.and(own).and(present(entity)) {
        Condition::Always => text("(1 = 1)"),
        Condition::Never => text("(1 = 0)"),
        Condition::Rows(statement) => {
            let mut whole = Statement::new();
            whole.push("(").append(statement).push(")");
            whole
        }
    };
    Ok(Scoped { query: table.filter(RowCondition { statement }) })
}

/// The rows of a table that are not marked as deleted.
fn present(entity: &'static EntityDef) -> Condition {
    if !entity.soft_delete {
        return Condition::Always;
    }
    let mut unmarked = Statement::new();
    unmarked.ident(entity.table).push(".").ident(DELETED_AT).push(" IS NULL");
    Condition::Rows(unmarked)
}

fn text(text: &str) -> Statement {
    let mut statement = Statement::new();
    statement.push(text);
    statement
}

impl<Q> Scoped<Q> {
    /// Only rows for which `predicate` holds too.
    pub fn filter<P>(self, predicate: P) -> Scoped<Filter<Q, Enclosed<P>>>
    where
        Q: FilterDsl<Enclosed<P>>,
    {
        Scoped { query: self.query.filter(Enclosed(predicate)) }
    }

    /// In this order.
    pub fn order<E>(self, order: E) -> Scoped<Order<Q, E>>
    where
        E: Expression,
        Q: OrderDsl<E>,
    {
        Scoped { query: self.query.order(order) }
    }

    /// At most this many.
    pub fn limit(self, rows: i64) -> Scoped<Limit<Q>>
    where
        Q: LimitDsl,
    {
        Scoped { query: self.query.limit(rows) }
    }

    /// Without the first ones.
    pub fn offset(self, rows: i64) -> Scoped<Offset<Q>>
    where
        Q: OffsetDsl,
    {
        Scoped { query: self.query.offset(rows) }
    }

    /// Only these columns.
    pub fn select<S>(self, selection: S) -> Scoped<Select<Q, S>>
    where
        S: Expression,
        Q: SelectDsl<S>,
    {
        Scoped { query: self.query.select(selection) }
    }

    pub(crate) fn into_query(self) -> Q {
        self.query
    }
}

impl Expression for RowCondition {
    type SqlType = Bool;
}

impl<QS> AppearsOnTable<QS> for RowCondition {}

impl<QS> SelectableExpression<QS> for RowCondition {}

impl<GB> ValidGrouping<GB> for RowCondition {
    type IsAggregate = is_aggregate::Never;
}

impl QueryId for RowCondition {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend> QueryFragment<DB> for RowCondition
where
    Statement: QueryFragment<DB>,
{
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.statement.walk_ast(out)
    }
}

impl<E: Expression> Expression for Enclosed<E> {
    type SqlType = E::SqlType;
}

impl<E: AppearsOnTable<QS>, QS> AppearsOnTable<QS> for Enclosed<E> {}

impl<E: SelectableExpression<QS>, QS> SelectableExpression<QS> for Enclosed<E> where Enclosed<E>: AppearsOnTable<QS> {}

impl<E: ValidGrouping<GB>, GB> ValidGrouping<GB> for Enclosed<E> {
    type IsAggregate = E::IsAggregate;
}

impl<E: QueryId> QueryId for Enclosed<E> {
    type QueryId = Enclosed<E::QueryId>;
    const HAS_STATIC_QUERY_ID: bool = E::HAS_STATIC_QUERY_ID;
}

impl<E: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for Enclosed<E> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("(");
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(")");
        Ok(())
    }
}

/// Queries that every compiled-in engine can load as `U`.
pub trait Load<U> {
    #[doc(hidden)]
    fn load_on(self, conn: &mut Conn) -> Result<Vec<U>>;
}

/// Queries that every compiled-in engine can count.
pub trait Count {
    #[doc(hidden)]
    fn count_on(self, conn: &mut Conn) -> Result<i64>;
}

/// Loads on whichever engine the connection is of.
macro_rules! on_engine {
    ($conn:ident, $query:ident) => {{
        #[cfg(feature = "sqlite")]
        if $conn.engine() == crate::Engine::Sqlite {
            let conn = $conn.sqlite().ok_or_else(|| crate::Error::internal("no connection of this engine"))?;
            return Ok(diesel::RunQueryDsl::load($query, conn)?);
        }
        #[cfg(feature = "postgres")]
        if $conn.engine() == crate::Engine::Postgres {
            let conn = $conn.postgres().ok_or_else(|| crate::Error::internal("no connection of this engine"))?;
            return Ok(diesel::RunQueryDsl::load($query, conn)?);
        }
        let _ = ($conn, $query);
        Err(crate::Error::internal("no engine is compiled in"))
    }};
}

#[cfg(all(feature = "sqlite", feature = "postgres"))]
mod engines {
    use diesel::{PgConnection, SqliteConnection, query_dsl::LoadQuery};

    pub trait Loadable<U>: LoadQuery<'static, SqliteConnection, U> + LoadQuery<'static, PgConnection, U> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, SqliteConnection, U> + LoadQuery<'static, PgConnection, U> {}
}
#[cfg(all(feature = "sqlite", not(feature = "postgres")))]
mod engines {
    use diesel::{SqliteConnection, query_dsl::LoadQuery};

    pub trait Loadable<U>: LoadQuery<'static, SqliteConnection, U> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, SqliteConnection, U> {}
}
#[cfg(all(feature = "postgres", not(feature = "sqlite")))]
mod engines {
    use diesel::{PgConnection, query_dsl::LoadQuery};

    pub trait Loadable<U>: LoadQuery<'static, PgConnection, U> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, PgConnection, U> {}
}
#[cfg(not(any(feature = "postgres", feature = "sqlite")))]
mod engines {
    pub trait Loadable<U> {}
}

impl<Q: engines::Loadable<U>, U> Load<U> for Q {
    fn load_on(self, conn: &mut Conn) -> Result<Vec<U>> {
        on_engine!(conn, self)
    }
}

impl<Q> Count for Q
where
    Q: SelectDsl<CountStar>,
    Select<Q, CountStar>: engines::Loadable<i64>,
{
    fn count_on(self, conn: &mut Conn) -> Result<i64> {
        let counted: Result<Vec<i64>> = Load::load_on(self.select(count_star()), conn);
        Ok(counted?.into_iter().next().unwrap_or_default())
    }
}
