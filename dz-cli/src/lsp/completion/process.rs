//! Completion in services, processes, experiences and language models: the steps, entities and words that a key takes.

use lsp_types::CompletionItemKind;

use super::{Offer, begins_item};
use crate::lsp::{
    context::{Context, head},
    names::Declares,
};

impl Offer<'_> {
    /// Offers what a line of a flow takes; false for a line of another kind.
    pub(super) fn flow_line(&mut self, context: &Context<'_>, construct: &str, before: &str) -> bool {
        let (key, after) = (head(before), before.trim_end());
        let is_value = after.ends_with(':');
        match (construct, key) {
            ("service" | "process", _) if matches!(context.block(), "input" | "output") && before.contains(':') => {
                self.field_line(before, None);
            }
            ("process" | "schedule", "on_success" | "on_failure" | "on_true" | "on_false" | "goto") if is_value => {
                self.steps(context);
                self.plain(&["complete", "fail"]);
            }
            ("process", "trigger" | "when") => self.trigger(after),
            ("process", "assignee_role") if is_value => self.declared(|it| matches!(it, Declares::Persona(_))),
            ("process", "entity") if is_value => self.declared(|it| matches!(it, Declares::Entity(_))),
            ("experience", "on" | "start") => match after {
                "on" => self.words("event of a step"),
                after if after.ends_with("step") => self.steps(context),
                _ => {}
            },
            ("llm_intent", "on_entity" | "output_schema") if is_value => self.declared(|it| matches!(it, Declares::Entity(_))),
            ("llm_intent", "on_event") if begins_item(after, key) => self.words("event of a row"),
            ("llm_intent", "model") | ("llm_config", "default_model") if is_value => {
                self.declared(|it| matches!(it, Declares::LlmModel(_)));
            }
            _ => return false,
        }
        true
    }

    /// The steps of the process or experience around the position.
    fn steps(&mut self, context: &Context<'_>) {
        let name = context.name();
        let model = self.names.model();
        self.declared(|it| {
            let of_process = matches!(it, Declares::Step(id, _) if model.processes.get(id.0).is_some_and(|it| it.name == name));
            of_process || matches!(it, Declares::ExperienceStep(at, _) if model.experiences.get(at).is_some_and(|it| it.name == name))
        });
    }

    /// What starts a process: an event of a row, a change of its state, or something else.
    fn trigger(&mut self, after: &str) {
        let Some((_, of)) = after.split_once(':') else { return };
        let words: Vec<&str> = of.split_whitespace().collect();
        let model = self.names.model();
        let named = |name: &str| model.entities.iter().find(|entity| entity.name == name);
        match words.as_slice() {
            [] => self.words("start of a process"),
            ["entity"] => self.declared(|it| matches!(it, Declares::Entity(_))),
            ["entity", name] => {
                self.words("event of a row");
                let fields = named(name).into_iter().flat_map(|entity| &entity.fields);
                for field in fields.filter(|field| field.ty.enumeration().is_some() && !field.secret) {
                    self.item(&field.name, CompletionItemKind::FIELD, Some(&field.title), None);
                }
            }
            ["entity", name, field] | ["entity", name, field, .., "->"] => {
                let found = named(name).and_then(|entity| entity.fields.iter().find(|it| it.name == *field));
                let values = found.and_then(|field| field.ty.enumeration()).map(|id| &model.enums[id.0].values);
                values.into_iter().flatten().for_each(|it| self.item(&it.name, CompletionItemKind::ENUM_MEMBER, Some(&it.title), None));
            }
            ["process"] => self.declared(|it| matches!(it, Declares::Process(_))),
            ["process", _] => self.plain(&["completed"]),
            _ => {}
        }
    }
}
