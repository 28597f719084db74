//! The outputs of a process: the result of a step for each.

use super::{accepts, data};
use crate::{
    Diagnostic,
    lower::{Lowering, expr::type_of, values},
    model::{Callee, DataPath, DataRoot, Expr, FieldId, Flow, StepId, Type, ValueField},
    syntax::process as written,
};

/// Resolves the value of each output: the expression after `=`, else the only result of that name.
pub(super) fn outputs(it: &mut Lowering<'_>, at: usize, process: &written::Process) {
    for place in 0..it.processes[at].output.len() {
        let field = it.processes[at].output[place].field.clone();
        let written = process.output.iter().find(|written| written.name.span == field.span).and_then(values::default_of);
        let value = match written {
            Some(written) => data::value(it, &field.ty, written),
            None => named_result(it, at, &field),
        };
        it.processes[at].output[place].value = value;
    }
}

fn named_result(it: &mut Lowering<'_>, at: usize, field: &ValueField) -> Option<Expr> {
    let mut results = results_called(it, &it.processes[at].flow, field);
    let last = results.pop();
    if let (Some((first, _)), Some(_)) = (results.first(), &last) {
        let found = Diagnostic::error("input-mismatch", field.span, format!("several steps give `{}`", field.name));
        it.out.push(found.help(format!("name one: `= {first}.{}`", field.name)));
        return None;
    }
    let Some((_, found)) = last else {
        let found =
            Diagnostic::warning("output-without-value", field.span, format!("nothing gives `{}`, so it is always null", field.name));
        it.out.push(found.help("write its source: `= step.field`; or remove it"));
        return None;
    };
    let ty = result_type(it, &it.processes[at].flow, &found).unwrap_or(Type::Text);
    if !accepts(it, field, &ty, field.span) {
        return None;
    }
    Some(Expr::Data(found))
}

/// The results of steps with the name of an output of the process, with the names of the steps.
fn results_called(it: &Lowering<'_>, flow: &Flow, field: &ValueField) -> Vec<(String, DataPath)> {
    let mut results = Vec::new();
    for (at, step) in flow.steps.iter().enumerate() {
        let id = StepId(at);
        let named = |fields: &mut dyn Iterator<Item = (&str, bool)>| {
            fields.enumerate().find(|(_, (name, _))| *name == field.name).map(|(at, (_, required))| (DataRoot::Output(id, at), !required))
        };
        let found = step.action.callee().and_then(|callee| match callee.it {
            Callee::Service(service) => named(&mut it.services[service.0].output.iter().map(|it| (it.name.as_str(), it.required))),
            Callee::Process(process) => {
                named(&mut it.processes[process.0].output.iter().map(|it| (it.field.name.as_str(), it.field.required)))
            }
            Callee::LlmIntent(intent) => it.llm_intents[intent.0].output_schema.and_then(|schema| {
                let at = *it.field_names[schema.it.0].get(&field.name)?;
                let field = &it.entities[schema.it.0].fields[at];
                field.ty.is_stored().then_some((DataRoot::Answer(id, FieldId(at)), !field.required))
            }),
        });
        if let Some((root, optional)) = found {
            results.push((step.name.clone(), DataPath { root, rest: None, optional, span: field.span }));
        }
    }
    results
}

/// The type of a result of [`results_called`].
fn result_type(it: &Lowering<'_>, flow: &Flow, path: &DataPath) -> Option<Type> {
    let callee = |step: StepId| Some(flow.steps.get(step.0)?.action.callee()?.it);
    match path.root {
        DataRoot::Output(step, at) => match callee(step)? {
            Callee::Service(service) => values::type_of(&it.services[service.0].output.get(at)?.ty),
            Callee::Process(process) => values::type_of(&it.processes[process.0].output.get(at)?.field.ty),
            Callee::LlmIntent(_) => None,
        },
        DataRoot::Answer(step, field) => match callee(step)? {
            Callee::LlmIntent(intent) => {
                let schema = it.llm_intents[intent.0].output_schema?;
                it.entities[schema.it.0].fields.get(field.0).map(|field| type_of(field.ty))
            }
            Callee::Service(_) | Callee::Process(_) => None,
        },
        DataRoot::TriggerRow
        | DataRoot::TriggerOutput(_)
        | DataRoot::TriggerPayload
        | DataRoot::Input(_)
        | DataRoot::AnswerText(_)
        | DataRoot::Outcome(_)
        | DataRoot::DecidedBy(_)
        | DataRoot::DecidedAt(_)
        | DataRoot::Payload(_) => None,
    }
}
