//! The target of a relocation: an empty database that refuses the application until all data is copied and verified.

use std::collections::BTreeMap;

use super::{refusal, table::data_tables};
use crate::{
    Engine, Error, Result, Value,
    db::{BindKind, Conn, Database, Statement, pooler, schema},
    def::AppDef,
};

/// The table with the progress of a relocation, which is dropped at its end: for each table the number of copied rows, and for each removed
/// foreign key the statement that creates it again.
const PROGRESS: &str = "dz_relocation";

/// The target.
pub(super) struct Target {
    pub app: &'static AppDef,
    pub db: Database,
}

/// What an earlier run has copied of a table.
pub(super) enum Progress {
    /// All rows.
    Complete,
    /// This number of rows.
    Rows(u64),
}

impl Target {
    /// Creates the tables in an empty database, and prepares them for the copy; a database that is prepared already stays as it is.
    ///
    /// # Errors
    /// The database contains rows.
    pub fn prepare(&self, create: impl FnOnce(&Database) -> Result<()>) -> Result<()> {
        if self.db.read(&mut |conn| exists(conn, PROGRESS))? {
            return Ok(());
        }
        pooler::refuse(&self.db, "the copy", "give `--to` the address of the server itself")?;
        create(&self.db)?;
        self.db.write(&mut |conn| {
            for table in data_tables(self.app)? {
                if has_rows(conn, &table.name)? {
                    return Err(refusal(format!("the target has rows in `{}`: name an empty database", table.name)));
                }
            }
            conn.batch(&format!(
                "CREATE TABLE {PROGRESS} (place text PRIMARY KEY, rows bigint NOT NULL, complete boolean NOT NULL, restore text)"
            ))?;
            self.remove_foreign_keys(conn)?;
            self.set_triggers(conn, "DISABLE")?;
            schema::set_fingerprint(conn, schema::COPYING)
        })
    }

    /// Rows refer to rows that are copied later, also in cycles, so the foreign keys are created again after the copy.
    fn remove_foreign_keys(&self, conn: &mut Conn) -> Result<()> {
        let mut select = Statement::new();
        select.push(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint \
             WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2",
        );
        for row in conn.rows(&select, &[BindKind::Text; 3])? {
            let [Value::Text(table), Value::Text(name), Value::Text(definition)] = row.as_slice() else { continue };
            let mut note = Statement::new();
            note.push("INSERT INTO ").push(PROGRESS).push(" (place, rows, complete, restore) VALUES (");
            note.bind(Value::Text(format!("{table} {name}")), BindKind::Text).push(", 0, true, ");
            note.bind(Value::Text(format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")), BindKind::Text).push(")");
            conn.execute(&note)?;
            conn.batch(&format!("ALTER TABLE {table} DROP CONSTRAINT {name}"))?;
        }
        Ok(())
    }

    /// The triggers of the tables have had their effect in the source.
    fn set_triggers(&self, conn: &mut Conn, change: &str) -> Result<()> {
        for table in data_tables(self.app)? {
            conn.batch(&format!("ALTER TABLE \"{}\" {change} TRIGGER USER", table.name))?;
        }
        Ok(())
    }

    /// What is copied of a table.
    pub fn progress(&self, table: &str) -> Result<Progress> {
        let mut select = Statement::new();
        select.push("SELECT rows, complete FROM ").push(PROGRESS).push(" WHERE restore IS NULL AND place = ");
        select.bind(Value::Text(table.to_owned()), BindKind::Text);
        let row = self.db.read(&mut |conn| conn.rows(&select, &[BindKind::Int, BindKind::Bool]))?.pop();
        Ok(match row.as_deref() {
            Some([_, Value::Bool(true)]) => Progress::Complete,
            Some([Value::Int(rows), _]) => Progress::Rows(u64::try_from(*rows).unwrap_or_default()),
            _ => Progress::Rows(0),
        })
    }

    /// Records the progress of a table, in the transaction of the copied rows.
    pub fn record(&self, conn: &mut Conn, table: &str, rows: u64, complete: bool) -> Result<()> {
        let mut upsert = Statement::new();
        upsert.push("INSERT INTO ").push(PROGRESS).push(" (place, rows, complete) VALUES (");
        upsert.bind(Value::Text(table.to_owned()), BindKind::Text).push(", ");
        upsert.bind(Value::Int(i64::try_from(rows).unwrap_or(i64::MAX)), BindKind::Int).push(", ");
        upsert.bind(Value::Bool(complete), BindKind::Bool);
        upsert.push(") ON CONFLICT (place) DO UPDATE SET rows = excluded.rows, complete = excluded.complete");
        conn.execute(&upsert).map(drop)
    }

    /// Creates the foreign keys again, which verifies all references, lets counted keys continue, and lets the application use the
    /// database.
    ///
    /// # Errors
    /// A reference without its row.
    pub fn complete(&self, largest: &BTreeMap<String, i64>) -> Result<()> {
        self.db.write(&mut |conn| {
            let mut select = Statement::new();
            select.push("SELECT restore FROM ").push(PROGRESS).push(" WHERE restore IS NOT NULL ORDER BY place");
            for restore in conn.rows(&select, &[BindKind::Text])?.into_iter().flatten() {
                if let Value::Text(restore) = restore {
                    conn.script(&restore).map_err(|error| refusal(format!("a reference of the copied rows is invalid: {error}")))?;
                }
            }
            self.set_triggers(conn, "ENABLE")?;
            set_counters(conn, largest)?;
            conn.batch(&format!("DROP TABLE {PROGRESS}"))?;
            schema::set_fingerprint(conn, self.app.schema.for_engine(Engine::Postgres).fingerprint)
        })?;
        // Plans need the statistics of the new rows.
        self.db.run_without_transaction(&mut |conn| conn.batch("ANALYZE"))
    }
}

/// Lets counted keys continue after the largest one, also after those of deleted rows (`largest`, by table).
fn set_counters(conn: &mut Conn, largest: &BTreeMap<String, i64>) -> Result<()> {
    let mut select = Statement::new();
    select.push(
        "SELECT table_name::text, column_name::text FROM information_schema.columns \
         WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY 1, 2",
    );
    for row in conn.rows(&select, &[BindKind::Text; 2])? {
        let [Value::Text(table), Value::Text(column)] = row.as_slice() else { continue };
        let mut set = Statement::new();
        set.push("SELECT setval(pg_get_serial_sequence(").bind(Value::Text(format!("\"{table}\"")), BindKind::Text).push(", ");
        set.bind(Value::Text(column.clone()), BindKind::Text)
            .push("), greatest(coalesce(max(")
            .ident(dz_vocabulary::field_of_column(column))
            .push("), 0), ")
            .bind(Value::Int(largest.get(table).copied().unwrap_or(0)), BindKind::Int)
            .push(") + 1, false) FROM ");
        set.ident(table);
        conn.rows(&set, &[BindKind::Int])?;
    }
    Ok(())
}

fn exists(conn: &mut Conn, table: &str) -> Result<bool> {
    let mut select = Statement::new();
    select.push("SELECT to_regclass(").bind(Value::Text(table.to_owned()), BindKind::Text).push(") IS NOT NULL");
    Ok(conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}

fn has_rows(conn: &mut Conn, table: &str) -> Result<bool, Error> {
    let mut select = Statement::new();
    select.push("SELECT EXISTS (SELECT 1 FROM ").ident(table).push(")");
    Ok(conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}
