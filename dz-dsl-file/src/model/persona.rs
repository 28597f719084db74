//! Personas, whose names are the roles.

use super::{Placed, WorkspaceId};
use crate::Span;

/// A persona; its name is the role's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persona {
    /// Identifier, as in `role(name)`.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// The work of the persona, if declared.
    pub description: Option<String>,
    /// Goals, in order.
    pub goals: Vec<String>,
    /// The proficiency of the persona with the application, if declared.
    pub proficiency: Option<Proficiency>,
    /// The workspace that is the start page.
    pub default_workspace: Option<Placed<WorkspaceId>>,
    /// The address of the start page.
    pub default_route: Option<Placed<String>>,
    /// True if the file declares it; false for `admin`, `tenant_admin` and roles that are declared by their use.
    pub declared: bool,
    /// The name in the declaration, if there is one.
    pub span: Option<Span>,
}

/// The proficiency of a persona with the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proficiency {
    /// `novice`
    Novice,
    /// `intermediate`
    Intermediate,
    /// `expert`
    Expert,
}
