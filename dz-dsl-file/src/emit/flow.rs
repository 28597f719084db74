//! The description of a process as JSON, which the runtime stores with each run, so that a run keeps the description with which it
//! started. It names entities, fields and steps, because their positions differ between versions.

mod expr;
mod intent;
mod json;
mod schedule;
mod step;
mod value_type;

use intent::describe_intent;
use json::Json;

pub use schedule::describe_schedule;

use crate::model::{Cron, Duration, EmitEvent, Model, Process, ProcessInput, Runs, Trigger, ValueField, Word as _};

/// The descriptions of all processes: declared ones, and those of schedules with steps of their own and of intents with a trigger.
pub fn describe_all(model: &Model) -> impl Iterator<Item = String> {
    let of_schedules = model.schedules.iter().filter(|it| matches!(it.runs, Runs::Flow(_))).map(|it| describe_schedule(model, it));
    let of_intents = model.llm_intents.iter().filter_map(|it| describe_intent(model, it));
    model.processes.iter().map(|process| describe(model, process)).chain(of_schedules).chain(of_intents)
}

/// Describes a process as one line of JSON.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse, emit::flow};
/// let text = "entity Bike:\n  id: uuid pk\nprocess tidy:\n  trigger: manual\n  steps:\n    - step pause:\n      wait: 1h\n";
/// let found = analyse(SourceMap::single("app.dsl", text));
/// let model = found.model.expect("the declaration is correct");
/// assert!(flow::describe(&model, &model.processes[0]).starts_with(r#"{"name":"tidy","title":"Tidy","trigger":{"kind":"manual"}"#));
/// ```
pub fn describe(model: &Model, process: &Process) -> String {
    let describe = step::Describe { model, process };
    let output = process.output.iter().map(|output| {
        let value = output.value.as_ref().map(|value| describe.expr(value));
        Json::object([("field", field(model, &output.field)), ("value", Json::optional(value))])
    });
    let emits = process.emits.iter().map(|emitted| {
        let event = match emitted.event {
            EmitEvent::Start => "start",
            EmitEvent::Complete => "complete",
            EmitEvent::Failure => "failure",
        };
        Json::object([("event", Json::text(event)), ("signal", Json::text(&emitted.signal.name))])
    });
    Json::object([
        ("name", Json::text(&process.name)),
        ("title", Json::text(&process.title)),
        ("trigger", trigger(model, &process.trigger)),
        ("input", Json::list(process.input.iter().map(|input| self::input(&describe, input)))),
        ("output", Json::list(output)),
        ("timeout", delay(process.timeout)),
        ("overlap", Json::text(process.overlap.word())),
        ("emits", Json::list(emits)),
        ("steps", Json::list(process.flow.steps.iter().map(|step| describe.step(step)))),
        ("compensations", Json::list(process.flow.compensations.iter().map(|it| describe.compensation(it)))),
    ])
    .to_string()
}

fn trigger(model: &Model, trigger: &Trigger) -> Json {
    let kind = |kind: &str| ("kind", Json::text(kind));
    match trigger {
        Trigger::Manual(roles) if roles.is_empty() => Json::object([kind("manual")]),
        Trigger::Manual(roles) => {
            let roles = roles.iter().map(|role| Json::text(&model.personas[role.it.0].name));
            Json::object([kind("manual"), ("roles", Json::list(roles))])
        }
        Trigger::Signal(signal) => Json::object([kind("signal"), ("name", Json::text(&signal.name))]),
        Trigger::Completed(process) => Json::object([kind("completed"), ("process", Json::text(&model.processes[process.it.0].name))]),
        Trigger::Cron(Cron { text, .. }) => Json::object([kind("cron"), ("cron", Json::text(text))]),
        Trigger::Entity { entity, event } => {
            Json::object([kind("entity"), ("entity", Json::text(&model.entity(entity.it).name)), ("event", Json::text(event.word()))])
        }
        Trigger::Change { entity, field, from, to } => {
            let declared = model.field(entity.it, field.it);
            let value = |at: usize| {
                let values = declared.ty.enumeration().map(|of| &model.enums[of.0].values);
                Json::optional(values.and_then(|values| values.get(at)).map(|value| Json::text(&value.name)))
            };
            Json::object([
                kind("change"),
                ("entity", Json::text(&model.entity(entity.it).name)),
                ("field", Json::text(&declared.name)),
                ("from", Json::optional(from.map(|from| value(from.it)))),
                ("to", value(to.it)),
            ])
        }
    }
}

fn input(describe: &step::Describe<'_>, input: &ProcessInput) -> Json {
    let from = input.from_trigger.as_ref().map(|value| describe.expr(value));
    Json::object([("field", field(describe.model, &input.field)), ("from_trigger", Json::optional(from))])
}

/// A field of an input or an output.
fn field(model: &Model, field: &ValueField) -> Json {
    Json::object([
        ("name", Json::text(&field.name)),
        ("title", Json::text(&field.title)),
        ("type", value_type::describe(model, &field.ty)),
        ("required", Json::Bool(field.required)),
        ("default", Json::optional(field.default.as_ref().map(|default| expr::describe(model, None, default)))),
        ("sensitive", Json::Bool(field.sensitive)),
    ])
}

fn delay(duration: Option<Duration>) -> Json {
    Json::optional(duration.map(|it| Json::object([("months", Json::Int(it.months)), ("seconds", Json::Int(it.seconds))])))
}
