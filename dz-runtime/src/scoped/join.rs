//! Joins of scoped queries: each table is the visible rows of its own query, so the rules of every side apply.

use std::{marker::PhantomData, sync::Arc};

use diesel::{
    Expression, JoinTo, NullableExpressionMethods, QuerySource, Table,
    expression::NonAggregate,
    internal::table_macro::{Inner, Join as Joined, LeftOuter, NullableExpression},
    query_builder::QueryId,
    sql_types::BoolOrNullableBool,
};

use super::{Clauses, Fragment, OfTables, Safe, Scoped, ScopedRows, Without};
use crate::{db::Statement, def::EntityDef, table::TableDef};

/// A further table of a query.
#[derive(Clone)]
pub(super) struct Join {
    /// True for a left join.
    pub(super) optional: bool,
    pub(super) rows: Clauses,
    /// The condition; `None` if no single reference connects the tables.
    pub(super) on: Option<Arc<dyn Fragment>>,
}

/// A condition that rows of another query refer to the row, or the row to them.
pub(super) struct Exists {
    pub(super) negated: bool,
    pub(super) rows: Clauses,
    pub(super) on: Option<Arc<dyn Fragment>>,
}

impl QueryId for Exists {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

/// Two tables that exactly one reference connects.
#[diagnostic::on_unimplemented(
    message = "not exactly one reference connects `{Self}` and `{R}`: write the condition, as in `inner_join_on`",
    label = "the condition is unknown",
    note = "with a condition: `.inner_join_on(project::scoped(tx, Read)?, tasks::project.eq(projects::id))`; \
            `left_join_on`, `filter_exists_on` and `filter_not_exists_on` take one, too"
)]
pub trait RefersTo<R> {}

#[diagnostic::do_not_recommend]
impl<F: JoinTo<R>, R> RefersTo<R> for F {}

/// The rows of a query, followed by those of a further table: `(Task, Project)`, then `(Task, Project, Customer)`.
#[diagnostic::on_unimplemented(message = "a query joins at most six tables, and before `select`")]
pub trait AppendRows<S, N> {
    /// The selection of both.
    type Output;

    #[doc(hidden)]
    fn append(rows: S, next: N) -> Self::Output;
}

impl<T: TableDef, S, N> AppendRows<S, N> for T {
    type Output = (S, N);

    fn append(rows: S, next: N) -> Self::Output {
        (rows, next)
    }
}

macro_rules! append_rows {
    ($($rows:ident)*) => {
        impl<L: QuerySource, R: QuerySource, K, N, $($rows),*> AppendRows<($($rows,)*), N> for Joined<L, R, K> {
            type Output = ($($rows,)* N);

            #[allow(non_snake_case, reason = "the names are those of the types")]
            fn append(($($rows,)*): ($($rows,)*), next: N) -> Self::Output {
                ($($rows,)* next)
            }
        }
    };
}

append_rows! { A0 A1 }
append_rows! { A0 A1 A2 }
append_rows! { A0 A1 A2 A3 }
append_rows! { A0 A1 A2 A3 A4 }

/// The columns of a table that can be without a row.
type Optional<R> = NullableExpression<<R as Table>::AllColumns>;

/// A query of `F` with the selection `S`, and the rows of `R` that are joined to it.
pub type InnerJoined<F, S, R> = Scoped<Joined<F, R, Inner>, <F as AppendRows<S, <R as Table>::AllColumns>>::Output>;

/// As [`InnerJoined`], with rows of `F` that have none of `R`.
pub type LeftJoined<F, S, R> = Scoped<Joined<F, R, LeftOuter>, <F as AppendRows<S, Optional<R>>>::Output>;

impl<F, S> Scoped<F, S> {
    /// Joins the rows of another query, by the only reference between the tables. The rules of each side apply to its own rows, and a
    /// filter of the other query restricts the joined rows.
    pub fn inner_join<R>(self, other: ScopedRows<R>) -> InnerJoined<F, S, R>
    where
        R: TableDef,
        F: QuerySource + RefersTo<R> + Without<R> + AppendRows<S, R::AllColumns>,
    {
        let on = self.clauses.find_reference(&other.clauses);
        self.add_join(false, other.clauses, on, |rows| F::append(rows, R::all_columns()))
    }

    /// As [`inner_join`](Self::inner_join), but rows without a row of the other query stay; they have `None` in its place.
    pub fn left_join<R>(self, other: ScopedRows<R>) -> LeftJoined<F, S, R>
    where
        R: TableDef<AllColumns: NullableExpressionMethods>,
        F: QuerySource + RefersTo<R> + Without<R> + AppendRows<S, Optional<R>>,
    {
        let on = self.clauses.find_reference(&other.clauses);
        self.add_join(true, other.clauses, on, |rows| F::append(rows, R::all_columns().nullable()))
    }

    /// As [`inner_join`](Self::inner_join), by a condition of the caller.
    pub fn inner_join_on<R, P>(self, other: ScopedRows<R>, on: P) -> InnerJoined<F, S, R>
    where
        R: TableDef,
        F: QuerySource + Without<R> + AppendRows<S, R::AllColumns>,
        P: Safe + Expression<SqlType: BoolOrNullableBool> + OfTables<Joined<F, R, Inner>> + NonAggregate + Fragment + 'static,
    {
        let joined = self.add_join(false, other.clauses, Some(Arc::new(on)), |rows| F::append(rows, R::all_columns()));
        joined.isolate(P::FAILS)
    }

    /// As [`left_join`](Self::left_join), by a condition of the caller.
    pub fn left_join_on<R, P>(self, other: ScopedRows<R>, on: P) -> LeftJoined<F, S, R>
    where
        R: TableDef<AllColumns: NullableExpressionMethods>,
        F: QuerySource + Without<R> + AppendRows<S, Optional<R>>,
        P: Safe + Expression<SqlType: BoolOrNullableBool> + OfTables<Joined<F, R, Inner>> + NonAggregate + Fragment + 'static,
    {
        let joined = self.add_join(true, other.clauses, Some(Arc::new(on)), |rows| F::append(rows, R::all_columns().nullable()));
        joined.isolate(P::FAILS)
    }

    /// Restricts the rows to those with a row of another query that refers to them, or to which they refer, by the only reference
    /// between the tables.
    pub fn filter_exists<R>(self, other: ScopedRows<R>) -> Self
    where
        R: TableDef,
        F: RefersTo<R>,
    {
        let on = self.clauses.find_reference(&other.clauses);
        self.add_exists(false, other.clauses, on)
    }

    /// Restricts the rows to those without such a row; see [`filter_exists`](Self::filter_exists).
    pub fn filter_not_exists<R>(self, other: ScopedRows<R>) -> Self
    where
        R: TableDef,
        F: RefersTo<R>,
    {
        let on = self.clauses.find_reference(&other.clauses);
        self.add_exists(true, other.clauses, on)
    }

    /// As [`filter_exists`](Self::filter_exists), by a condition of the caller.
    pub fn filter_exists_on<R, P>(self, other: ScopedRows<R>, on: P) -> Self
    where
        R: TableDef,
        F: QuerySource + Without<R>,
        P: Safe + Expression<SqlType: BoolOrNullableBool> + OfTables<Joined<F, R, Inner>> + NonAggregate + Fragment + 'static,
    {
        self.isolate(P::FAILS).add_exists(false, other.isolate(P::FAILS).clauses, Some(Arc::new(on)))
    }

    /// As [`filter_not_exists`](Self::filter_not_exists), by a condition of the caller.
    pub fn filter_not_exists_on<R, P>(self, other: ScopedRows<R>, on: P) -> Self
    where
        R: TableDef,
        F: QuerySource + Without<R>,
        P: Safe + Expression<SqlType: BoolOrNullableBool> + OfTables<Joined<F, R, Inner>> + NonAggregate + Fragment + 'static,
    {
        self.isolate(P::FAILS).add_exists(true, other.isolate(P::FAILS).clauses, Some(Arc::new(on)))
    }

    fn add_exists(mut self, negated: bool, rows: Clauses, on: Option<Arc<dyn Fragment>>) -> Self {
        self.clauses.filters.push(Arc::new(Exists { negated, rows, on }));
        self
    }

    fn isolate(mut self, fails: bool) -> Self {
        self.clauses.isolated |= fails;
        self
    }

    fn add_join<J, T>(mut self, optional: bool, rows: Clauses, on: Option<Arc<dyn Fragment>>, append: impl FnOnce(S) -> T) -> Scoped<J, T> {
        self.clauses.isolated |= rows.isolated;
        self.clauses.joins.push(Join { optional, rows, on });
        Scoped { clauses: self.clauses, selection: append(self.selection), reads: PhantomData }
    }
}

#[cfg(feature = "testing")]
impl<F, S> Scoped<F, S> {
    /// A join for the property test, which knows the tables at run time.
    pub(crate) fn join_by_reference<S2>(self, optional: bool, other: Scoped<F, S2>) -> Self {
        let on = self.clauses.find_reference(&other.clauses);
        self.add_join(optional, other.clauses, on, |rows| rows)
    }

    /// A condition for the property test.
    pub(crate) fn exists_by_reference<S2>(self, negated: bool, other: Scoped<F, S2>) -> Self {
        let on = self.clauses.find_reference(&other.clauses);
        self.add_exists(negated, other.clauses, on)
    }

    /// A join of the property test by a comparison of two columns, whose tables have the names of their queries.
    pub(crate) fn join_by_columns<S2>(self, optional: bool, other: Scoped<F, S2>, columns: (&'static str, &'static str)) -> Self {
        let on = self.clauses.compare_columns(&other.clauses, columns);
        self.add_join(optional, other.clauses, Some(on), |rows| rows)
    }

    /// A condition of the property test by such a comparison.
    pub(crate) fn exists_by_columns<S2>(self, negated: bool, other: Scoped<F, S2>, columns: (&'static str, &'static str)) -> Self {
        let on = self.clauses.compare_columns(&other.clauses, columns);
        self.add_exists(negated, other.clauses, Some(on))
    }
}

#[cfg(feature = "testing")]
impl Clauses {
    fn compare_columns(&self, other: &Clauses, (own, further): (&'static str, &'static str)) -> Arc<dyn Fragment> {
        let mut on = Statement::new();
        on.ident(self.source.name).push(".").ident(own).push(" = ").ident(other.source.name).push(".").ident(further);
        Arc::new(on)
    }
}

impl Clauses {
    /// The comparison of the only reference between the first table and that of another query.
    fn find_reference(&self, other: &Clauses) -> Option<Arc<dyn Fragment>> {
        let (left, right) = (self.source.entity, other.source.entity);
        let (child, parent, column) = single_reference(left, right)?;
        let mut on = Statement::new();
        on.ident(child.table).push(".").ident(column).push(" = ").ident(parent.table).push(".").ident(parent.key().name);
        Some(Arc::new(on))
    }
}

/// The only reference between two entities, in either direction: the entity with the reference, its target, and the column.
pub(crate) fn single_reference(
    left: &'static EntityDef,
    right: &'static EntityDef,
) -> Option<(&'static EntityDef, &'static EntityDef, &'static str)> {
    let between = |child: &'static EntityDef, parent: &'static EntityDef| {
        let own = child.fields.iter().filter(move |field| field.is_stored() && field.kind.target() == Some(parent.ix));
        own.map(move |field| (child, parent, field.name))
    };
    let mut all = between(left, right).chain(between(right, left));
    let first = all.next()?;
    (left.ix != right.ix && all.next().is_none()).then_some(first)
}
