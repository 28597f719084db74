//! The root of the backend's library, and the description of its API.

use dz_dsl_file::{emit::openapi, model::Model};
use serde_json::Value;

use crate::{Note, names};

/// The modules of the backend, apart from the folders of entities.
const MODULES: [&str; 29] = [
    "accounts",
    "auth",
    "bulk",
    "caller",
    "choices",
    "client",
    "config",
    "constants",
    "csv",
    "db",
    "deletion",
    "duplicates",
    "events",
    "expand",
    "idempotency",
    "import",
    "input",
    "list",
    "mail",
    "names",
    "problem",
    "reply",
    "request",
    "secrets",
    "serve",
    "sql",
    "store",
    "subscribers",
    "transitions",
];

const FOLDERS: [&str; 8] = ["access", "guards", "models", "routes", "schemas", "types", "validators", "values"];

pub(super) fn write(model: &Model, notes: &[Note]) -> String {
    let tenancy = model.tenant.map(|_| "tenancy").into_iter().chain(super::has_audits(model).then_some("audit"));
    let tenancy = tenancy.chain(super::timers::exist(model).then_some("timers"));
    let tenancy = tenancy.chain(super::has_graphs(model).then_some("graph")).chain(super::has_amounts(model).then_some("amounts"));
    let tenancy = tenancy.chain(super::files::exist(model).then_some("files"));

    let mut modules: Vec<&str> = MODULES.into_iter().chain(FOLDERS).chain(tenancy).collect();
    modules.sort_unstable();
    let modules: String = modules.iter().map(|name| format!("pub mod {name};\n")).collect();
    // PostgreSQL calculates itself.
    let modules = format!("#[cfg(not(feature = \"postgres\"))]\npub mod calculate;\n{modules}");
    let app = &model.app;
    let addresses: String = notes
        .iter()
        .flat_map(|note| &note.addresses)
        .map(|(method, path)| format!("({}, {}),\n", names::literal(&method.to_uppercase()), names::literal(path)))
        .collect();
    format!(
        "//! {}: the backend.\n//!\n//! `routes` has the addresses of the API, one file for each entity. A request passes `access` (who \
         may do it), `schemas`\n//! (what it sends), `guards` (whether the state may change) and `validators` (whether the row is \
         valid), and then reaches\n//! the tables of `models`.\n\n{modules}\n/// The name of the application.\npub const APP: &str = \
         {:?};\n/// The title of the application.\npub const APP_TITLE: &str = {:?};\n/// True if people can create accounts for themselves, unless \
         `REGISTRATION` says otherwise.\npub const REGISTRATION: bool = {};\n/// The time zone of the application.\npub const APP_ZONE: &str = {:?};\n/// The description of the API.\npub const \
         OPENAPI: &str = include_str!(\"../openapi.json\");\n/// Addresses that answer 501: NOT_EJECTED.md gives the reasons.\npub const \
         NOT_EJECTED: &[(&str, &str)] = &[\n{addresses}];\n",
        app.title,
        app.name,
        app.title,
        app.registration.unwrap_or(false) && names::unregistrable_field(model).is_none(),
        app.timezone
    )
}

/// The description of the API, with the addresses that the backend serves.
pub(super) fn openapi(model: &Model) -> String {
    let Ok(mut document) = serde_json::from_str::<Value>(&openapi::json(model)) else { return "{}\n".to_owned() };
    let is_served = |path: &str| {
        let served_auth = [
            "/auth/login",
            "/auth/logout",
            "/auth/me",
            "/auth/password",
            "/auth/forgot",
            "/auth/reset",
            "/auth/verify",
            "/auth/verify/send",
            "/auth/register",
            "/auth/sessions",
            "/auth/sessions/end",
            "/auth/tokens",
            "/auth/tokens/end",
            "/auth/factor/begin",
            "/auth/factor/confirm",
            "/auth/factor/remove",
            "/auth/factor/reset",
            "/auth/tenant",
            "/auth/invitations",
            "/auth/invitations/end",
            "/auth/invite",
        ];
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match parts.as_slice() {
            ["api", "openapi.json"] => true,
            ["api", _]
            | ["api", _, "bulk" | "import"]
            | ["api", _, "graph", _]
            | ["api", _, "{id}", "graph"]
            | ["api", _, "{id}", "graph", _]
            | ["api", _, "{id}"]
            | ["api", _, "{id}", "actions", "restore"]
            | ["api", _, "{id}", "transitions", _]
            | ["files", ..] => true,
            _ => served_auth.contains(&path),
        }
    };
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        paths.retain(|path, _| is_served(path));
    }
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}
