//! What an entity is to the application as a whole, and whose its rows are.

use super::{AppDef, Archetype, EntityDef, FieldIx};

/// Whose the rows of an entity are.
#[derive(Debug, Clone, Copy)]
pub struct TenancyDef {
    /// What the entity is.
    pub archetype: Option<Archetype>,
    /// The ref to the tenant whose row it is.
    pub tenant: Option<FieldIx>,
    /// In its rules only roles count that were granted for the whole system, and not those of a membership.
    pub system_roles: bool,
}

impl TenancyDef {
    /// An entity that is nothing in particular, in an application without tenants.
    pub const NONE: TenancyDef = TenancyDef { archetype: None, tenant: None, system_roles: false };

    /// True when there is one row at most: in the system, or for each tenant.
    pub fn is_singleton(&self) -> bool {
        self.archetype.is_some_and(Archetype::is_singleton)
    }
}

/// The entity that says who is a member of what, with the fields that say it.
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

    /// The entity whose rows are the tenants, in an application that has some.
    pub fn tenant(&self) -> Option<&'static EntityDef> {
        self.find_archetype(Archetype::Tenant)
    }

    /// Who is a member of what.
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
