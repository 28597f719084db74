//! Typed values that go into services, processes and language models and come out of them.

use super::{Expr, FieldType};
use crate::Span;

/// A field of an `input:` or `output:` list.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueField {
    /// snake_case name as declared.
    pub name: String,
    /// Humanised name.
    pub title: String,
    /// What it holds.
    pub ty: ValueType,
    /// True when null is not allowed. One with a default need not be given.
    pub required: bool,
    /// Default: a literal of the type.
    pub default: Option<Expr>,
    /// `sensitive`: not to be logged.
    pub sensitive: bool,
    /// The name in the declaration.
    pub span: Span,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// A field type; text without a length is [`FieldType::Text`].
    One(FieldType),
    /// `list[T]`
    List(Box<ValueType>),
    /// Anything that can be written into a text: an input that a prompt uses and nothing declares.
    Printable,
}

/// A name that resolves to nothing inside the model: a signal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameUse {
    /// The name.
    pub name: String,
    /// Its place.
    pub span: Span,
}
