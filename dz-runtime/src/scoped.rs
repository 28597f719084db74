//! diesel queries over the visible rows of a caller.
//!
//! A [`Scoped`] query reads from the rows and values that the rules permit to its caller (`source`). Its clauses accept only
//! expressions that cannot read anything else ([`Safe`]).

mod declare;
mod join;
mod load;
mod page;
mod safe;
mod source;
mod statement;
mod tables;

use std::{fmt, marker::PhantomData, sync::Arc};

use diesel::{
    Expression, Table,
    expression::{NonAggregate, ValidGrouping},
    sql_types::BoolOrNullableBool,
};

#[cfg(feature = "testing")]
pub(crate) use join::single_reference;
pub use join::{AppendRows, InnerJoined, LeftJoined, RefersTo};
pub use load::{Count, Fragment, Load};
pub use page::Page;
pub use safe::Safe;
pub use tables::{OfTables, SelectableFrom, Without};

use crate::{
    Error, Result, Tx,
    access::Action,
    def::EntityDef,
    record::Entity,
    table::{AliasDef, TableDef},
};
use source::Source;

/// A diesel query over the rows for which its caller may do an action. Fields that are `sensitive` are null in the rows that
/// the caller may not update, wherever the query names them.
///
/// It contains the rules for its caller, so it runs only in the unit of work that made it; in another one it is refused with 500.
///
/// `F` is the table, `S` the selection, and `G` the grouping.
///
/// ```compile_fail,E0599
/// # fn f(tx: &mut dz_runtime::Tx<'_>, query: dz_runtime::Scoped<i64, i64>) {
/// query.or_filter(true); // nothing can widen the rows
/// # }
/// ```
#[must_use = "a query does nothing until it is loaded"]
pub struct Scoped<F, S, G = ()> {
    clauses: Clauses,
    selection: S,
    reads: PhantomData<fn() -> (F, G)>,
}

/// Everything in a query but its selection.
#[derive(Clone)]
struct Clauses {
    source: Source,
    joins: Vec<join::Join>,
    /// True if a part can fail on a value.
    isolated: bool,
    distinct: bool,
    filters: Parts,
    groups: Parts,
    having: Parts,
    order: Parts,
    limit: Option<i64>,
    offset: Option<i64>,
}

/// All columns of the rows of `T` for which a caller may do an action.
pub type ScopedRows<T> = Scoped<T, <T as Table>::AllColumns>;

type Parts = Vec<Arc<dyn Fragment>>;

/// A query over the rows of `table` for which the caller may do `action`.
///
/// # Errors
/// 401 or 403 if the rule covers no row for this caller; 500 if `table` is not the table of `entity`, or the application has no
/// such entity.
pub fn scoped<T, A>(tx: &Tx<'_>, table: T, entity: &'static EntityDef, action: A) -> Result<ScopedRows<T>>
where
    T: TableDef<AllColumns: Safe>,
    A: Action,
{
    let _ = table;
    if T::NAME != entity.table {
        return Err(Error::internal(format!("`{}` is not the table of {}", T::NAME, entity.name)));
    }
    query_entity(tx, entity, entity.table, action, T::all_columns())
}

/// As [`scoped`], under the second name that `table` declares.
///
/// # Errors
/// As [`scoped`].
pub fn scoped_as<T, A>(tx: &Tx<'_>, table: T, action: A) -> Result<ScopedRows<T>>
where
    T: AliasDef<AllColumns: Safe>,
    A: Action,
{
    let _ = table;
    query_entity(tx, <T::Row as Entity>::DEF, T::NAME, action, T::all_columns())
}

/// A query over the rows of `entity` for which the caller may do `action`, under a name of its table.
pub(crate) fn query_entity<F, S, A: Action>(
    tx: &Tx<'_>,
    entity: &'static EntityDef,
    name: &'static str,
    action: A,
    selection: S,
) -> Result<Scoped<F, S>> {
    let _ = action;
    let grant = tx.ask::<A>(entity)?;
    let source = Source::new(tx, entity, &grant, name);
    Ok(Scoped { clauses: Clauses::new(source), selection, reads: PhantomData })
}

impl Clauses {
    fn new(source: Source) -> Clauses {
        Clauses {
            source,
            joins: Vec::new(),
            isolated: false,
            distinct: false,
            filters: Parts::new(),
            groups: Parts::new(),
            having: Parts::new(),
            order: Parts::new(),
            limit: None,
            offset: None,
        }
    }

    /// True if the query restricts neither the rows of its table nor their order.
    fn is_plain(&self) -> bool {
        let parts = [&self.filters, &self.groups, &self.having, &self.order];
        parts.iter().all(|parts| parts.is_empty()) && !self.distinct && self.limit.is_none() && self.offset.is_none()
    }

    /// The tables of the query, in their order.
    fn sources(&self) -> impl Iterator<Item = &Source> {
        std::iter::once(&self.source).chain(self.joins.iter().map(|join| &join.rows.source))
    }
}

impl<F, S, G> Scoped<F, S, G> {
    /// Restricts the rows to those for which `predicate` is true.
    pub fn filter<P>(mut self, predicate: P) -> Self
    where
        P: Safe + Expression<SqlType: BoolOrNullableBool> + OfTables<F> + NonAggregate + Fragment + 'static,
    {
        self.clauses.isolated |= P::FAILS;
        self.clauses.filters.push(Arc::new(predicate));
        self
    }

    /// Sets the sort order, in place of an earlier one.
    pub fn order<E>(mut self, order: E) -> Self
    where
        E: Safe + Expression + OfTables<F> + Fragment + 'static,
    {
        self.clauses.order.clear();
        self.then_order_by(order)
    }

    /// Adds a sort key after those before it.
    pub fn then_order_by<E>(mut self, order: E) -> Self
    where
        E: Safe + Expression + OfTables<F> + Fragment + 'static,
    {
        self.clauses.isolated |= E::FAILS;
        self.clauses.order.push(Arc::new(order));
        self
    }

    /// Limits the number of rows.
    pub fn limit(mut self, rows: i64) -> Self {
        self.clauses.limit = Some(rows.max(0));
        self
    }

    /// Skips the first rows.
    pub fn offset(mut self, rows: i64) -> Self {
        self.clauses.offset = Some(rows.max(0));
        self
    }

    /// Removes duplicate rows.
    pub fn distinct(mut self) -> Self {
        self.clauses.distinct = true;
        self
    }

    /// Selects these columns.
    pub fn select<E>(self, selection: E) -> Scoped<F, E, G>
    where
        E: Safe + SelectableFrom<F> + ValidGrouping<G>,
    {
        let Scoped { mut clauses, reads, .. } = self;
        clauses.isolated |= E::FAILS;
        Scoped { clauses, selection, reads }
    }

    /// Groups by these columns; `select` determines the values of each group.
    pub fn group_by<E>(self, by: E) -> Scoped<F, S, E>
    where
        E: Safe + Expression + OfTables<F> + Fragment + 'static,
    {
        let Scoped { mut clauses, selection, .. } = self;
        clauses.isolated |= E::FAILS;
        clauses.groups = vec![Arc::new(by)];
        Scoped { clauses, selection, reads: PhantomData }
    }

    /// Restricts the groups to those for which `predicate` is true.
    pub fn having<P>(mut self, predicate: P) -> Self
    where
        P: Safe + Expression<SqlType: BoolOrNullableBool> + OfTables<F> + ValidGrouping<G> + Fragment + 'static,
    {
        self.clauses.isolated |= P::FAILS;
        self.clauses.having.push(Arc::new(predicate));
        self
    }
}

impl<F, S: Clone, G> Clone for Scoped<F, S, G> {
    fn clone(&self) -> Self {
        Scoped { clauses: self.clauses.clone(), selection: self.selection.clone(), reads: PhantomData }
    }
}

impl<F, S, G> fmt::Debug for Scoped<F, S, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scoped").field("of", &self.clauses.source.name).finish_non_exhaustive()
    }
}
