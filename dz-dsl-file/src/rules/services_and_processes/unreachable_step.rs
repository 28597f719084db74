//! A step that no run of a process, and no user of an experience, reaches.

use crate::{
    Diagnostics, Severity,
    facts::{flow, journey},
    model::{Experience, ExperienceStepId, Flow, Model, Runs, StepId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unreachable-step",
    severity: Severity::Warning,
    summary: "no run of a process reaches this step",
    wrong: steps!(
        "    - step a:\n        service: work\n        goto: c\n    - step b:\n        service: work\n    - step c:\n        service: work\n"
    ),
    right: steps!("    - step a:\n        service: work\n    - step b:\n        service: work\n    - step c:\n        service: work\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for process in &model.processes {
        check_flow(&process.flow, "process", &process.name, out);
    }
    for schedule in &model.schedules {
        if let Runs::Flow(flow) = &schedule.runs {
            check_flow(flow, "schedule", &schedule.name, out);
        }
    }
    for experience in &model.experiences {
        check_experience(experience, journey::reachable_steps(experience), out);
    }
}

fn check_flow(flow: &Flow, what: &str, name: &str, out: &mut Diagnostics) {
    let Some(first) = flow.first else { return };
    let mut reached = flow::reachable_steps(flow, &[first], None);
    for at in 0..flow.steps.len() {
        if reached[at] {
            continue;
        }
        let step = &flow.steps[at];
        let found = RULE.diagnostic(step.span, format!("no run of {what} `{name}` reaches `{}`", step.name));
        out.push(found.help("let another step continue here, or remove it"));
        // Steps after it are not reported too.
        for (mark, new) in reached.iter_mut().zip(flow::reachable_steps(flow, &[StepId(at)], None)) {
            *mark |= new;
        }
    }
}

/// Reports the steps that follow no other step, and the first of each cycle of unreachable steps.
fn check_experience(experience: &Experience, mut reached: Vec<bool>, out: &mut Diagnostics) {
    let mut follows = vec![false; experience.steps.len()];
    for (at, step) in experience.steps.iter().enumerate() {
        step.transitions.iter().filter(|it| it.target.0 != at).for_each(|it| follows[it.target.0] = true);
    }
    // The steps that remain after the first round form cycles.
    for first_round in [true, false] {
        for (at, step) in experience.steps.iter().enumerate() {
            if reached[at] || (first_round && follows[at]) {
                continue;
            }
            journey::mark_reached(experience, ExperienceStepId(at), &mut reached);
            out.push(
                RULE.diagnostic(step.span, format!("no step leads to `{}`", step.name))
                    .help(format!("add `on EVENT -> step {}` to a step before it, or remove it", step.name)),
            );
        }
    }
}
