//! Filters and search as conditions.

use super::{
    Filter, FilterOp,
    joins::{Joins, Reached},
};
use crate::{
    Error, Result, Value,
    db::{
        Statement,
        emit::{Condition, Emit},
    },
    def::{Comparison, FieldDef, Function, Path},
};

/// A filter as a condition. What the caller may not read counts as null.
pub(super) fn filter(emit: &Emit<'_>, joins: &mut Joins<'_>, filter: &Filter) -> Result<Condition> {
    let Some(reached) = joins.reach(filter.path) else { return Ok(of_null(&filter.op)) };
    open(&reached)?;
    Ok(test(emit, reached.held, reached.field, &filter.op))
}

/// The rows of which one of the fields contains the words, whatever their case.
pub(super) fn search(emit: &Emit<'_>, joins: &mut Joins<'_>, words: &str, paths: &[Path]) -> Result<Condition> {
    let mut any = Condition::Never;
    for path in paths {
        let Some(reached) = joins.reach(*path) else { continue };
        open(&reached)?;
        if reached.field.kind.is_text() {
            any = any.or(emit.text_test(Function::Contains, Some(Function::Lower), reached.held, words));
        }
    }
    Ok(any)
}

/// Refuses fields that may not shape a list.
pub(super) fn open(reached: &Reached) -> Result<()> {
    match reached.is_sensitive || reached.field.secret {
        true => Err(Error::bad_request(format!("`{}` can be neither filtered, sorted nor searched", reached.field.name))),
        false => Ok(()),
    }
}

fn test(emit: &Emit<'_>, held: Statement, field: &'static FieldDef, op: &FilterOp) -> Condition {
    match op {
        FilterOp::Compare(cmp, value) => emit.test(held, field, *cmp, value),
        FilterOp::CompareOrNull(cmp, value) => {
            emit.test(held.clone(), field, Comparison::Eq, &Value::Null).or(emit.test(held, field, *cmp, value))
        }
        FilterOp::IsNull(wanted) => {
            let mut test = held;
            test.push(if *wanted { " IS NULL" } else { " IS NOT NULL" });
            Condition::Rows(test)
        }
        FilterOp::In(values) => emit.test_in(held, field, values.clone()),
        FilterOp::Contains(text) => emit.text_test(Function::Contains, None, held, text),
        FilterOp::IContains(text) => emit.text_test(Function::Contains, Some(Function::Lower), held, text),
        FilterOp::StartsWith(text) => emit.text_test(Function::StartsWith, None, held, text),
    }
}

/// The filter of a field that is null in every row.
fn of_null(op: &FilterOp) -> Condition {
    let holds = match op {
        FilterOp::Compare(Comparison::Eq, value) => value.is_null(),
        FilterOp::Compare(Comparison::Ne, value) => !value.is_null(),
        FilterOp::IsNull(wanted) => *wanted,
        FilterOp::CompareOrNull(..) => true,
        _ => false,
    };
    if holds { Condition::Always } else { Condition::Never }
}
