//! Properties of field types. A property of several types lists every type, so that a new type compiles only when each property
//! handles it; a property of one type needs no list.

use super::FieldType;

impl FieldType {
    /// True for dates and timestamps.
    pub fn is_time(self) -> bool {
        match self {
            FieldType::Date | FieldType::DateTime => true,
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Decimal { .. }
            | FieldType::Bool
            | FieldType::Enum(_)
            | FieldType::Json
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Money(_)
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for exact numbers and floats.
    pub fn is_number(self) -> bool {
        match self {
            FieldType::Int { .. } | FieldType::Float | FieldType::Decimal { .. } | FieldType::Money(_) => true,
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
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
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for the types of keys that are generated for a new row; callers choose keys of other types.
    pub fn is_generated_key(self) -> bool {
        match self {
            FieldType::Uuid | FieldType::Int { .. } => true,
            FieldType::Str(_)
            | FieldType::Text
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
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for the types of keys that callers choose.
    pub fn is_chosen_key(self) -> bool {
        match self {
            FieldType::Str(_) | FieldType::Slug => true,
            FieldType::Uuid
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
            | FieldType::Money(_)
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for text without a format.
    pub fn is_free_text(self) -> bool {
        match self {
            FieldType::Str(_) | FieldType::Text => true,
            FieldType::Uuid
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
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for types whose values a form lists.
    pub fn has_choices(self) -> bool {
        match self {
            FieldType::Enum(_) | FieldType::Bool | FieldType::Ref(_) | FieldType::Timezone => true,
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Decimal { .. }
            | FieldType::Date
            | FieldType::DateTime
            | FieldType::Json
            | FieldType::Email
            | FieldType::Url
            | FieldType::Slug
            | FieldType::Money(_)
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for types with few values, for which an index is not faster.
    pub fn has_few_values(self) -> bool {
        match self {
            FieldType::Enum(_) | FieldType::Bool => true,
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Decimal { .. }
            | FieldType::Date
            | FieldType::DateTime
            | FieldType::Json
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Money(_)
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for types whose values a list filters by a range.
    pub fn is_ranged(self) -> bool {
        match self {
            FieldType::Date | FieldType::DateTime | FieldType::Float | FieldType::Decimal { .. } | FieldType::Money(_) => true,
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Bool
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
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for types whose values an index can contain and a filter compares.
    pub fn is_indexable(self) -> bool {
        match self {
            FieldType::Uuid
            | FieldType::Str(_)
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
            | FieldType::Ref(_) => true,
            FieldType::Text
            | FieldType::Json
            | FieldType::Currency { .. }
            | FieldType::File { .. }
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }

    /// True for whole numbers.
    pub fn is_int(self) -> bool {
        matches!(self, FieldType::Int { .. })
    }

    /// True for whole numbers that can exceed 32 bits, which have another type in GraphQL.
    pub fn is_wide(self) -> bool {
        matches!(self, FieldType::Int { wide: true })
    }

    /// True for amounts of money.
    pub fn is_money(self) -> bool {
        matches!(self, FieldType::Money(_))
    }

    /// True for conditions.
    pub fn is_bool(self) -> bool {
        matches!(self, FieldType::Bool)
    }

    /// True for numbers with a binary fraction.
    pub fn is_float(self) -> bool {
        matches!(self, FieldType::Float)
    }

    /// True for JSON values.
    pub fn is_json(self) -> bool {
        matches!(self, FieldType::Json)
    }

    /// True for identifiers of 128 bits.
    pub fn is_uuid(self) -> bool {
        matches!(self, FieldType::Uuid)
    }

    /// True for short text.
    pub fn is_str(self) -> bool {
        matches!(self, FieldType::Str(_))
    }

    /// True for `has_one`, which refers to at most one row.
    pub fn is_single(self) -> bool {
        matches!(self, FieldType::HasOne { .. })
    }

    /// The most bytes of a file, if the type has a limit of its own.
    pub fn file_limit(self) -> Option<u64> {
        if let FieldType::File { limit } = self { limit } else { None }
    }

    /// True for stored files.
    pub fn is_file(self) -> bool {
        matches!(self, FieldType::File { .. })
    }

    /// True if every value of `other` is a value of this type: the same type, or a text that is at least as long.
    pub fn includes(self, other: FieldType) -> bool {
        let length = |ty: FieldType| if let FieldType::Str(length) = ty { Some(length) } else { None };
        match length(other) {
            Some(needed) => self == FieldType::Text || length(self).is_some_and(|own| own >= needed),
            None => self == other,
        }
    }

    /// True for the text-like types.
    pub fn is_text(self) -> bool {
        match self {
            FieldType::Str(_)
            | FieldType::Text
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Currency { .. } => true,
            FieldType::Uuid
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Decimal { .. }
            | FieldType::Bool
            | FieldType::Date
            | FieldType::DateTime
            | FieldType::Enum(_)
            | FieldType::Json
            | FieldType::Money(_)
            | FieldType::File { .. }
            | FieldType::Ref(_)
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => false,
        }
    }
}
