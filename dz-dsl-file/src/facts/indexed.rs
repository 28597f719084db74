//! The fields that an index of the schema covers.

use crate::{
    emit::schema,
    model::{FieldId, Model, Path, Unique},
};

/// True if the schema has an index for the field in rows that have one value in each of the fields `compared`, or the field has
/// so few values that it needs none.
pub(crate) fn is_indexed(model: &Model, path: &Path, compared: &[FieldId]) -> bool {
    let (entity, field) = (model.entity(path.from), model.field(path.from, path.field));
    field.ty.has_few_values()
        || entity.pk == path.field
        || field.unique != Unique::No
        || entity.no_index.contains(&path.field)
        || schema::has_index_on(model, entity, field, compared)
}
