//! Steps, compensations, human tasks and effects.

use super::{Json, delay, expr};
use crate::model::{
    Argument, Compensation, Effect, EntityId, Expr, FieldId, HumanTask, Model, Placed, Process, Retry, Rows, Step, StepAction, Target,
    TargetKind, WhichRows, Word as _,
};

/// Describes the parts of a process.
pub(super) struct Describe<'m> {
    pub model: &'m Model,
    pub process: &'m Process,
}

impl Describe<'_> {
    pub fn expr(&self, expr: &Expr) -> Json {
        expr::describe(self.model, Some(self.process), expr)
    }

    pub fn step(&self, step: &Step) -> Json {
        let timeout = step.timeout.or_else(|| step.task().and_then(|task| task.timeout));
        Json::object([
            ("name", Json::text(&step.name)),
            ("title", Json::text(&step.title)),
            ("action", self.action(&step.action)),
            ("parent", Json::optional(step.parent.map(|parent| Json::index(parent.0)))),
            ("inputs", self.inputs(&step.action, &step.inputs)),
            ("effects", self.effects(&step.effects)),
            ("timeout", delay(timeout)),
            ("retry", retry(step.retry)),
            ("next", target(step.next)),
            ("on_failure", target(step.on_failure)),
            ("compensate", Json::optional(step.compensate.map(|it| Json::index(it.it.0)))),
        ])
    }

    pub fn compensation(&self, it: &Compensation) -> Json {
        Json::object([
            ("name", Json::text(&it.name)),
            ("title", Json::text(&it.title)),
            ("action", self.action(&it.action)),
            ("inputs", self.inputs(&it.action, &it.inputs)),
            ("effects", self.effects(&it.effects)),
            ("timeout", delay(it.timeout)),
            ("retry", retry(it.retry)),
        ])
    }

    fn action(&self, action: &StepAction) -> Json {
        match action {
            StepAction::Service(service) => Json::tagged("service", Json::text(&self.model.services[service.it.0].name)),
            StepAction::Subprocess(process) => Json::tagged("subprocess", Json::text(&self.model.processes[process.it.0].name)),
            StepAction::LlmIntent(intent) => Json::tagged("llm_intent", Json::text(&self.model.llm_intents[intent.it.0].name)),
            StepAction::HumanTask(task) => Json::tagged("human_task", self.task(task)),
            StepAction::WaitFor(time) => Json::tagged("wait_for", delay(Some(*time))),
            StepAction::WaitSignal(signal) => Json::tagged("wait_signal", Json::text(&signal.name)),
            StepAction::Condition { condition, on_true, on_false } => Json::tagged(
                "condition",
                Json::object([("condition", self.expr(&condition.it)), ("on_true", target(*on_true)), ("on_false", target(*on_false))]),
            ),
            StepAction::Parallel { branches, on_any_failure } => Json::tagged(
                "parallel",
                Json::object([
                    ("branches", Json::list(branches.iter().map(|branch| Json::index(branch.0)))),
                    ("on_any_failure", Json::text(on_any_failure.word())),
                ]),
            ),
            StepAction::Effects => Json::text("effects"),
        }
    }

    /// The values of the inputs of a call, with the names of the inputs.
    fn inputs(&self, action: &StepAction, arguments: &[Argument]) -> Json {
        let model = self.model;
        let name = |at: usize| {
            if let StepAction::Service(service) = action {
                model.services[service.it.0].input.get(at).map(|field| field.name.as_str())
            } else if let StepAction::Subprocess(process) = action {
                model.processes[process.it.0].input.get(at).map(|input| input.field.name.as_str())
            } else if let StepAction::LlmIntent(intent) = action {
                model.llm_intents[intent.it.0].input.get(at).map(|field| field.name.as_str())
            } else {
                None
            }
        };
        let named = arguments.iter().filter_map(|it| Some(Json::list([Json::text(name(it.input.it)?), self.expr(&it.value)])));
        Json::list(named)
    }

    fn task(&self, task: &HumanTask) -> Json {
        let surface = task.surface.map(|surface| Json::text(&self.model.surfaces[surface.it.0].name));
        let role = task.assignee_role.map(|role| Json::text(&self.model.personas[role.it.0].name));
        let outcomes = task.outcomes.iter().map(|outcome| {
            Json::object([
                ("name", Json::text(&outcome.name)),
                ("title", Json::text(&outcome.title)),
                ("goto", target(outcome.goto)),
                ("sets", self.values(task.entity.it, &outcome.sets)),
                ("confirm", Json::optional(outcome.confirm.as_ref().map(Json::text))),
            ])
        });
        Json::object([
            ("surface", Json::optional(surface)),
            ("entity", Json::text(&self.model.entity(task.entity.it).name)),
            ("row", Json::optional(task.row.as_ref().map(|row| self.expr(row)))),
            ("assignee_role", Json::optional(role)),
            ("assignee", Json::optional(task.assignee.as_ref().map(|value| self.expr(value)))),
            ("outcomes", Json::list(outcomes)),
        ])
    }

    fn effects(&self, effects: &[Effect]) -> Json {
        Json::list(effects.iter().map(|effect| match effect {
            Effect::Create { entity, values } => Json::tagged(
                "create",
                Json::object([("entity", Json::text(&self.model.entity(entity.it).name)), ("values", self.values(entity.it, values))]),
            ),
            Effect::Update { rows, values } => {
                Json::tagged("update", Json::object([("rows", self.rows(rows)), ("values", self.values(rows.entity.it, values))]))
            }
            Effect::Delete { rows } => Json::tagged("delete", self.rows(rows)),
            Effect::Emit(signal) => Json::tagged("emit", Json::text(&signal.name)),
        }))
    }

    fn rows(&self, rows: &Rows) -> Json {
        let (row, condition) = match &rows.which {
            WhichRows::Row(row) => (self.expr(row), Json::Null),
            WhichRows::Where(condition) => (Json::Null, self.expr(&condition.it)),
        };
        Json::object([("entity", Json::text(&self.model.entity(rows.entity.it).name)), ("row", row), ("where", condition)])
    }

    /// Values of fields, with the names of the fields.
    fn values(&self, entity: EntityId, values: &[(Placed<FieldId>, Expr)]) -> Json {
        let named =
            values.iter().map(|(field, value)| Json::list([Json::text(&self.model.field(entity, field.it).name), self.expr(value)]));
        Json::list(named)
    }
}

fn target(target: Target) -> Json {
    match target.to {
        TargetKind::Step(step) => Json::tagged("step", Json::index(step.0)),
        TargetKind::Complete => Json::text("complete"),
        TargetKind::Fail => Json::text("fail"),
    }
}

fn retry(retry: Option<Retry>) -> Json {
    Json::optional(retry.map(|it| {
        Json::object([
            ("max_attempts", Json::Int(it.max_attempts.into())),
            ("backoff", Json::text(it.backoff.word())),
            ("interval", delay(Some(it.interval))),
        ])
    }))
}
