//! `backup` and `restore`: copies of a running application, their checksums, and what they refuse.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    client::Client,
    files::{parts, send_form},
    jobs::eventually_slowly,
    personal_data::execute,
    server,
};

dz::dz! {
    app apiary "Apiary"

    persona keeper "Keeper"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Hive "Hive":
      id: uuid pk
      name: str(60) required
      photo: file
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)
        delete: role(keeper)

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

    fn command(&self, words: &[&str]) -> Command {
        let mut command = server::command("backup::child", self.engine, &self.url, words);
        command.env("ROCKET_DZ", format!("{{files={:?}}}", self.files.display().to_string()));
        command
    }

    fn run(&self, words: &[&str]) -> (bool, String) {
        let Output { status, stdout, stderr } = self.command(words).output().expect("it runs");
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
        self.serve_with_worker(false)
    }

    fn serve_with_worker(&self, worker: bool) -> Client {
        let settings = json!({ "files": self.files.display().to_string(), "worker": worker });
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

/// Creates a hive with a photo; returns its row.
fn hive(client: &Client, name: &str, photo: &[u8]) -> Value {
    let form = parts(&[], &[("file", "photo.txt", "text/plain", photo)]);
    let photo = send_form(client, "/files/hives/photo", &form).ok(201).json();
    client.send("POST", "/api/hives", &json!({ "name": name, "photo": photo })).ok(201).json()
}

fn delete(client: &Client, hive: &Value) {
    client.delete(&format!("/api/hives/{}", hive["id"].as_str().expect("an id"))).ok(204);
}

/// The stored files in a folder.
fn stored(folder: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    folders.flat_map(|it| fs::read_dir(it.path()).into_iter().flatten().flatten()).map(|it| it.path()).collect()
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
    other.fails(
        &["restore", text(&folder)],
        if engine == Engine::Sqlite { "rename the database first" } else { "which `createdb` creates" },
    );
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

fn check_lease(engine: Engine) {
    let site = Site::new(engine, "apiary_lease");
    site.succeeds(&["seed"], "");
    let lease = |until: &str| {
        let sql = format!(
            "INSERT INTO dz_meta (key, value) VALUES ('running backup of a test', '{until}') \
             ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        );
        execute(engine, &site.url, &sql);
    };
    lease("2999-01-01T00:00:00Z");
    let client = site.serve_with_worker(true);
    delete(&client, &hive(&client, "One", b"a photo"));
    thread::sleep(Duration::from_secs(1));
    assert_eq!(stored(&site.files).len(), 1, "the file is kept while a backup runs");
    // The lease of a backup that was killed expires.
    lease("2020-01-01T00:00:00Z");
    delete(&client, &hive(&client, "Another", b"another photo"));
    eventually_slowly(0, || stored(&site.files).len());
}

#[test]
fn no_file_is_deleted_while_a_backup_runs_on_sqlite() {
    check_lease(Engine::Sqlite);
}

#[test]
fn no_file_is_deleted_while_a_backup_runs_on_postgres() {
    check_lease(Engine::Postgres);
}

/// A `pg_dump` that ends half a minute after its copy, or when the file `go` is beside it.
const SLOW_DUMP: &str = "#!/bin/sh
here=$(dirname \"$0\")
PATH=$DZ_TEST_PATH
export PATH
pg_dump \"$@\" || exit 1
: > \"$here/copied\"
for _ in $(seq 600); do
  if [ -e \"$here/go\" ]; then exit 0; fi
  sleep 0.05
done
";

#[test]
fn a_file_that_is_released_after_the_copy_of_the_database_is_in_the_backup() {
    let site = Site::new(Engine::Postgres, "apiary_released");
    let client = site.serve_with_worker(true);
    let row = hive(&client, "One", b"a photo");
    let (folder, tools) = (site.folder("released"), site.folder("tools"));
    fs::create_dir_all(&tools).expect("a folder");
    fs::write(tools.join("pg_dump"), SLOW_DUMP).expect("a program");
    fs::set_permissions(tools.join("pg_dump"), fs::Permissions::from_mode(0o755)).expect("a program");
    let path = std::env::var("PATH").expect("a path");
    let mut backup = site.command(&["backup", text(&folder)]);
    backup.env("DZ_TEST_PATH", &path).env("PATH", format!("{}:{path}", tools.display()));
    let mut backup = backup.spawn().expect("it runs");
    eventually_slowly(true, || tools.join("copied").exists());
    delete(&client, &row);
    thread::sleep(Duration::from_secs(1));
    fs::write(tools.join("go"), "").expect("a file");
    assert!(backup.wait().expect("it ends").success());
    eventually_slowly(0, || stored(&site.files).len());

    let other = Site::new(Engine::Postgres, "apiary_with_photo");
    other.succeeds(&["restore", text(&folder)], "restored from");
    let photo = row["photo"]["url"].as_str().expect("an address");
    assert_eq!(other.serve().get(photo).ok(200).body, "a photo");
}

#[test]
fn a_backup_without_a_file_that_its_database_names_is_reported() {
    let site = Site::new(Engine::Sqlite, "apiary_lost");
    let client = site.serve();
    hive(&client, "One", b"a photo");
    let (complete, incomplete) = (site.folder("complete"), site.folder("incomplete"));
    site.succeeds(&["backup", text(&complete)], "backed up to");
    site.succeeds(&["restore", text(&complete), "--check"], "verified");
    for file in stored(&site.files) {
        fs::remove_file(file).expect("a lost file");
    }
    // A lost file does not prevent the backup of the rest.
    site.succeeds(&["backup", text(&incomplete)], "backed up to");
    site.fails(&["restore", text(&incomplete), "--check"], "the backup is incomplete: its database names `files/");
    let other = Site::new(Engine::Sqlite, "apiary_lost_again");
    other.succeeds(&["restore", text(&incomplete)], "restored from");
}

#[test]
fn an_interrupted_restore_has_no_database_and_can_be_repeated() {
    let site = Site::new(Engine::Sqlite, "apiary_source");
    let client = site.serve();
    let rows = [&b"one"[..], b"two", b"three"].map(|photo| hive(&client, "Photographed", photo));
    let folder = site.folder("interrupted");
    site.succeeds(&["backup", text(&folder)], "backed up to");

    let other = Site::new(Engine::Sqlite, "apiary_interrupted");
    let database = PathBuf::from(other.url.trim_start_matches("sqlite://"));
    // The copy of the database fails, because a folder has its name.
    let blocked = PathBuf::from(format!("{}.partial", database.display()));
    fs::create_dir_all(&blocked).expect("a folder");
    other.fails(&["restore", text(&folder)], ".partial");
    assert!(!database.exists(), "the application cannot be started with a part of the files");
    let files = stored(&other.files);
    assert_eq!(files.len(), 3, "{files:?}");
    fs::remove_dir(&blocked).expect("the folder is removed");
    // One file was not copied, and one not completely.
    fs::remove_file(&files[0]).expect("a file");
    fs::rename(&files[1], format!("{}.partial", files[1].display())).expect("a part of a file");
    // Files of something else are never taken for those of the backup.
    let content = fs::read(&files[2]).expect("a file");
    for (path, bytes, expected) in [
        (files[2].clone(), &b"another"[..], "has another content than in the backup"),
        (other.files.join("note"), b"a note", "`note` is not part of the backup"),
    ] {
        fs::write(&path, bytes).expect("a file");
        other.fails(&["restore", text(&folder)], expected);
        fs::remove_file(&path).expect("a file");
        if path == files[2] {
            fs::write(&path, &content).expect("a file");
        }
    }
    other.succeeds(&["restore", text(&folder)], "restored from");
    let restored = other.serve();
    for (row, photo) in rows.iter().zip(["one", "two", "three"]) {
        assert_eq!(restored.get(row["photo"]["url"].as_str().expect("an address")).ok(200).body, photo);
    }
    assert_eq!(fs::read_dir(&other.files).expect("a folder").flatten().filter(|it| it.path().is_file()).count(), 0, "no marker is left");
    other.fails(&["restore", text(&folder)], "rename the database first");
}

#[test]
fn only_the_folder_of_an_interrupted_backup_is_replaced() {
    let site = Site::new(Engine::Sqlite, "apiary_replaced");
    site.succeeds(&["seed"], "");
    let (folder, partial) = (site.folder("replaced"), site.folder("replaced.partial"));
    fs::create_dir_all(&partial).expect("a folder");
    fs::write(partial.join("letter"), "a letter").expect("a file");
    site.fails(&["backup", text(&folder)], "is not the folder of a backup");
    assert_eq!(fs::read_to_string(partial.join("letter")).expect("the letter"), "a letter");
    // A backup that runs has locked this file.
    let lock = fs::File::create(partial.join("backup.lock")).expect("a file");
    lock.lock().expect("a lock");
    site.fails(&["backup", text(&folder)], "another backup is being written");
    drop(lock);
    site.succeeds(&["backup", text(&folder)], "backed up to");
    assert!(!partial.exists() && !folder.join("letter").exists() && !folder.join("backup.lock").exists());
    site.succeeds(&["restore", text(&folder), "--check"], "verified");
}
