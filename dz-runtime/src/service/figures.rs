//! The numbers of worker processes, for metrics.

/// Worker processes of services, and how often they ended since the start of the application.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WorkerFigures {
    /// Workers that wait for a call.
    pub idle: usize,
    /// Workers that run a call or start.
    pub busy: usize,
    /// Workers that ended, did not start, or violated the protocol.
    pub ended: u64,
    /// Workers that were ended at the timeout of a call.
    pub timed_out: u64,
    /// Workers that were replaced because they did not respond before a call.
    pub unresponsive: u64,
}

impl WorkerFigures {
    /// The sums of both.
    pub(super) fn add(self, other: WorkerFigures) -> WorkerFigures {
        WorkerFigures {
            idle: self.idle + other.idle,
            busy: self.busy + other.busy,
            ended: self.ended + other.ended,
            timed_out: self.timed_out + other.timed_out,
            unresponsive: self.unresponsive + other.unresponsive,
        }
    }
}
