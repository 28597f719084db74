//! The error for a value that another row already has.

use crate::{Error, def::EntityDef, tenancy, texts};

/// Says in the error of the database which values together are not unique, and under which condition.
///
/// SQLite reports the columns of the index and not its name, so the text contains all conditions on the same columns.
pub(super) fn explain(entity: &'static EntityDef, error: Error) -> Error {
    let mut error = tenancy::hide_tenant_field(entity, error);
    if error.code != "UNIQUE" {
        return error;
    }
    let tenant = entity.tenancy.tenant;
    let names = |columns: &'static [crate::def::IndexColumn]| {
        columns.iter().filter(move |it| Some(it.field) != tenant).map(|it| entity.field(it.field))
    };
    let is_about = |columns: &'static [crate::def::IndexColumn]| {
        names(columns).count() == error.field_errors.len() && names(columns).all(|field| error.field_errors.contains_key(field.name))
    };
    let mut phrases: Vec<&str> = Vec::new();
    let mut titles: Vec<&str> = Vec::new();
    for index in entity.indexes.iter().filter(|index| index.unique && is_about(index.columns)) {
        titles = names(index.columns).map(|field| field.title).collect();
        // The index covers all rows, so there is no condition.
        let Some(rows) = &index.rows else { return explain_together(entity, error, &titles) };
        if !phrases.contains(&rows.phrase) {
            phrases.push(rows.phrase);
        }
    }
    let alone = error.field_errors.len() == 1 && error.field_errors.keys().all(|name| entity.find(name).is_some_and(|(_, it)| it.unique));
    if phrases.is_empty() || alone {
        return error;
    }
    let (title, condition) = (texts::lower(entity.title), phrases.join(", or while "));
    error.detail = match titles.as_slice() {
        [] => say!("dz-only-one-can-exist", "Only one {title} can exist while {condition}", title = title, condition = condition),
        titles => say!(
            "dz-only-one-can-have",
            "Only one {title} can have this {fields} while {condition}",
            title = title,
            fields = join(titles),
            condition = condition
        ),
    };
    for messages in error.field_errors.values_mut() {
        *messages = vec![say!("dz-is-taken-already-while", "is taken already while {condition}", condition = condition)];
    }
    error
}

/// The error of a unique index over several fields, of which none is wrong by itself.
fn explain_together(entity: &'static EntityDef, mut error: Error, titles: &[&str]) -> Error {
    if error.field_errors.len() > 1 {
        let title = texts::lower(entity.title);
        error.detail =
            say!("dz-only-one-can-have-together", "Only one {title} can have this {fields}", title = title, fields = join(titles));
        for messages in error.field_errors.values_mut() {
            *messages = vec![say!("dz-is-taken-together", "is taken already with these values of the other fields").into()];
        }
    }
    error
}

fn join(titles: &[&str]) -> String {
    titles.join(&format!(" {} ", say!("dz-and", "and")))
}
