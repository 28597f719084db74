//! The fields that an index of the schema covers.

use crate::{
    emit::schema,
    model::{Model, Path, Unique},
};

/// True if the schema has an index for the field, or the field has so few values that it needs none.
pub(crate) fn is_indexed(model: &Model, path: &Path) -> bool {
    let (entity, field) = (model.entity(path.from), model.field(path.from, path.field));
    field.ty.has_few_values()
        || entity.pk == path.field
        || field.unique != Unique::No
        || entity.no_index.contains(&path.field)
        || schema::has_index_on(model, entity, field)
}
