//! Conditions over rows, refs and relations, in which values of the caller are constants.

use expect_test::{Expect, expect};

use super::app::{APP, ITEM, PERSON, anonymous, item, person, signed_in};
use crate::{
    Caller, Value,
    db::{
        BindKind, Conn, Statement,
        emit::{Condition, Emit, Scope, order},
        schema::prepare,
        testing::each_engine,
    },
    def::{Aggregate, Arithmetic, Comparison, EntityIx, Expr, FieldAt, Kind, Path, Type},
};

fn id(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(number)
}

const OWNER: Expr = Expr::Path(Path::to_field(ITEM, item::OWNER));
const OWNER_NAME: Expr = Expr::Path(Path::new(ITEM, &[item::OWNER], person::NAME));
const BOSS_EMAIL: Expr = Expr::Path(Path::new(ITEM, &[item::OWNER, person::BOSS], person::EMAIL));
const OWNER_KEY: Expr = Expr::Path(Path::new(ITEM, &[item::OWNER], 0));
const N: Expr = Expr::Path(Path::to_field(ITEM, item::N));
const FLAG: Expr = Expr::Path(Path::to_field(ITEM, item::FLAG));
const MINE: Expr = Expr::Compare(Comparison::Eq, &OWNER, &Expr::CurrentUser);
const NOT_MINE: Expr = Expr::Not(&MINE);
const OWNERLESS: Expr = Expr::Compare(Comparison::Eq, &OWNER, &Expr::Null);

/// Inserts two people, the second of whom is the boss of the first, and three items: of the first, of the second, and without an owner.
fn fill(conn: &mut Conn) {
    prepare(conn, &APP).unwrap();
    let uuid = |number| (Value::Uuid(id(number)), BindKind::Uuid);
    for (key, name, boss) in [(2, "Bob", None), (1, "ada", Some(2))] {
        let mut insert = Statement::new();
        let (key_value, kind) = uuid(key);
        insert.push("INSERT INTO people (id, email, name, boss) VALUES (").bind(key_value, kind);
        insert.push(&format!(", '{name}@x.y', '{name}', "));
        insert.bind(boss.map_or(Value::Null, |boss| Value::Uuid(id(boss))), BindKind::Uuid).push(")");
        conn.execute(&insert).unwrap();
    }
    for (key, n, flag, owner) in [(1, Some(5), Some(true), Some(1)), (2, None, Some(false), Some(2)), (3, Some(7), None, None)] {
        let mut insert = Statement::new();
        insert.push(&format!("INSERT INTO items (id, n, flag, owner) VALUES ({key}, "));
        insert.bind(n.map_or(Value::Null, Value::Int), BindKind::Int).push(", ");
        insert.bind(flag.map_or(Value::Null, Value::Bool), BindKind::Bool).push(", ");
        insert.bind(owner.map_or(Value::Null, |owner| Value::Uuid(id(owner))), BindKind::Uuid).push(")");
        conn.execute(&insert).unwrap();
    }
}

fn rows(conn: &mut Conn, entity: EntityIx, expr: &Expr, caller: &Caller, unknown: bool) -> String {
    let emit = Emit { app: &APP, engine: conn.engine(), caller };
    let condition = emit.condition(expr, Scope { entity, alias: "t", outer: None }, unknown);
    let condition = match condition {
        Condition::Always => return "always".into(),
        Condition::Never => return "never".into(),
        Condition::Rows(sql) => sql,
    };
    let mut select = Statement::new();
    let (column, table) = if entity == ITEM { ("CAST(t.id AS text)", "items") } else { ("t.name", "people") };
    select.push(&format!("SELECT {column} FROM {table} t WHERE ")).append(condition).push(" ORDER BY 1");
    let rows = conn.rows(&select, &[BindKind::Text]).unwrap();
    let cells = rows.into_iter().flatten().map(|cell| match cell {
        Value::Text(text) => text,
        other => format!("{other:?}"),
    });
    cells.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(entity: EntityIx, exprs: &[Expr], wanted: &Expect) {
    let answers = std::cell::RefCell::new(Vec::new());
    each_engine(|db| {
        db.write(&mut |conn| {
            fill(conn);
            let mut lines = String::new();
            for expr in exprs {
                for (who, caller) in [("nobody", anonymous()), ("ada", signed_in(id(1)))] {
                    let permit = rows(conn, entity, expr, &caller, false);
                    let forbid = rows(conn, entity, expr, &caller, true);
                    lines.push_str(&format!("{who}: permits {permit}; forbids {forbid}\n"));
                }
            }
            answers.borrow_mut().push(lines);
            Ok(())
        })
        .unwrap();
    });
    let answers = answers.into_inner();
    assert_eq!(answers[0], answers[1], "the engines differ");
    wanted.assert_eq(&answers[0]);
}

#[test]
fn unknown_attributes_of_the_caller_deny_access() {
    check(
        ITEM,
        &[MINE, NOT_MINE, Expr::Or(&[MINE, OWNERLESS]), Expr::And(&[NOT_MINE, OWNERLESS])],
        &expect![[r#"
        nobody: permits never; forbids always
        ada: permits 1; forbids 1
        nobody: permits never; forbids always
        ada: permits 2 3; forbids 2 3
        nobody: permits 3; forbids always
        ada: permits 1 3; forbids 1 3
        nobody: permits never; forbids 3
        ada: permits 3; forbids 3
    "#]],
    );
}

#[test]
fn attributes_of_the_caller_are_constants() {
    check(
        ITEM,
        &[
            Expr::SignedIn,
            Expr::Anyone,
            Expr::Role(1),
            Expr::And(&[Expr::Role(1), Expr::Compare(Comparison::Gt, &N, &Expr::Int(5))]),
            Expr::Compare(Comparison::Ne, &Expr::CurrentUser, &Expr::Null),
        ],
        &expect![[r#"
            nobody: permits never; forbids never
            ada: permits always; forbids always
            nobody: permits always; forbids always
            ada: permits always; forbids always
            nobody: permits never; forbids never
            ada: permits always; forbids always
            nobody: permits never; forbids never
            ada: permits 3; forbids 3
            nobody: permits never; forbids never
            ada: permits always; forbids always
        "#]],
    );
}

#[test]
fn null_is_a_value_for_equality_and_false_in_orderings() {
    check(
        ITEM,
        &[
            FLAG,
            Expr::Not(&FLAG),
            Expr::Compare(Comparison::Ne, &N, &Expr::Int(5)),
            Expr::Not(&Expr::Compare(Comparison::Gt, &N, &Expr::Int(5))),
            Expr::Compare(Comparison::Ne, &N, &Expr::Null),
            Expr::Not(&Expr::In(&N, &Expr::List(&[Expr::Int(5), Expr::Null]))),
        ],
        &expect![[r#"
            nobody: permits 1; forbids 1
            ada: permits 1; forbids 1
            nobody: permits 2 3; forbids 2 3
            ada: permits 2 3; forbids 2 3
            nobody: permits 2 3; forbids 2 3
            ada: permits 2 3; forbids 2 3
            nobody: permits 1 2; forbids 1 2
            ada: permits 1 2; forbids 1 2
            nobody: permits 1 3; forbids 1 3
            ada: permits 1 3; forbids 1 3
            nobody: permits 2 3; forbids 2 3
            ada: permits 2 3; forbids 2 3
        "#]],
    );
}

#[test]
fn references_are_joined() {
    check(
        ITEM,
        &[
            Expr::Compare(Comparison::Eq, &OWNER_NAME, &Expr::Text("ada")),
            Expr::Compare(Comparison::Ne, &OWNER_NAME, &Expr::Text("ada")),
            Expr::Compare(Comparison::Eq, &BOSS_EMAIL, &Expr::Text("Bob@x.y")),
            Expr::Compare(Comparison::Eq, &BOSS_EMAIL, &Expr::Null),
            Expr::Compare(Comparison::Eq, &OWNER_KEY, &Expr::CurrentUser),
        ],
        &expect![[r#"
            nobody: permits 1; forbids 1
            ada: permits 1; forbids 1
            nobody: permits 2 3; forbids 2 3
            ada: permits 2 3; forbids 2 3
            nobody: permits 1; forbids 1
            ada: permits 1; forbids 1
            nobody: permits 2 3; forbids 2 3
            ada: permits 2 3; forbids 2 3
            nobody: permits never; forbids always
            ada: permits 1; forbids 1
        "#]],
    );
}

#[test]
fn aggregates_read_relations() {
    let over = |kind, condition| Expr::Aggregate { kind, relation: FieldAt::new(PERSON, person::ITEMS), value: None, condition };
    const LARGE: Expr = Expr::Compare(Comparison::Gt, &N, &Expr::Int(4));
    const COUNT: Expr =
        Expr::Aggregate { kind: Aggregate::Count, relation: FieldAt::new(PERSON, person::ITEMS), value: None, condition: Some(&LARGE) };
    const SUM: Expr = Expr::Aggregate {
        kind: Aggregate::Sum,
        relation: FieldAt::new(PERSON, person::ITEMS),
        value: Some(Path::to_field(ITEM, item::N)),
        condition: None,
    };
    const OF_OUTER: Expr = Expr::Compare(Comparison::Eq, &OWNER_NAME, &Expr::This(Some(Path::to_field(PERSON, person::NAME))));
    check(
        PERSON,
        &[
            over(Aggregate::Any, None),
            over(Aggregate::Any, Some(&LARGE)),
            over(Aggregate::All, Some(&LARGE)),
            over(Aggregate::Any, Some(&OF_OUTER)),
            Expr::Compare(Comparison::Eq, &COUNT, &Expr::Int(0)),
            Expr::Compare(Comparison::Eq, &SUM, &Expr::Int(5)),
        ],
        &expect![[r#"
            nobody: permits Bob ada; forbids Bob ada
            ada: permits Bob ada; forbids Bob ada
            nobody: permits ada; forbids ada
            ada: permits ada; forbids ada
            nobody: permits ada; forbids ada
            ada: permits ada; forbids ada
            nobody: permits Bob ada; forbids Bob ada
            ada: permits Bob ada; forbids Bob ada
            nobody: permits Bob; forbids Bob
            ada: permits Bob; forbids Bob
            nobody: permits ada; forbids ada
            ada: permits ada; forbids ada
        "#]],
    );
}

#[test]
fn a_value_computed_of_computed_values_is_planned_once() {
    let leak = |expr: Expr| -> &'static Expr { Box::leak(Box::new(expr)) };
    let more = |value: Expr| Expr::Arithmetic(Arithmetic::Add, leak(value), &Expr::Int(1), Type::Int);
    let nested = leak((0..14).fold(N, |value, _| more(value)));
    let over = Expr::Compare(Comparison::Gt, nested, &Expr::Int(20));
    each_engine(|db| {
        let begun = std::time::Instant::now();
        let found = db.write(&mut |conn| {
            fill(conn);
            Ok(rows(conn, ITEM, &over, &anonymous(), false))
        });
        assert_eq!(found.unwrap(), "3");
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    });
}

#[test]
fn lists_have_the_same_order_on_both_engines() {
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            for (key, text) in ["'b'", "'B'", "'a'", "NULL", "'ä'", "'_'", "'Z'"].iter().enumerate() {
                conn.batch(&format!("INSERT INTO items (id, text) VALUES ({key}, {text})"))?;
            }
            for (descending, wanted) in [(false, "null _ a B b Z ä"), (true, "ä Z b B a _ null")] {
                let mut select = Statement::new();
                select.push("SELECT coalesce(text, 'null') FROM items i ORDER BY ");
                select.push(&order(conn.engine(), Kind::Text, "i.\"text\"", descending).join(", "));
                let texts: Vec<_> = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().map(|cell| format!("{cell:?}")).collect();
                let wanted: Vec<_> = wanted.split(' ').map(|text| format!("{:?}", Value::Text(text.into()))).collect();
                assert_eq!(texts, wanted, "{:?}", conn.engine());
            }
            Ok(())
        })
        .unwrap();
    });
}
