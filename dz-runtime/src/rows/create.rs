//! New rows.

use crate::{
    Result, Tx, Value,
    access::{Create, Grant},
    def::{EntityDef, FieldIx},
    record::FieldValues,
    rows::{
        Row, check,
        input::{Attempt, Input},
        select::stored_fields,
        write::{Write, WriteResult, new_values, run_before_create},
    },
};

/// Makes a row from the given fields; defaults, `auto_add` and the key are filled in. Hooks run. The
/// answer is `None` when the caller may not read what it made (then only the key may be told).
///
/// At most two statements besides those of hooks: the insert, which carries the rule, the invariants and the references,
/// and the answer. The insert tells itself whether its maker may read the row, where that depends on the row alone. A
/// refusal takes one more, which says why.
///
/// # Errors
/// 422 `VALIDATION` and `REFERENCE`, 403 when the rule does not cover the row, 409 `UNIQUE`.
pub fn create(tx: &mut Tx<'_>, grant: &Grant<Create>, input: impl Into<Input>) -> Result<(Value, Option<Row>)> {
    let result = execute_create(tx, grant, input.into(), true)?;
    let key = result.row.value(grant.entity.pk).clone();
    Ok((key, result.into_visible(tx, grant.entity)?))
}

/// As [`create`], for the application's own Rust: always gives the row that was made.
pub(crate) fn create_row(tx: &mut Tx<'_>, grant: &Grant<Create>, input: impl Into<Input>) -> Result<Row> {
    execute_create(tx, grant, input.into(), true).map(|result| result.row)
}

/// As [`create_row`], where nobody wants to see what was made.
pub(crate) fn insert_row(tx: &mut Tx<'_>, grant: &Grant<Create>, input: impl Into<Input>) -> Result<()> {
    execute_create(tx, grant, input.into(), false).map(drop)
}

/// Makes a row, which is read again for the answer where it is shown.
fn execute_create(tx: &mut Tx<'_>, grant: &Grant<Create>, input: Input, returns_row: bool) -> Result<WriteResult> {
    let (draft, input_fields) = build_draft(tx, grant.entity, input)?;
    Write { returns_row, ..Write::create(grant.entity, draft, input_fields) }.run(tx)
}

/// The fields of a new row, defaults filled in, and those that were sent.
///
/// # Errors
/// 422 with everything that is wrong with it.
fn build_draft(tx: &mut Tx<'_>, entity: &'static EntityDef, input: Input) -> Result<(FieldValues, Vec<FieldIx>)> {
    let mut errors = check::FieldErrors::new(input.error);
    let field_values = check::normalize(entity, input.field_values, &mut errors);
    let input_fields: Vec<_> = field_values.fields().collect();
    let mut row = FieldValues::default();
    for (at, _) in field_values.0.iter().filter(|(at, value)| !entity.field(*at).is_stored() && !value.is_null()) {
        errors.add_fatal(entity.field(*at).name, check::write_refusal(entity, *at, &tx.caller).unwrap_or("cannot be written here"));
    }
    for at in stored_fields(entity) {
        let default = check::default_value(tx, entity, at);
        match field_values.get(at) {
            Some(value) => {
                let closed = check::write_refusal(entity, at, &tx.caller);
                match closed {
                    // What nobody gave is filled in by the system; saying the same is no offence.
                    Some(_) if value.is_null() || *value == default => row.set(at, default),
                    Some(why) => errors.add_fatal(entity.field(at).name, why),
                    None => row.set(at, value.clone()),
                }
            }
            None => row.set(at, default),
        }
    }
    errors.check(tx.app, entity, row.0.iter().map(|(at, value)| (*at, value)));
    errors.check_amounts(entity, |at| row.get(at).unwrap_or(&Value::Null));
    if let Some((error, is_complete)) = errors.into_error() {
        let values = new_values(entity, &row);
        let attempt = Attempt { entity, before: None, values: &values, input_fields: &input_fields };
        return Err(attempt.complete(tx, error, |tx| if is_complete { run_before_create(tx, entity, &mut row) } else { Ok(()) }));
    }
    Ok((row, input_fields))
}
