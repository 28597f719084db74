//! Services, processes, schedules and language models.

use dz_dsl_file::model::{
    Answer, Cron, Duration, EnumId, Flow, IntentTrigger, LlmIntent, Placed, ProcessId, Runs, Step, StepAction, StoryId, Trigger,
    ValueField, When, Word,
};
use serde_json::{Map, Value, json};

use super::{Populate, field::value_text};
use crate::Kind;

pub(super) fn add(it: &mut Populate<'_>) {
    let model = it.model;
    for service in &model.services {
        let details = json!({
            "kind": service.kind.word(),
            "input": values(it, &service.input),
            "output": values(it, &service.output),
            "guarantees": service.guarantees,
        });
        it.node(Kind::Service, &service.name, &service.title, service.span, details);
    }
    for process in &model.processes {
        let details = json!({ "trigger": trigger(it, &process.trigger), "steps": steps(&process.flow), "labels": labels(&process.flow) });
        it.node(Kind::Process, &process.name, &process.title, process.span, details);
        let id = Kind::Process.id(&process.name);
        implement(it, &id, &process.implements);
        connect(it, &id, &process.flow);
    }
    for schedule in &model.schedules {
        let when = match &schedule.when {
            When::Cron(cron) => json!({ "cron": cron.text, "period": period(cron) }),
            When::Every(every) => json!({ "months": every.months, "seconds": every.seconds, "period": interval(*every) }),
        };
        let id = Kind::Schedule.id(&schedule.name);
        let (steps, labels) = match &schedule.runs {
            Runs::Process(_) => (Vec::new(), Vec::new()),
            Runs::Flow(flow) => (steps(flow), labels(flow)),
        };
        let details = json!({ "when": when, "timezone": schedule.timezone, "steps": steps, "labels": labels });
        it.node(Kind::Schedule, &schedule.name, &schedule.title, schedule.span, details);
        implement(it, &id, &schedule.implements);
        match &schedule.runs {
            Runs::Process(process) => start(it, &id, process.it, &schedule.name),
            Runs::Flow(flow) => connect(it, &id, flow),
        }
    }
    for language_model in &model.llm_models {
        let details =
            json!({ "provider": language_model.provider.word(), "model_id": language_model.model_id, "tier": language_model.tier.word() });
        it.node(Kind::LlmModel, &language_model.name, &language_model.title, language_model.span, details);
    }
    if let Some(config) = &model.llm_config {
        let default = config.default_model.map(|it| model.llm_models[it.it.0].name.clone());
        it.node(Kind::LlmConfig, "llm_config", "Language models", config.span, json!({ "default_model": default }));
    }
    model.llm_intents.iter().for_each(|intent| add_intent(it, intent));
}

fn add_intent(it: &mut Populate<'_>, intent: &LlmIntent) {
    let details = json!({
        "description": intent.description,
        "model": it.model.llm_models[intent.model.it.0].name,
        "input": values(it, &intent.input),
        "trigger": intent.trigger.as_ref().map(|trigger| intent_trigger(it, intent, trigger)),
    });
    it.node(Kind::LlmIntent, &intent.name, &intent.title, intent.span, details);
}

fn intent_trigger(it: &Populate<'_>, intent: &LlmIntent, trigger: &IntentTrigger) -> Value {
    let model = it.model;
    let entity = model.entity(trigger.entity.it);
    let path =
        |path: &dz_dsl_file::model::Path| path.fields(&model.entities).map(|field| field.name.as_str()).collect::<Vec<_>>().join(".");
    let inputs: Map<String, Value> =
        trigger.input_map.iter().map(|(input, from)| (intent.input[input.it].name.clone(), path(from).into())).collect();
    let answer = |answer: &Answer| match (answer, intent.output_schema) {
        (Answer::Field(field), Some(schema)) => model.field(schema.it, *field).name.clone(),
        _ => "output".to_owned(),
    };
    let back: Map<String, Value> =
        trigger.write_back.iter().map(|(field, from)| (entity.fields[field.it.0].name.clone(), answer(from).into())).collect();
    json!({
        "entity": entity.name,
        "event": trigger.event.word(),
        "when": trigger.when.as_ref().map(|when| it.text(when.span)),
        "input_map": inputs,
        "write_back": back,
    })
}

fn trigger(it: &Populate<'_>, trigger: &Trigger) -> Value {
    let model = it.model;
    match trigger {
        Trigger::Manual(roles) if roles.is_empty() => json!({ "kind": "manual" }),
        Trigger::Manual(roles) => {
            let roles: Vec<&str> = roles.iter().map(|role| model.personas[role.it.0].name.as_str()).collect();
            json!({ "kind": "manual", "roles": roles })
        }
        Trigger::Entity { entity, event } => json!({ "kind": "entity", "entity": model.entity(entity.it).name, "event": event.word() }),
        Trigger::Change { entity, field, from, to } => {
            let field = model.field(entity.it, field.it);
            let of = field.ty.enumeration().unwrap_or(EnumId(0));
            let value = |at: usize| model.enums[of.0].values[at].name.clone();
            json!({
                "kind": "change",
                "entity": model.entity(entity.it).name,
                "event": "updated",
                "field": field.name,
                "from": from.map(|from| value(from.it)),
                "to": value(to.it),
            })
        }
        Trigger::Signal(signal) => json!({ "kind": "signal", "signal": signal.name }),
        Trigger::Completed(process) => json!({ "kind": "completed", "process": model.processes[process.it.0].name }),
        Trigger::Cron(cron) => json!({ "kind": "cron", "cron": cron.text, "period": period(cron) }),
    }
}

fn values(it: &Populate<'_>, fields: &[ValueField]) -> Vec<Value> {
    fields.iter().map(|field| json!({ "name": field.name, "type": value_text(it.model, &field.ty) })).collect()
}

fn steps(flow: &Flow) -> Vec<String> {
    flow.steps.iter().map(|step| step.name.clone()).collect()
}

/// The titles of the steps, and those of the outcomes of human tasks.
fn labels(flow: &Flow) -> Vec<&str> {
    flow.steps.iter().flat_map(|step| [step.title.as_str()].into_iter().chain(outcomes(step))).collect()
}

/// The titles of the outcomes of a human task.
fn outcomes(step: &Step) -> impl Iterator<Item = &str> {
    let outcomes = step.task().map(|task| task.outcomes.as_slice()).unwrap_or_default();
    outcomes.iter().map(|it| it.title.as_str())
}

/// How often the times of a cron expression occur.
fn period(cron: &Cron) -> String {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let days: Vec<&str> = (0..7).filter(|at| cron.weekdays & (1 << at) != 0).map(|at| DAYS[at]).collect();
    match () {
        () if cron.months.count_ones() < 12 => "yearly".to_owned(),
        () if cron.days.count_ones() < 31 => "monthly".to_owned(),
        () if days.len() < DAYS.len() => format!("weekly, {}", days.join(", ")),
        () if cron.hours.count_ones() > 1 => "hourly".to_owned(),
        () if cron.hours.trailing_zeros() < 6 || cron.hours.trailing_zeros() > 21 => "daily, nightly".to_owned(),
        () => "daily".to_owned(),
    }
}

/// How often an interval occurs.
fn interval(every: Duration) -> &'static str {
    const HOUR: i64 = 3600;
    match (every.months, every.seconds) {
        (12.., _) => "yearly",
        (1.., _) => "monthly",
        (_, seconds) if seconds >= 7 * 24 * HOUR => "weekly",
        (_, seconds) if seconds >= 24 * HOUR => "daily",
        (_, seconds) if seconds >= HOUR => "hourly",
        _ => "every few minutes",
    }
}

fn implement(it: &mut Populate<'_>, id: &str, stories: &[Placed<StoryId>]) {
    for story in stories {
        let target = Kind::Story.id(&it.model.stories[story.it.0].name);
        it.relate(id, "process_implements", target);
    }
}

fn start(it: &mut Populate<'_>, id: &str, process: ProcessId, step: &str) {
    let target = it.process_id(process);
    it.relate_by(id, "has_subprocess", target, "steps", step);
}

/// Relations of the steps, and of the compensations, which call like steps.
fn connect(it: &mut Populate<'_>, id: &str, flow: &Flow) {
    let steps = flow.steps.iter().map(|step| (&step.name, &step.action));
    for (name, action) in steps.chain(flow.compensations.iter().map(|it| (&it.name, &it.action))) {
        match action {
            StepAction::Service(service) => {
                let target = Kind::Service.id(&it.model.services[service.it.0].name);
                it.relate_by(id, "invokes", target, "steps", name);
            }
            StepAction::Subprocess(process) => start(it, id, process.it, name),
            StepAction::HumanTask(task) => {
                if let Some(surface) = task.surface {
                    let target = it.surface_id(surface.it);
                    it.relate_by(id, "human_task_on", target, "steps", name);
                }
            }
            StepAction::LlmIntent(_)
            | StepAction::WaitFor(_)
            | StepAction::WaitSignal(_)
            | StepAction::Condition { .. }
            | StepAction::Parallel { .. }
            | StepAction::Effects => {}
        }
    }
}
