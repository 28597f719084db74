//! The requests of a proof, on all channels.

use serde_json::{Map, Value as Json, json};
use url::form_urlencoded::Serializer;

use super::{
    check_graph::{self, GraphQuery},
    graphql, query,
    server::Request,
    typed::TypedQuery,
    world::key_text,
};
use crate::{
    Engine, Value,
    def::{AppDef, EntityDef, FieldAt, FieldIx, Path, RegionDef, SurfaceDef, WorkspaceDef},
    field,
};

/// A field of a row, or of a referenced row.
#[derive(Debug, Clone)]
pub(super) struct FieldPath {
    /// The references, each in its own entity.
    pub refs: Vec<FieldAt>,
    /// The last field.
    pub end: FieldAt,
}

impl FieldPath {
    /// A field of the entity itself.
    pub fn own_field(entity: Entity, at: FieldIx) -> FieldPath {
        FieldPath { refs: Vec::new(), end: FieldAt::new(entity.ix, at) }
    }

    /// The fields of a path.
    pub fn from_path(app: &'static AppDef, path: Path) -> FieldPath {
        let mut refs = path.steps(app);
        let end = refs.pop().unwrap_or_else(|| path.end(app));
        FieldPath { refs, end }
    }

    /// All fields in their order.
    pub fn steps(&self) -> impl Iterator<Item = FieldAt> {
        self.refs.iter().copied().chain([self.end])
    }
}

/// A filter or an order of a list.
#[derive(Debug, Clone)]
pub(super) enum ListFilter {
    Nothing,
    Equals(FieldPath, Value),
    Differs(FieldPath, Value),
    IsNull(FieldPath),
    Sort(FieldPath, bool),
    Search(String),
}

type Entity = &'static EntityDef;
type Fields = Vec<(FieldIx, Value)>;

/// A request on one of the channels.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    List(Entity, ListFilter),
    Csv(Entity, ListFilter),
    Expanded(Entity, FieldIx),
    Read(Entity, Value),
    Pick(Entity, Option<String>),
    ListPage(&'static SurfaceDef, ListFilter),
    Region(&'static WorkspaceDef, &'static RegionDef),
    ViewPage(&'static SurfaceDef, Value),
    EditPage(&'static SurfaceDef, Value),
    Create(Entity, Vec<Value>, Fields),
    Update(Entity, Value, Fields),
    Delete(Entity, Value),
    Transition(Entity, Value, &'static str, Fields),
    Act(Entity, Value, &'static str),
    Restore(Entity, Value),
    BulkUpdate(Entity, Vec<Value>, Fields),
    BulkQuery(Entity, Fields),
    BulkTransition(Entity, Vec<Value>, &'static str),
    PageDelete(&'static SurfaceDef, Value),
    PageTransition(&'static SurfaceDef, Value, &'static str),
    /// A request to the graph of an entity of nodes or edges.
    Graph(Entity, GraphQuery),
    /// A query of the application's own Rust, on an engine.
    Typed(Entity, Engine, TypedQuery),
    /// The same request as a document of GraphQL.
    GraphQl(Box<Operation>),
}

/// The channel of a request, and the entity, page or region that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    /// As in the report; for a document of GraphQL the channel of the equal request to the JSON API.
    pub channel: &'static str,
    /// The name of an entity or a page, or the identifier of a region.
    pub name: &'static str,
    /// True for a document of GraphQL.
    pub is_document: bool,
}

impl Operation {
    /// The target of the request.
    pub fn target(&self) -> Target {
        let name = match self {
            Operation::GraphQl(inner) => return Target { is_document: true, ..inner.target() },
            Operation::ListPage(page, _)
            | Operation::ViewPage(page, _)
            | Operation::EditPage(page, _)
            | Operation::PageDelete(page, _)
            | Operation::PageTransition(page, ..) => page.name,
            Operation::Region(_, region) => region.id,
            Operation::List(entity, _)
            | Operation::Csv(entity, _)
            | Operation::Expanded(entity, _)
            | Operation::Read(entity, _)
            | Operation::Pick(entity, _)
            | Operation::Create(entity, ..)
            | Operation::Update(entity, ..)
            | Operation::Delete(entity, _)
            | Operation::Transition(entity, ..)
            | Operation::Act(entity, ..)
            | Operation::Restore(entity, _)
            | Operation::BulkUpdate(entity, ..)
            | Operation::BulkQuery(entity, _)
            | Operation::BulkTransition(entity, ..)
            | Operation::Graph(entity, _)
            | Operation::Typed(entity, ..) => entity.name,
        };
        Target { channel: self.channel(), name, is_document: false }
    }

    /// The name of the channel in the report.
    pub fn channel(&self) -> &'static str {
        match self {
            Operation::List(_, ListFilter::Nothing) => "list",
            Operation::List(_, ListFilter::Equals(..) | ListFilter::Differs(..) | ListFilter::IsNull(_)) => "filter",
            Operation::List(_, ListFilter::Sort(..)) => "sort",
            Operation::List(_, ListFilter::Search(_)) => "search",
            Operation::Csv(..) => "csv",
            Operation::Expanded(..) => "expand",
            Operation::Read(..) => "read",
            Operation::Pick(..) => "picker",
            Operation::ListPage(..) | Operation::ViewPage(..) | Operation::EditPage(..) => "page",
            Operation::Region(..) => "region",
            Operation::PageDelete(..) | Operation::PageTransition(..) => "form",
            Operation::Create(..) => "create",
            Operation::Update(..) => "update",
            Operation::Delete(..) => "delete",
            Operation::Transition(..) => "transition",
            Operation::Act(..) => "action",
            Operation::Restore(..) => "restore",
            Operation::Graph(..) => "graph",
            Operation::Typed(..) => "typed",
            Operation::GraphQl(inner) if inner.writes() => "graphql write",
            Operation::GraphQl(_) => "graphql read",
            Operation::BulkUpdate(..) | Operation::BulkQuery(..) | Operation::BulkTransition(..) => "bulk",
        }
    }

    /// The page of the request.
    pub fn page(&self) -> Option<&'static SurfaceDef> {
        match self {
            Operation::ListPage(surface, _)
            | Operation::ViewPage(surface, _)
            | Operation::EditPage(surface, _)
            | Operation::PageDelete(surface, _)
            | Operation::PageTransition(surface, ..) => Some(surface),
            Operation::List(..)
            | Operation::Region(..)
            | Operation::Csv(..)
            | Operation::Expanded(..)
            | Operation::Read(..)
            | Operation::Pick(..)
            | Operation::Create(..)
            | Operation::Update(..)
            | Operation::Delete(..)
            | Operation::Transition(..)
            | Operation::Act(..)
            | Operation::Restore(..)
            | Operation::BulkUpdate(..)
            | Operation::BulkQuery(..)
            | Operation::BulkTransition(..)
            | Operation::Graph(..)
            | Operation::GraphQl(_)
            | Operation::Typed(..) => None,
        }
    }

    /// True if the request can change rows.
    pub fn writes(&self) -> bool {
        matches!(self.channel(), "graphql write" | "form" | "create" | "update" | "delete" | "transition" | "action" | "restore" | "bulk")
    }

    pub fn request(&self, app: &'static AppDef) -> Request {
        let get = |path: String| Request { method: "GET", path, body: String::new() };
        let send = |method, path: String, body: Json| Request { method, path, body: body.to_string() };
        let of = |entity: Entity, key: &Value| format!("/api/{}/{}", entity.table, encode_segment(&key_text(key)));
        let page = |surface: &SurfaceDef, key: &Value| format!("{}/{}", surface.address(), encode_segment(&key_text(key)));
        let form = |path: String, pairs: &[(&str, &str)]| Request {
            method: "POST",
            path,
            body: Serializer::new(String::new()).extend_pairs(pairs).finish(),
        };
        match self {
            Operation::List(entity, narrow) => get(list_address(app, entity, narrow, &[])),
            Operation::Csv(entity, narrow) => get(list_address(app, entity, narrow, &[("format", "csv")])),
            Operation::Expanded(entity, at) => get(list_address(app, entity, &ListFilter::Nothing, &[("expand", entity.field(*at).name)])),
            Operation::Read(entity, key) => get(of(entity, key)),
            Operation::Graph(entity, query) => get(check_graph::address(app, entity, query)),
            Operation::Typed(..) => get(query::PATH.to_owned()),
            // Only requests that the channel has are planned for it.
            Operation::GraphQl(inner) => graphql::request(app, inner).unwrap_or_else(|| inner.request(app)),
            Operation::Pick(entity, words) => {
                let query = Serializer::new(String::new()).append_pair("q", words.as_deref().unwrap_or_default()).finish();
                get(format!("/app/-/pick/{}?{query}", entity.table))
            }
            Operation::ListPage(surface, narrow) => {
                get(format!("{}?{}", surface.address(), list_query(app, app.entity(surface.entity), narrow, &[])))
            }
            Operation::Region(_, region) => get(format!("{}?page_size=100&include_closed=true", region.address())),
            Operation::ViewPage(surface, key) | Operation::EditPage(surface, key) => get(page(surface, key)),
            Operation::Create(entity, _, given) => send("POST", format!("/api/{}", entity.table), to_object(entity, given)),
            Operation::Update(entity, key, given) => send("PATCH", of(entity, key), to_object(entity, given)),
            Operation::Delete(entity, key) => Request { method: "DELETE", path: of(entity, key), body: String::new() },
            Operation::Transition(entity, key, state, given) => {
                send("POST", format!("{}/transitions/{}", of(entity, key), encode_segment(state)), to_object(entity, given))
            }
            Operation::Act(entity, key, action) => send("POST", format!("{}/actions/{action}", of(entity, key)), json!({})),
            Operation::Restore(entity, key) => send("POST", format!("{}/actions/restore", of(entity, key)), json!({})),
            Operation::BulkUpdate(entity, keys, given) => {
                let ids: Vec<Json> = keys.iter().map(|key| field_json(entity, entity.pk, |_| key)).collect();
                let body = json!({ "action": "update", "ids": ids, "set": to_object(entity, given) });
                send("POST", format!("/api/{}/bulk", entity.table), body)
            }
            Operation::BulkQuery(entity, given) => {
                let body = json!({ "action": "update", "query": include_closed(entity, ""), "set": to_object(entity, given) });
                send("POST", format!("/api/{}/bulk", entity.table), body)
            }
            Operation::BulkTransition(entity, keys, state) => {
                let ids: Vec<Json> = keys.iter().map(|key| field_json(entity, entity.pk, |_| key)).collect();
                send("POST", format!("/api/{}/bulk", entity.table), json!({ "action": "transition", "ids": ids, "to": state }))
            }
            Operation::PageDelete(surface, key) => form(format!("{}/delete", page(surface, key)), &[("x", "")]),
            Operation::PageTransition(surface, key, state) => form(format!("{}/move", page(surface, key)), &[("to", state)]),
        }
    }
}

/// A text as a path segment.
fn encode_segment(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Lists contain expired rows only on request.
fn include_closed(entity: Entity, before: &str) -> String {
    if entity.temporal.is_some() { format!("{before}include_closed=true") } else { String::new() }
}

fn list_address(app: &'static AppDef, entity: Entity, narrow: &ListFilter, besides: &[(&str, &str)]) -> String {
    format!("/api/{}?{}", entity.table, list_query(app, entity, narrow, besides))
}

fn list_query(app: &'static AppDef, entity: Entity, narrow: &ListFilter, besides: &[(&str, &str)]) -> String {
    let mut query = Serializer::new(String::new());
    query.extend_pairs(besides);
    if besides.iter().all(|(name, _)| *name != "format") {
        query.append_pair("page_size", "100");
    }
    if entity.temporal.is_some() {
        query.append_pair("include_closed", "true");
    }
    match narrow {
        ListFilter::Nothing => {}
        ListFilter::Equals(reach, value) => {
            let name = dotted_name(app, reach);
            // The name of a field can be that of a parameter.
            let own = ["page", "page_size", "sort", "search", "expand", "format", "include_closed", "as_of"];
            let name = if own.contains(&name.as_str()) { format!("{name}__eq") } else { name };
            query.append_pair(&name, &query_text(value));
        }
        ListFilter::Differs(reach, value) => drop(query.append_pair(&format!("{}__ne", dotted_name(app, reach)), &query_text(value))),
        ListFilter::IsNull(reach) => drop(query.append_pair(&format!("{}__isnull", dotted_name(app, reach)), "true")),
        ListFilter::Sort(reach, true) => drop(query.append_pair("sort", &format!("-{}", dotted_name(app, reach)))),
        ListFilter::Sort(reach, false) => drop(query.append_pair("sort", &dotted_name(app, reach))),
        ListFilter::Search(words) => drop(query.append_pair("search", words)),
    }
    query.finish()
}

fn dotted_name(app: &'static AppDef, reach: &FieldPath) -> String {
    reach.steps().map(|step| step.field(app).name).collect::<Vec<_>>().join(".")
}

/// A value in a query.
fn query_text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Decimal(number) => number.to_string(),
        Value::Bool(holds) => holds.to_string(),
        Value::Date(day) => day.to_string(),
        other => key_text(other),
    }
}

fn to_object(entity: Entity, given: &[(FieldIx, Value)]) -> Json {
    let value = |at: FieldIx| given.iter().find(|(other, _)| *other == at).map_or(&Value::Null, |(_, value)| value);
    let members = given.iter().filter(|(at, _)| !entity.field(*at).is_currency_of_amount());
    let members = members.map(|(at, _)| (entity.field(*at).name.to_owned(), field_json(entity, *at, value)));
    Json::Object(members.collect::<Map<_, _>>())
}

/// The JSON value of a field, given the values of the row.
pub(super) fn field_json<'v>(entity: Entity, at: FieldIx, value: impl Fn(FieldIx) -> &'v Value) -> Json {
    let mut out = Vec::new();
    field::write_row_field(entity, at, value, &mut out);
    serde_json::from_slice(&out).unwrap_or_default()
}
