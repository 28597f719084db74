//! Subscriptions: the types of changes.

use crate::{
    Api, ChangePart, Entity, Field, Item, Operation, Source, Type, TypeRef,
    build::{added_type, field, named},
    filters, single_name,
};

/// The type of the changes of an entity.
pub(crate) fn change(api: &Api<'_>, entity: &Entity<'_>) -> Type {
    let part = |name: &str, about: &str, ty: TypeRef, part: ChangePart| field(name, about, ty, Source::Change(part));
    let fields = vec![
        part("kind", "What happened: `created`, `updated` or `removed`.", TypeRef::required("String"), ChangePart::Kind),
        part("id", "The key of the row.", TypeRef::required("ID"), ChangePart::Key),
        part("node", "The row; null if it is removed.", TypeRef::optional(entity.name), ChangePart::Node),
    ];
    named(&added_type(api, entity.name, "Change"), &format!("A change of one row of {}.", entity.title_plural), Item::Object(fields))
}

/// The subscription to the changes of an entity.
pub(crate) fn subscription(api: &Api<'_>, at: usize, entity: &Entity<'_>) -> Vec<Field> {
    // A search has no meaning for one row.
    let selected = filters::arguments(api, entity).into_iter().filter(|argument| argument.name != "search").collect();
    vec![Field {
        arguments: selected,
        ..field(
            &format!("{}Changed", single_name(entity.name)),
            &format!("Reports each change of the selected rows of {}.", entity.title_plural),
            TypeRef::required(added_type(api, entity.name, "Change")),
            Source::Root(at, Operation::Changes),
        )
    }]
}
