//! `backup` and `restore`: copies of a running application, their checksums, and what they refuse.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Output,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use dz::{Engine, serde_json::json};

use crate::{client::Client, server};

dz::dz! {
    app apiary "Apiary"

    persona keeper "Keeper"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Hive "Hive":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)

    demo:
      User:
        - name: "Bea", email: "bea@apiary.example", password: "smoke the hives", roles: [keeper]
      Hive:
        - name: "Under the lime"
}

const KEEPER: (&str, &str) = ("bea@apiary.example", "smoke the hives");

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

/// An application with its database and its folder of files.
struct Site {
    engine: Engine,
    url: String,
    files: PathBuf,
}

impl Site {
    fn new(engine: Engine, of: &str) -> Site {
        let files = PathBuf::from(server::new_file(of).trim_start_matches("sqlite://")).with_extension("files");
        Site { engine, url: server::new_url(engine, of), files }
    }

    fn run(&self, words: &[&str]) -> (bool, String) {
        let mut command = server::command("backup::child", self.engine, &self.url, words);
        command.env("ROCKET_DZ", format!("{{files={:?}}}", self.files.display().to_string()));
        let Output { status, stdout, stderr } = command.output().expect("it runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    #[track_caller]
    fn succeeds(&self, words: &[&str], expected: &str) {
        let (success, text) = self.run(words);
        assert!(success && text.contains(expected), "`{expected}` is not in:\n{text}");
    }

    #[track_caller]
    fn fails(&self, words: &[&str], expected: &str) {
        let (success, text) = self.run(words);
        assert!(!success && text.contains(expected), "`{expected}` is not in:\n{text}");
    }

    fn serve(&self) -> Client {
        let settings = json!({ "files": self.files.display().to_string(), "worker": false });
        Client::signed_in(&server::serve_with(app(), self.engine, self.url.clone(), settings), KEEPER)
    }

    /// The folder in which this test writes its backups.
    fn folder(&self, name: &str) -> PathBuf {
        let parent = self.files.parent().expect("a folder");
        fs::create_dir_all(parent).expect("a folder");
        parent.join(name)
    }
}

fn total(client: &Client) -> u64 {
    client.get("/api/hives").ok(200).json()["total"].as_u64().expect("a total")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The permissions of a file or a folder.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it exists").permissions().mode() & 0o777
}

fn check_round_trip(engine: Engine) {
    let site = Site::new(engine, "apiary");
    let client = site.serve();
    fs::create_dir_all(site.files.join("ab")).expect("a folder");
    fs::write(site.files.join("ab/abcdef"), "a picture of a hive").expect("a file");
    // Rows are created while the backup runs, so it must be one consistent state.
    let stop = AtomicBool::new(false);
    let before = total(&client);
    let folder = site.folder("backup");
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0.. {
                client.send("POST", "/api/hives", &json!({ "name": format!("Hive {number}") })).ok(201);
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        site.succeeds(&["backup", text(&folder)], "backed up to");
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(mode(&folder), 0o700, "other users of the machine cannot open it");
    site.succeeds(&["restore", text(&folder), "--check"], "verified");
    site.fails(&["backup", text(&folder)], "exists already: name a new folder");

    let other = Site::new(engine, "apiary_restored");
    other.succeeds(&["restore", text(&folder)], "restored from");
    assert_eq!(fs::read_to_string(other.files.join("ab/abcdef")).expect("a file"), "a picture of a hive");
    if engine == Engine::Sqlite {
        let files = [&site, &other].map(|site| mode(Path::new(site.url.trim_start_matches("sqlite://"))));
        assert_eq!(files, [0o600, 0o600], "other users of the machine cannot read a database");
    }
    let restored = other.serve();
    let (rows, now) = (total(&restored), total(&client));
    assert!(before <= rows && rows <= now, "{before} <= {rows} <= {now}");
    restored.send("POST", "/api/hives", &json!({ "name": "A new swarm" })).ok(201);
    // A restore never overwrites.
    fs::remove_dir_all(&other.files).expect("the folder of files");
    other.fails(&["restore", text(&folder)], if engine == Engine::Sqlite { "rename the database first" } else { "pg_restore" });
    assert_eq!(total(&restored), rows + 1);
}

#[test]
fn a_backup_of_a_running_application_is_restored_on_sqlite() {
    check_round_trip(Engine::Sqlite);
}

#[test]
fn a_backup_of_a_running_application_is_restored_on_postgres() {
    check_round_trip(Engine::Postgres);
}

#[test]
fn a_damaged_backup_is_refused_before_anything_is_written() {
    let site = Site::new(Engine::Sqlite, "apiary_damaged");
    site.succeeds(&["seed"], "");
    let folder = site.folder("damaged");
    site.succeeds(&["backup", text(&folder), "--format", "json"], "\"application\":\"apiary\"");
    let database = folder.join("database.sqlite");
    let mut bytes = fs::read(&database).expect("a copy");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&database, bytes).expect("a damaged copy");
    let other = Site::new(Engine::Sqlite, "apiary_empty");
    other.fails(&["restore", text(&folder)], "the backup is damaged: `database.sqlite` has another content");
    fs::remove_file(&database).expect("a missing copy");
    other.fails(&["restore", text(&folder)], "`database.sqlite` is missing");
    fs::remove_file(folder.join("backup.json")).expect("a missing manifest");
    other.fails(&["restore", text(&folder)], "is not a complete backup");
    assert!(!Path::new(other.url.trim_start_matches("sqlite://")).exists(), "nothing was written");
}

#[test]
fn a_backup_that_fails_leaves_no_folder() {
    let site = Site::new(Engine::Sqlite, "apiary_partial");
    site.succeeds(&["seed"], "");
    // The folder of files cannot be read as one.
    fs::write(&site.files, "no folder").expect("a file");
    let folder = site.folder("partial");
    site.fails(&["backup", text(&folder)], ".files");
    assert!(!folder.exists() && !folder.with_file_name("partial.partial").exists());
}
