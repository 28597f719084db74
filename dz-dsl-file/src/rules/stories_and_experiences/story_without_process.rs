//! An accepted story that no process implements.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    model::{Model, StoryId, StoryStatus},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "story-without-process",
    severity: Severity::Lint,
    summary: "no process implements an accepted story",
    wrong: "persona clerk\nstory ST-001 \"Billing\":\n  actor: clerk\n  status: accepted\n  when: the month ends\n  then: invoices are sent\n",
    right: "persona clerk\nstory ST-001 \"Billing\":\n  actor: clerk\n  status: accepted\n  when: the month ends\n  then: invoices are sent\nprocess billing \"Billing\":\n  implements: ST-001\n  steps:\n    - step one:\n        wait: 1d\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let schedules = model.schedules.iter().flat_map(|schedule| &schedule.implements);
    let implemented: HashSet<StoryId> =
        model.processes.iter().flat_map(|process| &process.implements).chain(schedules).map(|story| story.it).collect();
    for (at, story) in model.stories.iter().enumerate().filter(|(_, story)| story.status == StoryStatus::Accepted) {
        if !implemented.contains(&StoryId(at)) {
            out.push(
                RULE.diagnostic(story.span, format!("no process implements the story `{}`", story.name))
                    .help(format!("add `implements: {}` to a process", story.name)),
            );
        }
    }
}
