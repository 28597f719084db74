//! Typed inputs and outputs of services, processes and language models.

use super::{Expr, FieldType};
use crate::Span;

/// A field of an `input:` or `output:` list.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueField {
    /// snake_case name as declared.
    pub name: String,
    /// Humanised name.
    pub title: String,
    /// Its type.
    pub ty: ValueType,
    /// True if null is not allowed. A value with a default is optional.
    pub required: bool,
    /// Default: a literal of the type.
    pub default: Option<Expr>,
    /// `sensitive`: not to be logged.
    pub sensitive: bool,
    /// The name in the declaration.
    pub span: Span,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// A field type; text without a length is [`FieldType::Text`].
    One(FieldType),
    /// `list[T]`
    List(Box<ValueType>),
    /// Any value that can be written as text: a placeholder of a prompt without a declared input.
    Printable,
}

/// A name without a declaration in the model: a signal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameUse {
    /// The name.
    pub name: String,
    /// Its place.
    pub span: Span,
}
