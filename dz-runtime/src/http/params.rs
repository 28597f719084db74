//! Parameters of lists: `page`, `page_size`, `sort`, `search`, and filters `field__op=value`.

use crate::{
    Error, Result, Value,
    def::{AppDef, Cmp, EntityDef, FieldDef, FieldIx, Kind, Mode, Path, SurfaceDef},
    field,
    rows::{Filter, FilterOp, Query},
};

/// What happens to a parameter that is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// It is refused, with the nearest name.
    Api,
    /// It is ignored.
    Page,
}

/// Rows of a page when nobody says.
pub const PAGE_SIZE: u64 = 20;
/// Rows of a page at most.
pub const MAX_PAGE_SIZE: u64 = 100;

const OPERATORS: &[&str] = &["ne", "gt", "gte", "lt", "lte", "in", "isnull", "contains", "icontains", "startswith"];
const OWN: &[&str] = &["page", "page_size", "sort", "search", "expand"];

/// The list surface that gives an entity its order and its searched fields.
pub fn list_surface(app: &'static AppDef, entity: &'static EntityDef) -> Option<&'static SurfaceDef> {
    app.surfaces.iter().copied().find(|surface| surface.entity == entity.ix && surface.mode == Mode::List)
}

/// The query of a list, from decoded pairs.
///
/// # Errors
/// With [`Strictness::Api`]: 400 `BAD_REQUEST` for an unknown parameter, field, operator or a value of the
/// wrong type; 422 for `page` and `page_size` out of bounds.
pub fn parse(
    app: &'static AppDef,
    entity: &'static EntityDef,
    surface: Option<&'static SurfaceDef>,
    pairs: &[(String, String)],
    strictness: Strictness,
) -> Result<Query> {
    let mut query = Query { limit: PAGE_SIZE, count: true, ..Query::default() };
    let mut page = 1;
    let mut several: Vec<(Path, Vec<Value>)> = Vec::new();
    for (name, value) in pairs {
        let done = match name.as_str() {
            "page" => number(name, value, 1, u64::MAX / 1_000).map(|number| page = number),
            "page_size" => number(name, value, 1, MAX_PAGE_SIZE).map(|number| query.limit = number),
            "sort" if value.is_empty() => Ok(()),
            "sort" => sort(app, entity, value).map(|keys| {
                query.sort = keys;
                query.dynamic = true;
            }),
            "search" => search(surface, value, &mut query),
            "expand" => Ok(()),
            _ => filter(app, entity, name, value, &mut query, &mut several, strictness),
        };
        match (done, strictness) {
            (Err(error), Strictness::Api) => return Err(error),
            (Err(_), Strictness::Page) | (Ok(()), _) => {}
        }
    }
    for (path, values) in several {
        query.filters.push(Filter { path, op: FilterOp::In(values) });
    }
    if query.sort.is_empty()
        && let Some(surface) = surface
    {
        query.sort = surface.ux.sort.iter().map(|key| (key.path, key.descending)).collect();
    }
    query.dynamic |= !query.filters.is_empty() || query.search.is_some();
    query.offset = (page - 1).saturating_mul(query.limit);
    Ok(query)
}

fn number(name: &str, value: &str, least: u64, most: u64) -> Result<u64> {
    match value.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ if most == MAX_PAGE_SIZE => Err(Error::validation(name, format!("must be a number from {least} to {most}"))),
        _ => Err(Error::validation(name, format!("must be a number from {least} on"))),
    }
}

fn search(surface: Option<&'static SurfaceDef>, words: &str, query: &mut Query) -> Result<()> {
    let paths = surface.map_or(&[][..], |surface| surface.ux.search);
    let words = words.trim();
    if words.is_empty() {
        return Ok(());
    }
    if paths.is_empty() {
        return Err(Error::bad_request("this list cannot be searched: its surface declares no `search:`"));
    }
    if words.contains('\0') {
        return Err(Error::bad_request("`search` must not contain the character U+0000"));
    }
    query.search = Some((words.to_owned(), paths.to_vec()));
    Ok(())
}

fn sort(app: &'static AppDef, entity: &'static EntityDef, value: &str) -> Result<Vec<(Path, bool)>> {
    value
        .split(',')
        .map(|key| {
            let key = key.trim();
            let (name, descending) = key.strip_prefix('-').map_or((key, false), |name| (name, true));
            let (path, field) = resolve(app, entity, name, "sort")?;
            if matches!(field.kind, Kind::Json) {
                return Err(Error::bad_request(format!("`{name}` is json and cannot be sorted")));
            }
            Ok((path, descending))
        })
        .collect()
}

/// The path of a dotted name; fields that nobody may filter or sort by do not exist here.
fn resolve(app: &'static AppDef, entity: &'static EntityDef, name: &str, what: &str) -> Result<(Path, &'static FieldDef)> {
    let mut at = entity;
    let mut hops: Vec<FieldIx> = Vec::new();
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        let found = at.find(part).filter(|(_, field)| open(field));
        let Some((ix, field)) = found else { return Err(unknown(at, part, what)) };
        match (field.kind, parts.peek()) {
            (_, None) => {
                let hops = interned(hops);
                return Ok((Path { from: entity.ix, hops, field: ix }, field));
            }
            (Kind::Ref(next), Some(_)) if hops.len() < 4 => {
                hops.push(ix);
                at = app.entity(next);
            }
            (_, Some(next)) => return Err(Error::bad_request(format!("`{part}` is no reference, so it has no `{next}`"))),
        }
    }
    Err(unknown(entity, name, what))
}

/// Paths are static data elsewhere; those of clients are kept once each, and there are few: at most four
/// references of the application in a row.
fn interned(hops: Vec<FieldIx>) -> &'static [FieldIx] {
    static KEPT: std::sync::Mutex<Vec<&'static [FieldIx]>> = std::sync::Mutex::new(Vec::new());
    if hops.is_empty() {
        return &[];
    }
    let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(known) = kept.iter().find(|known| ***known == *hops) {
        return known;
    }
    let leaked: &'static [FieldIx] = hops.leak();
    kept.push(leaked);
    leaked
}

/// The path of one reference.
pub(crate) fn hop(field: FieldIx) -> &'static [FieldIx] {
    interned(vec![field])
}

fn open(field: &FieldDef) -> bool {
    field.kind.is_stored() && !field.secret && !field.sensitive
}

fn unknown(entity: &'static EntityDef, name: &str, what: &str) -> Error {
    let names = entity.fields.iter().filter(|field| open(field)).map(|field| field.name);
    let near = nearest(name, if what == "filter" { names.chain(OWN.iter().copied()).collect() } else { names.collect::<Vec<_>>() });
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let what = if what == "filter" { "parameter or field" } else { "field to sort by" };
    Error::bad_request(format!("unknown {what} `{}`{near}", name.escape_default()))
}

/// The nearest of some names, when one is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, names: Vec<&'a str>) -> Option<&'a str> {
    let near = |known: &&str| strsim::damerau_levenshtein(name, known) <= 1.max(name.chars().count().max(known.len()) / 3);
    names.into_iter().filter(near).min_by_key(|known| strsim::damerau_levenshtein(name, known))
}

fn filter(
    app: &'static AppDef,
    entity: &'static EntityDef,
    name: &str,
    value: &str,
    query: &mut Query,
    several: &mut Vec<(Path, Vec<Value>)>,
    strictness: Strictness,
) -> Result<()> {
    let (field_name, operator) = name.rsplit_once("__").unwrap_or((name, "eq"));
    let (path, field) = resolve(app, entity, field_name, "filter")?;
    if operator != "eq" && !OPERATORS.contains(&operator) {
        let near = nearest(operator, OPERATORS.to_vec()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(Error::bad_request(format!("unknown operator `{}`{near}", operator.escape_default())));
    }
    if value.is_empty() && strictness == Strictness::Page {
        return Ok(());
    }
    if value.contains('\0') {
        return Err(Error::bad_request(format!("`{field_name}` must not contain the character U+0000")));
    }
    if matches!(field.kind, Kind::Json) && operator != "isnull" {
        return Err(Error::bad_request(format!("`{field_name}` is json; only `isnull` filters it")));
    }
    let one = || typed(app, field, field_name, value);
    let text = || {
        if field.kind.is_text() {
            Ok(value.to_owned())
        } else {
            Err(Error::bad_request(format!("`{operator}` works on text, and `{field_name}` is none")))
        }
    };
    let op = match operator {
        "eq" => FilterOp::Compare(Cmp::Eq, one()?),
        "ne" => FilterOp::Compare(Cmp::Ne, one()?),
        "gt" => FilterOp::Compare(Cmp::Gt, one()?),
        "gte" => FilterOp::Compare(Cmp::Ge, one()?),
        "lt" => FilterOp::Compare(Cmp::Lt, one()?),
        "lte" => FilterOp::Compare(Cmp::Le, one()?),
        "isnull" => match value {
            "true" | "1" => FilterOp::IsNull(true),
            "false" | "0" => FilterOp::IsNull(false),
            _ => return Err(Error::bad_request(format!("`{field_name}__isnull` must be true or false"))),
        },
        "in" => {
            let values = value.split(',').map(|part| typed(app, field, field_name, part)).collect::<Result<Vec<_>>>()?;
            if values.len() > 1_000 {
                return Err(Error::bad_request(format!("`{field_name}__in` takes at most 1000 values")));
            }
            // Check boxes repeat the name; together they are one list.
            match several.iter_mut().find(|(known, _)| *known == path) {
                Some((_, list)) => list.extend(values),
                None => several.push((path, values)),
            }
            return Ok(());
        }
        "contains" => FilterOp::Contains(text()?),
        "icontains" => FilterOp::IContains(text()?),
        _ => FilterOp::StartsWith(text()?),
    };
    query.filters.push(Filter { path, op });
    Ok(())
}

fn typed(app: &'static AppDef, of: &'static FieldDef, name: &str, text: &str) -> Result<Value> {
    let value = field::from_text(app, of, text, field::zone(app)).map_err(|wrong| Error::bad_request(format!("`{name}` {wrong}")))?;
    if let (Kind::Enum(_), Value::Text(_)) = (of.kind, &value) {
        field::check(of, &value).map_err(|wrong| Error::bad_request(format!("`{name}` {wrong}")))?;
    }
    if let Value::Decimal(number) = &value {
        // A number with more places than the column equals none of its values, but must not be refused by the encoding.
        let Kind::Decimal { precision, scale } = of.kind else { return Ok(value) };
        if number.normalize().scale() > u32::from(scale) || field::check(of, &value).is_err() {
            return Err(Error::bad_request(format!("`{name}` has {precision} digits, {scale} of them decimals")));
        }
    }
    Ok(value)
}
