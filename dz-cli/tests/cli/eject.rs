//! `dz eject`: which files it writes, keeps and refuses to overwrite. `tests/eject` builds and runs what it writes.

use std::{collections::BTreeMap, fs};

use crate::folder::{Folder, out, says};

const NOTES: &str = "app notes \"Notes\"\n\npersona editor \"Editor\"\n\nentity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    \
                     list: true\n    create: role(editor)\n";
const ENABLED: &str = "[ejection]\nenabled = true\n";

fn folder(name: &str, declaration: &str, settings: &str) -> Folder {
    Folder::new(name, &[("app.dsl", declaration), ("dz.toml", settings)])
}

fn hashes(folder: &Folder) -> BTreeMap<String, String> {
    let value: serde_json::Value = serde_json::from_str(&folder.read("generated/.ejection.json")).expect("JSON");
    assert_eq!(value["version"], 1);
    serde_json::from_value(value["files"].clone()).expect("hashes")
}

#[test]
fn without_the_setting_nothing_is_written() {
    for settings in ["", "[ejection]\nenabled = false\n"] {
        let folder = folder("eject-off", NOTES, settings);
        says(&folder.dz(&["eject"]), 1, &["[ejection]\nenabled = true"]);
        assert!(!folder.0.join("generated").exists());
    }
}

#[test]
fn unknown_settings_are_refused_by_every_command() {
    let folder = folder("eject-settings", NOTES, "[ejection]\nenabled = true\n[ejection.output]\ndirctory = \"x\"\n");
    for command in ["eject", "validate"] {
        says(&folder.dz(&[command]), 1, &["dz.toml", "`ejection.output.dirctory`; did you mean `directory`?"]);
    }
}

#[test]
fn a_folder_outside_of_the_project_is_refused_by_every_command() {
    for place in ["../written-outside", "/tmp/written-outside", "a/../../written-outside", ""] {
        let settings = format!("[ejection]\nenabled = true\n[ejection.output]\ndirectory = \"{place}\"\n");
        let folder = folder("eject-outside", NOTES, &settings);
        for command in [["eject"].as_slice(), &["eject", "--dry-run"], &["validate"], &["kg", "stats"], &["docs", "generate"]] {
            says(&folder.dz(command), 1, &["dz.toml", "ejection.output.directory", "inside of the project"]);
        }
        assert!(!folder.0.join("../written-outside").exists());
    }
}

#[test]
fn a_second_run_changes_nothing() {
    let folder = folder("eject-twice", NOTES, ENABLED);
    let first = folder.dz(&["eject"]);
    assert_eq!(first.status.code(), Some(0), "{first:?}");
    let hashes = hashes(&folder);
    for path in ["backend/src/routes/note.rs", "backend/schema/sqlite.sql", "tests/unit/entities.rs", "Makefile", "compose.yaml"] {
        assert!(hashes.contains_key(path) && folder.0.join("generated").join(path).exists(), "{path}");
    }
    assert!(!hashes.contains_key(".ejection.json"));
    let again = out(&folder.dz(&["eject"]));
    assert!(again.ends_with(&format!("0 created, 0 updated, 0 removed, {} kept\n", hashes.len() + 1)), "{again}");
    assert_eq!(folder.dz(&["eject", "--check"]).status.code(), Some(0));
    let shown = out(&folder.dz(&["eject", "--dry-run"]));
    assert!(!shown.contains("@@") && shown.contains("keep Makefile\n") && shown.contains("keep .ejection.json\n"), "{shown}");
}

#[test]
fn programs_get_the_files_as_json() {
    let folder = folder("eject-json", NOTES, ENABLED);
    let json = |arguments: &[&str]| -> serde_json::Value {
        let run = folder.dz(&[&["eject", "--format", "json"], arguments].concat());
        serde_json::from_str(&out(&run)).expect("JSON alone")
    };
    let change = |report: &serde_json::Value, path: &str| {
        let file = report["files"].as_array().expect("files").iter().find(|file| file["path"] == path).cloned();
        file.unwrap_or_else(|| panic!("{path} is not in {report}"))
    };
    let planned = json(&["--dry-run"]);
    assert!(!folder.0.join("generated").exists());
    for path in [".ejection.json", "Makefile", "backend/src/routes/note.rs"] {
        assert_eq!(change(&planned, path), serde_json::json!({ "path": path, "change": "create", "generated": true }));
    }
    assert_eq!(json(&[]), planned, "what was planned is written");
    let written = hashes(&folder);
    assert_eq!(planned["files"].as_array().map(Vec::len), Some(written.len() + 1));
    fs::write(folder.0.join("generated/Makefile"), "all:\n").expect("an edit");
    let edited = change(&json(&["--check"]), "Makefile");
    assert_eq!((&edited["change"], &edited["edited"]), (&serde_json::json!("update"), &serde_json::json!(true)));
    assert!(edited["difference"].as_str().is_some_and(|text| text.contains("-all:")), "{edited}");
}

#[test]
fn edited_files_are_kept_unless_forced() {
    let folder = folder("eject-edited", NOTES, ENABLED);
    folder.dz(&["eject"]);
    let route = folder.0.join("generated/backend/src/routes/note.rs");
    let written = fs::read_to_string(&route).expect("a file");
    fs::write(&route, written.clone() + "// by hand\n").expect("an edit");
    // The declaration changes too, so other files would be updated.
    fs::write(folder.0.join("app.dsl"), NOTES.replace("str(80)", "str(90)")).expect("a declaration");
    let schema = folder.read("generated/backend/schema/sqlite.sql");
    says(&folder.dz(&["eject"]), 1, &["backend/src/routes/note.rs", "--force"]);
    assert_eq!(folder.read("generated/backend/schema/sqlite.sql"), schema, "nothing is written");
    let shown = folder.dz(&["eject", "--dry-run"]);
    assert_eq!(shown.status.code(), Some(0));
    let shown = out(&shown);
    assert!(shown.contains("update backend/src/routes/note.rs\n") && shown.contains("-// by hand\n"), "{shown}");
    assert_eq!(folder.dz(&["eject", "--check"]).status.code(), Some(1));
    says(&folder.dz(&["eject", "--force"]), 0, &[]);
    assert_eq!(fs::read_to_string(&route).expect("a file"), written);
    assert_ne!(folder.read("generated/backend/schema/sqlite.sql"), schema);
}

#[test]
fn an_interrupted_run_is_continued_without_force() {
    let folder = folder("eject-interrupted", NOTES, ENABLED);
    folder.dz(&["eject"]);
    let before = folder.read("generated/.ejection.json");
    fs::write(folder.0.join("app.dsl"), NOTES.to_owned() + "\nentity Tag:\n  id: uuid pk\n  name: str(20) required\n")
        .expect("a declaration");
    // The folder of a new file cannot be created, so the files after it keep their texts.
    let blocked = folder.0.join("generated/frontend/src/components/tag");
    fs::write(&blocked, "").expect("a file");
    says(&folder.dz(&["eject"]), 1, &["frontend/src/components/tag/", "cannot be written"]);
    assert!(folder.0.join("generated/backend/src/routes/tag.rs").exists(), "the files before it are written");
    assert_eq!(folder.read("generated/.ejection.json"), before, "the list is written last");
    fs::remove_file(&blocked).expect("the file is removed");
    says(&folder.dz(&["eject"]), 0, &["created"]);
    assert_eq!(folder.dz(&["eject", "--check"]).status.code(), Some(0));
}

#[test]
fn files_of_other_programs_are_never_overwritten() {
    let folder = folder("eject-foreign", NOTES, ENABLED);
    fs::create_dir_all(folder.0.join("generated")).expect("a folder");
    fs::write(folder.0.join("generated/Makefile"), "all:\n").expect("a file");
    says(&folder.dz(&["eject"]), 1, &["Makefile"]);
    assert!(!folder.0.join("generated/backend").exists());
    says(&folder.dz(&["eject", "-o", "elsewhere"]), 0, &[]);
    assert!(folder.0.join("elsewhere/backend/src/main.rs").exists());
}

#[test]
fn files_that_are_no_longer_generated_are_named_or_removed() {
    let folder = folder("eject-clean", &(NOTES.to_owned() + "\nentity Tag:\n  id: uuid pk\n  name: str(20) required\n"), ENABLED);
    folder.dz(&["eject"]);
    fs::write(folder.0.join("app.dsl"), NOTES).expect("a declaration");
    says(&folder.dz(&["eject"]), 0, &["no longer generated: backend/src/routes/tag.rs"]);
    assert!(folder.0.join("generated/backend/src/routes/tag.rs").exists());
    let edited = folder.0.join("generated/backend/src/models/tag.rs");
    fs::write(&edited, "// mine\n").expect("an edit");
    fs::write(folder.0.join("dz.toml"), "[ejection]\nenabled = true\n[ejection.output]\nclean = true\n").expect("settings");
    folder.dz(&["eject"]);
    assert!(!folder.0.join("generated/backend/src/routes/tag.rs").exists());
    assert!(edited.exists(), "an edited file stays");
}

#[test]
fn settings_decide_what_is_written() {
    let settings = "[ejection]\nenabled = true\n[ejection.testing]\nunit = false\n[ejection.ci]\ntemplate = \"gitlab-ci\"\n";
    let folder = folder("eject-parts", NOTES, settings);
    folder.dz(&["eject"]);
    let files = hashes(&folder);
    assert!(files.contains_key(".gitlab-ci.yml") && !files.contains_key(".github/workflows/test.yml"));
    assert!(!files.keys().any(|path| path.starts_with("tests/unit")), "{files:?}");
}

#[test]
fn contract_tests_and_unit_tests_are_optional() {
    let settings = "[ejection]\nenabled = true\n[ejection.testing]\ncontract = \"none\"\nunit = false\n";
    let folder = folder("eject-untested", NOTES, settings);
    folder.dz(&["eject"]);
    let files = hashes(&folder);
    assert!(!files.keys().any(|path| path.starts_with("tests/")), "{files:?}");
    let text = |path: &str| fs::read_to_string(folder.0.join("generated").join(path)).expect("a file");
    assert!(!text("Makefile").contains("contract") && !text("backend/Cargo.toml").contains("[[test]]"));
}

#[test]
fn each_entity_has_a_file_in_each_folder_and_each_container_a_dockerfile() {
    let folder = folder("eject-files", NOTES, ENABLED);
    folder.dz(&["eject"]);
    let files = hashes(&folder);
    for entity in ["note", "user"] {
        let backend = ["models", "schemas", "routes", "guards", "validators", "access"].map(|of| format!("backend/src/{of}/{entity}.rs"));
        let frontend = ["types", "schemas", "hooks"].map(|of| format!("frontend/src/{of}/{entity}.ts"));
        let components = ["list", "form", "detail"].map(|of| format!("frontend/src/components/{entity}/{of}.tsx"));
        for path in backend.into_iter().chain(frontend).chain(components) {
            assert!(files.contains_key(&path), "{path}");
        }
    }
    for path in ["backend/Dockerfile", "frontend/Dockerfile", "tests/contract/run.py", "tests/contract/requirements.txt"] {
        assert!(files.contains_key(path), "{path}");
    }
}

#[test]
fn what_cannot_be_ejected_is_named_before_anything_is_written() {
    for (declaration, names) in [
        ("entity User:\n  archetype: user\n  no: int pk\n", &["app.dsl:1:8", "the key of `User`"][..]),
        (
            "entity Road:\n  id: uuid pk\n  near: ref Town required\n  far: ref Town required\n  graph_edge:\n    source: near\n    \
             target: far\n\nentity Town:\n  code: str(8) pk\n  name: str(20)\n",
            &["app.dsl:9:8", "the key of `Town`", "uuid"],
        ),
    ] {
        let folder = folder("eject-refused", declaration, ENABLED);
        let refused = folder.dz(&["eject"]);
        says(&refused, 1, names);
        assert!(!folder.0.join("generated").exists());
    }
}

#[test]
fn the_backend_in_a_container_trusts_the_network_of_nginx_and_nothing_else() {
    let folder = folder("eject-containers", NOTES, ENABLED);
    folder.dz(&["eject"]);
    for file in ["compose.yaml", "compose.postgres.yaml"] {
        let text = folder.read(&format!("generated/{file}"));
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key));
            line.unwrap_or_else(|| panic!("{file} has no {key}")).trim().to_owned()
        };
        let network = value("- subnet:");
        assert_eq!(value("TRUSTED_PROXIES:"), network);
        assert!(network.starts_with("${NETWORK:-10.") && network.ends_with(".0/28}"), "{network}");
    }
    let nginx = folder.read("generated/frontend/nginx.conf");
    assert!(nginx.contains("proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"), "{nginx}");
}

#[test]
fn rust_code_that_stays_behind_is_named_by_file_before_anything_is_written() {
    let code = "use dz::{App, Event};\n\nfn main() -> std::process::ExitCode {\n    // .job(ignored)\n    app()\n        \
                .on(Event::Created, welcome)\n        .before_create::<note::Note>(check)\n        .main()\n}\n";
    let other = "pub fn on_its_own(list: &[u8]) -> usize {\n    list.iter().action()\n}\n";
    let files = [("app.dsl", NOTES), ("dz.toml", ENABLED), ("src/main.rs", code), ("src/other.rs", other)];
    let folder = Folder::new("eject-code", &files);
    let shown = folder.dz(&["eject", "--dry-run"]);
    says(&shown, 0, &["not ejected: Rust code by file. It stays in the application: `src/main.rs` (subscriber, hook)."]);
    assert!(!folder.0.join("generated").exists());
    folder.dz(&["eject"]);
    let missing = folder.read("generated/NOT_EJECTED.md");
    assert!(missing.contains("`src/main.rs` (subscriber, hook)") && !missing.contains("other.rs"), "{missing}");
    assert_eq!(folder.dz(&["eject", "--check"]).status.code(), Some(0));
}

#[test]
fn translations_and_templates_are_named_before_anything_is_written() {
    let declaration = NOTES.to_owned() + "\nsurface note_list \"Notes\":\n  uses entity Note\n  mode: list\n";
    let files = [
        ("app.dsl", declaration.as_str()),
        ("dz.toml", ENABLED),
        ("locales/de.ftl", "app-title = Notizen\n"),
        ("locales/README.md", "The translations.\n"),
        ("templates/note_list.html", "{{ page.rows_html|safe }}\n"),
        ("templates/note_list.rows.html", "rows\n"),
        ("templates/mail/note_list.txt", "a text\n"),
    ];
    let folder = Folder::new("eject-beside", &files);
    let shown = folder.dz(&["eject", "--dry-run"]);
    let notes = [
        "not ejected: Texts in other languages. The tree has the texts of the declaration alone. These files are not part of it: \
         `locales/de.ftl`.\n",
        "not ejected: Templates of the application.",
        "`templates/mail/note_list.txt`, `templates/note_list.html` (replaces the surface `note_list`), `templates/note_list.rows.html` \
         (replaces the surface `note_list`).\n",
    ];
    says(&shown, 0, &notes);
    assert!(!folder.0.join("generated").exists());
    says(&folder.dz(&["eject"]), 0, &notes);
    let missing = folder.read("generated/NOT_EJECTED.md");
    assert!(missing.contains("\n## Texts in other languages\n") && missing.contains("\n## Templates of the application\n"), "{missing}");
    assert_eq!(folder.dz(&["eject", "--check"]).status.code(), Some(0));
    // Other folders are named in dz.toml, and an application without both has neither note.
    let settings = format!("{ENABLED}[project]\nlocales = \"texts\"\ntemplates = \"pages\"\n");
    let folder =
        Folder::new("eject-beside-named", &[("app.dsl", NOTES), ("dz.toml", &settings), ("texts/pt-BR.ftl", "app-title = Notas\n")]);
    let shown = folder.dz(&["eject", "--dry-run"]);
    says(&shown, 0, &["`texts/pt-BR.ftl`"]);
    assert!(!String::from_utf8_lossy(&shown.stderr).contains("Templates of the application"), "{shown:?}");
}

/// A declaration with a construct of each kind of which the tree has nothing.
const LEFT_OUT: &str = r#"app ferry "Ferry"

persona pilot "Pilot"

entity Trip "Trip":
  id: uuid pk
  title: str(80) required
  map: file(20KB)
  permit:
    list: role(pilot)
    read: role(pilot)
    create: role(pilot)
    stamp: role(pilot)

service weigh "Weigh":
  kind: domain_logic
  input:
    title: str
  output:
    tons: int
  stub: python

process boarding "Boarding":
  trigger: entity Trip created
  steps:
    - step weigh_it:
        service: weigh
        inputs:
          trigger.entity.title -> title
        on_success: complete

schedule tide "Tide":
  cron: "0 3 * * *"
  steps:
    - step look:
        service: weigh
        inputs:
          "all" -> title
        on_success: complete

llm_model small:
  provider: anthropic
  model_id: "claude-small"

llm_intent describe "Describe":
  model: small
  prompt: "Describe a ferry"

workspace bridge "Bridge":
  purpose: "What sails"
  trips:
    source: Trip

surface trip_list "Trips":
  uses entity Trip
  mode: list

surface trip_new "New trip":
  uses entity Trip
  mode: create

experience first_trip "First trip":
  start at step enter
  step enter:
    kind: surface
    surface trip_new
    on success -> step look
  step look:
    kind: surface
    surface trip_list
"#;

#[test]
fn each_construct_that_is_left_out_is_named_with_its_place_before_anything_is_written() {
    let folder = folder("eject-left-out", LEFT_OUT, ENABLED);
    let shown = folder.dz(&["eject", "--dry-run"]);
    let line = |start: &str| 1 + LEFT_OUT.lines().position(|line| line.starts_with(start)).expect("a line");
    for (start, what) in [
        ("entity Trip", "Entity `Trip`. Not ejected: the action `stamp`."),
        ("service weigh", "Service `weigh`."),
        ("process boarding", "Process `boarding`."),
        ("schedule tide", "Schedule `tide`."),
        ("llm_intent describe", "LLM intent `describe`."),
        ("workspace bridge", "Workspace `bridge`."),
        ("experience first_trip", "Experience `first_trip`."),
    ] {
        let column = start.find(' ').expect("a space") + 2;
        says(&shown, 0, &[&format!("not ejected: app.dsl:{}:{column}: {what}", line(start))]);
    }
    says(&shown, 0, &["not ejected: GraphQL. `/graphql` answers 501."]);
    assert!(!folder.0.join("generated").exists());
    let stdout = String::from_utf8_lossy(&shown.stdout).into_owned();
    let files: Vec<&str> = stdout.lines().collect();
    let is_creation = |line: &&&str| line.starts_with("create ");
    assert_eq!(files.iter().filter(is_creation).count() + 1, files.len(), "{stdout}");
    folder.dz(&["eject"]);
    let missing = folder.read("generated/NOT_EJECTED.md");
    for what in ["Workspace `bridge`", "Process `boarding`", "Schedule `tide`", "LLM intent `describe`", "Experience `first_trip`"] {
        assert!(missing.contains(&format!("## {what}\n")), "{missing}");
    }
    assert_eq!(folder.dz(&["eject", "--check"]).status.code(), Some(0));
}

#[test]
fn an_application_with_files_has_their_module_and_a_proxy_that_passes_them() {
    let folder = self::folder("eject-uploads", LEFT_OUT, ENABLED);
    folder.dz(&["eject"]);
    let routes = folder.read("generated/backend/src/routes/trip.rs");
    for route in ["#[post(\"/files/trips/map\"", "#[get(\"/files/trips/<id>/map\")]"] {
        assert!(routes.contains(route), "{routes}");
    }
    let nginx = folder.read("generated/frontend/nginx.conf");
    assert!(
        nginx.contains("(api|auth|graphql|files)") && nginx.contains("client_max_body_size 2m;") && !nginx.contains("IF FILES"),
        "{nginx}"
    );
    assert!(folder.read("generated/compose.postgres.yaml").contains("DZ_FILES: /home/app/data/files"));
    let without = self::folder("eject-no-uploads", NOTES, ENABLED);
    without.dz(&["eject"]);
    assert!(!hashes(&without).keys().any(|path| path.starts_with("backend/src/files")));
    let nginx = without.read("generated/frontend/nginx.conf");
    assert!(nginx.contains("(api|auth|graphql)(/|$)") && !nginx.contains("IF FILES"), "{nginx}");
}
