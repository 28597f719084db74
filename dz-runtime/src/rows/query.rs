//! The parameters of a list, and a page of its rows.

use super::{Counting, Filter, Link, Row, Total};
use crate::{
    Value,
    db::emit::Condition,
    def::{AttentionDef, Expr, FieldIx, Path},
};

/// The maximum number of fields by which a client can sort a list.
pub(crate) const MAX_SORTS: usize = 10;
/// The maximum number of values with which a client can compare a field.
pub(crate) const MAX_VALUES: usize = 1_000;
/// The maximum number of references in a path that a client names.
pub(crate) const MAX_HOPS: usize = 4;

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

/// A page of a list.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// The number of rows on all pages; 0 if it was not counted.
    pub total: Total,
}
