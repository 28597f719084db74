//! The table of calls: each attempt of an LLM intent, with its cost.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeZone, Utc};
use uuid::Uuid;

use super::{
    core::event::Failure,
    store::{insert_into, json_text, optional, text},
};
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement, batch},
    def::AppDef,
    field,
};

/// The statuses of calls.
pub(crate) const STATUSES: [&str; 3] = ["completed", "failed", REFUSED];
/// The status of a call whose answer could not be written to the row.
const REFUSED: &str = "refused";
/// The key of the month in which the budget was exceeded last.
const BUDGET_KEY: &str = "llm_budget";

/// An attempt of an intent.
#[derive(Debug, Clone)]
pub(crate) struct StoredCall {
    pub id: Uuid,
    pub intent: String,
    pub model: String,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    pub status: String,
    /// The run and the step that asked.
    pub run: Option<Uuid>,
    pub step: Option<String>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Millionths of a US dollar.
    pub cost: i64,
    pub duration_ms: u64,
    /// The texts, as far as they are logged.
    pub prompt: Option<String>,
    pub answer: Option<String>,
    /// The failure as JSON.
    pub error: Option<String>,
    pub started_at: DateTime<Utc>,
}

fn int(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Stores a call.
pub(crate) fn insert(conn: &mut Conn, call: &StoredCall) -> Result<()> {
    let columns = [
        ("id", Value::Uuid(call.id), BindKind::Uuid),
        ("intent", text(&call.intent), BindKind::Text),
        ("model", text(&call.model), BindKind::Text),
        ("attempt", Value::Int(call.attempt.into()), BindKind::Int),
        ("status", text(&call.status), BindKind::Text),
        ("run", optional(call.run, Value::Uuid), BindKind::Uuid),
        ("step", optional(call.step.as_deref(), text), BindKind::Text),
        ("input_tokens", int(call.input_tokens), BindKind::Int),
        ("output_tokens", int(call.output_tokens), BindKind::Int),
        ("cost", Value::Int(call.cost), BindKind::Int),
        ("duration_ms", int(call.duration_ms), BindKind::Int),
        ("prompt", optional(call.prompt.as_deref(), text), BindKind::Text),
        ("answer", optional(call.answer.as_deref(), text), BindKind::Text),
        ("error", optional(call.error.as_deref(), text), BindKind::Text),
        ("started_at", Value::DateTime(call.started_at), BindKind::DateTime),
    ];
    conn.execute(&insert_into("dz_calls", &columns)).map(drop)
}

/// Stores with the last call of a step that its answer could not be written.
pub(super) fn refuse(conn: &mut Conn, run: Uuid, step: &str, failure: &Failure) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_calls SET status = ").bind(text(REFUSED), BindKind::Text);
    update.push(", error = ").bind(json_text(failure)?, BindKind::Text);
    update.push(" WHERE id = (SELECT id FROM dz_calls WHERE run = ").bind(Value::Uuid(run), BindKind::Uuid);
    update.push(" AND step = ").bind(text(step), BindKind::Text).push(" ORDER BY started_at DESC, attempt DESC LIMIT 1)");
    conn.execute(&update).map(drop)
}

/// Which calls are listed.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallFilter {
    pub intent: Option<String>,
    pub status: Option<String>,
    pub offset: u64,
    pub limit: u64,
}

fn push_filter(sql: &mut Statement, filter: &CallFilter) {
    for (column, value) in [("intent", &filter.intent), ("status", &filter.status)] {
        if let Some(value) = value {
            sql.push(" AND ").push(column).push(" = ").bind(text(value), BindKind::Text);
        }
    }
}

/// The number of calls that a filter selects.
pub(crate) fn count(conn: &mut Conn, filter: &CallFilter) -> Result<u64> {
    let mut select = Statement::new();
    select.push("SELECT count(*) FROM dz_calls WHERE TRUE");
    push_filter(&mut select, filter);
    number(conn, &select).map(|count| u64::try_from(count).unwrap_or_default())
}

fn number(conn: &mut Conn, select: &Statement) -> Result<i64> {
    match conn.rows(select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(number)) => Ok(number),
        _ => Ok(0),
    }
}

/// The calls that a filter selects, the newest first.
pub(crate) fn list(conn: &mut Conn, filter: &CallFilter) -> Result<Vec<StoredCall>> {
    use BindKind::{DateTime, Int, Text, Uuid};
    let mut select = Statement::new();
    select.push(
        "SELECT id, intent, model, attempt, status, run, step, input_tokens, output_tokens, cost, duration_ms, prompt, answer, error, \
         started_at FROM dz_calls WHERE TRUE",
    );
    push_filter(&mut select, filter);
    select.push(" ORDER BY started_at DESC, id DESC LIMIT ").bind(int(filter.limit), Int);
    select.push(" OFFSET ").bind(int(filter.offset), Int);
    let kinds = [Uuid, Text, Text, Int, Text, Uuid, Text, Int, Int, Int, Int, Text, Text, Text, DateTime];
    Ok(conn.rows(&select, &kinds)?.into_iter().filter_map(read).collect())
}

fn read(row: Vec<Value>) -> Option<StoredCall> {
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value| if let Value::Text(text) = value { Some(text) } else { None };
    let int = |value| if let Value::Int(number) = value { number } else { 0 };
    let id = |value| if let Value::Uuid(id) = value { Some(id) } else { None };
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    Some(StoredCall {
        id: id(take())?,
        intent: text(take())?,
        model: text(take())?,
        attempt: u32::try_from(int(take())).unwrap_or_default(),
        status: text(take())?,
        run: id(take()),
        step: text(take()),
        input_tokens: count(int(take())),
        output_tokens: count(int(take())),
        cost: int(take()),
        duration_ms: count(int(take())),
        prompt: text(take()),
        answer: text(take()),
        error: text(take()),
        started_at: if let Value::DateTime(at) = take() { at } else { return None },
    })
}

/// The start of the calendar month of a time, in the time zone of the application, and the name of the month.
fn month(app: &AppDef, now: DateTime<Utc>) -> (DateTime<Utc>, String) {
    let zone = field::app_zone(app);
    let local = now.with_timezone(&zone).date_naive();
    let first = NaiveDate::from_ymd_opt(local.year(), local.month(), 1).unwrap_or(local).and_time(NaiveTime::MIN);
    // A month can begin at a time that daylight saving skips.
    let start = zone.from_local_datetime(&first).earliest().map_or_else(|| first.and_utc(), |at| at.with_timezone(&Utc));
    (start, local.format("%Y-%m").to_string())
}

/// The cost of the calls of the current calendar month, in millionths of a US dollar.
pub(crate) fn spent(conn: &mut Conn, app: &AppDef, now: DateTime<Utc>) -> Result<i64> {
    let mut select = Statement::new();
    select.push("SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM dz_calls WHERE started_at >= ");
    select.bind(Value::DateTime(month(app, now).0), BindKind::DateTime);
    number(conn, &select)
}

/// As [`spent`], for the calls of one intent.
pub(crate) fn spent_by(conn: &mut Conn, app: &AppDef, intent: &str, now: DateTime<Utc>) -> Result<i64> {
    let mut select = Statement::new();
    select.push("SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM dz_calls WHERE intent = ").bind(text(intent), BindKind::Text);
    select.push(" AND started_at >= ").bind(Value::DateTime(month(app, now).0), BindKind::DateTime);
    number(conn, &select)
}

/// The time before which calls are removed: none of the current calendar month, whose cost counts for the budget.
pub(crate) fn removed_before(app: &AppDef, before: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    before.min(month(app, now).0)
}

/// Removes some of the calls before a time from the table or from one of its partitions. The result is their number; 0 if none is
/// left.
pub(crate) fn delete_before(conn: &mut Conn, table: &str, before: DateTime<Utc>) -> Result<usize> {
    let mut condition = Statement::new();
    condition.push(" WHERE started_at < ").bind(Value::DateTime(before), BindKind::DateTime);
    batch::delete_some(conn, table, condition)
}

/// Notes that the budget of the month is exceeded. True for the first call of the month that notes it, on any instance.
pub(crate) fn note_exceeded(conn: &mut Conn, app: &AppDef, now: DateTime<Utc>) -> Result<bool> {
    let mut insert =
        insert_into("dz_meta", &[("key", text(BUDGET_KEY), BindKind::Text), ("value", text(&month(app, now).1), BindKind::Text)]);
    insert.push(" ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE dz_meta.value <> excluded.value");
    Ok(conn.execute(&insert)? > 0)
}
