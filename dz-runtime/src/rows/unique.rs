//! What a client is told about a value that another row has already.

use crate::{Error, def::EntityDef, tenancy};

/// The refusal of the database, with the condition under which the fields are unique, where there is one.
///
/// SQLite names the columns of the index and not the index, so all conditions on the same columns are named.
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
        // Among all rows there is no condition to name.
        let Some(rows) = &index.rows else { return error };
        if !phrases.contains(&rows.phrase) {
            phrases.push(rows.phrase);
        }
        titles = names(index.columns).map(|field| field.title).collect();
    }
    let alone = error.field_errors.len() == 1 && error.field_errors.keys().all(|name| entity.find(name).is_some_and(|(_, it)| it.unique));
    if phrases.is_empty() || alone {
        return error;
    }
    let (title, condition) = (entity.title.to_lowercase(), phrases.join(", or while "));
    error.detail = match titles.as_slice() {
        [] => format!("Only one {title} can exist while {condition}"),
        titles => format!("Only one {title} can have this {} while {condition}", titles.join(" and ")),
    };
    for messages in error.field_errors.values_mut() {
        *messages = vec![format!("is taken already while {condition}")];
    }
    error
}
