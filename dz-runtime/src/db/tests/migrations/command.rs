//! The command `migrate` of an application: its output and its exit code.

use std::process::{Command, ExitCode, Stdio};

use chrono::{TimeDelta, Utc};

use super::*;

/// The second declaration has a shorter delay of a timed transition.
const SLOW: &str = "app shop \"Shop\"\n\nentity Stay:\n  id: int pk\n  status: enum[asked, expired] = asked\n  transitions:\n    \
                    asked -> expired: auto after 2 days\n";
const SOON: &str = "app shop \"Shop\"\n\nentity Stay:\n  id: int pk\n  status: enum[asked, expired] = asked\n  transitions:\n    \
                    asked -> expired: auto after 1 day\n";

/// The address of the child's database, its arguments, and the number of its declarations; set by its parent.
const CHILD: [&str; 3] = ["DZ_COMMAND_URL", "DZ_COMMAND_WORDS", "DZ_COMMAND_DECLARATIONS"];

/// The migration with a part in Rust, and SQL that fails in this part.
const DATA: &str = "DZ_COMMAND_DATA";
const BROKEN: &str = "DZ_COMMAND_BROKEN";

/// Not a test: the program whose command line is tested, in a process with an exit code.
#[test]
fn is_a_command_in_a_child() {
    let [Ok(url), Ok(words), Ok(known)] = CHILD.map(std::env::var) else { return };
    let engine = if url.starts_with("sqlite") { Engine::Sqlite } else { Engine::Postgres };
    let app = application(&[SLOW, SOON][..known.parse().unwrap()], engine);
    let mut program = crate::App::new(app).engine(engine).database_url(url);
    if let Ok(data) = std::env::var(DATA) {
        program = program.migration(&data, |conn| {
            conn.script("UPDATE stays SET status = 'expired' WHERE id < 3").map_err(Error::internal)?;
            let more = std::env::var(BROKEN).map(|sql| conn.script(&sql).map_err(Error::internal));
            more.unwrap_or(Ok(()))
        });
    }
    let ended = program.run(words.split(' '));
    let code = (0..=u8::MAX).find(|code| ExitCode::from(*code) == ended);
    std::process::exit(code.map_or(-1, i32::from));
}

/// The output of a command, and its exit code.
fn run_command(url: &str, words: &str, known: usize) -> (String, String, Option<i32>) {
    run_command_with(url, words, known, &[])
}

/// As [`run_command`], with further variables.
fn run_command_with(url: &str, words: &str, known: usize, more: &[(&str, &str)]) -> (String, String, Option<i32>) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "db::tests::migrations::command::is_a_command_in_a_child", "--nocapture"])
        .envs(CHILD.into_iter().zip([url.to_owned(), words.to_owned(), known.to_string()]))
        .envs(more.iter().copied())
        .env_remove("DATABASE_URL")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// Stays that were requested so many hours ago.
fn ask(conn: &mut Conn, hours: [i64; 3]) {
    let at = |hours: i64| (Utc::now() - TimeDelta::hours(hours)).format("%Y-%m-%dT%H:%M:%S%.6fZ");
    for (id, hours) in (1..).zip(hours) {
        conn.script(&format!("INSERT INTO stays (id, status, dz_state_since) VALUES ({id}, 'asked', '{}')", at(hours))).unwrap();
    }
}

#[test]
fn a_check_reports_pending_migrations_and_due_rows() {
    let file = File::new();
    let server = Server::new();
    for (engine, url) in [(Engine::Sqlite, file.url()), (Engine::Postgres, server.url())] {
        let (out, err, code) = run_command(&url, "migrate --check", 1);
        assert!(out.contains("pending 2026-01-01-000000_step") && err.contains("`migrate`"), "{out}\n{err}");
        assert_eq!(code, Some(1), "{engine:?}: something is pending");
        let (out, err, code) = run_command(&url, "migrate", 1);
        assert_eq!((out.contains("applied 2026-01-01-000000_step"), code), (true, Some(0)), "{out}\n{err}");
        let (out, err, code) = run_command(&url, "migrate --check", 1);
        assert_eq!((out.contains("nothing to apply"), out.contains("pending"), code), (true, false, Some(0)), "{out}\n{err}");

        // Of three pending rows, one is due after the shorter delay, and not after the longer one.
        let db =
            Database::open(engine, &DatabaseConfig { url: url.clone(), size: 1, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
        db.run_without_transaction(&mut |conn| {
            ask(conn, [12, 36, 60]);
            Ok(())
        })
        .unwrap();
        let due = "behavioural: 1 row becomes due in stays (status = 'asked'";
        let (out, err, code) = run_command(&url, "migrate --check", 2);
        assert!(out.contains("pending 2026-01-01-000001_step") && out.contains(due), "{out}\n{err}");
        assert_eq!((err.contains("migrations are pending"), code), (true, Some(1)), "{err}");
        assert_eq!(run_command(&url, "migrate --check", 2).2, Some(1), "a check applies nothing");
        let (out, err, code) = run_command(&url, "migrate", 2);
        assert!(out.contains("applied 2026-01-01-000001_step") && out.contains(due) && code == Some(0), "{out}\n{err}");
        assert_eq!(run_command(&url, "migrate --check", 2).2, Some(0));

        // The stored fingerprint is that of the declaration, and the tables differ from it.
        let indexes = match engine {
            Engine::Sqlite => "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = 'stays'",
            Engine::Postgres => "SELECT indexname::text FROM pg_indexes WHERE tablename = 'stays' AND indexname NOT LIKE '%pkey'",
        };
        let mut dropped = String::new();
        db.run_without_transaction(&mut |conn| {
            dropped = catalogue::texts(conn, indexes, 1).remove(0).remove(0);
            conn.script(&format!("CREATE TABLE another (id INT); CREATE INDEX by_hand ON stays (status); DROP INDEX \"{dropped}\""))
                .map_err(Error::internal)
        })
        .unwrap();
        let (out, err, code) = run_command(&url, "migrate --check", 2);
        assert!(err.contains("`stays` lacks") && err.contains(&dropped) && code == Some(1), "{out}\n{err}");
        assert!(!err.contains("by_hand") && !err.contains("another"), "what an operator adds is not a difference: {err}");
        db.run_without_transaction(&mut |conn| conn.script("ALTER TABLE dz_spent ADD COLUMN more INT").map_err(Error::internal)).unwrap();
        let (out, err, code) = run_command(&url, "migrate --check", 2);
        assert!(err.contains("`dz_spent.more` is not in the declaration") && code == Some(1), "{out}\n{err}");

        // All migrations are applied, and the tables are those of another declaration.
        let other = "UPDATE dz_meta SET value = 'another' WHERE key = 'schema'; DROP TABLE dz_spent";
        db.run_without_transaction(&mut |conn| conn.script(other).map_err(Error::internal)).unwrap();
        let (out, err, code) = run_command(&url, "migrate --check", 2);
        assert!(err.contains("dz_spent") && code == Some(1), "{out}\n{err}");
        let (_, err, code) = run_command(&url, "migrate --chekc", 2);
        assert!(err.contains("`--check`") && code == Some(2), "{err}");
    }
}

#[test]
fn a_data_migration_runs_in_the_transaction_of_its_migration() {
    let file = File::new();
    let server = Server::new();
    for (engine, url) in [(Engine::Sqlite, file.url()), (Engine::Postgres, server.url())] {
        assert_eq!(run_command(&url, "migrate", 1).2, Some(0), "{engine:?}");
        let db =
            Database::open(engine, &DatabaseConfig { url: url.clone(), size: 1, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
        db.run_without_transaction(&mut |conn| {
            ask(conn, [1, 1, 1]);
            Ok(())
        })
        .unwrap();
        let expired = || {
            let mut count = 0;
            db.run_without_transaction(&mut |conn| {
                count = catalogue::texts(conn, "SELECT CAST(id AS TEXT) FROM stays WHERE status = 'expired'", 1).len();
                Ok(())
            })
            .unwrap();
            count
        };
        let (_, err, code) = run_command_with(&url, "migrate", 2, &[(DATA, "2026-01-01-000001_stap")]);
        assert!(err.contains("did you mean `2026-01-01-000001_step`?") && code == Some(1), "{err}");
        // An error rolls back the whole migration.
        let data = (DATA, "2026-01-01-000001_step");
        let (_, err, code) = run_command_with(&url, "migrate", 2, &[data, (BROKEN, "INSERT INTO nowhere VALUES (1)")]);
        assert!(err.contains("`2026-01-01-000001_step` failed and changed nothing") && err.contains("nowhere"), "{err}");
        assert_eq!((code, expired(), run_command(&url, "migrate --check", 2).2), (Some(1), 0, Some(1)));
        let (out, err, code) = run_command_with(&url, "migrate", 2, &[data]);
        assert!(out.contains("applied 2026-01-01-000001_step") && code == Some(0), "{out}\n{err}");
        assert_eq!(expired(), 2);
        // It runs once.
        assert!(run_command_with(&url, "migrate", 2, &[data]).0.contains("nothing to apply"));
    }
}
