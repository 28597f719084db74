//! The page of a workspace.

use super::{
    Docs, Draft, bullets,
    escape::{code, markdown},
    heading, paragraph,
};
use crate::{
    emit::expression,
    model::{Region, Source, Word, WorkspaceId},
};

impl Docs<'_> {
    pub(super) fn workspace_page(&self, id: WorkspaceId) -> Draft {
        let workspace = &self.model.workspaces[id.0];
        let path = format!("workspaces/{}.md", workspace.name);
        let mut text = heading(&workspace.title);
        paragraph(&mut text, workspace.purpose.as_deref());
        text.push_str(&format!("- Address: {}\n", code(&format!("/app/{}", workspace.name))));
        if let Some(access) = &workspace.access {
            text.push_str(&format!("- Access: {}\n", self.audience(access, &path)));
        }
        text.push('\n');
        for region in &workspace.regions {
            self.region(&mut text, region, &path);
        }
        let starts = self.model.personas.iter().enumerate().filter(|(_, it)| it.default_workspace.is_some_and(|it| it.it == id));
        let starts: Vec<String> = starts.map(|(at, _)| self.role(crate::model::RoleId(at), &path)).collect();
        bullets(&mut text, "Start page of", &starts);
        let variants = workspace.variants.iter().map(|variant| {
            let names = |word: &str, places: &[crate::model::Placed<usize>]| {
                let names: Vec<String> =
                    places.iter().filter_map(|it| workspace.regions.get(it.it)).map(|it| markdown(&it.title)).collect();
                (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")))
            };
            let parts: Vec<String> = [
                variant.purpose.as_ref().map(|text| markdown(text)),
                names("shows", &variant.show),
                names("hides", &variant.hide),
                names("begins with", &variant.focus),
                variant.read_only.then(|| "read-only".to_owned()),
            ]
            .into_iter()
            .flatten()
            .collect();
            format!("{}: {}", self.roles(&variant.personas, &path), parts.join("; "))
        });
        bullets(&mut text, "Variants", &variants.collect::<Vec<_>>());
        Draft { title: workspace.title.clone(), path, text }
    }

    fn region(&self, text: &mut String, region: &Region, path: &str) {
        text.push_str(&format!("## {}\n\n- Display: {}\n", markdown(&region.title), markdown(region.display.word())));
        for source in &region.sources {
            text.push_str(&format!("- {}\n", self.source(source, path)));
        }
        for metric in &region.metrics {
            let entities: Vec<String> = metric.entities.iter().map(|entity| self.entity_link(*entity, path)).collect();
            let of = if entities.is_empty() { String::new() } else { format!(" of {}", entities.join(", ")) };
            text.push_str(&format!("- Metric {}{of}\n", markdown(&metric.title)));
        }
        if let Some(button) = &region.button {
            text.push_str(&format!("- Button: {}\n", self.opening(button, path)));
        }
        if let Some(empty) = &region.empty {
            text.push_str(&format!("- Empty region: {}\n", markdown(empty)));
        }
        text.push('\n');
    }

    fn source(&self, source: &Source, path: &str) -> String {
        let parts: Vec<String> = [
            Some(format!("Rows of {}", self.entity_link(source.entity, path))),
            source.filter.as_ref().map(|filter| format!("with {}", code(&expression::text(self.model, source.entity, &filter.it)))),
            (!source.sort.is_empty()).then(|| format!("ordered by {}", self.sort_text(&source.sort))),
            source.group_by.as_ref().map(|group| format!("grouped by {}", self.field_path(&group.path))),
            source.action.as_ref().map(|action| format!("each opens {}", self.opening(action, path))),
        ]
        .into_iter()
        .flatten()
        .collect();
        parts.join(", ")
    }
}
