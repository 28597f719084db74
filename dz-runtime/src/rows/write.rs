//! The stages of a write in one list, from the values of a caller to the response.
//!
//! The order is part of the access rules, so each stage has the reason for its place. A bulk change and an import run the same list
//! for each row (`bulk`), and a deletion runs the stages of its kind for each row that it removes (`delete`).

mod follow;
mod prepare;
mod store;
mod totals;

use super::Row;
use crate::{
    Result, Tx, Value,
    access::{Action as _, Create},
    def::{EntityDef, FieldIx, TransitionDef},
    files::TakenUploads,
    output::log_event,
    record::FieldValues,
};

pub(super) use prepare::{changed_values, new_values, run_before_create, run_before_update};

/// The kind of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A new row.
    Create,
    /// A change of a row; a transition is a change of its state.
    Change,
    /// A restore of a soft-deleted row.
    Restore,
    /// A deletion.
    Delete {
        /// True for removal from the table, false for soft deletion.
        removed: bool,
    },
}

/// A write of one row.
pub(super) struct Write {
    pub entity: &'static EntityDef,
    pub kind: Kind,
    /// The action whose rule must cover the row as it will be stored; `None` for a consequence of a permitted write, and if the
    /// rule was already checked for the stored row.
    pub action: Option<&'static str>,
    /// The fields that the caller sent, for errors.
    pub input_fields: Vec<FieldIx>,
    /// The stored row; `None` for a new one.
    pub before: Option<Row>,
    /// The values of a new row, or of the changed fields.
    pub field_values: FieldValues,
    /// The uploads that the write attached to the row.
    pub uploads: TakenUploads,
    /// The complete row as it will be stored, by field.
    pub values: Vec<Value>,
    /// The transition of the write, with the state field.
    pub transition: Option<(FieldIx, &'static TransitionDef)>,
    /// True if rows that refer to this one are written after it: rules over them are checked then (`with_children`).
    pub awaits_children: bool,
    /// True if the row leaves a total of a referenced row, and the invariants over this total held before.
    pub leaves_total: bool,
    /// True if the result must contain the row.
    pub returns_row: bool,
    /// The row after the write.
    pub after: Option<Row>,
    /// Whether the caller may read the row after the write, if the statement that wrote it could decide this.
    pub readable: Option<bool>,
}

impl Write {
    fn new(entity: &'static EntityDef, kind: Kind, before: Option<Row>, field_values: FieldValues) -> Write {
        Write {
            entity,
            kind,
            action: None,
            input_fields: Vec::new(),
            before,
            field_values,
            uploads: TakenUploads::default(),
            values: Vec::new(),
            transition: None,
            awaits_children: false,
            leaves_total: false,
            returns_row: true,
            after: None,
            readable: None,
        }
    }

    /// A write that creates a row.
    pub fn create(entity: &'static EntityDef, field_values: FieldValues, input_fields: Vec<FieldIx>) -> Write {
        Write { action: Some(Create::NAME), input_fields, ..Write::new(entity, Kind::Create, None, field_values) }
    }

    /// An update of these fields, which the rule of `action` must cover, if given.
    pub fn change(
        entity: &'static EntityDef,
        before: Row,
        changes: FieldValues,
        action: Option<&'static str>,
        input_fields: Vec<FieldIx>,
    ) -> Write {
        Write { action, input_fields, ..Write::new(entity, Kind::Change, Some(before), changes) }
    }

    /// A write that restores a deleted row.
    pub fn restore(entity: &'static EntityDef, deleted: Row) -> Write {
        Write::new(entity, Kind::Restore, Some(deleted), FieldValues::default())
    }

    /// The deletion of a row as part of a batch.
    pub fn delete(entity: &'static EntityDef, row: Row, removed: bool) -> Write {
        Write::new(entity, Kind::Delete { removed }, Some(row), FieldValues::default())
    }

    /// Runs all stages. An update without a difference stops before the row is stored.
    pub fn run(mut self, tx: &mut Tx<'_>) -> Result<WriteResult> {
        for phase in [Phase::Prepare, Phase::Store, Phase::Follow] {
            if self.run_phase(tx, phase)? == Next::Stop {
                break;
            }
        }
        let transition = self.transition.zip(self.before.as_ref()).map(|((state, transition), before)| Transitioned {
            state,
            from: before.value(state).clone(),
            transition,
        });
        let row = self.after.or(self.before).unwrap_or_else(|| Row { values: self.values, version: 1, extra: Vec::new() });
        Ok(WriteResult { row, readable: self.readable, transition })
    }

    /// Calls hooks. A deletion can concern the rows of all tenants, and the system writes rows of any tenant, such as demo rows: the
    /// hooks are called in the tenant of their row.
    fn call_in_tenant(&mut self, tx: &mut Tx<'_>, call: fn(&mut Tx<'_>, &mut Write) -> Result<Next>) -> Result<Next> {
        let is_system = tx.caller.system && tx.caller.tenant().is_none() && self.entity.tenancy.tenant.is_some();
        if !tx.caller.all_tenants && !is_system {
            return call(tx, self);
        }
        let row = self.after.as_ref().or(self.before.as_ref());
        let value = |at: FieldIx| row.map(|row| row.value(at)).or_else(|| self.field_values.get(at)).filter(|value| !value.is_null());
        let caller = tx.caller.for_hooks_in(self.entity.tenancy.tenant.and_then(value));
        tx.for_caller(caller, |tx| call(tx, self))
    }

    /// Runs the stages of one phase for this kind of write.
    pub fn run_phase(&mut self, tx: &mut Tx<'_>, phase: Phase) -> Result<Next> {
        let kind = self.kind;
        for stage in STAGES.iter().filter(|stage| stage.phase == phase && (stage.is_for)(kind)) {
            log_event!(trace, target: "dz::write", entity = self.entity.name, "{}", stage.name);
            if (stage.run)(tx, self)? == Next::Stop {
                return Ok(Next::Stop);
            }
        }
        Ok(Next::Go)
    }
}

/// The row after a write, and whether the caller may read it, if the write could decide this.
pub(super) struct WriteResult {
    pub row: Row,
    pub readable: Option<bool>,
    /// The transition of the write.
    pub transition: Option<Transitioned>,
}

/// A transition that a write made.
pub(super) struct Transitioned {
    /// The state field.
    pub state: FieldIx,
    /// The state before.
    pub from: Value,
    pub transition: &'static TransitionDef,
}

impl WriteResult {
    /// The row, if the caller may read it.
    pub fn into_visible(self, tx: &mut Tx<'_>, entity: &'static EntityDef) -> Result<Option<Row>> {
        match self.readable {
            Some(readable) => Ok(readable.then_some(self.row)),
            None => super::read::load_visible(tx, entity, self.row),
        }
    }
}

/// A phase of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before the row is stored.
    Prepare,
    /// The statement that stores the row.
    Store,
    /// The consequences of the stored row.
    Follow,
}

/// Whether the next stages run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Go,
    Stop,
}

/// A stage of a write.
pub(super) struct Stage {
    pub phase: Phase,
    /// The name in the log and in ARCHITECTURE.md.
    pub name: &'static str,
    /// The reason for its place, which ARCHITECTURE.md repeats.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the test that compares the list with the document reads it"))]
    pub reason: &'static str,
    is_for: fn(Kind) -> bool,
    run: fn(&mut Tx<'_>, &mut Write) -> Result<Next>,
}

const EVERY: fn(Kind) -> bool = |_| true;
const STORED: fn(Kind) -> bool = |kind| !matches!(kind, Kind::Delete { .. });
const NEW: fn(Kind) -> bool = |kind| kind == Kind::Create;
const EXISTING: fn(Kind) -> bool = |kind| matches!(kind, Kind::Change | Kind::Restore);
const DELETED: fn(Kind) -> bool = |kind| matches!(kind, Kind::Delete { .. });

/// All stages of all writes, in order. The values were checked before, because their errors are reported together with other errors
/// of the row (`input`).
pub(super) const STAGES: &[Stage] = &[
    Stage {
        phase: Phase::Prepare,
        name: "take uploads",
        reason: "A hook sees the files that the row will have.",
        is_for: STORED,
        run: prepare::take_uploads,
    },
    Stage {
        phase: Phase::Prepare,
        name: "run hooks before the write",
        reason: "The rule and the invariants are checked for the row that hooks return.",
        is_for: EVERY,
        run: prepare::run_hooks,
    },
    Stage {
        phase: Phase::Prepare,
        name: "take uploads of hooks",
        reason: "A hook can set a file.",
        is_for: STORED,
        run: prepare::take_uploads,
    },
    Stage {
        phase: Phase::Prepare,
        name: "keep what differs",
        reason: "An update without a difference is not stored and has no event. Hooks can add or remove a difference.",
        is_for: EXISTING,
        run: prepare::keep_differences,
    },
    Stage {
        phase: Phase::Prepare,
        name: "add consequences",
        reason: "Values that dz sets depend on the changes, and no hook can change them.",
        is_for: EXISTING,
        run: prepare::add_consequences,
    },
    Stage {
        phase: Phase::Prepare,
        name: "compute the row as it will be stored",
        reason: "Every later stage needs the complete row.",
        is_for: STORED,
        run: prepare::compute_values,
    },
    Stage {
        phase: Phase::Prepare,
        name: "release files",
        reason: "An upload that no field uses is removed with this transaction.",
        is_for: STORED,
        run: prepare::release_files,
    },
    Stage {
        phase: Phase::Prepare,
        name: "keep the tenant",
        reason: "No rule can permit a change of the tenant, so this is checked before the rules.",
        is_for: STORED,
        run: prepare::keep_tenant,
    },
    Stage {
        phase: Phase::Prepare,
        name: "check the transition",
        reason: "Its role and its required fields are separate refusals before the guard; the guard is checked with the rule.",
        is_for: STORED,
        run: prepare::check_transition,
    },
    Stage {
        phase: Phase::Prepare,
        name: "lock the rows with totals",
        reason: "Two transactions that change one total run one after the other, so that each checks its invariants on the rows of both. \
                 A total that the row leaves was perhaps wrong before: then the row may leave it.",
        is_for: STORED,
        run: totals::lock_totals,
    },
    Stage {
        phase: Phase::Store,
        name: "insert",
        reason: "One statement checks the rule, the invariants and the references and stores the row, so that nothing changes in between, \
                 and no constraint reveals anything about a refused row.",
        is_for: NEW,
        run: store::insert,
    },
    Stage {
        phase: Phase::Store,
        name: "update",
        reason: "As for a new row; the statement also compares the version of the row that was read.",
        is_for: EXISTING,
        run: store::update,
    },
    Stage {
        phase: Phase::Follow,
        name: "check the invariants on totals",
        reason: "The stored row is part of the total of a row that it refers to.",
        is_for: STORED,
        run: totals::check_totals,
    },
    Stage {
        phase: Phase::Follow,
        name: "release files of a deleted row",
        reason: "A file is deleted only if its row was deleted.",
        is_for: |kind| matches!(kind, Kind::Delete { removed: true }),
        run: follow::release_files,
    },
    Stage {
        phase: Phase::Follow,
        name: "forget invitations",
        reason: "A removed member must not rejoin with a pending invitation.",
        is_for: DELETED,
        run: follow::forget_invitations,
    },
    Stage {
        phase: Phase::Follow,
        name: "check the graph for cycles",
        reason: "The version of the edges is locked before the search for a cycle, so that two transactions cannot close one together.",
        is_for: EVERY,
        run: follow::follow_graph,
    },
    Stage {
        phase: Phase::Follow,
        name: "compute fields",
        reason: "Events, the audit log and hooks get the stored row with its computed fields.",
        is_for: STORED,
        run: follow::compute_fields,
    },
    Stage {
        phase: Phase::Follow,
        name: "record the event",
        reason: "The outbox is part of the same transaction, so that subscribers get exactly the stored writes.",
        is_for: EVERY,
        run: follow::record_event,
    },
    Stage {
        phase: Phase::Follow,
        name: "wake the worker",
        reason: "A timed transition can be due; the worker checks after the commit.",
        is_for: STORED,
        run: follow::wake_worker,
    },
    Stage {
        phase: Phase::Follow,
        name: "write the audit record",
        reason: "The record is part of the transaction: the write and the record are both stored, or neither.",
        is_for: EVERY,
        run: follow::write_record,
    },
    Stage {
        phase: Phase::Follow,
        name: "update the account",
        reason: "A disabled account loses its sessions before a hook can act for it.",
        is_for: EXISTING,
        run: follow::update_account,
    },
    Stage {
        phase: Phase::Follow,
        name: "run hooks after the write",
        reason: "Last, because a hook can refuse the write or change the row again.",
        is_for: EVERY,
        run: follow::run_hooks,
    },
    Stage {
        phase: Phase::Follow,
        name: "note a changed address",
        reason: "The old address gets a mail after the commit; no hook can prevent it.",
        is_for: EXISTING,
        run: follow::note_address,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// ARCHITECTURE.md has the stages in their order, each with its reason.
    #[test]
    fn the_document_lists_the_stages() {
        let document = include_str!("../../../ARCHITECTURE.md");
        let table = document.split("| Stage | Writes | Reason for its place |").nth(1).expect("the table of stages");
        let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
        let kinds =
            [("create", Kind::Create), ("change", Kind::Change), ("restore", Kind::Restore), ("delete", Kind::Delete { removed: true })];
        let wanted: Vec<String> = STAGES
            .iter()
            .map(|stage| {
                let of: Vec<&str> = kinds.iter().filter(|(_, kind)| (stage.is_for)(*kind)).map(|(name, _)| *name).collect();
                let of = if of.len() == kinds.len() { "all".to_owned() } else { of.join(", ") };
                format!("| {} | {of} | {} |", stage.name, stage.reason)
            })
            .collect();
        assert_eq!(rows, wanted, "write this table:\n{}", wanted.join("\n"));
    }
}
