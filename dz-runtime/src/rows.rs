//! Rows without their types: what the API, the pages and the typed shims are made of.
//!
//! Every function takes a proof of access ([`Grant`]); there is no other way to a row.

use crate::{Result, Tx, Value, access::{Create, Delete, Grant, List, Read, Update}, def::{Cmp, EntityDef, Expr, FieldIx, Path}, entity::Given};

/// A row: a value per field of the entity (`Null` for relations), with its version.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// By [`FieldIx`].
    pub values: Vec<Value>,
    /// `dz_version`, the `ETag`.
    pub version: i64,
    /// The extra paths asked for, in order (what the caller may not read is `Null`).
    pub extra: Vec<Value>,
}

/// What a list is asked for.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Filters, and-ed.
    pub filters: Vec<Filter>,
    /// Words to search for, in which fields.
    pub search: Option<(String, Vec<Path>)>,
    /// Order; the key comes last by itself.
    pub sort: Vec<(Path, bool)>,
    /// Extra columns: paths over refs, joined with the target's read condition; a ref itself stands for
    /// the label of its target.
    pub extra: Vec<Extra>,
    /// Rows to skip.
    pub offset: u64,
    /// Rows at most.
    pub limit: u64,
    /// A condition of the surface (nested lists), and the key of the parent row it calls `this`.
    pub condition: Option<(Expr, Option<Value>)>,
    /// True when a client shaped it (the statement is not kept prepared).
    pub dynamic: bool,
    /// False leaves out the count.
    pub count: bool,
}

/// An extra column.
#[derive(Debug, Clone, Copy)]
pub enum Extra {
    /// The field at the end of the path.
    Field(Path),
    /// The label of the row that the ref at the end of the path points to (its key when it has none).
    Label(Path),
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
    Compare(Cmp, Value),
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
#[derive(Debug, Clone)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many there are in all; 0 when not counted.
    pub total: u64,
}

/// Rows that the caller may list.
pub fn list(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query) -> Result<Page> {
    let _ = (tx, grant, query);
    todo!()
}

/// One row; 404 when it does not exist or may not be read.
pub fn read(tx: &mut Tx<'_>, grant: &Grant<Read>, id: &Value, extra: &[Extra]) -> Result<Row> {
    let _ = (tx, grant, id, extra);
    todo!()
}

/// As [`create`], for the application's own Rust: always gives the row that was made.
pub(crate) fn made(tx: &mut Tx<'_>, grant: &Grant<Create>, given: Given) -> Result<Row> {
    let _ = (tx, grant, given);
    todo!()
}

/// As [`update`], for the application's own Rust: always gives the row as it is then.
pub(crate) fn changed(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, given: Given) -> Result<Row> {
    let _ = (tx, grant, id, given);
    todo!()
}

/// As [`update`], but an optional field that is not given becomes null.
pub fn replace(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, given: Vec<(FieldIx, Value)>, version: Option<i64>) -> Result<Option<Row>> {
    let _ = (tx, grant, id, given, version);
    todo!()
}

/// Makes a row from the given fields; defaults, `auto_add` and the key are filled in. Hooks run. The
/// answer is `None` when the caller may not read what it made (then only the key may be told).
pub fn create(tx: &mut Tx<'_>, grant: &Grant<Create>, given: Vec<(FieldIx, Value)>) -> Result<(Value, Option<Row>)> {
    let _ = (tx, grant, given);
    todo!()
}

/// Changes the given fields of a row. `version` is the `If-Match`: another one stored is 412 `STALE`.
pub fn update(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, given: Vec<(FieldIx, Value)>, version: Option<i64>) -> Result<Option<Row>> {
    let _ = (tx, grant, id, given, version);
    todo!()
}

/// Removes a row, with what its refs say about the rows that point to it.
pub fn delete(tx: &mut Tx<'_>, grant: &Grant<Delete>, id: &Value, version: Option<i64>) -> Result<()> {
    let _ = (tx, grant, id, version);
    todo!()
}

/// Keys and labels of at most `limit` rows that the caller may choose in a ref, by label; `search` narrows
/// by the label.
pub fn options(tx: &mut Tx<'_>, entity: &'static EntityDef, search: Option<&str>, limit: u64) -> Result<Vec<(Value, String)>> {
    let _ = (tx, entity, search, limit);
    todo!()
}

/// The label of one row; nothing when the caller may not see it.
pub fn label(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<Option<String>> {
    let _ = (tx, entity, id);
    todo!()
}
