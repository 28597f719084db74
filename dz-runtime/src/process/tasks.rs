//! Human tasks: the table, who may decide, and the decision.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    claims::{self, Claim},
    core::{
        event::{Attempt, Event},
        state::Unit,
    },
    data,
    definition::{ActionDef, Definition, GONE, OutcomeDef, Processes, TaskDef},
    drive, effects,
    store::{self, Lock, Run, insert_into, optional},
    value_type,
};
use crate::{
    Caller, Error, Result, Tx, Value,
    access::{self, Update},
    db::{BindKind, Conn, Statement},
    def::{AppDef, EntityDef},
    field::datetime_text,
    rows,
};

/// A human task.
#[derive(Debug, Clone)]
pub(crate) struct StoredTask {
    pub id: Uuid,
    pub run: Uuid,
    /// The name and the version of the process.
    pub process: (String, String),
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
    /// True if every account with a role can decide it.
    pub is_shared: bool,
    /// The account that has claimed it.
    pub claim: Option<Claim>,
}

fn task(process: &Definition, step: usize) -> Option<&TaskDef> {
    if let ActionDef::Task(task) = &process.steps.get(step)?.action { Some(task) } else { None }
}

/// Creates the task of a step. No account can decide a task without an assignee.
pub(super) fn open(tx: &mut Tx<'_>, run: &Run, process: &Definition, attempt: &Attempt) -> Result<()> {
    let Unit::Step(step) = attempt.unit else { return Ok(()) };
    let (Some(task), Some(def)) = (task(process, step), process.steps.get(step)) else { return Ok(()) };
    if let Some(name) = task.surface.as_deref().filter(|name| tx.app.surfaces.iter().all(|surface| surface.name != *name)) {
        return Err(data::gone(&format!("the surface `{name}` no longer exists")));
    }
    let entity = data::entity(tx.app, &task.entity)?;
    let row = task.row.as_ref().map(|row| data::evaluate(tx, run, row)).transpose()?;
    let assignee = task.assignee.as_ref().map(|value| data::evaluate(tx, run, value)).transpose()?.filter(|value| !value.is_null());
    let row = row.and_then(|row| row.to_key_text()).or_else(|| input_row(tx.app, run, process, entity));
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

/// Without a trigger row, a task shows the row that the first input of its entity references.
fn input_row(app: &'static AppDef, run: &Run, process: &Definition, entity: &'static EntityDef) -> Option<String> {
    let (field, ..) = process.input.iter().find(|(field, ..)| field.ty.target() == Some(entity.ix))?;
    field.ty.parse(app, run.saved.input.get(field.ty.name())?).ok()?.to_key_text()
}

/// Closes every task of a run.
pub(super) fn close_all(conn: &mut Conn, run: Uuid) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_tasks SET status = 'cancelled' WHERE status = 'open' AND run = ").bind(Value::Uuid(run), BindKind::Uuid);
    conn.execute(&update).map(drop)
}

/// Closes the task of a step that no longer waits.
pub(super) fn close(conn: &mut Conn, run: Uuid, attempt: &Attempt) -> Result<()> {
    let Unit::Step(step) = attempt.unit else { return Ok(()) };
    let mut update = Statement::new();
    update.push("UPDATE dz_tasks SET status = 'cancelled' WHERE status = 'open' AND run = ").bind(Value::Uuid(run), BindKind::Uuid);
    update.push(" AND step = ").bind(Value::Int(i64::try_from(step).unwrap_or(i64::MAX)), BindKind::Int);
    conn.execute(&update).map(drop)
}

const COLUMNS: &str = "task.id, task.run, r.process, r.version, task.step, task.visit, task.name, task.title, task.entity, task.row_id, task.created_at, \
     task.due_at, task.status, task.role, task.claimed_by, task.claimed_at";

/// The kinds of [`COLUMNS`].
fn kinds(app: &'static AppDef) -> Result<[BindKind; 16]> {
    use BindKind::{DateTime, Int, Text, Uuid};
    let account = BindKind::from_account_key(app)?;
    Ok([Uuid, Uuid, Text, Text, Int, Int, Text, Text, Text, Text, DateTime, DateTime, Text, Text, account, DateTime])
}

/// ` FROM … WHERE …`: the tasks that are assigned to the caller, by the account or by a role, in the tenant of the task, and whose row
/// the caller may read. A former member of a tenant has no tasks in it.
fn from_inbox(tx: &mut Tx<'_>) -> Result<Statement> {
    let Some(account) = tx.caller.account.as_ref().map(|account| account.id.clone()) else { return Err(Error::unauthenticated()) };
    let entities = task_entities(tx)?;
    let mut from = Statement::new();
    from.push(" FROM dz_tasks AS task JOIN dz_runs AS r ON r.id = task.run WHERE (task.assignee = ");
    from.bind(account, BindKind::from_account_key(tx.app)?);
    if let Some(kind) = store::tenant_kind(tx.app)? {
        from.push(" AND (task.tenant IS NULL OR task.tenant = ");
        from.bind(tx.caller.tenant().cloned().unwrap_or_default(), kind).push(")");
    }
    let own = role_names(tx.app, tx.caller.roles);
    if let Some(kind) = store::tenant_kind(tx.app)? {
        from.push(" OR (").append(in_roles(tx, own)).push(" AND task.tenant = ");
        from.bind(tx.caller.tenant().cloned().unwrap_or_default(), kind).push(")");
        let system = role_names(tx.app, tx.caller.system_roles);
        from.push(" OR (").append(in_roles(tx, system)).push(" AND task.tenant IS NULL)");
    } else {
        from.push(" OR ").append(in_roles(tx, own));
    }
    // A CASE reads the key only in the tasks of its entity, so that no other text is read as a key of it.
    from.push(") AND CASE WHEN task.row_id IS NULL THEN TRUE");
    for entity in entities {
        if let Some(readable) = rows::is_readable_key(tx, entity, "task.row_id") {
            from.push(" WHEN task.entity = ").bind(Value::Text(entity.name.to_owned()), BindKind::Text).push(" THEN ").append(readable);
        }
    }
    from.push(" ELSE FALSE END");
    Ok(from)
}

/// The entities of tasks: those of the declared processes, and those of tasks that were open when this instance first asked.
fn task_entities(tx: &mut Tx<'_>) -> Result<Vec<&'static EntityDef>> {
    let processes = tx.state::<Processes>()?;
    let earlier = match processes.task_entities.get() {
        Some(known) => known,
        None => {
            let mut select = Statement::new();
            select.push("SELECT DISTINCT entity FROM dz_tasks WHERE status = 'open' AND row_id IS NOT NULL");
            let names = tx.conn.rows(&select, &[BindKind::Text])?.into_iter().flatten();
            let names = names.filter_map(|name| if let Value::Text(name) = name { Some(name) } else { None }).collect();
            processes.task_entities.get_or_init(|| names)
        }
    };
    let steps = processes.declared.iter().flat_map(|process| &process.steps);
    let declared = steps.filter_map(|step| if let ActionDef::Task(task) = &step.action { Some(&task.entity) } else { None });
    let names: BTreeSet<&String> = declared.chain(earlier).collect();
    Ok(names.into_iter().filter_map(|name| data::entity(tx.app, name).ok()).collect())
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
        condition.push("task.role").in_list(tx.conn.engine(), roles, BindKind::Text);
    }
    condition
}

fn select_tasks(tx: &mut Tx<'_>, condition: Statement) -> Result<Vec<StoredTask>> {
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).append(from_inbox(tx)?).append(condition);
    tx.conn.rows(&select, &kinds(tx.app)?)?.into_iter().map(read).collect()
}

/// The open tasks that the inbox of the caller shows: those that are assigned to the caller, and whose row the caller may read.
pub(crate) fn inbox(tx: &mut Tx<'_>, limit: u64, offset: u64) -> Result<Vec<StoredTask>> {
    let mut open = Statement::new();
    open.push(" AND task.status = 'open' ORDER BY task.created_at, task.id");
    let number = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    open.push(" LIMIT ").bind(number(limit), BindKind::Int).push(" OFFSET ").bind(number(offset), BindKind::Int);
    select_tasks(tx, open)
}

/// The number of open tasks in the inbox of the caller.
pub(crate) fn count_open(tx: &mut Tx<'_>) -> Result<u64> {
    let mut select = Statement::new();
    select.push("SELECT count(*)").append(from_inbox(tx)?).push(" AND task.status = 'open'");
    match tx.conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(count)) => Ok(u64::try_from(count).unwrap_or_default()),
        _ => Ok(0),
    }
}

/// The row of a task.
pub(crate) fn row_of(tx: &Tx<'_>, task: &StoredTask) -> Option<(&'static EntityDef, Value)> {
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
    condition.push(" AND task.id = ").bind(Value::Uuid(id), BindKind::Uuid);
    select_tasks(tx, condition)?.into_iter().next().ok_or_else(Error::not_found)
}

/// The task with this id, without access rules: for administrators of the whole system.
///
/// # Errors
/// 404 if there is none.
pub(super) fn find_any(tx: &mut Tx<'_>, id: Uuid) -> Result<StoredTask> {
    let mut condition = Statement::new();
    condition.push("task.id = ").bind(Value::Uuid(id), BindKind::Uuid);
    select_any(tx, condition)?.into_iter().next().ok_or_else(Error::not_found)
}

/// The open tasks of a run, without access rules: for administrators of the whole system.
pub(crate) fn open_of_run(tx: &mut Tx<'_>, run: Uuid) -> Result<Vec<StoredTask>> {
    let mut condition = Statement::new();
    condition.push("task.status = 'open' AND task.run = ").bind(Value::Uuid(run), BindKind::Uuid);
    condition.push(" ORDER BY task.created_at, task.id");
    select_any(tx, condition)
}

fn select_any(tx: &mut Tx<'_>, condition: Statement) -> Result<Vec<StoredTask>> {
    let mut select = Statement::new();
    select.push("SELECT ").push(COLUMNS).push(" FROM dz_tasks AS task JOIN dz_runs AS r ON r.id = task.run WHERE ").append(condition);
    tx.conn.rows(&select, &kinds(tx.app)?)?.into_iter().map(read).collect()
}

fn read(row: Vec<Value>) -> Result<StoredTask> {
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value: Value| if let Value::Text(text) = value { text } else { String::new() };
    let (Value::Uuid(id), Value::Uuid(run)) = (take(), take()) else { return Err(Error::internal("a task without a run")) };
    let process = (text(take()), text(take()));
    let (Value::Int(step), Value::Int(visit)) = (take(), take()) else { return Err(Error::internal("a task without a step")) };
    let at = (usize::try_from(step).unwrap_or(usize::MAX), u32::try_from(visit).unwrap_or(u32::MAX));
    let (name, title, entity) = (text(take()), text(take()), text(take()));
    let row = Some(text(take())).filter(|row| !row.is_empty());
    let Value::DateTime(created_at) = take() else { return Err(Error::internal("a task without a time")) };
    let due_at = if let Value::DateTime(at) = take() { Some(at) } else { None };
    let (is_open, is_shared) = (text(take()) == "open", matches!(take(), Value::Text(_)));
    let claim = match (take(), take()) {
        (Value::Null, _) => None,
        (account, Value::DateTime(at)) => Some(Claim { account, at }),
        _ => None,
    };
    Ok(StoredTask { id, run, process, at, name, title, entity, row, created_at, due_at, is_open, is_shared, claim })
}

/// The process of a task in the version of its run.
pub(crate) fn definition(tx: &mut Tx<'_>, task: &StoredTask) -> Result<Arc<Definition>> {
    let processes = tx.state::<Processes>()?;
    let (name, version) = &task.process;
    if let Some(known) = processes.find_version(name, version) {
        return Ok(known);
    }
    let run = store::find(tx.conn, tx.app, task.run, Lock::No)?.ok_or_else(Error::not_found)?;
    processes.version(&run.process, &run.version, &run.flow)
}

/// The labels of the rows of tasks, in their order; `None` for a task without a row.
pub(crate) fn labels(tx: &mut Tx<'_>, tasks: &[StoredTask]) -> Result<Vec<Option<String>>> {
    let of = |tx: &Tx<'_>, task: &StoredTask| row_of(tx, task);
    let rows: Vec<Option<(&'static EntityDef, Value)>> = tasks.iter().map(|task| of(tx, task)).collect();
    let mut keys: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    rows.iter().flatten().for_each(|(entity, key)| keys.entry(usize::from(entity.ix)).or_default().push(key.clone()));
    let mut labels = Vec::new();
    for (entity, keys) in keys {
        let found = rows::labels(tx, tx.app.entities[entity], keys)?;
        labels.extend(found.into_iter().map(|(key, label)| (entity, key, label)));
    }
    let find = |(entity, key): (&'static EntityDef, Value)| {
        labels.iter().find(|(of, other, _)| *of == usize::from(entity.ix) && *other == key).map(|(.., label)| label.clone())
    };
    Ok(rows.into_iter().map(|row| row.and_then(find)).collect())
}

/// The outcomes of a task.
pub(crate) fn outcomes<'p>(process: &'p Definition, of: &StoredTask) -> &'p [OutcomeDef] {
    task(process, of.at.0).map_or(&[], |task| &task.outcomes)
}

/// The name of the surface that shows the row of a task.
pub(crate) fn surface<'p>(process: &'p Definition, of: &StoredTask) -> Option<&'p str> {
    task(process, of.at.0)?.surface.as_deref()
}

/// The tasks as the JSON API shows them.
pub(crate) fn to_json(tx: &mut Tx<'_>, tasks: &[StoredTask]) -> Result<Vec<Json>> {
    let labels = labels(tx, tasks)?.into_iter().zip(claims::labels(tx, tasks)?);
    tasks.iter().zip(labels).map(|(task, (label, claimer))| task_to_json(tx, task, label, claimer)).collect()
}

fn task_to_json(tx: &mut Tx<'_>, task: &StoredTask, label: Option<String>, claimer: Option<String>) -> Result<Json> {
    let to_json = |outcome: &OutcomeDef| json!({ "name": outcome.name, "title": outcome.title });
    let outcomes: Vec<Json> = match definition(tx, task) {
        Ok(process) => outcomes(&process, task).iter().map(to_json).collect(),
        // The other tasks are shown; a decision about this one is refused with the reason.
        Err(error) if error.code == GONE => Vec::new(),
        Err(error) => return Err(error),
    };
    let row = row_of(tx, task).map(|(entity, key)| json!({ "entity": entity.name, "id": value_type::to_json(&key), "label": label }));
    let (claimed_by, claimed_at) = claims::to_json(task, claimer);
    Ok(json!({
        "id": task.id,
        "run": task.run,
        "process": task.process.0,
        "step": task.name,
        "title": task.title,
        "row": row,
        "created_at": datetime_text(&task.created_at),
        "due_at": task.due_at.as_ref().map(datetime_text),
        "outcomes": outcomes,
        "claimed_by": claimed_by,
        "claimed_at": claimed_at,
    }))
}

/// Decides a task for the caller: writes what the outcome sets, and continues the run. The result is the output of the step.
///
/// # Errors
/// 404 if the task is not the caller's, 422 for an unknown outcome or a refused write, 409 if it was decided before, or if
/// another account has claimed it.
pub(crate) fn decide(tx: &mut Tx<'_>, id: Uuid, outcome: Option<&str>) -> Result<Json> {
    let found = find(tx, id)?;
    claims::refuse_foreign(tx, &found)?;
    let mut run = store::find(tx.conn, tx.app, found.run, Lock::Wait)?.ok_or_else(Error::not_found)?;
    let process = tx.state::<Processes>()?.version(&run.process, &run.version, &run.flow)?;
    let outcomes = outcomes(&process, &found);
    let known = || outcomes.iter().map(|outcome| format!("`{}`", outcome.name)).collect::<Vec<_>>().join(", ");
    let chosen = outcomes.iter().position(|it| Some(it.name.as_str()) == outcome);
    let (at, def) = chosen.and_then(|at| Some((at, outcomes.get(at)?))).ok_or_else(|| {
        Error::validation(
            "outcome",
            match outcome {
                Some(_) => say!("dz-must-be-one-of", "must be one of {names}", names = known()),
                None => say!("dz-is-required", "is required").to_owned(),
            },
        )
    })?;
    let (account, now) = (tx.caller.account.as_ref().map(|account| account.id.clone()).unwrap_or_default(), tx.caller.now);
    let mut update = Statement::new();
    update.push("UPDATE dz_tasks SET status = 'decided', outcome = ").bind(store::text(&def.name), BindKind::Text);
    update.push(", decided_by = ").bind(account.clone(), BindKind::from_account_key(tx.app)?);
    update.push(", decided_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(" WHERE status = 'open' AND id = ").bind(Value::Uuid(id), BindKind::Uuid);
    // A claim that another account made since the task was read.
    update.push(" AND (claimed_by IS NULL OR claimed_by = ").bind(account.clone(), BindKind::from_account_key(tx.app)?);
    if let Some(claim) = &found.claim {
        update.push(" OR claimed_by = ").bind(claim.account.clone(), BindKind::from_account_key(tx.app)?);
    }
    update.push(")");
    if tx.conn.execute(&update)? == 0 {
        let now = find(tx, id)?;
        claims::refuse_foreign(tx, &now)?;
        return Err(Error::new(409, "CONFLICT", say!("dz-this-task-was-decided-in-the-meantime", "This task was decided in the meantime")));
    }
    let output = json!({ "outcome": def.name, "by": value_type::to_json(&account), "at": datetime_text(&now) });
    set_fields(tx, &mut run, &found, def, &output).map_err(refuse_outcome)?;
    let event = Event::Decided { step: found.at.0, visit: found.at.1, outcome: at, output: output.clone() };
    drive::handle(tx, &mut run, event, 0)?;
    Ok(output)
}

/// A refused write of an outcome is 422, whatever its reason: 409 is a task that was decided before.
fn refuse_outcome(error: Error) -> Error {
    if (400..500).contains(&error.status) { Error { status: 422, ..error } } else { error }
}

/// Writes what an outcome sets, as the system; the audit log names the account.
fn set_fields(tx: &mut Tx<'_>, run: &mut Run, task: &StoredTask, outcome: &OutcomeDef, output: &Json) -> Result<()> {
    if outcome.sets.is_empty() {
        return Ok(());
    }
    let (entity, key) = row_of(tx, task)
        .ok_or_else(|| Error::new(422, "NO_ROW", say!("dz-the-task-has-no-row-to-change", "The task has no row to change")))?;
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
