//! The frontend: a React application over the API, with a file for each entity in each folder.

mod code;
mod components;
mod hooks;
mod schemas;
mod tests;
mod types;

use dz_dsl_file::model::{Auto, Entity, EntityId, Field, Model};

use crate::{Tree, names};

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        /// The files that are the same for every application.
        const FILES: &[(&str, &str)] = &[$(($path, include_str!(concat!("../template/frontend/", $path))),)*];
    };
}

files!(
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
    "vitest.setup.ts",
    "src/api/client.ts",
    "src/api/kinds.ts",
    "src/api/problem.ts",
    "src/api/rows.ts",
    "src/api/session.ts",
    "src/api/uploads.ts",
    "src/api/client.test.ts",
    "src/App.tsx",
    "src/main.tsx",
    "src/router.ts",
    "src/router.test.ts",
    "src/styles.css",
    "src/ui/controls.tsx",
    "src/ui/fields.ts",
    "src/ui/fields.test.ts",
    "src/ui/files.test.tsx",
    "src/ui/files.tsx",
    "src/ui/messages.tsx",
    "src/ui/pages.ts",
    "src/ui/references.ts",
    "src/ui/row-detail.tsx",
    "src/ui/row-form.tsx",
    "src/ui/row-list.tsx",
    "src/ui/sign-in.tsx",
    "src/ui/testing.tsx",
    "src/ui/values.tsx",
);

/// Writes the frontend.
pub(crate) fn write(model: &Model, with_tests: bool, tree: &mut Tree) {
    for (path, text) in FILES.iter().filter(|(path, _)| with_tests || !is_test(path)) {
        tree.add(format!("frontend/{path}"), *text);
    }
    tree.add("frontend/.gitignore", include_str!("../template/frontend/gitignore"));
    tree.add("frontend/index.html", INDEX.replace("%TITLE%", &escape_html(&model.app.title)));
    tree.add("frontend/src/pages.ts", components::pages(model));
    tree.add("frontend/src/choices.ts", types::choices(model));
    for (at, entity) in model.entities.iter().enumerate() {
        let file = names::file(entity);
        for (name, text) in components::write(model, EntityId(at), with_tests) {
            tree.add(format!("frontend/src/components/{file}/{name}"), text);
        }
        tree.add(format!("frontend/src/types/{file}.ts"), types::write(model, entity));
        tree.add(format!("frontend/src/schemas/{file}.ts"), schemas::write(model, entity));
        tree.add(format!("frontend/src/hooks/{file}.ts"), hooks::write(model, entity));
        if with_tests {
            tree.add(format!("frontend/src/schemas/{file}.test.ts"), tests::schema(model, entity));
            tree.add(format!("frontend/src/hooks/{file}.test.tsx"), tests::hooks(model, entity));
        }
    }
}

const INDEX: &str = include_str!("../template/frontend/index.html");

fn is_test(path: &str) -> bool {
    path.ends_with(".test.ts") || path.ends_with(".test.tsx") || path.ends_with("testing.tsx")
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The fields of a row in responses.
fn response_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.has_value() && !field.secret && field.ty.amount().is_none())
}

/// The fields that a request can contain. The state has its own address.
fn sent(entity: &Entity) -> impl Iterator<Item = &Field> {
    let state = entity.states.as_ref().map(|states| &entity.fields[states.field.0].name);
    response_fields(entity).filter(move |field| {
        let is_key = entity.fields[entity.pk.0].name == field.name;
        (!is_key || names::key_type(entity) == "String")
            && field.computed.is_none()
            && field.auto == Auto::No
            && Some(&field.name) != state
            && !names::is_own_tenant(entity, field)
    })
}

/// True if a request without a value is refused.
fn has_fallback(field: &Field) -> bool {
    field.default.is_some() || field.ty.is_bool()
}
