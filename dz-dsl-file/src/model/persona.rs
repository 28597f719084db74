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
    /// What the persona does, if said.
    pub description: Option<String>,
    /// Goals, in order.
    pub goals: Vec<String>,
    /// How well the persona knows the application, if said.
    pub proficiency: Option<Proficiency>,
    /// The workspace that opens first.
    pub default_workspace: Option<Placed<WorkspaceId>>,
    /// The address that opens first.
    pub default_route: Option<Placed<String>>,
    /// True when the file declares it; false for `admin`, `tenant_admin` and roles that exist by use.
    pub declared: bool,
    /// The name in the declaration, when there is one.
    pub span: Option<Span>,
}

/// How well people know an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proficiency {
    /// `novice`
    Novice,
    /// `intermediate`
    Intermediate,
    /// `expert`
    Expert,
}
