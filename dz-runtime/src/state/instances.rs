//! The instances of the application that serve this database. Each records that it runs every half minute.

use std::{fs, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::{
    Engine, Result, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
};

/// The time between two records.
pub(crate) const INTERVAL: Duration = Duration::from_secs(30);
/// An instance that was not seen for this time does not run.
const LIFETIME: TimeDelta = TimeDelta::seconds(100);

/// An instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) id: Uuid,
    /// The name of the machine, and the number of the process.
    pub(crate) host: String,
    pub(crate) process: i64,
    /// The version of dz, and the start of the fingerprint of the schema.
    pub(crate) version: String,
    pub(crate) schema: String,
    pub(crate) started_at: DateTime<Utc>,
    pub(crate) seen_at: DateTime<Utc>,
}

impl Instance {
    /// This process.
    pub(crate) fn new(app: &'static AppDef, engine: Engine, now: DateTime<Utc>) -> Instance {
        let name = ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|path| fs::read_to_string(path).ok());
        let host = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        Instance {
            id: Uuid::now_v7(),
            host: host.unwrap_or_else(|| "unknown".to_owned()),
            process: std::process::id().into(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: app.schema.for_engine(engine).fingerprint.chars().take(8).collect(),
            started_at: now,
            seen_at: now,
        }
    }

    /// Records that the instance runs.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn record(&self, conn: &mut Conn, now: DateTime<Utc>) -> Result<()> {
        let text = |text: &str| Value::Text(text.to_owned());
        let mut upsert = Statement::new();
        upsert.push("INSERT INTO dz_instances (id, host, process, version, schema, started_at, seen_at) VALUES (");
        upsert.bind(Value::Uuid(self.id), BindKind::Uuid).push(", ").bind(text(&self.host), BindKind::Text).push(", ");
        upsert.bind(Value::Int(self.process), BindKind::Int).push(", ").bind(text(&self.version), BindKind::Text).push(", ");
        upsert.bind(text(&self.schema), BindKind::Text).push(", ").bind(Value::DateTime(self.started_at), BindKind::DateTime).push(", ");
        upsert.bind(Value::DateTime(now), BindKind::DateTime).push(") ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at");
        conn.execute(&upsert).map(drop)
    }

    /// Removes the record of an instance that ends.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn remove(&self, conn: &mut Conn) -> Result<()> {
        let mut delete = Statement::new();
        delete.push("DELETE FROM dz_instances WHERE id = ").bind(Value::Uuid(self.id), BindKind::Uuid);
        conn.execute(&delete).map(drop)
    }
}

/// The running instances, the latest last.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn list(conn: &mut Conn, now: DateTime<Utc>) -> Result<Vec<Instance>> {
    let mut select = Statement::new();
    select.push("SELECT id, host, process, version, schema, started_at, seen_at FROM dz_instances WHERE seen_at > ");
    select.bind(Value::DateTime(now - LIFETIME), BindKind::DateTime).push(" ORDER BY started_at, id LIMIT 100");
    let kinds = [BindKind::Uuid, BindKind::Text, BindKind::Int, BindKind::Text, BindKind::Text, BindKind::DateTime, BindKind::DateTime];
    Ok(conn.rows(&select, &kinds)?.into_iter().filter_map(from_row).collect())
}

fn from_row(row: Vec<Value>) -> Option<Instance> {
    match <[Value; 7]>::try_from(row).ok()? {
        [
            Value::Uuid(id),
            Value::Text(host),
            Value::Int(process),
            Value::Text(version),
            Value::Text(schema),
            Value::DateTime(started_at),
            Value::DateTime(seen_at),
        ] => Some(Instance { id, host, process, version, schema, started_at, seen_at }),
        _ => None,
    }
}
