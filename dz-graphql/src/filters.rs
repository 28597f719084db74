//! The arguments and input types that select rows.

use crate::{
    Api, Argument, Entity, EntityField, Item, Kind, Type, TypeRef,
    build::{added_type, argument, scalar_name},
    field_name,
};

/// The arguments of a list that are not filters.
const OWN: [&str; 9] = ["filter", "search", "sort", "limit", "offset", "first", "after", "includeClosed", "asOf"];

/// The fields by which rows can be selected, with their types in filters.
fn fields<'e>(api: &'e Api<'_>, entity: &'e Entity<'_>) -> impl Iterator<Item = (&'e EntityField<'e>, String)> {
    let open = entity.fields.iter().enumerate().filter(|(_, field)| !field.secret && !field.sensitive);
    open.filter_map(|(at, field)| Some((field, if at == entity.key { "ID".to_owned() } else { filter_type(api, field.kind)? })))
}

/// The type of a filter value; `None` for kinds whose values are not compared.
fn filter_type(api: &Api<'_>, kind: Kind) -> Option<String> {
    match kind {
        Kind::Ref(_) => Some("ID".to_owned()),
        Kind::Money | Kind::Amount => Some("Decimal".to_owned()),
        Kind::Currency => Some("String".to_owned()),
        Kind::Json | Kind::File | Kind::Many(_) | Kind::One(_) => None,
        Kind::Uuid
        | Kind::Text
        | Kind::Int
        | Kind::BigInt
        | Kind::Float
        | Kind::Decimal
        | Kind::Boolean
        | Kind::Date
        | Kind::DateTime
        | Kind::Enum(_) => scalar_name(api, kind),
    }
}

/// The arguments that select the rows of an entity: a value for each field, `filter` for other comparisons, and `search`.
pub(crate) fn arguments(api: &Api<'_>, entity: &Entity<'_>) -> Vec<Argument> {
    let named = fields(api, entity).map(|(field, ty)| argument(&field_name(field.name), field.title, TypeRef::optional(ty)));
    let mut all: Vec<Argument> = named.filter(|argument| !OWN.contains(&argument.name.as_str())).collect();
    all.push(argument("filter", "Further conditions, which all must hold.", TypeRef::optional(added_type(api, entity.name, "Filter"))));
    all.push(argument("search", "Words that the searched fields contain.", TypeRef::optional("String")));
    if entity.temporal {
        all.push(argument("includeClosed", "Includes rows that are not current.", TypeRef::optional("Boolean")));
        all.push(argument("asOf", "The time at which rows are current.", TypeRef::optional("String")));
    }
    all
}

/// The order and the page of a list.
pub(crate) fn page() -> Vec<Argument> {
    vec![
        argument("sort", "Fields in their order, descending with a minus sign: `-createdAt,title`.", TypeRef::optional("String")),
        argument("limit", "The maximum number of rows, at most 1000; 100 without it.", TypeRef::optional("Int")),
        argument("offset", "The number of rows to skip.", TypeRef::optional("Int")),
    ]
}

/// The input type with the conditions on the fields of an entity.
pub(crate) fn entity_filter(api: &Api<'_>, entity: &Entity<'_>) -> Type {
    let condition = |ty: &str| TypeRef::optional(added_type(api, ty, "Filter"));
    let conditions = fields(api, entity).map(|(field, ty)| argument(&field_name(field.name), field.title, condition(&ty)));
    Type {
        name: added_type(api, entity.name, "Filter"),
        description: Some(format!("Conditions on {}, which all must hold.", entity.title_plural)),
        item: Item::Input(conditions.collect()),
    }
}

/// The input types with the comparisons of each type that a filter uses.
pub(crate) fn comparisons(api: &Api<'_>) -> Vec<Type> {
    let mut names: Vec<String> = api.entities.iter().flat_map(|entity| fields(api, entity).map(|(_, ty)| ty)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| comparison(api, &name)).collect()
}

fn comparison(api: &Api<'_>, of: &str) -> Type {
    let is_unordered = matches!(of, "ID" | "UUID" | "Boolean") || api.enums.iter().any(|it| it.name == of && !it.ordered);
    let mut operators = vec!["eq", "ne"];
    if !is_unordered {
        operators.extend(["gt", "gte", "lt", "lte"]);
    }
    if of == "String" {
        operators.extend(["contains", "icontains", "startswith"]);
    }
    let mut all: Vec<Argument> = operators.into_iter().map(|name| plain(name, TypeRef::optional(of))).collect();
    if of != "Boolean" {
        all.push(plain("in", TypeRef::list(of)));
    }
    all.push(plain("isNull", TypeRef::optional("Boolean")));
    Type {
        name: added_type(api, of, "Filter"),
        description: Some(format!("Comparisons with a {of}, which all must hold.")),
        item: Item::Input(all),
    }
}

fn plain(name: &str, ty: TypeRef) -> Argument {
    Argument { name: name.to_owned(), description: None, ty }
}
