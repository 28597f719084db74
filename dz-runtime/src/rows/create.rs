//! Creation of rows.

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

/// Creates a row. Defaults, `auto_add` fields and the key are filled in, and hooks run. The row of the result is `None` if the
/// caller may not read the new row; then the response contains only the key.
///
/// Needs at most two statements in addition to those of hooks: the insert, which checks the rule, the invariants and the
/// references, and one that reads the row for the response, if the insert itself cannot decide whether the caller may read it. A
/// refusal needs one more statement, which finds its reason.
///
/// # Errors
/// 422 `VALIDATION` and `REFERENCE`, 403 if the rule does not cover the row, 409 `UNIQUE`.
pub fn create(tx: &mut Tx<'_>, grant: &Grant<Create>, input: impl Into<Input>) -> Result<(Value, Option<Row>)> {
    let result = execute_create(tx, grant, input.into(), true)?;
    let key = result.row.value(grant.entity.pk).clone();
    Ok((key, result.into_visible(tx, grant.entity)?))
}

/// As [`create`], for Rust code of the application: always returns the row.
pub(crate) fn create_row(tx: &mut Tx<'_>, grant: &Grant<Create>, input: impl Into<Input>) -> Result<Row> {
    execute_create(tx, grant, input.into(), true).map(|result| result.row)
}

/// As [`create_row`], without the row.
pub(crate) fn insert_row(tx: &mut Tx<'_>, grant: &Grant<Create>, input: impl Into<Input>) -> Result<()> {
    execute_create(tx, grant, input.into(), false).map(drop)
}

/// Creates a row; it is read again for the response if `returns_row`.
fn execute_create(tx: &mut Tx<'_>, grant: &Grant<Create>, input: Input, returns_row: bool) -> Result<WriteResult> {
    let awaits_children = input.awaits_children;
    let (draft, input_fields) = build_draft(tx, grant.entity, input)?;
    Write { returns_row, awaits_children, ..Write::create(grant.entity, draft, input_fields) }.run(tx)
}

/// The values of a new row with its defaults, and the fields that the caller sent.
///
/// # Errors
/// 422 with all errors of the values.
fn build_draft(tx: &mut Tx<'_>, entity: &'static EntityDef, input: Input) -> Result<(FieldValues, Vec<FieldIx>)> {
    let awaits_children = input.awaits_children;
    let mut errors = check::FieldErrors::new(input.error);
    let field_values = check::normalize(entity, input.field_values, &mut errors);
    let input_fields: Vec<_> = field_values.fields().collect();
    let mut row = FieldValues::default();
    for (at, _) in field_values.0.iter().filter(|(at, value)| !entity.field(*at).is_stored() && !value.is_null()) {
        errors.add_fatal(
            entity.field(*at).name,
            check::write_refusal(entity, *at, &tx.caller).unwrap_or(say!("dz-cannot-be-written-here", "cannot be written here")),
        );
    }
    for at in stored_fields(entity) {
        let default = check::default_value(tx, entity, at);
        match field_values.get(at) {
            Some(value) => {
                let closed = check::write_refusal(entity, at, &tx.caller);
                match closed {
                    // A caller may send the value that the system would set.
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
        let attempt = Attempt { entity, before: None, values: &values, input_fields: &input_fields, awaits_children };
        return Err(attempt.complete(tx, error, |tx| if is_complete { run_before_create(tx, entity, &mut row) } else { Ok(()) }));
    }
    Ok((row, input_fields))
}
