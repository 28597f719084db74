//! The description of what a schedule runs.

use crate::{
    Span,
    model::{Cron, Model, Process, Runs, Schedule, Trigger, When},
};

/// Describes the process of a schedule with the overlap and the timeout of the schedule; the steps of its own are a process with its name.
pub fn describe_schedule(model: &Model, schedule: &Schedule) -> String {
    super::describe(model, &process(model, schedule))
}

fn process(model: &Model, schedule: &Schedule) -> Process {
    match &schedule.runs {
        Runs::Process(named) => {
            let process = &model.processes[named.it.0];
            Process { overlap: schedule.overlap, timeout: schedule.timeout.or(process.timeout), ..process.clone() }
        }
        Runs::Flow(flow) => Process {
            name: schedule.name.clone(),
            title: schedule.title.clone(),
            implements: Vec::new(),
            trigger: Trigger::Cron(cron(&schedule.when, schedule.span)),
            input: Vec::new(),
            output: Vec::new(),
            flow: flow.clone(),
            timeout: schedule.timeout,
            overlap: schedule.overlap,
            emits: Vec::new(),
            span: schedule.span,
        },
    }
}

/// The times as written; an interval has none, and the schedule itself knows it.
fn cron(when: &When, span: Span) -> Cron {
    match when {
        When::Cron(cron) => cron.clone(),
        When::Every(_) => Cron { text: String::new(), minutes: 0, hours: 0, days: 0, months: 0, weekdays: 0, either_day: false, span },
    }
}
