//! Schedules.

/// A schedule, or the `cron` trigger of a process.
#[derive(Debug)]
pub struct ScheduleDef {
    /// Identifier.
    pub name: &'static str,
    /// The times of its runs.
    pub at: ScheduledAt,
    /// IANA zone of the times.
    pub timezone: &'static str,
    /// True if missed times are caught up on by one run.
    pub catch_up: bool,
    /// The description of the process that it starts, as JSON.
    pub flow: &'static str,
}

/// The times of a schedule.
#[derive(Debug, Clone, Copy)]
pub enum ScheduledAt {
    /// The times of a cron expression.
    Cron(&'static str),
    /// A fixed interval after the last run.
    Every {
        /// Months of 30 days.
        months: i64,
        /// Seconds.
        seconds: i64,
    },
}
