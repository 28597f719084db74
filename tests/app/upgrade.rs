//! Two versions of an application on one PostgreSQL, while its migration runs: no request fails.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use diesel::{Connection, connection::SimpleConnection, pg::PgConnection};
use dz::{
    Engine,
    serde_json::{Value, json},
};
use dz_dsl_file::{
    SourceMap, analyse,
    emit::schema::{self as language, Schema, diff, online},
};

use crate::{
    client::Client,
    jobs::{Serving, check_output_of},
    server,
};

/// The version that is replaced. Its database is created from the declaration.
mod before {
    dz::include_dsl!("app/upgrade/before.dsl", database = "postgres", migrations = "app/upgrade/none");
}

/// The version that replaces it.
mod after {
    dz::include_dsl!("app/upgrade/after.dsl", database = "postgres", migrations = "app/upgrade/migrations");
}

const PIA: (&str, &str) = ("pia@orchard.example", "prunes in winter");
/// The number of trees before the migration.
const TREES: u32 = 4_000;

#[test]
#[ignore = "the tests start it in a process of its own"]
fn child_before() {
    server::obey(before::app());
}

#[test]
#[ignore = "the tests start it in a process of its own"]
fn child_after() {
    server::obey(after::app());
}

/// The names of the fields in a version, and the address of its instance.
#[derive(Clone)]
struct Version {
    base: String,
    title: &'static str,
    /// The other members of a new row.
    more: fn(usize) -> Value,
}

fn old_version(serving: &Serving) -> Version {
    Version { base: serving.base.clone(), title: "label", more: |n| json!({ "height": n % 9, "place": n }) }
}

fn new_version(serving: &Serving) -> Version {
    let more = |n| json!({ "remark": format!("row {n}"), "place": n, "variety": "pear", "state": "felled" });
    Version { base: serving.base.clone(), title: "title", more }
}

/// Clients of one version, who send requests until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    rounds: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<Vec<String>>>,
}

impl Load {
    fn start(version: &Version, name: &'static str) -> Load {
        let (stop, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let signed_in = Client::signed_in(&version.base, PIA);
        let clients = (0..2).map(|client| {
            let (stop, rounds, version, cookie) = (stop.clone(), rounds.clone(), version.clone(), signed_in.cookie.clone());
            thread::spawn(move || {
                let client_of = Client { cookie, ..Client::new(&version.base) };
                let mut stored = Vec::new();
                for n in 0.. {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    stored.push(one_round(&client_of, &version, &format!("{name} {client} {n}"), n));
                    rounds.fetch_add(1, Ordering::SeqCst);
                }
                stored
            })
        });
        let clients = clients.collect();
        Load { stop, rounds, clients }
    }

    /// Waits until the clients have completed some more rounds.
    fn wait(&self) {
        let (before, start) = (self.rounds.load(Ordering::SeqCst), Instant::now());
        while self.rounds.load(Ordering::SeqCst) < before + 6 {
            assert!(self.clients.iter().all(|client| !client.is_finished()), "a client has failed");
            assert!(start.elapsed() < Duration::from_secs(300), "the clients make no progress");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The titles of all stored trees.
    fn stop(self) -> Vec<String> {
        self.stop.store(true, Ordering::SeqCst);
        self.clients.into_iter().flat_map(|client| client.join().expect("no request fails")).collect()
    }
}

/// Creates, reads, changes, lists, searches and deletes trees; each response must be a success. Returns the title of the tree that stays.
fn one_round(client: &Client, version: &Version, name: &str, n: usize) -> String {
    let create = |title: &str| {
        let mut body = (version.more)(n);
        body[version.title] = title.into();
        let row = client.send("POST", "/api/trees", &body).ok(201).json();
        format!("/api/trees/{}", row["id"].as_str().expect("an id"))
    };
    let (address, again) = (create("to be changed"), create("to be deleted"));
    let changed = client.send("PATCH", &address, &json!({ version.title: name, "place": n + 1 })).ok(200).json();
    assert_eq!(changed[version.title], name);
    assert_eq!(client.get(&address).ok(200).json()[version.title], name);
    client.send("DELETE", &again, &json!({})).ok(204);
    client.get("/api/trees?page_size=50").ok(200);
    client.get("/api/trees?search=changed").ok(200);
    client.get("/app/tree_list").ok(200).shows(&["data-dz"]);
    name.to_owned()
}

/// The program of a version, as a command; its output contains the words.
fn run(version: &str, url: &str, words: &str, succeeds: bool, expected: &[&str]) {
    check_output_of(&format!("upgrade::child_{version}"), url, words, succeeds, expected);
}

#[test]
fn no_request_fails_while_the_database_is_migrated() {
    let url = server::new_url(Engine::Postgres, "orchard");
    let old = Serving::start_program("upgrade::child_before", &url, &[]);
    let mut database = PgConnection::establish(&url).expect("the database answers");
    let trees = format!(
        "INSERT INTO trees (id, label, height, place, state, dz_version) \
         SELECT gen_random_uuid(), 'tree ' || n, n % 7, n, 'young', 1 FROM generate_series(1, {TREES}) n"
    );
    database.batch_execute(&trees).expect("trees");
    let of_old = Load::start(&old_version(&old), "old");
    of_old.wait();
    run("after", &url, "migrate --check", false, &["pending", "_1_expand"]);
    run("after", &url, "migrate", true, &["1 migration is recorded without running", "_2_backfill", "waiting", "_contract"]);
    of_old.wait();
    // An instance of each version starts.
    let new = Serving::start_program("upgrade::child_after", &url, &[]);
    let another = Serving::start_program("upgrade::child_before", &url, &[]);
    let (of_new, of_another) = (Load::start(&new_version(&new), "new"), Load::start(&old_version(&another), "another"));
    [&of_old, &of_new, &of_another].into_iter().for_each(Load::wait);
    run("after", &url, "migrate --check", false, &["waiting", "migrate --contract"]);
    run("after", &url, "migrate --contract", false, &["an instance of another version runs"]);
    let mut stored = [of_old.stop(), of_another.stop()].concat();
    assert!(old.end() && another.end());
    run("after", &url, "migrate --contract", true, &["applied", "_contract"]);
    of_new.wait();
    stored.extend(of_new.stop());
    run("after", &url, "migrate --check", true, &["nothing to apply"]);
    run("before", &url, "migrate --check", false, &[]);
    check_trees(&Client::signed_in(&new.base, PIA), &stored);
    assert!(new.end());
}

/// Nothing that a version confirmed is lost.
fn check_trees(client: &Client, stored: &[String]) {
    let csv = client.get("/api/trees?format=csv").ok(200).body;
    let mut titles: Vec<&str> = csv.lines().flat_map(|line| line.split(',')).collect();
    titles.sort_unstable();
    for title in stored {
        assert!(titles.binary_search(&title.as_str()).is_ok(), "`{title}` is lost");
    }
    assert_eq!(csv.lines().count(), 1 + TREES as usize + stored.len());
    assert!(!csv.contains("to be"), "a row that was deleted, or a change, is lost");
    let plain = client.get("/api/trees?remark=-&variety=apple&page_size=1").ok(200).json();
    assert!(plain["total"].as_u64().is_some_and(|total| total >= u64::from(TREES)), "{plain}");
}

fn schema(of: &str) -> Schema {
    let mut sources = SourceMap::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("app/upgrade").join(of);
    sources.add(of, std::fs::read_to_string(path).expect("a declaration"));
    Schema::from_model(&analyse(sources).model.expect("a model"))
}

/// The migrations in the folder are those that the command writes for the two declarations.
#[test]
fn the_migrations_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("app/upgrade/migrations");
    let (old, new) = (schema("before.dsl"), schema("after.dsl"));
    let initial = diff::migration(&Schema::default(), &old, language::Engine::Postgres).expect("tables");
    let online = online::migration(&old, &new).expect("two versions can share it").expect("a difference");
    let mut expected = vec![("initial".to_owned(), initial.up, initial.down)];
    expected.extend(online.parts.into_iter().map(|part| (format!("trees_{}", part.name), part.up, part.down)));
    let mut found: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
        .unwrap_or_default();
    found.sort();
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()?.split_once('_')).map(|(_, name)| name.to_owned());
    let names: Vec<Option<String>> = found.iter().map(|path| name(path)).collect();
    assert_eq!(names, expected.iter().map(|(name, ..)| Some(name.clone())).collect::<Vec<_>>());
    let without_comments =
        |text: &str| text.lines().filter(|line| !line.starts_with("--") && !line.is_empty()).collect::<Vec<_>>().join("\n");
    for (path, (_, up, down)) in found.iter().zip(&expected) {
        for (file, script) in [("up.sql", up), ("down.sql", down)] {
            let text = std::fs::read_to_string(path.join(file)).expect("a script");
            assert_eq!(
                without_comments(&text),
                without_comments(&script.sql),
                "{}: write the folder with `dz migrate diff`",
                path.display()
            );
        }
        assert_eq!(path.join("metadata.toml").exists(), !up.in_transaction, "{}", path.display());
    }
}
