//! Execution of scoped queries, on either engine.

#[cfg(feature = "sqlite")]
use diesel::connection::DefaultLoadingMode;
use diesel::expression::{ValidGrouping, is_aggregate};
#[cfg(feature = "postgres")]
use diesel::pg::PgRowByRowLoadingMode;

use super::{
    Scoped,
    source::{OTHER_UNIT, Running},
    statement::{Keys, RowCount, Rows},
};
use crate::{
    Engine, Error, Result, Tx,
    access::{Action as _, List},
    db::Conn,
    def::EntityDef,
    rows,
};

mod sealed {
    pub trait Sealed: Sized {
        fn limit_to_one(self) -> Self;

        fn check_unit(&self, tx: &crate::Tx<'_>) -> crate::Result<()>;
    }
}

/// Scoped queries that every compiled-in engine can load as `U`. The trait is sealed: a unit of work runs no other query.
#[diagnostic::on_unimplemented(
    message = "not a scoped query with the columns of `{U}`: begin with `task::scoped(tx, List)?`, and load the types of its columns",
    label = "a unit of work cannot load this",
    note = "a unit of work runs only scoped queries, so that the access rules hold",
    note = "`tx.as_system(reason, …)` runs any query of diesel, without the access rules"
)]
pub trait Load<U>: sealed::Sealed {
    #[doc(hidden)]
    fn load_on(self, conn: &mut Conn) -> Result<Vec<U>>;

    /// Calls `each` for every row, in order, without storing the rows.
    #[doc(hidden)]
    fn each_on(self, conn: &mut Conn, each: &mut dyn FnMut(U) -> Result<()>) -> Result<()>;

    /// The keys of the rows of a table of the query, as text.
    #[doc(hidden)]
    fn keys_on(&self, table: usize, conn: &mut Conn) -> Result<Vec<String>>;

    /// The entities of the tables of the query.
    #[doc(hidden)]
    fn entities(&self) -> Vec<&'static EntityDef>;

    #[doc(hidden)]
    fn first_only(self) -> Self {
        self.limit_to_one()
    }

    #[doc(hidden)]
    fn page_only(self, page: u64, size: u64) -> Self;
}

/// Scoped queries that every compiled-in engine can count. The trait is sealed like [`Load`].
#[diagnostic::on_unimplemented(
    message = "not a scoped query: begin with `task::scoped(tx, List)?`",
    label = "a unit of work cannot count this",
    note = "a unit of work runs only scoped queries, so that the access rules hold"
)]
pub trait Count: sealed::Sealed {
    #[doc(hidden)]
    fn count_on(self, conn: &mut Conn) -> Result<i64>;
}

#[cfg(all(feature = "sqlite", feature = "postgres"))]
mod engines {
    use diesel::{
        PgConnection, SqliteConnection,
        pg::{Pg, PgRowByRowLoadingMode},
        query_builder::QueryFragment,
        query_dsl::LoadQuery,
        sqlite::Sqlite,
    };

    pub trait Loadable<U>:
        LoadQuery<'static, SqliteConnection, U>
        + LoadQuery<'static, PgConnection, U>
        + LoadQuery<'static, PgConnection, U, PgRowByRowLoadingMode>
    {
    }
    impl<Q, U> Loadable<U> for Q where
        Q: LoadQuery<'static, SqliteConnection, U>
            + LoadQuery<'static, PgConnection, U>
            + LoadQuery<'static, PgConnection, U, PgRowByRowLoadingMode>
    {
    }

    /// A part of a query that can be written for every compiled-in engine.
    pub trait Fragment: QueryFragment<Sqlite> + QueryFragment<Pg> + Send + Sync {}
    impl<E: QueryFragment<Sqlite> + QueryFragment<Pg> + Send + Sync> Fragment for E {}
}
#[cfg(all(feature = "sqlite", not(feature = "postgres")))]
mod engines {
    use diesel::{SqliteConnection, query_builder::QueryFragment, query_dsl::LoadQuery, sqlite::Sqlite};

    pub trait Loadable<U>: LoadQuery<'static, SqliteConnection, U> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, SqliteConnection, U> {}

    /// A part of a query that can be written for every compiled-in engine.
    pub trait Fragment: QueryFragment<Sqlite> + Send + Sync {}
    impl<E: QueryFragment<Sqlite> + Send + Sync> Fragment for E {}
}
#[cfg(all(feature = "postgres", not(feature = "sqlite")))]
mod engines {
    use diesel::{
        PgConnection,
        pg::{Pg, PgRowByRowLoadingMode},
        query_builder::QueryFragment,
        query_dsl::LoadQuery,
    };

    pub trait Loadable<U>: LoadQuery<'static, PgConnection, U> + LoadQuery<'static, PgConnection, U, PgRowByRowLoadingMode> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, PgConnection, U> + LoadQuery<'static, PgConnection, U, PgRowByRowLoadingMode> {}

    /// A part of a query that can be written for every compiled-in engine.
    pub trait Fragment: QueryFragment<Pg> + Send + Sync {}
    impl<E: QueryFragment<Pg> + Send + Sync> Fragment for E {}
}
#[cfg(not(any(feature = "postgres", feature = "sqlite")))]
mod engines {
    pub trait Loadable<U> {}

    /// A part of a query that can be written for every compiled-in engine.
    pub trait Fragment: Send + Sync {}
    impl<E: Send + Sync> Fragment for E {}
}

pub use engines::Fragment;

fn run_on_engine<Q: engines::Loadable<U>, U>(query: Q, conn: &mut Conn) -> Result<Vec<U>> {
    let none = || Error::internal("no connection of this engine");
    match conn.engine() {
        #[cfg(feature = "sqlite")]
        Engine::Sqlite => Ok(query.load(conn.sqlite().ok_or_else(none)?)?),
        #[cfg(feature = "postgres")]
        Engine::Postgres => Ok(query.load(conn.postgres().ok_or_else(none)?)?),
        #[cfg(not(feature = "sqlite"))]
        Engine::Sqlite => Err(none()),
        #[cfg(not(feature = "postgres"))]
        Engine::Postgres => Err(none()),
    }
}

/// As [`run_on_engine`], row by row.
fn run_each_on_engine<Q, U>(query: Q, conn: &mut Conn, each: &mut dyn FnMut(U) -> Result<()>) -> Result<()>
where
    Q: engines::Loadable<U>,
{
    let none = || Error::internal("no connection of this engine");
    match conn.engine() {
        #[cfg(feature = "sqlite")]
        Engine::Sqlite => query.load_iter::<U, DefaultLoadingMode>(conn.sqlite().ok_or_else(none)?)?.try_for_each(|row| each(row?)),
        #[cfg(feature = "postgres")]
        Engine::Postgres => query.load_iter::<U, PgRowByRowLoadingMode>(conn.postgres().ok_or_else(none)?)?.try_for_each(|row| each(row?)),
        #[cfg(not(feature = "sqlite"))]
        Engine::Sqlite => Err(none()),
        #[cfg(not(feature = "postgres"))]
        Engine::Postgres => Err(none()),
    }
}

impl<F, S, G> sealed::Sealed for Scoped<F, S, G> {
    fn limit_to_one(mut self) -> Self {
        let limit = &mut self.clauses.limit;
        *limit = Some(limit.map_or(1, |limit| limit.min(1)));
        self
    }

    fn check_unit(&self, tx: &Tx<'_>) -> Result<()> {
        match self.clauses.sources().all(|source| source.is_of(tx)) {
            true => Ok(()),
            false => Err(Error::internal(OTHER_UNIT)),
        }
    }
}

/// Whether a selection consists of aggregates.
pub trait Aggregated {
    const IS: bool;
}

impl Aggregated for is_aggregate::Yes {
    const IS: bool = true;
}

impl Aggregated for is_aggregate::No {
    const IS: bool = false;
}

impl Aggregated for is_aggregate::Never {
    const IS: bool = false;
}

impl<F, S, G, U> Load<U> for Scoped<F, S, G>
where
    S: Clone + ValidGrouping<G, IsAggregate: Aggregated>,
    Rows<F, S, G>: engines::Loadable<U>,
    Keys<F, S, G>: engines::Loadable<String>,
{
    fn load_on(self, conn: &mut Conn) -> Result<Vec<U>> {
        run_on_engine(Rows(self), conn)
    }

    fn each_on(self, conn: &mut Conn, each: &mut dyn FnMut(U) -> Result<()>) -> Result<()> {
        run_each_on_engine(Rows(self), conn, each)
    }

    fn keys_on(&self, table: usize, conn: &mut Conn) -> Result<Vec<String>> {
        let of_all = <S::IsAggregate as Aggregated>::IS;
        let mut keys: Vec<String> = run_on_engine(Keys { query: self.clone(), of_all, table }, conn)?;
        keys.retain(|key| !key.is_empty());
        if !self.clauses.joins.is_empty() {
            // A row can be part of several rows of a join.
            keys.sort_unstable();
            keys.dedup();
        }
        Ok(keys)
    }

    fn page_only(mut self, page: u64, size: u64) -> Self {
        self.clauses.limit_to_page(page, size, <S::IsAggregate as Aggregated>::IS);
        self
    }

    fn entities(&self) -> Vec<&'static EntityDef> {
        self.clauses.sources().map(|source| source.entity).collect()
    }
}

impl<F, S, G> Count for Scoped<F, S, G>
where
    RowCount<F, S, G>: engines::Loadable<i64>,
{
    fn count_on(self, conn: &mut Conn) -> Result<i64> {
        let counted: Vec<i64> = run_on_engine(RowCount(self), conn)?;
        Ok(counted.into_iter().next().unwrap_or_default())
    }
}

impl Tx<'_> {
    /// Loads the rows of a scoped query. With `audit: list` the record of the request's lists contains them.
    ///
    /// # Errors
    /// 503 if the database is unavailable; 500 if the query does not fit it.
    pub fn load<Q: Load<U>, U>(&mut self, query: Q) -> Result<Vec<U>> {
        let _running = Running::begin(self);
        self.record_tables(&query)?;
        query.load_on(self.conn)
    }

    /// Calls `each` for every row of a scoped query, in its order; only one row is in memory. An error of `each` ends the query.
    ///
    /// # Errors
    /// As [`load`](Tx::load), and those of `each`.
    pub fn for_each<Q: Load<U>, U>(&mut self, query: Q, mut each: impl FnMut(U) -> Result<()>) -> Result<()> {
        let _running = Running::begin(self);
        self.record_tables(&query)?;
        query.each_on(self.conn, &mut each)
    }

    /// Records the rows of a query whose lists are audited, and prepares the connection for the query.
    fn record_tables<U>(&mut self, query: &impl Load<U>) -> Result<()> {
        query.check_unit(self)?;
        self.conn.apply_session_settings()?;
        for (table, entity) in query.entities().into_iter().enumerate() {
            if rows::is_audited(entity, List::NAME, &self.caller) {
                self.conn.count();
                let keys = query.keys_on(table, self.conn)?;
                rows::record_query(self, entity, keys)?;
            }
        }
        self.conn.count();
        Ok(())
    }

    /// Loads the first row of a scoped query, if any. No other row is read.
    ///
    /// # Errors
    /// As [`load`](Tx::load).
    pub fn first<Q: Load<U>, U>(&mut self, query: Q) -> Result<Option<U>> {
        Ok(self.load(query.first_only())?.into_iter().next())
    }

    /// True if a scoped query has a row.
    ///
    /// # Errors
    /// As [`load`](Tx::load).
    pub fn exists<Q: Count>(&mut self, query: Q) -> Result<bool> {
        Ok(self.count(query.limit_to_one())? > 0)
    }

    /// Counts the rows that [`load`](Tx::load) would return for a scoped query.
    ///
    /// # Errors
    /// As [`load`](Tx::load).
    pub fn count<Q: Count>(&mut self, query: Q) -> Result<i64> {
        query.check_unit(self)?;
        self.conn.apply_session_settings()?;
        self.conn.count();
        let _running = Running::begin(self);
        query.count_on(self.conn)
    }
}
