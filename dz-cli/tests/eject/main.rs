//! What `dz eject` writes builds without dz and without a warning, passes its own tests, and answers as the application does. This
//! compiles both; `test.sh` runs it.

mod clinic;
mod depot;
mod pair;
mod server;
mod tasks;
mod uploads;
mod workshop;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use server::{Database, Server};

/// An ejected example, in a workspace that has the versions of dependencies of this one and shares their builds.
struct Ejected {
    folder: PathBuf,
    target: PathBuf,
    checkout: PathBuf,
}

/// A package that switches on the features of dependencies that dz has, so that nothing is compiled twice.
const FEATURES: &str = r#"[package]
name = "features"
version = "0.1.0"
edition = "2024"

[dependencies]
chrono = { version = "0.4", default-features = false, features = ["clock", "serde", "std"] }
diesel = { version = "~2.3", default-features = false, features = ["32-column-tables", "chrono", "i-implement-a-third-party-backend-and-opt-into-breaking-changes", "postgres", "r2d2", "returning_clauses_for_sqlite_3_35", "serde_json", "sqlite", "uuid"] }
rocket = { version = "0.5", default-features = false, features = ["json"] }
rust_decimal = { version = "1", default-features = false, features = ["serde-str", "std"] }
uuid = { version = "1", features = ["serde", "v7"] }
"#;

const WORKSPACE: &str = r#"[workspace]
members = ["generated/backend", "features"]
resolver = "3"

[profile.dev]
debug = "line-tables-only"

[profile.dev.package."*"]
debug = false

[profile.dev.package.argon2]
opt-level = 3

[profile.dev.package.blake2]
opt-level = 3
"#;

impl Ejected {
    fn new(folder_of: &str, example: &str) -> Ejected {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root").to_path_buf();
        // Two tests use one example.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("dz-eject-{example}-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("features/src")).expect("a folder");
        for (path, text) in [
            ("Cargo.toml", WORKSPACE),
            ("features/Cargo.toml", FEATURES),
            ("features/src/lib.rs", "//! Features of dependencies.\n"),
            ("dz.toml", "[ejection]\nenabled = true\n"),
        ] {
            fs::write(folder.join(path), text).expect("a file");
        }
        fs::copy(checkout.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
        fs::copy(checkout.join(format!("{folder_of}/{example}/app.dsl")), folder.join("app.dsl")).expect("a declaration");
        let output = Command::new(env!("CARGO_BIN_EXE_dz")).arg("eject").current_dir(&folder).output().expect("dz runs");
        assert!(output.status.success(), "{output:?}");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").to_path_buf();
        Ejected { folder, target, checkout }
    }

    /// Runs cargo, which must succeed without a warning about generated code.
    fn cargo(&self, folder: &Path, args: &[&str]) -> String {
        let mut command = Command::new("cargo");
        let output = command.args(args).current_dir(folder).env("CARGO_TARGET_DIR", &self.target).output().expect("cargo runs");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let without_profile = text.replace("warning: profiles for the non root package will be ignored", "");
        assert!(output.status.success() && !without_profile.contains("warning"), "cargo {args:?}: {text}");
        text
    }

    /// Compares the answers of the application with those of the ejected backend, which opens a copy of its database and of its folder.
    fn compare_over(&self, example: &str, requests: &pair::Requests, databases: [&Database; 2], copy: impl Fn()) {
        let [first, second] = databases;
        let program = self.target.join("debug/examples").join(example);
        (requests.prepare)(&Server::start(&program, &[], first));
        first.copy_folder(second);
        copy();
        let plain = self.target.join("debug").join(example);
        let start = || [Server::start(&program, &[], first), Server::start(&plain, &["serve"], second)];
        let [application, ejected] = start();
        pair::compare(requests, &application, &ejected);
        if !first.files.is_dir() {
            return;
        }
        // Both remove the contents of released files, and of uploads that no row has used for a day.
        drop([application, ejected]);
        let age = "UPDATE dz_files SET since = '2020-01-01T00:00:00.000000Z' WHERE state = 'waiting'";
        databases.iter().for_each(|database| database.execute(age));
        let servers = start();
        let contents = || databases.map(|database| files(&database.files).len());
        let used = databases.map(|database| database.count("SELECT count(*) FROM dz_files WHERE state = 'held'"));
        let is_settled = (0..300).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            contents() == used
        });
        drop(servers);
        assert!(is_settled && used[0] == used[1] && used[0] > 0, "{:?} files in the folders, {used:?} used", contents());
        assert_eq!(databases.map(|database| database.count("SELECT count(*) FROM dz_files")), used, "rows of removed files");
    }
}

impl Drop for Ejected {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Checks the text of an ejected application, runs its tests, and compares its answers with those of the application.
fn compare(folder: &str, example: &str, tests: usize, requests: &pair::Requests) -> Ejected {
    let ejected = Ejected::new(folder, example);
    let generated = ejected.folder.join("generated");
    for file in files(&generated.join("backend/src")) {
        let text = fs::read_to_string(&file).expect("a file");
        assert!(!text.contains("use dz") && !text.contains("dz::"), "{} uses dz", file.display());
        assert!(!text.contains("unsafe {") && !text.contains("#![allow"), "{}", file.display());
        assert!(text.lines().all(|line| line.chars().count() <= 200), "{} has a long line", file.display());
    }
    let lock = fs::read_to_string(generated.join("backend/Cargo.toml")).expect("a manifest");
    assert!(!lock.lines().any(|line| line.starts_with("dz")), "{lock}");
    ejected.cargo(&generated.join("backend"), &["fmt", "--check"]);
    let tested = ejected.cargo(&ejected.folder, &["test", "--offline", "-p", "backend", "-p", "features"]);
    assert!(tested.contains(&format!("{tests} passed; 0 failed")), "{tested}");

    // The application writes a database; the ejected one opens a copy of it.
    ejected.cargo(&ejected.folder, &["build", "--offline", "-p", "backend", "-p", "features"]);
    let build = ["build", "--offline", "--workspace", "--example", example, "--features", "postgres,oidc,s3"];
    ejected.cargo(&ejected.checkout, &build);
    let [first, second] = ["first", "second"].map(|name| Database::sqlite(&ejected.folder.join(name)));
    ejected.compare_over(example, requests, [&first, &second], || {});
    ejected
}

/// The address of the PostgreSQL server.
fn postgres() -> String {
    std::env::var("DZ_TEST_POSTGRES").expect("set DZ_TEST_POSTGRES to the address of a PostgreSQL server, or run ./test.sh")
}

fn run_sql(server: &str, sql: &str) {
    connect(server).batch_execute(sql).expect("a statement");
}

fn connect(server: &str) -> pg_client::Client {
    pg_client::Client::connect(server, pg_client::NoTls).expect("PostgreSQL")
}

fn drop_database(server: &str, name: &str) {
    run_sql(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
}

/// The address of a database of the server.
fn database_url(server: &str, name: &str) -> String {
    format!("{}/{name}", server.rsplit_once('/').map_or(server, |(address, _)| address))
}

#[test]
#[ignore = "compiles an application; test.sh runs it"]
fn ejected_tasks_pass_their_tests_and_answer_as_the_application() {
    drop(compare("examples", "tasks", 17, &tasks::TASKS));
}

#[test]
#[ignore = "compiles an application; test.sh runs it"]
fn an_ejected_workshop_passes_its_tests_and_answers_as_the_application() {
    drop(compare("tests/examples", "workshop", 16, &workshop::WORKSHOP));
}

#[test]
#[ignore = "compiles an application; test.sh runs it"]
fn an_ejected_depot_passes_its_tests_and_answers_as_the_application() {
    drop(compare("tests/examples", "depot", 23, &depot::DEPOT));
}

#[test]
#[ignore = "compiles an application; test.sh runs it"]
fn an_ejected_application_with_tenants_answers_as_the_application() {
    drop(compare("examples", "clinic", 24, &clinic::CLINIC));
}

#[test]
#[ignore = "compiles an application; test.sh runs it"]
fn an_ejected_application_passes_its_tests_on_postgresql() {
    let server = postgres();
    let ejected = Ejected::new("examples", "clinic");
    let name = format!("dz_eject_{}", std::process::id());
    drop_database(&server, &name);
    run_sql(&server, &format!("CREATE DATABASE {name}"));
    let url = database_url(&server, &name);
    let mut command = Command::new("cargo");
    let args = ["test", "--offline", "-p", "backend", "-p", "features", "--features", "backend/postgres"];
    command.args(args).current_dir(&ejected.folder).env("CARGO_TARGET_DIR", &ejected.target).env("DATABASE_URL", &url);
    let output = command.output().expect("cargo runs");
    drop_database(&server, &name);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("24 passed; 0 failed"), "{text}");
}

/// `make test`, as the tree has it: the format and the tests of the backend over both engines, the types, the build and the tests of the
/// frontend, and the contract tests.
#[test]
#[ignore = "compiles an application, and installs packages of npm and PyPI; test.sh runs it"]
fn make_test_of_an_ejected_application_passes() {
    let ejected = Ejected::new("examples", "tasks");
    let generated = ejected.folder.join("generated");
    let server = postgres();
    let name = format!("dz_eject_make_{}", std::process::id());
    drop_database(&server, &name);
    run_sql(&server, &format!("CREATE DATABASE {name}"));
    let mut command = Command::new("make");
    command.arg("test").current_dir(&generated).env("CARGO_TARGET_DIR", &ejected.target).env_remove("DATABASE_URL");
    command.env("TEST_POSTGRES", database_url(&server, &name)).env("CONTRACT_SECONDS", "15");
    let output = command.output().expect("make runs");
    drop_database(&server, &name);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    // `make` prints each command before it runs it.
    for command in ["cargo fmt --check", "cargo test --features postgres", "npm ci && npm run build", "npm test", "tests/contract/run.py"] {
        assert!(text.contains(command), "`make test` does not run `{command}`: {text}");
    }
    assert!(text.matches("17 passed; 0 failed").count() >= 2, "the tests of the backend on each engine: {text}");
    for file in ["types/project.ts", "schemas/project.ts", "hooks/project.ts", "components/project/list.tsx"] {
        assert!(generated.join("frontend/src").join(file).is_file(), "{file}");
    }
    // What the tests leave behind, such as packages of npm, does not change what a second run finds.
    let second = Command::new(env!("CARGO_BIN_EXE_dz")).args(["eject", "--check"]).current_dir(&ejected.folder).status();
    assert!(second.expect("dz runs").success(), "a second run changes files");
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
