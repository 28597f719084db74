//! Migrations between declarations, their reversal, and their effect on rows.

pub(super) mod catalogue;
mod command;
mod declaration;
mod editions;
mod online;
mod tenants;
mod values;

use dz_dsl_file::{
    SourceMap, analyse,
    emit::schema::{
        self as language, Schema,
        diff::{self, Migration, Script},
    },
};

use diesel_migrations::MigrationHarness;

use super::app::APP;
use crate::{
    Engine, Error,
    db::{
        Conn, Database, DatabaseConfig, migrate,
        schema::{self as db_schema, State},
        testing::{File, Server, each_engine},
    },
    def::{AppDef, MigrationDef, SchemaDef, Schemas},
};

/// The number of pairs of declarations for each engine, unless `DZ_MIGRATION_PAIRS` is set.
const PAIRS: u64 = 40;

fn language_engine(engine: Engine) -> language::Engine {
    match engine {
        Engine::Sqlite => language::Engine::Sqlite,
        Engine::Postgres => language::Engine::Postgres,
    }
}

/// The schema of a declaration.
#[track_caller]
fn schema(text: &str) -> Schema {
    let mut sources = SourceMap::default();
    sources.add("app.dsl", text);
    let analysis = analyse(sources);
    let wrong: Vec<_> = analysis.diagnostics.iter().filter(|it| it.severity == dz_dsl_file::Severity::Error).collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
    Schema::from_model(&analysis.model.expect("a model"))
}

fn migration(old: &str, new: &str, engine: Engine) -> Option<Migration> {
    diff::migration(&schema(old), &schema(new), language_engine(engine))
}

/// Runs a script as the migration runner does.
fn run(conn: &mut Conn, script: &Script) -> Result<(), String> {
    if !script.in_transaction {
        return conn.script(&script.sql);
    }
    let done = conn.transaction(&mut |conn| conn.script(&script.sql).map_err(Error::internal));
    done.map_err(|error| error.internal.map_or(error.detail, String::from))
}

/// Removes every table.
fn clear(conn: &mut Conn) {
    if conn.engine() == Engine::Postgres {
        conn.script("DROP SCHEMA public CASCADE; CREATE SCHEMA public").unwrap();
    } else {
        catalogue::clear(conn);
    }
}

fn make(conn: &mut Conn, schema: &Schema) {
    clear(conn);
    let sql = schema.sql(language_engine(conn.engine()));
    conn.script(&sql).unwrap_or_else(|wrong| panic!("{wrong}\n{sql}"));
}

/// A migrated database equals a new one, and a reverted one equals the original.
fn leads_there_and_back(conn: &mut Conn, old: &str, new: &str) {
    leads(conn, (&schema(old), old), (&schema(new), new));
}

fn leads(conn: &mut Conn, (old_schema, old): (&Schema, &str), (new_schema, new): (&Schema, &str)) {
    let engine = conn.engine();
    let Some(migration) = diff::migration(old_schema, new_schema, language_engine(engine)) else {
        assert_eq!(old_schema.fingerprint(language_engine(engine)), new_schema.fingerprint(language_engine(engine)), "{old}\n---\n{new}");
        return;
    };
    make(conn, new_schema);
    let wanted = catalogue::read(conn);
    make(conn, old_schema);
    let before = catalogue::read(conn);
    let script_text = |way: &str, script: &Script| format!("{engine:?} {way}\n{old}\n---\n{new}\n---\n{}", script.sql);
    run(conn, &migration.up).unwrap_or_else(|wrong| panic!("{wrong}\n{}", script_text("up", &migration.up)));
    catalogue::same(&catalogue::read(conn), &wanted, &script_text("up", &migration.up));
    run(conn, &migration.down).unwrap_or_else(|wrong| panic!("{wrong}\n{}", script_text("down", &migration.down)));
    catalogue::same(&catalogue::read(conn), &before, &script_text("down", &migration.down));
}

#[test]
fn a_migrated_database_equals_a_new_one_and_is_reverted() {
    let pairs = std::env::var("DZ_MIGRATION_PAIRS").ok().and_then(|it| it.parse().ok()).unwrap_or(PAIRS);
    each_engine(|db| {
        db.run_without_transaction(&mut |conn| {
            for seed in 0..pairs {
                let (old, new) = declaration::pair(seed);
                leads_there_and_back(conn, &old, &new);
            }
            Ok(())
        })
        .unwrap();
    });
}

/// Applies the pending migrations, and returns their names.
fn apply_all(db: &Database, app: &'static AppDef) -> Result<Vec<&'static str>, Error> {
    migrate::run(db, app, &[], false).map(|done| done.applied)
}

/// An application with these declarations, one after the other.
fn application(declarations: &[&str], engine: Engine) -> &'static AppDef {
    let schemas: Vec<Schema> = std::iter::once(Schema::default()).chain(declarations.iter().map(|text| schema(text))).collect();
    let step = |(at, pair): (usize, &[Schema])| {
        let migration = diff::migration(&pair[0], &pair[1], language_engine(engine)).expect("something to do");
        MigrationDef {
            version: format!("2026010100000{at}").leak(),
            name: format!("2026-01-01-00000{at}_step").leak(),
            up: migration.up.sql.leak(),
            down: migration.down.sql.leak(),
            in_transaction: migration.up.in_transaction,
        }
    };
    let migrations: Vec<MigrationDef> = schemas.windows(2).enumerate().map(step).collect();
    with_migrations(schemas.last().expect("a schema"), engine, migrations)
}

/// An application with this schema and these migrations.
fn with_migrations(last: &Schema, engine: Engine, migrations: Vec<MigrationDef>) -> &'static AppDef {
    let def = |engine| SchemaDef {
        sql: last.sql(engine).leak(),
        columns: last.columns(engine).leak(),
        constraints: last.constraints().leak(),
        indexes: "",
        fingerprint: last.fingerprint(engine).leak(),
    };
    let schema = Schemas::new(def(language::Engine::Sqlite), def(language::Engine::Postgres)).with_migrations(engine, migrations.leak());
    Box::leak(Box::new(AppDef { schema, ..APP }))
}

const SHOP: &str = "app shop \"Shop\"\n\nentity Maker:\n  id: int pk\n  name: str(40) required\n  country: str(40)\n\nentity Part:\n  id: int pk\n  \
                    maker: ref Maker required cascade\n  title: str(40) required\n  price: decimal(8,2) = 1.50\n";
/// Makers get another name and a required field, and parts get other titles.
const LATER: &str = "app shop \"Shop\"\n\nentity Firm:\n  was: Maker\n  id: int pk\n  label: str(60) required was: name\n  rank: int required = 7\n\n\
                     entity Part:\n  id: int pk\n  maker: ref Firm required cascade\n  title: str(60) required unique\n  price: decimal(10,2) = 1.50\n  \
                     invariant: price >= 0\n";

fn fill(conn: &mut Conn, rows: u32) {
    let uuid =
        if conn.engine() == Engine::Sqlite { "X'00000000000000000000000000000001'" } else { "'00000000-0000-0000-0000-000000000001'" };
    let moment = "'2026-01-01T00:00:00.000000Z'";
    let (active, numbers, price) = match conn.engine() {
        Engine::Sqlite => ("1", format!("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) "), "250"),
        Engine::Postgres => ("TRUE", format!("WITH n AS (SELECT generate_series(1, {rows}) AS i) "), "2.50"),
    };
    let insert = |into: &str, values: String| match active {
        "1" => format!("INSERT INTO {into} {numbers}SELECT {values} FROM n;"),
        // PostgreSQL requires the numbers before the operation on them.
        _ => format!("{numbers}INSERT INTO {into} SELECT {values} FROM n;"),
    };
    let script = format!(
        "{}{}{}",
        insert("makers (id, name)", "i, 'maker ' || i".into()),
        insert("parts (id, maker, title, price)", format!("i, i, 'part ' || i, {price}")),
        format_args!(
            "INSERT INTO users (id, email, email_verified, is_active, auth_provider, created_at) VALUES ({uuid}, 'a@b.example', {active}, {active}, 'local', {moment});\
             INSERT INTO dz_sessions (token_hash, id, account, device, created_at, seen_at, expires_at) VALUES ('x', {uuid}, {uuid}, '', {moment}, {moment}, {moment});"
        )
    );
    conn.script(&script).unwrap_or_else(|wrong| panic!("{wrong}\n{script}"));
}

fn counts(conn: &mut Conn, tables: [&str; 3]) -> Vec<String> {
    tables.iter().map(|table| catalogue::texts(conn, &format!("SELECT CAST(count(*) AS TEXT) FROM {table}"), 1)[0][0].clone()).collect()
}

/// The rows of `SHOP` after the migration.
fn rows_are_there(conn: &mut Conn, rows: &str) {
    assert_eq!(counts(conn, ["firms", "parts", "dz_sessions"]), [rows, rows, "1"]);
    let seen = "SELECT label, CAST(rank AS TEXT), title, CAST(price AS TEXT) FROM firms JOIN parts ON maker = firms.id WHERE firms.id = 3";
    let price = if conn.engine() == Engine::Sqlite { "250" } else { "2.50" };
    assert_eq!(catalogue::texts(conn, seen, 4), [["maker 3", "7", "part 3", price]]);
}

#[test]
fn rows_survive_the_rebuild_of_their_tables() {
    each_engine(|db| {
        let engine = db.engine();
        assert_eq!(apply_all(db, application(&[SHOP], engine)).unwrap().len(), 1);
        db.run_without_transaction(&mut |conn| {
            fill(conn, 50);
            Ok(())
        })
        .unwrap();
        let app = application(&[SHOP, LATER], engine);
        let behind = db.write(&mut |conn| db_schema::prepare(conn, app)).unwrap_err();
        assert!(behind.detail.contains("2026-01-01-000001_step") && behind.detail.contains("`migrate`"), "{}", behind.detail);
        assert_eq!(apply_all(db, app).unwrap(), ["2026-01-01-000001_step"]);
        assert_eq!(apply_all(db, app).unwrap(), [""; 0]);
        db.run_without_transaction(&mut |conn| {
            rows_are_there(conn, "50");
            Ok(())
        })
        .unwrap();
        assert_eq!(db.write(&mut |conn| db_schema::prepare(conn, app)), Ok(State::Matching));
        assert_eq!(migrate::revert(db, app).unwrap(), Some("2026-01-01-000001_step"));
        db.run_without_transaction(&mut |conn| {
            assert_eq!(counts(conn, ["makers", "parts", "dz_sessions"]), ["50", "50", "1"]);
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    each_engine(|db| {
        let engine = db.engine();
        apply_all(db, application(&[SHOP], engine)).unwrap();
        db.run_without_transaction(&mut |conn| {
            fill(conn, 3);
            conn.script("UPDATE parts SET title = 'the same'").map_err(Error::internal)
        })
        .unwrap();
        let before = db.run_without_transaction(&mut |conn| Ok(catalogue::read(conn))).unwrap();
        let app = application(&[SHOP, LATER], engine);
        for _ in 0..2 {
            let failed = apply_all(db, app).unwrap_err();
            assert!(failed.detail.contains("`2026-01-01-000001_step` failed and changed nothing"), "{}", failed.detail);
            db.run_without_transaction(&mut |conn| {
                catalogue::same(&catalogue::read(conn), &before, "after a failure");
                assert_eq!(counts(conn, ["makers", "parts", "dz_sessions"]), ["3", "3", "1"]);
                Ok(())
            })
            .unwrap();
        }
        db.run_without_transaction(&mut |conn| conn.script("UPDATE parts SET title = 'part ' || id").map_err(Error::internal)).unwrap();
        apply_all(db, app).unwrap();
    });
}

#[test]
fn starts_at_the_same_time_apply_each_migration_once() {
    each_engine(|db| {
        let app = application(&[SHOP, LATER], db.engine());
        let applied: usize = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..4).map(|_| scope.spawn(|| apply_all(db, app).unwrap().len())).collect();
            starts.into_iter().map(|start| start.join().unwrap()).sum()
        });
        assert_eq!(applied, 2);
        assert_eq!(db.write(&mut |conn| db_schema::prepare(conn, app)), Ok(State::Matching));
    });
}

#[test]
fn a_database_created_from_the_declaration_is_adopted() {
    each_engine(|db| {
        let engine = db.engine();
        db.run_without_transaction(&mut |conn| {
            let schema = schema(SHOP);
            conn.script(&schema.sql(language_engine(engine))).map_err(Error::internal)?;
            let insert = format!("INSERT INTO dz_meta (key, value) VALUES ('schema', '{}')", schema.fingerprint(language_engine(engine)));
            conn.script(&insert).map_err(Error::internal)?;
            fill(conn, 5);
            Ok(())
        })
        .unwrap();
        let app = application(&[SHOP, LATER], engine);
        let done = migrate::run(db, app, &[], false).unwrap();
        assert_eq!((done.adopted, done.applied), (vec!["2026-01-01-000000_step"], vec!["2026-01-01-000001_step"]));
        db.run_without_transaction(&mut |conn| {
            rows_are_there(conn, "5");
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn an_empty_database_gets_every_migration() {
    each_engine(|db| {
        let app = application(&[SHOP, LATER], db.engine());
        let refused = db.write(&mut |conn| db_schema::prepare(conn, app)).unwrap_err();
        assert_eq!(refused.detail, "the database is empty: create its tables with the command `migrate`");
        assert!(migrate::run_if_empty(db, app, &[]).unwrap());
        assert!(!migrate::run_if_empty(db, app, &[]).unwrap());
        assert_eq!(db.write(&mut |conn| db_schema::prepare(conn, app)), Ok(State::Matching));
        assert_eq!(apply_all(db, app).unwrap(), [""; 0]);
        let changed = application(&[SHOP], db.engine());
        let of = |engine| *changed.schema.for_engine(engine);
        let schema =
            Schemas::new(of(Engine::Sqlite), of(Engine::Postgres)).with_migrations(db.engine(), app.schema.migrations_for(db.engine()));
        let changed: &'static AppDef = Box::leak(Box::new(AppDef { schema, ..APP }));
        let refused = db.write(&mut |conn| db_schema::prepare(conn, changed)).unwrap_err();
        assert!(refused.detail.contains("`dz migrate diff`") && refused.detail.contains("`makers` is missing"), "{}", refused.detail);
    });
}

/// The address of the database that a child of the test migrates; set by its parent.
const CHILD: &str = "DZ_MIGRATED_BY_CHILD";

/// Not a test: the work of the child process until it is killed.
#[test]
fn migrates_in_a_child() {
    let Ok(url) = std::env::var(CHILD) else { return };
    let engine = if url.starts_with("sqlite") { Engine::Sqlite } else { Engine::Postgres };
    let db = Database::open(engine, &DatabaseConfig { url, size: 1, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
    let app = application(&[SHOP, LATER], engine);
    loop {
        apply_all(&db, app).unwrap();
        migrate::revert(&db, app).unwrap();
    }
}

#[test]
fn a_killed_migration_is_applied_completely_or_not() {
    let file = File::new();
    let server = Server::new();
    for (engine, url) in [(Engine::Sqlite, file.url()), (Engine::Postgres, server.url())] {
        let db =
            Database::open(engine, &DatabaseConfig { url: url.clone(), size: 2, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
        let first = application(&[SHOP], engine);
        let app = application(&[SHOP, LATER], engine);
        apply_all(&db, first).unwrap();
        db.run_without_transaction(&mut |conn| {
            fill(conn, 2_000);
            Ok(())
        })
        .unwrap();
        let before = db.run_without_transaction(&mut |conn| Ok(catalogue::read(conn))).unwrap();
        for round in 0..6 {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "db::tests::migrations::migrates_in_a_child"])
                .env(CHILD, &url)
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_millis(150 + 67 * round));
            // SIGKILL ends the process without any further statement.
            child.kill().unwrap();
            child.wait().unwrap();
            // The pending migrations can be applied, and the schema is completely that of one version.
            apply_all(&db, app).unwrap();
            assert_eq!(db.write(&mut |conn| db_schema::prepare(conn, app)), Ok(State::Matching));
            db.run_without_transaction(&mut |conn| {
                rows_are_there(conn, "2000");
                Ok(())
            })
            .unwrap();
            migrate::revert(&db, app).unwrap();
            catalogue::same(&db.run_without_transaction(&mut |conn| Ok(catalogue::read(conn))).unwrap(), &before, "after a kill");
        }
    }
}

/// The migrations as files, applied by diesel's own code.
#[test]
fn diesel_applies_the_same_files() {
    let folder = std::env::temp_dir().join(format!("dz-diesel-{}", std::process::id()));
    let server = Server::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let _ = std::fs::remove_dir_all(&folder);
        let app = application(&[SHOP, LATER], engine);
        let write = |migrations: &[MigrationDef]| {
            for migration in migrations {
                let at = folder.join(migration.name);
                std::fs::create_dir_all(&at).unwrap();
                std::fs::write(at.join("up.sql"), migration.up).unwrap();
                std::fs::write(at.join("down.sql"), migration.down).unwrap();
                if !migration.in_transaction {
                    std::fs::write(at.join("metadata.toml"), "run_in_transaction = false\n").unwrap();
                }
            }
        };
        let file = File::new();
        let url = if engine == Engine::Sqlite { file.url() } else { server.url() };
        let db = Database::open(engine, &DatabaseConfig { url, size: 2, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
        let all = app.schema.migrations_for(engine);
        write(&all[..1]);
        by_diesel(&db, &folder, 1);
        db.run_without_transaction(&mut |conn| {
            fill(conn, 20);
            Ok(())
        })
        .unwrap();
        write(all);
        by_diesel(&db, &folder, 1);
        db.run_without_transaction(&mut |conn| {
            rows_are_there(conn, "20");
            Ok(())
        })
        .unwrap();
        assert_eq!(apply_all(&db, app).unwrap(), [""; 0]);
        assert_eq!(db.write(&mut |conn| db_schema::prepare(conn, app)), Ok(State::Matching));
    }
    let _ = std::fs::remove_dir_all(&folder);
}

fn by_diesel(db: &Database, folder: &std::path::Path, wanted: usize) {
    let migrations = diesel_migrations::FileBasedMigrations::from_path(folder).unwrap();
    db.run_without_transaction(&mut |conn| {
        let applied = match conn.engine() {
            Engine::Sqlite => conn.sqlite().unwrap().run_pending_migrations(migrations.clone()).unwrap().len(),
            Engine::Postgres => conn.postgres().unwrap().run_pending_migrations(migrations.clone()).unwrap().len(),
        };
        assert_eq!(applied, wanted);
        Ok(())
    })
    .unwrap();
}
