//! An expression evaluated in all three ways: as a constant in Rust, and as SQL over columns on both engines.

use expect_test::Expect;

use super::app::{APP, ITEM, LEVEL, anonymous, item};
use crate::{
    Value,
    db::{
        BindKind, Conn, Statement,
        emit::{Emit, Scope, constant},
        schema::prepare,
        testing::each_engine,
    },
    def::{Arithmetic, Comparison, Expr, FieldIx, Function, Path, Type},
};

/// An operand: the value of a column.
pub(super) type Operand = (FieldIx, Value);

pub(super) fn leak(expr: Expr) -> &'static Expr {
    Box::leak(Box::new(expr))
}

pub(super) fn leak_text(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

pub(super) fn column(field: FieldIx) -> Expr {
    Expr::Path(Path::to_field(ITEM, field))
}

/// The value as a literal of the language.
pub(super) fn literal(field: FieldIx, value: &Value) -> Expr {
    match value {
        Value::Null => Expr::Null,
        Value::Bool(value) => Expr::Bool(*value),
        Value::Int(value) => Expr::Int(*value),
        Value::Float(value) => Expr::Float(*value),
        // A literal with the scale of its column, because the scale determines the decimal places of a quotient.
        Value::Decimal(value) => {
            let mut scaled = *value;
            scaled.rescale(if field == item::PRICE { 2 } else { 10 });
            Expr::Decimal(leak_text(scaled.to_string()))
        }
        Value::Text(text) if field == item::LEVEL => {
            let at = LEVEL.values.iter().position(|value| value.name == text).unwrap();
            Expr::EnumValue(&LEVEL, u16::try_from(at).unwrap())
        }
        Value::Text(text) => Expr::Text(leak_text(text.clone())),
        Value::Date(day) => Expr::Typed(Type::Date, leak_text(day.to_string())),
        Value::DateTime(at) => Expr::Typed(Type::DateTime, leak_text(at.to_rfc3339())),
        Value::Uuid(id) => Expr::Typed(Type::Uuid, leak_text(id.to_string())),
        Value::Json(json) => Expr::Typed(Type::Json, leak_text(json.to_string())),
    }
}

pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Decimal(value) => value.normalize().to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Uuid(id) => id.to_string(),
        Value::Date(day) => day.to_string(),
        Value::DateTime(at) => at.to_rfc3339(),
        Value::Json(json) => json.to_string(),
    }
}

/// A row with these values.
pub(super) fn insert(conn: &mut Conn, operands: &[Operand]) {
    conn.batch("DELETE FROM items").unwrap();
    let mut columns = Statement::new();
    let mut values = Statement::new();
    for (field, value) in operands {
        let def = APP.entity(ITEM).field(*field);
        columns.push(", ").ident(def.name);
        values.push(", ").bind(value.clone(), BindKind::from_kind(def.kind, &APP).unwrap());
    }
    let mut all = Statement::new();
    all.push("INSERT INTO items (id").append(columns).push(") VALUES (1").append(values).push(")");
    conn.execute(&all).unwrap();
}

pub(super) fn by_sql(conn: &mut Conn, expr: &Expr) -> Value {
    let caller = anonymous();
    let emit = Emit { app: &APP, engine: conn.engine(), caller: &caller };
    let (value, kind) = emit.typed_value(expr, Scope { entity: ITEM, alias: "i", outer: None });
    let mut select = Statement::new();
    select.push("SELECT ").append(value).push(" FROM items i");
    let mut rows = conn.rows(&select, &[kind.unwrap_or(BindKind::Text)]).unwrap_or_else(|error| panic!("{} {error:?}", select.text()));
    rows.remove(0).remove(0)
}

/// One case: its operands, and their expression.
pub(super) struct Case {
    operands: Vec<Operand>,
    build: Box<dyn Fn(Vec<Expr>) -> Expr + Sync>,
}

pub(super) fn case(operands: &[Operand], build: impl Fn(Vec<Expr>) -> Expr + Sync + 'static) -> Case {
    Case { operands: operands.to_vec(), build: Box::new(build) }
}

/// Evaluates the cases in all three ways, and compares the results first with each other and then with the expected text.
#[track_caller]
pub(super) fn check(cases: &[Case], wanted: &Expect) {
    let folded: Vec<_> = cases
        .iter()
        .map(|case| {
            let literals = case.operands.iter().map(|(field, value)| literal(*field, value)).collect();
            constant(&(case.build)(literals), &anonymous(), &APP)
        })
        .collect();
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            for (case, folded) in cases.iter().zip(&folded) {
                let expr = (case.build)(case.operands.iter().map(|(field, _)| column(*field)).collect());
                insert(conn, &case.operands);
                let computed = by_sql(conn, &expr);
                let operands: Vec<_> = case.operands.iter().map(|(_, value)| value_text(value)).collect();
                assert_eq!(value_text(&computed), value_text(folded), "{expr:?} of {operands:?} on {:?}", conn.engine());
            }
            Ok(())
        })
        .unwrap();
    });
    let lines = cases.iter().zip(&folded).map(|(case, folded)| {
        let operands: Vec<_> = case.operands.iter().map(|(_, value)| value_text(value)).collect();
        format!("{} -> {}\n", operands.join(", "), value_text(folded))
    });
    wanted.assert_eq(&lines.collect::<String>());
}

pub(super) fn arithmetic(op: Arithmetic, ty: Type) -> impl Fn(Vec<Expr>) -> Expr + Sync + Copy {
    move |operands| Expr::Arithmetic(op, leak(operands[0]), leak(operands[1]), ty)
}

pub(super) fn compare(cmp: Comparison) -> impl Fn(Vec<Expr>) -> Expr + Sync + Copy {
    move |operands| Expr::Compare(cmp, leak(operands[0]), leak(operands[1]))
}

pub(super) fn call(function: Function, ty: Type) -> impl Fn(Vec<Expr>) -> Expr + Sync + Copy {
    move |operands| Expr::Call(function, operands.leak(), ty)
}

pub(super) fn decimal(text: &str) -> Value {
    Value::Decimal(text.parse().unwrap())
}

pub(super) fn text(text: &str) -> Value {
    Value::Text(text.into())
}

pub(super) fn day(text: &str) -> Value {
    Value::Date(text.parse().unwrap())
}

pub(super) fn at(text: &str) -> Value {
    Value::DateTime(text.parse().unwrap())
}
