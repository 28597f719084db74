//! The schema, and the errors of its constraints.

use expect_test::{Expect, expect};

use super::app::APP;
use crate::{
    Error, Value,
    db::{
        BindKind, Conn, Database, Statement,
        schema::{State, prepare},
        testing::each_engine,
    },
};

fn run(conn: &mut Conn, sql: &str) -> Result<usize, Error> {
    let mut statement = Statement::new();
    statement.push(sql);
    conn.execute(&statement)
}

fn refused(db: &Database, wanted: &Expect) {
    let error = db.write(&mut |conn| prepare(conn, &APP)).unwrap_err();
    wanted.assert_eq(&error.detail);
}

#[test]
fn an_empty_database_gets_the_schema_once() {
    each_engine(|db| {
        assert_eq!(db.write(&mut |conn| prepare(conn, &APP)), Ok(State::Created));
        assert_eq!(db.write(&mut |conn| prepare(conn, &APP)), Ok(State::Matching));
    });
}

#[test]
fn concurrent_starts_create_the_schema_once() {
    each_engine(|db| {
        let found: Vec<_> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..4).map(|_| scope.spawn(|| db.write(&mut |conn| prepare(conn, &APP)).unwrap())).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert_eq!(found.iter().filter(|found| **found == State::Created).count(), 1);
    });
}

#[test]
fn another_schema_is_refused() {
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            run(conn, "ALTER TABLE items DROP COLUMN other")?;
            run(conn, "ALTER TABLE people ADD COLUMN nick text")?;
            run(conn, "UPDATE dz_meta SET value = 'of another declaration'")
        })
        .unwrap();
        refused(
            db,
            &expect![
                "the database differs from the declaration: column `people.nick` is not in the declaration, column `items.other` is missing; write a migration with `dz migrate diff`, change it by hand, or name an empty database in `DATABASE_URL`"
            ],
        );
    });
}

#[test]
fn tables_of_another_program_are_refused() {
    each_engine(|db| {
        db.write(&mut |conn| run(conn, "CREATE TABLE letters (id bigint)")).unwrap();
        refused(db, &expect!["the database contains tables of another application (`letters`): name an empty database in `DATABASE_URL`"]);
    });
}

#[track_caller]
fn check_violation(sql: &str, wanted: &Expect) {
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            let mut insert = Statement::new();
            insert
                .push("INSERT INTO people (id, email) VALUES (")
                .bind(Value::Uuid(uuid::Uuid::from_u128(1)), BindKind::Uuid)
                .push(", 'a@b.c')");
            conn.execute(&insert)?;
            insert = Statement::new();
            insert
                .push("INSERT INTO items (id, n, day, owner) VALUES (1, 1, '2024-01-01', ")
                .bind(Value::Uuid(uuid::Uuid::from_u128(1)), BindKind::Uuid)
                .push(")");
            conn.execute(&insert)
        })
        .unwrap();
        let mut statement = Statement::new();
        for (at, part) in sql.split('?').enumerate() {
            if at > 0 {
                statement.bind(Value::Uuid(uuid::Uuid::from_u128(9)), BindKind::Uuid);
            }
            statement.push(part);
        }
        let error = db.write(&mut |conn| conn.execute(&statement)).unwrap_err();
        let fields: Vec<_> = error.field_errors.iter().map(|(field, texts)| format!("{field} {}", texts.join(", "))).collect();
        wanted.assert_eq(&format!("{} {} [{}]", error.status, error.code, fields.join("; ")));
    });
}

#[test]
fn violations_name_the_field() {
    check_violation("INSERT INTO people (id, email) VALUES (?, 'a@b.c')", &expect!["409 UNIQUE [email is taken already]"]);
    check_violation(
        "INSERT INTO items (id, n, day) VALUES (2, 1, '2024-01-01')",
        &expect!["409 UNIQUE [day is taken already; n is taken already]"],
    );
    check_violation("INSERT INTO people (id) VALUES (?)", &expect!["422 VALIDATION [email is required]"]);
    check_violation("INSERT INTO items (id, level) VALUES (2, 'none')", &expect!["422 VALIDATION [level is not allowed]"]);
    check_violation("DELETE FROM people", &expect!["409 REFERENCED []"]);
}

#[test]
fn a_reference_to_a_missing_row_is_refused() {
    each_engine(|db| {
        db.write(&mut |conn| prepare(conn, &APP)).unwrap();
        let mut insert = Statement::new();
        insert.push("INSERT INTO items (id, owner) VALUES (1, ").bind(Value::Uuid(uuid::Uuid::from_u128(7)), BindKind::Uuid).push(")");
        let error = db.write(&mut |conn| conn.execute(&insert)).unwrap_err();
        assert_eq!((error.status, error.code), (422, "REFERENCE"));
    });
}
