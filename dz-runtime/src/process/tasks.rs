//! Human tasks: the table, who may decide, and the decision.

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    core::{
        event::{Attempt, Event},
        state::Unit,
    },
    data,
    definition::{ActionDef, Definition, OutcomeDef, Processes, TaskDef},
    drive, effects,
    store::{self, Lock, Run, insert_into, optional},
    value_type,
};
use crate::{
    Caller, Error, Result, Tx, Value,
    access::{self, Read, Update},
    db::{BindKind, Conn, Statement},
    def::AppDef,
    field::datetime_text,
    rows,
};

/// A human task.
#[derive(Debug, Clone)]
pub(crate) struct StoredTask {
    pub id: Uuid,
    pub run: Uuid,
    /// The position of the step, and the visit to which the task belongs.
    pub at: (usize, u32),
    pub name: String,
    pub title: String,
    pub entity: String,
    pub row: Option<String>,
    pub created_at: DateTime<Utc>,
    pub due_at: Option<DateTime<Utc>>,
    /// True until it is decided or withdrawn.
    pub is_open: bool,
}

fn task(process: &Definition, step: usize) -> Option<&TaskDef> {
    if let ActionDef::Task(task) = &process.steps.get(step)?.action { Some(task) } else { None }
}

/// Creates the task of a step. No account can decide a task without an assignee.
pub(super) fn open(tx: &mut Tx<'_>, run: &Run, process: &Definition, attempt: &Attempt) -> Result<()> {
    let Unit::Step(step) = attempt.unit else { return Ok(()) };
    let (Some(task), Some(def)) = (task(process, step), process.steps.get(step)) else { return Ok(()) };
    let row = task.row.as_ref().map(|row| data::evaluate(tx, run, row)).transpose()?;
    let assignee = task.assignee.as_ref().map(|value| data::evaluate(tx, run, value)).transpose()?.filter(|value| !value.is_null());
    let row = row.and_then(|row| row.to_key_text()).or_else(|| input_row(run, &task.entity));
    let deadline = run.saved.run.unit(attempt.unit).and_then(|it| it.deadline);
    let account = BindKind::from_account_key(tx.app)?;
    let mut columns = vec![
        ("id", Value::Uuid(Uuid::now_v7()), BindKind::Uuid),
        ("run", Value::Uuid(run.id), BindKind::Uuid),
        ("step", Value::Int(i64::try_from(step).unwrap_or(i64::MAX)), BindKind::Int),
        ("visit", Value::Int(attempt.visit.into()), BindKind::Int),
        ("name", store::text(&def.name), BindKind::Text),
        ("title", store::text(&def.title), BindKind::Text),
        ("status", store::text("open"), BindKind::Text),
        ("entity", store::text(&task.entity), BindKind::Text),
        ("row_id", optional(row.as_deref(), store::text), BindKind::Text),
        ("role", optional(task.role.as_deref(), store::text), BindKind::Text),
        ("assignee", assignee.unwrap_or_default(), account),
        ("created_at", Value::DateTime(tx.caller.now), BindKind::DateTime),
        ("due_at", optional(deadline, Value::DateTime), BindKind::DateTime),
    ];
    if let Some(kind) = store::tenant_kind(tx.app)? {
        columns.push(("tenant", run.tenant.clone().unwrap_or_default(), kind));
    }
    tx.conn.execute(&insert_into("dz_tasks", &columns)).map(drop)
}

/// Without a trigger row, a task shows the row that an input references.
fn input_row(run: &Run, entity: &str) -> Option<String> {
    let name = entity.to_lowercase();
    run.saved.input.get(&name).and_then(Json::as_str).map(str::to_owned)
}

/// Closes the task of a step that does not wait any more.
pub(super) fn close(conn: &mut Conn, run: Uuid, attempt: &Attempt) -> Result<()> {
    let Unit::Step(step) = attempt.unit else { return Ok(()) };
    let mut update = Statement::new();
    update.push("UPDATE dz_tasks SET status = 'cancelled' WHERE status = 'open' AND run = ").bind(Value::Uuid(run), BindKind::Uuid);
    update.push(" AND step = ").bind(Value::Int(i64::try_from(step).unwrap_or(i64::MAX)), BindKind::Int);
    conn.execute(&update).map(drop)
}

const COLUMNS: &str = "t.id, t.run, t.step, t.visit, t.name, t.title, t.entity, t.row_id, t.created_at, t.due_at, t.status";
const KINDS: [BindKind; 11] = [
    BindKind::Uuid,
    BindKind::Uuid,
    BindKind::Int,
    BindKind::Int,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::Text,
    BindKind::DateTime,
    BindKind::DateTime,
    BindKind::Text,
];

/// The tasks that are assigned to the caller: by the account, or by a role in the tenant of the task.
fn select_assigned(tx: &mut Tx<'_>, condition: Statement) -> Result<Vec<StoredTask>> {
    let Some(account) = tx.caller.account.as_ref().map(|account| account.id.clone()) else { return Err(Error::unauthenticated()) };
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(" FROM dz_tasks AS t WHERE (t.assignee = ");
    select.bind(account, BindKind::from_account_key(tx.app)?);
    if let Some(kind) = store::tenant_kind(tx.app)? {
        let own = role_names(tx.app, tx.caller.roles);
        select.push(" OR (").append(in_roles(tx, own)).push(" AND t.tenant = ");
        select.bind(tx.caller.tenant().cloned().unwrap_or_default(), kind).push(")");
        let system = role_names(tx.app, tx.caller.system_roles);
        select.push(" OR (").append(in_roles(tx, system)).push(" AND t.tenant IS NULL)");
    } else {
        let own = role_names(tx.app, tx.caller.roles);
        select.push(" OR ").append(in_roles(tx, own));
    }
    select.push(")").append(condition);
    tx.conn.rows(&select, &KINDS)?.into_iter().map(read).collect()
}

fn role_names(app: &'static AppDef, mask: u64) -> Vec<Value> {
    let held = app.roles.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    held.map(|(_, role)| Value::Text(role.name.to_owned())).collect()
}

fn in_roles(tx: &Tx<'_>, roles: Vec<Value>) -> Statement {
    let mut condition = Statement::new();
    if roles.is_empty() {
        condition.push("FALSE");
    } else {
        condition.push("t.role").in_list(tx.conn.engine(), roles, BindKind::Text);
    }
    condition
}

/// The open tasks that the inbox of the caller shows: those that are assigned to the caller, and whose row the caller may read.
pub(crate) fn inbox(tx: &mut Tx<'_>, limit: u32) -> Result<Vec<StoredTask>> {
    let mut open = Statement::new();
    open.push(&format!(" AND t.status = 'open' ORDER BY t.created_at, t.id LIMIT {limit}"));
    let mut shown = Vec::new();
    for task in select_assigned(tx, open)? {
        if is_row_visible(tx, &task)? {
            shown.push(task);
        }
    }
    Ok(shown)
}

fn is_row_visible(tx: &mut Tx<'_>, task: &StoredTask) -> Result<bool> {
    let Some((entity, key)) = row_of(tx, task) else { return Ok(task.row.is_none()) };
    match tx.ask::<Read>(entity) {
        Ok(grant) => rows::is_readable(tx, &grant, &key),
        Err(_) => Ok(false),
    }
}

/// The row of a task.
pub(crate) fn row_of(tx: &Tx<'_>, task: &StoredTask) -> Option<(&'static crate::def::EntityDef, Value)> {
    let entity = data::entity(tx.app, &task.entity).ok()?;
    let key = rows::parse_key(tx, entity, task.row.as_deref()?).ok()?;
    Some((entity, key))
}

/// The task with this id, if the inbox of the caller can show it, open or not.
///
/// # Errors
/// 404 if it cannot.
pub(crate) fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<StoredTask> {
    let mut condition = Statement::new();
    condition.push(" AND t.id = ").bind(Value::Uuid(id), BindKind::Uuid);
    let found = select_assigned(tx, condition)?.into_iter().next().ok_or_else(Error::not_found)?;
    if is_row_visible(tx, &found)? { Ok(found) } else { Err(Error::not_found()) }
}

fn read(row: Vec<Value>) -> Result<StoredTask> {
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value: Value| if let Value::Text(text) = value { text } else { String::new() };
    let (Value::Uuid(id), Value::Uuid(run), Value::Int(step), Value::Int(visit)) = (take(), take(), take(), take()) else {
        return Err(Error::internal("a task without a run"));
    };
    let at = (usize::try_from(step).unwrap_or(usize::MAX), u32::try_from(visit).unwrap_or(u32::MAX));
    let (name, title, entity) = (text(take()), text(take()), text(take()));
    let row = Some(text(take())).filter(|row| !row.is_empty());
    let Value::DateTime(created_at) = take() else { return Err(Error::internal("a task without a time")) };
    let due_at = if let Value::DateTime(at) = take() { Some(at) } else { None };
    let is_open = text(take()) == "open";
    Ok(StoredTask { id, run, at, name, title, entity, row, created_at, due_at, is_open })
}

/// The process of a task in the version of its run.
pub(crate) fn definition(tx: &mut Tx<'_>, task: &StoredTask) -> Result<(std::sync::Arc<Definition>, Run)> {
    let run = store::find(tx.conn, tx.app, task.run, Lock::No)?.ok_or_else(Error::not_found)?;
    let process = tx.state::<Processes>()?.version(&run.process, &run.version, &run.flow)?;
    Ok((process, run))
}

/// The outcomes of a task.
pub(crate) fn outcomes<'p>(process: &'p Definition, of: &StoredTask) -> &'p [OutcomeDef] {
    task(process, of.at.0).map_or(&[], |task| &task.outcomes)
}

/// The name of the surface that shows the row of a task.
pub(crate) fn surface<'p>(process: &'p Definition, of: &StoredTask) -> Option<&'p str> {
    task(process, of.at.0)?.surface.as_deref()
}

/// The task as the JSON API shows it.
pub(crate) fn to_json(tx: &mut Tx<'_>, task: &StoredTask) -> Result<Json> {
    let (process, run) = definition(tx, task)?;
    let outcomes = outcomes(&process, task).iter().map(|outcome| json!({ "name": outcome.name, "title": outcome.title }));
    let outcomes: Vec<Json> = outcomes.collect();
    let row = match row_of(tx, task) {
        Some((entity, key)) => json!({ "entity": entity.name, "id": value_type::to_json(&key), "label": rows::label(tx, entity, &key)? }),
        None => Json::Null,
    };
    Ok(json!({
        "id": task.id,
        "run": task.run,
        "process": run.process,
        "step": task.name,
        "title": task.title,
        "row": row,
        "created_at": datetime_text(&task.created_at),
        "due_at": task.due_at.as_ref().map(datetime_text),
        "outcomes": outcomes,
    }))
}

/// Decides a task for the caller: writes what the outcome sets, and continues the run. The result is the output of the step.
///
/// # Errors
/// 404 if the task is not the caller's, 422 for an unknown outcome or a refused write, 409 if it was decided before.
pub(crate) fn decide(tx: &mut Tx<'_>, id: Uuid, outcome: Option<&str>) -> Result<Json> {
    let found = find(tx, id)?;
    let mut run = store::find(tx.conn, tx.app, found.run, Lock::Wait)?.ok_or_else(Error::not_found)?;
    let process = tx.state::<Processes>()?.version(&run.process, &run.version, &run.flow)?;
    let outcomes = outcomes(&process, &found);
    let known = || outcomes.iter().map(|outcome| format!("`{}`", outcome.name)).collect::<Vec<_>>().join(", ");
    let chosen = outcomes.iter().position(|it| Some(it.name.as_str()) == outcome);
    let (at, def) = chosen.and_then(|at| Some((at, outcomes.get(at)?))).ok_or_else(|| {
        Error::validation("outcome", if outcome.is_some() { format!("must be one of {}", known()) } else { "is required".to_owned() })
    })?;
    let (account, now) = (tx.caller.account.as_ref().map(|account| account.id.clone()).unwrap_or_default(), tx.caller.now);
    let mut update = Statement::new();
    update.push("UPDATE dz_tasks SET status = 'decided', outcome = ").bind(store::text(&def.name), BindKind::Text);
    update.push(", decided_by = ").bind(account.clone(), BindKind::from_account_key(tx.app)?);
    update.push(", decided_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(" WHERE status = 'open' AND id = ").bind(Value::Uuid(id), BindKind::Uuid);
    if tx.conn.execute(&update)? == 0 {
        return Err(Error::new(409, "CONFLICT", "This task was decided in the meantime"));
    }
    let output = json!({ "outcome": def.name, "by": value_type::to_json(&account), "at": datetime_text(&now) });
    set_fields(tx, &mut run, &found, def, &output)?;
    let event = Event::Decided { step: found.at.0, visit: found.at.1, outcome: at, output: output.clone() };
    drive::handle(tx, &mut run, event, 0)?;
    Ok(output)
}

/// Writes what an outcome sets, as the system; the audit log names the account.
fn set_fields(tx: &mut Tx<'_>, run: &mut Run, task: &StoredTask, outcome: &OutcomeDef, output: &Json) -> Result<()> {
    if outcome.sets.is_empty() {
        return Ok(());
    }
    let (entity, key) = row_of(tx, task).ok_or_else(|| Error::new(422, "NO_ROW", "The task has no row to change"))?;
    // The values of the outcome can name the decision.
    if let Some(state) = run.saved.run.steps.get_mut(&task.at.0) {
        state.output = output.clone();
    }
    let system = Caller { system: true, system_admin: true, ..tx.caller.clone() }.for_tenant(run.tenant.clone());
    let run = &*run;
    tx.for_caller(system, |tx| {
        let values = effects::field_values(tx, run, entity, &outcome.sets)?;
        let grant = access::ask::<Update>(tx.app, tx.engine(), &tx.caller, entity)?;
        rows::update_row(tx, &grant, &key, values).map(drop)
    })
}
