//! Serves the application on a free loopback port until the test process ends.

use std::{
    net::TcpListener,
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread,
};

use diesel::{Connection, RunQueryDsl, pg::PgConnection, sql_query};
use dz::Engine;

/// The address of the application on SQLite.
pub fn sqlite() -> &'static str {
    static AT: OnceLock<String> = OnceLock::new();
    AT.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("dz-app-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        serve(crate::fieldwork::fieldwork(), Engine::Sqlite, format!("sqlite://{}", folder.join("tasks.db").display()))
    })
}

/// The address of the application on PostgreSQL.
pub fn postgres() -> &'static str {
    static AT: OnceLock<String> = OnceLock::new();
    AT.get_or_init(|| serve(crate::fieldwork::fieldwork(), Engine::Postgres, new_database("tasks")))
}

/// A number that makes names unique.
fn next() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Creates a database on the server of the tests; returns its address.
pub fn new_database(of: &str) -> String {
    let server = std::env::var("DZ_TEST_POSTGRES").expect("set DZ_TEST_POSTGRES to the address of a PostgreSQL server, or run ./test.sh");
    // PostgreSQL cuts longer names.
    let name: String = format!("dz_app_{}_{}_{of}", std::process::id(), next()).chars().take(63).collect();
    let mut conn = PgConnection::establish(&server).expect("the server of DZ_TEST_POSTGRES answers");
    for old in databases_of_ended_programs(&mut conn) {
        let _ = sql_query(format!("DROP DATABASE IF EXISTS \"{old}\"")).execute(&mut conn);
    }
    sql_query(format!("CREATE DATABASE \"{name}\"")).execute(&mut conn).expect("a database");
    let (base, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{base}/{name}")
}

#[derive(diesel::QueryableByName)]
struct Named {
    #[diesel(sql_type = diesel::sql_types::Text)]
    datname: String,
}

/// The databases of programs of tests that run no more.
fn databases_of_ended_programs(conn: &mut PgConnection) -> Vec<String> {
    let query = "SELECT datname::text FROM pg_database d WHERE datname LIKE 'dz\\_app\\_%' \
                 AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datname = d.datname)";
    let mut names: Vec<String> =
        sql_query(query).load::<Named>(conn).map(|rows| rows.into_iter().map(|it| it.datname).collect()).unwrap_or_default();
    names.retain(|name| {
        let process: Option<u32> = name.split('_').nth(2).and_then(|id| id.parse().ok());
        process.is_some_and(|id| !Path::new(&format!("/proc/{id}")).exists()) && Path::new("/proc/self").exists()
    });
    names
}

/// Creates an SQLite database in a folder of its own; returns its address.
pub fn new_file(of: &str) -> String {
    let folder = std::env::temp_dir().join(format!("dz-{of}-{}-{}", next(), std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    format!("sqlite://{}", folder.join(format!("{of}.db")).display())
}

/// Creates a database of an engine; returns its address.
pub fn new_url(engine: Engine, of: &str) -> String {
    match engine {
        Engine::Sqlite => new_file(of),
        Engine::Postgres => new_database(of),
    }
}

/// As [`new_url`]; on PostgreSQL the database belongs to a role that policies apply to.
#[allow(dead_code, reason = "as below")]
pub fn fenced_url(engine: Engine, of: &str) -> String {
    let url = new_url(engine, of);
    if engine == Engine::Sqlite {
        return url;
    }
    let (server, name) = url.rsplit_once('/').expect("an address with a database");
    let role = format!("dz_{of}_{}", std::process::id());
    let mut conn = PgConnection::establish(&url).expect("the database is there");
    // The role of an earlier run can exist.
    let _ = sql_query(format!("CREATE ROLE \"{role}\" LOGIN NOSUPERUSER NOBYPASSRLS")).execute(&mut conn);
    for sql in [format!("ALTER DATABASE \"{name}\" OWNER TO \"{role}\""), format!("GRANT ALL ON SCHEMA public TO \"{role}\"")] {
        sql_query(sql).execute(&mut conn).expect("a role of its own");
    }
    let (_, host) = server.rsplit_once('@').expect("an address with a role");
    format!("postgres://{role}@{host}/{name}")
}

/// The configuration of Rocket for a server on a local port.
pub fn figment(port: u16) -> rocket::figment::Figment {
    rocket::Config::figment()
        .merge(("port", port))
        .merge(("address", "127.0.0.1"))
        .merge(("log_level", "off"))
        .merge(("ip_header", false))
        .merge(("shutdown.ctrlc", false))
        // The applications of all tests run until the end, on one server with one limit of connections.
        .merge(("dz.pool_idle", 1))
        // On PostgreSQL the default folder would be in the sources.
        .merge(("dz.files", format!("{}/files-{port}", env!("CARGO_TARGET_TMPDIR"))))
}

/// Serves an application; returns its address.
pub fn serve(app: dz::App, engine: Engine, url: String) -> String {
    serve_with(app, engine, url, dz::serde_json::json!({}))
}

/// As [`serve`], with settings of `[default.dz]`.
pub fn serve_with(app: dz::App, engine: Engine, url: String, settings: dz::serde_json::Value) -> String {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port();
    let (ready, is_ready) = mpsc::channel();
    thread::spawn(move || {
        let figment = figment(port);
        let figment = match settings.as_object() {
            Some(settings) if !settings.is_empty() => figment.merge(("dz", settings)),
            _ => figment,
        };
        let app = app.engine(engine).database_url(url).figment(figment);
        let rocket = app.rocket().unwrap_or_else(|error| panic!("{error}"));
        let liftoff = rocket::fairing::AdHoc::on_liftoff("ready", move |_| {
            Box::pin(async move {
                let _ = ready.send(());
            })
        });
        let _ = rocket::execute(rocket.attach(liftoff).launch());
    });
    is_ready.recv().expect("the application starts");
    format!("http://127.0.0.1:{port}")
}

/// The command line of an application in a process of its own: the program of the tests, whose ignored test `of` runs it.
#[allow(dead_code, reason = "as below")]
pub fn command(of: &str, engine: Engine, url: &str, words: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().expect("this program"));
    command.args([of, "--exact", "--ignored", "--nocapture"]).env_remove("DATABASE_URL");
    command.env("DZ_ENGINE", format!("{engine:?}")).env("DZ_URL", url).env("DZ_WORDS", words.join("\u{1f}"));
    command
}

/// Runs the command line, in such a test.
#[allow(dead_code, reason = "as below")]
pub fn obey(app: dz::App) {
    let [Ok(engine), Ok(url), Ok(words)] = ["DZ_ENGINE", "DZ_URL", "DZ_WORDS"].map(std::env::var) else { return };
    let engine = if engine == "Postgres" { Engine::Postgres } else { Engine::Sqlite };
    let ended = app.engine(engine).database_url(url).run(words.split('\u{1f}'));
    assert!(ended == std::process::ExitCode::SUCCESS, "it ends with {ended:?}");
}

/// Declares a test for each engine from one function.
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(crate::server::sqlite()); })*
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(crate::server::postgres()); })*
        }
    };
}
pub(crate) use on_both_engines;

/// Declares a test for each engine from each function, with an application that all of them share: its name, the function that returns
/// it, and the tests.
#[allow(unused_macros, reason = "other tests than those over HTTP use this file, too")]
macro_rules! served_on_both {
    ($of:literal, $app:expr; $($name:ident;)*) => {
        fn base_url(engine: dz::Engine) -> &'static str {
            static AT: [std::sync::OnceLock<String>; 2] = [const { std::sync::OnceLock::new() }; 2];
            let of = &AT[usize::from(engine == dz::Engine::Postgres)];
            of.get_or_init(|| crate::server::serve($app, engine, crate::server::new_url(engine, $of)))
        }
        mod on_sqlite { $(#[test] fn $name() { super::$name(super::base_url(dz::Engine::Sqlite)); })* }
        mod on_postgres { $(#[test] fn $name() { super::$name(super::base_url(dz::Engine::Postgres)); })* }
    };
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use served_on_both;
