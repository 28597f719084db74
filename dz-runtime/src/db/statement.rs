//! SQL text with its parameters, for either engine.

use std::{
    collections::HashSet,
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::{LazyLock, PoisonError, RwLock},
};

use super::encode::{Bind, List};
use crate::{Engine, Value, def::Kind};

/// SQL text with its parameters in order. Text is written by dz alone; whatever a client sent is bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub(crate) pieces: Vec<Piece>,
    /// False when a client shaped the text (its sorts, its filters): then it is not kept prepared.
    pub(crate) cacheable: bool,
}

/// Bytes that a stretch of text has room for from the start.
const ROOM: usize = 240;

/// A stretch of text, or a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Bind(Bind),
    /// One parameter that holds many values.
    List(List),
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
        Statement { pieces: Vec::new(), cacheable: true }
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.text_at_end().push_str(text);
        self
    }

    /// Appends a quoted identifier.
    pub fn ident(&mut self, name: &str) -> &mut Self {
        debug_assert!(!name.contains('"'));
        let text = self.text_at_end();
        text.push('"');
        text.push_str(name);
        text.push('"');
        self
    }

    /// Appends a column of a table's alias.
    pub(crate) fn column(&mut self, alias: &str, name: &str) -> &mut Self {
        self.ident(alias).push(".").ident(name)
    }

    /// The stretch of text at the end; a new one has room for what usually follows.
    fn text_at_end(&mut self) -> &mut String {
        if !matches!(self.pieces.last(), Some(Piece::Text(_))) {
            self.pieces.push(Piece::Text(String::with_capacity(ROOM)));
        }
        match self.pieces.last_mut() {
            Some(Piece::Text(text)) => text,
            _ => unreachable!("a text was put there"),
        }
    }

    /// Appends a parameter.
    pub fn bind(&mut self, value: Value, kind: BindKind) -> &mut Self {
        self.pieces.push(Piece::Bind(Bind { value, kind }));
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
        self.pieces.push(Piece::List(List { values, kind }));
        self.push(after)
    }

    /// Appends another statement's text and parameters.
    pub fn append(&mut self, other: Statement) -> &mut Self {
        self.cacheable &= other.cacheable;
        if self.pieces.is_empty() {
            self.pieces = other.pieces;
            return self;
        }
        for piece in other.pieces {
            match piece {
                Piece::Text(text) => {
                    self.push(&text);
                }
                bind => self.pieces.push(bind),
            }
        }
        self
    }

    /// The columns of an alias that the text names, some of them twice.
    pub(crate) fn columns_of(&self, alias: &str) -> Vec<&str> {
        let column = format!("\"{alias}\".\"");
        let mut named = Vec::new();
        for piece in &self.pieces {
            let Piece::Text(text) = piece else { continue };
            named.extend(text.match_indices(&column).filter_map(|(at, _)| text[at + column.len()..].split('"').next()));
        }
        named
    }

    /// The text with a `?` for every parameter, for logs and tests.
    pub fn text(&self) -> String {
        let texts = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Bind(_) | Piece::List(_) => "?",
        });
        texts.collect()
    }

    /// Marks the text as one of those that clients shape out of few parts. It is kept prepared if it is among the first ones
    /// of this process: what clients can make a connection keep has a bound.
    pub(crate) fn one_of_few(&mut self) -> &mut Self {
        self.cacheable &= FEW.keeps(self);
        self
    }

    /// Marks the text as shaped by a client.
    pub fn uncacheable(&mut self) -> &mut Self {
        self.cacheable = false;
        self
    }
}

/// Texts that clients shape, and that are kept prepared nevertheless; a connection keeps some ten kilobytes of each.
const KEPT: usize = 256;

static FEW: LazyLock<Few> = LazyLock::new(|| Few { most: KEPT, hasher: RandomState::new(), known: RwLock::default() });

/// The first texts that came, by a keyed hash of each.
struct Few {
    most: usize,
    hasher: RandomState,
    known: RwLock<HashSet<u64>>,
}

impl Few {
    fn keeps(&self, statement: &Statement) -> bool {
        let mut hasher = self.hasher.build_hasher();
        for piece in &statement.pieces {
            match piece {
                Piece::Text(text) => text.hash(&mut hasher),
                Piece::Bind(Bind { kind, .. }) => std::mem::discriminant(kind).hash(&mut hasher),
                Piece::List(_) => u8::MAX.hash(&mut hasher),
            }
        }
        let hash = hasher.finish();
        if self.known.read().unwrap_or_else(PoisonError::into_inner).contains(&hash) {
            return true;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        (known.len() < self.most && known.insert(hash)) || known.contains(&hash)
    }
}

impl BindKind {
    /// How a field of this kind is stored; `None` for relations. `key` gives the kind of an entity's key.
    pub fn of(kind: Kind, app: &crate::def::AppDef) -> Option<BindKind> {
        Some(match kind {
            Kind::Uuid => BindKind::Uuid,
            Kind::Str(_) | Kind::Text | Kind::Email | Kind::Url | Kind::Timezone | Kind::Slug | Kind::Enum(_) => BindKind::Text,
            Kind::Int => BindKind::Int,
            Kind::Float => BindKind::Float,
            Kind::Decimal { precision, scale } => BindKind::Decimal { precision, scale },
            Kind::Bool => BindKind::Bool,
            Kind::Date => BindKind::Date,
            Kind::DateTime => BindKind::DateTime,
            Kind::Json | Kind::File { .. } => BindKind::Json,
            Kind::Ref(entity) => return BindKind::of(app.entity(entity).key().kind, app),
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
        assert_eq!((sql.columns_of("t"), sql.columns_of("t_1"), sql.columns_of("hours")), (vec!["hours"], vec!["rank"], vec![]));
    }

    #[test]
    fn what_clients_can_make_a_connection_keep_has_a_bound() {
        let few = Few { most: 2, hasher: RandomState::new(), known: RwLock::default() };
        assert!(few.keeps(&statement("a", 1)) && few.keeps(&statement("b", 1)));
        assert!(!few.keeps(&statement("c", 1)), "the third text is prepared each time");
        // The same text with other values is the same text.
        assert!(few.keeps(&statement("a", 2)) && few.keeps(&statement("b", 2)) && !few.keeps(&statement("c", 2)));
        assert_eq!(few.known.read().unwrap().len(), 2);
    }
}
