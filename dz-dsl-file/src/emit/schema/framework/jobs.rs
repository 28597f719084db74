//! Jobs of the application and their schedules.

use crate::emit::schema::{ColumnType, Table};

/// The jobs: those that are queued or running, dead letters, and for some days those that have ended.
pub(super) fn queue() -> Table {
    use ColumnType::{DateTime, Int, Text, Uuid};
    Table::new("dz_jobs")
        .required("id", Uuid)
        .required("name", Text(None))
        .required("payload", Text(None))
        .required("state", Text(None))
        .required("priority", Int)
        // Null after the end of the job, so that the next job can have the same key.
        .optional("unique_key", Text(None))
        .required("attempts", Int)
        .required("max_attempts", Int)
        .required("created_at", DateTime)
        .required("run_at", DateTime)
        // The instance that runs the job, and the time at which another one may take the job over.
        .optional("runner", Uuid)
        .optional("leased_until", DateTime)
        .required("progress_done", Int)
        .required("progress_total", Int)
        .required("note", Text(None))
        .required("error", Text(None))
        // The trace that the job continues, as the header `traceparent`.
        .optional("trace", Text(None))
        .optional("ended_at", DateTime)
        .optional("expires_at", DateTime)
        .key(&["id"])
        .unique(&["name", "unique_key"])
        .index(&["state", "priority", "run_at", "id"])
        .index(&["expires_at"])
}

/// The time up to which the occurrences of each schedule are evaluated.
pub(super) fn schedules() -> Table {
    Table::new("dz_schedules").required("name", ColumnType::Text(None)).required("evaluated_at", ColumnType::DateTime).key(&["name"])
}
