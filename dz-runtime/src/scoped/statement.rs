//! A scoped query as SQL.

use std::sync::Arc;

use diesel::{
    AppearsOnTable, Expression, QueryResult, SelectableExpression,
    backend::Backend,
    expression::{
        TypedExpressionType, ValidGrouping,
        array_comparison::{AsInExpression, InExpression},
        is_aggregate,
    },
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    result::Error,
    serialize::ToSql,
    sql_types::{BigInt, HasSqlType, IntoNullable, SqlType, Text},
};

use super::{
    Clauses, Fragment, Safe, Scoped,
    join::{Exists, Join},
    source::Source,
};
use crate::{db::Statement, table::Operation};

/// The rows of a query; a separate type, so that only a unit of work can run a `Scoped` query.
#[derive(Debug, Clone)]
pub struct Rows<F, S, G>(pub(super) Scoped<F, S, G>);

/// The number of rows of a query.
#[derive(Debug, Clone)]
pub struct RowCount<F, S, G>(pub(super) Scoped<F, S, G>);

/// The keys, as text, of the rows of one table that a query returns, or of all rows of its groups; empty for no row.
#[derive(Debug, Clone)]
pub struct Keys<F, S, G> {
    pub(super) query: Scoped<F, S, G>,
    /// True if the query selects aggregates, to which all its rows contribute.
    pub(super) of_all: bool,
    /// The place of the table in the query.
    pub(super) table: usize,
}

/// The first value of a query, which is null without a row.
#[derive(Debug, Clone)]
pub struct FirstValue<F, S, G>(Scoped<F, S, G>);

/// A query as the right side of a comparison.
#[derive(Debug, Clone)]
pub struct Subquery<F, S, G>(Scoped<F, S, G>);

impl<F, S, G> Scoped<F, S, G> {
    /// The first value of the query as a value of another query; null without a row. The query cannot name columns of the other one.
    ///
    /// ```ignore
    /// let mean = task::scoped(tx, List)?.select(tasks::effort.avg()).single_value();
    /// ```
    pub fn single_value(mut self) -> Operation<FirstValue<F, S, G>, ()>
    where
        S: Safe + Expression<SqlType: SqlType + IntoNullable>,
    {
        self.clauses.limit = Some(self.clauses.limit.map_or(1, |limit| limit.min(1)));
        Operation::with_safe_parts(FirstValue(self))
    }

    fn walk<'b, DB: Backend + HasSqlType<BigInt>>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        Statement: QueryFragment<DB>,
        dyn Fragment: QueryFragment<DB>,
        S: QueryFragment<DB>,
        i64: ToSql<BigInt, DB>,
    {
        out.push_sql(if self.clauses.distinct { "SELECT DISTINCT " } else { "SELECT " });
        self.selection.walk_ast(out.reborrow())?;
        self.clauses.walk_tables(out.reborrow())?;
        self.clauses.walk_groups(out.reborrow())?;
        self.clauses.walk_rows(out.reborrow())
    }
}

impl Clauses {
    fn walk_keys<'b, DB: Backend + HasSqlType<BigInt>>(
        &'b self,
        of_all: bool,
        table: usize,
        mut out: AstPass<'_, 'b, DB>,
    ) -> QueryResult<()>
    where
        Statement: QueryFragment<DB>,
        dyn Fragment: QueryFragment<DB>,
        i64: ToSql<BigInt, DB>,
    {
        out.push_sql("SELECT ");
        // A left join has rows without a key.
        let optional = table > 0;
        out.push_sql(if optional { "COALESCE(" } else { "" });
        self.sources().nth(table).into_iter().for_each(|source| out.push_sql(&source.key));
        out.push_sql(if optional { ", '')" } else { "" });
        self.walk_tables(out.reborrow())?;
        // A group or a distinct value can represent any number of rows.
        if of_all || self.distinct || !self.groups.is_empty() { Ok(()) } else { self.walk_rows(out) }
    }

    /// The tables and the conditions on their rows.
    fn walk_tables<'b, DB: Backend + HasSqlType<BigInt>>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        Statement: QueryFragment<DB>,
        dyn Fragment: QueryFragment<DB>,
        i64: ToSql<BigInt, DB>,
    {
        out.push_sql(" FROM ");
        self.source.walk(self.isolated, out.reborrow())?;
        self.joins.iter().try_for_each(|join| join.walk(self.isolated, out.reborrow()))?;
        list(" WHERE ", " AND ", &self.filters, out)
    }

    fn walk_groups<'b, DB: Backend>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        dyn Fragment: QueryFragment<DB>,
    {
        list(" GROUP BY ", ", ", &self.groups, out.reborrow())?;
        list(" HAVING ", " AND ", &self.having, out)
    }

    /// The rows of a query of one table, as a table with the name of the table.
    fn walk_as_table<'b, DB: Backend + HasSqlType<BigInt>>(&'b self, isolated: bool, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        Statement: QueryFragment<DB>,
        dyn Fragment: QueryFragment<DB>,
        i64: ToSql<BigInt, DB>,
    {
        let isolated = isolated || self.isolated;
        if !self.having.is_empty() {
            return Err(diesel::result::Error::QueryBuilderError("`having` needs `group_by`".into()));
        }
        if self.is_plain() {
            return self.source.walk(isolated, out);
        }
        out.push_sql(if self.distinct { "(SELECT DISTINCT " } else { "(SELECT " });
        out.push_identifier(self.source.name)?;
        out.push_sql(".* FROM ");
        self.source.walk(isolated, out.reborrow())?;
        list(" WHERE ", " AND ", &self.filters, out.reborrow())?;
        self.walk_rows(out.reborrow())?;
        out.push_sql(") AS ");
        out.push_identifier(self.source.name)
    }

    /// The order, the limit and the offset.
    fn walk_rows<'b, DB: Backend + HasSqlType<BigInt>>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        dyn Fragment: QueryFragment<DB>,
        i64: ToSql<BigInt, DB>,
    {
        list(" ORDER BY ", ", ", &self.order, out.reborrow())?;
        match (&self.limit, &self.offset) {
            (None, None) => {}
            (None, Some(_)) => {
                out.push_sql(" LIMIT ");
                out.push_bind_param::<BigInt, _>(&i64::MAX)?;
            }
            (Some(limit), _) => {
                out.push_sql(" LIMIT ");
                out.push_bind_param::<BigInt, _>(limit)?;
            }
        }
        if let Some(offset) = &self.offset {
            out.push_sql(" OFFSET ");
            out.push_bind_param::<BigInt, _>(offset)?;
        }
        Ok(())
    }
}

impl Join {
    fn walk<'b, DB: Backend + HasSqlType<BigInt>>(&'b self, isolated: bool, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        Statement: QueryFragment<DB>,
        dyn Fragment: QueryFragment<DB>,
        i64: ToSql<BigInt, DB>,
    {
        out.push_sql(if self.optional { " LEFT OUTER JOIN " } else { " INNER JOIN " });
        self.rows.walk_as_table(isolated, out.reborrow())?;
        out.push_sql(" ON ");
        walk_on(&self.on, out)
    }
}

/// The condition that connects two tables.
fn walk_on<'b, DB: Backend>(on: &'b Option<Arc<dyn Fragment>>, out: AstPass<'_, 'b, DB>) -> QueryResult<()>
where
    dyn Fragment: QueryFragment<DB>,
{
    // The bounds of joins exclude it, but an application can implement diesel's `JoinTo` for its own tables.
    let on = on.as_deref().ok_or_else(|| Error::QueryBuilderError("the tables are not connected by exactly one reference".into()))?;
    QueryFragment::<DB>::walk_ast(on, out)
}

impl<DB> QueryFragment<DB> for Exists
where
    DB: Backend + HasSqlType<BigInt>,
    Statement: QueryFragment<DB>,
    dyn Fragment: QueryFragment<DB>,
    i64: ToSql<BigInt, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(if self.negated { "NOT EXISTS (SELECT 1 FROM " } else { "EXISTS (SELECT 1 FROM " });
        self.rows.walk_as_table(false, out.reborrow())?;
        out.push_sql(" WHERE ");
        walk_on(&self.on, out.reborrow())?;
        out.push_sql(")");
        Ok(())
    }
}

impl Source {
    fn walk<'b, DB: Backend>(&'b self, isolated: bool, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        Statement: QueryFragment<DB>,
    {
        self.check_unit()?;
        self.rows.walk_ast(out.reborrow())?;
        out.push_sql(if isolated { self.barrier } else { "" });
        out.push_sql(") AS ");
        out.push_identifier(self.name)
    }
}

/// Writes a clause with its parts, if there are any.
fn list<'b, DB: Backend>(head: &str, between: &str, parts: &'b [Arc<dyn Fragment>], mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
where
    dyn Fragment: QueryFragment<DB>,
{
    for (at, part) in parts.iter().enumerate() {
        out.push_sql(if at == 0 { head } else { between });
        QueryFragment::<DB>::walk_ast(part.as_ref(), out.reborrow())?;
    }
    Ok(())
}

macro_rules! fragments {
    ($($type:ident, |$this:ident, $out:ident| $walk:expr;)*) => {$(
        impl<F, S, G, DB> QueryFragment<DB> for $type<F, S, G>
        where
            DB: Backend + HasSqlType<BigInt>,
            Statement: QueryFragment<DB>,
            dyn Fragment: QueryFragment<DB>,
            S: QueryFragment<DB>,
            i64: ToSql<BigInt, DB>,
        {
            fn walk_ast<'b>(&'b $this, mut $out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
                $walk
            }
        }

        impl<F, S, G> QueryId for $type<F, S, G> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }
    )*};
}

fragments! {
    Rows, |self, out| self.0.walk(out.reborrow());
    Subquery, |self, out| self.0.walk(out.reborrow());
    Keys, |self, out| self.query.clauses.walk_keys(self.of_all, self.table, out.reborrow());
    FirstValue, |self, out| {
        out.push_sql("(");
        self.0.walk(out.reborrow())?;
        out.push_sql(")");
        Ok(())
    };
    RowCount, |self, out| {
        out.push_sql("SELECT COUNT(*) FROM (");
        self.0.walk(out.reborrow())?;
        out.push_sql(") AS ");
        out.push_identifier("dz_counted")
    };
}

impl<F, S: Expression + ValidGrouping<G>, G> Query for Rows<F, S, G> {
    type SqlType = S::SqlType;
}

impl<F, S, G, Conn> diesel::RunQueryDsl<Conn> for Rows<F, S, G> {}

impl<F, S, G> Query for RowCount<F, S, G> {
    type SqlType = BigInt;
}

impl<F, S, G, Conn> diesel::RunQueryDsl<Conn> for RowCount<F, S, G> {}

impl<F, S, G> Query for Keys<F, S, G> {
    type SqlType = Text;
}

impl<F, S, G, Conn> diesel::RunQueryDsl<Conn> for Keys<F, S, G> {}

impl<ST, F, S, G> AsInExpression<ST> for Scoped<F, S, G>
where
    ST: SqlType,
    S: Expression<SqlType = ST> + ValidGrouping<G>,
{
    type InExpression = Subquery<F, S, G>;

    fn as_in_expression(self) -> Self::InExpression {
        Subquery(self)
    }
}

impl<F, S: Expression, G> Expression for Subquery<F, S, G> {
    type SqlType = S::SqlType;
}

impl<F, S: Expression<SqlType: SqlType>, G> InExpression for Subquery<F, S, G> {
    type SqlType = S::SqlType;

    fn is_empty(&self) -> bool {
        false
    }

    fn is_array(&self) -> bool {
        false
    }
}

impl<F, S: Expression<SqlType: IntoNullable>, G> Expression for FirstValue<F, S, G>
where
    <S::SqlType as IntoNullable>::Nullable: TypedExpressionType,
{
    type SqlType = <S::SqlType as IntoNullable>::Nullable;
}

// It uses no column of the outer query, as the right side of a comparison does.
impl<F, S, G, QS> AppearsOnTable<QS> for FirstValue<F, S, G> where Self: Expression {}

impl<F, S, G, QS> SelectableExpression<QS> for FirstValue<F, S, G> where Self: Expression {}

impl<F, S, G, GB> ValidGrouping<GB> for FirstValue<F, S, G> {
    type IsAggregate = is_aggregate::Never;
}

// It uses no column of the outer query.
impl<F, S: Expression, G, QS> AppearsOnTable<QS> for Subquery<F, S, G> {}

impl<F, S: Expression, G, QS> SelectableExpression<QS> for Subquery<F, S, G> {}

impl<F, S, G, GB> ValidGrouping<GB> for Subquery<F, S, G> {
    type IsAggregate = is_aggregate::Never;
}
