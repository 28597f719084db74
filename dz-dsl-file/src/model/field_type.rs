//! The field types: one row each.

use super::{EntityId, EnumId, FieldId};

/// What a field holds.
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
        /// Digits in all, 1 to 28.
        precision: u8,
        /// Digits after the point, at most `precision`.
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
    /// `ref E` and `belongs_to E`
    Ref(EntityId),
    /// `has_many E`: no column; `via` is the ref field of `entity` that points back.
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
}

impl FieldType {
    /// True when the field has a column in the entity's own table.
    pub fn is_stored(self) -> bool {
        !matches!(self, FieldType::HasMany { .. } | FieldType::HasOne { .. })
    }

    /// True for the text-like types.
    pub fn is_text(self) -> bool {
        use FieldType::*;
        matches!(self, Str(_) | Text | Email | Url | Timezone | Slug)
    }
}
