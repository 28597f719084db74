//! The values of an account in the work that dz stores for later: runs with their calls, dead letters, pending events, and jobs.

use super::erase::Erased;
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
    def::{AppDef, EntityDef},
    process::{
        erasure,
        traces::{Traces, Word},
    },
    rows::DeletedRows,
};

/// The traces of an account, which are read before its values are cleared.
pub(super) fn traces(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<Traces> {
    let entity = app.account();
    let key = account.to_key_text().unwrap_or_default();
    let mut select = Statement::new();
    select.push("SELECT \"email\" FROM ").ident(entity.table).push(" WHERE ").ident(entity.key().name).push(" = ");
    select.bind(account.clone(), BindKind::from_account_key(app)?);
    let mut words = match account {
        // A number or a short text is also a part of other values.
        Value::Uuid(_) => vec![Word::Key(key.clone())],
        _ => Vec::new(),
    };
    for value in conn.rows(&select, &[BindKind::Text])?.into_iter().flatten() {
        words.extend(if let Value::Text(email) = value {
            Some(email).filter(|email| email.contains('@')).map(Word::Address)
        } else {
            None
        });
    }
    Ok(Traces { entity: entity.name, key, words })
}

/// Clears the values, and reports those that remain because their work is not done.
pub(super) fn clear(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    traces: &Traces,
    deleted: &DeletedRows,
    erased: &mut Erased,
) -> Result<()> {
    if !app.processes.is_empty() {
        let runs = erasure::erase(conn, app, traces)?;
        note(&mut erased.cleared, ("dz_runs", "state", runs.cleared));
        note(&mut erased.cleared, ("dz_calls", "prompt", runs.calls));
        remain(erased, ("dz_runs", "state", runs.open), "the run has not ended; its values remain until `dz.run_days`");
    }
    clear_dead_letters(conn, (app.account(), vec![account.clone()]), traces, deleted, erased)?;
    clear_jobs(conn, traces, erased)?;
    let scopes = traces.find_rows(conn, "dz_idempotency", ("scope", BindKind::Text), &["answer"], "TRUE")?;
    let mut answers = Statement::new();
    answers.push("DELETE FROM dz_idempotency WHERE scope").in_list(conn.engine(), scopes, BindKind::Text);
    let answers = conn.execute(&answers)?;
    note(&mut erased.cleared, ("dz_idempotency", "answer", answers));
    Ok(())
}

/// A table and a column of dz, with a number of rows.
type Part = (&'static str, &'static str, usize);

fn note(parts: &mut Vec<Part>, part: Part) {
    if part.2 > 0 {
        parts.push(part);
    }
}

fn remain(erased: &mut Erased, (table, column, rows): Part, reason: &'static str) {
    if rows > 0 {
        erased.remaining.push((table, column, rows, reason));
    }
}

/// Deletes dead letters about the account and about the rows that were deleted with it. Those of other rows, and events that are still
/// delivered, remain: without them, another system would not hear of a change.
fn clear_dead_letters(
    conn: &mut Conn,
    account: (&'static EntityDef, Vec<Value>),
    traces: &Traces,
    deleted: &DeletedRows,
    erased: &mut Erased,
) -> Result<()> {
    let (engine, mut removed) = (conn.engine(), 0);
    for (entity, keys) in deleted.iter().chain([&account]) {
        let mut delete = Statement::new();
        delete.push("DELETE FROM dz_dead_letters WHERE entity = ").bind(Value::Text(entity.name.to_owned()), BindKind::Text);
        delete.push(" AND row_id").in_list(engine, keys.iter().map(|key| Value::Text(key.to_stored_key())), BindKind::Text);
        removed += conn.execute(&delete)?;
    }
    note(&mut erased.cleared, ("dz_dead_letters", "payload", removed));
    let later = "the event is delivered later";
    for (table, reason) in [("dz_dead_letters", "the event was not delivered; `events retry` delivers it"), ("dz_outbox", later)] {
        let rows = traces.find_rows(conn, table, ("id", BindKind::Uuid), &["payload"], "TRUE")?.len();
        remain(erased, (table, "payload", rows), reason);
    }
    Ok(())
}

/// Deletes jobs that have ended; a job that has not needs its payload.
fn clear_jobs(conn: &mut Conn, traces: &Traces, erased: &mut Erased) -> Result<()> {
    let ended = "state IN ('done', 'dead', 'cancelled')";
    let jobs = traces.find_rows(conn, "dz_jobs", ("id", BindKind::Uuid), &["payload", "error", "note"], ended)?;
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_jobs WHERE id").in_list(conn.engine(), jobs, BindKind::Uuid);
    let removed = conn.execute(&delete)?;
    note(&mut erased.cleared, ("dz_jobs", "payload", removed));
    let rows = traces.find_rows(conn, "dz_jobs", ("id", BindKind::Uuid), &["payload"], "TRUE")?.len();
    remain(erased, ("dz_jobs", "payload", rows), "the job has not ended; it is removed seven days after its end");
    Ok(())
}
