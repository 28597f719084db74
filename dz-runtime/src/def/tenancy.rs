//! The kind of an entity, and the tenant of its rows.

use super::{AppDef, Archetype, EntityDef, FieldIx};

/// The kind of an entity, and the tenant of its rows.
#[derive(Debug, Clone, Copy)]
pub struct TenancyDef {
    /// The kind of the entity.
    pub archetype: Option<Archetype>,
    /// The reference to the tenant of a row.
    pub tenant: Option<FieldIx>,
    /// True if its rules use only roles for the whole system, and not those of a membership.
    pub system_roles: bool,
}

impl TenancyDef {
    /// An ordinary entity, in an application without tenants.
    pub const NONE: TenancyDef = TenancyDef { archetype: None, tenant: None, system_roles: false };

    /// True for a singleton: at most one row in the system, or in each tenant.
    pub fn is_singleton(&self) -> bool {
        self.archetype.is_some_and(Archetype::is_singleton)
    }
}

/// The entity of memberships, with its fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Members {
    pub entity: &'static EntityDef,
    pub account: FieldIx,
    pub tenant: FieldIx,
    pub personas: FieldIx,
    pub primary: FieldIx,
    pub accepted: FieldIx,
}

impl AppDef {
    fn find_archetype(&self, wanted: Archetype) -> Option<&'static EntityDef> {
        self.entities.iter().copied().find(|entity| entity.tenancy.archetype == Some(wanted))
    }

    /// The entity of tenants, if the application has one.
    pub fn tenant(&self) -> Option<&'static EntityDef> {
        self.find_archetype(Archetype::Tenant)
    }

    /// The entity of memberships, if the application has one.
    pub(crate) fn members(&self) -> Option<Members> {
        let entity = self.find_archetype(Archetype::UserMembership)?;
        let field = |name: &str| entity.find(name).map(|(at, _)| at);
        Some(Members {
            entity,
            account: field("user")?,
            tenant: entity.tenancy.tenant?,
            personas: field("personas")?,
            primary: field("is_primary")?,
            accepted: field("accepted_at")?,
        })
    }
}
