//! Demo data.

use super::{EntityId, Expr, Field, FieldId, FieldType, RoleId};
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

impl DemoRow {
    /// A key of the value of a field, given or by default, that is equal for values that the database treats as equal; `None` if it
    /// is unknown or null.
    pub(crate) fn key_of(&self, fields: &[Field], at: FieldId) -> Option<String> {
        let field = fields.get(at.0)?;
        match self.values.iter().find(|(given, _)| *given == at).map(|(_, value)| value) {
            Some(DemoValue::Row(row)) => Some(format!("@{row}")),
            Some(DemoValue::Literal(value)) => literal_key(value, field.ty),
            None => literal_key(field.default.as_ref()?, field.ty),
        }
    }
}

fn literal_key(value: &Expr, ty: FieldType) -> Option<String> {
    match value {
        Expr::Text(text) if ty == FieldType::Email => Some(text.to_lowercase()),
        Expr::Text(text) => Some(text.clone()),
        Expr::Typed(_, text) => Some(text.to_lowercase()),
        Expr::Int(number) => Some(number.to_string()),
        Expr::Bool(flag) => Some(flag.to_string()),
        Expr::EnumValue(_, at) => Some(at.to_string()),
        // All rows of a set of data are stored with the same date.
        Expr::Today => Some(TODAY.to_owned()),
        _ => None,
    }
}

/// The key of `today`, which is equal only for rows that are stored together.
pub(crate) const TODAY: &str = "today";
