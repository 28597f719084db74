//! Semantic archetypes: the role of an entity in the application as a whole.
//!
//! Each kind adds parts to the model as if they were declared: fields ([`super::Field`], after the declared ones), access for
//! administrators if the entity declares no rule, and surfaces ([`super::Surface`] with `declared: false`, after the declared
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
//! A declared surface with one of these names replaces the automatic one. If it shows the same entity in the same mode, it also
//! gets the address, but not the access rule.
//!
//! An account entity without `archetype: user` (one with the name `User`, or the one that dz supplies) gets the fields, but
//! neither rules nor surfaces.
//!
//! Sections of an automatic surface: `main`, with the declared fields; for accounts also `sign_in`, with the fields for sign-in;
//! for memberships, `main` has the account, the personas and the declared fields, and `invitation` the fields of the invitation.
//! Forms omit the key, the tenant and fields that the system sets; what identifies an existing row (account of a membership,
//! provider of an account) is read-only. Fields that confer identity are in these forms, because system-wide administrators can
//! write them.
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
