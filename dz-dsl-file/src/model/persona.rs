//! Personas, whose names are the roles.

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
    /// True when the file declares it; false for `admin`, `tenant_admin` and roles that exist by use.
    pub declared: bool,
    /// The name in the declaration, when there is one.
    pub span: Option<Span>,
}
