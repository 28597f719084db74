//! The reachable states of a state machine, and the states from which a transition can start.

use super::decide::{Caller, Fact, Question, own_path};
use crate::model::{Entity, EnumType, Expr, Model, StateMachine, TransitionRow};

/// The state machine of an entity, with its reachable states.
pub(crate) struct Machine<'m> {
    /// The position of the entity.
    pub at: usize,
    /// The entity.
    pub entity: &'m Entity,
    /// Its states and transitions.
    pub machine: &'m StateMachine,
    /// The values of its state field.
    pub states: &'m EnumType,
    /// For each state, whether a row can reach it.
    pub reached: Vec<bool>,
}

impl Machine<'_> {
    /// True when a row can reach the state.
    pub fn is_reached(&self, state: usize) -> bool {
        self.reached.get(state).copied().unwrap_or(false)
    }
}

/// Every state machine of a model.
pub(crate) fn state_machines(model: &Model) -> impl Iterator<Item = Machine<'_>> {
    model.entities.iter().enumerate().filter_map(|(at, entity)| {
        let machine = entity.states.as_ref()?;
        let id = entity.fields[machine.field.0].ty.enumeration()?;
        Some(Machine { at, entity, machine, states: &model.enums[id.0], reached: reachable_states(model, at, machine) })
    })
}

/// For each state, whether a row can reach it by transitions whose guards can hold where they start.
pub(crate) fn reachable_states(model: &Model, entity: usize, machine: &StateMachine) -> Vec<bool> {
    let most = machine.transitions.iter().flat_map(|it| [it.from, it.to]).chain([machine.initial]).max().unwrap_or(0);
    let mut reached = vec![false; most + 1];
    let mut open = vec![machine.initial];
    while let Some(state) = open.pop() {
        if std::mem::replace(&mut reached[state], true) {
            continue;
        }
        for it in machine.from(state) {
            if can_start(model, entity, machine, &machine.rows[it.row], state) {
                open.push(it.to);
            }
        }
    }
    reached
}

/// True if the row has a transition that no more specific row replaces.
pub(crate) fn is_used(machine: &StateMachine, row: usize) -> bool {
    machine.transitions.iter().any(|it| it.row == row)
}

/// True if the guard of a row is false in every state from which it starts.
pub(crate) fn contradicts_its_guard(model: &Model, entity: usize, machine: &StateMachine, index: usize) -> bool {
    let row = &machine.rows[index];
    let Some(guard) = &row.guard else { return false };
    let mut starts = machine.transitions.iter().filter(|it| it.row == index);
    starts.all(|it| !question(model, entity, machine, row, it.from, Caller::Account).can_hold(&[guard]))
}

/// Calls `each` with the rows of all state machines that the rules about transitions check. An unused row, and a guard that is never true,
/// have rules of their own.
pub(crate) fn checked_rows(model: &Model, mut each: impl FnMut(&Machine<'_>, usize)) {
    for found in state_machines(model) {
        for row in 0..found.machine.rows.len() {
            if is_used(found.machine, row) && !contradicts_its_guard(model, found.at, found.machine, row) {
                each(&found, row);
            }
        }
    }
}

/// A question about rows in the initial state; `None` without a state machine.
pub(crate) fn in_initial_state<'m>(model: &'m Model, at: usize, entity: &Entity) -> Option<Question<'m>> {
    let machine = entity.states.as_ref()?;
    Some(Question::new(model, Caller::System).with_fact(own_path(at, machine.field), Fact::Value(machine.initial)))
}

/// True if the guard of a row can be true in this state, for an account or for a timer.
pub(crate) fn can_start(model: &Model, entity: usize, machine: &StateMachine, row: &TransitionRow, state: usize) -> bool {
    let by = |caller| starts_by(model, entity, machine, row, state, caller);
    (row.manual && by(Caller::Account)) || (row.after.is_some() && by(Caller::System))
}

/// True if the guard of a row can be true in this state for this caller.
pub(crate) fn starts_by(model: &Model, entity: usize, machine: &StateMachine, row: &TransitionRow, state: usize, caller: Caller) -> bool {
    let guards: Vec<&Expr> = row.guard.iter().collect();
    question(model, entity, machine, row, state, caller).can_hold(&guards)
}

/// A question about the rows that a transition starts from.
pub(crate) fn question<'m>(
    model: &'m Model,
    entity: usize,
    machine: &StateMachine,
    row: &TransitionRow,
    state: usize,
    caller: Caller,
) -> Question<'m> {
    let mut question = Question::new(model, caller).with_fact(own_path(entity, machine.field), Fact::Value(state));
    for (field, _) in &row.requires {
        if *field != machine.field {
            let is_enum = model.entities[entity].fields[field.0].ty.enumeration().is_some();
            // A value of an enum is more than "not null", and the procedure chooses one itself.
            if !is_enum {
                question = question.with_fact(own_path(entity, *field), Fact::Set);
            }
        }
    }
    question
}
