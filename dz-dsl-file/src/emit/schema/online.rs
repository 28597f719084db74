//! Migrations that PostgreSQL applies while two versions of the application use the database.
//!
//! The first half, the expansion, adds everything that the new version needs, and drops every rule that the new version does not have.
//! Both versions can then run. The second half, the contraction, adds the new rules, and drops everything that only the previous version
//! needs. Each half is a sequence of parts: transactions with short locks, indexes that are built concurrently, rows that get their values
//! in batches, and constraints that are validated after they were added. Each part is a migration of its own in diesel's format.

mod constraints;
mod fill;
mod indexes;
mod parts;
mod table;

use std::collections::BTreeMap;

pub use dz_vocabulary::migration::CONTRACT;
pub use parts::Part;

use super::{
    Edition, Engine, Schema,
    diff::{self, Changes, Class, Step},
    lock::Lock,
    unfilled::unfilled,
};

const ENGINE: Engine = Engine::Postgres;

/// The steps of an online migration, in the order in which they are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Short changes for the new version.
    Expand,
    /// Values of existing rows.
    Backfill,
    /// New indexes.
    Index,
    /// New constraints, which are not validated yet.
    Rules,
    /// The validation of the constraints,
    Validate,
    /// and what needs it.
    Complete,
    /// Short changes after the end of the previous version,
    Contract,
    /// and then dropped columns, of which no other object is left.
    ContractDrop,
    /// New unique indexes.
    ContractIndex,
    /// New constraints, which are not validated yet.
    ContractRules,
    /// The validation of the constraints,
    ContractValidate,
    /// and what needs it.
    ContractComplete,
}

impl Phase {
    /// True if the phase begins after the end of the previous version.
    pub fn is_contraction(self) -> bool {
        self >= Phase::Contract
    }
}

/// A statement with the one that reverts it, which can be empty.
struct Statement {
    up: String,
    down: String,
}

/// An online migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Online {
    /// The changes; true for those of the contraction.
    pub steps: Vec<(bool, Step)>,
    /// The migrations to write, in their order.
    pub parts: Vec<Part>,
}

/// What a migration does, while it is collected.
#[derive(Default)]
struct Plan {
    statements: BTreeMap<Phase, Vec<Statement>>,
    steps: Vec<(bool, Step)>,
    refusals: Vec<String>,
    /// Lines at the start of the first script.
    head: String,
}

impl Plan {
    fn add(&mut self, phase: Phase, up: impl Into<String>, down: impl Into<String>) {
        self.statements.entry(phase).or_default().push(Statement { up: up.into(), down: down.into() });
    }

    fn step(&mut self, phase: Phase, class: Class, lock: Lock, what: String) {
        self.steps.push((phase.is_contraction(), Step { class, what, lock }));
    }

    /// Notes a change that two versions cannot share.
    fn refuse(&mut self, why: String) {
        self.refusals.push(why);
    }
}

/// The online migration from `old` to `new`, or `None` if they are equal.
///
/// # Errors
/// The changes that cannot be made while two versions run, each as a sentence without its end.
pub fn migration(old: &Schema, new: &Schema) -> Result<Option<Online>, Vec<String>> {
    let new = &diff::with_currencies(old, new);
    let mut plan = Plan::default();
    if old.tables.iter().any(|table| table.edition == Edition::First) {
        plan.refuse("an earlier version of dz named the constraints: rename them first, with a migration without `--online`".to_owned());
        return Err(plan.refusals);
    }
    let changes = Changes::new(old, new, ENGINE);
    if changes.steps(ENGINE).is_empty() {
        return Ok(None);
    }
    for missing in unfilled(old, new, ENGINE) {
        let entity = missing.entity.as_deref().unwrap_or(&missing.table);
        plan.refuse(format!(
            "`{entity}.{0}` needs a value in the rows of the previous version: give it a default in the declaration, or \
             `--default {entity}.{0}=value`",
            missing.column
        ));
    }
    table::plan_tables(&changes, &mut plan);
    for shared in &changes.shared {
        table::plan_shared(shared, &mut plan);
    }
    // Constraints and indexes follow the columns of all tables, because a reference concerns two tables and an index of one of them.
    for shared in changes.shared.iter().filter(|shared| !shared.is_renamed()) {
        constraints::plan(shared, &mut plan);
    }
    for shared in changes.shared.iter().filter(|shared| !shared.is_renamed()) {
        indexes::plan(shared, &mut plan);
    }
    table::plan_timers(&changes, &mut plan);
    if !plan.refusals.is_empty() {
        return Err(plan.refusals);
    }
    let parts = parts::write(&mut plan, &changes, old, new);
    let mut steps = plan.steps;
    steps.sort_by_key(|(contraction, _)| *contraction);
    Ok(Some(Online { steps, parts }))
}
