//! The requests of the report: the addresses of an application, with the sorts and filters of its lists.

use super::callers::{is_small, sample_value};
use crate::{
    Error, Result, Tx, Value,
    def::{AppDef, Archetype, EntityDef, Mode, SurfaceDef},
    field,
    web::{
        Call,
        routes::{self, Routes},
    },
};

/// A request of the report.
#[derive(Debug, Clone, Default)]
pub(super) struct Request {
    /// Its name in the report.
    pub name: String,
    call: Call,
    /// True if it needs a connection for writing.
    pub writes: bool,
    /// How many rows its condition selects.
    pub selectivity: Selectivity,
    /// Its table stays small.
    pub small: bool,
    /// It reads memberships.
    pub members: bool,
    /// It is rare.
    pub rare: bool,
    /// The field of the list itself that it filters by.
    pub filter: Option<Filter>,
}

/// A field of a filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter {
    /// The table.
    pub table: &'static str,
    /// The column of the tenant.
    pub tenant: Option<&'static str>,
    /// The column.
    pub column: &'static str,
    /// The declaration refuses an index of it (`no_index`).
    pub refused: bool,
}

/// How many rows a condition selects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Selectivity {
    /// Only the access rules select.
    #[default]
    No,
    /// A value that few rows have.
    Much,
    /// One of few values.
    Few,
    /// A text search.
    Searched,
    /// The choices of a picker.
    Picked,
}

impl Request {
    fn with_selectivity(mut self, by: Selectivity) -> Request {
        self.selectivity = by;
        self
    }

    fn new(entity: &EntityDef, method: &str, uri: &str) -> Request {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let call = Call {
            method: method.to_owned(),
            path: path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            uri: uri.to_owned(),
            query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
            json: (method == "PATCH").then(|| b"{}".to_vec()),
            wants_json: path.starts_with("/api"),
            ..Call::default()
        };
        let writes = method != "GET";
        Request {
            name: format!("{method} {uri}"),
            call,
            writes,
            selectivity: Selectivity::No,
            small: is_small(entity),
            members: entity.tenancy.archetype == Some(Archetype::UserMembership),
            rare: false,
            filter: None,
        }
    }

    /// A pseudo-request for the queries of the framework itself.
    pub fn for_framework() -> Request {
        Request { name: "sessions, events and due work".to_owned(), ..Request::default() }
    }
}

/// Answers a request.
pub(crate) fn answer(tx: &mut Tx<'_>, routes: &Routes, request: &Request) -> Result<()> {
    let method = request.call.method.parse().map_err(|_| Error::not_found())?;
    let found = routes.find(method, &request.call.path);
    routes::answer(tx, &Call { found, ..request.call.clone() }).map(drop)
}

/// Lists all requests of the report.
pub(super) fn list_requests(app: &'static AppDef) -> Vec<Request> {
    let mut all = Vec::new();
    for entity in app.entities.iter().copied() {
        let new = |method: &str, uri: String| Request::new(entity, method, &uri);
        let key = to_query_text(&sample_value(app, entity.key()));
        let table = entity.table;
        all.push(new("GET", format!("/api/{table}")));
        // A page beyond the first counts the rows.
        all.push(new("GET", format!("/api/{table}?page=2")));
        all.push(new("GET", format!("/app/-/pick/{table}")).with_selectivity(Selectivity::Picked));
        all.push(new("GET", format!("/app/-/pick/{table}?x.q=word&id=x")).with_selectivity(Selectivity::Searched));
        all.extend(["GET", "PATCH", "DELETE"].map(|method| new(method, format!("/api/{table}/{key}"))));
        for field in entity.fields.iter().filter(|field| field.kind.target().is_some() && !field.secret && !field.sensitive) {
            all.push(
                new("GET", format!("/api/{table}?{}={}", field.name, to_query_text(&sample_value(app, field))))
                    .with_selectivity(Selectivity::Much),
            );
        }
    }
    for surface in app.surfaces.iter().copied() {
        let entity = app.entity(surface.entity);
        let of = |uri: String| Request::new(entity, "GET", &uri);
        match surface.mode {
            Mode::List => {
                all.extend(list_pages(app, surface).into_iter().map(|(uri, by, filter)| Request { filter, ..of(uri).with_selectivity(by) }))
            }
            Mode::View | Mode::Edit if surface.place.route.is_none() => {
                all.push(of(format!("{}/{}", surface.address(), to_query_text(&sample_value(app, entity.key())))));
            }
            Mode::View | Mode::Create | Mode::Edit => all.push(of(surface.address())),
        }
    }
    all
}

/// Requests of a list page: unfiltered, with each of its filters, and with a search.
fn list_pages(app: &'static AppDef, surface: &'static SurfaceDef) -> Vec<(String, Selectivity, Option<Filter>)> {
    let address = surface.address();
    let entity = app.entity(surface.entity);
    let mut all = vec![(address.clone(), Selectivity::No, None)];
    for path in surface.ux.filter {
        let field = path.end(app).field(app);
        let name = path.name(app);
        let value = sample_value(app, field);
        let moment = field.kind.resolved(app).is_time();
        if !value.is_null() {
            let few = field.kind.is_bool() || field.kind.enumeration().is_some();
            let uri = format!("{address}?{name}{}={}", if moment { "__gte" } else { "" }, to_query_text(&value));
            let filter = path.own_field().filter(|_| field.is_stored()).map(|at| Filter {
                table: entity.table,
                tenant: entity.tenancy.tenant.map(|at| entity.field(at).name),
                column: field.name,
                refused: entity.no_index.contains(&at),
            });
            all.push((uri, if few { Selectivity::Few } else { Selectivity::Much }, filter));
        }
    }
    if !surface.ux.search.is_empty() {
        all.push((format!("{address}?search=word"), Selectivity::Searched, None));
    }
    all
}

fn to_query_text(value: &Value) -> String {
    let text = match value {
        Value::DateTime(at) => field::datetime_text(at),
        Value::Date(day) => day.to_string(),
        Value::Uuid(id) => id.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Decimal(number) => number.to_string(),
        Value::Bool(on) => on.to_string(),
        Value::Text(text) => text.clone(),
        Value::Null | Value::Json(_) => String::new(),
    };
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}
