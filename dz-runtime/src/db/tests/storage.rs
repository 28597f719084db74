//! Values are equal after they are stored and loaded, on both engines.

use serde_json::json;

use super::app::APP;
use crate::{
    Value,
    db::{BindKind, Conn, Statement, schema::prepare, testing::each_engine},
    def::Kind,
};

fn round_trip(conn: &mut Conn, column: &str, kind: BindKind, value: &Value) -> Value {
    let mut insert = Statement::new();
    insert.push("INSERT INTO items (").ident(column).push(") VALUES (").bind(value.clone(), kind).push(") RETURNING ").ident(column);
    conn.rows(&insert, &[kind]).unwrap().remove(0).remove(0)
}

#[test]
fn edge_values_are_read_unchanged() {
    let decimal = |text: &str| Value::Decimal(text.parse().unwrap());
    let values = [
        ("text", vec![Value::Text(String::new()), Value::Text("Grüße, \u{1F600} 'x'".into())]),
        ("n", vec![Value::Int(i64::MIN), Value::Int(i64::MAX)]),
        ("f", vec![Value::Float(f64::MIN), Value::Float(f64::MAX), Value::Float(0.1)]),
        ("price", vec![decimal("99999999.99"), decimal("-99999999.99"), decimal("0.00"), decimal("10.50")]),
        (
            "big",
            vec![
                decimal("999999999999999999.9999999999"),
                decimal("-999999999999999999.9999999999"),
                decimal("0.0000000001"),
                decimal("-10000"),
            ],
        ),
        ("flag", vec![Value::Bool(true), Value::Bool(false)]),
        ("day", vec![Value::Date("0001-01-01".parse().unwrap()), Value::Date("9999-12-31".parse().unwrap())]),
        (
            "at",
            vec![Value::DateTime("0001-01-01T00:00:00Z".parse().unwrap()), Value::DateTime("9999-12-31T23:59:59.999999Z".parse().unwrap())],
        ),
        ("data", vec![Value::Json(json!({"b": [1, 2.5, null, "x"], "a": {"z": true, "": "é"}})), Value::Json(json!(null))]),
    ];
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            for (column, values) in &values {
                let kind = BindKind::from_kind(APP.entity(super::app::ITEM).find(column).unwrap().1.kind, &APP).unwrap();
                for value in values.iter().chain([&Value::Null]) {
                    assert_eq!(&round_trip(conn, column, kind, value), value, "{column} on {:?}", conn.engine());
                }
            }
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn decimals_print_with_their_scale() {
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            let kind = BindKind::from_kind(Kind::Decimal { precision: 10, scale: 2 }, &APP).unwrap();
            let Value::Decimal(read) = round_trip(conn, "price", kind, &Value::Int(3)) else { panic!("not a decimal") };
            assert_eq!(read.to_string(), "3.00");
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn both_engines_refuse_nul() {
    each_engine(|db| {
        let mut select = Statement::new();
        select.push("SELECT ").bind(Value::Text("a\0b".into()), BindKind::Text);
        let error = db.read(&mut |conn| conn.rows(&select, &[BindKind::Text])).unwrap_err();
        assert_eq!((error.status, error.detail.as_str()), (422, "text must not contain the character U+0000"));
    });
}

#[test]
fn lists_are_one_parameter() {
    let text = |text: &str| Value::Text(text.into());
    let lists = [
        (BindKind::Int, vec![Value::Int(1), Value::Int(i64::MAX)], Value::Int(i64::MAX), Value::Int(2)),
        (BindKind::Text, vec![text("a'\""), text("ä")], text("ä"), text("A")),
        (
            BindKind::Uuid,
            vec![Value::Uuid(uuid::Uuid::from_u128(5))],
            Value::Uuid(uuid::Uuid::from_u128(5)),
            Value::Uuid(uuid::Uuid::nil()),
        ),
        (
            BindKind::Decimal { precision: 28, scale: 2 },
            vec![Value::Decimal("-1.5".parse().unwrap())],
            Value::Decimal("-1.50".parse().unwrap()),
            Value::Int(1),
        ),
    ];
    each_engine(|db| {
        for (kind, list, within, without) in &lists {
            for (value, wanted) in [(within, true), (without, false)] {
                let mut select = Statement::new();
                select.push("SELECT ").bind(value.clone(), *kind).in_list(db.engine(), list.clone(), *kind);
                let rows = db.read(&mut |conn| conn.rows(&select, &[BindKind::Bool])).unwrap();
                assert_eq!(rows, [[Value::Bool(wanted)]], "{kind:?} on {:?}", db.engine());
            }
        }
    });
}
