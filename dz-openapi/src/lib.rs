//! The JSON API of an application as an OpenAPI 3.1 document.
//!
//! The command line prints it from the declaration, and a running application serves it from its description. Both create an [`Api`],
//! from which the document is generated, so that equal descriptions have equal bytes. This is a crate of its own because both use it
//! and neither depends on the other.

mod auth;
mod document;
mod entity;
mod files;
mod graph;
mod json;
mod operation;
mod processes;
mod schema;

/// The description of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api<'a> {
    /// The displayed title.
    pub title: &'a str,
    /// One sentence about it.
    pub description: Option<&'a str>,
    /// True if rows belong to tenants.
    pub tenants: bool,
    /// Entities.
    pub entities: Vec<Entity<'a>>,
    /// True if the application has processes.
    pub processes: bool,
}

/// An entity, with its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity<'a> {
    /// UpperCamelCase name.
    pub name: &'a str,
    /// Title for one row.
    pub title: &'a str,
    /// Title for many rows.
    pub title_plural: &'a str,
    /// The table, which is also the path segment.
    pub table: &'a str,
    /// One sentence about it.
    pub intent: Option<&'a str>,
    /// Fields, including secret ones.
    pub fields: Vec<Field<'a>>,
    /// The primary key, by its position.
    pub key: usize,
    /// The reference to the tenant of a row.
    pub tenant: Option<usize>,
    /// True for the entity of memberships.
    pub membership: bool,
    /// True if deleted rows are kept and hidden.
    pub soft_delete: bool,
    /// True if rows are current in a period.
    pub temporal: bool,
    /// Its state machine.
    pub states: Option<States<'a>>,
    /// True if its rows are the edges of a graph.
    pub is_edge: bool,
    /// The entity of the edges, if its rows are nodes of a graph.
    pub node: Option<usize>,
    /// The custom actions with a known input.
    pub actions: Vec<Action<'a>>,
}

/// A custom action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action<'a> {
    /// The name in its address.
    pub name: &'a str,
    /// The fields of its input.
    pub inputs: Vec<Field<'a>>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its name in JSON.
    pub name: &'a str,
    /// The type of its value.
    pub kind: Kind<'a>,
    /// True when null is not allowed.
    pub required: bool,
    /// True if a new row gets a default.
    pub default: bool,
    /// True when the system sets it.
    pub auto: bool,
    /// True for a computed field, which is never written.
    pub computed: bool,
    /// True if callers who cannot update the row get null.
    pub sensitive: bool,
    /// True if no input and no output contains it.
    pub secret: bool,
}

/// The types of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<'a> {
    /// 128-bit identifier.
    Uuid,
    /// At most this many code points.
    Str(u32),
    /// Text of any length, and text in a form without a keyword in JSON Schema.
    Text,
    /// `i64`.
    Int,
    /// Finite `f64`.
    Float,
    /// Exact decimal.
    Decimal {
        /// The number of digits.
        precision: u8,
        /// The number of digits after the point.
        scale: u8,
    },
    /// Amount of one currency.
    Money {
        /// The currency, by its ISO 4217 code.
        code: &'a str,
        /// The number of digits after the point.
        digits: u8,
    },
    /// Amount with a currency for each row.
    Amount,
    /// The currency of such an amount: it is written with the amount and has a filter of its own.
    Currency,
    /// Boolean.
    Bool,
    /// Date.
    Date,
    /// Timestamp.
    DateTime,
    /// One of these.
    Enum(Vec<&'a str>),
    /// Any JSON.
    Json,
    /// Mail address.
    Email,
    /// http(s) address.
    Url,
    /// `[a-z0-9-]+`
    Slug,
    /// A stored file.
    File,
    /// Key of a row of the entity at this position.
    Ref(usize),
    /// Rows of another entity; no column.
    Many,
    /// One row of another entity; no column.
    One,
}

/// A state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct States<'a> {
    /// The enum field of the state.
    pub field: usize,
    /// The transitions that users can make.
    pub transitions: Vec<Transition<'a>>,
    /// The final states that are successes.
    pub finals: Vec<usize>,
    /// The final states that are failures.
    pub failures: Vec<usize>,
}

/// A transition, between values of the field by their positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition<'a> {
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// The label of its button.
    pub label: Option<&'a str>,
    /// The roles, of which one is required; empty if no role is required.
    pub roles: Vec<&'a str>,
}

impl Api<'_> {
    /// The document as JSON in one line.
    pub fn json(&self) -> String {
        document::document(self).json() + "\n"
    }

    /// The same document as YAML.
    pub fn yaml(&self) -> String {
        document::document(self).yaml()
    }
}

impl<'a> Entity<'a> {
    /// The primary key.
    fn key(&self) -> &Field<'a> {
        &self.fields[self.key]
    }
}

impl<'a> Kind<'a> {
    /// True for values of a row, false for rows of another entity.
    fn is_value(&self) -> bool {
        match self {
            Kind::Many | Kind::One => false,
            Kind::Uuid
            | Kind::Str(_)
            | Kind::Text
            | Kind::Int
            | Kind::Float
            | Kind::Decimal { .. }
            | Kind::Money { .. }
            | Kind::Amount
            | Kind::Currency
            | Kind::Bool
            | Kind::Date
            | Kind::DateTime
            | Kind::Enum(_)
            | Kind::Json
            | Kind::Email
            | Kind::Url
            | Kind::Slug
            | Kind::File
            | Kind::Ref(_) => true,
        }
    }

    /// True for amounts of one currency or with a currency for each row.
    fn is_amount(&self) -> bool {
        matches!(self, Kind::Money { .. } | Kind::Amount)
    }

    /// True for the key of a row of an entity.
    fn is_ref(&self) -> bool {
        matches!(self, Kind::Ref(_))
    }

    /// The values of an enum.
    fn values(&self) -> Option<&[&'a str]> {
        if let Kind::Enum(values) = self { Some(values) } else { None }
    }
}

impl Field<'_> {
    /// True if the field has a value of its own, stored or computed.
    fn has_value(&self) -> bool {
        self.kind.is_value()
    }

    /// True if the field is a member of a row: a currency is a member of its amount.
    fn is_member(&self) -> bool {
        !self.secret && self.kind != Kind::Currency
    }

    /// True if the field has a column in its entity's table.
    fn is_stored(&self) -> bool {
        self.has_value() && !self.computed
    }
}
