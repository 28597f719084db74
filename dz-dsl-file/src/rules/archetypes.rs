//! Rules of archetypes and tenants.

/// A tenant with its members.
macro_rules! firm {
    () => {
        "entity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n"
    };
}

mod account_by_name;
mod key_across_tenants;
mod no_members;
mod settings_with_required_field;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "archetypes",
    rules: &[
        account_by_name::RULE,
        Rule::error(
            "archetype-field-type",
            "a declared field has another type than the archetype needs",
            "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Member:\n  archetype: user_membership\n  id: uuid pk\n  personas: text\n",
            "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Member:\n  archetype: user_membership\n  id: uuid pk\n  personas: json = []\n",
        ),
        Rule::error(
            "denied-tenant",
            "an application with a tenant entity declares `multi_tenant: false`",
            "app shop:\n  multi_tenant: false\nentity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n",
            "app shop:\n  multi_tenant: true\nentity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n",
        ),
        Rule::error(
            "duplicate-archetype",
            "two entities are the tenant, or the account",
            "entity A:\n  archetype: tenant\n  id: uuid pk\nentity B:\n  archetype: tenant\n  id: uuid pk\n",
            "entity A:\n  archetype: tenant\n  id: uuid pk\nentity B:\n  id: uuid pk\n  permit:\n    read: true\n",
        ),
        key_across_tenants::RULE,
        no_members::RULE,
        Rule::error(
            "no-tenant",
            "an archetype needs a tenant entity, and there is none",
            "entity A:\n  archetype: tenant_settings\n  id: uuid pk\n",
            "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity A:\n  archetype: tenant_settings\n  id: uuid pk\n",
        ),
        settings_with_required_field::RULE,
    ],
};
