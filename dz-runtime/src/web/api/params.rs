//! Parameters of lists: `page`, `page_size`, `sort`, `search`, and filters `field__op=value`.

use crate::{
    Error, Result, Value,
    def::{AppDef, Comparison, EntityDef, FieldAt, FieldDef, Kind, Path, SurfaceDef},
    field,
    rows::{self, Counting, Filter, FilterOp, MAX_HOPS, MAX_SORTS, MAX_VALUES, Query, temporal},
    suggest::did_you_mean,
    web::request::duplicates,
};

/// How unknown parameters are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// They are refused, with the nearest name.
    Api,
    /// They are ignored.
    Page,
}

/// The default page size.
pub const PAGE_SIZE: u64 = 20;
/// The maximum page size.
pub const MAX_PAGE_SIZE: u64 = 100;

/// The maximum number of filters and of joined tables; both engines accept these numbers.
const MAX_FILTERS: usize = 50;
const MAX_JOINS: usize = 16;

const OPERATORS: &[&str] = &["ne", "gt", "gte", "lt", "lte", "in", "isnull", "contains", "icontains", "startswith"];
/// The parameters of lists that are not filters.
pub(crate) const RESERVED: &[&str] = &["page", "page_size", "sort", "search", "expand", "format"];

/// The list surface that determines the order and the searched fields of an entity.
pub fn list_surface(app: &'static AppDef, entity: &'static EntityDef) -> Option<&'static SurfaceDef> {
    app.list_surface(entity)
}

/// Parses the decoded query of a list.
///
/// # Errors
/// With [`Strictness::Api`]: 400 `BAD_REQUEST` for an unknown parameter, field or operator, a value of the wrong type or a repeated
/// parameter; 422 for `page` and `page_size` out of bounds.
pub fn parse(
    app: &'static AppDef,
    entity: &'static EntityDef,
    surface: Option<&'static SurfaceDef>,
    pairs: &[(String, String)],
    strictness: Strictness,
) -> Result<Query> {
    parse_for(app, entity, surface, &|_| false, pairs, strictness)
}

/// As [`parse`], for a surface that hides fields from the caller: parameters cannot name them, and order and search leave them out.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_for(
    app: &'static AppDef,
    entity: &'static EntityDef,
    surface: Option<&'static SurfaceDef>,
    hides: &dyn Fn(&Path) -> bool,
    pairs: &[(String, String)],
    strictness: Strictness,
) -> Result<Query> {
    if strictness == Strictness::Api {
        duplicates::check_query(pairs)?;
    }
    let query = Query { limit: PAGE_SIZE, count: Counting::Limited, ..Query::default() };
    let (several, joined) = (Vec::new(), Vec::new());
    let mut reading = ParamReader { app, entity, surface, hides, strictness, query, page: 1, several, joined, closed: false, as_of: None };
    for (name, value) in pairs {
        match (reading.read_parameter(name, value), strictness) {
            (Err(error), Strictness::Api) => return Err(error),
            (Err(_), Strictness::Page) | (Ok(()), _) => {}
        }
    }
    Ok(reading.finish())
}

/// Parses filters on the stored fields of the entity itself; `reserved` are the names of other parameters, for the message.
///
/// # Errors
/// 400 for an unknown field or operator, for a path over a reference, or for a value of the wrong type.
pub(crate) fn parse_own_filters(
    app: &'static AppDef,
    entity: &'static EntityDef,
    reserved: &[&'static str],
    pairs: &[(String, String)],
) -> Result<Vec<Filter>> {
    let (query, several, joined) = (Query::default(), Vec::new(), Vec::new());
    let strictness = Strictness::Api;
    let mut reading = ParamReader {
        app,
        entity,
        surface: None,
        hides: &|_| false,
        strictness,
        query,
        page: 1,
        several,
        joined,
        closed: false,
        as_of: None,
    };
    for (name, value) in pairs {
        let is_own = |(_, field): &(_, &'static FieldDef)| is_open(field) && field.is_stored();
        let field = name.rsplit_once("__").filter(|_| entity.find(name).is_none()).map_or(name.as_str(), |(field, _)| field);
        if entity.find(field).filter(is_own).is_none() {
            let names = entity.fields.iter().filter(|field| is_open(field) && field.is_stored()).map(|field| field.name);
            let near = did_you_mean(field, names.chain(reserved.iter().copied()).collect());
            return Err(Error::bad_request(format!("unknown parameter or field `{}`{near}", field.escape_default())));
        }
        reading.read_filter(name, value)?;
    }
    let several = reading.several.into_iter().map(|(path, values)| Filter { path, op: FilterOp::In(values) });
    Ok(reading.query.filters.into_iter().chain(several).collect())
}

/// True for a parameter that selects rows of the entity by their validity period.
pub(crate) fn is_validity(entity: &EntityDef, name: &str) -> bool {
    entity.temporal.is_some() && temporal::NAMES.contains(&name)
}

/// The filters on the validity period of an entity, from the parameters of [`is_validity`].
///
/// # Errors
/// 400 for a wrong value.
pub(crate) fn parse_validity(app: &'static AppDef, entity: &'static EntityDef, pairs: &[(String, String)]) -> Result<Vec<Filter>> {
    let (mut closed, mut as_of) = (false, None);
    for (name, value) in pairs.iter().filter(|(name, _)| is_validity(entity, name)) {
        match name.as_str() {
            "as_of" => as_of = temporal::parse_as_of(app, entity, value)?,
            _ => closed = temporal::parse_include_closed(value)?,
        }
    }
    Ok(temporal::build_filters(entity, closed, as_of))
}

/// The state of the parser.
struct ParamReader<'h> {
    app: &'static AppDef,
    entity: &'static EntityDef,
    surface: Option<&'static SurfaceDef>,
    /// The fields that the surface hides from the caller.
    hides: &'h dyn Fn(&Path) -> bool,
    strictness: Strictness,
    query: Query,
    page: u64,
    several: Vec<(Path, Vec<Value>)>,
    /// The joined references, and the references on their way.
    joined: Vec<Vec<FieldAt>>,
    /// True if expired rows are included.
    closed: bool,
    /// The time for which rows are selected.
    as_of: Option<Value>,
}

impl ParamReader<'_> {
    fn read_parameter(&mut self, name: &str, value: &str) -> Result<()> {
        match name {
            "page" => self.page = parse_number(name, value, 1, u64::MAX / 1_000)?,
            "page_size" => self.query.limit = parse_number(name, value, 1, MAX_PAGE_SIZE)?,
            "sort" => {
                self.query.sort = self.read_sort(value)?;
                self.query.dynamic = true;
            }
            "search" => self.read_search(value)?,
            "expand" | "format" => {}
            "include_closed" if self.entity.temporal.is_some() => self.closed = temporal::parse_include_closed(value)?,
            "as_of" if self.entity.temporal.is_some() => self.as_of = temporal::parse_as_of(self.app, self.entity, value)?,
            _ => self.read_filter(name, value)?,
        }
        Ok(())
    }

    fn finish(mut self) -> Query {
        for (path, values) in self.several {
            self.query.filters.push(Filter { path, op: FilterOp::In(values) });
        }
        if self.query.sort.is_empty()
            && let Some(surface) = self.surface
        {
            let open = surface.ux.sort.iter().filter(|key| !(self.hides)(&key.path));
            self.query.sort = open.map(|key| (key.path, key.descending)).collect();
        }
        self.query.dynamic |= !self.query.filters.is_empty() || self.query.search.is_some();
        self.query.dynamic |= self.as_of.is_some();
        self.query.filters.extend(temporal::build_filters(self.entity, self.closed, self.as_of));
        self.query.offset = (self.page - 1).saturating_mul(self.query.limit);
        self.query
    }

    fn read_search(&mut self, words: &str) -> Result<()> {
        let paths = self.surface.map_or(&[][..], |surface| surface.ux.search);
        let paths: Vec<Path> = paths.iter().copied().filter(|path| !(self.hides)(path)).collect();
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
        rows::check_length(words)?;
        self.query.search = Some((words.to_owned(), paths));
        Ok(())
    }

    fn read_sort(&mut self, value: &str) -> Result<Vec<(Path, bool)>> {
        let keys: Vec<&str> = value.split(',').map(str::trim).collect();
        if keys.len() > MAX_SORTS {
            return Err(Error::bad_request(format!("`sort` takes at most {MAX_SORTS} fields")));
        }
        let mut sort = Vec::with_capacity(keys.len());
        for key in keys {
            let (name, descending) = key.strip_prefix('-').map_or((key, false), |name| (name, true));
            let (path, field) = self.resolve(name, Purpose::Sort)?;
            if !field.kind.is_comparable() {
                return Err(Error::bad_request(format!("`{name}` {} and cannot be sorted", kind_name(field.kind))));
            }
            self.count_joins(path)?;
            sort.push((path, descending));
        }
        Ok(sort)
    }

    fn read_filter(&mut self, name: &str, value: &str) -> Result<()> {
        let (name, operator) = match name.rsplit_once("__") {
            // The name of a field can contain two underscores.
            Some((field, operator)) if self.resolve(name, Purpose::Filter).is_err() => (field, operator),
            _ => (name, "eq"),
        };
        let (path, field) = self.resolve(name, Purpose::Filter)?;
        if operator != "eq" && !OPERATORS.contains(&operator) {
            let near = did_you_mean(operator, OPERATORS.to_vec());
            return Err(Error::bad_request(format!("unknown operator `{}`{near}", operator.escape_default())));
        }
        if value.is_empty() && self.strictness == Strictness::Page {
            return Ok(());
        }
        if value.contains('\0') {
            return Err(Error::bad_request(format!("`{name}` must not contain the character U+0000")));
        }
        if !field.kind.is_comparable() && operator != "isnull" {
            return Err(Error::bad_request(format!("`{name}` {}; only `isnull` filters it", kind_name(field.kind))));
        }
        if self.query.filters.len() + self.several.len() >= MAX_FILTERS {
            return Err(Error::bad_request(format!("a list takes at most {MAX_FILTERS} filters")));
        }
        self.count_joins(path)?;
        let of = FilterField { app: self.app, field, name };
        if operator == "in" {
            return self.add_to_list(&of, path, value);
        }
        self.query.filters.push(Filter { path, op: of.parse_operation(operator, value)? });
        Ok(())
    }

    /// Check boxes repeat their name; their values become one list.
    fn add_to_list(&mut self, of: &FilterField<'_>, path: Path, value: &str) -> Result<()> {
        let mut values = value.split(',').map(|part| of.parse_value(part)).collect::<Result<Vec<_>>>()?;
        let known = self.several.iter().position(|(known, _)| *known == path);
        if values.len() + known.map_or(0, |at| self.several[at].1.len()) > MAX_VALUES {
            return Err(Error::bad_request(format!("`{}__in` takes at most {MAX_VALUES} values", of.name)));
        }
        match known {
            Some(at) => self.several[at].1.append(&mut values),
            None => self.several.push((path, values)),
        }
        Ok(())
    }

    /// Resolves a dotted name to a path.
    fn resolve(&self, name: &str, wanted: Purpose) -> Result<(Path, &'static FieldDef)> {
        match resolve(self.app, self.entity, name, wanted)? {
            (path, _) if (self.hides)(&path) => Err(unknown_name(self.entity, name, wanted)),
            found => Ok(found),
        }
    }

    /// Counts the tables that a path joins.
    fn count_joins(&mut self, path: Path) -> Result<()> {
        let steps = path.steps(self.app);
        for end in 1..steps.len() {
            if !self.joined.iter().any(|joined| *joined == steps[..end]) {
                self.joined.push(steps[..end].to_vec());
            }
        }
        if self.joined.len() > MAX_JOINS {
            return Err(Error::bad_request(format!("a list can join at most {MAX_JOINS} references")));
        }
        Ok(())
    }
}

fn parse_number(name: &str, value: &str, least: u64, most: u64) -> Result<u64> {
    match value.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(Error::validation(name, format!("must be a number from {least} to {most}"))),
    }
}

/// The purpose of a field name.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    Filter,
    Sort,
}

/// Resolves a dotted name to a path; fields that cannot be filtered or sorted by are unknown here.
fn resolve(app: &'static AppDef, entity: &'static EntityDef, name: &str, wanted: Purpose) -> Result<(Path, &'static FieldDef)> {
    let mut at = entity;
    let mut steps: Vec<FieldAt> = Vec::new();
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        let found = at.find(part).filter(|(_, field)| is_open(field));
        let Some((ix, field)) = found else { return Err(unknown_name(at, part, wanted)) };
        steps.push(FieldAt::new(at.ix, ix));
        match (field.kind.target(), parts.peek()) {
            (_, None) => return Path::from_fields(&steps).map(|path| (path, field)).ok_or_else(|| unknown_name(entity, name, wanted)),
            (Some(next), Some(_)) if steps.len() <= MAX_HOPS => at = app.entity(next),
            (Some(_), Some(_)) => {
                return Err(Error::bad_request(format!("`{part}` has too many segments: a path follows at most {MAX_HOPS} references")));
            }
            (None, Some(next)) => {
                return Err(Error::bad_request(format!("`{part}` is not a reference, so it has no `{}`", next.escape_default())));
            }
        }
    }
    Err(unknown_name(entity, name, wanted))
}

fn is_open(field: &FieldDef) -> bool {
    field.has_value() && !field.secret && !field.sensitive
}

fn unknown_name(entity: &'static EntityDef, name: &str, wanted: Purpose) -> Error {
    if entity.find(name).is_some_and(|(_, field)| field.sensitive && field.has_value() && !field.secret) {
        return Error::bad_request(format!(
            "`{name}` is sensitive, so lists are neither filtered nor sorted by it: their order would reveal it"
        ));
    }
    let names = entity.fields.iter().filter(|field| is_open(field)).map(|field| field.name);
    let (what, names) = match wanted {
        Purpose::Filter => {
            let own = RESERVED.iter().chain(entity.temporal.map_or(&[][..], |_| temporal::NAMES)).copied();
            ("parameter or field", names.chain(own).collect())
        }
        Purpose::Sort => ("field to sort by", names.collect::<Vec<_>>()),
    };
    Error::bad_request(format!("unknown {what} `{}`{}", name.escape_default(), did_you_mean(name, names)))
}

/// The field of a filter, and its name in the request.
struct FilterField<'n> {
    app: &'static AppDef,
    field: &'static FieldDef,
    name: &'n str,
}

impl FilterField<'_> {
    fn parse_operation(&self, operator: &str, value: &str) -> Result<FilterOp> {
        Ok(match operator {
            "eq" => FilterOp::Compare(Comparison::Eq, self.parse_value(value)?),
            "ne" => FilterOp::Compare(Comparison::Ne, self.parse_value(value)?),
            "gt" => FilterOp::Compare(Comparison::Gt, self.parse_value(value)?),
            "gte" => FilterOp::Compare(Comparison::Ge, self.parse_value(value)?),
            "lt" => FilterOp::Compare(Comparison::Lt, self.parse_value(value)?),
            "lte" => FilterOp::Compare(Comparison::Le, self.parse_value(value)?),
            "isnull" => match value {
                "true" | "1" => FilterOp::IsNull(true),
                "false" | "0" => FilterOp::IsNull(false),
                _ => return Err(Error::bad_request(format!("`{}__isnull` must be true or false", self.name))),
            },
            "contains" => FilterOp::Contains(self.check_text(operator, value)?),
            "icontains" => FilterOp::IContains(self.check_text(operator, value)?),
            _ => FilterOp::StartsWith(self.check_text(operator, value)?),
        })
    }

    fn check_text(&self, operator: &str, value: &str) -> Result<String> {
        if self.field.kind.is_text() {
            return Ok(value.to_owned());
        }
        Err(Error::bad_request(format!("`{operator}` compares text, and `{}` is not text", self.name)))
    }

    fn parse_value(&self, text: &str) -> Result<Value> {
        let (app, of, name) = (self.app, self.field, self.name);
        if text.is_empty() {
            // Only a text can be empty.
            return match field::stored_kind(app, of).is_text() {
                true => Ok(Value::Text(String::new())),
                false => Err(Error::bad_request(format!("`{name}` needs a value; rows without one are found by `{name}__isnull=true`"))),
            };
        }
        let wrong = |wrong: String| Error::bad_request(format!("`{name}` {wrong}"));
        let value = field::from_text(app, of, text, field::zone(app)).map_err(wrong)?;
        if of.kind.enumeration().is_some() {
            field::check(of, &value).map_err(wrong)?;
        }
        // A number that the column cannot hold equals none of its values.
        if let Some((precision, scale)) = of.kind.digits()
            && field::check(of, &value).is_err()
        {
            return Err(Error::bad_request(format!("`{name}` has {precision} digits, {scale} of them decimals")));
        }
        Ok(value)
    }
}

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;

/// The name of a kind whose values cannot be compared.
fn kind_name(kind: Kind) -> &'static str {
    if kind.is_file() { "is a file" } else { "is json" }
}
