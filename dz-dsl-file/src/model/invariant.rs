//! Conditions that every stored row meets.

use super::Expr;
use crate::Span;

/// `invariant:`
#[derive(Debug, Clone, PartialEq)]
pub struct Invariant {
    /// The condition.
    pub condition: Expr,
    /// The message if a row does not meet it.
    pub message: Option<String>,
    /// Its code, e.g. `ENDS_BEFORE_START`, with its place.
    pub code: Option<(String, Span)>,
    /// The keyword.
    pub span: Span,
}
