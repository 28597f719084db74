//! The effects of steps on rows: the system writes, under invariants, transitions and constraints.

use super::{
    data::{self, bind, evaluate},
    definition::{EffectDef, RowsDef},
    expr::MaybeBound,
    signal,
    store::Run,
};
use crate::{
    Error, Result, Tx, Value,
    access::{Create, Delete, Update},
    db::emit::{Emit, Scope},
    def::EntityDef,
    record::FieldValues,
    rows::{self, ROW},
};

/// The largest number of rows that one effect changes.
const MAX_ROWS: u64 = 10_000;

/// Makes the effects of a step.
///
/// # Errors
/// The refusal of the first write that is refused.
pub(super) fn apply(tx: &mut Tx<'_>, run: &Run, effects: &[EffectDef]) -> Result<()> {
    effects.iter().try_for_each(|effect| match effect {
        EffectDef::Emit(name) => signal::send_later(tx, name),
        EffectDef::Create { entity, values } => {
            let entity = data::entity(tx.app, entity)?;
            let values = field_values(tx, run, entity, values)?;
            let grant = tx.ask::<Create>(entity)?;
            rows::create_row(tx, &grant, values).map(drop)
        }
        EffectDef::Update { rows: which, values } => {
            let entity = data::entity(tx.app, &which.entity)?;
            let grant = tx.ask::<Update>(entity)?;
            for key in keys(tx, run, entity, which)? {
                let values = field_values(tx, run, entity, values)?;
                rows::update_row(tx, &grant, &key, values)?;
            }
            Ok(())
        }
        EffectDef::Delete(which) => {
            let entity = data::entity(tx.app, &which.entity)?;
            let grant = tx.ask::<Delete>(entity)?;
            keys(tx, run, entity, which)?.iter().try_for_each(|key| match rows::delete(tx, &grant, key, None) {
                // The deletion of another row that meets the condition has deleted it too.
                Err(error) if error.status == 404 && which.condition.is_some() => Ok(()),
                done => done,
            })
        }
    })
}

/// The keys of the rows of an effect.
fn keys(tx: &mut Tx<'_>, run: &Run, entity: &'static EntityDef, which: &RowsDef) -> Result<Vec<Value>> {
    if let Some(row) = &which.row {
        return match evaluate(tx, run, row)? {
            Value::Null => Err(Error::new(422, "NO_ROW", format!("There is no {} to change", entity.title.to_lowercase()))),
            key => Ok(vec![key]),
        };
    }
    let Some(condition) = &which.condition else { return Ok(Vec::new()) };
    let (bound, caller) = bind(tx, run, condition)?;
    let grant = tx.ask::<Update>(entity)?;
    let condition = Emit { app: tx.app, engine: tx.engine(), caller: &caller }.condition(
        &bound.expr,
        Scope { entity: entity.ix, alias: ROW, outer: None },
        false,
    );
    let rows = rows::read_where(tx, &grant, condition, MAX_ROWS + 1)?;
    if rows.len() as u64 > MAX_ROWS {
        return Err(Error::new(422, "TOO_MANY_ROWS", format!("One effect changes at most {MAX_ROWS} rows")));
    }
    Ok(rows.into_iter().map(|row| row.value(entity.pk).clone()).collect())
}

/// The values of fields, by their names.
pub(super) fn field_values(tx: &mut Tx<'_>, run: &Run, entity: &'static EntityDef, values: &[(String, MaybeBound)]) -> Result<FieldValues> {
    let mut all = FieldValues::default();
    for (name, value) in values {
        let gone = || data::gone(&format!("`{}` no longer has the field `{name}`", entity.name));
        let (at, field) = entity.find(name).ok_or_else(gone)?;
        let value = rows::widen(field.kind, evaluate(tx, run, value)?);
        all.set(at, value);
    }
    Ok(all)
}
