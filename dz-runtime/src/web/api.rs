//! The JSON API: list, create, read, change, replace, delete, for every entity.

pub(crate) mod actions;
pub(crate) mod bulk;
pub(crate) mod csv;
pub(crate) mod etag;
mod expand;
pub(crate) mod graph;
pub(crate) mod idempotency;
pub(crate) mod openapi;
pub mod params;
pub(crate) mod processes;

use crate::{
    Error, Result, Tx, Value,
    access::{self, Create, Delete, List, Read, Restore, SurfaceScope, Update},
    def::EntityDef,
    field,
    rows::{self, Row, parse_key, transitions},
    suggest::did_you_mean,
    web::{
        Call, Reply,
        api::{
            expand::{Expansion, write_name},
            idempotency::StoredReply,
        },
        request::{body, duplicates},
        response::problem,
    },
};

/// The operation of an API route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Show the OpenAPI document.
    Describe,
    /// List rows, as JSON or CSV.
    List,
    /// Create a row.
    Create,
    /// Change, transition or delete many rows.
    Bulk,
    /// Import rows from CSV.
    Import,
    /// Read a row.
    Read,
    /// Update the fields that are sent.
    Update,
    /// Replace all fields of a row.
    Replace,
    /// Delete a row.
    Delete,
    /// Transition a row to a state.
    Transition,
    /// Restore a soft-deleted row.
    Restore,
    /// Run an action of the application.
    Act(&'static str),
    /// Work with processes.
    Process(processes::ProcessOperation),
}

/// Runs an operation; a write with an `Idempotency-Key` is executed once.
pub(crate) fn handle(tx: &mut Tx<'_>, call: &Call, operation: Operation) -> Result<Reply> {
    idempotency::run_once(tx, call, |tx| run_operation(tx, call, operation), |tx, kept| replay(tx, call, operation, &kept))
}

/// The entity that the route of a request names.
fn entity_of(call: &Call) -> Result<&'static EntityDef> {
    call.found.route().and_then(|route| route.entity).ok_or_else(Error::not_found)
}

fn run_operation(tx: &mut Tx<'_>, call: &Call, operation: Operation) -> Result<Reply> {
    if operation == Operation::Describe {
        return describe(tx, call);
    }
    if let Operation::Process(operation) = operation {
        return processes::run(tx, call, operation);
    }
    let entity = entity_of(call)?;
    let id = call.value(0);
    match operation {
        Operation::Describe | Operation::Process(_) => Err(Error::not_found()),
        Operation::List => list(tx, call, entity),
        Operation::Create => create(tx, call, entity),
        Operation::Bulk => bulk::bulk(tx, call, entity),
        Operation::Import => import(tx, call, entity),
        Operation::Read => read(tx, call, entity, id),
        Operation::Update => update(tx, call, entity, id, Replacement::No),
        Operation::Replace => update(tx, call, entity, id, Replacement::Yes),
        Operation::Delete => delete(tx, call, entity, id),
        Operation::Transition => transition(tx, call, entity, id, call.value(1)),
        Operation::Restore => restore(tx, call, entity, id),
        Operation::Act(action) => actions::act(tx, call, entity, id, action),
    }
}

/// Replays the response of an earlier write: checks access again and reads the row again.
fn replay(tx: &mut Tx<'_>, call: &Call, operation: Operation, kept: &StoredReply) -> Result<Reply> {
    if let Operation::Process(operation) = operation {
        processes::check_caller(tx, call, operation)?;
        return Ok(json_reply(kept.status, kept.answer.clone().into_bytes()));
    }
    let entity = entity_of(call)?;
    match operation {
        Operation::Create => tx.ask::<Create>(entity).map(drop)?,
        Operation::Transition => transitions::ask_action(tx, entity).map(drop)?,
        Operation::Restore => tx.ask::<Restore>(entity).map(drop)?,
        Operation::Bulk => {
            bulk::check_again(tx, call, entity)?;
            return Ok(bulk::replay(kept));
        }
        Operation::Import => {
            check_import(tx, entity)?;
            return Ok(json_reply(kept.status, kept.answer.clone().into_bytes()));
        }
        Operation::Act(action) => {
            access::ask_custom(&tx.caller, entity, action)?;
            if kept.row.is_empty() {
                return act_again(tx, call, entity, kept);
            }
        }
        // These are not `POST`, so no response is stored.
        Operation::Describe
        | Operation::List
        | Operation::Read
        | Operation::Update
        | Operation::Replace
        | Operation::Delete
        | Operation::Process(_) => {
            return Err(Error::not_found());
        }
    }
    let key = parse_key(tx, entity, &kept.row)?;
    let row = readable(tx, entity, &key)?;
    let mut reply = write_reply(kept.status, entity, &key, row);
    if kept.status == 201 {
        reply.headers.push(("Location", row_address(entity, &key)));
    }
    Ok(reply)
}

/// The row if it exists and the caller may read it; the key is known to its writer anyway.
fn readable(tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value) -> Result<Option<Row>> {
    let row = match tx.ask::<Read>(entity) {
        Ok(grant) => rows::read(tx, &grant, key, &[]),
        Err(refused) => Err(refused),
    };
    match row {
        Ok(row) => Ok(Some(row)),
        Err(error) if error.status < 500 => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replays the response of an action, if the caller can still read its row.
fn act_again(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, kept: &StoredReply) -> Result<Reply> {
    let key = parse_key(tx, entity, call.value(0))?;
    Ok(match readable(tx, entity, &key)? {
        Some(_) => json_reply(kept.status, kept.answer.clone().into_bytes()),
        None => write_reply(kept.status, entity, &key, None),
    })
}

/// `POST /api/{table}/import`: rows from CSV, all or none.
fn import(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Reply> {
    check_import(tx, entity)?;
    check_parameters(call, &[])?;
    let missing = || match call.json.is_none() && call.form.is_empty() {
        true => Error::bad_request("the file is empty; its first row names fields"),
        false => body::unsupported("Send CSV with the header `Content-Type: text/csv`"),
    };
    let bytes = call.csv.as_deref().ok_or_else(missing)?;
    let named: Vec<_> = csv::list_columns(entity).into_iter().filter_map(|(_, cell, _)| csv::ImportColumn::from_cell(cell)).collect();
    let done = match csv::import(tx, entity, &SurfaceScope::default(), &named, bytes)? {
        csv::Outcome::Stored(done) => done,
        csv::Outcome::Refused(error, rows) => return Ok(problem::problem_with_rows(&error, &rows, &call.request_id)),
    };
    Ok(json_reply(200, format!("{{\"created\":{},\"updated\":{}}}", done.created, done.updated).into_bytes()))
}

/// Refuses callers who can neither create nor update any row.
fn check_import(tx: &Tx<'_>, entity: &'static EntityDef) -> Result<()> {
    tx.ask::<Create>(entity).map(drop).or_else(|refused| tx.ask::<Update>(entity).map(drop).map_err(|_| refused))
}

/// `GET /api/openapi.json`: for signed-in callers, because it names every field.
fn describe(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    tx.caller.account.as_ref().ok_or_else(Error::unauthenticated)?;
    check_parameters(call, &[])?;
    Ok(json_reply(200, openapi::write_document(tx.app, &tx.hooks).as_bytes().to_vec()))
}

/// `POST /api/{table}/{id}/transitions/{state}`: an optional body contains fields that are set in the same transition.
fn transition(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str, state: &str) -> Result<Reply> {
    let (_, of) = transitions::machine(entity).ok_or_else(Error::not_found)?;
    let key = parse_key(tx, entity, id)?;
    check_parameters(call, &[])?;
    if !of.values.iter().any(|value| value.name == state) {
        let names: Vec<&str> = of.values.iter().map(|value| value.name).collect();
        return Err(Error::new(
            422,
            "VALIDATION",
            format!("`{}` is not a state; the states are {}", state.escape_default(), names.join(", ")),
        ));
    }
    let given = body::parse_optional_object(call)?.map_or_else(rows::Input::default, |members| body::parse_fields(tx.app, entity, members));
    let row = rows::transition(tx, entity, &key, Value::Text(state.to_owned()), given, etag::read_version(call))?;
    record_shown_row(tx, entity, row.as_ref())?;
    Ok(write_reply(200, entity, &key, row))
}

/// `POST /api/{table}/{id}/actions/restore`: restores a soft-deleted row.
fn restore(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str) -> Result<Reply> {
    let grant = tx.ask::<Restore>(entity)?;
    let key = parse_key(tx, entity, id)?;
    check_parameters(call, &[])?;
    body::check_members(&body::parse_optional_object(call)?.unwrap_or_default(), &[])?;
    let row = rows::restore(tx, &grant, &key, etag::read_version(call))?;
    record_shown_row(tx, entity, row.as_ref())?;
    Ok(write_reply(200, entity, &key, row))
}

/// Whether an update replaces the whole row.
#[derive(Clone, Copy, PartialEq)]
enum Replacement {
    Yes,
    No,
}

pub(crate) fn json_reply(status: u16, body: Vec<u8>) -> Reply {
    Reply { status, content_type: "application/json", body, ..Reply::default() }
}

fn list(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Reply> {
    let grant = tx.ask::<List>(entity)?;
    if graph::is_requested(entity, &call.query) {
        return graph::list_edges(tx, call, &grant);
    }
    if entity.tenancy.is_singleton() {
        rows::singleton::find_or_create(tx, entity)?;
    }
    if csv::is_requested(&call.query)? {
        let query = csv::parse(tx, entity, &call.query)?;
        return csv::Export::reply(tx, entity, SurfaceScope::default(), query, csv::list_columns(entity));
    }
    let surface = params::list_surface(tx.app, entity);
    let mut query = params::parse(tx.app, entity, surface, &call.query, params::Strictness::Api)?;
    let mut expansion = Expansion::parse(tx, call, entity)?;
    query.extra = expansion.extra_columns();
    let page = rows::list(tx, &grant, &query)?;
    expansion.load(tx, entity, &page.rows)?;
    let mut out = Vec::with_capacity(256 * (page.rows.len() + 1));
    out.extend_from_slice(b"{\"items\":[");
    for (at, row) in page.rows.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        expansion.write(entity, row, &mut out);
    }
    let number = query.offset / query.limit.max(1) + 1;
    let capped = if page.total.is_capped { ",\"total_capped\":true" } else { "" };
    let rest = format!("],\"total\":{}{capped},\"page\":{number},\"page_size\":{}}}", page.total.rows, query.limit);
    out.extend_from_slice(rest.as_bytes());
    Ok(json_reply(200, out))
}

fn read(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str) -> Result<Reply> {
    let grant = tx.ask::<Read>(entity)?;
    let key = parse_key(tx, entity, id)?;
    check_parameters(call, &["expand"])?;
    let mut expansion = Expansion::parse(tx, call, entity)?;
    let row = rows::read(tx, &grant, &key, &expansion.extra_columns())?;
    expansion.load(tx, entity, std::slice::from_ref(&row))?;
    Ok(row_reply(200, entity, &row, &expansion))
}

fn create(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Reply> {
    let grant = tx.ask::<Create>(entity)?;
    check_parameters(call, &[])?;
    let sent = body::parse_fields(tx.app, entity, body::parse_object(call)?);
    let (key, row) = rows::create(tx, &grant, sent)?;
    record_shown_row(tx, entity, row.as_ref())?;
    let mut reply = write_reply(201, entity, &key, row);
    reply.headers.push(("Location", row_address(entity, &key)));
    Ok(reply)
}

fn update(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str, whole: Replacement) -> Result<Reply> {
    let grant = tx.ask::<Update>(entity)?;
    let key = parse_key(tx, entity, id)?;
    check_parameters(call, &[])?;
    let given = body::parse_fields(tx.app, entity, body::parse_object(call)?);
    let version = etag::read_version(call);
    let row = match whole {
        Replacement::No => rows::update(tx, &grant, &key, given, version)?,
        Replacement::Yes => rows::replace(tx, &grant, &key, given, version)?,
    };
    record_shown_row(tx, entity, row.as_ref())?;
    Ok(write_reply(200, entity, &key, row))
}

fn delete(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str) -> Result<Reply> {
    let grant = tx.ask::<Delete>(entity)?;
    let key = parse_key(tx, entity, id)?;
    check_parameters(call, &[])?;
    rows::delete(tx, &grant, &key, etag::read_version(call))?;
    Ok(Reply { status: 204, ..Reply::default() })
}

/// Refuses unknown and repeated query parameters.
pub(crate) fn check_parameters(call: &Call, names: &[&str]) -> Result<()> {
    duplicates::check_query(&call.query)?;
    let Some((name, _)) = call.query.iter().find(|(name, _)| !names.contains(&name.as_str())) else { return Ok(()) };
    let near = did_you_mean(name, names.to_vec());
    Err(Error::bad_request(format!("unknown parameter `{}`{near}", name.escape_default())))
}

/// The address of the row with this key.
fn row_address(entity: &EntityDef, key: &Value) -> String {
    format!("/api/{}/{}", entity.table, key.to_path_segment())
}

fn row_reply(status: u16, entity: &'static EntityDef, row: &Row, expansion: &Expansion) -> Reply {
    let mut out = Vec::with_capacity(512);
    expansion.write(entity, row, &mut out);
    let mut reply = json_reply(status, out);
    reply.headers.push(etag::of_row(row));
    reply
}

/// Records in the audit log that the response to a write shows the row.
fn record_shown_row(tx: &mut Tx<'_>, entity: &'static EntityDef, row: Option<&Row>) -> Result<()> {
    row.map_or(Ok(()), |row| rows::record_read(tx, entity, row))
}

/// The response to a write: the row, or only its key if the caller cannot read it.
pub(crate) fn write_reply(status: u16, entity: &'static EntityDef, key: &Value, row: Option<Row>) -> Reply {
    let reply = match row {
        Some(row) => row_reply(status, entity, &row, &Expansion::default()),
        None => {
            let mut out = b"{".to_vec();
            write_name(entity.key(), &mut out);
            field::write_json(entity.key(), key, &mut out);
            out.push(b'}');
            json_reply(status, out)
        }
    };
    Reply { row: Some(key.clone()), ..reply }
}
