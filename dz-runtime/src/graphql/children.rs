//! Rows that are created together with the row to which they belong: each is a create of the JSON API in the savepoint of the mutation.

use super::{
    input::{self, find_field},
    limits::MAX_CHILDREN,
    plan::Selection,
    scalar::Input,
};
use crate::{
    Error, Result, Tx, Value,
    access::Create,
    def::{EntityDef, FieldAt, Relation, Via},
    rows,
};

/// Checks the number of rows that the root fields of an operation create together.
///
/// # Errors
/// 422 for too many rows.
pub(super) fn check_count(plan: &Selection) -> Result<()> {
    let rows = |given: &Input| if let Input::Object(all) = given { all.iter().map(|(_, rows)| list(&rows.item).len()).sum() } else { 0 };
    let count: usize = plan.fields.iter().filter_map(|field| field.argument("children")).map(rows).sum();
    match count > MAX_CHILDREN {
        true => Err(Error::validation("children", format!("has {count} rows, and the maximum is {MAX_CHILDREN} for all fields together"))),
        false => Ok(()),
    }
}

/// Creates the rows of each relation, and returns their number.
///
/// # Errors
/// Those of the creates, at the position of the row.
pub(super) fn create(tx: &mut Tx<'_>, parent: &'static EntityDef, key: &Value, given: &Input) -> Result<usize> {
    let Input::Object(relations) = given else { return Ok(0) };
    let mut count = 0;
    for (name, rows) in relations {
        let Some((title, child, via)) = relation(tx, parent, &name.item) else { continue };
        for (at, row) in list(&rows.item).into_iter().enumerate() {
            count += 1;
            let grant = tx.ask::<Create>(child)?;
            let mut sent = input::fields(tx.app, child, Some(row));
            sent.field_values.set(via.position(), key.clone());
            rows::create(tx, &grant, sent).map_err(|error| place_errors(error, title, at))?;
        }
    }
    Ok(count)
}

/// The name of a relation, the entity of its rows, and their reference to the parent.
fn relation(tx: &Tx<'_>, parent: &'static EntityDef, name: &str) -> Option<(&'static str, &'static EntityDef, FieldAt)> {
    let (_, field) = find_field(parent, name)?;
    let Relation { entity, via: Via::Ref(via), .. } = field.kind.relation()? else { return None };
    Some((field.name, tx.app.entity(entity), via))
}

/// The rows of a relation; the row of a relation with at most one row is not in a list.
fn list(rows: &Input) -> Vec<&Input> {
    match rows {
        Input::List(items) => items.iter().map(|item| &item.item).filter(|item| !item.is_null()).collect(),
        Input::Object(_) => vec![rows],
        Input::Null | Input::Scalar(_) | Input::Enum(_) | Input::Variable(_) => Vec::new(),
    }
}

/// The errors of fields as those of the row at a position: `lines.0.amount`.
fn place_errors(mut error: Error, relation: &str, at: usize) -> Error {
    error.field_errors =
        std::mem::take(&mut error.field_errors).into_iter().map(|(field, texts)| (format!("{relation}.{at}.{field}"), texts)).collect();
    error
}
