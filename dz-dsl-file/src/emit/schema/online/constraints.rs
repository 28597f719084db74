//! Checks and references of an online migration.

use super::{ENGINE, Phase, Plan, table::drop_constraint};
use crate::emit::schema::{
    Reference,
    diff::{Class, SharedTable},
    lock::Lock,
    names::{check_name, reference_name},
    sql::{add_reference, check_line, quoted},
};

pub(super) fn plan(shared: &SharedTable<'_>, plan: &mut Plan) {
    checks(shared, plan);
    references(shared, plan);
}

fn checks(shared: &SharedTable<'_>, plan: &mut Plan) {
    let (old, new) = (shared.old, shared.new);
    for check in old.checks.iter().filter(|check| !new.checks.contains(check)) {
        plan.step(Phase::Expand, Class::Safe, Lock::Brief, format!("drops the check `{}`", check.name));
        let add = format!("ALTER TABLE {} ADD {}", quoted(&old.name), check_line(old, check, ENGINE));
        plan.add(Phase::Expand, drop_constraint(&old.name, &check_name(old, check)), add);
    }
    for check in new.checks.iter().filter(|check| !old.checks.contains(check)) {
        let name = check_name(new, check);
        plan.step(Phase::ContractRules, Class::Locking, Lock::Check, format!("adds the check `{name}`; it fails if a row violates it"));
        let add = format!("ALTER TABLE {} ADD {} NOT VALID", quoted(&new.name), check_line(new, check, ENGINE));
        plan.add(Phase::ContractRules, add, drop_constraint(&new.name, &name));
        plan.add(Phase::ContractValidate, format!("ALTER TABLE {} VALIDATE CONSTRAINT {}", quoted(&new.name), quoted(&name)), "");
    }
}

fn references(shared: &SharedTable<'_>, plan: &mut Plan) {
    let (old, new) = (shared.old, shared.new);
    let is_former = |name: &String| {
        shared.columns.iter().any(|(column, before)| before.is_some_and(|before| before.name == *name && column.name != *name))
    };
    for reference in old.references.iter().filter(|it| !keeps(shared, it)) {
        // A former column has the values of the new one, so its reference ends with it.
        let phase = if reference.columns.iter().any(is_former) { Phase::Contract } else { Phase::Expand };
        plan.step(phase, Class::Safe, Lock::Brief, format!("drops the foreign key of `{}.{}`", old.name, reference.columns.join(", ")));
        plan.add(phase, drop_constraint(&old.name, &reference_name(old, reference)), add_reference(old, reference));
    }
    let is_new =
        |name: &String| shared.columns.iter().any(|(column, before)| column.name == *name && before.is_none_or(|it| it.name != *name));
    for reference in new.references.iter().filter(|it| !(old.references.contains(it) && keeps(shared, it))) {
        if new.partition.is_some() {
            plan.refuse(format!(
                "`{}` has partitions, for which PostgreSQL validates no foreign key later: add that of `{}` with a migration without `--online`",
                new.name,
                reference.columns.join(", ")
            ));
        }
        let (rules, validate) = match reference.columns.iter().any(is_new) {
            true => (Phase::Rules, Phase::Validate),
            false => (Phase::ContractRules, Phase::ContractValidate),
        };
        let what =
            format!("adds the foreign key of `{}.{}`; it fails if a row refers to no existing row", new.name, reference.columns.join(", "));
        plan.step(validate, Class::Locking, Lock::Reference, what);
        let name = reference_name(new, reference);
        plan.add(rules, format!("{} NOT VALID", add_reference(new, reference)), drop_constraint(&new.name, &name));
        plan.add(validate, format!("ALTER TABLE {} VALIDATE CONSTRAINT {}", quoted(&new.name), quoted(&name)), "");
    }
}

/// True if both versions have the reference, with the same columns.
fn keeps(shared: &SharedTable<'_>, reference: &Reference) -> bool {
    let stays =
        |name: &String| shared.columns.iter().any(|(column, before)| column.name == *name && before.is_some_and(|it| it.name == *name));
    shared.new.references.contains(reference) && reference.columns.iter().all(stays)
}
