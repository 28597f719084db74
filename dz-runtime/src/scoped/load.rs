//! Execution of scoped queries, on either engine.

use diesel::expression::{ValidGrouping, is_aggregate};

use super::{
    Scoped,
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
    }
}

/// Scoped queries that every compiled-in engine can load as `U`. The trait is sealed: a unit of work runs no other query.
#[diagnostic::on_unimplemented(
    message = "a unit of work cannot load `{Self}` as `{U}`",
    label = "not a scoped query with columns of this type",
    note = "a unit of work runs scoped queries (`task::scoped(tx, List)?`), so that the access rules hold; \
            their columns must be of the types that they are loaded as",
    note = "`tx.as_system(reason, …)` runs any query of diesel, without the access rules"
)]
pub trait Load<U>: sealed::Sealed {
    #[doc(hidden)]
    fn load_on(self, conn: &mut Conn) -> Result<Vec<U>>;

    /// The keys of the rows of the query, as text.
    #[doc(hidden)]
    fn keys_on(&self, conn: &mut Conn) -> Result<Vec<String>>;

    #[doc(hidden)]
    fn entity(&self) -> &'static EntityDef;

    #[doc(hidden)]
    fn first_only(self) -> Self {
        self.limit_to_one()
    }
}

/// Scoped queries that every compiled-in engine can count. The trait is sealed like [`Load`].
#[diagnostic::on_unimplemented(
    message = "a unit of work cannot count `{Self}`",
    label = "not a scoped query",
    note = "a unit of work runs scoped queries (`task::scoped(tx, List)?`), so that the access rules hold"
)]
pub trait Count: sealed::Sealed {
    #[doc(hidden)]
    fn count_on(self, conn: &mut Conn) -> Result<i64>;
}

#[cfg(all(feature = "sqlite", feature = "postgres"))]
mod engines {
    use diesel::{PgConnection, SqliteConnection, pg::Pg, query_builder::QueryFragment, query_dsl::LoadQuery, sqlite::Sqlite};

    pub trait Loadable<U>: LoadQuery<'static, SqliteConnection, U> + LoadQuery<'static, PgConnection, U> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, SqliteConnection, U> + LoadQuery<'static, PgConnection, U> {}

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
    use diesel::{PgConnection, pg::Pg, query_builder::QueryFragment, query_dsl::LoadQuery};

    pub trait Loadable<U>: LoadQuery<'static, PgConnection, U> {}
    impl<Q, U> Loadable<U> for Q where Q: LoadQuery<'static, PgConnection, U> {}

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

impl<F, S, G> sealed::Sealed for Scoped<F, S, G> {
    fn limit_to_one(mut self) -> Self {
        self.limit = Some(self.limit.map_or(1, |limit| limit.min(1)));
        self
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

    fn keys_on(&self, conn: &mut Conn) -> Result<Vec<String>> {
        let of_all = <S::IsAggregate as Aggregated>::IS;
        run_on_engine(Keys { query: self.clone(), of_all }, conn)
    }

    fn entity(&self) -> &'static EntityDef {
        self.source.entity
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
        self.conn.apply_session_settings()?;
        let entity = query.entity();
        if rows::is_audited(entity, List::NAME, &self.caller) {
            self.conn.count();
            let keys = query.keys_on(self.conn)?;
            rows::record_query(self, entity, keys)?;
        }
        self.conn.count();
        query.load_on(self.conn)
    }

    /// Loads the first row of a scoped query, if any. No other row is read.
    ///
    /// # Errors
    /// As [`load`](Tx::load).
    pub fn first<Q: Load<U>, U>(&mut self, query: Q) -> Result<Option<U>> {
        Ok(self.load(query.first_only())?.into_iter().next())
    }

    /// Counts the rows that [`load`](Tx::load) would return for a scoped query.
    ///
    /// # Errors
    /// As [`load`](Tx::load).
    pub fn count<Q: Count>(&mut self, query: Q) -> Result<i64> {
        self.conn.apply_session_settings()?;
        self.conn.count();
        query.count_on(self.conn)
    }
}
