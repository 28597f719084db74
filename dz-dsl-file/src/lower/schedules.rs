//! Schedules.

use std::collections::HashMap;

use super::{
    Lowering, collect, cron, literal,
    process::{self, DataScope, TriggerScope, find},
    values,
};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{Flow, Overlap, Placed, ProcessId, Runs, Schedule, When},
    syntax::{File, Item, schedule as written},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) -> Vec<Schedule> {
    let mut seen = HashMap::new();
    let mut schedules = Vec::new();
    for item in files.iter().flat_map(|file| &file.items) {
        if let Item::Schedule(schedule) = item
            && collect::first(it, &mut seen, "schedule", &schedule.name)
        {
            schedules.extend(lower_schedule(it, schedule));
        }
    }
    schedules
}

fn lower_schedule(it: &mut Lowering<'_>, schedule: &written::Schedule) -> Option<Schedule> {
    either(it, schedule, ["cron", "interval"], "when it runs");
    either(it, schedule, ["process", "steps"], "what it runs");
    let cron = schedule.cron.as_ref().map(|text| cron::lower(it, text));
    let when = match cron {
        Some(cron) => cron.map(When::Cron),
        None => values::duration(it, schedule.interval).map(When::Every),
    };
    let timezone = timezone(it, schedule);
    let overlap = process::overlap(it, schedule.overlap.as_ref(), Overlap::Skip);
    let timeout = values::duration(it, schedule.timeout);
    let implements = process::implements(it, &schedule.implements);
    let runs = match &schedule.process {
        Some(name) => resolve_process(it, name).map(Runs::Process),
        None => Some(Runs::Flow(steps(it, schedule))),
    };
    Some(Schedule {
        name: schedule.name.text.clone(),
        title: collect::title(&schedule.title, &schedule.name),
        when: when?,
        timezone,
        catch_up: schedule.catch_up.unwrap_or(false),
        overlap,
        timeout,
        implements,
        runs: runs?,
        span: schedule.name.span,
    })
}

/// Reports a schedule that has neither or both of two keys.
fn either(it: &mut Lowering<'_>, schedule: &written::Schedule, keys: [&str; 2], what: &str) {
    let said: Vec<&Name> = schedule.present.keys.iter().filter(|key| keys.contains(&key.text.as_str())).collect();
    let name = &schedule.name;
    match said.as_slice() {
        [] if !schedule.present.broken => {
            let found = Diagnostic::error("missing-key", name.span, format!("schedule `{}` does not say {what}", name.text));
            it.out.push(found.help(format!("add `{}:` or `{}:`", keys[0], keys[1])));
        }
        [first, second, ..] => {
            let found = Diagnostic::error("duplicate-key", second.span, format!("`{}` already says {what}", first.text));
            it.out.push(found.label(first.span, "written here").help("keep one of the two"));
        }
        _ => {}
    }
}

fn timezone(it: &mut Lowering<'_>, schedule: &written::Schedule) -> String {
    if let Some(name) = &schedule.timezone {
        if literal::is_timezone(&name.text) {
            return name.text.clone();
        }
        let near = literal::near_timezone(&name.text);
        let found = Diagnostic::error("unknown-value", name.span, format!("unknown time zone `{}`", name.text));
        it.out.push(match near {
            Some(near) => found.help(format!("did you mean `{near}`?")).replace(name.span, near.spelled_as(|near| format!("\"{near}\""))),
            None => found.help("write an IANA name such as \"Europe/Lisbon\""),
        });
    }
    it.app.timezone.clone()
}

/// Resolves the process that a schedule starts; it gets no input.
fn resolve_process(it: &mut Lowering<'_>, name: &Name) -> Option<Placed<ProcessId>> {
    let process = find(it, |callable| &callable.processes, "unknown-process", "process", name)?;
    let inputs = &it.processes[process.it.0].input;
    let needed: Vec<&str> = inputs
        .iter()
        .filter(|input| input.field.required && input.field.default.is_none())
        .map(|input| input.field.name.as_str())
        .collect();
    if !needed.is_empty() {
        let message = format!("`{}` needs {}, and a schedule gives nothing", name.text, crate::syntax::list(&needed));
        let found = Diagnostic::error("input-mismatch", name.span, message);
        it.out.push(found.help("make the inputs optional, give them defaults, or write `steps:` with a step that calls the process"));
    }
    Some(process)
}

fn steps(it: &mut Lowering<'_>, schedule: &written::Schedule) -> Flow {
    it.data = Some(DataScope::new(TriggerScope::Nothing));
    let flow = process::lower_flow(it, &schedule.name.text, &schedule.steps, &[]);
    it.data = None;
    flow
}
