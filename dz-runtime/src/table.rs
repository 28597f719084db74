//! The tables of an application for diesel, as `diesel::table!` declares them, at a tenth of its compile time.
//!
//! diesel's macro writes about thirty trait implementations for each column, and two more for each pair of columns. Here a column
//! is a [`Column`] over a description ([`ColumnDef`]), and its implementations exist once, in `column`, for all columns of all
//! tables. The table itself is a struct of the application, so that `joinable!`, `allow_tables_to_appear_in_same_query!`, `alias!`
//! and diesel's derives work as with diesel's tables.

mod aggregates;
mod alias;
mod column;
mod declare;
mod grouping;
mod joins;
mod operand;
mod operators;
#[cfg(test)]
mod tests;

pub use aggregates::{Averaged, Mean, Sum, Summable};
pub use alias::{AliasDef, ColumnsOf};
pub use column::{Column, Star};
pub use grouping::{False, Same, SameTable, True, place};
pub use operand::{Foreign, OfAnotherCrate, OfDiesel, Operand, Operands};
pub use operators::{CanFail, Enclosed, Operation};

/// The parts of diesel that its own macro names.
#[doc(hidden)]
pub use diesel::internal::table_macro as parts;

use diesel::{
    internal::table_macro::{BoxedSelectStatement, FromClause, SelectStatement, StaticQueryFragment, StaticQueryFragmentInstance},
    query_source::{AppearsInFromClause, Once},
    sql_types::{SingleValue, SqlType},
};

/// A table that `table!` declared.
pub trait TableDef:
    diesel::Table
    + diesel::QuerySource<FromClause = StaticQueryFragmentInstance<Self>>
    + StaticQueryFragment
    + AppearsInFromClause<Self, Count = Once>
    + Copy
    + Default
    + 'static
{
    /// The column that is its key.
    type Key: ColumnDef<Self>;

    /// Its name in the database.
    const NAME: &'static str;
}

/// All rows of a table.
pub type TableQuery<T> = SelectStatement<FromClause<T>>;

/// A query of a table whose type does not contain its conditions.
pub type BoxedQuery<'a, T, ST, DB> = BoxedSelectStatement<'a, ST, FromClause<T>, DB>;

/// The description of a column of the table `T`.
pub trait ColumnDef<T>: 'static {
    /// Its type in SQL.
    type SqlType: SqlType + SingleValue;

    /// Its place among the columns of its table, one of [`place`].
    type Position;

    /// Its name in the database.
    const NAME: &'static str;
}
