//! `POST /api/{table}/bulk`: one action on many rows, each independent of the others.

mod answer;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use self::answer::Answer;
use crate::{
    Error, Result, Tx, Value,
    access::{Action as _, Delete, List, Update},
    def::{EntityDef, FieldIx},
    field,
    record::FieldValues,
    rows::{self, Counting, Query, transitions},
    suggest::did_you_mean,
    web::{
        Call, Reply,
        api::{self, idempotency::StoredReply, params},
        request::body,
        response::problem,
    },
};

/// The maximum number of rows of a request.
pub(crate) const MAX_ROWS: usize = 10_000;

const MEMBERS: &[&str] = &["action", "ids", "query", "set", "to"];
const ACTIONS: &[&str] = &["delete", "update", "transition"];

/// The action on each row.
pub(crate) enum Action {
    /// Delete the row.
    Delete,
    /// Update these fields.
    Update(Vec<(FieldIx, Value)>),
    /// Transition to this state, with these fields.
    Transition(Value, Vec<(FieldIx, Value)>),
}

impl Action {
    /// Checks whether the rules can permit the action for any row.
    ///
    /// # Errors
    /// 401 or 403.
    pub(crate) fn check_access(&self, tx: &Tx<'_>, entity: &'static EntityDef) -> Result<()> {
        match self {
            Action::Delete => tx.ask::<Delete>(entity).map(drop),
            Action::Update(_) => tx.ask::<Update>(entity).map(drop),
            Action::Transition(..) => transitions::ask_action(tx, entity).map(drop),
        }
    }

    /// Executes the action on one row in a savepoint of its own; returns the status that a single request would have.
    ///
    /// # Errors
    /// The errors of a single request.
    pub(crate) fn apply(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value) -> Result<u16> {
        tx.savepoint(|tx| self.apply_in_savepoint(tx, entity, key))
    }

    /// Locks the rows in the order of their keys, before the first of them is written.
    ///
    /// # Errors
    /// 401, 403 and 503.
    pub(crate) fn lock_rows(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<Value>) -> Result<()> {
        let action = match self {
            Action::Delete => Delete::NAME,
            Action::Update(_) => Update::NAME,
            Action::Transition(..) => transitions::ask_action(tx, entity)?,
        };
        rows::lock_in_order(tx, entity, action, keys)
    }

    fn apply_in_savepoint(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value) -> Result<u16> {
        match self {
            Action::Delete => {
                let grant = tx.ask::<Delete>(entity)?;
                rows::delete(tx, &grant, key, None).map(|()| 204)
            }
            Action::Update(given) => {
                let grant = tx.ask::<Update>(entity)?;
                rows::update_row(tx, &grant, key, FieldValues(given.clone())).map(|_| 200)
            }
            Action::Transition(state, given) => {
                rows::make_transition(tx, entity, key, state.clone(), FieldValues(given.clone()), None).map(|_| 200)
            }
        }
    }
}

/// Handles the request.
pub(crate) fn bulk(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Reply> {
    api::check_parameters(call, &[])?;
    let members = body::parse_object(call)?;
    let action = parse_action(tx, entity, &members)?;
    action.check_access(tx, entity)?;
    let chosen = find_keys(tx, entity, &members)?;
    action.lock_rows(tx, entity, chosen.iter().filter_map(|(_, key)| key.clone()).collect())?;
    let done = rows::run_each(tx, &chosen, |tx, (_, key)| match key {
        Some(key) => action.apply_in_savepoint(tx, entity, key),
        None => Err(Error::not_found()),
    })?;
    let mut answer = Answer::default();
    for ((text, _), done) in chosen.iter().zip(done) {
        match done {
            Ok(status) => answer.add(text, status),
            Err(error) => {
                tx.note_refusal(&error);
                let document = problem::problem_document(&error, &call.request_id).body;
                answer.add_problem(text, error.status, String::from_utf8_lossy(&document).into_owned());
            }
        }
    }
    let stored = call.idempotency.as_ref().map(|_| answer.to_stored()).transpose()?;
    Ok(Reply { stored, ..api::json_reply(200, answer.body()) })
}

/// Repeats the response of a bulk write.
pub(crate) fn replay(kept: &StoredReply) -> Reply {
    api::json_reply(kept.status, answer::read_stored(&kept.answer))
}

/// Checks access again for a replayed bulk write.
pub(crate) fn check_again(tx: &Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<()> {
    parse_action(tx, entity, &body::parse_object(call)?)?.check_access(tx, entity)
}

fn parse_action(tx: &Tx<'_>, entity: &'static EntityDef, members: &BTreeMap<String, &RawValue>) -> Result<Action> {
    if let Some(name) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
        return Err(Error::validation(name, format!("is unknown{}", did_you_mean(name, MEMBERS.to_vec()))));
    }
    let name = body::read_text(members, "action").unwrap_or_default();
    let given = |named: &str| members.contains_key(named);
    let unwanted = |named: &'static str| Err(Error::validation(named, format!("has no meaning for `{name}`")));
    match name.as_str() {
        "delete" if given("set") => unwanted("set"),
        "delete" | "update" if given("to") => unwanted("to"),
        "delete" => Ok(Action::Delete),
        "update" => match members.get("set") {
            Some(set) => Ok(Action::Update(parse_fields(tx, entity, set)?)),
            None => Err(Error::validation("set", "is required: an object with the fields to change")),
        },
        "transition" => {
            let states: Vec<&str> =
                transitions::machine(entity).map(|(_, of)| of.values.iter().map(|value| value.name).collect()).unwrap_or_default();
            let to = body::read_text(members, "to").filter(|to| states.contains(&to.as_str()));
            let to = to.ok_or_else(|| Error::validation("to", format!("must be one of the states: {}", states.join(", "))))?;
            let set = members.get("set").map(|set| parse_fields(tx, entity, set)).transpose()?;
            Ok(Action::Transition(Value::Text(to), set.unwrap_or_default()))
        }
        _ => Err(Error::validation("action", format!("must be one of {}", ACTIONS.join(", ")))),
    }
}

fn parse_fields(tx: &Tx<'_>, entity: &'static EntityDef, set: &RawValue) -> Result<Vec<(FieldIx, Value)>> {
    let members: BTreeMap<String, &RawValue> =
        serde_json::from_str(set.get()).map_err(|_| Error::validation("set", "must be an object"))?;
    body::check_count(members.len())?;
    body::parse_fields(tx.app, entity, members).into_values().map(|given| given.0)
}

/// The keys of the rows, each with its text in the response; `None` for an invalid key.
fn find_keys(tx: &mut Tx<'_>, entity: &'static EntityDef, members: &BTreeMap<String, &RawValue>) -> Result<Vec<(String, Option<Value>)>> {
    match (members.get("ids"), members.get("query")) {
        (Some(ids), None) => {
            let ids: Vec<&RawValue> = serde_json::from_str(ids.get()).map_err(|_| Error::validation("ids", "must be a list of keys"))?;
            if ids.len() > MAX_ROWS {
                return Err(Error::validation("ids", format!("must be at most {MAX_ROWS}")));
            }
            let key = |raw: &RawValue| {
                let json = serde_json::from_str(raw.get()).ok()?;
                let key = field::from_json(tx.app, entity.key(), &json).ok()?;
                (!key.is_null() && field::check(entity.key(), &key).is_ok()).then_some(key)
            };
            Ok(ids.into_iter().map(|raw| (raw.get().to_owned(), key(raw))).collect())
        }
        (None, Some(_)) => {
            let query =
                body::read_text(members, "query").ok_or_else(|| Error::validation("query", "must be text, for example \"status=open\""))?;
            let keys = list_keys(tx, entity, query.trim_start_matches('?'))?;
            let written = |key: &Value| {
                let mut out = Vec::new();
                field::write_json(entity.key(), key, &mut out);
                String::from_utf8_lossy(&out).into_owned()
            };
            Ok(keys.into_iter().map(|key| (written(&key), Some(key))).collect())
        }
        _ => Err(Error::validation("ids", "name the rows: either `ids` or `query`")),
    }
}

/// The keys of the rows that the caller can list with these parameters.
fn list_keys(tx: &mut Tx<'_>, entity: &'static EntityDef, query: &str) -> Result<Vec<Value>> {
    let grant = tx.ask::<List>(entity)?;
    let pairs = body::decode_pairs(query);
    if let Some((name, _)) = pairs.iter().find(|(name, _)| matches!(name.as_str(), "page" | "page_size" | "expand" | "format")) {
        return Err(Error::bad_request(format!("`{name}` has no meaning here: `query` selects all rows that it finds")));
    }
    let surface = params::list_surface(tx.app, entity);
    let parsed = params::parse(tx.app, entity, surface, &pairs, params::Strictness::Api)?;
    let query = Query { limit: MAX_ROWS as u64 + 1, offset: 0, count: Counting::Off, ..parsed };
    let keys = rows::keys(tx, &grant, &query)?;
    match keys.len() > MAX_ROWS {
        true => Err(Error::validation("query", format!("finds more than {MAX_ROWS} rows; add a condition"))),
        false => Ok(keys),
    }
}
