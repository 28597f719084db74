//! A migration renames the objects of a database of an earlier version of dz in place.
//!
//! `first_edition` contains the files that the earlier version wrote for `app.dsl`: the statements of the first migration, and
//! `schema.toml`.

use dz_dsl_file::emit::schema::{Edition, Schema, diff, snapshot};

use super::{LATER, SHOP, catalogue, clear, declaration, fill, language_engine, leads, make, rows_are_there, run, schema};
use crate::{Engine, db::Conn, db::testing::each_engine};

const DECLARED: &str = include_str!("first_edition/app.dsl");

/// The statements that created the database, and its recorded schema.
fn first_edition(engine: Engine) -> (&'static str, Schema) {
    let (sql, file) = match engine {
        Engine::Sqlite => (include_str!("first_edition/sqlite.sql"), include_str!("first_edition/sqlite.toml")),
        Engine::Postgres => (include_str!("first_edition/postgres.sql"), include_str!("first_edition/postgres.toml")),
    };
    let (schema, _) = snapshot::read(file).expect("a schema");
    assert!(file.contains(&format!("fingerprint = \"{}\"", schema.fingerprint(language_engine(engine)))), "read as it was written");
    (sql, schema)
}

/// The schema of this version with the names of the earlier version.
fn first(text: &str, engine: Engine) -> Schema {
    let mut schema = schema(text);
    schema.tables.iter_mut().for_each(|table| table.edition = Edition::First);
    let file = snapshot::write(&schema, language_engine(engine)).expect("a file");
    assert!(file.contains("edition = \"first\""));
    snapshot::read(&file.replace("edition = \"first\"\n", "")).expect("a schema").0
}

fn insert_parts(conn: &mut Conn) {
    let sqlite = conn.engine() == Engine::Sqlite;
    let uuid = |at: u8| if sqlite { format!("X'{at:032x}'") } else { format!("'{at:032x}'") };
    let (moment, no) = ("'2026-01-01T00:00:00.000000Z'", if sqlite { "0" } else { "FALSE" });
    conn.script(&format!(
        "INSERT INTO practices (id, name) VALUES ({practice}, 'North');
         INSERT INTO parts (id, title, state, notes, extra, weight, checked, created_at, practice, dz_state_since) VALUES
         ({one}, 'one', 'used', NULL, '{{}}', 5, {no}, {moment}, {practice}, {moment}),
         ({two}, 'two', 'gone', '[1]', '[]', 6, {no}, {moment}, {practice}, {moment});
         UPDATE parts SET successor = {two} WHERE id = {one};",
        practice = uuid(9),
        one = uuid(1),
        two = uuid(2),
    ))
    .expect("rows");
}

fn titles(conn: &mut Conn) -> Vec<Vec<String>> {
    catalogue::texts(conn, "SELECT title, CAST(weight AS TEXT), state FROM parts ORDER BY title", 3)
}

/// Asserts that the database is intact, and that its constraints hold for every row.
fn assert_whole(conn: &mut Conn) {
    if conn.engine() == Engine::Sqlite {
        assert_eq!(catalogue::texts(conn, "PRAGMA integrity_check", 1), [["ok"]]);
        assert_eq!(catalogue::texts(conn, "SELECT \"table\" FROM pragma_foreign_key_check", 1), [[""; 1]; 0]);
    }
}

#[test]
fn a_database_of_the_first_version_is_renamed_and_reverted() {
    each_engine(|db| {
        let engine = db.engine();
        let (sql, old) = first_edition(engine);
        let new = schema(DECLARED);
        let migration = diff::migration(&old, &new, language_engine(engine)).expect("names to change");
        // The earlier version lacks a column of invitations, and these tables.
        let new_parts = ["dz_invitations", "dz_jobs", "dz_schedules", "dz_limits", "dz_instances", "dz_preferences", "dz_filters"];
        let is_new = |statement: &&str| new_parts.iter().any(|table| statement.contains(table));
        let statements = migration.up.sql.split(";\n").filter(|statement| !is_new(statement));
        for statement in statements {
            for words in ["CREATE TABLE \"", "DROP TABLE \"", "ADD CONSTRAINT", "DROP CONSTRAINT", "INSERT INTO \"", "UPDATE \""] {
                assert!(!statement.contains(words), "{words} in\n{statement}");
            }
        }
        db.run_without_transaction(&mut |conn| {
            make(conn, &new);
            let wanted = catalogue::read(conn);
            clear(conn);
            conn.script(sql).expect("it runs");
            insert_parts(conn);
            let (before, rows) = (catalogue::read(conn), titles(conn));
            assert_eq!(rows.len(), 2);
            run(conn, &migration.up).unwrap_or_else(|wrong| panic!("{wrong}\n{}", migration.up.sql));
            catalogue::same(&catalogue::read(conn), &wanted, &migration.up.sql);
            assert_eq!(titles(conn), rows);
            assert_whole(conn);
            let refused = conn.script("UPDATE parts SET weight = -1").expect_err("a check");
            assert!(refused.contains("parts_weight_") && refused.contains("_check"), "{refused}");
            run(conn, &migration.down).unwrap_or_else(|wrong| panic!("{wrong}\n{}", migration.down.sql));
            catalogue::same(&catalogue::read(conn), &before, &migration.down.sql);
            assert_eq!(titles(conn), rows);
            assert_whole(conn);
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn the_first_checks_of_json_permit_null_after_the_migration() {
    each_engine(|db| {
        if db.engine() == Engine::Postgres {
            return;
        }
        let (sql, old) = first_edition(Engine::Sqlite);
        let oldest = sql.replace("\"notes\" IS NULL OR json_valid", "json_valid").replace("\"extra\" IS NULL OR json_valid", "json_valid");
        assert_ne!(oldest, sql);
        let migration = diff::migration(&old, &schema(DECLARED), language_engine(Engine::Sqlite)).expect("names to change");
        db.run_without_transaction(&mut |conn| {
            make(conn, &schema(DECLARED));
            let wanted = catalogue::read(conn);
            clear(conn);
            conn.script(&oldest).expect("it runs");
            run(conn, &migration.up).unwrap_or_else(|wrong| panic!("{wrong}\n{}", migration.up.sql));
            catalogue::same(&catalogue::read(conn), &wanted, &migration.up.sql);
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn names_change_together_with_other_differences() {
    each_engine(|db| {
        let engine = db.engine();
        db.run_without_transaction(&mut |conn| {
            for seed in 0..12 {
                let (old, new) = declaration::pair(seed);
                leads(conn, (&first(&old, engine), &old), (&schema(&old), &old));
                leads(conn, (&first(&old, engine), &old), (&schema(&new), &new));
            }
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn rows_stay_when_names_and_tables_change() {
    each_engine(|db| {
        let engine = db.engine();
        db.run_without_transaction(&mut |conn| {
            make(conn, &first(SHOP, engine));
            fill(conn, 50);
            let up = diff::migration(&first(SHOP, engine), &schema(LATER), language_engine(engine)).expect("something to do").up;
            run(conn, &up).unwrap_or_else(|wrong| panic!("{wrong}\n{}", up.sql));
            rows_are_there(conn, "50");
            let names = catalogue::read(conn).join("\n");
            assert!(names.contains("parts_maker_fkey") && !names.contains(") reference"), "{names}");
            Ok(())
        })
        .unwrap();
    });
}

/// Tickets with numbers, in a database of the second edition, which then gets another column and a stricter one.
const TICKETS: [&str; 2] = [
    "entity Ticket:\n  id: int pk\n  title: str(20)\n  permit:\n    read: true\n",
    "entity Ticket:\n  id: int pk\n  title: str(30) required = \"none\"\n  place: str(20)\n  permit:\n    read: true\n",
];

#[test]
fn the_number_of_a_deleted_row_is_not_given_again() {
    each_engine(|db| {
        let engine = language_engine(db.engine());
        let mut second = schema(TICKETS[0]);
        second.tables.iter_mut().for_each(|table| table.edition = Edition::Second);
        let (now, later) = (schema(TICKETS[0]), schema(TICKETS[1]));
        db.run_without_transaction(&mut |conn| {
            leads(conn, (&second, TICKETS[0]), (&now, TICKETS[0]));
            leads(conn, (&second, TICKETS[0]), (&later, TICKETS[1]));
            make(conn, &second);
            let numbers = |conn: &mut Conn| {
                conn.script("DELETE FROM tickets WHERE id = (SELECT max(id) FROM tickets)").expect("a row");
                conn.script("INSERT INTO tickets (title) VALUES ('x')").expect("a row");
                catalogue::texts(conn, "SELECT CAST(max(id) AS TEXT) FROM tickets", 1).concat().concat()
            };
            conn.script("INSERT INTO tickets (title) VALUES ('a'), ('b'), ('c')").expect("rows");
            if let Some(migration) = diff::migration(&second, &now, engine) {
                run(conn, &migration.up).expect("it runs");
            }
            assert_eq!((numbers(conn), numbers(conn)), ("4".to_owned(), "5".to_owned()));
            conn.script("DELETE FROM tickets WHERE id > 2").expect("rows");
            run(conn, &diff::migration(&now, &later, engine).expect("columns").up).expect("it runs");
            assert_eq!(numbers(conn), "6");
            assert_whole(conn);
            Ok(())
        })
        .unwrap();
    });
}
