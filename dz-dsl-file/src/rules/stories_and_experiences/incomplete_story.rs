//! An accepted story without an actor, an event or a result.

use crate::{
    Diagnostics, Severity,
    model::{Model, StoryStatus},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "incomplete-story",
    severity: Severity::Lint,
    summary: "an accepted story lacks an actor, an event or a result",
    wrong: "story ST-001 \"Billing\":\n  status: accepted\n  then: invoices are sent\n",
    right: "persona clerk\nstory ST-001 \"Billing\":\n  actor: clerk\n  status: accepted\n  when: the month ends\n  then: invoices are sent\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for story in model.stories.iter().filter(|story| story.status == StoryStatus::Accepted) {
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
                RULE.diagnostic(story.span, format!("the accepted story `{}` lacks {}", story.name, absent.join(", ")))
                    .help("write who acts, what happens and the result, or set `status: draft`"),
            );
        }
    }
}
