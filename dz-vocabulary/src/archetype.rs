//! The role of an entity in the application as a whole.

crate::vocabulary! {
    /// The value of `archetype:` in an entity. (An `archetype` construct of the language is another thing: a group of fields.)
    Archetype {
        /// One row for the whole system, for administrators. It belongs to no tenant.
        Settings,
        /// The tenants. Every entity except this one and those of kind `settings` and `user` has a required ref to it, which only the
        /// system sets.
        Tenant,
        /// One row for each tenant, for its administrators.
        TenantSettings,
        /// The accounts. They belong to no tenant.
        User,
        /// The membership of an account in a tenant, with its roles.
        UserMembership,
    }
}

impl Archetype {
    /// True when there is at most one row: in the system, or for each tenant.
    pub fn is_singleton(self) -> bool {
        match self {
            Archetype::Settings | Archetype::TenantSettings => true,
            Archetype::Tenant | Archetype::User | Archetype::UserMembership => false,
        }
    }
}
