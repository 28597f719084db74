//! Semantic archetypes: the role of an entity in the application as a whole.
//!
//! Each kind brings what the model then holds like declared things: fields ([`super::Field`], after the declared ones), access for
//! administrators where the entity declares no rule, and surfaces ([`super::Surface`] with `declared: false`, after the declared
//! ones). `E` below is the entity's module name, such as `billing_plan`.
//!
//! | Kind | Surface | Mode | Address | Access |
//! |---|---|---|---|---|
//! | `settings` | `E_settings` | edit | `/admin/settings/E` | [`super::Audience::SystemAdmin`] |
//! | `tenant` | `E_admin` | list | `/admin/tenants` | [`super::Audience::SystemAdmin`] |
//! | `tenant_settings` | `E_settings` | edit | `/settings/E` | [`super::Audience::TenantAdmin`] |
//! | `user` | `user_list`, `user_view`, `user_create`, `user_edit` | list, view, create, edit | `/app/<name>` | [`super::Audience::SystemAdmin`] |
//! | `user_membership` | `user_membership_list`, `user_membership_edit` | list, edit | `/app/<name>` | [`super::Audience::SystemAdmin`] |
//!
//! A declared surface of one of these names takes the place of the automatic one. When it shows the same entity in the same mode
//! it takes over the address, and nothing else: access is what it says itself.
//!
//! An account entity that does not say `archetype: user` (one called `User`, or the one that dz supplies) gets the fields, and
//! neither rules nor surfaces.
//!
//! Sections of an automatic surface: `main`, with the declared fields; for accounts also `sign_in`, with what signing in keeps; for
//! memberships `main` has the account, the personas and what the application declared, and `invitation` how it came to be. In forms
//! key, tenant and fields that the system sets are left out, and what identifies a row that exists (account of a membership, provider
//! of an account) is read-only. Fields that confer identity are in these forms, since system-wide administrators may write them.
//!
//! Indexes: `unique` over tenant and account of a `user_membership`, `unique` over the tenant of a `tenant_settings`, unless declared.

use super::words::words;
use dz_vocabulary::Archetype;

words! {
    for Archetype {
        Settings = "settings",
        Tenant = "tenant",
        TenantSettings = "tenant_settings",
        User = "user",
        UserMembership = "user_membership",
    }
}
