//! Filters and search as conditions.

use super::{Filter, FilterOp, joins::Joins};
use crate::{
    Error, Result,
    db::{
        Statement,
        emit::{Condition, Emit},
    },
    def::{Cmp, FieldDef, Function, Kind, Path},
};

/// A filter as a condition. What the caller may not read counts as null.
pub(super) fn filter(emit: &Emit<'_>, joins: &mut Joins<'_>, filter: &Filter) -> Result<Condition> {
    let Some(reached) = joins.reach(filter.path.hops, filter.path.field) else { return Ok(of_null(&filter.op)) };
    open(reached.field)?;
    Ok(test(emit, &reached.column, reached.field.kind, &filter.op))
}

/// The rows of which one of the fields contains the words, whatever their case.
pub(super) fn search(emit: &Emit<'_>, joins: &mut Joins<'_>, words: &str, paths: &[Path]) -> Result<Condition> {
    let mut any = Condition::Never;
    for path in paths {
        let Some(reached) = joins.reach(path.hops, path.field) else { continue };
        open(reached.field)?;
        if reached.field.kind.is_text() {
            any = any.or(emit.text_test(Function::Contains, Some(Function::Lower), sql(&reached.column), words));
        }
    }
    Ok(any)
}

/// Refuses fields that may not shape a list.
pub(super) fn open(field: &'static FieldDef) -> Result<()> {
    match field.sensitive || field.secret {
        true => Err(Error::bad_request(format!("`{}` can be neither filtered, sorted nor searched", field.name))),
        false => Ok(()),
    }
}

fn sql(column: &str) -> Statement {
    let mut sql = Statement::new();
    sql.push(column);
    sql
}

fn test(emit: &Emit<'_>, column: &str, kind: Kind, op: &FilterOp) -> Condition {
    match op {
        FilterOp::Compare(cmp, value) => emit.test(sql(column), kind, *cmp, value),
        FilterOp::IsNull(wanted) => {
            let mut test = sql(column);
            test.push(if *wanted { " IS NULL" } else { " IS NOT NULL" });
            Condition::Rows(test)
        }
        FilterOp::In(values) => emit.test_in(sql(column), kind, values.clone()),
        FilterOp::Contains(text) => emit.text_test(Function::Contains, None, sql(column), text),
        FilterOp::IContains(text) => emit.text_test(Function::Contains, Some(Function::Lower), sql(column), text),
        FilterOp::StartsWith(text) => emit.text_test(Function::StartsWith, None, sql(column), text),
    }
}

/// The filter of a field that is null in every row.
fn of_null(op: &FilterOp) -> Condition {
    let holds = match op {
        FilterOp::Compare(Cmp::Eq, value) => value.is_null(),
        FilterOp::Compare(Cmp::Ne, value) => !value.is_null(),
        FilterOp::IsNull(wanted) => *wanted,
        _ => false,
    };
    if holds { Condition::Always } else { Condition::Never }
}
