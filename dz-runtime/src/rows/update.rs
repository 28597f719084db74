//! Updates of rows, including transitions.

use crate::{
    Error, Result, Tx, Value,
    access::{Action as _, Grant, Transition, Update},
    def::{Auto, EntityDef, FieldIx},
    files,
    record::FieldValues,
    rows::{
        Row, account_address, check,
        input::{Attempt, Input},
        read::lock,
        select::stored_fields,
        transitions,
        write::{Write, WriteResult, changed_values, run_before_update},
    },
};

/// Updates fields of a row. `version` is the value of `If-Match`: if the stored row has another version, the result is 412 `STALE`.
/// The result is `None` if the caller may not read the row after the update.
///
/// Needs at most three statements in addition to those of hooks: one that loads the row; the update, which checks the rule, the
/// invariants and the references; and one that reads the row for the response, if the update itself cannot decide whether the
/// caller may read it. If no value changes, nothing is written. A refusal needs one more statement, which finds its reason.
///
/// # Errors
/// 404, 403 and 412 for the stored row; 422 for values; 403, 422 `REFERENCE` and 409 `UNIQUE` for the row as it would be stored.
pub fn update(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, input: impl Into<Input>, version: Option<i64>) -> Result<Option<Row>> {
    execute_update(tx, grant.entity, Update::NAME, id, input.into(), version)?.into_visible(tx, grant.entity)
}

/// Makes a transition of a row, together with changes of other fields. The action is `transition`, or `update` if the entity has no
/// rule for transitions. Fields that the transition does not require always need the permission to update.
///
/// # Errors
/// As [`update`]; 409 `TRANSITION_NOT_ALLOWED`, 403 `TRANSITION_FORBIDDEN`, 422 `TRANSITION_REQUIRES` and `TRANSITION_GUARD`.
pub fn transition(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    id: &Value,
    state: Value,
    input: impl Into<Input>,
    version: Option<i64>,
) -> Result<Option<Row>> {
    execute_transition(tx, entity, id, state, input.into(), version)?.into_visible(tx, entity)
}

/// As [`transition`], for Rust code of the application: always returns the row.
pub(crate) fn make_transition(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    id: &Value,
    state: Value,
    input: impl Into<Input>,
    version: Option<i64>,
) -> Result<Row> {
    execute_transition(tx, entity, id, state, input.into(), version).map(|result| result.row)
}

fn execute_transition(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    id: &Value,
    state: Value,
    mut input: Input,
    version: Option<i64>,
) -> Result<WriteResult> {
    let (states, of) = transitions::machine(entity).ok_or_else(Error::not_found)?;
    let action = transitions::ask_action(tx, entity)?;
    check_sent_state(tx, entity, action, (id, version), &mut input, &state)?;
    if action == Transition::NAME && input.field_values.fields().next().is_some() {
        // The rule of transitions covers only the fields that this transition requires.
        let before = lock(tx, entity, action, id, version);
        let before = input.prefer_input_error(before)?;
        let (from, to) = (transitions::position(of, Some(before.value(states.field))), transitions::position(of, Some(&state)));
        let requires = from.zip(to).and_then(|(from, to)| states.find(from, to)).map_or(&[][..], |row| row.requires);
        // The currency of an amount is written together with the amount.
        let named = |at: FieldIx| entity.fields.get(usize::from(at)).and_then(|field| field.kind.amount()).unwrap_or(at);
        if input.field_values.fields().any(|field| !requires.contains(&named(field))) {
            let may = tx.ask::<Update>(entity).and_then(|_| lock(tx, entity, Update::NAME, id, None));
            input.prefer_input_error(may)?;
        }
    }
    input.field_values.set(states.field, state);
    execute_update(tx, entity, action, id, input, version)
}

/// Refuses a body that contains another state than that of the transition; the stored one is a row that is sent back.
fn check_sent_state(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    action: &'static str,
    (id, version): (&Value, Option<i64>),
    input: &mut Input,
    state: &Value,
) -> Result<()> {
    let Some((states, _)) = transitions::machine(entity) else { return Ok(()) };
    let Some(sent) = input.field_values.get(states.field).filter(|sent| *sent != state).cloned() else {
        input.field_values.remove(states.field);
        return Ok(());
    };
    let before = lock(tx, entity, action, id, version);
    if *input.prefer_input_error(before)?.value(states.field) != sent {
        let state = state.to_key_text().unwrap_or_default();
        return Err(Error::validation(
            entity.field(states.field).name,
            format!("is `{state}` after this transition: send that, or nothing"),
        ));
    }
    input.field_values.remove(states.field);
    Ok(())
}

/// As [`update`], but a field without a value becomes null, or its default if it is required; a required field without a default is
/// an error. The state, the key, the tenant and the fields that the caller cannot write stay unchanged.
///
/// # Errors
/// As [`update`].
pub fn replace(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, input: impl Into<Input>, version: Option<i64>) -> Result<Option<Row>> {
    let entity = grant.entity;
    let mut input = input.into();
    for at in stored_fields(entity) {
        let field = entity.field(at);
        let is_state = entity.states.is_some_and(|states| states.field == at);
        let stays = at == entity.pk
            || entity.tenancy.tenant == Some(at)
            || is_state
            || field.sensitive
            || field.secret
            || field.auto != Auto::No
            || check::write_refusal(entity, at, &tx.caller).is_some();
        if !stays && input.field_values.get(at).is_none() {
            let value = if field.required { check::default_value(tx, entity, at) } else { Value::Null };
            input.field_values.set(at, value);
        }
    }
    execute_update(tx, entity, Update::NAME, id, input, version)?.into_visible(tx, entity)
}

/// As [`update`], for Rust code of the application: always returns the row.
pub(crate) fn update_row(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, input: impl Into<Input>) -> Result<Row> {
    execute_update(tx, grant.entity, Update::NAME, id, input.into(), None).map(|result| result.row)
}

pub(super) fn execute_update(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    action: &'static str,
    id: &Value,
    input: Input,
    version: Option<i64>,
) -> Result<WriteResult> {
    let before = lock(tx, entity, action, id, version);
    let before = input.prefer_input_error(before)?;
    let awaits_children = input.awaits_children;
    let mut errors = check::FieldErrors::new(input.error);
    let field_values = files::keep_attached(entity, &before, check::normalize(entity, input.field_values, &mut errors));
    let input_fields: Vec<_> = field_values.fields().collect();
    let mut changes = FieldValues::default();
    for (at, value) in field_values.0 {
        let old = before.values.get(usize::from(at));
        match check::write_refusal(entity, at, &tx.caller) {
            _ if at == entity.pk && old != Some(&value) => {
                errors.add_fatal(entity.field(at).name, say!("dz-cannot-be-changed", "cannot be changed"))
            }
            Some(why) if old != Some(&value) || entity.field(at).secret => errors.add_fatal(entity.field(at).name, why),
            _ if !entity.field(at).is_stored() => {}
            _ => changes.set(at, value),
        }
    }
    errors.check(tx.app, entity, changes.0.iter().map(|(at, value)| (*at, value)));
    errors.check_amounts(entity, |at| changes.get(at).unwrap_or_else(|| before.value(at)));
    if let Some((error, is_complete)) = errors.into_error() {
        let values = changed_values(&before, &changes);
        let attempt = Attempt { entity, before: Some(&before), values: &values, input_fields: &input_fields, awaits_children };
        return Err(attempt.complete(
            tx,
            error,
            |tx| if is_complete { run_before_update(tx, entity, &before, &mut changes) } else { Ok(()) },
        ));
    }
    if entity.account {
        account_address::check(tx, entity, &before, &changes)?;
    }
    let changes_state =
        entity.states.is_some_and(|states| changes.get(states.field).is_some_and(|state| state != before.value(states.field)));
    if changes_state && action == Update::NAME && entity.rule(Transition::NAME).is_some() {
        // A change of the state also needs the rule of transitions.
        lock(tx, entity, Transition::NAME, id, None)?;
    }
    Write { awaits_children, ..Write::change(entity, before, changes, Some(action), input_fields) }.run(tx)
}

/// Writes a consequence of a permitted write, without a check of access rules.
pub(crate) fn write_consequence(tx: &mut Tx<'_>, entity: &'static EntityDef, before: Row, changes: FieldValues) -> Result<Row> {
    Write::change(entity, before, changes, None, Vec::new()).run(tx).map(|result| result.row)
}
