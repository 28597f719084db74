//! Schedules: recurring runs.

use super::{Cron, Duration, Flow, Overlap, Placed, ProcessId, StoryId};
use crate::Span;

/// A schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// The times of its runs.
    pub when: When,
    /// IANA name of the time zone of `when`; default: that of the application.
    pub timezone: String,
    /// True if missed runs are caught up by one run.
    pub catch_up: bool,
    /// What happens if it is due while it runs; default `skip`.
    pub overlap: Overlap,
    /// The timeout of a run.
    pub timeout: Option<Duration>,
    /// The ids of the stories that it implements.
    pub implements: Vec<Placed<StoryId>>,
    /// Its process or steps.
    pub runs: Runs,
    /// The name in the declaration.
    pub span: Span,
}

/// The times of the runs of a schedule.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// At points in time.
    Cron(Cron),
    /// At a fixed interval.
    Every(Duration),
}

/// The work of a schedule.
#[derive(Debug, Clone, PartialEq)]
pub enum Runs {
    /// A process.
    Process(Placed<ProcessId>),
    /// Steps of its own.
    Flow(Flow),
}
