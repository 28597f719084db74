//! SQL text with its parameters, for either engine.

use super::encode::{Bind, List};
use crate::{Engine, Value, def::Kind};

/// SQL text with its parameters in order. Text is written by dz alone; whatever a client sent is bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub(crate) pieces: Vec<Piece>,
    /// False when a client shaped the text (its sorts, its filters): then it is not kept prepared.
    pub(crate) cacheable: bool,
}

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
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            last.push_str(text);
        } else {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
        self
    }

    /// Appends a quoted identifier.
    pub fn ident(&mut self, name: &str) -> &mut Self {
        debug_assert!(!name.contains('"'));
        self.push("\"").push(name).push("\"")
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

    /// The text with a `?` for every parameter, for logs and tests.
    pub fn text(&self) -> String {
        let texts = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Bind(_) | Piece::List(_) => "?",
        });
        texts.collect()
    }

    /// Marks the text as shaped by a client.
    pub fn uncacheable(&mut self) -> &mut Self {
        self.cacheable = false;
        self
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
