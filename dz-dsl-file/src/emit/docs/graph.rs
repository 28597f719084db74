//! Flowcharts of steps.

use super::escape::label;
use crate::model::{Flow, StepAction, StepId, Target, TargetKind};

/// A `flowchart` of the steps.
pub(super) fn flowchart(flow: &Flow) -> String {
    let mut chart = "flowchart TD\n    begin([Start])\n".to_owned();
    for (at, step) in flow.steps.iter().enumerate() {
        let title = label(&step.title);
        let shape = match &step.action {
            StepAction::Condition { .. } => format!("{{\"{title}\"}}"),
            StepAction::HumanTask(_) => format!("[/\"{title}\"/]"),
            StepAction::WaitFor(_) | StepAction::WaitSignal(_) => format!("([\"{title}\"])"),
            StepAction::Subprocess(_) => format!("[[\"{title}\"]]"),
            StepAction::Parallel { .. } => format!("{{{{\"{title}\"}}}}"),
            StepAction::Service(_) | StepAction::LlmIntent(_) | StepAction::Effects => format!("[\"{title}\"]"),
        };
        chart.push_str(&format!("    s{at}{shape}\n"));
    }
    chart.push_str("    complete([Complete])\n    fail([Fail])\n");
    if let Some(first) = flow.first {
        chart.push_str(&format!("    begin --> s{}\n", first.0));
    }
    for at in 0..flow.steps.len() {
        edges(&mut chart, flow, StepId(at));
    }
    chart
}

fn edges(chart: &mut String, flow: &Flow, id: StepId) {
    let step = flow.step(id);
    let mut edge = |target: Target, text: &str| {
        let text = if text.is_empty() { String::new() } else { format!("|\"{}\"|", label(text)) };
        chart.push_str(&format!("    s{} -->{text} {}\n", id.0, name(target)));
    };
    match &step.action {
        StepAction::Condition { on_true, on_false, .. } => {
            edge(*on_true, "yes");
            edge(*on_false, "no");
        }
        StepAction::HumanTask(task) if !task.outcomes.is_empty() => {
            task.outcomes.iter().for_each(|outcome| edge(outcome.goto, &outcome.title));
        }
        StepAction::Parallel { branches, .. } => {
            for branch in branches {
                edge(Target { to: TargetKind::Step(*branch), span: None }, "branch");
            }
            edge(step.next, "joined");
        }
        StepAction::Service(_)
        | StepAction::Subprocess(_)
        | StepAction::LlmIntent(_)
        | StepAction::HumanTask(_)
        | StepAction::WaitFor(_)
        | StepAction::WaitSignal(_)
        | StepAction::Effects => {
            // The end of a branch is the join of its parallel step.
            if step.parent.is_none() || step.next.span.is_some() {
                edge(step.next, "");
            }
        }
    }
    if step.on_failure.span.is_some() {
        edge(step.on_failure, "failure");
    }
}

fn name(target: Target) -> String {
    match target.to {
        TargetKind::Step(step) => format!("s{}", step.0),
        TargetKind::Complete => "complete".to_owned(),
        TargetKind::Fail => "fail".to_owned(),
    }
}
