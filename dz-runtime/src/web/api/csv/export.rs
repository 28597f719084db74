//! Export of a list as CSV, read in batches; no connection is held between them.

use crate::{
    Error, Result, Tx, Value,
    access::{List, SurfaceScope},
    def::{AppDef, EntityDef, FieldDef, FieldIx},
    rows::{self, Counting, Query, ReferenceLabel, Row},
    web::{
        Reply,
        api::{csv::export_record::ExportRecord, params},
    },
};

/// The size of the first batch. The length of its text determines the size of the next one.
const FIRST_BATCH: u64 = 100;
/// The intended size of a batch in bytes.
const BATCH_BYTES: usize = 1 << 20;
/// The maximum number of rows of a batch.
const MAX_BATCH: u64 = 4_000;

/// The source of a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell {
    /// A field of the row.
    Own(FieldIx),
    /// An extra column of the query.
    Extra(usize),
    /// The label of a referenced row.
    Label(ReferenceLabel),
}

impl Cell {
    /// The source of the currency of an amount. For an amount of another row it is the next extra column.
    pub fn currency(self, field: &FieldDef) -> Option<Cell> {
        let at = field.currency_in?;
        Some(match self {
            Cell::Own(_) => Cell::Own(at),
            Cell::Extra(amount) => Cell::Extra(amount + 1),
            Cell::Label(_) => return None,
        })
    }

    /// Its value in a row.
    pub fn value(self, row: &Row) -> &Value {
        match self {
            Cell::Own(at) => row.value(at),
            Cell::Extra(at) => row.extra.get(at).unwrap_or(&Value::Null),
            Cell::Label(_) => &Value::Null,
        }
    }
}

/// The rest of an export.
#[derive(Debug)]
pub(crate) struct Export {
    entity: &'static EntityDef,
    /// The rows of the page that exports.
    within: SurfaceScope,
    query: Query,
    columns: Vec<(Cell, &'static FieldDef)>,
    /// The tenant of the export.
    tenant: Option<Value>,
    done: bool,
    /// The audit record of the exported rows.
    pub(crate) record: ExportRecord,
}

/// True if the query requests CSV.
///
/// # Errors
/// 400 for an unknown format.
pub(crate) fn is_requested(pairs: &[(String, String)]) -> Result<bool> {
    let Some((_, format)) = pairs.iter().find(|(name, _)| name == "format") else { return Ok(false) };
    match format.as_str() {
        "csv" => Ok(true),
        "json" => Ok(false),
        other => Err(Error::bad_request(format!("`format` is `json` or `csv`, not `{}`", other.escape_default()))),
    }
}

/// True for the formats of every list.
pub(crate) fn is_list_format(format: &str) -> bool {
    matches!(format, "csv" | "json")
}

/// All fields of the JSON representation, by name.
pub(crate) fn list_columns(entity: &'static EntityDef) -> Vec<(String, Cell, &'static FieldDef)> {
    let shown = (0..).zip(entity.fields).filter(|(_, field)| field.kind.is_stored() && !field.secret);
    shown.map(|(at, field)| (field.name.to_owned(), Cell::Own(at), field)).collect()
}

/// The size of the next batch, from the rows and bytes of the last one.
fn next_batch_size(rows: usize, bytes: usize) -> u64 {
    let fitting = BATCH_BYTES.saturating_mul(rows) / bytes.max(1);
    u64::try_from(fitting).unwrap_or(MAX_BATCH).clamp(1, MAX_BATCH)
}

impl Export {
    /// The response with all rows of a query within the rows of a page; the page number is ignored.
    ///
    /// # Errors
    /// The errors of the list.
    pub fn reply(
        tx: &mut Tx<'_>,
        entity: &'static EntityDef,
        within: SurfaceScope,
        query: Query,
        columns: Vec<(String, Cell, &'static FieldDef)>,
    ) -> Result<Reply> {
        let head: Vec<String> = columns.iter().map(|(name, ..)| crate::web::api::csv::guard_formula(name.clone())).collect();
        let columns = columns.into_iter().map(|(_, cell, field)| (cell, field)).collect();
        let query = Query { offset: 0, limit: FIRST_BATCH, count: Counting::Off, dynamic: true, after: Some(Vec::new()), ..query };
        let mut export =
            Export { entity, within, query, columns, tenant: tx.tenant().cloned(), done: false, record: ExportRecord::default() };
        let mut first = new_writer();
        first.write_record(&head).map_err(Error::internal)?;
        let mut body = first.into_inner().map_err(Error::internal)?;
        body.extend(export.next_batch(tx)?);
        let file = format!("attachment; filename=\"{}.csv\"", entity.table);
        Ok(Reply {
            status: 200,
            content_type: crate::web::api::csv::CONTENT_TYPE,
            headers: vec![("Content-Disposition", file)],
            body,
            export: (!export.done).then(|| Box::new(export)),
            ..Reply::default()
        })
    }

    /// True if no row is left.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Reads the next batch. Access is checked for each batch, so an export ends when the permission ends.
    ///
    /// # Errors
    /// The errors of the list; 409 if the caller switched to another tenant.
    pub fn next_batch(&mut self, tx: &mut Tx<'_>) -> Result<Vec<u8>> {
        if tx.tenant() != self.tenant.as_ref() {
            return Err(Error::new(409, "TENANT", "The export began in another tenant"));
        }
        let grant = tx.ask::<List>(self.entity)?.narrow_to(self.within.clone());
        let (rows, after) = rows::batch(tx, &grant, &self.query)?;
        self.done = (rows.len() as u64) < self.query.limit || after.is_none();
        self.record.gather(tx);
        if self.done {
            tx.lists = Some(std::mem::take(&mut self.record.records));
        }
        self.query.after = after;
        let part = self.write_rows(tx.app, &rows, new_writer())?;
        self.query.limit = next_batch_size(rows.len(), part.len());
        Ok(part)
    }

    fn write_rows(&self, app: &'static AppDef, rows: &[Row], mut writer: Writer) -> Result<Vec<u8>> {
        let mut cell = Vec::new();
        for row in rows {
            for (from, field) in &self.columns {
                let currency = from.currency(field).map_or(&Value::Null, |it| it.value(row));
                cell.clear();
                match from {
                    Cell::Label(named) => crate::web::api::csv::write_guarded(&named.text(app, row).unwrap_or_default(), &mut cell),
                    Cell::Own(_) | Cell::Extra(_) => crate::web::api::csv::write_cell(field, from.value(row), currency, &mut cell),
                }
                writer.write_field(&cell).map_err(Error::internal)?;
            }
            writer.write_record(None::<&[u8]>).map_err(Error::internal)?;
        }
        writer.into_inner().map_err(Error::internal)
    }
}

type Writer = csv::Writer<Vec<u8>>;

fn new_writer() -> Writer {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new())
}

/// Parses the parameters of an API export.
///
/// # Errors
/// The errors of [`params::parse`]; 400 for parameters of single pages.
pub(crate) fn parse(tx: &Tx<'_>, entity: &'static EntityDef, pairs: &[(String, String)]) -> Result<Query> {
    if let Some((name, _)) = pairs.iter().find(|(name, _)| matches!(name.as_str(), "page" | "page_size" | "expand")) {
        return Err(Error::bad_request(format!("`{name}` has no meaning with `format=csv`, which contains all rows")));
    }
    params::parse(tx.app, entity, params::list_surface(tx.app, entity), pairs, params::Strictness::Api)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_batch_is_bounded() {
        assert_eq!(next_batch_size(100, 5_000), MAX_BATCH);
        assert_eq!(next_batch_size(100, 100 << 10), 1_024);
        assert_eq!(next_batch_size(100, 90 << 20), 1);
        assert_eq!((next_batch_size(0, 0), next_batch_size(1, usize::MAX)), (1, 1));
    }
}
