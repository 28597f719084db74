//! `move`: copies the data of an SQLite database to PostgreSQL, with a comparison of every table, and continues after an interruption.
//!
//! The source is locked for writes during the command. The target records what is copied in the transaction of each batch, and the
//! application refuses to start with it until every table is verified.

mod copy;
mod table;
mod target;

use std::collections::BTreeMap;

use self::{table::Table, target::Target};
use super::{App, serve};
use crate::{
    Engine, Error, Result,
    config::Config,
    db::{
        Conn, Database, DatabaseConfig,
        migrate::{self, DataMigration},
        schema,
    },
    def::AppDef,
    output::print_line,
};

/// The number of copied rows of each table.
pub(super) type CopiedRows = BTreeMap<String, u64>;

/// An error for the operator: one sentence with the cause and the correction.
fn refusal(sentence: impl Into<String>) -> Error {
    Error::new(500, "MOVE", sentence.into())
}

/// An application with the configuration of its source.
pub(super) struct Relocation {
    app: &'static AppDef,
    config: Config,
    data: Vec<DataMigration>,
}

impl Relocation {
    /// Reads the configuration.
    ///
    /// # Errors
    /// An invalid configuration; an application of another engine than SQLite.
    pub fn new(mut app: App) -> Result<Relocation> {
        app.check_data_migrations()?;
        if app.engine != Engine::Sqlite {
            return Err(refusal("`move` copies an SQLite database: for PostgreSQL use `backup` and `restore`"));
        }
        let figment = app.figment.clone().unwrap_or_else(super::figment);
        let config = Config::read(&figment, app.def, app.engine, app.url.take())?;
        Ok(Relocation { app: app.def, config, data: app.data_migrations })
    }

    /// Copies all data to the database at `url`, and compares both. `report` gets each completed table.
    ///
    /// # Errors
    /// The target has data of its own, a database is unavailable, or a table differs after the copy.
    pub fn run(&self, url: &str, report: &mut dyn FnMut(&str, u64) -> Result<()>) -> Result<CopiedRows> {
        if self.app.schema.for_engine(Engine::Postgres).sql.is_empty() {
            return Err(refusal("this program is built without PostgreSQL: add the feature `postgres` of dz, and build it again"));
        }
        let source = serve::open(&self.config, Engine::Sqlite, self.app)?;
        let config = DatabaseConfig { url: url.to_owned(), size: 1, row_security: self.app.tenant().is_some(), idle: DatabaseConfig::IDLE };
        let target = Target { app: self.app, db: Database::open(Engine::Postgres, &config)? };
        let tables = table::data_tables(self.app)?;
        // The transaction keeps other programs from writing to the source.
        source.write(&mut |source| {
            let pending = migrate::pending(source, self.app)?;
            if let Some(first) = pending.first() {
                return Err(refusal(format!("the source lacks the migration `{}`: apply it with the command `migrate`", first.name)));
            }
            schema::compare(source, self.app)?;
            target.prepare(|db| self.create_schema(db))?;
            self.copy_tables(source, &target, &tables, report)
        })
    }

    fn create_schema(&self, db: &Database) -> Result<()> {
        match self.app.schema.migrations_for(Engine::Postgres) {
            [] => db.run_without_transaction(&mut |conn| schema::prepare(conn, self.app)).map(drop),
            _ => migrate::run(db, self.app, &self.data, true).map(drop),
        }
    }

    fn copy_tables(
        &self,
        source: &mut Conn,
        target: &Target,
        tables: &[Table],
        report: &mut dyn FnMut(&str, u64) -> Result<()>,
    ) -> Result<CopiedRows> {
        let mut copied = CopiedRows::new();
        for table in tables {
            copy::copy_table(source, target, table)?;
            let (ours, theirs) = (copy::digest(source, table)?, target.db.read(&mut |conn| copy::digest(conn, table))?);
            if ours != theirs {
                return Err(refusal(format!(
                    "`{}` has {} rows in the source and {} in the target, and they differ: the source was changed between two runs of \
                     the command; empty the target database, and run the command again",
                    table.name, ours.rows, theirs.rows
                )));
            }
            report(&table.name, ours.rows)?;
            copied.insert(table.name.clone(), ours.rows);
        }
        target.complete(&copy::largest_numbers(source)?)?;
        Ok(copied)
    }
}

/// Prints a completed table.
pub(super) fn print_table(name: &str, rows: u64) -> Result<()> {
    print_line!("{name}: {rows} rows, verified")
}
