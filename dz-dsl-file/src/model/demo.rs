//! Demo data.

use super::{EntityId, Expr, FieldId, FieldType, RoleId};
use crate::Span;

/// A row of demo data.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoRow {
    /// The entity.
    pub entity: EntityId,
    /// The fields with a value.
    pub values: Vec<(FieldId, DemoValue)>,
    /// For rows of the account entity: the data for sign-in.
    pub account: Option<DemoAccount>,
    /// The row.
    pub span: Span,
}

/// The two keys that a demo row of the account entity can have besides its fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DemoAccount {
    /// `password: "…"`; without one the account cannot sign in.
    pub password: Option<String>,
    /// `roles: [a, b]`: granted system-wide.
    pub roles: Vec<RoleId>,
}

/// A value of a demo row.
#[derive(Debug, Clone, PartialEq)]
pub enum DemoValue {
    /// A literal, as in a field default (`today - 3d` too).
    Literal(Expr),
    /// The row at this position in [`super::Model::demo`], always an earlier one. In a scenario the positions continue with the rows
    /// of the scenario.
    Row(usize),
}

impl DemoValue {
    /// A key that is equal for values that the database treats as equal; `None` if it is unknown.
    pub(crate) fn key(&self, ty: FieldType) -> Option<String> {
        match self {
            DemoValue::Row(at) => Some(format!("@{at}")),
            DemoValue::Literal(Expr::Text(text)) if ty == FieldType::Email => Some(text.to_lowercase()),
            DemoValue::Literal(Expr::Text(text)) => Some(text.clone()),
            DemoValue::Literal(Expr::Typed(_, text)) => Some(text.to_lowercase()),
            DemoValue::Literal(Expr::Int(number)) => Some(number.to_string()),
            DemoValue::Literal(Expr::Bool(flag)) => Some(flag.to_string()),
            DemoValue::Literal(Expr::EnumValue(_, at)) => Some(at.to_string()),
            DemoValue::Literal(_) => None,
        }
    }
}
