//! Pieces of SQL with their parameters: the row conditions of the access rules, and the filters of lists.
//!
//! The text of a piece comes from this program only. Values of a request are always parameters.

use chrono::NaiveDate;
use diesel::{
    QueryResult,
    expression::{AppearsOnTable, Expression, SelectableExpression, TypedExpressionType, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{BigInt, Bool, Date, Double, Nullable, SqlType, Text},
};
use rust_decimal::Decimal;

use crate::{
    db::Engine,
    types::{Document, Id, Identifier, Instant, Json, Timestamp},
};

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(Option<String>),
    Id(Option<Id>),
    Int(Option<i64>),
    Float(Option<f64>),
    Bool(Option<bool>),
    Date(Option<NaiveDate>),
    Timestamp(Option<Timestamp>),
    #[cfg(feature = "postgres")]
    Number(Option<crate::types::Number<28, 0>>),
    Document(Option<Document>),
}

impl Value {
    /// A number as a column with these digits stores it.
    #[cfg(feature = "postgres")]
    pub fn number(number: Option<Decimal>, _digits: (u8, u8)) -> Value {
        Value::Number(number.map(crate::types::Number))
    }

    /// A number as a column with these digits stores it. SQLite stores units of the last place; a number with more places equals no
    /// stored one, and requests with such a number are refused before.
    #[cfg(not(feature = "postgres"))]
    pub fn number(number: Option<Decimal>, (precision, scale): (u8, u8)) -> Value {
        let units = number.and_then(|number| crate::types::to_units(number, precision, scale));
        match precision > crate::types::INTEGER_DIGITS {
            true => Value::Text(units.map(|units| crate::types::ordered_text(units, precision))),
            false => Value::Int(units.and_then(|units| i64::try_from(units).ok())),
        }
    }

    fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Engine>) -> QueryResult<()> {
        match self {
            Value::Text(value) => {
                out.push_bind_param::<Nullable<Text>, _>(value)?;
                // The collation of all columns with text: without it, PostgreSQL compares by the rules of the server.
                if cfg!(feature = "postgres") {
                    out.push_sql(" COLLATE \"C\"");
                }
                Ok(())
            }
            Value::Id(value) => out.push_bind_param::<Nullable<Identifier>, _>(value),
            Value::Int(value) => out.push_bind_param::<Nullable<BigInt>, _>(value),
            Value::Float(value) => out.push_bind_param::<Nullable<Double>, _>(value),
            Value::Bool(value) => out.push_bind_param::<Nullable<Bool>, _>(value),
            Value::Date(value) => out.push_bind_param::<Nullable<Date>, _>(value),
            Value::Timestamp(value) => out.push_bind_param::<Nullable<Instant>, _>(value),
            #[cfg(feature = "postgres")]
            Value::Number(value) => out.push_bind_param::<Nullable<crate::types::Exact<28, 0>>, _>(value),
            Value::Document(value) => out.push_bind_param::<Nullable<Json>, _>(value),
        }
    }
}

/// A piece of SQL. As a condition, null means false.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sql {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(String),
    Value(Value),
}

impl Sql {
    /// The text, with a parameter for each `?`.
    pub fn new<const N: usize>(text: impl Into<String>, values: [Value; N]) -> Sql {
        let (text, mut values) = (text.into(), values.into_iter());
        let mut parts = Vec::new();
        for (at, piece) in text.split('?').enumerate() {
            if at > 0 {
                parts.extend(values.next().map(Part::Value));
            }
            parts.push(Part::Text(piece.to_owned()));
        }
        Sql { parts }
    }

    /// The text alone.
    pub fn text(text: impl Into<String>) -> Sql {
        Sql { parts: vec![Part::Text(text.into())] }
    }

    /// A parameter alone.
    pub fn value(value: Value) -> Sql {
        Sql { parts: vec![Part::Value(value)] }
    }

    /// Both pieces, one after the other.
    pub fn then(mut self, other: Sql) -> Sql {
        self.parts.extend(other.parts);
        self
    }

    /// The condition as a value that is never null.
    pub fn is_true(self) -> Sql {
        if self == constant(true) || self == constant(false) { self } else { self.between("COALESCE(", ", FALSE)") }
    }

    /// The piece as a value of a type, for the columns of a query.
    pub fn typed<T>(self) -> Typed<T> {
        Typed { sql: self, of: std::marker::PhantomData }
    }

    /// The piece with text before and after it.
    pub fn between(self, before: impl Into<String>, after: impl Into<String>) -> Sql {
        Sql::text(before).then(self).then(Sql::text(after))
    }
}

/// True for every row, or for none.
pub fn constant(holds: bool) -> Sql {
    Sql::text(if holds { "TRUE" } else { "FALSE" })
}

/// True for the rows for which all conditions are true.
pub fn all<const N: usize>(conditions: [Sql; N]) -> Sql {
    join(conditions.into(), "AND", "TRUE", "FALSE")
}

/// True for the rows for which at least one condition is true.
pub fn any<const N: usize>(conditions: [Sql; N]) -> Sql {
    join(conditions.into(), "OR", "FALSE", "TRUE")
}

/// As [`all`], for a list.
pub fn all_of(conditions: Vec<Sql>) -> Sql {
    join(conditions, "AND", "TRUE", "FALSE")
}

/// As [`any`], for a list.
pub fn any_of(conditions: Vec<Sql>) -> Sql {
    join(conditions, "OR", "FALSE", "TRUE")
}

/// True for the rows with one of these keys in a column.
pub fn one_of(column: &str, keys: Vec<Value>) -> Sql {
    if keys.is_empty() {
        return constant(false);
    }
    list_of(keys).between(format!("{column} IN ("), ")")
}

/// Values with commas between them.
pub fn list_of(values: Vec<Value>) -> Sql {
    let mut list = Sql::default();
    for (at, value) in values.into_iter().enumerate() {
        list = list.then(Sql::value(value).between(if at == 0 { "" } else { ", " }, ""));
    }
    list
}

/// True for the rows for which the condition is false.
pub fn not(condition: Sql) -> Sql {
    condition.between("NOT (", ")")
}

/// True for no row without the value, such as that of an account of a caller who is not signed in; else what `then` says.
pub fn if_known<T>(value: Option<T>, then: impl FnOnce(T) -> Sql) -> Sql {
    value.map_or_else(|| constant(false), then)
}

/// Joins conditions; `neutral` can be left out, and `decisive` decides alone.
fn join(conditions: Vec<Sql>, word: &str, neutral: &str, decisive: &str) -> Sql {
    if conditions.contains(&Sql::text(decisive)) {
        return Sql::text(decisive);
    }
    let mut rest = conditions.into_iter().filter(|it| *it != Sql::text(neutral));
    let Some(first) = rest.next() else { return Sql::text(neutral) };
    let mut joined = first;
    let mut several = false;
    for next in rest {
        several = true;
        joined = joined.then(Sql::text(format!(" {word} "))).then(next);
    }
    if several { joined.between("(", ")") } else { joined }
}

impl Expression for Sql {
    type SqlType = Bool;
}

impl ValidGrouping<()> for Sql {
    type IsAggregate = is_aggregate::Never;
}

impl QueryId for Sql {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Rows: ?Sized> AppearsOnTable<Rows> for Sql {}
impl<Rows: ?Sized> SelectableExpression<Rows> for Sql {}

impl QueryFragment<Engine> for Sql {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Engine>) -> QueryResult<()> {
        // The text depends on the request, so the statement is not kept prepared.
        out.unsafe_to_cache_prepared();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_sql(text),
                Part::Value(value) => value.push(&mut out)?,
            }
        }
        Ok(())
    }
}

/// As a whole statement, whose rows are read by the names of their columns.
impl diesel::query_builder::Query for Sql {
    type SqlType = diesel::sql_types::Untyped;
}

impl diesel::RunQueryDsl<crate::db::Connection> for Sql {}

/// A piece as a value of a SQL type.
#[derive(Debug, Clone)]
pub struct Typed<T> {
    sql: Sql,
    of: std::marker::PhantomData<T>,
}

impl<T: SqlType + TypedExpressionType> Expression for Typed<T> {
    type SqlType = T;
}

impl<T> ValidGrouping<()> for Typed<T> {
    type IsAggregate = is_aggregate::Never;
}

impl<T> QueryId for Typed<T> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<T, Rows: ?Sized> AppearsOnTable<Rows> for Typed<T> where Typed<T>: Expression {}
impl<T, Rows: ?Sized> SelectableExpression<Rows> for Typed<T> where Typed<T>: Expression {}

impl<T> QueryFragment<Engine> for Typed<T> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Engine>) -> QueryResult<()> {
        self.sql.walk_ast(out)
    }
}
