//! Processes that call themselves, and what is started again by its own end or effects.

use crate::{
    Diagnostic, Diagnostics, Span,
    diagnostic::{Rule, Severity},
    model::{Effect, EntityEvent, Model, Step, StepAction, Trigger, Word},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "subprocess-cycle",
        severity: Severity::Warning,
        summary: "a process calls itself, directly or through others",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  steps:\n    - step s:\n        subprocess: b\nprocess b:\n  steps:\n    - step s:\n        subprocess: a\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  steps:\n    - step s:\n        subprocess: b\nprocess b:\n  steps:\n    - step s:\n        wait: 1h\n",
    },
    Rule {
        name: "endless-trigger",
        severity: Severity::Warning,
        summary: "what a process or a question does starts it again, directly or through others",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess a:\n  trigger: process a completed\n  steps:\n    - step s:\n        wait: 1h\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nprocess b:\n  steps:\n    - step s:\n        wait: 1h\nprocess a:\n  trigger: process b completed\n  steps:\n    - step s:\n        wait: 1h\n",
    },
];

/// From a process to others, each with the place that says so.
type Edges = Vec<Vec<(usize, Span)>>;

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    let calls: Edges = model
        .processes
        .iter()
        .map(|process| {
            let steps = process.flow.steps.iter().map(|step| &step.action);
            let actions = steps.chain(process.flow.compensations.iter().map(|compensation| &compensation.action));
            actions
                .filter_map(|action| match action {
                    StepAction::Subprocess(called) => Some((called.it.0, called.span)),
                    _ => None,
                })
                .collect()
        })
        .collect();
    for (span, cycle) in cycles(&calls) {
        let found = Diagnostic::warning("subprocess-cycle", span, format!("{} by this call", told(model, &cycle, "calls itself")));
        out.push(found.help("start the next round by a `trigger` or a `schedule`, or repeat steps with `goto`"));
    }
    let starts: Edges = model
        .processes
        .iter()
        .map(|process| match &process.trigger {
            Trigger::Completed(before) => vec![(before.it.0, before.span)],
            _ => Vec::new(),
        })
        .collect();
    for (span, cycle) in cycles(&starts) {
        let found = Diagnostic::warning("endless-trigger", span, told(model, &cycle, "starts itself again"));
        out.push(found.help("let something else start it, such as a `cron`"));
    }
    own_effects(model, out);
}

/// Processes and questions whose own effects start them again, with nothing that decides in between.
fn own_effects(model: &Model, out: &mut Diagnostics) {
    let help = "let a condition stand in between, or start it by the change of a field: `entity E status -> done`";
    for process in &model.processes {
        let Trigger::Entity { entity, event } = &process.trigger else { continue };
        let decides = |step: &Step| matches!(step.action, StepAction::Condition { .. } | StepAction::HumanTask(_));
        if process.flow.steps.iter().any(decides) {
            continue;
        }
        let again = |effect: &&Effect| match (effect, event) {
            (Effect::Create { entity: of, .. }, EntityEvent::Created) => of.it == entity.it,
            (Effect::Update { rows, .. }, EntityEvent::Updated) => rows.entity.it == entity.it,
            _ => false,
        };
        if process.flow.steps.iter().flat_map(|step| &step.effects).any(|effect| again(&effect)) {
            let message =
                format!("`{}` starts itself again: it is started by a row that is {}, as its own are", process.name, event.word());
            out.push(Diagnostic::warning("endless-trigger", entity.span, message).help(help));
        }
    }
    for intent in &model.llm_intents {
        let Some(trigger) = &intent.trigger else { continue };
        if trigger.event == EntityEvent::Updated && trigger.when.is_none() && !trigger.write_back.is_empty() {
            let message = format!("`{}` asks itself again: what it writes back is an update too", intent.name);
            let found = Diagnostic::warning("endless-trigger", trigger.entity.span, message);
            out.push(found.help("add a `when:` that no longer holds once the answer is written"));
        }
    }
}

fn told(model: &Model, cycle: &[usize], does: &str) -> String {
    const SHOWN: usize = 4;
    let name = |at: &usize| format!("`{}`", model.processes[*at].name);
    let Some((first, rest)) = cycle.split_first() else { return String::new() };
    match rest.len() {
        0 => format!("{} {does}", name(first)),
        n if n > SHOWN => format!("{} {does} through {n} others", name(first)),
        _ => format!("{} {does} through {}", name(first), rest.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}

/// Cycles of a graph: each with the edge that closes it, and its processes from the one that the edge leads to.
fn cycles(edges: &Edges) -> Vec<(Span, Vec<usize>)> {
    let mut done = vec![false; edges.len()];
    let mut place: Vec<Option<usize>> = vec![None; edges.len()];
    let mut found = Vec::new();
    for start in 0..edges.len() {
        if done[start] {
            continue;
        }
        // The way from `start`, with the next edge of each process on it.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        place[start] = Some(0);
        while let Some((at, next)) = way.last_mut() {
            let Some((to, span)) = edges[*at].get(*next).copied() else {
                done[*at] = true;
                place[*at] = None;
                way.pop();
                continue;
            };
            *next += 1;
            if let Some(from) = place[to] {
                found.push((span, way[from..].iter().map(|(at, _)| *at).collect()));
            } else if !done[to] {
                place[to] = Some(way.len());
                way.push((to, 0));
            }
        }
    }
    found
}
