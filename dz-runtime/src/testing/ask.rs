//! What is asked of the application: a request on one of its channels.

use serde_json::{Map, Value as Json, json};
use url::form_urlencoded::Serializer;

use super::{query, served::Request, typed::Query, world::key_text};
use crate::{
    Engine, Value,
    def::{AppDef, EntityDef, FieldAt, FieldIx, Path, SurfaceDef},
    field,
};

/// A field of a row, or of a row that refs lead to.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// Refs, each in its own entity.
    pub refs: Vec<FieldAt>,
    /// The field at the end.
    pub end: FieldAt,
}

impl Reach {
    /// A field of the entity itself.
    pub fn own(entity: Entity, at: FieldIx) -> Reach {
        Reach { refs: Vec::new(), end: FieldAt::new(entity.ix, at) }
    }

    /// The fields that a path leads along.
    pub fn of(app: &'static AppDef, path: Path) -> Reach {
        let mut refs = path.steps(app);
        let end = refs.pop().unwrap_or_else(|| path.end(app));
        Reach { refs, end }
    }

    /// All its fields in their order.
    pub fn steps(&self) -> impl Iterator<Item = FieldAt> {
        self.refs.iter().copied().chain([self.end])
    }
}

/// What narrows or orders a list.
#[derive(Debug, Clone)]
pub(super) enum Narrow {
    Nothing,
    Equals(Reach, Value),
    Differs(Reach, Value),
    IsNull(Reach),
    Sort(Reach, bool),
    Search(String),
}

type Entity = &'static EntityDef;
type Fields = Vec<(FieldIx, Value)>;

/// A request on one of the channels.
#[derive(Debug, Clone)]
pub(super) enum Ask {
    List(Entity, Narrow),
    Csv(Entity, Narrow),
    Expanded(Entity, FieldIx),
    Read(Entity, Value),
    Pick(Entity, Option<String>),
    ListPage(&'static SurfaceDef, Narrow),
    ViewPage(&'static SurfaceDef, Value),
    EditPage(&'static SurfaceDef, Value),
    Create(Entity, Vec<Value>, Fields),
    Update(Entity, Value, Fields),
    Delete(Entity, Value),
    Move(Entity, Value, &'static str, Fields),
    Act(Entity, Value, &'static str),
    Restore(Entity, Value),
    BulkUpdate(Entity, Vec<Value>, Fields),
    BulkQuery(Entity, Fields),
    BulkMove(Entity, Vec<Value>, &'static str),
    PageDelete(&'static SurfaceDef, Value),
    PageMove(&'static SurfaceDef, Value, &'static str),
    /// A query of the application's own, on an engine.
    Typed(Entity, Engine, Query),
}

impl Ask {
    /// The channel, as it is counted.
    pub fn channel(&self) -> &'static str {
        match self {
            Ask::List(_, Narrow::Nothing) => "list",
            Ask::List(_, Narrow::Equals(..) | Narrow::Differs(..) | Narrow::IsNull(_)) => "filter",
            Ask::List(_, Narrow::Sort(..)) => "sort",
            Ask::List(_, Narrow::Search(_)) => "search",
            Ask::Csv(..) => "csv",
            Ask::Expanded(..) => "expand",
            Ask::Read(..) => "read",
            Ask::Pick(..) => "picker",
            Ask::ListPage(..) | Ask::ViewPage(..) | Ask::EditPage(..) => "page",
            Ask::PageDelete(..) | Ask::PageMove(..) => "form",
            Ask::Create(..) => "create",
            Ask::Update(..) => "update",
            Ask::Delete(..) => "delete",
            Ask::Move(..) => "transition",
            Ask::Act(..) => "action",
            Ask::Restore(..) => "restore",
            Ask::Typed(..) => "typed",
            Ask::BulkUpdate(..) | Ask::BulkQuery(..) | Ask::BulkMove(..) => "bulk",
        }
    }

    /// The page that it is about.
    pub fn page(&self) -> Option<&'static SurfaceDef> {
        match self {
            Ask::ListPage(surface, _)
            | Ask::ViewPage(surface, _)
            | Ask::EditPage(surface, _)
            | Ask::PageDelete(surface, _)
            | Ask::PageMove(surface, ..) => Some(surface),
            _ => None,
        }
    }

    /// True when the answer may have changed rows.
    pub fn writes(&self) -> bool {
        matches!(self.channel(), "form" | "create" | "update" | "delete" | "transition" | "action" | "restore" | "bulk")
    }

    pub fn request(&self, app: &'static AppDef) -> Request {
        let get = |path: String| Request { method: "GET", path, body: String::new() };
        let send = |method, path: String, body: Json| Request { method, path, body: body.to_string() };
        let of = |entity: Entity, key: &Value| format!("/api/{}/{}", entity.table, segment(&key_text(key)));
        let page = |surface: &SurfaceDef, key: &Value| format!("{}/{}", surface.address(), segment(&key_text(key)));
        let form = |path: String, pairs: &[(&str, &str)]| Request {
            method: "POST",
            path,
            body: Serializer::new(String::new()).extend_pairs(pairs).finish(),
        };
        match self {
            Ask::List(entity, narrow) => get(listed(app, entity, narrow, &[])),
            Ask::Csv(entity, narrow) => get(listed(app, entity, narrow, &[("format", "csv")])),
            Ask::Expanded(entity, at) => get(listed(app, entity, &Narrow::Nothing, &[("expand", entity.field(*at).name)])),
            Ask::Read(entity, key) => get(of(entity, key)),
            Ask::Typed(..) => get(query::PATH.to_owned()),
            Ask::Pick(entity, words) => {
                let query = Serializer::new(String::new()).append_pair("q", words.as_deref().unwrap_or_default()).finish();
                get(format!("/app/-/pick/{}?{query}", entity.table))
            }
            Ask::ListPage(surface, narrow) => {
                get(format!("{}?{}", surface.address(), narrowing(app, app.entity(surface.entity), narrow, &[])))
            }
            Ask::ViewPage(surface, key) | Ask::EditPage(surface, key) => get(page(surface, key)),
            Ask::Create(entity, _, given) => send("POST", format!("/api/{}", entity.table), object(entity, given)),
            Ask::Update(entity, key, given) => send("PATCH", of(entity, key), object(entity, given)),
            Ask::Delete(entity, key) => Request { method: "DELETE", path: of(entity, key), body: String::new() },
            Ask::Move(entity, key, state, given) => {
                send("POST", format!("{}/transitions/{}", of(entity, key), segment(state)), object(entity, given))
            }
            Ask::Act(entity, key, action) => send("POST", format!("{}/actions/{action}", of(entity, key)), json!({})),
            Ask::Restore(entity, key) => send("POST", format!("{}/actions/restore", of(entity, key)), json!({})),
            Ask::BulkUpdate(entity, keys, given) => {
                let ids: Vec<Json> = keys.iter().map(|key| written(entity, entity.pk, |_| key)).collect();
                let body = json!({ "action": "update", "ids": ids, "set": object(entity, given) });
                send("POST", format!("/api/{}/bulk", entity.table), body)
            }
            Ask::BulkQuery(entity, given) => {
                let body = json!({ "action": "update", "query": closed(entity, ""), "set": object(entity, given) });
                send("POST", format!("/api/{}/bulk", entity.table), body)
            }
            Ask::BulkMove(entity, keys, state) => {
                let ids: Vec<Json> = keys.iter().map(|key| written(entity, entity.pk, |_| key)).collect();
                send("POST", format!("/api/{}/bulk", entity.table), json!({ "action": "transition", "ids": ids, "to": state }))
            }
            Ask::PageDelete(surface, key) => form(format!("{}/delete", page(surface, key)), &[("x", "")]),
            Ask::PageMove(surface, key, state) => form(format!("{}/move", page(surface, key)), &[("to", state)]),
        }
    }
}

/// A text as a segment of an address.
fn segment(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Lists leave out rows that are over unless they are asked for.
fn closed(entity: Entity, before: &str) -> String {
    if entity.temporal.is_some() { format!("{before}include_closed=true") } else { String::new() }
}

fn listed(app: &'static AppDef, entity: Entity, narrow: &Narrow, besides: &[(&str, &str)]) -> String {
    format!("/api/{}?{}", entity.table, narrowing(app, entity, narrow, besides))
}

fn narrowing(app: &'static AppDef, entity: Entity, narrow: &Narrow, besides: &[(&str, &str)]) -> String {
    let mut query = Serializer::new(String::new());
    query.extend_pairs(besides);
    if besides.iter().all(|(name, _)| *name != "format") {
        query.append_pair("page_size", "100");
    }
    if entity.temporal.is_some() {
        query.append_pair("include_closed", "true");
    }
    match narrow {
        Narrow::Nothing => {}
        Narrow::Equals(reach, value) => {
            let name = name(app, reach);
            // A field may be called as a parameter is that means something else.
            let own = ["page", "page_size", "sort", "search", "expand", "format", "include_closed", "as_of"];
            let name = if own.contains(&name.as_str()) { format!("{name}__eq") } else { name };
            query.append_pair(&name, &text(value));
        }
        Narrow::Differs(reach, value) => drop(query.append_pair(&format!("{}__ne", name(app, reach)), &text(value))),
        Narrow::IsNull(reach) => drop(query.append_pair(&format!("{}__isnull", name(app, reach)), "true")),
        Narrow::Sort(reach, true) => drop(query.append_pair("sort", &format!("-{}", name(app, reach)))),
        Narrow::Sort(reach, false) => drop(query.append_pair("sort", &name(app, reach))),
        Narrow::Search(words) => drop(query.append_pair("search", words)),
    }
    query.finish()
}

fn name(app: &'static AppDef, reach: &Reach) -> String {
    reach.steps().map(|step| step.field(app).name).collect::<Vec<_>>().join(".")
}

/// A value in a query.
fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Decimal(number) => number.to_string(),
        Value::Bool(holds) => holds.to_string(),
        Value::Date(day) => day.to_string(),
        other => key_text(other),
    }
}

fn object(entity: Entity, given: &[(FieldIx, Value)]) -> Json {
    let value = |at: FieldIx| given.iter().find(|(other, _)| *other == at).map_or(&Value::Null, |(_, value)| value);
    let members = given.iter().filter(|(at, _)| !entity.field(*at).is_beside());
    let members = members.map(|(at, _)| (entity.field(*at).name.to_owned(), written(entity, *at, value)));
    Json::Object(members.collect::<Map<_, _>>())
}

/// A field of a row as JSON has it, given the values of its fields.
pub(super) fn written<'v>(entity: Entity, at: FieldIx, value: impl Fn(FieldIx) -> &'v Value) -> Json {
    let mut out = Vec::new();
    field::write_of_row(entity, at, value, &mut out);
    serde_json::from_slice(&out).unwrap_or_default()
}
