//! The parameters of a list: `page`, `page_size`, `sort`, `search`, and filters `field__op=value`.

mod column;
mod filter;

pub use column::{Column, Kind, Unknown, computed, own, over_reference, reference};

use std::collections::BTreeSet;

use crate::{
    caller::Caller,
    names::did_you_mean,
    problem::{Problem, Result},
    request::Call,
    sql::{Sql, all, all_of, any_of},
};

/// The rows of a page if the request does not say.
const PAGE_SIZE: i64 = 20;
/// The most rows of a page.
const LARGEST_PAGE: i64 = 100;
/// The largest number of a page, with which the number of the first row is not too large for the engines.
const LAST_PAGE: i64 = 18_446_744_073_709_551;
/// Limits that keep the statement of a request small.
const MOST_FILTERS: usize = 50;
const MOST_SORTS: usize = 10;
const MOST_JOINS: usize = 16;

/// The parameters that are not filters.
const RESERVED: [&str; 6] = ["page", "page_size", "sort", "search", "expand", "format"];

/// Finds what a name in a request means: a column of the entity, or one that is reached over references.
pub type Resolve = fn(&Caller, &str, &str) -> Result<Column, Unknown>;

/// What lists of an entity need to know.
pub struct ListRules {
    /// The name of the table.
    pub table: &'static str,
    /// The column with its key.
    pub key: &'static str,
    /// Its columns, by their names in requests.
    pub column: Resolve,
    /// The order without `sort`.
    pub sort: &'static [&'static str],
    /// The columns that `search` searches.
    pub search: &'static [&'static str],
    /// The columns with the start and the end of a row, if lists show current rows only.
    pub period: Option<(&'static str, &'static str)>,
}

/// The rows and the order that a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ListQuery {
    /// The number of the page, from 1.
    pub page: i64,
    /// The rows of a page.
    pub page_size: i64,
    /// The condition of the filters and of the search.
    pub condition: Sql,
    /// What follows `ORDER BY`.
    pub order: Sql,
    /// True for all rows as CSV.
    pub is_csv: bool,
}

impl ListQuery {
    /// Reads the parameters. The conditions of access rules are not part of it.
    pub fn parse(call: &Call, caller: &Caller, rules: &ListRules) -> Result<ListQuery> {
        call.check_unique()?;
        let (mut page, mut page_size) = (1, PAGE_SIZE);
        let is_csv = is_csv(&call.query)?;
        let (mut sort, mut conditions) = (None, Vec::new());
        let mut limits = Limits::default();
        let mut current = Current::Open;
        for (name, value) in &call.query {
            match name.as_str() {
                "page" => page = number(name, value, LAST_PAGE)?,
                "page_size" => page_size = number(name, value, LARGEST_PAGE)?,
                "sort" => {
                    let keys: Vec<&str> = value.split(',').map(str::trim).collect();
                    if keys.len() > MOST_SORTS {
                        return Err(Problem::bad_request(format!("`sort` takes at most {MOST_SORTS} fields")));
                    }
                    sort = Some(order(caller, rules, &mut limits, &keys)?);
                }
                "search" => conditions.push(search(caller, rules, value)?),
                "format" | "expand" => {}
                "include_closed" if rules.period.is_some() => current = current.or_closed(value)?,
                "as_of" if rules.period.is_some() && !value.is_empty() => current = Current::At(value.clone()),
                "as_of" if rules.period.is_some() => {}
                _ => conditions.push(filter::parse(caller, rules, &mut limits, (name, value))?),
            }
        }
        if let Some(period) = rules.period {
            conditions.push(current.condition(caller, rules, period)?);
        }
        let order = match sort {
            Some(order) => order,
            None => order(caller, rules, &mut Limits::default(), rules.sort)?,
        };
        Ok(ListQuery { page, page_size, condition: all_of(conditions), order, is_csv })
    }

    /// The rows before the page.
    pub fn offset(&self) -> i64 {
        (self.page - 1).saturating_mul(self.page_size)
    }

    /// The rows that the caller may list, of those that the request asks for.
    pub fn rows(&self, allowed: Sql) -> Sql {
        all([allowed, self.condition.clone()])
    }
}

/// The rows of a list with periods.
enum Current {
    /// Those without an end.
    Open,
    /// All.
    All,
    /// Those that are current at a time.
    At(String),
}

impl Current {
    /// Adds the rows that have ended, unless the request names a time.
    fn or_closed(self, value: &str) -> Result<Current> {
        let includes_closed = match value {
            "true" | "1" | "yes" => true,
            "false" | "0" | "no" | "" => false,
            _ => return Err(Problem::bad_request("`include_closed` must be true or false")),
        };
        Ok(match self {
            Current::At(time) => Current::At(time),
            Current::Open | Current::All if includes_closed => Current::All,
            Current::Open | Current::All => Current::Open,
        })
    }

    fn condition(&self, caller: &Caller, rules: &ListRules, (start, end): (&str, &str)) -> Result<Sql> {
        let column = |name: &str| {
            let column = (rules.column)(caller, rules.table, name);
            column.map_err(|unknown| unknown.problem("parameter or field", &[]))
        };
        let (start, end) = (column(start)?, column(end)?);
        let has_no_end = end.sql.clone().then(Sql::text(" IS NULL"));
        Ok(match self {
            Current::All => crate::sql::constant(true),
            Current::Open => has_no_end,
            Current::At(text) => {
                let time = filter::time(start.kind, text)?;
                let compare = |column: Sql, symbol: &str| column.then(Sql::new(format!(" {symbol} ?"), [time.clone()]));
                all([compare(start.sql, "<="), any_of(vec![has_no_end, compare(end.sql, ">")])])
            }
        })
    }
}

/// What the statement of a request contains so far.
#[derive(Default)]
pub struct Limits {
    filters: usize,
    /// The references that are followed.
    joined: BTreeSet<String>,
}

impl Limits {
    fn count_filter(&mut self) -> Result<()> {
        self.filters += 1;
        match self.filters > MOST_FILTERS {
            true => Err(Problem::bad_request(format!("a list takes at most {MOST_FILTERS} filters"))),
            false => Ok(()),
        }
    }

    /// Counts the references that a dotted name follows.
    fn count_joins(&mut self, name: &str) -> Result<()> {
        self.joined.extend(name.match_indices('.').map(|(end, _)| name[..end].to_owned()));
        match self.joined.len() > MOST_JOINS {
            true => Err(Problem::bad_request(format!("a list can join at most {MOST_JOINS} references"))),
            false => Ok(()),
        }
    }
}

/// True if the request asks for CSV, which contains all rows.
fn is_csv(query: &[(String, String)]) -> Result<bool> {
    let Some((_, format)) = query.iter().find(|(name, _)| name == "format") else { return Ok(false) };
    match format.as_str() {
        "json" => return Ok(false),
        "csv" => {}
        other => return Err(Problem::bad_request(format!("`format` is `json` or `csv`, not `{}`", other.escape_default()))),
    }
    match query.iter().find(|(name, _)| matches!(name.as_str(), "page" | "page_size" | "expand")) {
        Some((name, _)) => Err(Problem::bad_request(format!("`{name}` has no meaning with `format=csv`, which contains all rows"))),
        None => Ok(true),
    }
}

fn number(name: &str, value: &str, most: i64) -> Result<i64> {
    match value.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(Problem::validation(name, format!("must be a number from 1 to {most}"))),
    }
}

fn search(caller: &Caller, rules: &ListRules, words: &str) -> Result<Sql> {
    let words = words.trim();
    if words.is_empty() {
        return Ok(crate::sql::constant(true));
    }
    if rules.search.is_empty() {
        return Err(Problem::bad_request("this list cannot be searched: its surface declares no `search:`"));
    }
    if words.contains('\0') {
        return Err(Problem::bad_request("`search` must not contain the character U+0000"));
    }
    let column = |name: &&str| (rules.column)(caller, rules.table, name).map_err(|unknown| unknown.problem("parameter or field", &[]));
    let columns = rules.search.iter().map(column).collect::<Result<Vec<_>>>()?;
    Ok(any_of(columns.into_iter().map(|column| filter::contains(column.sql, words)).collect()))
}

fn order(caller: &Caller, rules: &ListRules, limits: &mut Limits, sort: &[&str]) -> Result<Sql> {
    let mut order = Sql::default();
    for key in sort {
        let (name, direction) = key.strip_prefix('-').map_or((*key, " NULLS FIRST"), |name| (name, " DESC NULLS LAST"));
        let column = (rules.column)(caller, rules.table, name).map_err(|unknown| unknown.problem("field to sort by", &[]))?;
        if let Some(what) = column.kind.incomparable() {
            return Err(Problem::bad_request(format!("`{name}` {what} and cannot be sorted")));
        }
        limits.count_joins(name)?;
        for key in column.sort_keys() {
            order = order.then(key).then(Sql::text(format!("{direction}, ")));
        }
    }
    // The key decides between equal rows, so that no row is on two pages.
    Ok(order.then(Sql::text(format!("{}.\"{}\"", rules.table, rules.key))))
}

impl Unknown {
    /// 400 with the nearest name.
    fn problem(self, what: &str, more: &[&'static str]) -> Problem {
        Problem::bad_request(match self {
            Unknown::Name { name, known } => {
                let near = did_you_mean(&name, known.iter().chain(more).copied());
                format!("unknown {what} `{}`{near}", name.escape_default())
            }
            Unknown::Sensitive { name } => {
                format!("`{name}` is sensitive, so lists are neither filtered nor sorted by it: their order would reveal it")
            }
            Unknown::NoReference { name, rest } => format!("`{name}` is not a reference, so it has no `{}`", rest.escape_default()),
            Unknown::TooLong { name } => format!("`{name}` has too many segments: a path follows at most 4 references"),
        })
    }
}
