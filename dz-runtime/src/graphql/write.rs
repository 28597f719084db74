//! Mutations: each runs the write of the JSON API in a savepoint, so that a refused one leaves the others.

use std::collections::BTreeMap;

use dz_graphql::{Operation, Source};
use serde_json::Value as Json;

use super::{
    children,
    data::Data,
    input::{self, compared_value, key, to_json},
    load::Loader,
    plan::{Selected, Selection},
    repeat::MutationEffect,
    scalar::{self, Output},
};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Create, Delete, Read, Restore, Update},
    def::{EntityDef, EntityIx},
    field,
    rows::{self, Row},
};

/// The result of a mutation.
enum WriteResult {
    /// The row as the caller sees it.
    Row(Option<Row>),
    /// True.
    Done,
    /// The result of an action.
    Answer(Json),
}

/// Runs a mutation, and loads the selected fields of its row.
///
/// # Errors
/// Those of the write.
pub(super) fn run(loader: &mut Loader<'_, '_, '_>, entity: &'static EntityDef, operation: &Operation, selected: &Selected) -> Result<Data> {
    let written = loader.tx.savepoint(|tx| {
        let written = write(tx, entity, operation, selected)?;
        if let WriteResult::Row(Some(row)) = &written {
            rows::record_read(tx, entity, row)?;
        }
        Ok(written)
    })?;
    let id = selected.argument("id").and_then(input::to_text).unwrap_or_default();
    loader.written.push(match &written {
        WriteResult::Row(Some(row)) => MutationEffect::Row(row.value(entity.pk).to_key_text().unwrap_or_default()),
        WriteResult::Row(None) => MutationEffect::Hidden,
        WriteResult::Done => MutationEffect::Deleted,
        WriteResult::Answer(json) => MutationEffect::Answer(id, json.clone()),
    });
    match written {
        WriteResult::Row(Some(row)) => loader.object(entity, &row, &selected.selection),
        WriteResult::Row(None) => Ok(Data::null()),
        WriteResult::Done => Ok(Data::Leaf(Output::scalar(true))),
        WriteResult::Answer(json) => Ok(show_answer(json)),
    }
}

fn show_answer(json: Json) -> Data {
    Data::Leaf(if json.is_null() { Output::null() } else { scalar::json(json) })
}

/// Loads the result of a mutation that ran before, under the access rules as they are now. What the caller cannot read is null.
///
/// # Errors
/// 401 and 403 if the caller can never do the operation.
pub(super) fn repeat(
    loader: &mut Loader<'_, '_, '_>,
    entity: &'static EntityDef,
    operation: &Operation,
    selected: &Selected,
    written: &MutationEffect,
) -> Result<Data> {
    if *written == MutationEffect::Refused {
        return Ok(Data::null());
    }
    check_access(loader.tx, entity, operation)?;
    let mut row = |key: &str| {
        let key = rows::parse_key(loader.tx, entity, key)?;
        read_again(loader.tx, entity, &key)
    };
    match written {
        MutationEffect::Row(key) => match row(key)? {
            Some(row) => loader.object(entity, &row, &selected.selection),
            None => Ok(Data::null()),
        },
        MutationEffect::Answer(key, answer) => Ok(row(key)?.map_or_else(Data::null, |_| show_answer(answer.clone()))),
        MutationEffect::Deleted => Ok(Data::Leaf(Output::scalar(true))),
        MutationEffect::Hidden | MutationEffect::Refused => Ok(Data::null()),
    }
}

/// Checks whether the rules can permit a write for any row.
fn check_access(tx: &Tx<'_>, entity: &'static EntityDef, operation: &Operation) -> Result<()> {
    match operation {
        Operation::Create => tx.ask::<Create>(entity).map(drop),
        Operation::Update => tx.ask::<Update>(entity).map(drop),
        Operation::Delete => tx.ask::<Delete>(entity).map(drop),
        Operation::Restore => tx.ask::<Restore>(entity).map(drop),
        Operation::Transition => rows::transitions::ask_action(tx, entity).map(drop),
        Operation::Act(action) => access::ask_custom(&tx.caller, entity, action).map(drop),
        Operation::Read | Operation::List | Operation::Connection | Operation::Aggregate | Operation::Changes => {
            Err(Error::internal("the operation is not a write"))
        }
    }
}

/// Locks the rows that the mutations of a request name, so that two requests with other orders wait instead of colliding.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn lock_rows(loader: &mut Loader<'_, '_, '_>, plan: &Selection) -> Result<()> {
    let mut named: BTreeMap<EntityIx, Vec<Value>> = BTreeMap::new();
    for selected in &plan.fields {
        let source = selected.describe(loader.schema, plan.ty).map(|field| field.source.clone());
        let Some(Source::Root(entity, operation)) = source else { continue };
        let entity = loader.tx.app.entities[entity];
        if check_access(loader.tx, entity, &operation).is_ok()
            && let Ok(key) = key(loader.tx, entity, selected.argument("id"))
        {
            named.entry(entity.ix).or_default().push(key);
        }
    }
    rows::lock_entities_in_order(loader.tx, named)
}

fn write(tx: &mut Tx<'_>, entity: &'static EntityDef, operation: &Operation, selected: &Selected) -> Result<WriteResult> {
    let values = |tx: &Tx<'_>| input::fields(tx.app, entity, selected.argument("input"));
    let id = |tx: &Tx<'_>| key(tx, entity, selected.argument("id"));
    match operation {
        Operation::Create => {
            let grant = tx.ask::<Create>(entity)?;
            let mut sent = values(tx);
            add_chosen_key(tx, entity, selected, &mut sent)?;
            let Some(belongings) = selected.argument("children") else {
                return rows::create(tx, &grant, sent).map(|(_, row)| WriteResult::Row(row));
            };
            let mut count = 0;
            let (key, row) = rows::create_with_children(tx, &grant, sent, |tx, key| {
                count = children::create(tx, entity, key, belongings)?;
                Ok(())
            })?;
            match count {
                0 => Ok(WriteResult::Row(row)),
                // Computed fields can depend on the rows that belong to it.
                _ => Ok(WriteResult::Row(row.map(|_| read_again(tx, entity, &key)).transpose()?.flatten())),
            }
        }
        Operation::Update => {
            let grant = tx.ask::<Update>(entity)?;
            let key = id(tx)?;
            let sent = values(tx);
            rows::update(tx, &grant, &key, sent, None).map(WriteResult::Row)
        }
        Operation::Delete => {
            let grant = tx.ask::<Delete>(entity)?;
            let key = id(tx)?;
            rows::delete(tx, &grant, &key, None).map(|_| WriteResult::Done)
        }
        Operation::Restore => {
            let grant = tx.ask::<Restore>(entity)?;
            let key = id(tx)?;
            rows::restore(tx, &grant, &key, None).map(WriteResult::Row)
        }
        Operation::Transition => {
            let (states, _) = rows::transitions::machine(entity).ok_or_else(Error::not_found)?;
            let key = id(tx)?;
            let state = entity.field(states.field);
            let to = selected.argument("to").ok_or_else(|| Error::validation("to", "is required"))?;
            let to = compared_value(tx.app, state, "to", to)?;
            let sent = values(tx);
            rows::transition(tx, entity, &key, to, sent, None).map(WriteResult::Row)
        }
        Operation::Act(action) => {
            let action = access::ask_custom(&tx.caller, entity, action)?;
            let key = id(tx)?;
            let sent = selected.argument("input").map(to_json).filter(|json| !json.is_null());
            rows::run_action(tx, entity, &key, action, sent.unwrap_or_else(|| Json::Object(Default::default())), None)
                .map(WriteResult::Answer)
        }
        Operation::Read | Operation::List | Operation::Connection | Operation::Aggregate | Operation::Changes => {
            Err(Error::internal("the operation is not a write"))
        }
    }
}

/// The row as the caller sees it now; `None` if it is not visible.
fn read_again(tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value) -> Result<Option<Row>> {
    let Ok(grant) = tx.ask::<Read>(entity) else { return Ok(None) };
    match rows::read(tx, &grant, key, &[]) {
        Err(error) if error.status == 404 => Ok(None),
        row => row.map(Some),
    }
}

/// Adds the key of a new row, for entities whose keys users choose.
fn add_chosen_key(tx: &Tx<'_>, entity: &'static EntityDef, selected: &Selected, sent: &mut rows::Input) -> Result<()> {
    let name = dz_graphql::field_name(entity.key().name);
    let Some(text) = selected.argument(&name).and_then(input::to_text) else { return Ok(()) };
    match field::from_text(tx.app, entity.key(), &text, field::zone(tx.app)) {
        Ok(key) => sent.field_values.set(entity.pk, key),
        Err(wrong) => sent.add_error(entity.key().name, wrong),
    }
    Ok(())
}
