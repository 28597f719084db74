//! SQL text with its parameters, for either engine.

use std::{
    collections::HashSet,
    convert::Infallible,
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::{LazyLock, PoisonError, RwLock},
};

use super::encode::{Bind, List};
use crate::{Engine, Error, Value, def::Kind};

/// SQL text with its parameters in order. Text is written by dz alone; whatever a client sent is bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    sql: String,
    /// Parameters, and how many bytes of the text stand before each.
    parameters: Vec<(usize, Parameter)>,
    /// False when a client shaped the text (its sorts, its filters): then it is not kept prepared.
    pub(crate) cacheable: bool,
}

/// Bytes that a text has room for from the start.
const INITIAL_CAPACITY: usize = 240;

/// What stands in a place of the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Parameter {
    Bind(Bind),
    /// Many values as one.
    List(List),
}

/// A stretch of text, or a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    Text(&'a str),
    Parameter(&'a Parameter),
}

/// How a parameter is encoded; like [`Kind`], but enums and refs are resolved to what is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BindKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `decimal`, stored with this precision and scale.
    Decimal {
        /// Digits in all.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// Any text.
    Text,
    /// `uuid`
    Uuid,
    /// `date`
    Date,
    /// `datetime`
    DateTime,
    /// `json`
    Json,
}

impl Default for Statement {
    /// As [`new`](Statement::new): where nothing is appended, nothing is shaped by a client.
    fn default() -> Self {
        Statement::new()
    }
}

impl Statement {
    /// An empty statement.
    pub fn new() -> Self {
        Statement { sql: String::new(), parameters: Vec::new(), cacheable: true }
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.buffer().push_str(text);
        self
    }

    /// Appends a quoted identifier.
    pub fn ident(&mut self, name: &str) -> &mut Self {
        debug_assert!(!name.contains('"'));
        let sql = self.buffer();
        sql.push('"');
        sql.push_str(name);
        sql.push('"');
        self
    }

    /// Appends a column of a table's alias.
    pub(crate) fn column(&mut self, alias: &str, name: &str) -> &mut Self {
        self.ident(alias).push(".").ident(name)
    }

    /// The text, with room for what usually follows.
    fn buffer(&mut self) -> &mut String {
        if self.sql.capacity() == 0 {
            self.sql.reserve(INITIAL_CAPACITY);
        }
        &mut self.sql
    }

    /// Hands over text and parameters as they follow each other.
    pub(crate) fn visit_parts<'s, E>(&'s self, mut take: impl FnMut(Part<'s>) -> Result<(), E>) -> Result<(), E> {
        let mut from = 0;
        let text = |from: usize, to: usize| self.sql.get(from..to).filter(|text| !text.is_empty());
        for (at, parameter) in &self.parameters {
            if let Some(text) = text(from, *at) {
                take(Part::Text(text))?;
            }
            take(Part::Parameter(parameter))?;
            from = *at;
        }
        text(from, self.sql.len()).map_or(Ok(()), |text| take(Part::Text(text)))
    }

    /// True when the text contains another one.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.sql.contains(text)
    }

    /// True when the text begins so.
    pub(crate) fn starts_with(&self, text: &str) -> bool {
        self.sql.starts_with(text)
    }

    /// Appends a parameter.
    pub fn bind(&mut self, value: Value, kind: BindKind) -> &mut Self {
        self.parameters.push((self.sql.len(), Parameter::Bind(Bind { value, kind })));
        self
    }

    /// Appends the test whether what stands before it is one of `values`: ` IN (…)` over one parameter, so
    /// that lists of every length share one prepared statement. It is null when the left side is null.
    pub fn in_list(&mut self, engine: Engine, values: impl IntoIterator<Item = Value>, kind: BindKind) -> &mut Self {
        let values = values.into_iter().filter(|value| !value.is_null()).map(|value| Bind { value, kind }).collect();
        let (before, after) = match (engine, kind) {
            (Engine::Sqlite, BindKind::Uuid) => (" IN (SELECT unhex(value) FROM json_each(", "))"),
            (Engine::Sqlite, _) => (" IN (SELECT value FROM json_each(", "))"),
            (Engine::Postgres, _) => (" = ANY(", ")"),
        };
        self.push(before);
        self.parameters.push((self.sql.len(), Parameter::List(List { values, kind })));
        self.push(after)
    }

    /// Appends another statement's text and parameters.
    pub fn append(&mut self, other: Statement) -> &mut Self {
        self.cacheable &= other.cacheable;
        if self.sql.is_empty() && self.parameters.is_empty() {
            (self.sql, self.parameters) = (other.sql, other.parameters);
            return self;
        }
        let before = self.sql.len();
        self.parameters.extend(other.parameters.into_iter().map(|(at, parameter)| (before + at, parameter)));
        self.push(&other.sql)
    }

    /// The columns of an alias that the text names, some of them twice.
    pub(crate) fn find_columns(&self, alias: &str) -> Vec<&str> {
        let column = format!("\"{alias}\".\"");
        self.sql.match_indices(&column).filter_map(|(at, _)| self.sql[at + column.len()..].split('"').next()).collect()
    }

    /// The text with a `?` for every parameter, for logs and tests.
    pub fn text(&self) -> String {
        let mut whole = String::with_capacity(self.sql.len() + self.parameters.len());
        let Ok(()) = self.visit_parts(|part| -> Result<(), Infallible> {
            whole.push_str(match part {
                Part::Text(text) => text,
                Part::Parameter(_) => "?",
            });
            Ok(())
        });
        whole
    }

    /// Marks the text as one of those that clients shape out of few parts. It is kept prepared if it is among the first ones
    /// of this process: what clients can make a connection keep has a bound.
    pub(crate) fn cache_within_limit(&mut self) -> &mut Self {
        self.cacheable &= CACHED_TEXTS.admit(self);
        self
    }

    /// Marks the text as shaped by a client.
    pub fn uncacheable(&mut self) -> &mut Self {
        self.cacheable = false;
        self
    }
}

/// Texts that clients shape, and that are kept prepared nevertheless; a connection keeps some ten kilobytes of each.
const CACHE_LIMIT: usize = 256;

static CACHED_TEXTS: LazyLock<CachedTexts> =
    LazyLock::new(|| CachedTexts { limit: CACHE_LIMIT, hasher: RandomState::new(), known: RwLock::default() });

/// The first texts that came, by a keyed hash of each.
struct CachedTexts {
    limit: usize,
    hasher: RandomState,
    known: RwLock<HashSet<u64>>,
}

impl CachedTexts {
    fn admit(&self, statement: &Statement) -> bool {
        let mut hasher = self.hasher.build_hasher();
        statement.sql.hash(&mut hasher);
        for (at, parameter) in &statement.parameters {
            at.hash(&mut hasher);
            match parameter {
                Parameter::Bind(Bind { kind, .. }) => std::mem::discriminant(kind).hash(&mut hasher),
                Parameter::List(_) => u8::MAX.hash(&mut hasher),
            }
        }
        let hash = hasher.finish();
        if self.known.read().unwrap_or_else(PoisonError::into_inner).contains(&hash) {
            return true;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        (known.len() < self.limit && known.insert(hash)) || known.contains(&hash)
    }
}

impl BindKind {
    /// How the keys of tenants are stored.
    ///
    /// # Errors
    /// 404 for an application without tenants.
    pub(crate) fn from_tenant_key(app: &crate::def::AppDef) -> Result<BindKind, Error> {
        let tenant = app.tenant().ok_or_else(Error::not_found)?;
        BindKind::from_kind(tenant.key().kind, app).ok_or_else(|| Error::internal("a key without a column"))
    }

    /// How the keys of accounts are stored.
    ///
    /// # Errors
    /// 500 for a declaration whose account entity has no such key.
    pub(crate) fn from_account_key(app: &crate::def::AppDef) -> Result<BindKind, Error> {
        BindKind::from_kind(app.account().key().kind, app).ok_or_else(|| Error::internal("the account entity has no key"))
    }

    /// How a field of this kind is stored; `None` for relations. `key` gives the kind of an entity's key.
    pub fn from_kind(kind: Kind, app: &crate::def::AppDef) -> Option<BindKind> {
        Some(match kind {
            Kind::Uuid => BindKind::Uuid,
            Kind::Str(_) | Kind::Text | Kind::Email | Kind::Url | Kind::Timezone | Kind::Currency { .. } | Kind::Slug | Kind::Enum(_) => {
                BindKind::Text
            }
            Kind::Int => BindKind::Int,
            Kind::Float => BindKind::Float,
            Kind::Decimal { precision, scale } => BindKind::Decimal { precision, scale },
            Kind::Bool => BindKind::Bool,
            Kind::Date => BindKind::Date,
            Kind::DateTime => BindKind::DateTime,
            Kind::Json | Kind::File { .. } => BindKind::Json,
            Kind::Ref(entity) => return BindKind::from_kind(app.entity(entity).key().kind, app),
            Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, value: i64) -> Statement {
        let mut statement = Statement::new();
        statement.push(text).bind(Value::Int(value), BindKind::Int);
        statement
    }

    #[test]
    fn columns_that_are_mentioned() {
        let mut sql = Statement::new();
        sql.push("(").column("t", "hours").push(" >= ").bind(Value::Int(0), BindKind::Int).push(" AND ").column("t_1", "rank").push(")");
        assert_eq!((sql.find_columns("t"), sql.find_columns("t_1"), sql.find_columns("hours")), (vec!["hours"], vec!["rank"], vec![]));
    }

    #[test]
    fn what_clients_can_make_a_connection_keep_has_a_bound() {
        let few = CachedTexts { limit: 2, hasher: RandomState::new(), known: RwLock::default() };
        assert!(few.admit(&statement("a", 1)) && few.admit(&statement("b", 1)));
        assert!(!few.admit(&statement("c", 1)), "the third text is prepared each time");
        // The same text with other values is the same text.
        assert!(few.admit(&statement("a", 2)) && few.admit(&statement("b", 2)) && !few.admit(&statement("c", 2)));
        assert_eq!(few.known.read().unwrap().len(), 2);
    }
}
