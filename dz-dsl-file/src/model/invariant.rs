//! Rules that every stored row obeys.

use super::Expr;
use crate::Span;

/// `invariant:`
#[derive(Debug, Clone, PartialEq)]
pub struct Invariant {
    /// What holds.
    pub condition: Expr,
    /// What to say when it does not.
    pub message: Option<String>,
    /// Its code, e.g. `ENDS_BEFORE_START`, with its place.
    pub code: Option<(String, Span)>,
    /// The keyword.
    pub span: Span,
}
