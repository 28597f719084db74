//! Expressions of steps: they read the collected values, and rows only as the caller may read them.

use std::sync::Arc;

use super::Position;
use crate::{
    Caller, Result, Tx, Value,
    access::Read,
    db::emit::constant,
    def::{ContextRead, ExperienceDef, Expr, FieldIx, StepDef},
    field,
    rows::{self, Extra},
};

/// Evaluates an expression of a step.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn evaluate(tx: &mut Tx<'_>, def: &'static ExperienceDef, position: &Position, expr: &Expr) -> Result<Value> {
    let mut wanted = vec![false; def.reads.len()];
    expr.visit(&mut |part| {
        if let Expr::Data(at) = part
            && let Some(wanted) = wanted.get_mut(usize::from(*at))
        {
            *wanted = true;
        }
    });
    let mut data = Vec::with_capacity(def.reads.len());
    for (of, wanted) in def.reads.iter().zip(wanted) {
        data.push(if wanted { read(tx, def, position, of)? } else { Value::Null });
    }
    let caller = Caller { data: Arc::from(data), ..tx.caller().clone() };
    Ok(constant(expr, &caller, tx.app))
}

/// A collected value, or a field of the row that it references; null if the caller cannot read the row.
fn read(tx: &mut Tx<'_>, def: &'static ExperienceDef, position: &Position, of: &ContextRead) -> Result<Value> {
    let Some(declared) = def.context.get(usize::from(of.value)) else { return Ok(Value::Null) };
    let saved = position.context.iter().find(|(name, _)| name == declared.name).map(|(_, json)| json);
    let value = saved.and_then(|json| field::from_json(tx.app, declared, json).ok()).unwrap_or_default();
    let Some(path) = of.path.filter(|_| !value.is_null()) else {
        return Ok(if of.path.is_some() { Value::Null } else { value });
    };
    let Ok(grant) = tx.ask::<Read>(path.origin(tx.app)) else { return Ok(Value::Null) };
    match rows::read(tx, &grant, &value, &[Extra::Field(path)]) {
        Ok(row) => Ok(row.extra.into_iter().next().unwrap_or_default()),
        Err(error) if matches!(error.status, 403 | 404) => Ok(Value::Null),
        Err(error) => Err(error),
    }
}

/// True unless the condition of a step is false.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn is_applicable(tx: &mut Tx<'_>, def: &'static ExperienceDef, position: &Position, step: &'static StepDef) -> Result<bool> {
    match &step.when {
        Some(when) => Ok(evaluate(tx, def, position, when)? == Value::Bool(true)),
        None => Ok(true),
    }
}

/// The initial values of the form of a step.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn prefill(
    tx: &mut Tx<'_>,
    def: &'static ExperienceDef,
    position: &Position,
    step: &'static StepDef,
) -> Result<Vec<(FieldIx, Value)>> {
    step.prefill.iter().map(|(field, expr)| Ok((*field, evaluate(tx, def, position, expr)?))).collect()
}
