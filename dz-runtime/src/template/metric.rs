//! Metrics with their labels.

/// A metric, of a list or of a workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The label.
    pub label: &'static str,
    /// The value as text.
    pub text: String,
}
