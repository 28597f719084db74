//! Scenarios: states of the application to try things in.

use super::{DemoRow, Placed, RoleId};
use crate::Span;

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Identifier.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// Where personas begin in it, each once.
    pub personas: Vec<ScenarioPersona>,
    /// Its rows, which follow those of [`super::Model::demo`].
    pub demo: Vec<DemoRow>,
    /// The name in the declaration.
    pub span: Span,
}

/// `for persona P:`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioPersona {
    /// The persona.
    pub persona: Placed<RoleId>,
    /// The address that opens first.
    pub start_route: Option<Placed<String>>,
}
