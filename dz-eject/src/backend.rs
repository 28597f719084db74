//! The backend: fixed modules, and one module for each entity in each folder.

mod access;
mod amounts;
mod caller;
mod choices;
mod columns;
mod constant;
pub(crate) mod files;
mod guards;
mod kit;
mod library;
mod lists;
mod models;
mod routes;
mod schemas;
mod tenancy;
mod timers;
mod validators;

pub(crate) use lists::label_of;
pub(crate) use routes::choose;
pub(crate) use tenancy::memberships;
pub(crate) use timers::exist as has_timers;

use dz_dsl_file::{
    emit::schema::{Engine, Schema},
    model::{Entity, EntityId, Model},
};

use crate::{Refusal, Tree, names};

/// A folder with a file for each entity: what it writes, and its first line.
type Folder = (&'static str, &'static str, fn(&Model, EntityId) -> Result<String, Refusal>);

const FOLDERS: [Folder; 6] = [
    ("models", "The tables, and their rows.", models::write),
    ("schemas", "The bodies of requests and responses.", schemas::write),
    ("access", "The access rules of each entity.", access::write),
    ("guards", "State machines: the declared transitions.", guards::write),
    ("validators", "The checks of a row before it is stored.", validators::write),
    ("routes", "The addresses of the API.", routes::write),
];

/// The audit log.
const AUDIT: &str = include_str!("../template/audit.rs.txt");

/// True if rows are edges of a graph.
fn has_graphs(model: &Model) -> bool {
    model.entities.iter().any(|entity| entity.edge.is_some())
}

/// True if the audit log records something.
fn has_audits(model: &Model) -> bool {
    model.entities.iter().any(|entity| !entity.access.audits.is_empty())
}

/// True if rows have amounts with currencies of their own.
fn has_amounts(model: &Model) -> bool {
    model.entities.iter().flat_map(|entity| &entity.fields).any(|field| field.ty.amount().is_some())
}

/// Writes the backend.
pub(crate) fn write(model: &Model, with_tests: bool, tree: &mut Tree) -> Result<(), Vec<Refusal>> {
    let mut refused = Vec::new();
    for (path, text) in kit::FILES {
        let text = choose(text, "/*IF TENANTS*/", "/*END TENANTS*/", model.tenant.is_some());
        let text = choose(&text, "/*IF NO TENANTS*/", "/*END NO TENANTS*/", model.tenant.is_none());
        let text = choose(&text, "/*IF MEMBERS*/", "/*END MEMBERS*/", tenancy::memberships(model).is_some());
        let text = choose(&text, "/*IF AMOUNTS*/", "/*END AMOUNTS*/", has_amounts(model));
        let text = choose(&text, "/*IF NO AMOUNTS*/", "/*END NO AMOUNTS*/", !has_amounts(model));
        let has_totals = model.entities.iter().any(|entity| validators::reads_totals(model, entity));
        let text = choose(&text, "/*IF TOTALS*/", "/*END TOTALS*/", has_totals);
        let text = choose(&text, "/*IF FILES*/", "/*END FILES*/", files::exist(model));
        let text = choose(&text, "/*IF NO FILES*/", "/*END NO FILES*/", !files::exist(model));
        tree.add(format!("backend/{path}"), choose(&text, "/*IF TIMED*/", "/*END TIMED*/", timers::exist(model)));
    }
    if has_graphs(model) {
        tree.add("backend/src/graph.rs", include_str!("../template/graph.rs.txt"));
        tree.add("backend/src/graph/figures.rs", include_str!("../template/graph_figures.rs.txt"));
    }
    if has_audits(model) {
        let text = choose(AUDIT, "/*IF TENANTS*/", "/*END TENANTS*/", model.tenant.is_some());
        tree.add("backend/src/audit.rs", text);
    }
    if has_amounts(model) {
        tree.add("backend/src/amounts.rs", amounts::write());
    }
    if files::exist(model) {
        files::write(model, tree);
    }
    if timers::exist(model) {
        tree.add("backend/src/timers.rs", timers::write(model));
    }
    if let Some(text) = tenancy::write(model) {
        tree.add("backend/src/tenancy.rs", text);
    }
    if let Some(text) = tenancy::invitations(model) {
        tree.add("backend/src/auth/invitations.rs", text);
    }
    tree.add("backend/Cargo.toml", kit::manifest(model, with_tests));
    tree.add("backend/src/lib.rs", library::write(model, &tree.notes));
    tree.add("backend/src/choices.rs", choices::write(model));
    match caller::write(model) {
        Ok(text) => tree.add("backend/src/caller.rs", text),
        Err(refusal) => refused.push(refusal),
    }
    for (folder, about, write) in FOLDERS {
        tree.add(format!("backend/src/{folder}.rs"), folder_module(model, folder, about));
        for at in 0..model.entities.len() {
            match write(model, EntityId(at)) {
                Ok(text) => tree.add(format!("backend/src/{folder}/{}.rs", names::file(&model.entities[at])), text),
                Err(refusal) => refused.push(refusal),
            }
        }
    }
    let schema = Schema::from_model(model);
    for (engine, path) in [(Engine::Sqlite, "sqlite"), (Engine::Postgres, "postgres")] {
        let fingerprint = format!("INSERT INTO dz_meta (key, value) VALUES ('schema', '{}');\n", schema.fingerprint(engine));
        tree.add(format!("backend/schema/{path}.sql"), schema.sql(engine) + &fingerprint);
    }
    tree.add("backend/schema/constraints.txt", schema.constraints());
    tree.add("backend/openapi.json", library::openapi(model));
    if refused.is_empty() { Ok(()) } else { Err(refused) }
}

/// The module of a folder: its files, and what it says about all entities.
fn folder_module(model: &Model, folder: &str, about: &str) -> String {
    let modules: String = model.entities.iter().map(|entity| format!("pub mod {};\n", names::module(entity))).collect();
    let more = match folder {
        "routes" => routes::all(model),
        "models" => models::references(model),
        _ => String::new(),
    };
    format!("//! {about}\n\n{modules}{more}")
}

/// The rows of an entity in a sentence.
pub(crate) fn rows(entity: &Entity) -> String {
    entity.title_plural.to_lowercase()
}
