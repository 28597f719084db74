//! The table of runs.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::core::{
    event::Attempt,
    state::{RunState, RunStatus},
};
use crate::{
    Engine, Error, Result, Value,
    db::{BindKind, Conn, Statement, Work},
    def::AppDef,
    value::storage,
};

/// The status of a run that waits for the end of another one.
pub(super) const QUEUED: &str = "queued";

/// The text that a run stores: the state of the engine, and the values that steps read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// The state of the engine.
    pub run: RunState,
    /// The inputs.
    pub input: Map<String, Json>,
    /// The outputs, after the completion.
    #[serde(default)]
    pub output: Option<Map<String, Json>>,
    /// The data of the trigger.
    #[serde(default)]
    pub trigger: TriggerData,
    /// The last signals that it received, so that none is received twice.
    #[serde(default)]
    pub seen: Vec<Uuid>,
    /// The trace that started it, as the header `traceparent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// True if its values were removed, so that it cannot continue.
    #[serde(default)]
    pub erased: bool,
}

impl Saved {
    /// Removes the values of a run that has ended.
    pub fn clear_values(&mut self) {
        self.run.clear_values();
        self.input.clear();
        self.output = self.output.take().map(|_| Map::new());
        (self.trigger.row, self.trigger.payload, self.erased) = (None, Json::Null, true);
    }
}

/// The values that the trigger passed to the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TriggerData {
    /// The name of the entity of the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The row as it was last read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Map<String, Json>>,
    /// The payload of a signal, or the outputs of a process.
    #[serde(default)]
    pub payload: Json,
}

/// A run.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub id: Uuid,
    pub process: String,
    pub title: String,
    pub version: String,
    /// The description of the process.
    pub flow: String,
    pub status: String,
    pub parent: Option<Uuid>,
    /// The attempt of the parent that waits for it.
    pub parent_attempt: Option<Attempt>,
    /// The trigger, as the interfaces show it.
    pub trigger: Json,
    /// The key of the row of the trigger, or nothing.
    pub subject: String,
    /// What started it.
    pub cause: String,
    pub saved: Saved,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    pub tenant: Option<Value>,
}

const COLUMNS: &str = "r.id, r.process, r.title, r.version, r.flow, r.status, r.parent, r.parent_attempt, r.trigger, r.subject, r.cause, \
                       r.state, r.started_at, r.ended_at, r.due_at";
const KINDS: [BindKind; 15] = [
    BindKind::Uuid,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Uuid,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::DateTime,
    BindKind::DateTime,
    BindKind::DateTime,
];

/// The kind of the keys of tenants, in an application with tenants.
pub(super) fn tenant_kind(app: &AppDef) -> Result<Option<BindKind>> {
    app.tenant().map(|_| BindKind::from_tenant_key(app)).transpose()
}

/// A column of a row that is written.
pub(super) type Column<'c> = (&'c str, Value, BindKind);

/// `INSERT INTO table (…) VALUES (…)`.
pub(super) fn insert_into(table: &str, columns: &[Column<'_>]) -> Statement {
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").push(table).push(" (");
    for (at, (name, ..)) in columns.iter().enumerate() {
        insert.push(if at == 0 { "" } else { ", " }).push(name);
    }
    insert.push(") VALUES (");
    for (at, (_, value, kind)) in columns.iter().enumerate() {
        insert.push(if at == 0 { "" } else { ", " }).bind(value.clone(), *kind);
    }
    insert.push(")");
    insert
}

/// A text without the character that PostgreSQL cannot store.
pub(super) fn text(text: &str) -> Value {
    Value::Text(text.replace('\0', ""))
}

pub(super) fn optional<T>(value: Option<T>, convert: impl FnOnce(T) -> Value) -> Value {
    value.map_or(Value::Null, convert)
}

/// The text of JSON without the character that PostgreSQL cannot store, in its escaped form.
pub(super) fn json_text<T: Serialize>(value: &T) -> Result<Value> {
    storage::json_without_nul(value).map(Value::Text).map_err(Error::internal)
}

/// Stores a run; false if there is one with the same cause.
pub(super) fn insert(conn: &mut Conn, app: &'static AppDef, run: &Run) -> Result<bool> {
    let mut columns = vec![
        ("id", Value::Uuid(run.id), BindKind::Uuid),
        ("process", text(&run.process), BindKind::Text),
        ("title", text(&run.title), BindKind::Text),
        ("version", text(&run.version), BindKind::Text),
        ("flow", text(&run.flow), BindKind::Text),
        ("status", text(&run.status), BindKind::Text),
        ("parent", optional(run.parent, Value::Uuid), BindKind::Uuid),
        ("parent_attempt", run.parent_attempt.as_ref().map_or(Ok(Value::Null), json_text)?, BindKind::Text),
        ("trigger", json_text(&run.trigger)?, BindKind::Text),
        ("subject", text(&run.subject), BindKind::Text),
        ("cause", text(&run.cause), BindKind::Text),
        ("state", json_text(&run.saved)?, BindKind::Text),
        ("started_at", Value::DateTime(run.started_at), BindKind::DateTime),
        ("due_at", optional(run.due_at, Value::DateTime), BindKind::DateTime),
        ("failures", Value::Int(0), BindKind::Int),
    ];
    if let Some(kind) = tenant_kind(app)? {
        columns.push(("tenant", run.tenant.clone().unwrap_or_default(), kind));
    }
    let mut insert = insert_into("dz_runs", &columns);
    insert.push(" ON CONFLICT DO NOTHING");
    let is_new = conn.execute(&insert)? > 0;
    if is_new {
        conn.request_wake(Work::Runs);
    }
    Ok(is_new)
}

/// True if a process has a run with this cause.
pub(super) fn has_cause(conn: &mut Conn, process: &str, cause: &str) -> Result<bool> {
    let mut select = Statement::new();
    select.push("SELECT TRUE FROM dz_runs WHERE process = ").bind(text(process), BindKind::Text);
    select.push(" AND cause = ").bind(text(cause), BindKind::Text);
    Ok(!conn.rows(&select, &[BindKind::Bool])?.is_empty())
}

/// Stores the state of a run.
pub(super) fn save(conn: &mut Conn, run: &Run) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_runs SET status = ").bind(text(&run.status), BindKind::Text);
    update.push(", state = ").bind(json_text(&run.saved)?, BindKind::Text);
    update.push(", ended_at = ").bind(optional(run.ended_at, Value::DateTime), BindKind::DateTime);
    update.push(", due_at = ").bind(optional(run.due_at, Value::DateTime), BindKind::DateTime);
    update.push(", failures = 0 WHERE id = ").bind(Value::Uuid(run.id), BindKind::Uuid);
    conn.execute(&update)?;
    Ok(())
}

/// Postpones a run that could not be continued.
pub(super) fn postpone(conn: &mut Conn, id: Uuid, until: DateTime<Utc>) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_runs SET failures = failures + 1, due_at = ").bind(Value::DateTime(until), BindKind::DateTime);
    update.push(" WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    conn.execute(&update).map(drop)
}

/// The number of failed attempts to continue a run.
pub(super) fn failures(conn: &mut Conn, id: Uuid) -> Result<i64> {
    let mut select = Statement::new();
    select.push("SELECT failures FROM dz_runs WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    match conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(failures)) => Ok(failures),
        _ => Ok(0),
    }
}

/// A condition on runs, after `FROM dz_runs AS r`.
pub(super) struct Wanted {
    /// `WHERE … ORDER BY … LIMIT …`
    pub sql: Statement,
    /// Locks the runs until the end of the transaction.
    pub lock: Lock,
}

/// How runs are locked; SQLite has one writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    /// Not at all.
    No,
    /// Waits for runs that others have locked.
    Wait,
    /// Skips them.
    Skip,
}

/// The runs that fulfil a condition.
pub(super) fn select(conn: &mut Conn, app: &'static AppDef, wanted: &Wanted) -> Result<Vec<Run>> {
    let tenant = tenant_kind(app)?;
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(if tenant.is_some() { ", r.tenant" } else { "" }).push(" FROM dz_runs AS r ");
    select.append(wanted.sql.clone());
    if conn.engine() == Engine::Postgres {
        select.push(match wanted.lock {
            Lock::No => "",
            Lock::Wait => " FOR UPDATE OF r",
            Lock::Skip => " FOR UPDATE OF r SKIP LOCKED",
        });
    }
    let kinds: Vec<BindKind> = KINDS.into_iter().chain(tenant).collect();
    conn.rows(&select, &kinds)?.into_iter().map(read).collect()
}

/// The run with this id.
pub(super) fn find(conn: &mut Conn, app: &'static AppDef, id: Uuid, lock: Lock) -> Result<Option<Run>> {
    let mut sql = Statement::new();
    sql.push("WHERE r.id = ").bind(Value::Uuid(id), BindKind::Uuid);
    Ok(select(conn, app, &Wanted { sql, lock })?.into_iter().next())
}

/// Locks the first due run that no other instance works on.
pub(super) fn claim(conn: &mut Conn, app: &'static AppDef, now: DateTime<Utc>) -> Result<Option<Run>> {
    let mut sql = Statement::new();
    sql.push("WHERE r.due_at <= ").bind(Value::DateTime(now), BindKind::DateTime).push(" ORDER BY r.due_at LIMIT 1");
    Ok(select(conn, app, &Wanted { sql, lock: Lock::Skip })?.into_iter().next())
}

/// The largest number of runs that one transaction removes.
const REMOVED_AT_ONCE: u32 = 500;

/// The statuses of runs that have ended.
fn ended_statuses() -> [Value; 3] {
    [RunStatus::Completed, RunStatus::Failed, RunStatus::Cancelled].map(|status| text(status.name()))
}

/// Selects true if a partition of the steps has a step of a run that has not ended before a time.
pub(crate) fn has_kept_runs(part: &str, before: DateTime<Utc>) -> Statement {
    let mut select = Statement::new();
    select.push("SELECT EXISTS (SELECT 1 FROM ").ident(part).push(" AS s JOIN dz_runs AS r ON r.id = s.run WHERE NOT (r.status");
    select.in_list(Engine::Postgres, ended_statuses(), BindKind::Text);
    select.push(" AND r.ended_at < ").bind(Value::DateTime(before), BindKind::DateTime).push("))");
    select
}

/// Removes runs that ended before a time, with their steps and tasks. The result is their number; 0 if none is left.
pub(crate) fn delete_ended(conn: &mut Conn, before: DateTime<Utc>) -> Result<usize> {
    let ended = ended_statuses();
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_runs WHERE id IN (SELECT id FROM dz_runs WHERE status").in_list(conn.engine(), ended, BindKind::Text);
    // A run starts before it ends; the index contains the start.
    for column in ["started_at", "ended_at"] {
        delete.push(" AND ").push(column).push(" < ").bind(Value::DateTime(before), BindKind::DateTime);
    }
    delete.push(&format!(" LIMIT {REMOVED_AT_ONCE})"));
    conn.execute(&delete)
}

/// The time at which the next run is due.
pub(crate) fn next_due(conn: &mut Conn) -> Result<Option<DateTime<Utc>>> {
    let mut select = Statement::new();
    select.push("SELECT min(due_at) FROM dz_runs");
    match conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() {
        Some(Value::DateTime(at)) => Ok(Some(at)),
        _ => Ok(None),
    }
}

fn read(row: Vec<Value>) -> Result<Run> {
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value: Value| if let Value::Text(text) = value { text } else { String::new() };
    let time = |value: Value| if let Value::DateTime(at) = value { Some(at) } else { None };
    let id = |value: Value| if let Value::Uuid(id) = value { Some(id) } else { None };
    let unreadable = |error: serde_json::Error| Error::internal(format_args!("the state of a run cannot be read: {error}"));
    let run = Run {
        id: id(take()).ok_or_else(|| Error::internal("a run without an id"))?,
        process: text(take()),
        title: text(take()),
        version: text(take()),
        flow: text(take()),
        status: text(take()),
        parent: id(take()),
        parent_attempt: serde_json::from_str(&text(take())).ok(),
        trigger: serde_json::from_str(&text(take())).map_err(unreadable)?,
        subject: text(take()),
        cause: text(take()),
        saved: serde_json::from_str(&text(take())).map_err(unreadable)?,
        started_at: time(take()).unwrap_or_default(),
        ended_at: time(take()),
        due_at: time(take()),
        tenant: Some(take()).filter(|tenant| !tenant.is_null()),
    };
    Ok(run)
}
