//! Schedules: what runs again and again.

use super::{Cron, Duration, Flow, Overlap, Placed, ProcessId, StoryId};
use crate::Span;

/// A schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// When it runs.
    pub when: When,
    /// IANA name of the zone in which `when` is meant; the application's unless said.
    pub timezone: String,
    /// True when runs that were missed while the application was still are made up for, once.
    pub catch_up: bool,
    /// What happens when it is due while it runs; `skip` unless said.
    pub overlap: Overlap,
    /// After how long a run fails.
    pub timeout: Option<Duration>,
    /// Stories it carries out, by id.
    pub implements: Vec<Placed<StoryId>>,
    /// What it runs.
    pub runs: Runs,
    /// The name in the declaration.
    pub span: Span,
}

/// When a schedule runs.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// At points in time.
    Cron(Cron),
    /// Every so often.
    Every(Duration),
}

/// What a schedule runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Runs {
    /// A process.
    Process(Placed<ProcessId>),
    /// Steps of its own.
    Flow(Flow),
}
