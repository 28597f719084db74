//! Transitions between states: which exist, and their conditions on the caller and the row.

use crate::{
    Caller, Error, Result, Tx, Value,
    access::{self, Action as _, Transition, Update},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope},
    },
    def::{EntityDef, EnumDef, EnumValueDef, FieldIx, Stage, StatesDef, TransitionDef},
    rows::{Row, list::from_clause, read, select::ROW},
    texts,
};

/// The code of a transition whose fields are not set.
pub(super) const REQUIRES: &str = "TRANSITION_REQUIRES";

/// The state machine of an entity, with the enumeration of its states.
pub(crate) fn machine(entity: &'static EntityDef) -> Option<(&'static StatesDef, &'static EnumDef)> {
    let states = entity.states?;
    Some((states, entity.field(states.field).kind.enumeration()?))
}

/// Requests the action whose rule covers transitions: `transition`, or `update` if the entity has no rule for transitions.
///
/// # Errors
/// 401 or 403 if the rule covers no row for this caller.
pub(crate) fn ask_action(tx: &Tx<'_>, entity: &'static EntityDef) -> Result<&'static str> {
    match entity.rule(Transition::NAME) {
        Some(_) => tx.ask::<Transition>(entity).map(|_| Transition::NAME),
        None => tx.ask::<Update>(entity).map(|_| Update::NAME),
    }
}

/// The action whose rule decides about the transitions of a row.
pub(crate) fn action_name(entity: &'static EntityDef) -> &'static str {
    if entity.rule(Transition::NAME).is_some() { Transition::NAME } else { Update::NAME }
}

/// Refuses a new row that is not in the initial state. The system may create rows in every state.
///
/// # Errors
/// 409 `TRANSITION_NOT_ALLOWED`.
pub(super) fn check_initial_state(entity: &'static EntityDef, values: &[Value], caller: &Caller) -> Result<()> {
    let Some((states, of)) = machine(entity).filter(|_| !caller.system) else { return Ok(()) };
    let state = position(of, values.get(usize::from(states.field)));
    if state == Some(states.initial) {
        return Ok(());
    }
    let first = of.values.get(usize::from(states.initial)).map_or("", |value| value.title);
    let text = say!("dz-a-new-row-begins-as", "A new {thing} begins as {state}", thing = texts::lower(entity.title), state = first);
    Err(transition_error(entity, states, 409, "TRANSITION_NOT_ALLOWED", text))
}

/// The transition that a change makes, if the caller may make it; `None` if the state stays.
///
/// # Errors
/// 409 `TRANSITION_NOT_ALLOWED` with the allowed states, 403 `TRANSITION_FORBIDDEN` without its role, 422 `TRANSITION_REQUIRES` at
/// each field that must be set.
pub(super) fn check_transition(
    entity: &'static EntityDef,
    before: &Row,
    after: &[Value],
    caller: &Caller,
) -> Result<Option<(FieldIx, &'static TransitionDef)>> {
    let Some((states, of)) = machine(entity) else { return Ok(None) };
    let at = usize::from(states.field);
    let (old, new) = (before.values.get(at), after.get(at));
    if old == new {
        return Ok(None);
    }
    let (from, to) = (position(of, old), position(of, new));
    let Some(row) = from.zip(to).and_then(|(from, to)| states.find(from, to)).filter(|row| row.manual || caller.system) else {
        return Err(not_allowed(entity, states, of, from, to));
    };
    if !holds_role(row, &caller.for_entity(entity)) {
        let text = match (row.label, to.and_then(|to| of.values.get(usize::from(to)))) {
            (Some(label), _) => say!("dz-you-do-not-have-the-role-for", "You do not have the role for \"{label}\"", label = label),
            (None, to) => say!(
                "dz-may-not-change-to",
                "You may not change this {thing} to {state}",
                thing = texts::lower(entity.title),
                state = to.map_or("", |value| value.title)
            ),
        };
        let error = transition_error(entity, states, 403, "TRANSITION_FORBIDDEN", text);
        let name = |at: Option<u16>| at.and_then(|at| of.values.get(usize::from(at))).map_or("", |value| value.name);
        let rule = format!("transition {} -> {}", name(from), name(to));
        return Err(error.denied(entity, Transition::NAME, before.values.get(usize::from(entity.pk))).decided_by(rule));
    }
    let is_unset = |field: &FieldIx| after.get(usize::from(*field)).is_none_or(Value::is_null);
    let unset: Vec<FieldIx> = row.requires.iter().copied().filter(is_unset).collect();
    if unset.is_empty() {
        return Ok(Some((states.field, row)));
    }
    let error = Error::new(422, REQUIRES, requirement_text(entity, &unset));
    Err(unset.into_iter().fold(error, |error, field| {
        error.at(entity.field(field).name, say!("dz-must-be-set-for-this-transition", "must be set for this transition"))
    }))
}

/// True if the caller has one of the roles of the transition.
pub(crate) fn holds_role(row: &TransitionDef, caller: &Caller) -> bool {
    row.roles == 0 || caller.system || caller.roles & row.roles != 0
}

/// The position of a state; `None` for null and unknown values.
pub(crate) fn position(of: &EnumDef, state: Option<&Value>) -> Option<u16> {
    let Some(Value::Text(name)) = state else { return None };
    of.values.iter().position(|value| value.name == name).and_then(|at| u16::try_from(at).ok())
}

fn not_allowed(entity: &'static EntityDef, states: &'static StatesDef, of: &EnumDef, from: Option<u16>, to: Option<u16>) -> Error {
    let name = |at: Option<u16>| at.and_then(|at| of.values.get(usize::from(at))).map_or("nothing", |value| value.name);
    let allowed: Vec<&str> = from
        .into_iter()
        .flat_map(|from| states.transitions_from(from))
        .filter(|(_, row)| row.manual)
        .map(|(to, _)| name(Some(to)))
        .collect();
    let allowed_text = match allowed.as_slice() {
        [] => say!("dz-no-transition-leaves-it", "no transition leaves it").to_owned(),
        some => say!("dz-allowed-are", "allowed are {states}", states = some.join(", ")),
    };
    transition_error(
        entity,
        states,
        409,
        "TRANSITION_NOT_ALLOWED",
        say!("dz-cannot-become", "{from} cannot become {to}; {allowed}", from = name(from), to = name(to), allowed = allowed_text),
    )
}

fn transition_error(entity: &'static EntityDef, states: &StatesDef, status: u16, code: &'static str, text: String) -> Error {
    let name = entity.field(states.field).name;
    Error::new(status, code, text.clone()).at(name, text)
}

/// A transition from the current state of a row that the roles of the caller allow.
pub(crate) struct Offer {
    /// The new state.
    pub to: &'static EnumValueDef,
    /// The text of its button.
    pub title: &'static str,
    /// True for a regular next step; false for a failure and for an exit that several states have.
    pub step: bool,
    /// The reason why it is not possible now.
    pub closed: Option<Closed>,
}

/// The reason why a transition is not possible.
pub(crate) enum Closed {
    /// Fields that must be set first.
    Needs(Vec<FieldIx>),
    /// Its guard does not hold.
    Guard(&'static str),
}

impl Closed {
    /// The text for users.
    pub fn text(&self, entity: &'static EntityDef) -> String {
        match self {
            Closed::Needs(fields) => requirement_text(entity, fields),
            Closed::Guard(text) => (*text).to_owned(),
        }
    }
}

/// The text with the fields that a transition requires.
fn requirement_text(entity: &'static EntityDef, fields: &[FieldIx]) -> String {
    let titles: Vec<&str> = fields.iter().map(|at| entity.field(*at).title).collect();
    match titles.as_slice() {
        [first @ .., last] if !first.is_empty() => {
            say!("dz-needs-several", "Needs {fields} and {last}", fields = first.join(", "), last = last)
        }
        _ => say!("dz-needs-one", "Needs {field}", field = titles.concat()),
    }
}

/// The transitions from the current state of a row that the rule and the roles of the caller allow, each with the missing required
/// fields and the result of its guard. One statement evaluates the same conditions as the write.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn offers(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row) -> Result<Vec<Offer>> {
    let Some((states, of)) = machine(entity) else { return Ok(Vec::new()) };
    let Some(from) = position(of, Some(row.value(states.field))) else { return Ok(Vec::new()) };
    let caller = tx.caller.for_entity(entity).into_owned();
    let candidates: Vec<(u16, &TransitionDef)> =
        states.transitions_from(from).filter(|(_, row)| row.manual && holds_role(row, &caller)).collect();
    let action = action_name(entity);
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &caller };
    let covered = access::row_condition(&emit, entity, action, ROW);
    if candidates.is_empty() || matches!(covered, Condition::Never) {
        return Ok(Vec::new());
    }
    let mut select = Statement::new();
    select.push("SELECT ").append(covered.into_sql());
    let mut column_count = 1;
    for (_, row) in &candidates {
        select.push(", ").append(guard_condition(&emit, entity, row).into_sql());
        // The row of the caller can lack values that are stored.
        for at in row.requires {
            select.push(", (").append(emit.field_value(entity, entity.field(*at), ROW)).push(") IS NOT NULL");
        }
        column_count += 1 + row.requires.len();
    }
    select.append(from_clause(&emit, entity)).push(" WHERE ").append(read::key_condition(&emit, entity, row.value(entity.pk))?);
    let answer = tx.conn.rows(&select, &vec![BindKind::Bool; column_count])?.into_iter().next().unwrap_or_default();
    let mut answer = answer.into_iter().map(|value| value == Value::Bool(true));
    if answer.next() != Some(true) {
        return Ok(Vec::new());
    }
    let mut offers = Vec::new();
    for (to, row) in candidates {
        let holds = answer.next() == Some(true);
        let unset: Vec<FieldIx> = row.requires.iter().copied().filter(|_| answer.next() != Some(true)).collect();
        let closed = match (unset.is_empty(), holds) {
            (false, _) => Some(Closed::Needs(unset)),
            (true, false) => Some(Closed::Guard(guard_message(row))),
            (true, true) => None,
        };
        let Some(value) = of.values.get(usize::from(to)) else { continue };
        let fails = entity.field(states.field).stages.get(usize::from(to)) == Some(&Stage::Failed);
        offers.push(Offer { to: value, title: row.title(of, to), step: states.is_step(from, to) && !fails, closed });
    }
    Ok(offers)
}

/// The guard of a transition as a condition on the row.
pub(super) fn guard_condition(emit: &Emit<'_>, entity: &'static EntityDef, row: &TransitionDef) -> Condition {
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    row.guard.as_ref().map_or(Condition::Always, |guard| emit.condition(guard, scope, false))
}

/// The message for a guard that does not hold.
pub(super) fn guard_message(row: &TransitionDef) -> &'static str {
    row.message
        .unwrap_or(say!("dz-this-transition-is-not-possible-for-the", "This transition is not possible for the row in its current state"))
}
