//! The states of a row as steps, with the current one.

use crate::{
    Tx,
    def::Stage,
    record::Row,
    rows::transitions,
    template::{Shape, Step},
    web::page::{columns, variant::Variant},
};

/// The regular steps from the initial state; a current state beside them is the last step. Empty if the surface hides the state, or if
/// there is only one step.
pub(crate) fn build(tx: &Tx<'_>, variant: &Variant, row: &Row) -> Vec<Step> {
    let entity = tx.app.entity(variant.surface().entity);
    let Some((states, of)) = transitions::machine(entity).filter(|(states, _)| !variant.hides_own(tx.app, states.field)) else {
        return Vec::new();
    };
    let field = entity.field(states.field);
    let now = transitions::position(of, Some(row.value(states.field)));
    let fails = |at: u16| field.stages.get(usize::from(at)) == Some(&Stage::Failed);
    let mut path = vec![states.initial];
    while let Some(last) = path.last().copied() {
        let next =
            states.transitions_from(last).map(|(to, _)| to).filter(|to| states.is_step(last, *to) && !fails(*to) && !path.contains(to));
        // If the path divides, it follows the current state.
        let next: Vec<u16> = next.collect();
        let Some(to) = next.iter().find(|to| Some(**to) == now).or(next.first()) else { break };
        path.push(*to);
    }
    path.extend(now.filter(|now| !path.contains(now)));
    if path.len() < 2 {
        return Vec::new();
    }
    let current = path.iter().position(|at| Some(*at) == now);
    let step = |(place, at): (usize, &u16)| {
        let value = of.values.get(usize::from(*at))?;
        let cell = columns::show(tx.app, field, &crate::Value::Text(value.name.to_owned()));
        let (tone, icon) = if let Shape::Choice { tone, icon, .. } = cell.shape { (tone, icon) } else { ("gray", None) };
        let is_reached = current.is_some_and(|current| place <= current);
        Some(Step { title: value.title, tone: if is_reached { tone } else { "gray" }, icon, is_current: Some(place) == current })
    };
    path.iter().enumerate().filter_map(step).collect()
}
