//! Stories that say too little, or that nothing carries out.

use std::collections::HashSet;

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Model, StoryId, StoryStatus},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "story-without-process",
        severity: Severity::Lint,
        summary: "no process implements an accepted story",
        wrong: "persona desk\nstory ST-001 \"Billing\":\n  actor: desk\n  status: accepted\n  when: the month ends\n  then: invoices are sent\n",
        right: "persona desk\nstory ST-001 \"Billing\":\n  actor: desk\n  status: accepted\n  when: the month ends\n  then: invoices are sent\nprocess billing \"Billing\":\n  implements: ST-001\n  steps:\n    - step one:\n        wait: 1d\n",
    },
    Rule {
        name: "incomplete-story",
        severity: Severity::Lint,
        summary: "an accepted story leaves open who acts, what happens, or what comes of it",
        wrong: "story ST-001 \"Billing\":\n  status: accepted\n  then: invoices are sent\n",
        right: "persona desk\nstory ST-001 \"Billing\":\n  actor: desk\n  status: accepted\n  when: the month ends\n  then: invoices are sent\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    let schedules = model.schedules.iter().flat_map(|schedule| &schedule.implements);
    let implemented: HashSet<StoryId> =
        model.processes.iter().flat_map(|process| &process.implements).chain(schedules).map(|story| story.it).collect();
    for (at, story) in model.stories.iter().enumerate().filter(|(_, story)| story.status == StoryStatus::Accepted) {
        if !implemented.contains(&StoryId(at)) {
            out.push(
                Diagnostic::lint("story-without-process", story.span, format!("no process implements the story `{}`", story.name))
                    .help(format!("add `implements: {}` to a process", story.name)),
            );
        }
        let absent: Vec<&str> = [
            ("`actor:`", story.actor.is_none() && story.trigger.is_none()),
            ("`when:`", story.when.is_empty() && story.trigger.is_none()),
            ("`then:`", story.then.is_empty()),
        ]
        .into_iter()
        .filter_map(|(key, absent)| absent.then_some(key))
        .collect();
        if !absent.is_empty() {
            out.push(
                Diagnostic::lint(
                    "incomplete-story",
                    story.span,
                    format!("the accepted story `{}` lacks {}", story.name, absent.join(", ")),
                )
                .help("say who acts, what happens and what comes of it, or set `status: draft`"),
            );
        }
    }
}
