//! The kinds of fields, and their properties.
//!
//! Every `match` on a [`Kind`] lists all kinds, so that a new kind compiles only when each of them handles it. Properties of kinds are
//! therefore methods in this file, also those of a single kind (`is_bool`, `target`).

use super::{AppDef, EntityDef, EntityIx, EnumDef, FieldAt, FieldIx, Via};

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// 128-bit identifier.
    Uuid,
    /// Text of at most this many code points.
    Str(u32),
    /// Long text.
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
    /// Boolean.
    Bool,
    /// Day.
    Date,
    /// Timestamp in UTC with microseconds.
    DateTime,
    /// One of a list.
    Enum(&'static EnumDef),
    /// Any JSON.
    Json,
    /// Mail address.
    Email,
    /// http(s) address.
    Url,
    /// IANA zone name.
    Timezone,
    /// Currency code of ISO 4217.
    Currency {
        /// The field of its amount.
        amount: FieldIx,
    },
    /// `[a-z0-9-]+`
    Slug,
    /// A stored file.
    File {
        /// The maximum size in bytes; `None` uses the limit of the configuration.
        limit: Option<u64>,
    },
    /// Key of a row of another entity.
    Ref(EntityIx),
    /// Child rows; no column.
    HasMany {
        /// The reference of the child entity to this one.
        via: FieldAt,
    },
    /// One child row; no column.
    HasOne {
        /// The reference of the child entity to this one.
        via: FieldAt,
    },
    /// Rows that a junction entity connects; no column.
    ManyToMany {
        /// The entity at the other end.
        entity: EntityIx,
        /// The junction.
        through: Junction,
    },
}

/// The entity that connects both ends of a many-to-many relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Junction {
    entity: EntityIx,
    near: FieldIx,
    far: FieldIx,
}

impl Junction {
    /// The junction entity, its reference to the row of the relation, and its reference to the other end.
    pub const fn new(entity: EntityIx, near: FieldIx, far: FieldIx) -> Junction {
        Junction { entity, near, far }
    }

    /// The entity.
    pub fn entity(self, app: &'static AppDef) -> &'static EntityDef {
        app.entity(self.entity)
    }

    /// The reference to the row of the relation.
    pub const fn near(self) -> FieldAt {
        FieldAt::new(self.entity, self.near)
    }

    /// The reference to the other end.
    pub const fn far(self) -> FieldAt {
        FieldAt::new(self.entity, self.far)
    }
}

/// A group of kinds that most code handles in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Identifiers that dz generates.
    Identifier,
    /// Text, with or without a format.
    Text,
    /// One of a list, stored as text.
    Choice,
    /// Exact numbers and floats.
    Number,
    /// True or false.
    Truth,
    /// Dates and timestamps.
    Time,
    /// JSON.
    Document,
    /// Stored files.
    File,
    /// Keys of rows of another entity.
    Reference,
    /// Rows of another entity; no column.
    Relation,
}

impl Kind {
    /// The family to which it belongs.
    pub const fn family(self) -> Family {
        match self {
            Kind::Uuid => Family::Identifier,
            Kind::Str(_) | Kind::Text | Kind::Email | Kind::Url | Kind::Timezone | Kind::Currency { .. } | Kind::Slug => Family::Text,
            Kind::Enum(_) => Family::Choice,
            Kind::Int | Kind::Float | Kind::Decimal { .. } => Family::Number,
            Kind::Bool => Family::Truth,
            Kind::Date | Kind::DateTime => Family::Time,
            Kind::Json => Family::Document,
            Kind::File { .. } => Family::File,
            Kind::Ref(_) => Family::Reference,
            Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => Family::Relation,
        }
    }

    /// The kind of the values: that of the key of the target for a ref.
    pub fn resolved(self, app: &'static AppDef) -> Kind {
        self.target().map_or(self, |target| app.entity(target).key().kind.resolved(app))
    }

    /// True for values that are part of the row, false for relations to other rows.
    pub const fn is_stored(self) -> bool {
        !matches!(self.family(), Family::Relation)
    }

    /// True for text-like kinds.
    pub const fn is_text(self) -> bool {
        matches!(self.family(), Family::Text)
    }

    /// True for text without a format, which is stored unchanged.
    pub const fn is_free_text(self) -> bool {
        matches!(self, Kind::Str(_) | Kind::Text)
    }

    /// True for kinds whose values are text: text-like kinds and enumerations.
    pub const fn holds_text(self) -> bool {
        matches!(self.family(), Family::Text | Family::Choice)
    }

    /// True for exact numbers and floats.
    pub const fn is_number(self) -> bool {
        matches!(self.family(), Family::Number)
    }

    /// True for dates and timestamps.
    pub const fn is_time(self) -> bool {
        matches!(self.family(), Family::Time)
    }

    /// True for kinds whose values are filtered, sorted and compared; JSON and files are not.
    pub const fn is_comparable(self) -> bool {
        match self.family() {
            Family::Identifier | Family::Text | Family::Choice | Family::Number | Family::Truth | Family::Time | Family::Reference => true,
            Family::Document | Family::File | Family::Relation => false,
        }
    }

    /// True for kinds whose rows the API includes on request (`expand`).
    pub const fn is_expandable(self) -> bool {
        matches!(self.family(), Family::Reference | Family::Relation)
    }

    /// True for the kinds of keys that are generated for a new row; callers choose keys of other kinds.
    pub const fn is_generated_key(self) -> bool {
        self.is_uuid() || self.is_int()
    }

    /// True for identifiers.
    pub const fn is_uuid(self) -> bool {
        matches!(self.family(), Family::Identifier)
    }

    /// True for booleans.
    pub const fn is_bool(self) -> bool {
        matches!(self.family(), Family::Truth)
    }

    /// True for JSON.
    pub const fn is_json(self) -> bool {
        matches!(self.family(), Family::Document)
    }

    /// True for stored files.
    pub const fn is_file(self) -> bool {
        matches!(self.family(), Family::File)
    }

    /// True for whole numbers.
    pub const fn is_int(self) -> bool {
        matches!(self, Kind::Int)
    }

    /// True for floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Kind::Float)
    }

    /// True for dates, false for timestamps.
    pub const fn is_date(self) -> bool {
        matches!(self, Kind::Date)
    }

    /// True for mail addresses.
    pub const fn is_email(self) -> bool {
        matches!(self, Kind::Email)
    }

    /// True for the currency of an amount.
    pub const fn is_currency(self) -> bool {
        self.amount().is_some()
    }

    /// The values of an enumeration.
    pub const fn enumeration(self) -> Option<&'static EnumDef> {
        if let Kind::Enum(of) = self { Some(of) } else { None }
    }

    /// The most code points of a short text.
    pub const fn max_length(self) -> Option<u32> {
        if let Kind::Str(length) = self { Some(length) } else { None }
    }

    /// Digits in all and after the point of an exact decimal.
    pub const fn digits(self) -> Option<(u8, u8)> {
        if let Kind::Decimal { precision, scale } = self { Some((precision, scale)) } else { None }
    }

    /// Digits after the point of an exact decimal.
    pub const fn scale(self) -> Option<u8> {
        if let Kind::Decimal { scale, .. } = self { Some(scale) } else { None }
    }

    /// The field with the amount of a currency.
    pub const fn amount(self) -> Option<FieldIx> {
        if let Kind::Currency { amount } = self { Some(amount) } else { None }
    }

    /// The largest file that a field accepts, in bytes; `None` leaves it to the configuration.
    pub const fn file_limit(self) -> Option<u64> {
        if let Kind::File { limit } = self { limit } else { None }
    }

    /// The entity to which a ref refers.
    pub const fn target(self) -> Option<EntityIx> {
        if let Kind::Ref(target) = self { Some(target) } else { None }
    }

    /// The entity that connects the rows of a relation.
    pub const fn junction(self) -> Option<Junction> {
        if let Kind::ManyToMany { through, .. } = self { Some(through) } else { None }
    }

    /// The relation of a field without a column.
    pub const fn relation(self) -> Option<Relation> {
        match self {
            Kind::HasMany { via } => Some(Relation { entity: via.entity_ix(), via: Via::Ref(via), is_single: false }),
            Kind::HasOne { via } => Some(Relation { entity: via.entity_ix(), via: Via::Ref(via), is_single: true }),
            Kind::ManyToMany { entity, through } => Some(Relation { entity, via: Via::Junction(through), is_single: false }),
            Kind::Uuid
            | Kind::Str(_)
            | Kind::Text
            | Kind::Int
            | Kind::Float
            | Kind::Decimal { .. }
            | Kind::Bool
            | Kind::Date
            | Kind::DateTime
            | Kind::Enum(_)
            | Kind::Json
            | Kind::Email
            | Kind::Url
            | Kind::Timezone
            | Kind::Currency { .. }
            | Kind::Slug
            | Kind::File { .. }
            | Kind::Ref(_) => None,
        }
    }

    /// How lists sort values of this kind.
    pub const fn sort_order(self) -> SortOrder {
        if let Kind::Enum(of) = self
            && of.ordered
        {
            return SortOrder::Declared(of);
        }
        if self.is_text() { SortOrder::IgnoringCase } else { SortOrder::Plain }
    }
}

/// Rows of another entity that belong to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    /// The entity of the rows.
    pub entity: EntityIx,
    /// How they belong to the row.
    pub via: Via,
    /// True for at most one row.
    pub is_single: bool,
}

/// How lists sort the values of a field.
#[derive(Debug, Clone, Copy)]
pub enum SortOrder {
    /// By the position in an ordered enumeration.
    Declared(&'static EnumDef),
    /// As text without regard to case, and then with regard to it.
    IgnoringCase,
    /// As the engine compares them.
    Plain,
}
