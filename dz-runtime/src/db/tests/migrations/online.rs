//! Migrations that PostgreSQL applies while two versions of an application use the database.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use dz_dsl_file::emit::schema::online::{self, Online};

use super::*;

/// Two versions: a field is renamed, one becomes required, one is removed, one is new and required, and there are new indexes, values and
/// references.
const BEFORE: &str = "app harbour \"Harbour\"\n\nentity Quay:\n  id: int pk\n  name: str(40) required\n  depth: int required\n  note: str(40)\n  \
                      state: enum[open, shut] = open\n  berth: int indexed\n  number: str(20) unique\n\nentity Vessel:\n  id: uuid pk\n  name: str(40) \
                      required unique\n  quay: ref Quay\n";
const AFTER: &str = "app harbour \"Harbour\"\n\nentity Quay:\n  id: int pk\n  title: str(40) required was: name\n  note: str(60) required = \"-\"\n  \
                     state: enum[open, shut, sold] = open\n  kind: enum[stone, wood] required = stone\n  berth: int\n  code: str(20) unique was: \
                     number\n  owner: ref Vessel\n  invariant: berth = null or berth >= 0\n\nentity Vessel:\n  id: uuid pk\n  name: str(40) required \
                     unique\n  home: ref Quay was: quay\n  length: int indexed\n  flag: str(3) unique\n\nentity Visit:\n  id: uuid pk\n  vessel: ref \
                     Vessel required\n";

fn plan(old: &Schema, new: &Schema) -> Result<Online, String> {
    online::migration(old, new).map_err(|why| why.join("; "))?.ok_or_else(|| "equal".to_owned())
}

fn run_part(conn: &mut Conn, script: &Script, way: &str) {
    let done = if script.in_transaction { run(conn, script) } else { conn.script(&script.sql) };
    done.unwrap_or_else(|wrong| panic!("{way}: {wrong}\n{}", script.sql));
}

/// All parts lead to the new schema; their reversal leads back.
fn leads_there_and_back_in_parts(conn: &mut Conn, (old, new): (&str, &str)) -> Result<(), String> {
    let (old_schema, new_schema) = (schema(old), schema(new));
    let online = plan(&old_schema, &new_schema)?;
    make(conn, &new_schema);
    let wanted = catalogue::read(conn);
    make(conn, &old_schema);
    let before = catalogue::read(conn);
    let told = |way: &str| format!("{way}\n{old}\n---\n{new}\n{}", online.parts.iter().map(|it| it.up.sql.as_str()).collect::<String>());
    for part in &online.parts {
        run_part(conn, &part.up, &told(&part.name));
    }
    catalogue::same(&catalogue::read(conn), &wanted, &told("up"));
    for part in online.parts.iter().rev() {
        run_part(conn, &part.down, &told(&format!("{} back: {}", part.name, part.down.sql)));
    }
    catalogue::same(&catalogue::read(conn), &before, &told("down"));
    Ok(())
}

fn on_server(work: impl Fn(&Database)) {
    let server = Server::new();
    let config = DatabaseConfig { url: server.url(), size: 6, row_security: false, idle: DatabaseConfig::IDLE };
    work(&Database::open(Engine::Postgres, &config).unwrap());
}

fn on_connection(db: &Database, mut work: impl FnMut(&mut Conn)) {
    db.run_without_transaction(&mut |conn| {
        work(conn);
        Ok(())
    })
    .unwrap();
}

#[test]
fn all_parts_lead_to_the_new_schema_and_back() {
    on_server(|db| {
        on_connection(db, |conn| {
            leads_there_and_back_in_parts(conn, (BEFORE, AFTER)).unwrap();
            let mut done = 0;
            for seed in 0..400 {
                let (old, new) = declaration::pair(seed);
                done += u32::from(leads_there_and_back_in_parts(conn, (&old, &new)).is_ok());
                if done == 25 {
                    break;
                }
            }
            assert!(done >= 10, "only {done} of the random changes can be made online");
        });
    });
}

/// The old version and then the new one, whose migrations are online.
fn versions(old: &str, new: &str) -> [&'static AppDef; 2] {
    let (first, second) = (schema(old), schema(new));
    let initial = || {
        let migration = diff::migration(&Schema::default(), &first, language::Engine::Postgres).expect("tables");
        definition(0, "initial", migration.up, migration.down)
    };
    let online = plan(&first, &second).unwrap();
    let parts = online.parts.into_iter().enumerate().map(|(at, part)| definition(at + 1, &part.name, part.up, part.down));
    let all: Vec<MigrationDef> = std::iter::once(initial()).chain(parts).collect();
    [with_migrations(&first, Engine::Postgres, vec![initial()]), with_migrations(&second, Engine::Postgres, all)]
}

fn definition(at: usize, name: &str, up: Script, down: Script) -> MigrationDef {
    MigrationDef {
        version: format!("202601010000{at:02}").leak(),
        name: format!("2026-01-01-0000{at:02}_{name}").leak(),
        in_transaction: up.in_transaction,
        up: up.sql.leak(),
        down: down.sql.leak(),
    }
}

fn start(db: &Database, app: &'static AppDef) -> Result<State, String> {
    db.write(&mut |conn| db_schema::prepare(conn, app)).map_err(|error| error.detail)
}

fn script(conn: &mut Conn, sql: &str) {
    conn.script(sql).unwrap_or_else(|wrong| panic!("{wrong}\n{sql}"));
}

#[test]
fn both_versions_run_between_the_halves_and_rows_have_the_values_of_both() {
    let [old, new] = versions(BEFORE, AFTER);
    on_server(|db| {
        migrate::run(db, old, &[], false).unwrap();
        on_connection(db, |conn| {
            script(
                conn,
                "INSERT INTO quays (id, name, depth, number, state) SELECT i, 'quay ' || i, 7, 'n' || i, 'open' FROM generate_series(1, 2500) i;\
                 INSERT INTO vessels (id, name, quay) VALUES ('00000000-0000-0000-0000-000000000001', 'Ada', 3)",
            );
        });
        assert!(start(db, new).unwrap_err().contains("1_expand"));
        let applied = migrate::run(db, new, &[], false).unwrap().applied;
        let last = applied.last().expect("migrations");
        assert!(applied.iter().any(|name| name.ends_with("_backfill")) && !last.contains("contract"), "{applied:?}");
        // An instance of each version starts and writes.
        assert_eq!((start(db, old), start(db, new)), (Ok(State::Matching), Ok(State::Matching)));
        on_connection(db, |conn| {
            let filled = "SELECT CAST(count(*) AS TEXT) FROM quays WHERE title = name AND code = number AND note = '-' AND kind = 'stone'";
            assert_eq!(catalogue::texts(conn, filled, 1), [["2500"]]);
            script(conn, "INSERT INTO quays (id, name, depth, note, number, state) VALUES (3001, 'old', 7, NULL, 'a', 'open')");
            script(conn, "INSERT INTO quays (id, title, note, state, kind, berth, code) VALUES (3002, 'new', 'x', 'sold', 'wood', 1, 'b')");
            script(conn, "UPDATE quays SET name = 'changed by old', number = NULL WHERE id = 1");
            script(conn, "UPDATE quays SET title = 'changed by new', code = 'c' WHERE id = 2");
            script(conn, "UPDATE vessels SET home = 4");
            assert!(conn.script("INSERT INTO quays (id, title, note, code) VALUES (3003, 't', 'x', 'b')").is_err(), "the code is unique");
            let rows = "SELECT name, title, note, kind, COALESCE(number, '-'), COALESCE(code, '-'), CAST(depth AS TEXT) FROM quays \
                        WHERE id IN (1, 2, 3001, 3002) ORDER BY id";
            assert_eq!(
                catalogue::texts(conn, rows, 7),
                [
                    ["changed by old", "changed by old", "-", "stone", "-", "-", "7"],
                    ["changed by new", "changed by new", "-", "stone", "c", "c", "7"],
                    ["old", "old", "-", "stone", "a", "a", "7"],
                    ["new", "new", "x", "wood", "b", "b", "0"],
                ]
            );
            assert_eq!(catalogue::texts(conn, "SELECT CAST(quay AS TEXT) FROM vessels", 1), [["4"]]);
        });
        assert_eq!(migrate::run(db, new, &[], false).unwrap().applied, [""; 0]);
        let contracted = migrate::run(db, new, &[], true).unwrap().applied;
        assert!(
            !contracted.is_empty() && contracted.iter().all(|name| name.contains("_contract") || !applied.contains(name)),
            "{contracted:?}"
        );
        assert_eq!(start(db, new), Ok(State::Matching));
        assert!(start(db, old).unwrap_err().contains("the declaration has changed since the last migration"));
        db.run_without_transaction(&mut |conn| db_schema::compare(conn, new)).unwrap();
        for _ in 0..applied.len() + contracted.len() {
            migrate::revert(db, new).unwrap();
        }
        assert_eq!(start(db, old), Ok(State::Matching));
        on_connection(db, |conn| {
            let names = "SELECT name FROM quays WHERE id IN (1, 3002) ORDER BY id";
            assert_eq!(catalogue::texts(conn, names, 1), [["changed by old"], ["new"]]);
        });
    });
}

#[test]
fn a_new_database_gets_both_halves() {
    let [_, new] = versions(BEFORE, AFTER);
    on_server(|db| {
        let applied = migrate::run(db, new, &[], false).unwrap().applied;
        assert_eq!(applied.len(), new.schema.migrations_for(Engine::Postgres).len());
        db.run_without_transaction(&mut |conn| db_schema::compare(conn, new)).unwrap();
    });
}

#[test]
fn an_index_that_an_interrupted_build_left_is_built_again() {
    const PLAIN: &str = "app a \"A\"\nentity Crane:\n  id: int pk\n  name: str(40)\n  load: int\n";
    const INDEXED: &str = "app a \"A\"\nentity Crane:\n  id: int pk\n  name: str(40) unique\n  load: int indexed\n";
    let [old, new] = versions(PLAIN, INDEXED);
    on_server(|db| {
        migrate::run(db, old, &[], false).unwrap();
        on_connection(db, |conn| script(conn, "INSERT INTO cranes (id, name, load) VALUES (1, 'a', 1), (2, 'a', 2)"));
        migrate::run(db, new, &[], false).unwrap();
        let failed = migrate::run(db, new, &[], true).unwrap_err();
        assert!(failed.detail.contains("_index") && failed.detail.contains("could not create unique index"), "{}", failed.detail);
        let valid = "SELECT CAST(indisvalid AS TEXT) FROM pg_index WHERE indexrelid = 'cranes_name_key'::regclass";
        on_connection(db, |conn| {
            assert_eq!(catalogue::texts(conn, valid, 1), [["false"]]);
            script(conn, "UPDATE cranes SET name = 'b' WHERE id = 2");
        });
        migrate::run(db, new, &[], true).unwrap();
        on_connection(db, |conn| {
            assert_eq!(catalogue::texts(conn, valid, 1), [["true"]]);
            // The process ended between the build and its record.
            script(conn, "DELETE FROM __diesel_schema_migrations WHERE version > '20260101000001'");
        });
        migrate::run(db, new, &[], true).unwrap();
        db.run_without_transaction(&mut |conn| db_schema::compare(conn, new)).unwrap();
    });
}

#[test]
fn a_migration_gives_way_to_requests_and_tries_again() {
    let [old, new] = versions(BEFORE, AFTER);
    on_server(|db| {
        migrate::run(db, old, &[], false).unwrap();
        let (held, ended) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                let blocked = db.write(&mut |conn| {
                    conn.batch("LOCK TABLE quays IN ROW SHARE MODE")?;
                    held.store(true, Ordering::SeqCst);
                    while !ended.load(Ordering::SeqCst) {
                        thread::sleep(std::time::Duration::from_millis(10));
                    }
                    Ok(())
                });
                blocked.unwrap();
            });
            while !held.load(Ordering::SeqCst) {
                thread::sleep(std::time::Duration::from_millis(10));
            }
            let migrating = scope.spawn(|| migrate::run(db, new, &[], false).unwrap().applied.len());
            // Reads continue, although the migration waits for a lock that excludes them.
            for _ in 0..40 {
                on_connection(db, |conn| drop(catalogue::texts(conn, "SELECT CAST(count(*) AS TEXT) FROM quays", 1)));
                thread::sleep(std::time::Duration::from_millis(50));
            }
            assert!(!migrating.is_finished());
            ended.store(true, Ordering::SeqCst);
            assert!(migrating.join().unwrap() > 0);
        });
        assert_eq!(start(db, new), Ok(State::Matching));
    });
}

#[test]
fn an_instance_of_the_previous_version_starts_during_a_migration() {
    let [old, _] = versions(BEFORE, AFTER);
    on_server(|db| {
        migrate::run(db, old, &[], false).unwrap();
        on_connection(db, |conn| {
            assert_eq!(catalogue::texts(conn, &format!("SELECT CAST(pg_try_advisory_lock({}) AS TEXT)", db_schema::LOCK), 1), [["true"]]);
            assert_eq!(start(db, old), Ok(State::Matching));
            script(conn, &format!("SELECT pg_advisory_unlock({})", db_schema::LOCK));
        });
    });
}

#[test]
fn changes_that_two_versions_cannot_share_are_refused() {
    let of = |fields: &str| format!("app a \"A\"\nentity Crane:\n  id: int pk\n{fields}\nentity Owner:\n  id: int pk\n");
    for (old, new, why) in [
        ("  load: int", "  load: text", "the type of `cranes.load` changes"),
        ("  load: str(9)", "  load: date", "`cranes.load` gets a type to which its values cannot be converted"),
        ("  load: int", "  load: int\n  owner: int required", "`Crane.owner` needs a value"),
        ("  load: int", "  load: int required", "`--default Crane.load=value`"),
        ("  state: enum[a, b] = a", "  state: enum[a] = a", "loses values"),
        ("  owner: ref Owner required", "  load: int", "`cranes.owner` is a required reference"),
        ("  load: int", "  weight: text was: load", "another name and another type at once"),
    ] {
        let refused = online::migration(&schema(&of(old)), &schema(&of(new))).unwrap_err().join("; ");
        assert!(refused.contains(why), "{refused}");
    }
    let renamed = of("  load: int").replace("entity Crane:", "entity Hoist:\n  was: Crane");
    assert!(online::migration(&schema(&of("  load: int")), &schema(&renamed)).unwrap_err()[0].contains("gets the name `hoists`"));
    assert_eq!(online::migration(&schema(BEFORE), &schema(BEFORE)), Ok(None));
}
