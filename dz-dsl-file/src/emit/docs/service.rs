//! The page of a service, and that of the questions to language models.

use super::{
    Docs, Draft, bullets,
    escape::{code, markdown},
    heading, paragraph, table,
};
use crate::model::{Callee, PromptPart, ServiceId, StepAction, ValueField, Word};

impl Docs<'_> {
    pub(super) fn service_page(&self, id: ServiceId) -> Draft {
        let service = &self.model.services[id.0];
        let path = format!("services/{}.md", service.name);
        let mut text = heading(&service.title);
        text.push_str(&format!("- Name: {}\n- Kind: {}\n", code(&service.name), markdown(service.kind.word())));
        if let Some(stub) = service.stub {
            text.push_str(&format!("- Implemented in {}\n", stub.word()));
        }
        if let Some(owner) = service.adapter.as_ref().and_then(|it| it.owner.as_ref()) {
            text.push_str(&format!("- Owner: {}\n", markdown(owner)));
        }
        text.push('\n');
        self.values(&mut text, "Input", &service.input, &path);
        self.values(&mut text, "Output", &service.output, &path);
        let guarantees: Vec<String> = service.guarantees.iter().map(|text| markdown(text)).collect();
        bullets(&mut text, "Guarantees", &guarantees);
        let calls = |action: &StepAction| action.callee().is_some_and(|callee| callee.it == Callee::Service(id));
        let processes = self.model.processes.iter().enumerate().filter(|(_, process)| {
            let flow = &process.flow;
            flow.steps.iter().map(|step| &step.action).chain(flow.compensations.iter().map(|it| &it.action)).any(calls)
        });
        let processes: Vec<String> = processes.map(|(at, _)| self.process_link(crate::model::ProcessId(at), &path)).collect();
        bullets(&mut text, "Called by", &processes);
        Draft { title: service.title.clone(), path, text }
    }

    fn values(&self, text: &mut String, title: &str, fields: &[ValueField], path: &str) {
        if !fields.is_empty() {
            text.push_str(&format!("## {title}\n\n"));
            let rows: Vec<Vec<String>> = fields.iter().map(|field| self.value_row(field, path)).collect();
            table(text, &["Name", "Type", "Rules"], &rows);
        }
    }

    /// A page with every question to a language model; none without questions.
    pub(super) fn intents_page(&self) -> Option<Draft> {
        let path = "intents.md".to_owned();
        let mut text = heading("Questions to language models");
        for intent in &self.model.llm_intents {
            text.push_str(&format!("## {}\n\n", markdown(&intent.name)));
            paragraph(&mut text, Some(&intent.title));
            paragraph(&mut text, intent.description.as_deref());
            let model = &self.model.llm_models[intent.model.it.0];
            text.push_str(&format!("- Model: {}, {}\n", markdown(&model.title), code(&model.model_id)));
            if let Some(entity) = intent.output_schema {
                text.push_str(&format!("- Answer: the fields of {}\n", self.entity_link(entity.it, &path)));
            }
            let prompt = intent.prompt.iter().map(|part| match part {
                PromptPart::Text(text) => text.clone(),
                PromptPart::Input(at, path) => intent.input.get(*at).map_or_else(String::new, |input| {
                    let fields = path.iter().flat_map(|path| path.fields(&self.model.entities));
                    let names: Vec<&str> = std::iter::once(input.name.as_str()).chain(fields.map(|field| field.name.as_str())).collect();
                    format!("[{}]", names.join("."))
                }),
            });
            text.push_str(&format!("- Question: {}\n\n", markdown(&prompt.collect::<String>())));
            let rows: Vec<Vec<String>> = intent.input.iter().map(|field| self.value_row(field, &path)).collect();
            table(&mut text, &["Input", "Type", "Rules"], &rows);
        }
        (!self.model.llm_intents.is_empty()).then(|| Draft { title: "Questions to language models".to_owned(), path, text })
    }
}
