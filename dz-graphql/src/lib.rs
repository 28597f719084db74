//! The GraphQL schema of an application.
//!
//! The command line prints it from the declaration, and a running application answers queries by it. Both state their facts in an
//! [`Api`], from which the [`Schema`] follows: the same facts give the same schema. The crate exists because both need it and neither
//! depends on the other.

mod build;
mod children;
mod connections;
mod filters;
mod schema;
mod sdl;
mod subscriptions;
mod summary;

pub use dz_vocabulary::graphql::{enum_value, field_name, list_name, single_name};
pub use schema::{Argument, ChangePart, EnumValue, Field, Item, Operation, Part, Schema, Source, Type, TypeRef};

/// The facts about an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api<'a> {
    /// Entities.
    pub entities: Vec<Entity<'a>>,
    /// Enumerations that fields refer to.
    pub enums: Vec<Enum<'a>>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity<'a> {
    /// UpperCamelCase name.
    pub name: &'a str,
    /// Title for one row.
    pub title: &'a str,
    /// Title for many rows.
    pub title_plural: &'a str,
    /// The table, from which the name of the list follows.
    pub table: &'a str,
    /// One sentence about it.
    pub intent: Option<&'a str>,
    /// Fields, including secret ones.
    pub fields: Vec<EntityField<'a>>,
    /// The primary key, by its position.
    pub key: usize,
    /// True if the key of a new row is generated.
    pub is_key_generated: bool,
    /// The reference to the tenant of a row.
    pub tenant: Option<usize>,
    /// The field of the state machine.
    pub state: Option<usize>,
    /// True if deleted rows can be restored.
    pub soft_delete: bool,
    /// True if rows are current in a period.
    pub temporal: bool,
    /// The custom actions.
    pub actions: Vec<&'a str>,
}

/// A field of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityField<'a> {
    /// snake_case name.
    pub name: &'a str,
    /// Title.
    pub title: &'a str,
    /// The type of its value.
    pub kind: Kind,
    /// True when null is not allowed.
    pub required: bool,
    /// True when the system sets it.
    pub auto: bool,
    /// True for a computed field, which is never written.
    pub computed: bool,
    /// True if callers who cannot update the row get null.
    pub sensitive: bool,
    /// True if no input and no output contains it.
    pub secret: bool,
    /// For a relation over a reference of the other entity: the position of the reference.
    pub via: Option<usize>,
}

/// An enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enum<'a> {
    /// The name of its type.
    pub name: &'a str,
    /// The declared values with their titles.
    pub values: Vec<(&'a str, &'a str)>,
    /// True if values compare by position.
    pub ordered: bool,
}

/// The types of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 128-bit identifier.
    Uuid,
    /// Text of any form.
    Text,
    /// A whole number.
    Int,
    /// A whole number that can exceed 32 bits.
    BigInt,
    /// Finite number.
    Float,
    /// Exact decimal.
    Decimal,
    /// An amount of one currency.
    Money,
    /// An amount with a currency for each row.
    Amount,
    /// The currency of such an amount, which is a part of the amount.
    Currency,
    /// Boolean.
    Boolean,
    /// Date.
    Date,
    /// Timestamp.
    DateTime,
    /// One value of the enumeration at this position.
    Enum(usize),
    /// Any JSON.
    Json,
    /// A stored file.
    File,
    /// The row of an entity.
    Ref(usize),
    /// Rows of an entity.
    Many(usize),
    /// At most one row of an entity.
    One(usize),
}
