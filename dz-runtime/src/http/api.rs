//! The JSON API: list, create, read, change, replace, delete, for every entity.

use super::{Call, Reply, body, params};
use crate::{
    Error, Result, Tx, Value,
    access::{Create, Delete, List, Read, Update},
    def::{EntityDef, FieldDef, FieldIx, Kind, Path},
    field,
    rows::{self, Extra, Row},
};

const COLLECTION: &str = "GET, POST";
const ONE: &str = "GET, PATCH, PUT, DELETE";

/// `/api/…`
pub(super) fn api(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let segments: Vec<&str> = call.path.iter().skip(1).map(String::as_str).collect();
    let (table, id) = match segments.as_slice() {
        [table] => (*table, None),
        [table, id] => (*table, Some(*id)),
        _ => return Err(Error::not_found()),
    };
    let entity = tx.app.entities.iter().copied().find(|entity| entity.table == table).ok_or_else(Error::not_found)?;
    match (id, call.method.as_str()) {
        (None, "GET") => list(tx, call, entity),
        (None, "POST") => create(tx, call, entity),
        (Some(id), "GET") => read(tx, call, entity, id),
        (Some(id), "PATCH") => update(tx, call, entity, id, Whole::No),
        (Some(id), "PUT") => update(tx, call, entity, id, Whole::Yes),
        (Some(id), "DELETE") => delete(tx, call, entity, id),
        (None, "OPTIONS") => Ok(allowed(COLLECTION)),
        (Some(_), "OPTIONS") => Ok(allowed(ONE)),
        (None, _) => Err(method_not_allowed(COLLECTION)),
        (Some(_), _) => Err(method_not_allowed(ONE)),
    }
}

/// Whether a change replaces the whole row.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    Yes,
    No,
}

fn allowed(methods: &'static str) -> Reply {
    Reply { status: 204, headers: vec![("Allow", methods.to_owned())], ..Reply::default() }
}

/// 405 with what is allowed.
pub(super) fn method_not_allowed(methods: &'static str) -> Error {
    Error { allow: Some(methods), ..Error::new(405, "METHOD_NOT_ALLOWED", format!("This address answers {methods}")) }
}

fn json(status: u16, body: Vec<u8>) -> Reply {
    Reply { status, content_type: "application/json", headers: Vec::new(), body }
}

fn list(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Reply> {
    let grant = tx.ask::<List>(entity)?;
    let surface = params::list_surface(tx.app, entity);
    let mut query = params::parse(tx.app, entity, surface, &call.query, params::Strictness::Api)?;
    let expanded = expanded(tx, call, entity)?;
    query.extra = extras(&expanded);
    let page = rows::list(tx, &grant, &query)?;
    let mut out = Vec::with_capacity(256 * (page.rows.len() + 1));
    out.extend_from_slice(b"{\"items\":[");
    for (at, row) in page.rows.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_row(entity, row, &expanded, &mut out);
    }
    let number = query.offset / query.limit.max(1) + 1;
    out.extend_from_slice(format!("],\"total\":{},\"page\":{number},\"page_size\":{}}}", page.total, query.limit).as_bytes());
    Ok(json(200, out))
}

fn read(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str) -> Result<Reply> {
    let grant = tx.ask::<Read>(entity)?;
    let key = key(tx, entity, id)?;
    only_expand(call)?;
    let expanded = expanded(tx, call, entity)?;
    let row = rows::read(tx, &grant, &key, &extras(&expanded))?;
    Ok(one(200, entity, &row, &expanded))
}

fn create(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Reply> {
    let grant = tx.ask::<Create>(entity)?;
    let given = body::given(tx.app, entity, call)?;
    let (key, row) = rows::create(tx, &grant, given.0)?;
    let mut reply = match row {
        Some(row) => one(201, entity, &row, &[]),
        None => key_only(201, entity, &key),
    };
    reply.headers.push(("Location", format!("/api/{}/{}", entity.table, address(&key))));
    Ok(reply)
}

fn update(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str, whole: Whole) -> Result<Reply> {
    let grant = tx.ask::<Update>(entity)?;
    let key = key(tx, entity, id)?;
    let given = body::given(tx.app, entity, call)?.0;
    let version = version(call);
    let row = match whole {
        Whole::No => rows::update(tx, &grant, &key, given, version)?,
        Whole::Yes => rows::replace(tx, &grant, &key, given, version)?,
    };
    Ok(match row {
        Some(row) => one(200, entity, &row, &[]),
        None => key_only(200, entity, &key),
    })
}

fn delete(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str) -> Result<Reply> {
    let grant = tx.ask::<Delete>(entity)?;
    let key = key(tx, entity, id)?;
    rows::delete(tx, &grant, &key, version(call))?;
    Ok(Reply { status: 204, ..Reply::default() })
}

/// The key in an address; what cannot be one is not there.
fn key(tx: &Tx<'_>, entity: &'static EntityDef, text: &str) -> Result<Value> {
    let key = field::from_text(tx.app, entity.key(), text, field::zone(tx.app)).map_err(|_| Error::not_found())?;
    if key.is_null() || text.contains('\0') { Err(Error::not_found()) } else { Ok(key) }
}

/// A key in an address.
fn address(key: &Value) -> String {
    match key {
        Value::Uuid(id) => id.to_string(),
        Value::Int(id) => id.to_string(),
        Value::Text(id) => url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20"),
        _ => String::new(),
    }
}

/// The version of `If-Match`; one that dz never gave matches nothing.
fn version(call: &Call) -> Option<i64> {
    let tag = call.if_match.as_deref()?.trim();
    if tag == "*" {
        return None;
    }
    Some(tag.trim_start_matches("W/").trim_matches('"').parse().unwrap_or(-1))
}

fn one(status: u16, entity: &'static EntityDef, row: &Row, expanded: &[Expanded]) -> Reply {
    let mut out = Vec::with_capacity(512);
    write_row(entity, row, expanded, &mut out);
    let mut reply = json(status, out);
    reply.headers.push(("ETag", format!("\"{}\"", row.version)));
    reply
}

/// The answer when the caller may not read what it wrote.
fn key_only(status: u16, entity: &'static EntityDef, key: &Value) -> Reply {
    let mut out = Vec::new();
    write_name(entity.key(), &mut out);
    field::write_json(entity.key(), key, &mut out);
    let mut body = b"{".to_vec();
    body.extend(out);
    body.push(b'}');
    json(status, body)
}

/// A ref whose target stands in the answer.
struct Expanded {
    at: FieldIx,
    target: &'static EntityDef,
    fields: Vec<(FieldIx, &'static FieldDef)>,
    hop: &'static [FieldIx],
    from: u16,
}

fn only_expand(call: &Call) -> Result<()> {
    match call.query.iter().find(|(name, _)| name != "expand") {
        Some((name, _)) => Err(Error::bad_request(format!("unknown parameter `{}`; only `expand` is known here", name.escape_default()))),
        None => Ok(()),
    }
}

fn expanded(tx: &Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Vec<Expanded>> {
    let names = call.query.iter().filter(|(name, _)| name == "expand").flat_map(|(_, value)| value.split(','));
    let mut all: Vec<Expanded> = Vec::new();
    for name in names.map(str::trim).filter(|name| !name.is_empty()) {
        let found = entity.find(name).and_then(|(at, field)| match field.kind {
            Kind::Ref(target) => Some((at, tx.app.entity(target))),
            _ => None,
        });
        let Some((at, target)) = found else {
            let refs = entity.fields.iter().filter(|field| matches!(field.kind, Kind::Ref(_))).map(|field| field.name).collect();
            let near = params::nearest(name, refs).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(Error::bad_request(format!("`{}` is no reference that can be expanded{near}", name.escape_default())));
        };
        if all.iter().all(|it| it.at != at) {
            let shown = |field: &FieldDef| field.kind.is_stored() && !field.secret && !field.sensitive;
            let fields =
                target.fields.iter().enumerate().filter(|(_, field)| shown(field)).map(|(ix, field)| (ix as FieldIx, field)).collect();
            let hop = params::hop(at);
            all.push(Expanded { at, target, fields, hop, from: entity.ix });
        }
    }
    Ok(all)
}

/// The columns of what is expanded: joined like any hop, under the target's own rule.
fn extras(expanded: &[Expanded]) -> Vec<Extra> {
    expanded
        .iter()
        .flat_map(|it| it.fields.iter().map(|(field, _)| Extra::Field(Path { from: it.from, hops: it.hop, field: *field })))
        .collect()
}

fn write_name(field: &FieldDef, out: &mut Vec<u8>) {
    // Names are identifiers: nothing in them needs an escape.
    out.push(b'"');
    out.extend_from_slice(field.name.as_bytes());
    out.extend_from_slice(b"\":");
}

fn write_row(entity: &'static EntityDef, row: &Row, expanded: &[Expanded], out: &mut Vec<u8>) {
    out.push(b'{');
    let mut first = true;
    for (at, field) in entity.fields.iter().enumerate() {
        if !field.kind.is_stored() || field.secret {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        write_name(field, out);
        match expanded.iter().position(|it| usize::from(it.at) == at) {
            Some(which) => write_expanded(expanded, which, row, out),
            None => field::write_json(field, row.value(at as FieldIx), out),
        }
    }
    out.push(b'}');
}

fn write_expanded(expanded: &[Expanded], which: usize, row: &Row, out: &mut Vec<u8>) {
    let start: usize = expanded[..which].iter().map(|it| it.fields.len()).sum();
    let it = &expanded[which];
    let values = &row.extra[start.min(row.extra.len())..];
    let visible = it.fields.iter().zip(values).any(|((ix, _), value)| *ix == it.target.pk && !value.is_null());
    if !visible {
        out.extend_from_slice(b"null");
        return;
    }
    out.push(b'{');
    for (at, ((_, field), value)) in it.fields.iter().zip(values).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_name(field, out);
        field::write_json(field, value, out);
    }
    out.push(b'}');
}
