//! The handlers of jobs, by the names of the jobs.

use chrono::TimeDelta;

use super::{Job, JobCx, schedule::Schedule};
use crate::{Error, Result};

/// The code of an error that no further attempt can change: the payload cannot be read.
pub(crate) const PAYLOAD: &str = "JOB_PAYLOAD";
/// As [`PAYLOAD`]: the application has no handler for the job.
pub(crate) const NO_HANDLER: &str = "JOB_HANDLER_GONE";

type Run = Box<dyn Fn(&JobCx, &str) -> Result<()> + Send + Sync>;

/// The handler of a job.
pub(crate) struct Handler {
    pub(crate) name: String,
    pub(crate) max_attempts: u32,
    pub(crate) priority: i32,
    pub(crate) delay: fn(u32) -> TimeDelta,
    run: Run,
}

/// The handlers and schedules of an application.
#[derive(Default)]
pub(crate) struct Handlers {
    all: Vec<Handler>,
    schedules: Vec<Schedule>,
}

impl Handlers {
    /// True if the application has no job.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds the handler of a job.
    pub(crate) fn add<J: Job>(&mut self, run: impl Fn(&JobCx, J) -> Result<()> + Send + Sync + 'static) {
        let run: Run = Box::new(move |cx, payload| {
            let unreadable = |error| {
                let internal = format!("the payload of the job `{}` cannot be read: {error}", J::NAME);
                Error { internal: Some(internal.into()), ..Error::new(422, PAYLOAD, "The payload cannot be read") }
            };
            run(cx, serde_json::from_str(payload).map_err(unreadable)?)
        });
        let name = J::NAME.to_owned();
        self.all.push(Handler { name, max_attempts: J::MAX_ATTEMPTS.max(1), priority: J::PRIORITY, delay: J::retry_delay, run });
    }

    /// Adds a schedule, and the handler of its jobs, which have no payload.
    pub(crate) fn add_schedule(&mut self, schedule: Schedule, run: impl Fn(&JobCx) -> Result<()> + Send + Sync + 'static) {
        let run: Run = Box::new(move |cx, _| run(cx));
        self.all.push(Handler { name: schedule.name.clone(), max_attempts: 16, priority: 0, delay: super::default_delay, run });
        self.schedules.push(schedule);
    }

    /// The number of handlers.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The schedules.
    pub(crate) fn schedules(&self) -> &[Schedule] {
        &self.schedules
    }

    /// A name that two handlers have.
    pub(crate) fn find_duplicate(&self) -> Option<&str> {
        let names = || self.all.iter().map(|handler| handler.name.as_str());
        names().enumerate().find(|(at, name)| names().take(*at).any(|other| other == *name)).map(|(_, name)| name)
    }

    /// The handler of a job.
    ///
    /// # Errors
    /// 410 if the application has none.
    pub(crate) fn find(&self, name: &str) -> Result<&Handler> {
        let gone = || {
            let internal = format!("the job `{name}` has no handler; register one with `app().job(…)`");
            Error { internal: Some(internal.into()), ..Error::new(410, NO_HANDLER, "This job no longer exists") }
        };
        self.all.iter().find(|handler| handler.name == name).ok_or_else(gone)
    }
}

impl Handler {
    /// Runs an attempt.
    ///
    /// # Errors
    /// Those of the application; 422 if the payload cannot be read.
    pub(crate) fn run(&self, cx: &JobCx, payload: &str) -> Result<()> {
        (self.run)(cx, payload)
    }
}
