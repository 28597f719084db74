//! The page of a surface.

use super::{
    Docs, Draft, bullets,
    escape::{code, markdown},
    heading, paragraph, surface_path, table,
};
use crate::model::{Audience, Column, Opening, Path, SectionBody, SortKey, Surface, SurfaceId, Variant, Word};

impl Docs<'_> {
    pub(super) fn surface_page(&self, id: SurfaceId) -> Draft {
        let surface = &self.model.surfaces[id.0];
        let path = surface_path(&surface.name);
        let mut text = heading(&surface.title);
        paragraph(&mut text, surface.purpose.as_deref());
        let address = surface.route.clone().unwrap_or_else(|| format!("/app/{}", surface.name));
        text.push_str(&format!(
            "- Address: {}\n- Entity: {}\n- Mode: {}\n",
            code(&address),
            self.entity_link(surface.entity, &path),
            surface.mode.word()
        ));
        if let Some(access) = &surface.access {
            text.push_str(&format!("- Access: {}\n", self.audience(access, &path)));
        }
        text.push('\n');
        for section in &surface.sections {
            let title = section.title.clone().unwrap_or_else(|| crate::names::humanise(&section.name));
            text.push_str(&format!("## {}\n\n", markdown(&title)));
            paragraph(&mut text, section.note.as_deref());
            let columns = match &section.body {
                SectionBody::Fields(columns) => columns,
                SectionBody::Nested(list) => {
                    text.push_str(&format!("Rows of {} that belong to the row.\n\n", self.entity_link(list.entity, &path)));
                    &list.columns
                }
            };
            let rows: Vec<Vec<String>> = columns.iter().map(|column| self.column_row(column)).collect();
            table(&mut text, &["Field", "Label", "Details"], &rows);
        }
        bullets(&mut text, "Related rows", &self.related(surface, &path));
        bullets(&mut text, "List", &self.list_behaviour(surface));
        let actions = surface
            .actions
            .iter()
            .map(|action| format!("{}: on {} opens {}", markdown(&action.title), action.event.word(), self.opening(&action.opens, &path)));
        bullets(&mut text, "Actions", &actions.collect::<Vec<_>>());
        let signals = surface
            .attention
            .iter()
            .map(|it| format!("{}: {} when {}", it.level.word(), markdown(&it.message), self.source_text(it.when.span)));
        bullets(&mut text, "Attention", &signals.collect::<Vec<_>>());
        let variants: Vec<String> = surface.variants.iter().map(|variant| self.variant(variant, &path)).collect();
        bullets(&mut text, "Variants", &variants);
        Draft { title: surface.title.clone(), path, text }
    }

    fn column_row(&self, column: &Column) -> Vec<String> {
        let details: Vec<String> = [
            column.help.as_ref().map(|help| markdown(help)),
            column.read_only.then(|| "read-only".to_owned()),
            column.widget.map(|widget| format!("widget {}", widget.word())),
            column.format.map(|format| format!("format {}", format.word())),
            column.when.as_ref().map(|when| format!("shown when {}", self.source_text(when.span))),
        ]
        .into_iter()
        .flatten()
        .collect();
        vec![self.field_path(&column.path), markdown(&column.label), details.join(", ")]
    }

    /// A path with dots.
    pub(super) fn field_path(&self, path: &Path) -> String {
        let names: Vec<&str> = path.fields(&self.model.entities).map(|field| field.name.as_str()).collect();
        markdown(&names.join("."))
    }

    pub(super) fn sort_text(&self, keys: &[SortKey]) -> String {
        let key = |key: &SortKey| format!("{}{}", self.field_path(&key.path), if key.descending { " descending" } else { "" });
        keys.iter().map(key).collect::<Vec<_>>().join(", ")
    }

    fn related(&self, surface: &Surface, path: &str) -> Vec<String> {
        let line = |it: &crate::model::Related| {
            let entities: Vec<String> = it.lists.iter().map(|list| self.entity_link(list.entity, path)).collect();
            format!("{}: {}", markdown(&it.title), entities.join(", "))
        };
        surface.related.iter().map(line).collect()
    }

    fn list_behaviour(&self, surface: &Surface) -> Vec<String> {
        let ux = &surface.ux;
        let paths = |word: &str, paths: &[crate::model::Placed<Path>]| {
            let names: Vec<String> = paths.iter().map(|path| self.field_path(&path.it)).collect();
            (!names.is_empty()).then(|| format!("{word}: {}", names.join(", ")))
        };
        let sort = (!ux.sort.is_empty()).then(|| format!("Order: {}", self.sort_text(&ux.sort)));
        let lines = [
            paths("Columns", &ux.show),
            sort,
            paths("Filters", &ux.filter),
            paths("Search", &ux.search),
            ux.empty.as_ref().map(|text| format!("Empty list: {}", markdown(text))),
        ];
        lines.into_iter().flatten().collect()
    }

    fn variant(&self, variant: &Variant, path: &str) -> String {
        let paths = |word: &str, paths: &[crate::model::Placed<Path>]| {
            let names: Vec<String> = paths.iter().map(|path| self.field_path(&path.it)).collect();
            (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")))
        };
        let parts: Vec<String> = [
            variant.purpose.as_ref().map(|text| markdown(text)),
            variant.scope.as_ref().map(|scope| format!("rows with {}", self.source_text(scope.span))),
            paths("shows", &variant.show),
            paths("hides", &variant.hide),
            variant.action_primary.as_ref().map(|it| format!("primary button opens {}", self.opening(it, path))),
            variant.read_only.then(|| "read-only".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        format!("{}: {}", self.roles(&variant.personas, path), parts.join("; "))
    }

    pub(super) fn opening(&self, opening: &Opening, path: &str) -> String {
        self.surface_link(opening.surface, path)
    }

    pub(super) fn audience(&self, audience: &Audience, path: &str) -> String {
        match audience {
            Audience::Public => "every caller".to_owned(),
            Audience::Authenticated => "every account".to_owned(),
            Audience::Personas(roles) => self.roles(roles, path),
            Audience::SystemAdmin => "system administrators".to_owned(),
            Audience::TenantAdmin => "administrators of the tenant".to_owned(),
        }
    }
}
