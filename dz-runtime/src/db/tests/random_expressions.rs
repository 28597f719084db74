//! Random expressions of several levels: as constants in Rust and as SQL on both engines, they have the same value.

use super::{
    app::{APP, anonymous, item},
    evaluate::{Operand, arithmetic, by_sql, call, column, compare, day, insert, leak, literal, text, value_text},
};
use crate::{
    Value,
    db::{emit::constant, schema::prepare, testing::each_engine},
    def::{Arithmetic, Comparison, Expr, FieldIx, Function, Type},
    testing::random::Random,
};

/// The number of expressions, each over a row of its own.
const EXPRESSIONS: u64 = 1_500;
/// The number of levels of operators.
const LEVELS: usize = 4;

/// The types of the expressions, with the columns that have such values.
const TYPES: [(Type, FieldIx); 4] = [(Type::Bool, item::FLAG), (Type::Int, item::N), (Type::Text, item::TEXT), (Type::Date, item::DAY)];

/// A row: in a third of all cases, a value is null.
fn row(random: &mut Random) -> Vec<Operand> {
    let mut of = |values: &[Value]| if random.once_in(3) { Value::Null } else { values[random.below(values.len())].clone() };
    vec![
        (item::FLAG, of(&[Value::Bool(true), Value::Bool(false)])),
        (item::N, of(&[Value::Int(0), Value::Int(1), Value::Int(7)])),
        (item::TEXT, of(&[text("a"), text("B"), text("")])),
        (item::DAY, of(&[day("2026-03-14"), day("2026-03-15")])),
    ]
}

/// An expression of a type; `leaf` is a column of the row, or its value.
fn expression(random: &mut Random, ty: Type, levels: usize, leaf: &dyn Fn(FieldIx) -> Expr) -> Expr {
    let field = TYPES.iter().find(|(other, _)| *other == ty).map_or(item::FLAG, |(_, field)| *field);
    if levels == 0 || random.once_in(6) {
        return leaf(field);
    }
    let part = |random: &mut Random, ty| expression(random, ty, levels - 1, leaf);
    match (ty, random.below(7)) {
        (_, 0) => {
            let branch = (part(random, Type::Bool), part(random, ty));
            Expr::If(vec![branch].leak(), leak(part(random, ty)))
        }
        (Type::Bool, 1) => Expr::Not(leak(part(random, Type::Bool))),
        (Type::Bool, 2) => Expr::And(vec![part(random, Type::Bool), part(random, Type::Bool)].leak()),
        (Type::Bool, 3) => Expr::Or(vec![part(random, Type::Bool), part(random, Type::Bool)].leak()),
        (Type::Bool, choice) => {
            let (of, _) = TYPES[random.below(TYPES.len())];
            let is_equality = choice < 6 || of == Type::Bool;
            let comparisons = [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];
            let comparison = comparisons[random.below(if is_equality { 2 } else { 6 })];
            let left = part(random, of);
            let right = if is_equality && random.once_in(3) { Expr::Null } else { part(random, of) };
            compare(comparison)(vec![left, right])
        }
        (Type::Int, 1..=3) => {
            let op = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul][random.below(3)];
            arithmetic(op, Type::Int)(vec![part(random, Type::Int), part(random, Type::Int)])
        }
        (Type::Int, 4) => Expr::Negate(leak(part(random, Type::Int))),
        (ty, _) => call(Function::Coalesce, ty)(vec![part(random, ty), part(random, ty)]),
    }
}

#[test]
fn every_expression_has_one_value() {
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            for seed in 0..EXPRESSIONS {
                let row = row(&mut Random::new(seed));
                let (ty, _) = TYPES[Random::new(seed).below(TYPES.len())];
                let of = |leaf: &dyn Fn(FieldIx) -> Expr| expression(&mut Random::new(seed), ty, LEVELS, leaf);
                let value = |field: FieldIx| row.iter().find(|(other, _)| *other == field).map_or(&Value::Null, |(_, value)| value);
                let expected = constant(&of(&|field| literal(field, value(field))), &anonymous(), &APP);
                let expr = of(&column);
                insert(conn, &row);
                let found = by_sql(conn, &expr);
                assert_eq!(value_text(&found), value_text(&expected), "seed {seed} on {:?}: {expr:#?} of {row:?}", conn.engine());
            }
            Ok(())
        })
        .unwrap();
    });
}
