//! The field types: one row each.

mod questions;

use super::{EntityId, EnumId, FieldId, Via};

/// The type of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// `uuid`
    Uuid,
    /// `str(n)`: at most `n` code points.
    Str(u32),
    /// `text`
    Text,
    /// `int`; `int(64)` sets `wide` (it differs in GraphQL only).
    Int {
        /// True for `int(64)`.
        wide: bool,
    },
    /// `float`
    Float,
    /// `decimal(p,s)`
    Decimal {
        /// The number of digits, 1 to 28.
        precision: u8,
        /// The number of digits after the point, at most `precision`.
        scale: u8,
    },
    /// `bool`
    Bool,
    /// `date`
    Date,
    /// `datetime`
    DateTime,
    /// `enum[…]` or a named enum.
    Enum(EnumId),
    /// `json`
    Json,
    /// `email`
    Email,
    /// `url`
    Url,
    /// `timezone`
    Timezone,
    /// `slug`
    Slug,
    /// `money`, of one currency or with a currency for each row.
    Money(Option<Currency>),
    /// The currency of an amount with a currency for each row: not a word of the language, but a field that dz adds.
    Currency {
        /// The field that holds the amount.
        amount: FieldId,
    },
    /// `file(20MB)`
    File {
        /// The largest accepted size in bytes; `None` leaves it to the configuration.
        limit: Option<u64>,
    },
    /// `ref E` and `belongs_to E`
    Ref(EntityId),
    /// `has_many E`: no column; `via` is the ref of `entity` that points back.
    HasMany {
        /// The child entity.
        entity: EntityId,
        /// Its field that points back.
        via: FieldId,
    },
    /// `has_one E`: no column.
    HasOne {
        /// The child entity.
        entity: EntityId,
        /// Its field that points back.
        via: FieldId,
    },
    /// `has_many E via J`: no column; rows that a junction entity connects with this one.
    ManyToMany {
        /// The entity at the other end.
        entity: EntityId,
        /// The junction.
        through: Junction,
    },
}

/// The entity that connects two others, with a row for each pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Junction {
    /// The entity.
    pub entity: EntityId,
    /// Its ref to the row that owns the relation.
    pub near: FieldId,
    /// Its ref to the row at the other end.
    pub far: FieldId,
}

/// The number of digits of an amount of money.
const AMOUNT_DIGITS: u8 = 18;

/// The number of digits after the point of an amount with a currency for each row; no currency of ISO 4217 has more.
const MOST_DIGITS: u8 = 4;

/// A currency by its ISO 4217 code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The currency with this code, if there is one.
    ///
    /// ```
    /// use dz_dsl_file::model::Currency;
    /// assert_eq!(Currency::from_code("EUR").map(|it| it.code().to_owned()), Some("EUR".to_owned()));
    /// assert_eq!(Currency::from_code("EUX"), None);
    /// ```
    pub fn from_code(code: &str) -> Option<Currency> {
        iso_currency::Currency::from_code(code)?;
        code.as_bytes().try_into().ok().map(Currency)
    }

    /// The number of digits after the point of an amount: two for the euro, none for the yen.
    ///
    /// ```
    /// use dz_dsl_file::model::Currency;
    /// let digits = |code| Currency::from_code(code).map(|it| it.digits());
    /// assert_eq!((digits("EUR"), digits("JPY"), digits("KWD")), (Some(2), Some(0), Some(3)));
    /// ```
    pub fn digits(&self) -> u8 {
        let exponent = iso_currency::Currency::from_code(self.code()).and_then(|it| it.exponent());
        exponent.and_then(|digits| u8::try_from(digits).ok()).unwrap_or(2)
    }

    /// Its code, such as `EUR`.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FieldType {
    /// True when the field has a column in the entity's own table.
    pub fn is_stored(self) -> bool {
        self.children().is_none()
    }

    /// The number of digits, and of digits after the point, of exact values: decimals and amounts of money.
    pub fn digits(self) -> Option<(u8, u8)> {
        match self {
            FieldType::Decimal { precision, scale } => Some((precision, scale)),
            FieldType::Money(currency) => Some((AMOUNT_DIGITS, currency.map_or(MOST_DIGITS, |it| it.digits()))),
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Bool
            | FieldType::Date
            | FieldType::DateTime
            | FieldType::Enum(_)
            | FieldType::Json
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => None,
        }
    }

    /// The plural name of a type whose values cannot be ordered or filtered, for messages; `None` for all others.
    pub fn incomparable(self) -> Option<&'static str> {
        match self {
            FieldType::Json => Some("json"),
            FieldType::File { .. } => Some("a file"),
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Decimal { .. }
            | FieldType::Bool
            | FieldType::Date
            | FieldType::DateTime
            | FieldType::Enum(_)
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Money(_)
            | FieldType::Currency { .. }
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => None,
        }
    }

    /// The enum of the field's values.
    pub fn enumeration(self) -> Option<EnumId> {
        if let FieldType::Enum(id) = self { Some(id) } else { None }
    }

    /// The entity that a ref references.
    pub fn target(self) -> Option<EntityId> {
        if let FieldType::Ref(entity) = self { Some(entity) } else { None }
    }

    /// The field with the amount of a currency.
    pub fn amount(self) -> Option<FieldId> {
        if let FieldType::Currency { amount } = self { Some(amount) } else { None }
    }

    /// The currency of an amount, if it is the same for every row.
    pub fn currency(self) -> Option<Currency> {
        if let FieldType::Money(currency) = self { currency } else { None }
    }

    /// The junction of a relation.
    pub fn junction(self) -> Option<Junction> {
        if let FieldType::ManyToMany { through, .. } = self { Some(through) } else { None }
    }

    /// The relation of a field without a column: the entity of its rows, and how they belong to the row.
    pub fn relation(self) -> Option<(EntityId, Via)> {
        match self {
            FieldType::HasMany { entity, via } | FieldType::HasOne { entity, via } => Some((entity, Via::Ref(via))),
            FieldType::ManyToMany { entity, through } => Some((entity, Via::Junction(through))),
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Decimal { .. }
            | FieldType::Bool
            | FieldType::Date
            | FieldType::DateTime
            | FieldType::Enum(_)
            | FieldType::Json
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Money(_)
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::Ref(_) => None,
        }
    }

    /// The entity of the rows of `has_many` and `has_one`.
    pub fn children(self) -> Option<EntityId> {
        self.relation().map(|(entity, _)| entity)
    }
}
