//! `dz doctor`, `dz completions` and `dz man`.

use std::{fs, process::Command};

use serde_json::Value;

use crate::folder::{Folder, json, out, says};

const NOTES: &str = "app notes \"Notes\"\n\npersona clerk \"Clerk\"\n\nentity Note \"Note\":\n  id: uuid pk\n  title: str(80) required\n  \
                     permit:\n    list: role(clerk)\n    read: role(clerk)\n";

const MANIFEST: &str = "[package]\nname = \"notes\"\n\n[dependencies]\ndz = \"VERSION\"\n";

fn manifest() -> String {
    MANIFEST.replace("VERSION", env!("CARGO_PKG_VERSION"))
}

/// The statuses and messages of a check.
fn results<'r>(report: &'r Value, check: &str) -> Vec<(&'r str, &'r str)> {
    let all = report["checks"].as_array().expect("a list").iter().filter(|it| it["check"] == check);
    all.map(|it| (it["status"].as_str().expect("a status"), it["message"].as_str().expect("a message"))).collect()
}

/// Runs the command without the settings of this process.
fn doctor(folder: &Folder, arguments: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dz"));
    command.arg("doctor").args(["--format", "json"]).args(arguments).current_dir(&folder.0).env_remove("DATABASE_URL");
    for variable in ["AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
        command.env_remove(variable);
    }
    let output = command.output().expect("dz runs");
    (output.status.code(), json(&output))
}

#[test]
fn a_project_without_problems_passes() {
    let folder = Folder::new("doctor-ok", &[("app.dsl", NOTES), ("Cargo.toml", &manifest()), ("dz.toml", "")]);
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    says(&folder.dz(&["access", "--write", "access.lock"]), 0, &[]);
    let (code, report) = doctor(&folder, &["--deny", "warnings"]);
    assert_eq!((code, &report["problems"], &report["warnings"]), (Some(0), &0.into(), &0.into()), "{report}");
    for check in ["toolchain", "version", "features", "declaration", "migrations", "access", "settings"] {
        assert_eq!(results(&report, check).iter().map(|it| it.0).collect::<Vec<_>>(), ["ok"], "{check}: {report}");
    }
    says(&folder.dz(&["doctor"]), 0, &["ok       declaration", "0 problems, 0 warnings in "]);
}

#[test]
fn problems_of_the_project_are_named_with_a_correction() {
    let manifest = "[package]\nname = \"notes\"\n\n[dependencies]\ndz = { version = \"9.4.0\", default-features = false }\n";
    let folder = Folder::new("doctor-wrong", &[("app.dsl", NOTES), ("Cargo.toml", manifest), ("dz.toml", "")]);
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    says(&folder.dz(&["access", "--write", "access.lock"]), 0, &[]);
    let changed = NOTES.replace("    read: role(clerk)\n", "    read: authenticated\n").replace("required\n", "required\n  body: text\n");
    fs::write(folder.0.join("app.dsl"), changed).expect("a file");
    let (code, report) = doctor(&folder, &[]);
    assert_eq!(code, Some(1));
    for (check, words) in [
        ("version", "the application uses dz 9.4.0"),
        ("features", "the feature `sqlite` of dz is missing"),
        ("migrations", "the declaration has changed since the last migration"),
        ("access", "the access rules differ from access.lock"),
    ] {
        let found = results(&report, check);
        assert!(found.iter().any(|(status, message)| *status == "problem" && message.contains(words)), "{check}: {report}");
    }
    let all = report["checks"].as_array().expect("a list");
    assert!(all.iter().all(|it| it["status"] == "ok" || it["help"].is_string()), "{report}");
    fs::write(folder.0.join("app.dsl"), "entity A\n").expect("a file");
    assert_eq!(results(&doctor(&folder, &[]).1, "declaration")[0].0, "problem");
}

#[test]
fn insecure_settings_and_missing_backups_are_warnings() {
    let rocket = "[default]\naddress = \"0.0.0.0\"\n\n[default.dz]\ndatabase_url = \"sqlite://data/notes.db\"\ngraphql_introspection = true\n\
                  secrets = [\"1:abc\"]\n\n[default.dz.rate_limits]\nauth = 0\n\n[debug]\naddress = \"127.0.0.1\"\n\n[release.dz]\ninsecure_http = true\n";
    let files = [("app.dsl", NOTES), ("Cargo.toml", &manifest()), ("Rocket.toml", rocket), ("data/notes.db", "rows")];
    let folder = Folder::new("doctor-settings", &files);
    let (code, report) = doctor(&folder, &[]);
    assert_eq!(code, Some(0), "{report}");
    let settings = results(&report, "settings");
    for words in ["`dz.insecure_http` is on", "`dz.rate_limits.auth` is 0", "`dz.graphql_introspection` is on"] {
        assert!(settings.iter().any(|(status, message)| *status == "warning" && message.contains(words)), "{words}: {report}");
    }
    assert!(results(&report, "secrets")[0].1.contains("`dz.secrets`"), "{report}");
    assert!(results(&report, "migrations")[0].1.contains("there are no migrations"), "{report}");
    assert!(results(&report, "backups")[0].1.contains("there is no backup of"), "{report}");
    assert_eq!(doctor(&folder, &["--deny", "warnings"]).0, Some(1));
    // Without the permission for http, the application does not start on this address.
    assert!(results(&doctor(&folder, &["--profile", "staging"]).1, "settings").iter().any(|it| it.0 == "problem"));
    // A backup beside the database is found, and an old one is reported.
    fs::create_dir_all(folder.0.join("data/backups")).expect("a folder");
    let backup = folder.0.join("data/backups/monday.db");
    fs::write(&backup, "rows").expect("a file");
    assert_eq!(results(&doctor(&folder, &[]).1, "backups")[0].0, "ok");
    let week = std::time::SystemTime::now() - std::time::Duration::from_secs(7 * 86_400);
    fs::File::options().append(true).open(&backup).and_then(|file| file.set_modified(week)).expect("a time");
    let (_, report) = doctor(&folder, &["--backups", "data/backups"]);
    assert!(results(&report, "backups")[0].1.contains("7 days old"), "{report}");
    // The application's own command writes a folder.
    fs::create_dir_all(folder.0.join("data/backups/tuesday")).expect("a folder");
    fs::write(folder.0.join("data/backups/tuesday/backup.json"), "{}").expect("a file");
    assert!(results(&doctor(&folder, &[]).1, "backups")[0].1.ends_with("tuesday"));
    fs::write(folder.0.join("Rocket.toml"), "[default\n").expect("a file");
    assert!(results(&doctor(&folder, &[]).1, "settings")[0].1.contains("Rocket.toml is not TOML"));
}

#[test]
fn services_and_language_models_need_their_programs_and_keys() {
    let text = format!(
        "{NOTES}\nservice price:\n  input:\n    weight: int required\n  output:\n    fee: int required\n  stub: python\n\nllm_model small:\n  \
         provider: openai\n  model_id: gpt-4o-mini\n  api_key_env: DZ_DOCTOR_TEST_KEY\n"
    );
    let rocket = "[default.dz]\npython = \"no-such-python\"\npublic_url = \"https://notes.example.com\"\n";
    let folder = Folder::new("doctor-services", &[("app.dsl", &text), ("Cargo.toml", &manifest()), ("Rocket.toml", rocket)]);
    let (code, report) = doctor(&folder, &[]);
    assert_eq!(code, Some(1));
    assert!(results(&report, "python")[0].1.contains("`no-such-python` cannot be started"), "{report}");
    assert!(results(&report, "services")[0].1.contains("the service `price` has no file"), "{report}");
    assert!(results(&report, "keys")[0].1.contains("`DZ_DOCTOR_TEST_KEY`"), "{report}");
    fs::remove_file(folder.0.join("Rocket.toml")).expect("a file");
    says(&folder.dz(&["stubs", "generate"]), 0, &[]);
    let (_, report) = doctor(&folder, &[]);
    assert_eq!((results(&report, "python")[0].0, results(&report, "services").len()), ("ok", 0), "{report}");
}

#[test]
fn object_storage_needs_its_feature_and_a_complete_connection() {
    let rocket = "[default.dz]\nfiles = \"s3://notes-files/uploads\"\npublic_url = \"https://notes.example.com\"\n\n\
                  [default.dz.backup]\nfolder = \"gs://notes-backups\"\n\n[default.dz.s3]\nendpoint = \"http://s3.example.com:9000\"\n\
                  secret_access_key = \"secret\"\n";
    let folder = Folder::new("doctor-storage", &[("app.dsl", NOTES), ("Cargo.toml", &manifest()), ("Rocket.toml", rocket)]);
    let (code, report) = doctor(&folder, &[]);
    assert_eq!(code, Some(1));
    assert!(results(&report, "features")[0].1.contains("the feature `s3` of dz is missing: `dz.files` is a bucket"), "{report}");
    let storage: Vec<&str> = results(&report, "storage").iter().map(|it| it.1).collect();
    for words in ["`dz.backup.folder` is `gs://notes-backups`", "which is not encrypted", "the key for the bucket has no name"] {
        assert!(storage.iter().any(|message| message.contains(words)), "{words}: {report}");
    }
    assert!(results(&report, "secrets").iter().any(|it| it.1.contains("`dz.s3.secret_access_key`")), "{report}");
    let whole = "[default.dz]\nfiles = \"s3://notes-files/uploads\"\npublic_url = \"https://notes.example.com\"\n\n[default.dz.s3]\n\
                 access_key_id = \"notes\"\nsecret_access_key = \"secret\"\n";
    fs::write(folder.0.join("Rocket.toml"), whole).expect("a file");
    let (_, report) = doctor(&folder, &[]);
    assert_eq!(results(&report, "storage"), [("ok", "`dz.files` is a bucket, and its connection is complete")]);
}

#[test]
fn shells_and_man_get_their_files() {
    let folder = Folder::new("completions", &[]);
    for (shell, words) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef dz"),
        ("fish", "complete -c dz"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let output = folder.dz(&["completions", shell]);
        says(&output, 0, &[words, "validate"]);
    }
    says(&folder.dz(&["completions", "tcsh"]), 2, &["possible values"]);
    let page = out(&folder.dz(&["man"]));
    assert!(page.starts_with(".ie") || page.contains(".TH dz 1"), "{page}");
    says(&folder.dz(&["man", "-o", "man"]), 0, &[" pages in man"]);
    assert!(folder.read("man/dz.1").contains("validate") && folder.read("man/dz-docs-generate.1").contains("docs"));
}
