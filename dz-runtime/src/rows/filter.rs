//! Filters: their operators, and filters and searches as SQL conditions.

use super::{
    RankedSearch,
    joins::{JoinedField, Joins},
};
use crate::{
    Error, Result, Value,
    db::{
        Statement,
        emit::{Condition, Emit, fill},
    },
    def::{Comparison, FieldDef, Function, Path},
};

/// One filter.
#[derive(Debug, Clone)]
pub struct Filter {
    /// The field.
    pub path: Path,
    /// The operator.
    pub op: FilterOp,
}

/// Operators of filters. Null is a value for `=` and `!=`; ordering with null is false.
#[derive(Debug, Clone)]
pub enum FilterOp {
    /// `= != < <= > >=`
    Compare(Comparison, Value),
    /// The comparison holds, or there is no value.
    CompareOrNull(Comparison, Value),
    /// `in`
    In(Vec<Value>),
    /// `isnull`
    IsNull(bool),
    /// `contains`
    Contains(String),
    /// `icontains`
    IContains(String),
    /// `startswith`
    StartsWith(String),
}

/// The maximum number of letters of a text that is searched for. A text is compared with each row.
const MAX_LETTERS: usize = 500;

/// Checks a text that is searched for.
///
/// # Errors
/// 400 for a text with more than 500 letters.
pub(crate) fn check_length(text: &str) -> Result<()> {
    match text.len() > MAX_LETTERS && text.chars().nth(MAX_LETTERS).is_some() {
        true => Err(Error::bad_request(format!("A text to search for has at most {MAX_LETTERS} letters"))),
        false => Ok(()),
    }
}

/// Writes a filter as a condition. A value that the caller may not read counts as null.
pub(super) fn filter(emit: &Emit<'_>, joins: &mut Joins<'_>, filter: &Filter) -> Result<Condition> {
    if let FilterOp::Contains(text) | FilterOp::IContains(text) | FilterOp::StartsWith(text) = &filter.op {
        check_length(text)?;
    }
    let Some(joined) = joins.join_field(filter.path) else { return Ok(test_null(&filter.op)) };
    check_filterable(&joined)?;
    Ok(test_value(emit, joined.sql, joined.field, &filter.op))
}

/// The condition that one of the fields contains the search text, ignoring case.
pub(super) fn search(emit: &Emit<'_>, joins: &mut Joins<'_>, words: &str, paths: &[Path]) -> Result<Condition> {
    check_length(words)?;
    let mut any = Condition::Never;
    for path in paths {
        let Some(joined) = joins.join_field(*path) else { continue };
        check_filterable(&joined)?;
        if joined.field.kind.is_text() {
            any = any.or(emit.match_text(Function::Contains, Some(Function::Lower), joined.sql, words));
        }
    }
    Ok(any)
}

/// The condition that each word of a search occurs in one of its fields.
pub(super) fn search_words(emit: &Emit<'_>, joins: &mut Joins<'_>, ranked: &RankedSearch) -> Result<Condition> {
    let words = ranked.text.split_whitespace();
    words.map(|word| search(emit, joins, word, &ranked.paths)).try_fold(Condition::Always, |all, found| Ok(all.and(found?)))
}

/// The sort key of a search: 0 if the label of the row begins with the text, 1 if it contains the text, otherwise 2.
pub(super) fn rank(emit: &Emit<'_>, joins: &mut Joins<'_>, ranked: &RankedSearch) -> Result<Option<Statement>> {
    let Some(joined) = ranked.label.and_then(|label| joins.join_field(label)) else { return Ok(None) };
    check_filterable(&joined)?;
    let matches = |function| emit.match_text(function, Some(Function::Lower), joined.sql.clone(), &ranked.text).into_sql();
    let (begins, contains) = (matches(Function::StartsWith), matches(Function::Contains));
    Ok(Some(fill("CASE WHEN {} THEN 0 WHEN {} THEN 1 ELSE 2 END", [begins, contains])))
}

/// Refuses sensitive and secret fields, which cannot be filtered, sorted or searched.
pub(super) fn check_filterable(joined: &JoinedField) -> Result<()> {
    match joined.is_sensitive || joined.field.secret {
        true => Err(Error::bad_request(format!("`{}` can be neither filtered, sorted nor searched", joined.field.name))),
        false => Ok(()),
    }
}

fn test_value(emit: &Emit<'_>, sql: Statement, field: &'static FieldDef, op: &FilterOp) -> Condition {
    match op {
        FilterOp::Compare(cmp, value) => emit.compare_field(sql, field, *cmp, value),
        FilterOp::CompareOrNull(cmp, value) => {
            emit.compare_field(sql.clone(), field, Comparison::Eq, &Value::Null).or(emit.compare_field(sql, field, *cmp, value))
        }
        FilterOp::IsNull(wanted) => {
            let mut test = sql;
            test.push(if *wanted { " IS NULL" } else { " IS NOT NULL" });
            Condition::Rows(test)
        }
        FilterOp::In(values) => emit.compare_field_in(sql, field, values.clone()),
        FilterOp::Contains(text) => emit.match_text(Function::Contains, None, sql, text),
        FilterOp::IContains(text) => emit.match_text(Function::Contains, Some(Function::Lower), sql, text),
        FilterOp::StartsWith(text) => emit.match_text(Function::StartsWith, None, sql, text),
    }
}

/// The result of a filter for a field that is null in every row.
fn test_null(op: &FilterOp) -> Condition {
    let holds = match op {
        FilterOp::Compare(Comparison::Eq, value) => value.is_null(),
        FilterOp::Compare(Comparison::Ne, value) => !value.is_null(),
        FilterOp::IsNull(wanted) => *wanted,
        FilterOp::CompareOrNull(..) => true,
        FilterOp::Compare(..) | FilterOp::In(_) | FilterOp::Contains(_) | FilterOp::IContains(_) | FilterOp::StartsWith(_) => false,
    };
    if holds { Condition::Always } else { Condition::Never }
}
