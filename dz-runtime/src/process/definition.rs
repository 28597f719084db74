//! A version of a process, resolved against the application.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::{
    core::flow::{self, Flow},
    expr::{self, MaybeBound},
    stored::{self, Emitted, Overlap, Trigger},
    value_type::ValueField,
};
use crate::{
    Caller, Error, Result,
    db::emit::constant,
    def::{AppDef, Expr},
};

/// A version of a process.
#[derive(Debug)]
pub(crate) struct Definition {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// 12 hex digits of its description.
    pub version: String,
    /// Its description, which is stored with each run.
    pub text: String,
    /// The trigger.
    pub trigger: Trigger,
    /// A condition on the row of the event, without values of the process.
    pub when: Option<Result<&'static Expr, String>>,
    /// The fields that it writes to the row of the event.
    pub own_fields: Vec<String>,
    /// The inputs: the field, its default, and its value if the trigger sets it.
    pub input: Vec<(ValueField, Option<Expr>, Option<MaybeBound>)>,
    /// The outputs.
    pub output: Vec<(ValueField, Option<MaybeBound>)>,
    /// The treatment of a start while a run exists.
    pub overlap: Overlap,
    /// The signals that it sends.
    pub emits: Vec<Emitted>,
    /// The control flow.
    pub flow: Flow,
    /// The steps, as in `flow`.
    pub steps: Vec<StepDef>,
    /// The compensations, as in `flow`.
    pub compensations: Vec<StepDef>,
}

/// The action of a step or of a compensation.
#[derive(Debug)]
pub(crate) struct StepDef {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its action.
    pub action: ActionDef,
    /// The values of inputs, by name.
    pub inputs: Vec<(String, MaybeBound)>,
    /// The effects.
    pub effects: Vec<EffectDef>,
}

/// The action of a step, as far as the control flow does not describe it.
#[derive(Debug)]
pub(crate) enum ActionDef {
    /// Calls a service.
    Service(String),
    /// Calls a language model.
    LlmIntent(String),
    /// Runs another process.
    Subprocess(String),
    /// A human task.
    Task(Box<TaskDef>),
    /// A condition.
    Condition(MaybeBound),
    /// Nothing that the control flow does not describe.
    Other,
}

/// A human task.
#[derive(Debug)]
pub(crate) struct TaskDef {
    /// The surface that shows its row.
    pub surface: Option<String>,
    /// The entity of its row.
    pub entity: String,
    /// The row.
    pub row: Option<MaybeBound>,
    /// The role that can decide.
    pub role: Option<String>,
    /// The account that can decide.
    pub assignee: Option<MaybeBound>,
    /// The outcomes.
    pub outcomes: Vec<OutcomeDef>,
}

/// An outcome of a human task.
#[derive(Debug)]
pub(crate) struct OutcomeDef {
    /// Its name.
    pub name: String,
    /// The label of its button.
    pub title: String,
    /// The question before it is chosen.
    pub confirm: Option<String>,
    /// The fields of the row that it sets.
    pub sets: Vec<(String, MaybeBound)>,
}

/// An effect on rows.
#[derive(Debug)]
pub(crate) enum EffectDef {
    /// A new row.
    Create { entity: String, values: Vec<(String, MaybeBound)> },
    /// Changed rows.
    Update { rows: RowsDef, values: Vec<(String, MaybeBound)> },
    /// Deleted rows.
    Delete(RowsDef),
    /// A signal.
    Emit(String),
}

/// The rows of an effect: one row, or those that meet a condition.
#[derive(Debug)]
pub(crate) struct RowsDef {
    /// The entity.
    pub entity: String,
    /// The row.
    pub row: Option<MaybeBound>,
    /// The condition.
    pub condition: Option<MaybeBound>,
}

impl Definition {
    /// Reads a description.
    ///
    /// # Errors
    /// 500 for a description of another version of dz that cannot be read.
    pub fn read(app: &'static AppDef, text: &str) -> Result<Definition> {
        let stored: stored::Process = serde_json::from_str(text).map_err(|error| unreadable(&error.to_string()))?;
        let mut input = Vec::new();
        for it in &stored.input {
            let field = ValueField::resolve(app, &it.field);
            let default = it.field.default.as_ref().and_then(|default| expr::resolve(app, default).ok());
            input.push((field, default.map(|default| default.expr), it.from_trigger.as_ref().map(|value| expr::resolve(app, value))));
        }
        let mut output = Vec::new();
        for it in &stored.output {
            output.push((ValueField::resolve(app, &it.field), it.value.as_ref().map(|value| expr::resolve(app, value))));
        }
        Ok(Definition {
            version: version(text),
            text: text.to_owned(),
            input,
            output,
            flow: control_flow(&stored),
            steps: stored.steps.iter().map(|step| StepDef::resolve(app, step)).collect(),
            compensations: stored.compensations.iter().map(|step| StepDef::resolve(app, step)).collect(),
            name: stored.name,
            title: stored.title,
            trigger: stored.trigger,
            when: stored.when.as_ref().map(|when| expr::resolve_condition(app, when)),
            own_fields: stored.own_fields,
            overlap: stored.overlap,
            emits: stored.emits,
        })
    }

    /// The inputs with their defaults at a time.
    pub fn input_fields(&self, app: &'static AppDef, now: DateTime<Utc>) -> Vec<(ValueField, Json)> {
        let caller = Caller::system(app, now);
        let value = |field: &ValueField, default: &Option<Expr>| {
            default.as_ref().map_or(Json::Null, |default| field.ty.to_json(&constant(default, &caller, app)))
        };
        self.input.iter().map(|(field, default, _)| (*field, value(field, default))).collect()
    }
}

/// The code of the error of a run whose description or names the application no longer knows.
pub(crate) const GONE: &str = "GONE";

fn unreadable(why: &str) -> Error {
    let error = Error::internal(format_args!("the description of a process cannot be read: {why}"));
    let detail = "The process was started by another version of the application, and its description cannot be read".to_owned();
    Error { status: 409, code: GONE, detail, ..error }
}

/// The version of a description.
pub(super) fn version(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn control_flow(stored: &stored::Process) -> Flow {
    let targets = |task: &stored::Task| task.outcomes.iter().map(|outcome| outcome.goto).collect();
    let action = |action: &stored::Action| match action {
        stored::Action::Service(_) | stored::Action::LlmIntent(_) => flow::Action::Call,
        stored::Action::Subprocess(_) => flow::Action::Subprocess,
        stored::Action::HumanTask(task) => flow::Action::Task(targets(task)),
        stored::Action::WaitFor(time) => flow::Action::WaitFor(*time),
        stored::Action::WaitSignal(name) => flow::Action::WaitSignal(name.clone()),
        stored::Action::Condition { on_true, on_false, .. } => flow::Action::Condition { on_true: *on_true, on_false: *on_false },
        stored::Action::Parallel { branches, on_any_failure } => {
            flow::Action::Parallel { branches: branches.clone(), on_any_failure: *on_any_failure }
        }
        stored::Action::Effects => flow::Action::Effects,
    };
    // An effects step applies its effects as its action.
    let has_effects = |step: &stored::Step| !step.effects.is_empty() && !matches!(step.action, stored::Action::Effects);
    let steps = stored.steps.iter().map(|step| flow::Step {
        action: action(&step.action),
        parent: step.parent,
        has_effects: has_effects(step),
        timeout: step.timeout,
        retry: step.retry,
        next: step.next,
        on_failure: step.on_failure,
        compensate: step.compensate,
    });
    let compensations = stored.compensations.iter().map(|it| flow::Compensation {
        action: action(&it.action),
        has_effects: has_effects(it),
        timeout: it.timeout,
        retry: it.retry,
    });
    Flow { steps: steps.collect(), compensations: compensations.collect(), timeout: stored.timeout }
}

impl StepDef {
    fn resolve(app: &'static AppDef, step: &stored::Step) -> StepDef {
        let action = match &step.action {
            stored::Action::Service(name) => ActionDef::Service(name.clone()),
            stored::Action::LlmIntent(name) => ActionDef::LlmIntent(name.clone()),
            stored::Action::Subprocess(name) => ActionDef::Subprocess(name.clone()),
            stored::Action::HumanTask(task) => ActionDef::Task(Box::new(TaskDef::resolve(app, task))),
            stored::Action::Condition { condition, .. } => ActionDef::Condition(expr::resolve(app, condition)),
            stored::Action::WaitFor(_) | stored::Action::WaitSignal(_) | stored::Action::Parallel { .. } | stored::Action::Effects => {
                ActionDef::Other
            }
        };
        StepDef {
            name: step.name.clone(),
            title: step.title.clone(),
            action,
            inputs: values(app, &step.inputs),
            effects: step.effects.iter().map(|effect| EffectDef::resolve(app, effect)).collect(),
        }
    }
}

impl TaskDef {
    fn resolve(app: &'static AppDef, task: &stored::Task) -> TaskDef {
        let outcomes = task.outcomes.iter().map(|outcome| OutcomeDef {
            name: outcome.name.clone(),
            title: outcome.title.clone(),
            confirm: outcome.confirm.clone(),
            sets: values(app, &outcome.sets),
        });
        TaskDef {
            surface: task.surface.clone(),
            entity: task.entity.clone(),
            row: task.row.as_ref().map(|row| expr::resolve(app, row)),
            role: task.assignee_role.clone(),
            assignee: task.assignee.as_ref().map(|value| expr::resolve(app, value)),
            outcomes: outcomes.collect(),
        }
    }
}

impl EffectDef {
    fn resolve(app: &'static AppDef, effect: &stored::Effect) -> EffectDef {
        let rows = |rows: &stored::Rows| RowsDef {
            entity: rows.entity.clone(),
            row: rows.row.as_ref().map(|row| expr::resolve(app, row)),
            condition: rows.condition.as_ref().map(|condition| expr::resolve(app, condition)),
        };
        match effect {
            stored::Effect::Create { entity, values: of } => EffectDef::Create { entity: entity.clone(), values: values(app, of) },
            stored::Effect::Update { rows: which, values: of } => EffectDef::Update { rows: rows(which), values: values(app, of) },
            stored::Effect::Delete(which) => EffectDef::Delete(rows(which)),
            stored::Effect::Emit(signal) => EffectDef::Emit(signal.clone()),
        }
    }
}

fn values(app: &'static AppDef, values: &[(String, stored::Expr)]) -> Vec<(String, MaybeBound)> {
    values.iter().map(|(name, value)| (name.clone(), expr::resolve(app, value))).collect()
}

/// The processes of the application, and the versions of open runs.
pub(crate) struct Processes {
    app: &'static AppDef,
    /// Those that the application declares.
    pub declared: Vec<Arc<Definition>>,
    /// The names and titles of schedules with steps of their own.
    pub scheduled: Vec<(String, String)>,
    /// Those of open runs, by their version.
    others: Mutex<HashMap<String, Arc<Definition>>>,
    /// The entities of tasks that were open at the start of this instance, once they are known.
    pub task_entities: OnceLock<Vec<String>>,
}

impl Processes {
    /// Reads the processes of an application.
    ///
    /// # Errors
    /// 500 for a description that cannot be read.
    pub fn read(app: &'static AppDef) -> Result<Processes> {
        let declared: Vec<Arc<Definition>> =
            app.processes.iter().map(|text| Definition::read(app, text).map(Arc::new)).collect::<Result<_>>()?;
        let mut scheduled = Vec::new();
        for schedule in app.schedules {
            let stored: stored::Process = serde_json::from_str(schedule.flow).map_err(|error| unreadable(&error.to_string()))?;
            if declared.iter().all(|process| process.name != stored.name) {
                scheduled.push((stored.name, stored.title));
            }
        }
        Ok(Processes { app, declared, scheduled, others: Mutex::default(), task_entities: OnceLock::new() })
    }

    /// The current version of a process.
    pub fn find(&self, name: &str) -> Option<&Arc<Definition>> {
        self.declared.iter().find(|it| it.name == name)
    }

    /// A version that this instance has read.
    pub fn find_version(&self, name: &str, version: &str) -> Option<Arc<Definition>> {
        if let Some(current) = self.find(name).filter(|it| it.version == version) {
            return Some(Arc::clone(current));
        }
        self.others.lock().unwrap_or_else(PoisonError::into_inner).get(version).cloned()
    }

    /// The version with which a run started.
    ///
    /// # Errors
    /// 500 for a description that cannot be read.
    pub fn version(&self, name: &str, version: &str, text: &str) -> Result<Arc<Definition>> {
        if let Some(known) = self.find_version(name, version) {
            return Ok(known);
        }
        let read = Arc::new(Definition::read(self.app, text)?);
        self.others.lock().unwrap_or_else(PoisonError::into_inner).insert(version.to_owned(), Arc::clone(&read));
        Ok(read)
    }
}
