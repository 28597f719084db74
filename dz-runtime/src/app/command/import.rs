//! `import`: rows of a CSV file of any size, in transactions of a thousand rows, which an interruption does not repeat.

mod progress;

use std::{fs::File, io::BufReader, path::Path};

use self::progress::{Progress, RowDigest};
use super::{App, Outcome, in_tenant, prepare};
use crate::{
    Error, Result, Tx,
    access::SurfaceScope,
    def::{AppDef, EntityDef},
    output::{self, print_error, print_line, show_step},
    state::State,
    suggest::did_you_mean,
    web::api::csv::{self, ImportColumn, Outcome as Imported},
};

const USAGE: &str = "`import` needs an entity and a file: `import Task tasks.csv [--tenant ID] [--restart] [--format json]`";
/// The rows of a transaction.
const ROWS: usize = 1_000;
/// The largest size of their text: a quote that is never closed would otherwise take all memory.
const MAX_BYTES: usize = 64 << 20;

/// The rows that are stored.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    rows: u64,
    created: u64,
    updated: u64,
}

/// `import ENTITY FILE`
pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    let usage = || Ok(Outcome::Usage(USAGE.to_owned()));
    let [entity, file, options @ ..] = words else { return usage() };
    let (mut tenant, mut restart, mut json) = (None, false, false);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match (*option, options.as_slice()) {
            ("--restart", _) => restart = true,
            ("--tenant", [id, ..]) => (tenant, _) = (Some(*id), options.next()),
            ("--format", [format @ ("json" | "text"), ..]) => (json, _) = (*format == "json", options.next()),
            _ => return usage(),
        }
    }
    let entity = find_entity(app.def, entity)?;
    let _progress = output::Progress::unless_json(json);
    let state = prepare(app)?.state;
    let import = Import { state: &state, entity, tenant };
    let done = import.all(Path::new(file), restart)?;
    match json {
        true => print_line!("{}", serde_json::json!({ "rows": done.rows, "created": done.created, "updated": done.updated }))?,
        false => print_line!("{} rows: {} created, {} updated", done.rows, done.created, done.updated)?,
    }
    Ok(Outcome::Done)
}

fn find_entity(app: &'static AppDef, name: &str) -> Result<&'static EntityDef> {
    app.entities.iter().copied().find(|entity| entity.name == name).ok_or_else(|| {
        let near = did_you_mean(name, app.entities.iter().map(|entity| entity.name).collect());
        Error::bad_request(format!("there is no entity `{name}`{near}"))
    })
}

/// An error of the file, with its path.
fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
    move |error| Error::bad_request(format!("`{}`: {error}", path.display()))
}

/// The key of the progress in `dz_meta`: the entity, the tenant and the file.
fn progress_key(entity: &EntityDef, path: &Path, tenant: Option<&str>) -> Result<String> {
    let path = path.canonicalize().map_err(at(path))?;
    Ok(format!("import {} {} {}", entity.name, tenant.unwrap_or("-"), path.display()))
}

struct Import<'i> {
    state: &'i State,
    entity: &'static EntityDef,
    tenant: Option<&'i str>,
}

impl Import<'_> {
    /// Stores the rows of the file that an earlier run has not stored.
    fn all(&self, path: &Path, restart: bool) -> Result<Counts> {
        let file = BufReader::with_capacity(1 << 16, File::open(path).map_err(at(path))?);
        let mut reader = ::csv::ReaderBuilder::new().from_reader(file);
        let unreadable = |number: u64, error: ::csv::Error| Error::bad_request(format!("after row {number}: {error}"));
        let mut head = reader.headers().map_err(|error| unreadable(1, error))?.clone();
        if let Some(first) = head.get(0).and_then(|first| first.strip_prefix('\u{feff}')) {
            head = std::iter::once(first).chain(head.iter().skip(1)).collect();
        }
        let mut digest = RowDigest::new(&head);
        let key = progress_key(self.entity, path, self.tenant)?;
        let (mut progress, earlier) = Progress::take(&self.state.db, key, &digest, restart)?;
        let mut done = Counts { rows: earlier.rows, ..Counts::default() };
        show_step!("reading the rows that are stored");
        let (mut record, mut number) = (::csv::StringRecord::new(), 0);
        while number < earlier.rows && reader.read_record(&mut record).map_err(|error| unreadable(number + 1, error))? {
            digest.add(&record);
            number += 1;
        }
        earlier.check(&digest)?;
        if earlier.rows > 0 {
            print_error(format_args!("continues after {} rows of an earlier run; `--restart` begins again", earlier.rows));
        }
        show_step!("{} rows are stored", earlier.rows);
        let mut batch = Batch::new(&head)?;
        while reader.read_record(&mut record).map_err(|error| unreadable(number + 1, error))? {
            // A full batch is stored when a further row follows, because the last batch also removes the progress.
            if batch.rows == ROWS {
                self.store(std::mem::replace(&mut batch, Batch::new(&head)?), Some(&digest), &mut progress, &mut done)?;
            }
            number += 1;
            batch.add(&record, number)?;
            digest.add(&record);
        }
        self.store(batch, None, &mut progress, &mut done)?;
        Ok(done)
    }

    /// Stores the rows of a batch, and the progress, in one transaction. Without a digest it is the last batch, which removes the progress.
    fn store(&self, batch: Batch, digest: Option<&RowDigest>, progress: &mut Progress, done: &mut Counts) -> Result<()> {
        let (before, rows) = (done.rows, done.rows + batch.rows as u64);
        let bytes = if batch.rows > 0 { Some(batch.into_bytes()?) } else { None };
        let (counts, stored) = self.state.db.write(&mut |conn| {
            // First, so that a run that was replaced by another one waits for its transaction and stores nothing.
            let stored = progress.store(conn, digest.map(|digest| (rows, digest)))?;
            let mut tx = self.state.system_tx(conn, "import", None);
            let import = |bytes: &Vec<u8>| in_tenant(&mut tx, self.tenant, |tx| self.import(tx, bytes, before));
            Ok((bytes.as_ref().map(import).transpose()?.unwrap_or_default(), stored))
        })?;
        progress.note(stored);
        *done = Counts { rows, created: done.created + counts.created, updated: done.updated + counts.updated };
        show_step!("{} rows are stored", done.rows);
        Ok(())
    }

    fn import(&self, tx: &mut Tx<'_>, bytes: &[u8], before: u64) -> Result<csv::ImportCounts> {
        let named: Vec<_> = csv::list_columns(self.entity).into_iter().filter_map(|(_, cell, _)| ImportColumn::from_cell(cell)).collect();
        match csv::import(tx, self.entity, &SurfaceScope::default(), &named, bytes)? {
            Imported::Stored(counts) => Ok(counts),
            Imported::Refused(error, rows) => {
                let tenant = self.entity.tenancy.tenant.filter(|_| self.tenant.is_none()).map(|at| self.entity.field(at).name);
                let rows = csv::describe_errors(&rows)
                    .into_iter()
                    .flat_map(|(row, fields)| fields.into_iter().map(move |(field, text)| (row + before, field, text)))
                    .map(|(row, field, text)| match Some(field.as_str()) == tenant {
                        true => format!("row {row}: {field} {text}; name the tenant with `--tenant`"),
                        false => format!("row {row}: {field} {text}"),
                    });
                let detail = format!(
                    "{} of these rows; {before} rows before them are stored: {}",
                    error.detail,
                    rows.collect::<Vec<_>>().join("; ")
                );
                Err(Error { detail, ..error })
            }
        }
    }
}

/// Some rows of a file, with its header.
struct Batch {
    writer: ::csv::Writer<Vec<u8>>,
    rows: usize,
    bytes: usize,
}

impl Batch {
    fn new(head: &::csv::StringRecord) -> Result<Batch> {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(head).map_err(Error::internal)?;
        Ok(Batch { writer, rows: 0, bytes: 0 })
    }

    fn add(&mut self, record: &::csv::StringRecord, number: u64) -> Result<()> {
        self.bytes += record.as_slice().len();
        if self.bytes > MAX_BYTES {
            return Err(Error::bad_request(format!("row {}: the rows are too long; is a quote never closed?", number + 1)));
        }
        self.writer.write_record(record).map_err(Error::internal)?;
        self.rows += 1;
        Ok(())
    }

    fn into_bytes(self) -> Result<Vec<u8>> {
        self.writer.into_inner().map_err(|error| Error::internal(error.error()))
    }
}
