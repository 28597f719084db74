//! Relay connections: the types of pages that start after a row.

use crate::{
    Api, Argument, Entity, Field, Item, Operation, Part, Source, Type, TypeRef,
    build::{added_type, argument, field, named},
};

/// The connection and the edge of an entity.
pub(crate) fn types(api: &Api<'_>, entity: &Entity<'_>) -> [Type; 2] {
    let name = entity.name;
    let edge_name = added_type(api, name, "Edge");
    let part = |name: &str, about: &str, ty: TypeRef, part: Part| field(name, about, ty, Source::Part(part));
    let rows = |name: String| TypeRef { required: true, ..TypeRef::list(name) };
    let connection = vec![
        part("edges", "The rows with their cursors.", rows(edge_name.clone()), Part::Edges),
        part("nodes", "The rows.", rows(name.to_owned()), Part::Nodes),
        part("pageInfo", "The position of the page.", TypeRef::required("PageInfo"), Part::PageInfo),
        part("totalCount", "The number of rows on all pages; a limit, if `totalCapped` is true.", TypeRef::required("Int"), Part::Total),
        part("totalCapped", "True if there are more rows than were counted.", TypeRef::required("Boolean"), Part::TotalCapped),
    ];
    let edge = vec![
        part("cursor", "The position of the row.", TypeRef::required("String"), Part::Cursor),
        part("node", "The row.", TypeRef::required(name), Part::Node),
    ];
    [
        named(&added_type(api, name, "Connection"), &format!("A page of {}.", entity.title_plural), Item::Object(connection)),
        named(&edge_name, &format!("One row of {} on a page.", entity.title_plural), Item::Object(edge)),
    ]
}

/// The position of a page.
pub(crate) fn page_info() -> Type {
    let member = |name: &'static str, about: &str, ty: TypeRef| field(name, about, ty, Source::Member(name));
    let members = vec![
        member("hasNextPage", "True if there are rows after the page.", TypeRef::required("Boolean")),
        member("hasPreviousPage", "True if there are rows before the page.", TypeRef::required("Boolean")),
        member("startCursor", "The cursor of the first row.", TypeRef::optional("String")),
        member("endCursor", "The cursor of the last row.", TypeRef::optional("String")),
    ];
    named("PageInfo", "The position of a page.", Item::Object(members))
}

/// The query for a connection.
pub(crate) fn query(api: &Api<'_>, at: usize, entity: &Entity<'_>, list: &str, selected: &[Argument]) -> Field {
    let page = [
        argument("sort", "Fields in their order, descending with a minus sign: `-createdAt,title`.", TypeRef::optional("String")),
        argument("first", "The maximum number of rows, at most 1000; 100 without it.", TypeRef::optional("Int")),
        argument("after", "The cursor of the row before the page.", TypeRef::optional("String")),
    ];
    Field {
        arguments: selected.iter().cloned().chain(page).collect(),
        ..field(
            &format!("{list}Connection"),
            &format!("Lists {} in pages.", entity.title_plural),
            TypeRef::required(added_type(api, entity.name, "Connection")),
            Source::Root(at, Operation::Connection),
        )
    }
}
