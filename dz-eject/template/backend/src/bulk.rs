//! Bulk changes: one action on many rows, each independent of the others.

use diesel::Connection as _;
use serde_json::{Value as Json, json, value::RawValue};

use crate::{
    db::Connection,
    names::did_you_mean,
    problem::{Problem, Result},
    reply::Reply,
    request::{Body, Call, Members},
    types::RowKey,
};

/// The most rows of a request.
pub const MOST_ROWS: i64 = 10_000;

const MEMBERS: [&str; 5] = ["action", "ids", "query", "set", "to"];

/// The action on each row.
pub enum Action<'b> {
    /// Delete the row.
    Delete,
    /// Change these fields.
    Update(Members<'b>),
    /// Change the state, and these fields.
    Transition(String, Members<'b>),
}

/// The key of a row as the request writes it, and the key itself if it is one.
pub type Key<K> = (Json, Option<K>);

/// The rows of a request.
pub enum Rows {
    /// The rows with these keys.
    Keys(Vec<Json>),
    /// The rows of a list with these parameters.
    Query(String),
}

/// A request.
pub struct Bulk<'b> {
    /// The action.
    pub action: Action<'b>,
    members: Members<'b>,
}

impl<'b> Bulk<'b> {
    /// Reads the action of a request about rows with these states.
    pub fn parse(body: &'b Body, states: &[&str]) -> Result<Bulk<'b>> {
        let members = body.object()?;
        if let Some(name) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            return Err(Problem::validation(name, format!("is unknown{}", did_you_mean(name, MEMBERS))));
        }
        Ok(Bulk { action: action(&members, states)?, members })
    }

    /// The fields that the action changes.
    pub fn fields(&self) -> Option<&Members<'b>> {
        match &self.action {
            Action::Delete => None,
            Action::Update(fields) | Action::Transition(_, fields) => Some(fields),
        }
    }

    /// Reads the rows of the request.
    pub fn rows(&self) -> Result<Rows> {
        rows(&self.members)
    }
}

fn text(members: &Members<'_>, name: &str) -> Option<String> {
    members.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok())
}

fn action<'b>(members: &Members<'b>, states: &[&str]) -> Result<Action<'b>> {
    let name = text(members, "action").unwrap_or_default();
    let unwanted = |member: &str| Err(Problem::validation(member, format!("has no meaning for `{name}`")));
    match name.as_str() {
        "delete" if members.contains_key("set") => unwanted("set"),
        "delete" | "update" if members.contains_key("to") => unwanted("to"),
        "delete" => Ok(Action::Delete),
        "update" => match members.get("set") {
            Some(set) => Ok(Action::Update(fields(set)?)),
            None => Err(Problem::validation("set", "is required: an object with the fields to change")),
        },
        "transition" => {
            let to = text(members, "to").filter(|to| states.contains(&to.as_str()));
            let to = to.ok_or_else(|| Problem::validation("to", format!("must be one of the states: {}", states.join(", "))))?;
            Ok(Action::Transition(to, members.get("set").map(|set| fields(set)).transpose()?.unwrap_or_default()))
        }
        _ => Err(Problem::validation("action", "must be one of delete, update, transition")),
    }
}

fn fields<'b>(set: &'b RawValue) -> Result<Members<'b>> {
    serde_json::from_str(set.get()).map_err(|_| Problem::validation("set", "must be an object"))
}

fn rows(members: &Members<'_>) -> Result<Rows> {
    match (members.get("ids"), members.get("query")) {
        (Some(ids), None) => {
            let ids: Vec<Json> = serde_json::from_str(ids.get()).map_err(|_| Problem::validation("ids", "must be a list of keys"))?;
            if ids.len() as i64 > MOST_ROWS {
                return Err(Problem::validation("ids", format!("must be at most {MOST_ROWS}")));
            }
            Ok(Rows::Keys(ids))
        }
        (None, Some(_)) => {
            let query = text(members, "query");
            let query = query.ok_or_else(|| Problem::validation("query", "must be text, for example \"status=open\""))?;
            Ok(Rows::Query(query.trim_start_matches('?').to_owned()))
        }
        _ => Err(Problem::validation("ids", "name the rows: either `ids` or `query`")),
    }
}

/// The request of a list with these parameters.
pub fn list_call(parameters: &str) -> Result<Call> {
    let query: Vec<(String, String)> = url::form_urlencoded::parse(parameters.as_bytes()).into_owned().collect();
    let of_a_page = |name: &str| matches!(name, "page" | "page_size" | "expand" | "format");
    match query.iter().find(|(name, _)| of_a_page(name)) {
        Some((name, _)) => {
            Err(Problem::bad_request(format!("`{name}` has no meaning here: `query` selects all rows that it finds")))
        }
        None => Ok(Call::list(query)),
    }
}

/// The keys that a request names.
pub fn named<K: RowKey>(keys: &[Json]) -> Vec<Key<K>> {
    keys.iter().map(|key| (key.clone(), K::from_json(key))).collect()
}

/// The keys that a list has found.
pub fn found<K: RowKey>(keys: Vec<K>) -> Result<Vec<Key<K>>> {
    match keys.len() as i64 > MOST_ROWS {
        true => Err(Problem::validation("query", format!("finds more than {MOST_ROWS} rows; add a condition"))),
        false => Ok(keys.into_iter().map(|key| (json!(key), Some(key))).collect()),
    }
}

/// Runs the action on each row, in a savepoint of its own.
pub fn run<K: RowKey>(
    connection: &mut Connection,
    keys: Vec<Key<K>>,
    request_id: &str,
    mut action: impl FnMut(&mut Connection, &K) -> Result<Reply>,
) -> Result<Reply> {
    let mut results = Vec::new();
    for (text, key) in keys {
        let done = match key {
            Some(key) => connection.transaction(|connection| action(connection, &key)),
            None => Err(Problem::not_found()),
        };
        results.push(match done {
            Ok(reply) => json!({ "id": text, "status": reply.status }),
            Err(problem) if problem.status >= 500 => return Err(problem),
            Err(problem) => json!({ "id": text, "status": problem.status, "problem": problem.document(request_id) }),
        });
    }
    Ok(Reply::json(200, json!({ "results": results })))
}
