//! A required input with a value that can be null, and a process that is called without the row that it reads.

use crate::{
    Diagnostics, Severity,
    facts::{flow, results::Results},
    model::{Argument, Callee, DataRoot, Expr, Flow, Model, Path, Placed, ProcessId, Runs, Step, StepAction, StepId, Trigger, ValueField},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "input-may-be-null",
    severity: Severity::Lint,
    summary: "a required input gets a value that can be null",
    wrong: price_steps!(
        "    - step a:\n        service: price\n        on_failure: b\n    - step b:\n        service: book\n        inputs: a.total -> total\n"
    ),
    right: price_steps!("    - step a:\n        service: price\n    - step b:\n        service: book\n        inputs: a.total -> total\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for schedule in &model.schedules {
        if let Runs::Process(process) = &schedule.runs {
            report_no_row(model, *process, out);
        }
    }
    for flow in flow::flows(model) {
        flow.steps
            .iter()
            .filter_map(|step| if let StepAction::Subprocess(process) = &step.action { Some(*process) } else { None })
            .for_each(|process| report_no_row(model, process, out));
        let mut known = Results::new(flow);
        for (at, step) in flow.steps.iter().enumerate() {
            for argument in &step.inputs {
                report_null(model, flow, &mut known, StepId(at), argument, out);
            }
        }
    }
}

/// Reports a call of a process that reads the row of its trigger: only an event of a row gives one.
fn report_no_row(model: &Model, called: Placed<ProcessId>, out: &mut Diagnostics) {
    let Some(process) = model.processes.get(called.it.0) else { return };
    if !matches!(process.trigger, Trigger::Entity { .. } | Trigger::Change { .. }) {
        return;
    }
    let mut reads_row = false;
    for (at, step) in process.flow.steps.iter().enumerate() {
        // A name alone is a field of the row; in the condition of an effect it is one of the rows that the effect selects.
        reads_row |= step.inputs.iter().any(|argument| matches!(argument.value, Expr::Path(_)));
        flow::expressions(&process.flow, StepId(at), &mut |value, _| {
            value.visit(&mut |part| reads_row |= matches!(part, Expr::Data(path) if path.root == DataRoot::TriggerRow));
        });
    }
    if reads_row {
        out.push(
            RULE.diagnostic(called.span, format!("`{}` reads the row whose event starts it, and here it gets none", process.name))
                .label(process.span, "the process")
                .help("give the process an input for the row and the trigger `manual`, and start it with the row from both places"),
        );
    }
}

fn report_null(model: &Model, flow: &Flow, known: &mut Results<'_>, user: StepId, argument: &Argument, out: &mut Diagnostics) {
    let step = flow.step(user);
    let Some(field) = input(model, step, argument.input.it).filter(|field| field.required) else { return };
    let reason = match &argument.value {
        Expr::Path(path) if path_can_be_null(model, path) => "a field of its path is optional".to_owned(),
        Expr::Data(path) if path.optional => "it is optional".to_owned(),
        Expr::Data(path) => match path.root.step() {
            Some(source) if known.is_known(source, user) && known.is_avoidable(source, user) => {
                format!("a run can reach this step without the result of `{}`", flow.step(source).name)
            }
            _ => return,
        },
        _ => return,
    };
    out.push(
        RULE.diagnostic(argument.span, format!("`{}` must not be null, but this value can be: {reason}", field.name))
            .label(field.span, "the input")
            .help("make the input optional or the value required, or test the value in a `condition` before"),
    );
}

fn input<'m>(model: &'m Model, step: &Step, at: usize) -> Option<&'m ValueField> {
    match step.action.callee()?.it {
        Callee::Service(service) => model.services.get(service.0)?.input.get(at),
        Callee::Process(process) => model.processes.get(process.0)?.input.get(at).map(|input| &input.field),
        Callee::LlmIntent(intent) => model.llm_intents.get(intent.0)?.input.get(at),
    }
}

fn path_can_be_null(model: &Model, path: &Path) -> bool {
    path.fields(&model.entities).any(|field| !field.required)
}
