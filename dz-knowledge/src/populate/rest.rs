//! The application, its modules and its demo data.

use std::collections::BTreeMap;

use dz_dsl_file::{Span, model::EntityId};
use serde_json::{Map, Value, json};

use super::Populate;
use crate::Kind;

pub(super) fn add(it: &mut Populate<'_>) {
    let model = it.model;
    let app = &model.app;
    if let Some(span) = app.span {
        let extra: Map<String, Value> = app.extra.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect();
        let details = json!({
            "description": app.description,
            "timezone": app.timezone,
            "locale": app.locale,
            "multi_tenant": app.multi_tenant,
            "extra": extra,
        });
        it.node(Kind::App, &app.name, &app.title, span, details);
    }
    for module in &model.modules {
        let Some(span) = module.files.first() else { continue };
        let files: Vec<&str> = module.files.iter().map(|span| it.files.file(span.file).name.as_str()).collect();
        let inside = model.imports.iter().filter(|import| module.files.iter().any(|span| span.file == import.file));
        let mut uses: Vec<&str> = inside.map(|import| import.module.as_str()).collect();
        uses.sort_unstable();
        uses.dedup();
        it.node(Kind::Module, &module.name, &module.name, *span, json!({ "files": files, "uses": uses }));
    }
    let mut rows: BTreeMap<EntityId, (Span, usize)> = BTreeMap::new();
    for row in &model.demo {
        rows.entry(row.entity).or_insert((row.span, 0)).1 += 1;
    }
    for (entity, (span, count)) in rows {
        let entity = model.entity(entity);
        let details = json!({ "entity": entity.name, "rows": count });
        it.node(Kind::Demo, &entity.name, &format!("Demo data of {}", entity.title_plural), span, details);
    }
}
