//! What surrounds the backend: Makefile, containers, continuous integration, tests, and what the tree lacks.

use dz_dsl_file::{
    model::{Entity, Model},
    project::{CiTemplate, Ejection},
};

use crate::{Tree, gate, names};

const FILES: &[(&str, &str)] = &[
    ("rustfmt.toml", include_str!("../template/project/rustfmt.toml")),
    ("Makefile", include_str!("../template/project/Makefile")),
    ("backend/Dockerfile", include_str!("../template/project/Dockerfile")),
    ("compose.yaml", include_str!("../template/project/compose.yaml")),
    ("compose.postgres.yaml", include_str!("../template/project/compose.postgres.yaml")),
];

/// Writes the files around the backend.
pub(crate) fn write(model: &Model, settings: &Ejection, tree: &mut Tree) {
    let program = model.app.name.replace('_', "-");
    for (path, text) in FILES {
        let frontend = if settings.testing.unit { "\tcd frontend && npm test\n" } else { "" };
        tree.add(*path, text.replace("%APP%", &program).replace("%FRONTEND%", frontend));
    }
    match settings.ci.template {
        CiTemplate::GithubActions => {
            tree.add(".github/workflows/test.yml", include_str!("../template/project/github-actions.yml"));
        }
        CiTemplate::GitlabCi => tree.add(".gitlab-ci.yml", include_str!("../template/project/gitlab-ci.yml")),
        CiTemplate::None => {}
    }
    if settings.testing.unit {
        let has_name = model.entity(model.account).fields.iter().any(|field| field.name == "name" && field.is_stored());
        let text = include_str!("../template/tests/main.rs").replace("%HAS_NAME%", &has_name.to_string());
        tree.add("tests/unit/main.rs", text);
        tree.add("tests/unit/entities.rs", entities(model));
    }
    tree.add("NOT_EJECTED.md", not_ejected(tree));
}

/// What the tree lacks.
fn not_ejected(tree: &Tree) -> String {
    let mut text = "# What this program lacks\n\nThese parts of the original application are not in this tree.\n".to_owned();
    for note in &tree.notes {
        text.push_str(&format!("\n## {}\n\n{}\n", note.what, note.instead));
        if !note.addresses.is_empty() {
            text.push('\n');
        }
        for (method, path) in &note.addresses {
            text.push_str(&format!("* `{} {path}`\n", method.to_uppercase()));
        }
    }
    text
}

/// The tests of each entity: callers without roles, and the states.
fn entities(model: &Model) -> String {
    let mut text = "//! Tests of each entity: what callers without a role get, and which changes of a state exist.\n\nuse \
                    rocket::http::Status;\nuse serde_json::json;\n\nuse super::{Server, code};\n"
        .to_owned();
    text.push_str(&roles(model));
    for entity in &model.entities {
        let is_open = |action: &str| {
            let permit = entity.access.permissions.iter().find(|it| it.action.name() == action).and_then(|it| it.permit.as_ref());
            permit.is_some_and(|permit| gate::possible(model, permit, None, None) == "true")
        };
        text.push_str(&callers(entity, &is_open));
        text.push_str(&states(model, entity));
    }
    text
}

fn callers(entity: &Entity, is_open: &dyn Fn(&str) -> bool) -> String {
    let (file, table) = (names::file(entity), &entity.table);
    let mut lines = String::new();
    for (action, request) in [
        ("list", format!("server.get(\"/api/{table}\", None)")),
        ("read", format!("server.get(\"/api/{table}/{}\", None)", "0190b5f0-0000-7000-8000-000000000000")),
        ("create", format!("server.post(\"/api/{table}\", None, &json!({{}}))")),
    ] {
        if !is_open(action) {
            lines.push_str(&format!("assert_eq!({request}.status(), Status::Unauthorized);\n"));
        }
    }
    format!(
        "\n#[test]\nfn {file}_rows_need_a_caller() {{\nlet server = Server::start();\n{lines}// An unknown parameter is never ignored.\nlet \
         cookie = server.sign_in(\"{}@example.com\", &ROLES);\nlet reply = server.get(\"/api/{table}?no_such_parameter=1\", \
         Some(&cookie));\nif reply.status() != Status::Forbidden {{\nassert_eq!(reply.status(), Status::BadRequest);\n\
         assert_eq!(code(reply), \"BAD_REQUEST\");\n}}\n}}\n",
        file.replace('_', "-"),
    )
}

/// Tests that a change of the state exists exactly if it is declared.
fn states(model: &Model, entity: &Entity) -> String {
    let Some(states) = &entity.states else { return String::new() };
    let Some(of) = entity.fields[states.field.0].ty.enumeration().map(|id| &model.enums[id.0]) else { return String::new() };
    let (file, module, ty) = (names::file(entity), names::module(entity), names::choice(model, of));
    let declared: String = states
        .in_order()
        .into_iter()
        .filter(|it| states.rows[it.row].manual)
        .map(|it| format!("({:?}, {:?}),\n", of.values[it.from].name, of.values[it.to].name))
        .collect();
    format!(
        "\n#[test]\nfn {file}_states_change_as_declared() {{\nuse backend::{{caller::Caller, choices::{ty}, guards::{module}::MACHINE, \
         types::Timestamp, values::Choice}};\nlet declared = [\n{declared}];\nlet caller = Caller::new(None, ROLES.iter().map(|it| \
         (*it).to_owned()).collect(), Timestamp::default());\nfor (from_name, from) in {ty}::ALL {{\nfor (to_name, to) in {ty}::ALL {{\nlet \
         allowed = MACHINE.check(*from, *to, &caller, |_| true).is_ok();\nlet expected = from == to || declared.contains(&(*from_name, \
         *to_name));\nassert_eq!(allowed, expected, \"{{from_name}} -> {{to_name}}\");\n}}\n}}\n}}\n"
    )
}

/// The names of all roles, as a constant of the tests.
fn roles(model: &Model) -> String {
    let names: Vec<String> = model.personas.iter().map(|persona| names::literal(&persona.name)).collect();
    format!("\n/// All roles.\nconst ROLES: [&str; {}] = [{}];\n", names.len(), names.join(", "))
}
