//! Opened, shared and lost connections.

use std::time::Duration;

use expect_test::{Expect, expect};

use crate::{
    Engine, Error, Value,
    blocking::catch_panic,
    db::{
        BindKind, Conn, Database, DatabaseConfig, Statement,
        testing::{File, Server, each_engine},
    },
};

fn select_one(conn: &mut Conn) -> Result<i64, Error> {
    let mut select = Statement::new();
    select.push("SELECT ").bind(Value::Int(1), BindKind::Int);
    let rows = conn.rows(&select, &[BindKind::Int])?;
    Ok(i64::from(rows == [[Value::Int(1)]]))
}

#[track_caller]
fn check_refused(engine: Engine, url: &str, wanted: &Expect) {
    let config = DatabaseConfig { url: url.to_owned(), size: 1, row_security: false, idle: DatabaseConfig::IDLE };
    let Err(error) = Database::open(engine, &config) else { panic!("`{url}` was opened") };
    wanted.assert_eq(&error.detail);
}

#[test]
fn errors_of_opening_contain_the_address() {
    use Engine::{Postgres, Sqlite};
    check_refused(
        Sqlite,
        "sqlite://no/such/app.db",
        &expect!["cannot create `no/such/app.db`: the directory `no/such` does not exist; create it, or name another file"],
    );
    check_refused(Sqlite, "sqlite:src", &expect!["`src` is a directory: name a file in it, for example `sqlite://src/app.db`"]);
    check_refused(Sqlite, "sqlite:Cargo.toml", &expect!["`Cargo.toml` is not a SQLite database: name another file, or rename this one"]);
    check_refused(
        Sqlite,
        "sqlite::memory:",
        &expect!["with `:memory:` each connection has a database of its own: name a file, for example `sqlite://test.db`"],
    );
    check_refused(Sqlite, "sqlite://", &expect!["`sqlite://` names no file: write `sqlite://path/to/file.db`"]);
    check_refused(
        Sqlite,
        "mysql://localhost/x",
        &expect!["`mysql://` is not a database that dz supports: write `sqlite://path/to/file.db`"],
    );
    check_refused(
        Sqlite,
        "postgres://me:secret@localhost/x",
        &expect![
            "`postgres://me:…@localhost/x` is the address of a PostgreSQL database, but this application is built for SQLite: write `sqlite://path/to/file.db`, or build it for PostgreSQL, with `database = \"postgres\"` in dz.toml and dz's feature `postgres`"
        ],
    );
    check_refused(
        Postgres,
        "sqlite://app.db",
        &expect![
            "`sqlite://app.db` is not the address of a PostgreSQL database, for which this application is built: write `postgres://user@host/database`"
        ],
    );
    check_refused(
        Postgres,
        "postgres://me:secret@127.0.0.1:1/x",
        &expect![[
            r#"cannot connect to `postgres://me:…@127.0.0.1:1/x` (connection to server at "127.0.0.1", port 1 failed: Connection refused): start the server, or correct the address"#
        ]],
    );
}

#[test]
fn a_busy_pool_is_unavailable() {
    let file = File::new();
    let server = Server::new();
    for (engine, url) in [(Engine::Sqlite, file.url()), (Engine::Postgres, server.url())] {
        let config = DatabaseConfig { url, size: 1, row_security: false, idle: DatabaseConfig::IDLE };
        let db = Database::open_with_timeout(engine, &config, Duration::from_millis(50)).unwrap();
        let error = db.write(&mut |_| db.write(&mut select_one)).unwrap_err();
        assert_eq!((error.status, error.code, error.retry_after), (503, "UNAVAILABLE", Some(2)));
        assert_eq!(db.write(&mut select_one), Ok(1));
    }
}

/// A process that opens and closes the database removes the write-ahead log, unless another process holds its locks on the database.
#[test]
fn another_process_leaves_the_write_ahead_log_in_place() {
    const OTHER: &str = "DZ_TEST_OTHER_PROCESS";
    let open =
        |url| Database::open(Engine::Sqlite, &DatabaseConfig { url, size: 2, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
    if let Ok(url) = std::env::var(OTHER) {
        assert_eq!(open(url).read(&mut count), Ok(Value::Int(1)));
        return;
    }
    let file = File::new();
    let db = open(file.url());
    db.write(&mut |conn| conn.batch("CREATE TABLE counted (n bigint PRIMARY KEY)")).unwrap();
    assert_eq!(db.read(&mut count), Ok(Value::Int(0)));
    db.write_reserved(&mut |conn| conn.batch("INSERT INTO counted VALUES (1)")).unwrap();
    let log = || std::fs::metadata(format!("{}-wal", file.0.display())).map(|log| log.len()).unwrap_or_default();
    let before = log();
    assert_ne!(before, 0);
    let (_, module) = module_path!().split_once("::").unwrap();
    let name = format!("{module}::another_process_leaves_the_write_ahead_log_in_place");
    let mut other = std::process::Command::new(std::env::current_exe().unwrap());
    let other = other.args(["--exact", &name]).env(OTHER, file.url()).output().unwrap();
    assert!(String::from_utf8_lossy(&other.stdout).contains("1 passed"), "{other:?}");
    assert_eq!(log(), before);
}

/// The pool looks for such connections every 30 seconds.
#[test]
fn connections_without_use_are_closed_and_opened_again() {
    let server = Server::new();
    let config = DatabaseConfig { url: server.url(), size: 4, row_security: false, idle: Duration::from_secs(1) };
    let db = Database::open(Engine::Postgres, &config).unwrap();
    // Two at a time.
    db.write(&mut |_| db.write(&mut select_one)).unwrap();
    let main = || db.pools().into_iter().find(|pool| pool.name == "main").unwrap();
    assert_eq!((main().used, main().idle), (0, 2));
    let start = std::time::Instant::now();
    while main().idle != 0 {
        assert!(start.elapsed() < Duration::from_secs(300), "{:?}", main());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(db.write(&mut select_one), Ok(1));
}

#[test]
fn a_lost_connection_is_replaced() {
    let server = Server::new();
    let db =
        Database::open(Engine::Postgres, &DatabaseConfig { url: server.url(), size: 1, row_security: false, idle: DatabaseConfig::IDLE })
            .unwrap();
    let mut end = Statement::new();
    end.push("SELECT 1::bigint FROM (SELECT pg_terminate_backend(pg_backend_pid())) AS ended");
    let error = db.read(&mut |conn| conn.rows(&end, &[BindKind::Int])).unwrap_err();
    assert_eq!((error.status, error.code), (503, "UNAVAILABLE"));
    assert_eq!(db.write(&mut select_one), Ok(1));
}

#[test]
fn after_a_lost_connection_the_others_are_checked_before_they_are_used() {
    let server = Server::new();
    let config = DatabaseConfig { url: server.url(), size: 3, row_security: false, idle: DatabaseConfig::IDLE };
    let db = Database::open(Engine::Postgres, &config).unwrap();
    // Three connections, all of which the server ends.
    let open_all = || db.read(&mut |_| db.read(&mut |_| db.read(&mut select_one)));
    assert_eq!(open_all(), Ok(1));
    let mut end = Statement::new();
    end.push(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    assert_eq!(db.read(&mut |conn| conn.rows(&end, &[BindKind::Int])), Ok(vec![vec![Value::Int(2)]]));
    let mut own = Statement::new();
    own.push("SELECT 1::bigint FROM (SELECT pg_terminate_backend(pg_backend_pid())) AS ended");
    let mut failures = 0;
    for _ in 0..3 {
        failures += u32::from(db.read(&mut |conn| conn.rows(&own, &[BindKind::Int]).map(drop)).is_err());
        // At most one request finds a lost connection.
        assert_eq!(open_all(), Ok(1));
    }
    assert_eq!(failures, 3, "each of these ended its own connection");
}

#[test]
fn connections_that_the_server_has_ended_are_not_used() {
    let server = Server::new();
    let config = DatabaseConfig { url: server.url(), size: 3, row_security: false, idle: DatabaseConfig::IDLE };
    let db = Database::open(Engine::Postgres, &config).unwrap();
    let open_all = || db.write(&mut |_| db.read(&mut |_| db.read(&mut select_one)));
    assert_eq!(open_all(), Ok(1));
    let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let (mut end, mut left) = (Statement::new(), Statement::new());
    end.push("SELECT count(pg_terminate_backend(pid)) ").push(others);
    left.push("SELECT count(*) ").push(others);
    let number = |statement: &Statement| db.read(&mut |conn| conn.rows(statement, &[BindKind::Int]));
    assert_eq!(number(&end), Ok(vec![vec![Value::Int(2)]]));
    while number(&left) != Ok(vec![vec![Value::Int(0)]]) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The server closes a connection shortly after it has forgotten it.
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(open_all(), Ok(1));
}

fn count(conn: &mut Conn) -> Result<Value, Error> {
    let mut select = Statement::new();
    select.push("SELECT COUNT(*) FROM counted");
    Ok(conn.rows(&select, &[BindKind::Int])?.remove(0).remove(0))
}

#[test]
fn a_savepoint_rolls_back_only_its_writes() {
    each_engine(|db| {
        db.write(&mut |conn| conn.batch("CREATE TABLE counted (n bigint PRIMARY KEY)")).unwrap();
        let rows = db.write(&mut |conn| {
            conn.batch("INSERT INTO counted VALUES (1)")?;
            let refused = conn.savepoint(&mut |conn| {
                conn.batch("INSERT INTO counted VALUES (2)")?;
                conn.batch("INSERT INTO counted VALUES (1)")
            });
            assert_eq!(refused.unwrap_err().code, "UNIQUE");
            count(conn)
        });
        assert_eq!(rows, Ok(Value::Int(1)));
        let undone = db.write(&mut |conn| {
            conn.batch("INSERT INTO counted VALUES (3)")?;
            Err::<(), _>(Error::not_found())
        });
        assert_eq!(undone.unwrap_err().status, 404);
        assert_eq!(db.read(&mut count), Ok(Value::Int(1)));
    });
}

#[test]
fn a_panic_that_is_caught_ends_the_savepoints_inside() {
    each_engine(|db| {
        db.write(&mut |conn| conn.batch("CREATE TABLE counted (n bigint PRIMARY KEY)")).unwrap();
        let rows = db.write(&mut |conn| {
            conn.batch("INSERT INTO counted VALUES (1)")?;
            let refused: Result<(), Error> = conn.savepoint(&mut |conn| {
                conn.batch("INSERT INTO counted VALUES (2)")?;
                catch_panic(|| {
                    conn.savepoint(&mut |conn| {
                        conn.batch("INSERT INTO counted VALUES (3)")?;
                        panic!("a hook of the application")
                    })
                })
            });
            assert_eq!(refused.unwrap_err().status, 500);
            conn.batch("INSERT INTO counted VALUES (4)")?;
            count(conn)
        });
        assert_eq!(rows, Ok(Value::Int(2)));
        assert_eq!(db.read(&mut count), Ok(Value::Int(2)), "what was acknowledged is stored");
        let lost = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            db.write(&mut |conn| {
                conn.batch("INSERT INTO counted VALUES (5)")?;
                panic!("a hook of the application");
                #[expect(unreachable_code, reason = "the type of the result")]
                Ok(())
            })
        }));
        assert!(lost.is_err());
        assert_eq!(db.read(&mut count), Ok(Value::Int(2)));
    });
}

#[test]
fn deadlocks_are_retried() {
    let server = Server::new();
    let db =
        Database::open(Engine::Postgres, &DatabaseConfig { url: server.url(), size: 2, row_security: false, idle: DatabaseConfig::IDLE })
            .unwrap();
    db.write(&mut |conn| conn.batch("CREATE TABLE counted (id bigint PRIMARY KEY, n bigint); INSERT INTO counted VALUES (1, 0), (2, 0)"))
        .unwrap();
    let barrier = std::sync::Barrier::new(2);
    let tries: u32 = std::thread::scope(|scope| {
        let both = [[1, 2], [2, 1]].map(|order| {
            let (db, barrier) = (&db, &barrier);
            scope.spawn(move || {
                let mut tries = 0;
                let done = db.write(&mut |conn| {
                    tries += 1;
                    conn.batch(&format!("UPDATE counted SET n = n + 1 WHERE id = {}", order[0]))?;
                    if tries == 1 {
                        barrier.wait();
                    }
                    conn.batch(&format!("UPDATE counted SET n = n + 1 WHERE id = {}", order[1]))
                });
                assert_eq!(done, Ok(()));
                tries
            })
        });
        both.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!(tries, 3);
}
