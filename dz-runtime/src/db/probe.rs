//! The places where rules become conditions of statements. The property test of the access rules can observe each of them.
//!
//! `Proof::undetected_removals` removes one condition at a time, and returns the conditions whose removal the property test does not
//! detect. The code that removes a condition exists only in builds with debug assertions and the feature `testing`. In every other
//! build the functions of this module return their argument. The feature alone is not sufficient, because cargo unifies features over
//! a whole build.

#[cfg(all(feature = "testing", debug_assertions))]
mod switch;

#[cfg(all(feature = "testing", debug_assertions))]
pub(crate) use switch::{Probe, Probed, Site, conjunct, part, rows_of_page, rule, sees_all_tenants};

#[cfg(not(all(feature = "testing", debug_assertions)))]
pub(crate) use fixed::{conjunct, part, rows_of_page, rule, sees_all_tenants};

#[cfg(not(all(feature = "testing", debug_assertions)))]
mod fixed {
    use crate::{
        db::emit::Condition,
        def::{AppDef, EntityDef, Expr},
    };

    pub(crate) fn rule(_: &'static AppDef, _: &'static EntityDef, _: &str, condition: Condition) -> Condition {
        condition
    }

    pub(crate) fn part(_: &'static AppDef, _: &'static EntityDef, _: &str, _: &'static str, condition: Condition) -> Condition {
        condition
    }

    pub(crate) fn rows_of_page(_: &'static AppDef, _: &'static EntityDef, _: &'static str, condition: Condition) -> Condition {
        condition
    }

    pub(crate) fn conjunct(_: &'static AppDef, _: &[Expr], _: usize, condition: Condition) -> Condition {
        condition
    }

    pub(crate) fn sees_all_tenants(_: &'static AppDef, _: &EntityDef) -> bool {
        false
    }
}
