//! Results of steps are used only where they are known, and null goes where null may go.

use std::collections::HashMap;

use super::{
    flow::{self, Ways},
    walk,
};
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Argument, DataPath, Expr, Flow, Model, Path, Step, StepAction, StepId, ValueField},
};

macro_rules! steps {
    ($steps:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
            "service price:\n  output:\n    total: int required\n    note: text\n  stub: rust\n",
            "service book:\n  input:\n    total: int required\n  stub: rust\nprocess p:\n  steps:\n",
            $steps
        )
    };
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "result-not-known-yet",
        severity: Severity::Error,
        summary: "a step uses the result of a step that has not run before it",
        wrong: steps!("    - step b:\n        service: book\n        inputs: a.total -> total\n    - step a:\n        service: price\n"),
        right: steps!("    - step a:\n        service: price\n    - step b:\n        service: book\n        inputs: a.total -> total\n"),
    },
    Rule {
        name: "input-may-be-null",
        severity: Severity::Lint,
        summary: "a required input is given a value that can be null",
        wrong: steps!(
            "    - step a:\n        service: price\n        on_failure: b\n    - step b:\n        service: book\n        inputs: a.total -> total\n"
        ),
        right: steps!("    - step a:\n        service: price\n    - step b:\n        service: book\n        inputs: a.total -> total\n"),
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for flow in flow::all(model) {
        let mut known = Known { flow, after: HashMap::new(), around: HashMap::new() };
        for (at, step) in flow.steps.iter().enumerate() {
            let id = StepId(at);
            order(&mut known, id, out);
            for argument in &step.inputs {
                null(model, &mut known, id, argument, out);
            }
        }
    }
}

/// Which steps come after another, worked out once for each that is asked for.
struct Known<'m> {
    flow: &'m Flow,
    after: HashMap<StepId, Vec<bool>>,
    around: HashMap<StepId, Vec<bool>>,
}

impl Known<'_> {
    /// True when a run can come from the success of `source` to `user`: of a branch, when all of its `parallel` is over.
    fn before(&mut self, source: StepId, user: StepId) -> bool {
        let flow = self.flow;
        let reached = self.after.entry(source).or_insert_with(|| {
            let start = match flow.step(source).parent {
                Some(parent) => {
                    let branch = |id: &StepId| flow.step(*id).parent != Some(parent);
                    flow::after(flow, parent, Ways::All).into_iter().filter(branch).collect()
                }
                None => flow::after(flow, source, Ways::Success),
            };
            flow::reach(flow, &start, None)
        });
        reached[user.0]
    }

    /// True when a run can come to `user` without the success of `source`. A `parallel` succeeds when every branch does.
    fn avoidable(&mut self, source: StepId, user: StepId) -> bool {
        let flow = self.flow;
        let start: Vec<StepId> = flow.first.into_iter().collect();
        let whole = flow.step(source).parent.unwrap_or(source);
        let reached = self.around.entry(whole).or_insert_with(|| flow::reach(flow, &start, Some((whole, Ways::Failure))));
        reached[user.0]
    }
}

fn order(known: &mut Known<'_>, user: StepId, out: &mut Diagnostics) {
    let flow = known.flow;
    let mut uses: Vec<(&DataPath, bool)> = Vec::new();
    flow::expressions(flow, user, &mut |expr, own| {
        walk(expr, &mut |part| {
            if let Expr::Data(path) = part {
                uses.push((path, own));
            }
        });
    });
    for (path, own) in uses {
        let Some(source) = path.root.step() else { continue };
        if (own && source == user) || known.before(source, user) {
            continue;
        }
        let (source, user) = (flow.step(source), flow.step(user));
        let message = format!("`{}` does not run before `{}`, so its result is not known here", source.name, user.name);
        let message =
            if source.name == user.name { format!("the result of `{}` is not known before it has run", source.name) } else { message };
        out.push(
            Diagnostic::error("result-not-known-yet", path.span, message)
                .label(source.span, "declared here")
                .help("use the result of an earlier step, or let that step come first"),
        );
    }
}

fn null(model: &Model, known: &mut Known<'_>, user: StepId, argument: &Argument, out: &mut Diagnostics) {
    let step = known.flow.step(user);
    let Some(field) = input(model, step, argument.input.it).filter(|field| field.required) else { return };
    let reason = match &argument.value {
        Expr::Path(path) if path_can_be_null(model, path) => "a field on the way is optional".to_owned(),
        Expr::Data(path) if path.optional => "it is optional".to_owned(),
        Expr::Data(path) => match path.root.step() {
            Some(source) if known.before(source, user) && known.avoidable(source, user) => {
                format!("a run can come here without the result of `{}`", known.flow.step(source).name)
            }
            _ => return,
        },
        _ => return,
    };
    out.push(
        Diagnostic::lint("input-may-be-null", argument.span, format!("`{}` must not be null, and this can be: {reason}", field.name))
            .label(field.span, "the input")
            .help("make the input optional, the value required, or ask with a `condition` before"),
    );
}

fn input<'m>(model: &'m Model, step: &Step, at: usize) -> Option<&'m ValueField> {
    match &step.action {
        StepAction::Service(service) => model.services.get(service.it.0)?.input.get(at),
        StepAction::Subprocess(process) => model.processes.get(process.it.0)?.input.get(at).map(|input| &input.field),
        StepAction::LlmIntent(intent) => model.llm_intents.get(intent.it.0)?.input.get(at),
        _ => None,
    }
}

fn path_can_be_null(model: &Model, path: &Path) -> bool {
    path.fields(&model.entities).any(|field| !field.required)
}
