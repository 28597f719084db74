//! The invariants of a row as it would be stored. Those over a total of a referenced row count the row itself.

use super::{
    oracle::{Oracle, Scope},
    world::{Stored, World},
};
use crate::{
    Value,
    db::emit::{reads_totals, total_paths},
    def::EntityDef,
};

/// True if all invariants hold.
pub(super) fn hold(oracle: &Oracle<'_>, entity: &'static EntityDef, values: &[Value]) -> bool {
    let (of_totals, others): (Vec<_>, Vec<_>) =
        entity.invariants.iter().map(|invariant| &invariant.condition).partition(|condition| reads_totals(condition, oracle.app()));
    let place = Scope { entity, values, outer: None };
    if others.iter().any(|condition| oracle.truth(condition, place) != Some(true)) {
        return false;
    }
    of_totals.is_empty() || {
        let world = with_row(oracle.world, entity, values);
        let oracle = Oracle { world: &world, ..*oracle };
        of_totals.iter().all(|condition| oracle.truth(condition, place) == Some(true))
    }
}

/// True unless a row leaves a total of a referenced row whose invariants held before, and do not hold then.
pub(super) fn hold_for_left_totals(oracle: &Oracle<'_>, entity: &'static EntityDef, before: &[Value], values: &[Value]) -> bool {
    let app = oracle.app();
    let of_totals: Vec<_> = entity.invariants.iter().map(|it| &it.condition).filter(|condition| reads_totals(condition, app)).collect();
    let references = of_totals.iter().flat_map(|condition| total_paths(condition, app));
    let mut places = references.filter_map(|path| path.first().position_in(entity)).map(usize::from);
    if !places.any(|at| !before[at].is_null() && before[at] != values[at]) {
        return true;
    }
    let place = Scope { entity, values: before, outer: None };
    let all_hold = |oracle: &Oracle<'_>| of_totals.iter().all(|condition| oracle.truth(condition, place) == Some(true));
    let world = with_row(oracle.world, entity, values);
    !all_hold(oracle) || all_hold(&Oracle { world: &world, ..*oracle })
}

/// The rows, with this one in place of the one with its key.
fn with_row(world: &World, entity: &'static EntityDef, values: &[Value]) -> World {
    let mut world = world.clone();
    let key = usize::from(entity.pk);
    let rows = &mut world.rows[usize::from(entity.ix)];
    rows.retain(|row| row.values[key].is_null() || row.values[key] != values[key]);
    rows.push(Stored { values: values.to_vec(), deleted: false });
    world
}
