//! The test of a story: its sentences, an account of its actor, and the pages that the actor opens.

mod drive;

use std::fmt::Write as _;

use super::{one_line, rust};
use crate::{
    emit::{
        access::{Cell, matrix_of},
        services,
    },
    model::{
        Archetype, Audience, Auto, Entity, EntityId, Field, FieldType, Mode, Model, RoleId, Sentence, Service, Story, StubLanguage,
        Surface, Word,
    },
};

/// The folder of the tests, beside `dz.toml`.
pub const FOLDER: &str = "tests";

/// The file of a story's test in [`FOLDER`]: `st_001.rs` for `ST-001`.
pub fn file_name(story: &Story) -> String {
    format!("{}.rs", function_name(story))
}

fn function_name(story: &Story) -> String {
    story.name.to_lowercase().replace('-', "_")
}

/// The content of a new test; `declaration` is the path of the declaration from the folder of the project.
pub fn create(model: &Model, story: &Story, declaration: &str) -> String {
    let name = function_name(story);
    let (login, pages) = (login(model, story), pages(model, story));
    let mut text = documentation(story);
    let parts = find_parts(model);
    let _ = write!(
        text,
        "\ndz::include_dsl!({:?});\n{}\n#[test]\n#[ignore = \"not written yet\"]\nfn {name}() {{\n{}\n{login}{LOGIN}",
        format!("../{declaration}"),
        parts.items,
        PREPARATION.replace("{{CHAIN}}", &chain(&parts.registrations)),
    );
    if pages.is_empty() {
        text.push_str("    assert_eq!(open(\"/app\"), Status::Ok);\n");
    } else {
        let pages: String = pages.iter().map(|page| format!("        {page:?},\n")).collect();
        let _ = write!(text, "    for page in [\n{pages}    ] {{\n        assert_eq!(open(page), Status::Ok, \"{{page}}\");\n    }}\n");
    }
    text.push_str(&drive::statements(model, story));
    text.push_str("}\n");
    text.replace("{{NAME}}", &name)
}

/// The application over an empty database.
const PREPARATION: &str = r#"    use std::{fs, path::Path};

    use dz::rocket::{
        http::{ContentType, Header, Status},
        local::blocking::Client,
    };

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("{{NAME}}");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let database = format!("sqlite://{}", folder.join("test.db").display());
    let application = || {{CHAIN}};
"#;

/// What the application needs to start besides its declaration.
#[derive(Default)]
struct TestParts {
    /// The items of the test.
    items: String,
    /// The calls on `app()` that add them.
    registrations: Vec<String>,
}

/// The application over its database, as rustfmt breaks a chain of calls.
fn chain(registrations: &[String]) -> String {
    let calls: Vec<&str> = registrations.iter().map(String::as_str).chain(["database_url(&database)"]).collect();
    let line = format!("app().{}", calls.join("."));
    if line.len() <= 60 {
        return line;
    }
    let calls: String = calls.iter().map(|call| format!("\n            .{call}")).collect();
    format!("{{\n        app(){calls}\n    }}")
}

/// An implementation for each service in Rust, and a provider for the language models.
fn find_parts(model: &Model) -> TestParts {
    let mut parts = TestParts::default();
    for service in model.services.iter().filter(|it| is_implemented_in_rust(it)) {
        let _ = write!(
            parts.items,
            "\n/// Replace it by the implementation of the application.\nstruct {name};\n\nimpl {}::{name} for {name} {{\n    {} {{\n        \
             todo!()\n    }}\n}}\n",
            services::MODULE,
            rust::signature(service, &["_", "_"]),
            name = services::trait_name(service),
        );
        parts.registrations.push(format!("service({})", services::trait_name(service)));
    }
    if !model.llm_intents.is_empty() {
        parts.items.push_str(PROVIDER);
        parts.registrations.push("llm_provider(answer)".to_owned());
    }
    parts
}

/// The answers of the language models.
const PROVIDER: &str = r#"
/// Answers in place of the language models; write the answer that the story needs.
fn answer(_: &dz::LlmRequest) -> Result<dz::LlmResponse, dz::LlmFailure> {
    Ok(dz::LlmResponse::text("{}"))
}
"#;

/// True for a service that the application does not start without: `services/NAME.py` implements one in Python.
fn is_implemented_in_rust(service: &Service) -> bool {
    service.stub != Some(StubLanguage::Python)
}

/// The session of the account.
const LOGIN: &str = r##"    let client = Client::untracked(application().rocket().unwrap()).unwrap();
    let request = client.post("/auth/login").header(ContentType::JSON);
    let request = request.header(Header::new("Sec-Fetch-Site", "same-origin"));
    let login = request
        .body(format!(
            r#"{{"email": "{email}", "password": "{password}"}}"#
        ))
        .dispatch();
    assert_eq!(login.status(), Status::Ok);
    let cookie = login.headers().get_one("Set-Cookie").unwrap();
    let session = cookie.split(';').next().unwrap().to_owned();
    let open = |page: &str| {
        let request = client.get(page.to_owned());
        let request = request.header(Header::new("Cookie", session.clone()));
        request.dispatch().status()
    };

"##;

/// The existing test with the present sentences in its first comment.
pub fn update(story: &Story, existing: &str) -> String {
    let existing_start = existing.trim_start_matches('\u{feff}');
    let mut end = 0;
    for line in existing_start.split_inclusive('\n') {
        if !line.starts_with("//!") {
            break;
        }
        end += line.len();
    }
    let (old, rest) = existing_start.split_at(end);
    let new = documentation(story);
    if super::is_same_text(old, &new) {
        return existing.to_owned();
    }
    let new = if existing.contains("\r\n") { new.replace('\n', "\r\n") } else { new };
    let gap = if end == 0 && !rest.is_empty() { "\n" } else { "" };
    format!("{new}{gap}{rest}")
}

/// The title and every sentence.
fn documentation(story: &Story) -> String {
    let mut lines = vec![format!("{}: {}", story.name, one_line(&story.title))];
    lines.extend(story.description.iter().flat_map(|text| [String::new(), one_line(text)]));
    let mut group = |word: &str, sentences: &[Sentence]| {
        if !sentences.is_empty() {
            lines.extend([String::new(), format!("{word}:")]);
            lines.extend(sentences.iter().map(|sentence| format!("- {}", one_line(&sentence.text))));
        }
    };
    group("Given", &story.given);
    group("When", &story.when);
    group("Then", &story.then);
    for exception in &story.unless {
        lines.extend([String::new(), "Unless:".to_owned(), format!("- {}", one_line(&exception.text.text))]);
        lines.extend(exception.then.iter().map(|sentence| format!("  - {}", one_line(&sentence.text))));
    }
    lines.iter().map(|line| format!("{}\n", format!("//! {line}").trim_end())).collect()
}

/// The statements that create the account of the actor.
fn login(model: &Model, story: &Story) -> String {
    let role = story.actor.map(|actor| model.personas[actor.it.0].name.as_str());
    let who = role.unwrap_or("actor");
    let account = model.entity(model.account);
    let tenant = tenant(model);
    let mut text = tenant.as_ref().map_or_else(String::new, Tenant::created);
    let _ = writeln!(text, "    let (email, password) = ({:?}, \"a phrase for this test\");", format!("{}@example.com", plain(who)));
    text.push_str(
        "    application().run([\n        \"user\",\n        \"create\",\n        email,\n        \"--password\",\n        password,\n",
    );
    for field in needed(account).filter(|field| field.name != "email") {
        let _ = writeln!(text, "        \"--set\",\n        {:?},", format!("{}={}", field.name, example(model, field.ty)));
    }
    if let Some(tenant) = &tenant {
        let _ = writeln!(text, "        \"--tenant\",\n        {:?},", tenant.label);
        for value in &tenant.membership {
            let _ = writeln!(text, "        \"--member\",\n        {value:?},");
        }
    }
    text.push_str("    ]);\n");
    match (role, tenant) {
        // Administrators of the whole system belong to no tenant.
        (Some(role), Some(tenant)) if role != "admin" => {
            let _ = writeln!(
                text,
                "    application().run([\n        \"user\",\n        \"grant\",\n        email,\n        {role:?},\n        \"--tenant\",\n        {:?},\n    ]);",
                tenant.label
            );
        }
        (Some(role), _) => {
            let _ = writeln!(text, "    application().run([\"user\", \"grant\", email, {role:?}]);");
        }
        (None, _) => {}
    }
    text
}

/// The fields without which a row cannot be created.
fn needed(entity: &Entity) -> impl Iterator<Item = &Field> {
    let is_set = |field: &&Field| {
        field.required && field.is_stored() && field.default.is_none() && field.auto == Auto::No && !field.secret && !field.identity
    };
    entity.fields.iter().enumerate().filter(|(at, _)| *at != entity.pk.0).map(|(_, field)| field).filter(is_set)
}

/// The tenant of the test.
struct Tenant<'m> {
    entity: &'m str,
    /// The row, with its header.
    csv: String,
    label: String,
    /// The fields of a membership that the command needs.
    membership: Vec<String>,
}

/// The tenant of the test, if the application has tenants, and a field names them.
fn tenant(model: &Model) -> Option<Tenant<'_>> {
    let entity = model.entities.iter().find(|entity| entity.kind == Some(Archetype::Tenant))?;
    let named = Some(&entity.label.path).filter(|path| path.hops.is_empty() && !entity.label.titled)?.field;
    let mut fields: Vec<&Field> = needed(entity).collect();
    let label = &entity.fields[named.0];
    if !label.is_stored() {
        return None;
    }
    if fields.iter().all(|field| field.name != label.name) {
        fields.push(label);
    }
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let values: Vec<String> = fields.iter().map(|field| example(model, field.ty)).collect();
    let members = model.entities.iter().find(|entity| entity.kind == Some(Archetype::UserMembership));
    let further = members.into_iter().flat_map(|members| needed(members).filter(|field| members.has_written(field)));
    let membership = further.filter(|field| field.name != "user").map(|field| format!("{}={}", field.name, example(model, field.ty)));
    Some(Tenant {
        entity: &entity.name,
        csv: format!("{}\n{}\n", names.join(","), values.join(",")),
        label: example(model, label.ty),
        membership: membership.collect(),
    })
}

impl Tenant<'_> {
    /// The statements that create it.
    fn created(&self) -> String {
        format!(
            "    let tenants = folder.join(\"tenants.csv\");\n    fs::write(&tenants, {:?}).unwrap();\n    application().run([\"import\", {:?}, \
             tenants.to_str().unwrap()]);\n",
            self.csv, self.entity
        )
    }
}

/// The letters and digits of a name, for an address.
fn plain(name: &str) -> String {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    if name.is_empty() { "actor".to_owned() } else { name }
}

/// A value that a field accepts.
fn example(model: &Model, ty: FieldType) -> String {
    match ty {
        FieldType::Str(_) | FieldType::Text => "Example".to_owned(),
        FieldType::Slug => "example".to_owned(),
        FieldType::Email => "example@example.com".to_owned(),
        FieldType::Url => "https://example.com/".to_owned(),
        FieldType::Timezone => "UTC".to_owned(),
        FieldType::Int { .. } | FieldType::Float | FieldType::Decimal { .. } | FieldType::Money(_) => "1".to_owned(),
        FieldType::Currency { .. } => "EUR".to_owned(),
        FieldType::Bool => "true".to_owned(),
        FieldType::Date => "2026-01-01".to_owned(),
        FieldType::DateTime => "2026-01-01T00:00:00Z".to_owned(),
        FieldType::Uuid => "00000000-0000-4000-8000-000000000000".to_owned(),
        FieldType::Enum(id) => model.enums[id.0].values.first().map_or_else(String::new, |value| value.name.clone()),
        FieldType::Json => "{}".to_owned(),
        // The account needs another row first, which the author of the test creates.
        FieldType::Ref(_)
        | FieldType::File { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => String::new(),
    }
}

/// The addresses of the story's lists and forms that the actor may open. A page of one row needs a row, which a story describes.
fn pages(model: &Model, story: &Story) -> Vec<String> {
    let scope: Vec<EntityId> = story.scope.iter().map(|it| it.it).collect();
    let matrix = matrix_of(model, |entity| scope.iter().any(|id| model.entity(*id).name == entity.name));
    let actor = story.actor.map(|actor| actor.it);
    // The matrix begins with callers without a role: anonymous, and authenticated.
    let caller = actor.map_or(1, |role| role.0 + 2);
    let may = |surface: &Surface| {
        let entity = &model.entity(surface.entity).name;
        let row = matrix.rows.iter().find(|row| row.entity == *entity && row.action == surface.mode.word());
        row.and_then(|row| row.cells.get(caller)).is_some_and(|cell| *cell != Cell::No)
    };
    let open = model.surfaces.iter().filter(|it| scope.contains(&it.entity) && is_without_key(it.mode));
    let open = open.filter(|it| is_for(it.access.as_ref(), actor) && may(it));
    open.map(|it| it.route.clone().unwrap_or_else(|| format!("/app/{}", it.name))).collect()
}

/// True for a page whose address contains no key of a row.
fn is_without_key(mode: Mode) -> bool {
    match mode {
        Mode::List | Mode::Create => true,
        Mode::View | Mode::Edit => false,
    }
}

/// True if an audience includes the actor.
fn is_for(audience: Option<&Audience>, actor: Option<RoleId>) -> bool {
    match audience {
        None | Some(Audience::Public | Audience::Authenticated) => true,
        Some(Audience::Personas(roles)) => roles.iter().any(|role| Some(role.it) == actor),
        Some(Audience::SystemAdmin | Audience::TenantAdmin) => false,
    }
}
