//! Untyped access to rows, for the API, the pages and the typed functions of the application.
//!
//! Every function takes a proof of access ([`Grant`](crate::access::Grant)). No other function reads or writes rows.

pub(crate) mod account;
mod act;
mod audit;
mod bulk;
mod check;
mod create;
mod delete;
pub(crate) mod explain;
mod filter;
mod graph_edges;
mod input;
mod invariants;
mod joins;
mod junction;
mod key;
mod keyset;
mod label;
mod list;
mod options;
mod precondition;
mod reachable;
mod read;
mod read_many;
mod read_where;
mod referable;
mod restore;
mod select;
pub(crate) mod singleton;
pub(crate) mod temporal;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod tests;
pub(crate) mod timed_transitions;
mod total;
pub(crate) mod transitions;
mod unique;
mod update;
mod with_children;
mod write;

pub(crate) use crate::field::widen;
pub use crate::record::Row;
pub(crate) use act::run_action;
pub(crate) use audit::{is_audited, record_query, record_read, record_reads, record_write};
pub(crate) use bulk::run_each;
pub(crate) use check::{check_part, constant};
pub use create::create;
pub(crate) use create::{create_row, insert_row};
pub use delete::delete;
pub use input::Input;
pub(crate) use joins::null_without_row;
pub use junction::Link;
pub(crate) use key::parse_key;
pub(crate) use label::ReferenceLabel;
pub use list::list;
#[cfg(feature = "graphql")]
pub(crate) use list::list_by_parent;
pub(crate) use list::{Group, GroupAggregate, GroupKey, aggregate, aggregate_groups, batch, keys};
pub(crate) use options::labels;
pub use options::{label, options};
pub(crate) use precondition::{evaluate_conditions, row_as_table};
pub(crate) use reachable::{depends_on_row, reachable_keys};
pub use read::read;
pub(crate) use read::{check_surface_scope, from_key, load_values, lock, mask};
pub(crate) use read_many::{is_readable, is_readable_key, read_many};
pub(crate) use read_where::{filter_own_fields, read_where};
pub(crate) use referable::are_referable;
pub use restore::restore;
pub(crate) use restore::restore_row;
pub(crate) use select::ROW;
pub use total::{Counting, Total};
pub(crate) use update::{make_transition, update_row};
pub use update::{replace, transition, update};
pub(crate) use with_children::{await_children, check_children, create_with_children, update_with_children};

use crate::{
    Value,
    db::emit::Condition,
    def::{AttentionDef, Comparison, Expr, FieldIx, Path},
};

/// The parameters of a list.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Filters; a row must fulfil all of them.
    pub filters: Vec<Filter>,
    /// The search text and the fields that are searched.
    pub search: Option<(String, Vec<Path>)>,
    /// A search whose best matches come first.
    pub ranked: Option<RankedSearch>,
    /// The sort order; the primary key is always the last sort key.
    pub sort: Vec<(Path, bool)>,
    /// Additional columns; a reference is joined under the read rule of its target.
    pub extra: Vec<Extra>,
    /// The fields to read in addition to the key, if not all are needed; the others are null.
    pub only: Option<Vec<FieldIx>>,
    /// Conditions that are evaluated for each row; the results follow the additional columns.
    pub tests: Vec<RowTest>,
    /// Restricts the list to rows with a signal, and without more urgent ones.
    pub attention: Option<RowsOfLevel>,
    /// The number of rows to skip.
    pub offset: u64,
    /// The maximum number of rows.
    pub limit: u64,
    /// The condition of a nested list, with the key of the parent row that it refers to as `this`.
    pub condition: Option<(Expr, Option<Value>)>,
    /// Restricts the list to rows that a junction connects with one row.
    pub link: Option<Link>,
    /// A further condition of dz on the rows.
    pub narrower: Option<Condition>,
    /// True if the text of the statement depends on the request; the number of such texts that are kept prepared is limited.
    pub dynamic: bool,
    /// How the rows of all pages are counted.
    pub count: Counting,
    /// For lists that are read in batches: the sort values of the last row of the batch before; empty for the first batch.
    pub after: Option<Vec<Value>>,
}

/// A search for several words: each word must occur in one of the fields. Rows whose label begins with the text come first, then those
/// whose label contains it.
#[derive(Debug, Clone)]
pub struct RankedSearch {
    /// The whole text.
    pub text: String,
    /// The fields that are searched.
    pub paths: Vec<Path>,
    /// The text field that is the label of the rows; without it, the rows are not ranked.
    pub label: Option<Path>,
}

/// The rows whose most urgent signal is one of some.
#[derive(Debug, Clone, Copy)]
pub struct RowsOfLevel {
    /// At least one applies.
    pub any_of: &'static [AttentionDef],
    /// None applies.
    pub none_of: &'static [AttentionDef],
}

/// A condition on a row.
#[derive(Debug, Clone, Copy)]
pub enum RowTest {
    /// The rule for an action.
    Rule(&'static str),
    /// A declared condition.
    When(&'static Expr),
}

/// An extra column.
#[derive(Debug, Clone, Copy)]
pub enum Extra {
    /// The field at the end of the path.
    Field(Path),
    /// The label of the row that the reference at the end of the path refers to.
    Label(Path),
    /// The key of that row; null if the row is not visible to the caller.
    Key(Path),
    /// The result of a condition on the row.
    Test(RowTest),
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

/// A page of a list.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// The number of rows on all pages; 0 if it was not counted.
    pub total: Total,
}

/// A column of the listed entity, as the statements of lists name it.
pub(crate) fn column_of_row(name: &str) -> String {
    select::column(select::ROW, name)
}
