//! The page of enums, with the glossary.

use super::{
    Docs, Draft,
    escape::{code, markdown},
    heading, paragraph, table,
};
use crate::model::EntityId;

impl Docs<'_> {
    pub(super) fn enums_page(&self) -> Draft {
        let path = "enums.md".to_owned();
        let mut text = heading("Enums and glossary");
        for it in &self.model.enums {
            text.push_str(&format!("## {}\n\n", markdown(&it.name)));
            paragraph(&mut text, it.title.as_deref());
            if let Some((entity, field)) = it.owner {
                let name = markdown(&self.model.field(entity, field).name);
                text.push_str(&format!("The values of {name} of {}.\n\n", self.entity_link(entity, &path)));
            }
            if it.ordered {
                text.push_str("The values are ordered.\n\n");
            }
            let rows: Vec<Vec<String>> = it.values.iter().map(|value| vec![code(&value.name), markdown(&value.title)]).collect();
            table(&mut text, &["Value", "Title"], &rows);
        }
        text.push_str("## Glossary\n\n");
        let mut terms: Vec<(String, Vec<String>)> = self.terms(&path);
        terms.sort_by_key(|(term, cells)| (term.to_lowercase(), cells.clone()));
        let rows: Vec<Vec<String>> = terms.into_iter().map(|(_, cells)| cells).collect();
        table(&mut text, &["Term", "Name", "Meaning"], &rows);
        Draft { title: "Enums and glossary".to_owned(), path, text }
    }

    /// The titles of the application, each with its name and meaning.
    fn terms(&self, path: &str) -> Vec<(String, Vec<String>)> {
        let meaning = |sentence: Option<&String>| sentence.map(|text| markdown(text)).unwrap_or_default();
        let entities = self.model.entities.iter().enumerate().map(|(at, it)| {
            let cells = vec![markdown(&it.title), self.entity_link(EntityId(at), path), meaning(it.intent.as_ref())];
            (it.title.clone(), cells)
        });
        let personas = self.model.personas.iter().enumerate().map(|(at, it)| {
            let cells = vec![markdown(&it.title), self.role(crate::model::RoleId(at), path), meaning(it.description.as_ref())];
            (it.title.clone(), cells)
        });
        entities.chain(personas).collect()
    }
}
