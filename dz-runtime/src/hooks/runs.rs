//! Subscribers of runs of processes.

use super::{Hooks, named::Registered};
use crate::{
    Result, SystemCx,
    event::run::{RunEvent, RunHappened, RunSubscriber},
    suggest::did_you_mean,
};

impl Hooks {
    /// Adds a subscriber of an event of the runs of a process.
    pub(crate) fn on_run(
        &mut self,
        process: &str,
        event: RunEvent,
        f: impl Fn(&SystemCx, &RunHappened) -> Result<()> + Send + Sync + 'static,
    ) {
        let subscriber = RunSubscriber::new(&self.runs, process, event, f);
        self.runs.push(subscriber);
        self.last = Some(Registered::RunSubscriber);
    }

    /// The subscribers of an event of the runs of a process.
    pub(crate) fn run_subscribers(&self, process: &str, event: RunEvent) -> impl Iterator<Item = &RunSubscriber> {
        self.runs.iter().filter(move |it| it.process == process && it.event == event)
    }

    /// The subscriber with this name or former name.
    pub(crate) fn find_run_subscriber(&self, name: &str, process: &str, event: RunEvent) -> Option<&RunSubscriber> {
        let all = || self.run_subscribers(process, event);
        all().find(|it| it.name == name).or_else(|| all().find(|it| it.had_name(name)))
    }

    /// Reports subscribers of processes that the application does not have, and two with one name.
    pub(crate) fn check_run_subscribers(&mut self, processes: &[&str]) {
        for (at, it) in self.runs.iter().enumerate() {
            if !processes.contains(&it.process.as_str()) {
                let near = did_you_mean(&it.process, processes.to_vec());
                self.problems.push(format!("there is no process `{}`, to which `.on_process(…)` subscribes{near}", it.process));
            }
            if let Some(first) = self.runs[..at].iter().find(|other| other.is_same(it)) {
                self.problems.push(it.describe_duplicate(first));
            }
        }
    }
}
