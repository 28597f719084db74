//! Rows that are created together with the row to which they belong.

use crate::{
    Api, Argument, Entity, EntityField, Item, Kind, Type, TypeRef,
    build::{added_type, named},
    field_name,
};

/// The relations whose rows can be created with a row, each with its input type.
fn relations<'e>(api: &'e Api<'_>, entity: &'e Entity<'_>) -> impl Iterator<Item = (&'e EntityField<'e>, TypeRef)> {
    let child = |field: &EntityField<'_>| match field.kind {
        Kind::Many(to) | Kind::One(to) => Some(&api.entities[to]).filter(|child| field.via.is_some() && child.is_key_generated),
        Kind::Uuid
        | Kind::Text
        | Kind::Int
        | Kind::BigInt
        | Kind::Float
        | Kind::Decimal
        | Kind::Money
        | Kind::Amount
        | Kind::Currency
        | Kind::Boolean
        | Kind::Date
        | Kind::DateTime
        | Kind::Enum(_)
        | Kind::Json
        | Kind::File
        | Kind::Ref(_) => None,
    };
    entity.fields.iter().filter(|field| !field.secret).filter_map(move |field| {
        let input = format!("{}Input", child(field)?.name);
        Some((field, if matches!(field.kind, Kind::One(_)) { TypeRef::optional(input) } else { TypeRef::list(input) }))
    })
}

/// The input type with the rows of each relation; `None` for an entity without relations.
pub(crate) fn input(api: &Api<'_>, entity: &Entity<'_>) -> Option<Type> {
    let member = |(field, ty): (&EntityField<'_>, TypeRef)| crate::build::argument(&field_name(field.name), field.title, ty);
    let members: Vec<Argument> = relations(api, entity).map(member).collect();
    let about = format!("Rows that are created with {}, and belong to it.", entity.title);
    (!members.is_empty()).then(|| named(&added_type(api, entity.name, "Children"), &about, Item::Input(members)))
}

/// The argument with these rows; `None` for an entity without relations.
pub(crate) fn argument(api: &Api<'_>, entity: &Entity<'_>) -> Option<Argument> {
    relations(api, entity).next()?;
    let ty = TypeRef::required(added_type(api, entity.name, "Children"));
    Some(crate::build::argument("children", "Rows that are created with it, and belong to it.", ty))
}
