//! The names in constructs without a meaning.

use std::collections::BTreeSet;

use super::{EntityId, RoleId};

/// The names of the application that constructs without a meaning mention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Entities.
    pub entities: BTreeSet<EntityId>,
    /// Roles.
    pub roles: BTreeSet<RoleId>,
}
