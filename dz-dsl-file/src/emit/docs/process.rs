//! The page of a process, and that of the schedules.

use super::{
    Docs, Draft, bullets,
    entity::changed,
    escape::{code, markdown},
    graph, heading, mermaid, table,
};
use crate::{
    emit::expression,
    model::{Effect, Flow, ProcessId, Runs, Step, StepAction, Trigger, When, Word},
};

impl Docs<'_> {
    pub(super) fn process_page(&self, id: ProcessId) -> Draft {
        let process = &self.model.processes[id.0];
        let path = format!("processes/{}.md", process.name);
        let mut text = heading(&process.title);
        text.push_str(&format!("- Name: {}\n- Trigger: {}\n", code(&process.name), self.trigger(&process.trigger, &path)));
        text.push_str(&format!("- If it is started while it runs: {}\n", markdown(process.overlap.word())));
        if let Some(timeout) = process.timeout {
            text.push_str(&format!("- Timeout: {}\n", expression::duration(timeout)));
        }
        for story in &process.implements {
            text.push_str(&format!("- Implements {}\n", super::story::story_link(&self.model.stories[story.it.0], &path)));
        }
        for signal in &process.emits {
            text.push_str(&format!("- Sends the signal {}\n", code(&signal.signal.name)));
        }
        text.push('\n');
        let inputs: Vec<_> = process.input.iter().map(|it| self.value_row(&it.field, &path)).collect();
        let outputs: Vec<_> = process.output.iter().map(|it| self.value_row(&it.field, &path)).collect();
        for (title, rows) in [("Input", inputs), ("Output", outputs)] {
            if !rows.is_empty() {
                text.push_str(&format!("## {title}\n\n"));
                table(&mut text, &["Name", "Type", "Rules"], &rows);
            }
        }
        self.steps(&mut text, &process.flow, &path);
        Draft { title: process.title.clone(), path, text }
    }

    fn trigger(&self, trigger: &Trigger, path: &str) -> String {
        match trigger {
            Trigger::Manual(roles) if roles.is_empty() => "an administrator or another process".to_owned(),
            Trigger::Manual(roles) => format!("{}, or another process", self.roles(roles, path)),
            Trigger::Entity { entity, event } => format!("a row of {} is {}", self.entity_link(entity.it, path), event.word()),
            Trigger::Change { entity, field, from, to } => {
                let field = self.model.field(entity.it, field.it);
                let values = field.ty.enumeration().map(|id| &self.model.enums[id.0].values);
                let value = |at: usize| code(values.and_then(|values| values.get(at)).map_or("", |value| value.name.as_str()));
                let before = from.map(|from| format!(" from {}", value(from.it))).unwrap_or_default();
                let entity = self.entity_link(entity.it, path);
                format!("{} of a row of {entity} changes{before} to {}", markdown(&field.name), value(to.it))
            }
            Trigger::Signal(signal) => format!("the signal {}", code(&signal.name)),
            Trigger::Completed(process) => format!("{} is completed", self.process_link(process.it, path)),
            Trigger::Cron(cron) => format!("the times {}", code(&cron.text)),
        }
    }

    fn steps(&self, text: &mut String, flow: &Flow, path: &str) {
        text.push_str("## Steps\n\n");
        mermaid(text, &graph::flowchart(flow));
        let rows: Vec<Vec<String>> = flow.steps.iter().map(|step| self.step_row(step, path)).collect();
        table(text, &["Step", "Action", "Details"], &rows);
        let compensations = flow.compensations.iter().map(|it| format!("{}: {}", markdown(&it.title), self.action(&it.action, path)));
        bullets(text, "Compensations", &compensations.collect::<Vec<_>>());
    }

    fn step_row(&self, step: &Step, path: &str) -> Vec<String> {
        let mut details: Vec<String> = step.inputs.iter().map(|it| format!("input {}", self.source_text(it.span))).collect();
        details.extend(step.effects.iter().map(|effect| self.effect(effect, path)));
        details.extend(step.timeout.map(|it| format!("timeout {}", expression::duration(it))));
        details.extend(step.retry.map(|it| {
            format!("at most {} attempts, {} delays from {}", it.max_attempts, it.backoff.word(), expression::duration(it.interval))
        }));
        vec![markdown(&step.title), self.action(&step.action, path), details.join("; ")]
    }

    fn effect(&self, effect: &Effect, path: &str) -> String {
        let entity = changed(effect).map(|id| self.entity_link(id, path)).unwrap_or_default();
        match effect {
            Effect::Create { .. } => format!("creates a row of {entity}"),
            Effect::Update { .. } => format!("changes rows of {entity}"),
            Effect::Delete { .. } => format!("deletes rows of {entity}"),
            Effect::Emit(signal) => format!("sends the signal {}", code(&signal.name)),
        }
    }

    fn action(&self, action: &StepAction, path: &str) -> String {
        match action {
            StepAction::Service(service) => format!("service {}", self.service_link(service.it, path)),
            StepAction::Subprocess(process) => format!("process {}", self.process_link(process.it, path)),
            StepAction::LlmIntent(intent) => {
                let intent = &self.model.llm_intents[intent.it.0];
                let anchor = super::escape::anchor(&intent.name);
                format!("question {}", super::link(&intent.title, &format!("intents.md#{anchor}"), path))
            }
            StepAction::HumanTask(task) => {
                let page = task.surface.map(|surface| format!(" on {}", self.surface_link(surface.it, path))).unwrap_or_default();
                let role = task.assignee_role.map(|role| format!(" for {}", self.role(role.it, path))).unwrap_or_default();
                let outcomes: Vec<String> = task.outcomes.iter().map(|outcome| markdown(&outcome.title)).collect();
                format!("task{role}{page} with a row of {}: {}", self.entity_link(task.entity.it, path), outcomes.join(", "))
            }
            StepAction::WaitFor(duration) => format!("waits {}", expression::duration(*duration)),
            StepAction::WaitSignal(signal) => format!("waits for the signal {}", code(&signal.name)),
            StepAction::Condition { condition, .. } => format!("condition {}", self.source_text(condition.span)),
            StepAction::Parallel { branches, on_any_failure } => {
                format!("{} steps at the same time; after a failure: {}", branches.len(), markdown(on_any_failure.word()))
            }
            StepAction::Effects => "effects".to_owned(),
        }
    }

    /// A page with every schedule; none without schedules.
    pub(super) fn schedules_page(&self) -> Option<Draft> {
        let path = "schedules.md".to_owned();
        let mut text = heading("Schedules");
        for schedule in &self.model.schedules {
            let times = match &schedule.when {
                When::Cron(cron) => format!("{} in {}", code(&cron.text), markdown(&schedule.timezone)),
                When::Every(duration) => format!("every {}", expression::duration(*duration)),
            };
            text.push_str(&format!("## {}\n\n- Times: {times}\n", markdown(&schedule.title)));
            match &schedule.runs {
                Runs::Process(process) => text.push_str(&format!("- Runs {}\n\n", self.process_link(process.it, &path))),
                Runs::Flow(flow) => {
                    text.push('\n');
                    mermaid(&mut text, &graph::flowchart(flow));
                    let rows: Vec<Vec<String>> = flow.steps.iter().map(|step| self.step_row(step, &path)).collect();
                    table(&mut text, &["Step", "Action", "Details"], &rows);
                }
            }
        }
        (!self.model.schedules.is_empty()).then(|| Draft { title: "Schedules".to_owned(), path, text })
    }
}
