//! SQL text with its parameters, for either engine.

use std::{
    collections::HashSet,
    convert::Infallible,
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::{LazyLock, PoisonError, RwLock},
};

use dz_vocabulary::{column_of_field, field_of_column};

use super::encode::{Bind, List};
use crate::{Engine, Error, Value, def::Kind};

/// SQL text with its parameters in order. Only dz writes the text; every value from a client is bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    sql: String,
    /// The parameters, each with the number of bytes of text before it.
    parameters: Vec<(usize, Parameter)>,
    /// False if the text depends on the request (sort keys, filters); such a statement is not kept prepared.
    pub(crate) cacheable: bool,
}

/// The initial capacity of the text, in bytes.
const INITIAL_CAPACITY: usize = 240;

/// A parameter of the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Parameter {
    Bind(Bind),
    /// Several values in one parameter.
    List(List),
}

/// A part of the text, or a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    Text(&'a str),
    Parameter(&'a Parameter),
}

/// The encoding of a parameter; like [`Kind`], with enums and references resolved to their stored type.
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
    /// As [`new`](Statement::new): an empty statement does not depend on a request.
    fn default() -> Self {
        Statement::new()
    }
}

impl Statement {
    /// An empty statement.
    pub fn new() -> Self {
        Statement { sql: String::new(), parameters: Vec::new(), cacheable: true }
    }

    /// A statement that is this text.
    pub(crate) fn from_text(text: &str) -> Self {
        let mut statement = Self::new();
        statement.push(text);
        statement
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.buffer().push_str(text);
        self
    }

    /// Appends a quoted identifier; the name of a field becomes that of its column.
    pub fn ident(&mut self, name: &str) -> &mut Self {
        debug_assert!(!name.contains('"'));
        let sql = self.buffer();
        sql.push('"');
        sql.push_str(&column_of_field(name));
        sql.push('"');
        self
    }

    /// Appends a column of an alias.
    pub(crate) fn column(&mut self, alias: &str, name: &str) -> &mut Self {
        self.ident(alias).push(".").ident(name)
    }

    /// The text, with its initial capacity.
    fn buffer(&mut self) -> &mut String {
        if self.sql.capacity() == 0 {
            self.sql.reserve(INITIAL_CAPACITY);
        }
        &mut self.sql
    }

    /// Calls `take` for the texts and parameters in their order.
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

    /// True if the text contains `text`.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.sql.contains(text)
    }

    /// True if the text starts with `text`.
    pub(crate) fn starts_with(&self, text: &str) -> bool {
        self.sql.starts_with(text)
    }

    /// Appends a parameter.
    pub fn bind(&mut self, value: Value, kind: BindKind) -> &mut Self {
        self.parameters.push((self.sql.len(), Parameter::Bind(Bind { value, kind })));
        self
    }

    /// Appends the condition that the value before it is one of `values`: ` IN (…)` with one parameter, so that lists of all
    /// lengths share one prepared statement. It is null if the left side is null.
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

    /// The fields whose columns of an alias the text contains, possibly with duplicates.
    pub(crate) fn find_columns(&self, alias: &str) -> Vec<&str> {
        let column = format!("\"{alias}\".\"");
        self.sql.match_indices(&column).filter_map(|(at, _)| self.sql[at + column.len()..].split('"').next()).map(field_of_column).collect()
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

    /// Sets that the text is one of a limited set of texts that depend on the request. It is kept prepared if it is among the first
    /// ones of this process, which limits the memory of each connection.
    pub(crate) fn cache_within_limit(&mut self) -> &mut Self {
        self.cacheable &= CACHED_TEXTS.admit(self);
        self
    }

    /// Sets that the text depends on the request.
    pub fn uncacheable(&mut self) -> &mut Self {
        self.cacheable = false;
        self
    }
}

/// The maximum number of request-dependent texts that are kept prepared; a connection needs some ten kilobytes for each.
const CACHE_LIMIT: usize = 256;

static CACHED_TEXTS: LazyLock<CachedTexts> =
    LazyLock::new(|| CachedTexts { limit: CACHE_LIMIT, hasher: RandomState::new(), known: RwLock::default() });

/// The first request-dependent texts, by a keyed hash.
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
    /// The kind of the keys of tenants.
    ///
    /// # Errors
    /// 404 for an application without tenants.
    pub(crate) fn from_tenant_key(app: &crate::def::AppDef) -> Result<BindKind, Error> {
        let tenant = app.tenant().ok_or_else(Error::not_found)?;
        BindKind::from_kind(tenant.key().kind, app).ok_or_else(|| Error::internal("a key without a column"))
    }

    /// The kind of the keys of accounts.
    ///
    /// # Errors
    /// 500 if the key of the account entity has no column.
    pub(crate) fn from_account_key(app: &crate::def::AppDef) -> Result<BindKind, Error> {
        BindKind::from_kind(app.account().key().kind, app).ok_or_else(|| Error::internal("the account entity has no key"))
    }

    /// The kind of the column of a field; `None` for relations.
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
    fn the_columns_of_an_alias_are_found() {
        let mut sql = Statement::new();
        sql.push("(").column("t", "hours").push(" >= ").bind(Value::Int(0), BindKind::Int).push(" AND ").column("t_1", "rank").push(")");
        assert_eq!((sql.find_columns("t"), sql.find_columns("t_1"), sql.find_columns("hours")), (vec!["hours"], vec!["rank"], vec![]));
    }

    #[test]
    fn the_number_of_prepared_texts_from_requests_is_limited() {
        let few = CachedTexts { limit: 2, hasher: RandomState::new(), known: RwLock::default() };
        assert!(few.admit(&statement("a", 1)) && few.admit(&statement("b", 1)));
        assert!(!few.admit(&statement("c", 1)), "the third text is prepared each time");
        // The same text with other values is the same text.
        assert!(few.admit(&statement("a", 2)) && few.admit(&statement("b", 2)) && !few.admit(&statement("c", 2)));
        assert_eq!(few.known.read().unwrap().len(), 2);
    }
}
