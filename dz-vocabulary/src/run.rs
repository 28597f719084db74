//! Runs of processes.

/// The statuses of a run, in the order of its life.
pub const RUN_STATUSES: [&str; 7] = ["queued", "running", "waiting", "compensating", "completed", "failed", "cancelled"];
