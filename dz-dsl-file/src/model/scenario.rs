//! Scenarios: sets of data for tests of the application.

use super::{DemoRow, Placed, RoleId};
use crate::Span;

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Identifier.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// Its description.
    pub description: Option<String>,
    /// The start pages of personas, without duplicates.
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
    /// The address of the start page.
    pub start_route: Option<Placed<String>>,
}
