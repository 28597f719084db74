//! Semantic archetypes: what an entity is to the application as a whole.

/// `archetype: kind` of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArchetypeKind {
    /// One row for the whole system, for admins.
    Settings,
    /// The root of what belongs to one tenant.
    Tenant,
    /// One row for each tenant, for its admins.
    TenantSettings,
    /// The accounts.
    User,
    /// Which account belongs to which tenant, and as whom.
    UserMembership,
}

impl ArchetypeKind {
    /// All of them.
    pub const ALL: [ArchetypeKind; 5] =
        [ArchetypeKind::Settings, ArchetypeKind::Tenant, ArchetypeKind::TenantSettings, ArchetypeKind::User, ArchetypeKind::UserMembership];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            ArchetypeKind::Settings => "settings",
            ArchetypeKind::Tenant => "tenant",
            ArchetypeKind::TenantSettings => "tenant_settings",
            ArchetypeKind::User => "user",
            ArchetypeKind::UserMembership => "user_membership",
        }
    }

    /// True when there is one row at most: in the system, or for each tenant.
    pub fn is_singleton(self) -> bool {
        matches!(self, ArchetypeKind::Settings | ArchetypeKind::TenantSettings)
    }
}
