//! Runs of processes, the attempts of their steps, human tasks, and calls of language models.

use super::TENANT;
use crate::emit::schema::{ColumnType, Table};

/// The tables; `account` is the type of the keys of accounts, `tenant` that of tenants.
pub(super) fn tables(account: ColumnType, tenant: Option<ColumnType>) -> Vec<Table> {
    let in_tenant = |table: Table| match tenant {
        Some(ty) => table.optional(TENANT, ty),
        None => table,
    };
    vec![in_tenant(runs()), steps(), in_tenant(tasks(account)), calls()]
}

/// The runs, each with the description of its process and with its state.
fn runs() -> Table {
    use ColumnType::{DateTime, Int, Text, Uuid};
    Table::new("dz_runs")
        .required("id", Uuid)
        .required("process", Text(None))
        .required("title", Text(None))
        .required("version", Text(None))
        .required("flow", Text(None))
        .required("status", Text(None))
        // The run whose step started it, and that attempt.
        .optional("parent", Uuid)
        .optional("parent_attempt", Text(None))
        .required("trigger", Text(None))
        // The row of the trigger, for `overlap`.
        .required("subject", Text(None))
        // What started it; a second run with the same cause is not stored.
        .required("cause", Text(None))
        .required("state", Text(None))
        .required("started_at", DateTime)
        .optional("ended_at", DateTime)
        // The time at which the worker continues it.
        .optional("due_at", DateTime)
        // Failed attempts to continue it, such as of an unreadable state.
        .required("failures", Int)
        .key(&["id"])
        .unique(&["process", "cause"])
        .index(&["due_at"])
        .index(&["parent"])
        .index(&["process", "subject", "status"])
        .index(&["status", "started_at"])
}

/// The attempts of steps and compensations.
fn steps() -> Table {
    use ColumnType::{DateTime, Int, Text, Uuid};
    Table::new("dz_run_steps")
        .required("run", Uuid)
        .required("unit", Text(None))
        .required("visit", Int)
        .required("attempt", Int)
        .required("name", Text(None))
        .required("status", Text(None))
        // The signal for which it waits.
        .optional("awaits", Text(None))
        .optional("input", Text(None))
        .optional("output", Text(None))
        .optional("error", Text(None))
        .required("started_at", DateTime)
        .optional("ended_at", DateTime)
        .key(&["run", "unit", "visit", "attempt"])
        .reference("run", "dz_runs", "id", crate::emit::schema::OnDelete::Cascade)
        .index(&["awaits"])
}

/// Human tasks.
fn tasks(account: ColumnType) -> Table {
    use ColumnType::{DateTime, Int, Text, Uuid};
    Table::new("dz_tasks")
        .required("id", Uuid)
        .required("run", Uuid)
        .required("step", Int)
        .required("visit", Int)
        .required("name", Text(None))
        .required("title", Text(None))
        .required("status", Text(None))
        .required("entity", Text(None))
        .optional("row_id", Text(None))
        .optional("role", Text(None))
        // Not a reference: a decided task remains when the account is deleted.
        .optional("assignee", account)
        .required("created_at", DateTime)
        .optional("due_at", DateTime)
        .optional("outcome", Text(None))
        .optional("decided_by", account)
        .optional("decided_at", DateTime)
        // The account that reserves the task; as above, not a reference.
        .optional("claimed_by", account)
        .optional("claimed_at", DateTime)
        .key(&["id"])
        .reference("run", "dz_runs", "id", crate::emit::schema::OnDelete::Cascade)
        .index(&["run"])
        .index(&["status", "role"])
        .index(&["status", "assignee"])
}

/// The attempts of LLM intents. The run is not referenced: a call stays when its run is removed, because it has a cost.
fn calls() -> Table {
    use ColumnType::{DateTime, Int, Text, Uuid};
    Table::new("dz_calls")
        .required("id", Uuid)
        .required("intent", Text(None))
        .required("model", Text(None))
        .required("attempt", Int)
        .required("status", Text(None))
        .optional("run", Uuid)
        .optional("step", Text(None))
        .required("input_tokens", Int)
        .required("output_tokens", Int)
        // Millionths of a US dollar, so that a sum is exact on both engines.
        .required("cost", Int)
        .required("duration_ms", Int)
        .optional("prompt", Text(None))
        .optional("answer", Text(None))
        // The failure of the attempt, or the refusal of its `write_back`.
        .optional("error", Text(None))
        .required("started_at", DateTime)
        .key(&["id"])
        .index(&["started_at"])
        .index(&["run"])
}
