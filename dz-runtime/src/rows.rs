//! Rows without their types: what the API, the pages and the typed shims are made of.
//!
//! Every function takes a proof of access ([`Grant`](crate::access::Grant)); there is no other way to a row.

pub(crate) mod account;
mod audit;
mod bulk;
mod check;
mod create;
mod delete;
pub(crate) mod explain;
mod filter;
mod input;
mod invariants;
mod joins;
mod junction;
mod keyset;
mod label;
mod list;
mod options;
mod precondition;
mod read;
mod read_many;
mod restore;
mod select;
pub(crate) mod singleton;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod tests;
pub(crate) mod timed_transitions;
pub(crate) mod transitions;
mod unique;
mod update;
mod write;

pub use crate::record::Row;
pub(crate) use audit::{is_audited, record_query, record_read, record_reads, record_write};
pub(crate) use bulk::run_each;
pub(crate) use check::{check_part, constant, widen};
pub use create::create;
pub(crate) use create::{create_row, insert_row};
pub use delete::delete;
pub use input::Input;
pub(crate) use joins::null_without_row;
pub use junction::Link;
pub(crate) use label::ReferenceLabel;
pub use list::list;
pub(crate) use list::{aggregate, batch, keys};
pub use options::{label, options};
pub(crate) use precondition::row_as_table;
pub use read::read;
pub(crate) use read::{check_surface_scope, from_key, load_values, lock};
pub(crate) use read_many::{is_readable, read_many};
pub use restore::restore;
pub(crate) use restore::restore_row;
pub(crate) use select::ROW;
pub(crate) use update::{make_transition, update_row};
pub use update::{replace, transition, update};

use crate::{
    Value,
    def::{Comparison, Expr, FieldIx, Path},
};

/// What a list is asked for.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Filters, and-ed.
    pub filters: Vec<Filter>,
    /// Words to search for, in which fields.
    pub search: Option<(String, Vec<Path>)>,
    /// Order; the key comes last by itself.
    pub sort: Vec<(Path, bool)>,
    /// Extra columns, joined with the target's read condition.
    pub extra: Vec<Extra>,
    /// Where not all fields of the rows are needed, those that are, besides the key; the others are null.
    pub only: Option<Vec<FieldIx>>,
    /// Rows to skip.
    pub offset: u64,
    /// Rows at most.
    pub limit: u64,
    /// A condition of the surface (nested lists), and the entity and key of the parent row it calls `this`.
    pub condition: Option<(Expr, Option<Value>)>,
    /// Only rows that a junction connects with one row.
    pub link: Option<Link>,
    /// True when a client shaped it: the statement is kept prepared only if it is among the first ones.
    pub dynamic: bool,
    /// False leaves out the count.
    pub count: bool,
    /// For lists that are read in batches: where the last one ended; empty before the first one.
    pub after: Option<Vec<Value>>,
}

/// An extra column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extra {
    /// The field at the end of the path.
    Field(Path),
    /// The value that names the row to which the ref at the end of the path leads.
    Label(Path),
    /// The key of that row: null where the caller does not see it.
    Key(Path),
}

/// One filter.
#[derive(Debug, Clone)]
pub struct Filter {
    /// The field.
    pub path: Path,
    /// The operator.
    pub op: FilterOp,
}

/// Operators of filters. Null is a value for `=` and `!=`; ordering with null is false.
#[derive(Debug, Clone)]
pub enum FilterOp {
    /// `= != < <= > >=`
    Compare(Comparison, Value),
    /// The comparison holds, or there is no value.
    CompareOrNull(Comparison, Value),
    /// `in`
    In(Vec<Value>),
    /// `isnull`
    IsNull(bool),
    /// `contains`
    Contains(String),
    /// `icontains`
    IContains(String),
    /// `startswith`
    StartsWith(String),
}

/// Rows of a list.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many there are in all; 0 when not counted.
    pub total: u64,
}

/// A column of a list's own rows, as its statements have it.
pub(crate) fn column_of_row(name: &str) -> String {
    select::column(select::ROW, name)
}
