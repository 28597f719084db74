//! What surrounds the backend: Makefile, containers, continuous integration, tests, and the list of missing parts.

use dz_dsl_file::{
    model::{Auto, Entity, Field, FieldType, Model},
    project::{CiTemplate, Contract, Ejection},
};

use crate::{Tree, backend::files, gate, names};

const FILES: &[(&str, &str)] = &[
    ("rustfmt.toml", include_str!("../template/project/rustfmt.toml")),
    ("Makefile", include_str!("../template/project/Makefile")),
    ("backend/Dockerfile", include_str!("../template/project/Dockerfile")),
    ("compose.yaml", include_str!("../template/project/compose.yaml")),
    ("backend/.dockerignore", include_str!("../template/project/backend.dockerignore")),
    ("frontend/Dockerfile", include_str!("../template/project/frontend.Dockerfile")),
    ("frontend/.dockerignore", include_str!("../template/project/frontend.dockerignore")),
    ("frontend/nginx.conf", include_str!("../template/project/nginx.conf")),
    ("compose.postgres.yaml", include_str!("../template/project/compose.postgres.yaml")),
];

/// The lines of the Makefile that run the contract tests.
const CONTRACT: &str = "test-contract:
\tcd backend && cargo build $(FEATURES)
\tpython3 -m venv tests/contract/.venv
\ttests/contract/.venv/bin/pip install --quiet --disable-pip-version-check -r tests/contract/requirements.txt
\t$(if $(DATABASE_URL),DATABASE_URL=\"$(DATABASE_URL)\" )FEATURES=\"$(FEATURES)\" tests/contract/.venv/bin/python tests/contract/run.py

";

/// The lines of the Dockerfile without which cargo refuses the manifest.
const DOCKER_TESTS: &str = "# The tests are outside this folder; cargo only needs the file to exist.
RUN mkdir -p ../tests/unit && touch ../tests/unit/main.rs
";

/// Writes the files around the backend.
pub(crate) fn write(model: &Model, settings: &Ejection, tree: &mut Tree) {
    let program = model.app.name.replace('_', "-");
    let has_contract = settings.testing.contract == Contract::Schemathesis;
    let choose = |keep: bool, text: &'static str| if keep { text } else { "" };
    for (path, text) in FILES {
        let text = text
            .replace("%APP%", &program)
            .replace("%SUBNET%", &subnet(&program))
            .replace("%FRONTEND%", choose(settings.testing.unit, "\tcd frontend && npm test\n"))
            .replace("%TESTS%", choose(settings.testing.unit, DOCKER_TESTS))
            .replace("%CONTRACT%", choose(has_contract, CONTRACT))
            .replace("%PHONY%", choose(has_contract, "test-contract "))
            .replace("%CONTRACT_TARGET%", choose(has_contract, " test-contract"))
            .replace("%CONTRACT_CLEAN%", choose(has_contract, " tests/contract/.venv"))
            .replace("%BODY%", &largest_body(model));
        let text = crate::backend::choose(&text, "#IF FILES#", "#END FILES#", files::exist(model));
        tree.add(*path, text);
    }
    if has_contract {
        tree.add("tests/contract/requirements.txt", include_str!("../template/contract/requirements.txt"));
        tree.add("tests/contract/run.py", contract(model));
        tree.add(".gitignore", "tests/contract/.venv/\n");
    }
    match settings.ci.template {
        CiTemplate::GithubActions => {
            tree.add(".github/workflows/test.yml", include_str!("../template/project/github-actions.yml"));
        }
        CiTemplate::GitlabCi => tree.add(".gitlab-ci.yml", include_str!("../template/project/gitlab-ci.yml")),
        CiTemplate::None => {}
    }
    if settings.testing.unit {
        let settings: String = required_of_account(model)
            .iter()
            .map(|(name, value)| format!("\"--set\",\n{},\n", names::literal(&format!("{name}={value}"))))
            .collect();
        let text = include_str!("../template/tests/main.rs").replace("%SETTINGS%", &settings);
        let can_register = names::unregistrable_field(model).is_none();
        let text = crate::backend::choose(&text, "/*IF REGISTRATION*/", "/*END REGISTRATION*/", can_register);
        tree.add("tests/unit/main.rs", text);
        tree.add("tests/unit/entities.rs", entities(model));
    }
    tree.add("NOT_EJECTED.md", not_ejected(tree));
}

/// The largest body of a request, for nginx: a file with the rest of its form.
fn largest_body(model: &Model) -> String {
    let megabytes = files::largest(model).unwrap_or_default().div_ceil(1 << 20) + 1;
    format!("{megabytes}m")
}

/// The network of the containers: applications on one host have different ones.
fn subnet(program: &str) -> String {
    let sum = program.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    format!("10.213.{}.0/28", sum % 256)
}

/// The script of the contract tests.
fn contract(model: &Model) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let roles = model.personas.iter().map(|persona| names::literal(&persona.name)).collect();
    let fields = required_of_account(model).iter().map(|(name, value)| names::literal(&format!("{name}={value}"))).collect();
    include_str!("../template/contract/run.py").replace("%ROLES%", &list(roles)).replace("%FIELDS%", &list(fields))
}

/// Values of the required fields of an account, apart from its address.
fn required_of_account(model: &Model) -> Vec<(&str, String)> {
    let account = model.entity(model.account);
    let is_key = |field: &Field| field.name == account.fields[account.pk.0].name;
    let needed = |field: &&Field| {
        field.is_stored()
            && field.required
            && !is_key(field)
            && field.default.is_none()
            && field.auto == Auto::No
            && !field.ty.is_bool()
            && field.ty.target().is_none()
            && field.name != "email"
    };
    account.fields.iter().filter(needed).map(|field| (field.name.as_str(), sample(model, field.ty))).collect()
}

/// A value of a type as text.
fn sample(model: &Model, ty: FieldType) -> String {
    let text = match ty {
        FieldType::Int { .. } | FieldType::Float | FieldType::Decimal { .. } | FieldType::Money(_) => "1",
        FieldType::Date => "2026-01-31",
        FieldType::DateTime => "2026-01-31T09:30:00Z",
        FieldType::Email => "ann@example.com",
        FieldType::Url => "https://example.com",
        FieldType::Timezone => "Europe/Lisbon",
        FieldType::Currency { .. } => "EUR",
        FieldType::Enum(id) => return model.enums[id.0].values.first().map(|value| value.name.clone()).unwrap_or_default(),
        FieldType::Slug => "ann",
        FieldType::Json => "{}",
        FieldType::Bool => "true",
        FieldType::Uuid => "0190b5f0-0000-7000-8000-000000000000",
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::File { .. }
        | FieldType::Ref(_)
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => "Ann",
    };
    text.to_owned()
}

/// The missing parts of the tree.
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
            permit.is_some_and(|permit| gate::possible(model, entity, permit, None, None) == "true")
        };
        text.push_str(&callers(entity, &is_open));
        text.push_str(&states(model, entity));
    }
    if crate::backend::has_timers(model) {
        text.push_str(
            "\n#[test]\nfn states_change_by_themselves_only_after_their_time() {\nlet server = Server::start();\n\
             assert_eq!(backend::timers::run_due(&server.database, backend::types::Timestamp::default()), 0);\n}\n",
        );
    }
    text
}

fn callers(entity: &Entity, is_open: &dyn Fn(&str) -> bool) -> String {
    let (file, table) = (names::file(entity), &entity.table);
    let mut lines = String::new();
    for field in files::fields(entity).filter(|_| !is_open("create") && !is_open("update")) {
        let request = format!("server.post(\"/files/{table}/{}\", None, &json!({{}}))", field.name);
        lines.push_str(&format!("assert_eq!({request}.status(), Status::Unauthorized);\n"));
    }
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
