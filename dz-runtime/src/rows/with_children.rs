//! A row that is written together with the rows that refer to it. Rules over these rows are checked after all of them are stored.
//!
//! An order with `invariant: count(lines) > 0` could not be created otherwise: its lines refer to it, so it is stored first.

use super::{Input, Row, create::create, read::load_values, update::execute_update, write::Transitioned, write_condition::WriteCondition};
use crate::{
    Result, Tx, Value,
    access::{Action as _, Create, Grant, Update},
    db::emit::reads_relation,
    def::{AppDef, EntityDef},
};

/// Creates a row, and the rows that refer to it with `children`, which gets its key: all of them, or none.
///
/// # Errors
/// As [`create`], and those of `children`.
pub(crate) fn create_with_children(
    tx: &mut Tx<'_>,
    grant: &Grant<Create>,
    input: impl Into<Input>,
    children: impl FnOnce(&mut Tx<'_>, &Value) -> Result<()>,
) -> Result<(Value, Option<Row>)> {
    let input = await_children(input);
    tx.savepoint(|tx| {
        let (key, row) = create(tx, grant, input)?;
        children(tx, &key)?;
        check_relations(tx, grant.entity, &key, None)?;
        Ok((key, row))
    })
}

/// Updates a row, and writes the rows that refer to it with `children`: all of them, or none.
///
/// # Errors
/// As [`update`](super::update()), and those of `children`.
pub(crate) fn update_with_children(
    tx: &mut Tx<'_>,
    grant: &Grant<Update>,
    key: &Value,
    input: impl Into<Input>,
    version: Option<i64>,
    children: impl FnOnce(&mut Tx<'_>) -> Result<()>,
) -> Result<Option<Row>> {
    let input = await_children(input);
    tx.savepoint(|tx| {
        let mut result = execute_update(tx, grant.entity, Update::NAME, key, input, version)?;
        let transitioned = result.transition.take();
        children(tx)?;
        check_relations(tx, grant.entity, key, transitioned.as_ref())?;
        result.into_visible(tx, grant.entity)
    })
}

/// The input of a row whose rows follow later in the same transaction; the caller must check it with [`check_children`] at its end.
pub(crate) fn await_children(input: impl Into<Input>) -> Input {
    Input { awaits_children: true, ..input.into() }
}

/// True if an invariant of the entity reads rows that refer to it.
pub(crate) fn has_rules_on_relations(app: &'static AppDef, entity: &EntityDef) -> bool {
    entity.invariants.iter().any(|invariant| reads_relation(&invariant.condition, app))
}

/// Checks the rules of a stored row that read rows of its relations.
///
/// # Errors
/// 422 `TRANSITION_GUARD`, 422 with the code of the first violated invariant.
fn check_relations(tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value, transitioned: Option<&Transitioned>) -> Result<()> {
    let guard = transitioned.and_then(|of| of.transition.guard.as_ref());
    if !has_rules_on_relations(tx.app, entity) && !guard.is_some_and(|guard| reads_relation(guard, tx.app)) {
        return Ok(());
    }
    // A hook can have deleted the row.
    let Some(values) = load_values(tx, entity, key)? else { return Ok(()) };
    WriteCondition::on_relations(tx, entity, &values, transitioned).check(tx, entity, transitioned.map(|of| of.transition))
}

/// Checks the invariants of a stored row that read rows of its relations.
///
/// # Errors
/// 422 with the code of the first violated invariant.
pub(crate) fn check_children(tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value) -> Result<()> {
    check_relations(tx, entity, key, None)
}
