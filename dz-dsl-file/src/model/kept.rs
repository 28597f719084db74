//! What constructs mention that are kept without being understood.

use std::collections::BTreeSet;

use super::{EntityId, RoleId};

/// Names of the application in constructs without meaning in dz.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// Entities.
    pub entities: BTreeSet<EntityId>,
    /// Roles.
    pub roles: BTreeSet<RoleId>,
}
