//! The JSON API of an application as an OpenAPI 3.1 document.
//!
//! The command line prints it from the declaration and a running application serves it from its description. Each says
//! in an [`Api`] what it knows, and the document follows from that alone: the same facts, the same bytes. It is in a
//! crate of its own because both need it and neither needs the other.

mod auth;
mod document;
mod entity;
mod files;
mod json;
mod schema;

/// What the document says of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api<'a> {
    /// Title shown to people.
    pub title: &'a str,
    /// One sentence about it.
    pub description: Option<&'a str>,
    /// True where rows belong to tenants.
    pub tenants: bool,
    /// Entities.
    pub entities: Vec<Entity<'a>>,
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
    /// Table, and segment of the path.
    pub table: &'a str,
    /// One sentence about it.
    pub intent: Option<&'a str>,
    /// Fields, secret ones too.
    pub fields: Vec<Field<'a>>,
    /// The primary key, by its position.
    pub key: usize,
    /// The reference to the tenant whose row it is.
    pub tenant: Option<usize>,
    /// True where it says which account belongs to which tenant.
    pub membership: bool,
    /// A deleted row is marked and stays.
    pub soft_delete: bool,
    /// Its rows are current from one day or moment to another.
    pub temporal: bool,
    /// Its state machine.
    pub states: Option<States<'a>>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its name in JSON.
    pub name: &'a str,
    /// What it holds.
    pub kind: Kind<'a>,
    /// True when null is not allowed.
    pub required: bool,
    /// True when a new row gets a value by itself.
    pub default: bool,
    /// True when the system sets it.
    pub auto: bool,
    /// True when it is computed, and so never written.
    pub computed: bool,
    /// Null to callers who may not update the row.
    pub sensitive: bool,
    /// In no input and no output.
    pub secret: bool,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<'a> {
    /// 128-bit identifier.
    Uuid,
    /// At most this many code points.
    Str(u32),
    /// Text of any length, and text whose form JSON Schema has no word for.
    Text,
    /// `i64`.
    Int,
    /// Finite `f64`.
    Float,
    /// Exact decimal.
    Decimal {
        /// Digits in all.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// Amount of one currency.
    Money {
        /// The currency, by its ISO 4217 code.
        code: &'a str,
        /// Digits after the point.
        digits: u8,
    },
    /// Amount of a currency that each row says.
    Amount,
    /// The currency of such an amount, which is written with it and filtered alone.
    Currency,
    /// Boolean.
    Bool,
    /// Day.
    Date,
    /// Moment.
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
    /// The enum field that holds the state.
    pub field: usize,
    /// The moves that people may take.
    pub moves: Vec<Move<'a>>,
    /// The states in which a row finished successfully.
    pub finals: Vec<usize>,
    /// The states in which a row ended unsuccessfully.
    pub failures: Vec<usize>,
}

/// A move, between values of the field by their positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<'a> {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What its button says.
    pub label: Option<&'a str>,
    /// The roles of which one is needed; none asks for none.
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

impl Field<'_> {
    /// True when the field has a value of its own, stored or computed.
    fn has_value(&self) -> bool {
        !matches!(self.kind, Kind::Many | Kind::One)
    }

    /// True when the field is a member of a row: a currency is one of its amount.
    fn is_member(&self) -> bool {
        !self.secret && self.kind != Kind::Currency
    }

    /// True when the field has a column in its entity's table.
    fn is_stored(&self) -> bool {
        self.has_value() && !self.computed
    }
}
