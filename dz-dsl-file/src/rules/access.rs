//! Rules of access and roles.

mod anonymous_in_tenant;
mod anonymous_write;
mod computed_discloses;
mod condition_discloses;
mod dead_permit;
mod dead_restore;
mod dead_scope;
mod discloses_sensitive;
mod hide_is_not_access;
mod list_without_read;
mod membership_role;
mod negated_role;
mod no_access_rules;
mod permit_without_scope;
mod redundant_forbid;
mod too_many_roles;
mod unused_persona;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "access",
    rules: &[
        anonymous_in_tenant::RULE,
        anonymous_write::RULE,
        computed_discloses::RULE,
        condition_discloses::RULE,
        dead_permit::RULE,
        dead_restore::RULE,
        dead_scope::RULE,
        discloses_sensitive::RULE,
        hide_is_not_access::RULE,
        list_without_read::RULE,
        membership_role::RULE,
        negated_role::RULE,
        no_access_rules::RULE,
        permit_without_scope::RULE,
        redundant_forbid::RULE,
        Rule::warning(
            "similar-role",
            "without personas, the name of a role that is used once resembles another role",
            entity!("", "role(admn)"),
            entity!("", "role(admin)"),
        ),
        too_many_roles::RULE,
        Rule::lint(
            "undeclared-role",
            "a role is used without a declared persona",
            entity!("", "role(agent)"),
            concat!("persona agent\n", entity!("", "role(agent)")),
        ),
        Rule::error(
            "unknown-action",
            "`scope` or `audit` names an action that no permit has",
            task!("  audit: [upate]\n"),
            task!("  audit: [update]\n"),
        ),
        Rule::error(
            "unknown-role",
            "no persona has this name",
            "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(clrk)\n",
            "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(clerk)\n",
        ),
        unused_persona::RULE,
        Rule::error(
            "user-field-unknown",
            "the account has no such field",
            entity!("  who: ref User\n", "current_user.nam = \"x\""),
            entity!("  who: ref User\n", "current_user.name = \"x\""),
        ),
    ],
};
