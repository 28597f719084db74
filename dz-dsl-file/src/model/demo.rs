//! Demo data.

use super::{EntityId, Expr, FieldId, FieldType, RoleId};
use crate::Span;

/// A row of demo data.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoRow {
    /// The entity.
    pub entity: EntityId,
    /// Fields that are given.
    pub values: Vec<(FieldId, DemoValue)>,
    /// For rows of the account entity: what lets it sign in.
    pub account: Option<DemoAccount>,
    /// The row.
    pub span: Span,
}

/// The two keys a demo row of the account entity may have besides its fields.
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
    /// A literal, as a field default would be (`today - 3d` too).
    Literal(Expr),
    /// The row at this position in [`super::Model::demo`], always an earlier one. In a scenario the count goes
    /// on with the rows of the scenario itself.
    Row(usize),
}

impl DemoValue {
    /// What makes two values the same for the database; `None` where that is unknown.
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
