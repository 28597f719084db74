//! Changes of states that happen by themselves.

use dz_dsl_file::model::{Entity, Model, Transition};

use crate::names;

/// The text of the module; words in capitals are replaced.
const TIMERS: &str = include_str!("../../template/timers.rs.txt");

/// The module of the timers.
pub(super) fn write(model: &Model) -> String {
    let runs: Vec<String> = model
        .entities
        .iter()
        .filter(|entity| !timed(entity).is_empty())
        .map(|entity| format!("routes::{}::change_due", names::module(entity)))
        .collect();
    TIMERS.replace("%RUNS%", &runs.join(", "))
}

/// True if a state changes by itself.
pub(crate) fn exist(model: &Model) -> bool {
    model.entities.iter().any(|entity| !timed(entity).is_empty())
}

/// The changes that happen by themselves, that with the shortest time first.
pub(super) fn timed(entity: &Entity) -> Vec<&Transition> {
    let Some(states) = &entity.states else { return Vec::new() };
    let after = |it: &Transition| states.rows[it.row].after.map(|after| (after.months, after.seconds));
    let mut timed: Vec<&Transition> = states.transitions.iter().filter(|it| after(it).is_some()).collect();
    timed.sort_by_key(|it| after(it));
    timed
}
