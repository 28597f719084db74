//! Every operator and function on edge values.

use expect_test::expect;

use super::{
    app::{LEVEL, item},
    evaluate::{Operand, arithmetic, at, call, case, check, compare, day, decimal, leak, literal, text},
};
use crate::{
    Value,
    def::{Arithmetic, Comparison, Expr, Function, Type},
};

#[test]
fn whole_numbers() {
    let pair = |op, a, b: Value| {
        // Two ints in one row: the key is the second.
        case(&[(item::N, a)], move |operands| Expr::Arithmetic(op, leak(operands[0]), leak(literal(item::N, &b)), Type::Int))
    };
    use Arithmetic::{Add, Mul, Rem, Sub};
    check(
        &[
            pair(Add, Value::Int(i64::MAX), Value::Int(1)),
            pair(Add, Value::Int(2), Value::Int(3)),
            pair(Sub, Value::Int(i64::MIN), Value::Int(1)),
            pair(Mul, Value::Int(i64::MAX), Value::Int(2)),
            pair(Mul, Value::Int(-4), Value::Int(5)),
            pair(Rem, Value::Int(-7), Value::Int(3)),
            pair(Rem, Value::Int(7), Value::Int(0)),
            pair(Rem, Value::Int(i64::MIN), Value::Int(-1)),
            pair(Add, Value::Null, Value::Int(1)),
            case(&[(item::N, Value::Int(i64::MIN))], |operands| Expr::Negate(leak(operands[0]))),
            case(&[(item::N, Value::Int(5))], |operands| Expr::Negate(leak(operands[0]))),
            case(&[(item::N, Value::Int(i64::MIN))], call(Function::Abs, Type::Int)),
            case(&[(item::N, Value::Int(-3))], call(Function::Abs, Type::Int)),
        ],
        &expect![[r#"
            9223372036854775807 -> null
            2 -> 5
            -9223372036854775808 -> null
            9223372036854775807 -> null
            -4 -> -20
            -7 -> -1
            7 -> null
            -9223372036854775808 -> 0
            null -> null
            -9223372036854775808 -> null
            5 -> -5
            -9223372036854775808 -> null
            -3 -> 3
        "#]],
    );
}

#[test]
fn decimals() {
    let two = |op, a: &str, b: &str| case(&[(item::PRICE, decimal(a)), (item::BIG, decimal(b))], arithmetic(op, Type::Decimal));
    let largest = "999999999999999999.9999999999";
    use Arithmetic::{Add, Div, Mul, Sub};
    check(
        &[
            two(Add, "0.01", largest),
            two(Sub, "0", largest),
            two(Mul, "99999999.99", largest),
            two(Mul, "-1.5", "0.0000000002"),
            two(Div, "1", "3"),
            two(Div, "-2", "3"),
            two(Div, "1", "0"),
            two(Div, "0.01", largest),
            two(Div, "99999999.99", "0.0000000001"),
            case(&[(item::BIG, decimal("1")), (item::PRICE, decimal("-3"))], arithmetic(Div, Type::Decimal)),
            case(&[(item::BIG, decimal(largest)), (item::PRICE, decimal("0.01"))], arithmetic(Div, Type::Decimal)),
            case(&[(item::N, Value::Int(7)), (item::PRICE, decimal("0.30"))], arithmetic(Div, Type::Decimal)),
            case(&[(item::PRICE, Value::Null), (item::BIG, decimal("1"))], arithmetic(Mul, Type::Decimal)),
            case(&[(item::PRICE, decimal("-2.50"))], call(Function::Round, Type::Decimal)),
            case(&[(item::PRICE, decimal("2.45"))], |operands| {
                Expr::Call(Function::Round, vec![operands[0], Expr::Int(1)].leak(), Type::Decimal)
            }),
            case(&[(item::PRICE, decimal("1250"))], |operands| {
                Expr::Call(Function::Round, vec![operands[0], Expr::Int(-2)].leak(), Type::Decimal)
            }),
            case(&[(item::PRICE, decimal("-0.01"))], call(Function::Floor, Type::Decimal)),
            case(&[(item::PRICE, decimal("-0.01"))], call(Function::Ceil, Type::Decimal)),
            case(&[(item::PRICE, decimal("1.10")), (item::BIG, decimal("1.0999999999"))], call(Function::Min, Type::Decimal)),
            case(&[(item::PRICE, Value::Null), (item::BIG, decimal("1"))], call(Function::Max, Type::Decimal)),
            case(&[(item::PRICE, Value::Null), (item::BIG, decimal("1"))], call(Function::Coalesce, Type::Decimal)),
            case(&[(item::PRICE, decimal("1")), (item::BIG, decimal("1"))], call(Function::Nullif, Type::Decimal)),
        ],
        &expect![[r#"
            0.01, 999999999999999999.9999999999 -> null
            0, 999999999999999999.9999999999 -> -999999999999999999.9999999999
            99999999.99, 999999999999999999.9999999999 -> null
            -1.5, 0.0000000002 -> -0.0000000003
            1, 3 -> 0.333333
            -2, 3 -> -0.666667
            1, 0 -> null
            0.01, 999999999999999999.9999999999 -> 0
            99999999.99, 0.0000000001 -> 999999999900000000
            1, -3 -> -0.3333333333
            999999999999999999.9999999999, 0.01 -> 99999999999999999999.99999999
            7, 0.3 -> 23.333333
            null, 1 -> null
            -2.5 -> -3
            2.45 -> 2.5
            1250 -> 1300
            -0.01 -> -1
            -0.01 -> 0
            1.1, 1.0999999999 -> 1.0999999999
            null, 1 -> null
            null, 1 -> 1
            1, 1 -> null
        "#]],
    );
}

#[test]
fn floats() {
    let with = |op, a: f64, b: f64| {
        case(&[(item::F, Value::Float(a))], move |operands| Expr::Arithmetic(op, leak(operands[0]), leak(Expr::Float(b)), Type::Float))
    };
    use Arithmetic::{Add, Div, Mul, Sub};
    check(
        &[
            with(Add, 0.1, 0.2),
            with(Add, f64::MAX, f64::MAX),
            with(Sub, 0.5, 0.5),
            with(Mul, -1.0, 0.0),
            with(Mul, 1e200, 1e200),
            with(Mul, 1e-200, 1e-200),
            with(Div, 1.0, 3.0),
            with(Div, 1.0, 0.0),
            case(&[(item::F, Value::Float(-2.5))], call(Function::Floor, Type::Float)),
            case(&[(item::F, Value::Float(-0.5))], call(Function::Ceil, Type::Float)),
            case(&[(item::F, Value::Float(2.345))], |operands| {
                Expr::Call(Function::Round, vec![operands[0], Expr::Int(2)].leak(), Type::Decimal)
            }),
        ],
        &expect![[r#"
            0.1 -> 0.30000000000000004
            1.7976931348623157e308 -> null
            0.5 -> 0.0
            -1.0 -> 0.0
            1e200 -> null
            1e-200 -> null
            1.0 -> 0.3333333333333333
            1.0 -> null
            -2.5 -> -3.0
            -0.5 -> 0.0
            2.345 -> 2.35
        "#]],
    );
}

#[test]
fn comparisons() {
    let mut cases = Vec::new();
    for cmp in [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Ge] {
        for operands in [
            [(item::TEXT, text("Z")), (item::OTHER, text("a"))],
            [(item::TEXT, text("\u{FFFF}")), (item::OTHER, text("\u{1F600}"))],
            [(item::TEXT, Value::Null), (item::OTHER, Value::Null)],
            [(item::TEXT, Value::Null), (item::OTHER, text(""))],
            [(item::PRICE, decimal("1.10")), (item::BIG, decimal("1.1"))],
            [(item::PRICE, decimal("-1.10")), (item::BIG, decimal("-1.0999999999"))],
            [(item::PRICE, Value::Null), (item::BIG, decimal("0"))],
            [(item::N, Value::Int(2)), (item::PRICE, decimal("2.01"))],
            [(item::LEVEL, text("it's high")), (item::LEVEL, text("it's high"))],
        ] {
            let distinct = operands[0].0 != operands[1].0;
            cases.push(if distinct {
                case(&operands, compare(cmp))
            } else {
                case(&operands[..1], move |operands| compare(cmp)(vec![operands[0], Expr::EnumValue(&LEVEL, 2)]))
            });
        }
    }
    check(
        &cases,
        &expect![[r#"
        "Z", "a" -> false
        "\u{ffff}", "😀" -> false
        null, null -> true
        null, "" -> false
        1.1, 1.1 -> true
        -1.1, -1.0999999999 -> false
        null, 0 -> false
        2, 2.01 -> false
        "it's high" -> false
        "Z", "a" -> true
        "\u{ffff}", "😀" -> true
        null, null -> false
        null, "" -> true
        1.1, 1.1 -> false
        -1.1, -1.0999999999 -> true
        null, 0 -> true
        2, 2.01 -> true
        "it's high" -> true
        "Z", "a" -> true
        "\u{ffff}", "😀" -> true
        null, null -> false
        null, "" -> false
        1.1, 1.1 -> false
        -1.1, -1.0999999999 -> true
        null, 0 -> false
        2, 2.01 -> true
        "it's high" -> true
        "Z", "a" -> false
        "\u{ffff}", "😀" -> false
        null, null -> false
        null, "" -> false
        1.1, 1.1 -> true
        -1.1, -1.0999999999 -> false
        null, 0 -> false
        2, 2.01 -> false
        "it's high" -> false
    "#]],
    );
}

#[test]
fn comparisons_with_values_that_a_column_cannot_store() {
    let against = |cmp, digits: &'static str| {
        case(&[(item::PRICE, decimal("1.10"))], move |operands| compare(cmp)(vec![operands[0], Expr::Decimal(digits)]))
    };
    check(
        &[
            against(Comparison::Lt, "1.101"),
            against(Comparison::Eq, "1.101"),
            against(Comparison::Lt, "9999999999999999999999999999"),
            against(Comparison::Eq, "1.1"),
            case(&[(item::N, Value::Int(1))], |operands| compare(Comparison::Lt)(vec![operands[0], Expr::Decimal("1.5")])),
            case(&[(item::F, Value::Float(1.5))], |operands| compare(Comparison::Eq)(vec![operands[0], Expr::Decimal("1.5")])),
            case(&[(item::N, Value::Int(1))], |operands| Expr::In(leak(operands[0]), leak(Expr::List(&[Expr::Int(1), Expr::Null])))),
            case(&[(item::N, Value::Null)], |operands| Expr::In(leak(operands[0]), leak(Expr::List(&[Expr::Int(1), Expr::Null])))),
            case(&[(item::PRICE, decimal("2.50"))], |operands| {
                Expr::In(leak(operands[0]), leak(Expr::List(&[Expr::Decimal("2.5"), Expr::Decimal("2.555")])))
            }),
        ],
        &expect![[r#"
            1.1 -> true
            1.1 -> false
            1.1 -> true
            1.1 -> true
            1 -> true
            1.5 -> true
            1 -> true
            null -> false
            2.5 -> true
        "#]],
    );
}

#[test]
fn texts() {
    let one = |function, ty, value: &str| case(&[(item::TEXT, text(value))], call(function, ty));
    let two = |function, ty, a: &str, b: &str| case(&[(item::TEXT, text(a)), (item::OTHER, text(b))], call(function, ty));
    use Function::{Concat, Contains, Length, Lower, StartsWith, Trim, Upper};
    check(
        &[
            one(Length, Type::Int, "e\u{301}\u{1F600}"),
            one(Lower, Type::Text, "ÄÖÜ ΣΑΣ İ"),
            one(Upper, Type::Text, "straße ﬁ éß"),
            one(Trim, Type::Text, "\u{3000}\t a b \u{a0}\n"),
            two(Concat, Type::Text, "a'", "\"b\\"),
            two(Contains, Type::Bool, "100% sure", "% s"),
            two(Contains, Type::Bool, "abc", ""),
            two(Contains, Type::Bool, "abc", "B"),
            two(StartsWith, Type::Bool, "äbc", "ä"),
            two(StartsWith, Type::Bool, "abc", "_"),
            two(Function::Min, Type::Text, "b", "B"),
            two(Function::Max, Type::Text, "é", "z"),
            case(&[(item::TEXT, Value::Null)], call(Lower, Type::Text)),
            case(&[(item::TEXT, text("a")), (item::OTHER, Value::Null)], call(Concat, Type::Text)),
            case(&[(item::TEXT, Value::Null), (item::OTHER, text("b"))], call(Function::Coalesce, Type::Text)),
            two(Function::Nullif, Type::Text, "a", "a"),
        ],
        &expect![[r#"
            "e\u{301}😀" -> 3
            "ÄÖÜ ΣΑΣ İ" -> "äöü σας i\u{307}"
            "straße ﬁ éß" -> "STRASSE FI ÉSS"
            "\u{3000}\t a b \u{a0}\n" -> "a b"
            "a'", "\"b\\" -> "a'\"b\\"
            "100% sure", "% s" -> true
            "abc", "" -> true
            "abc", "B" -> false
            "äbc", "ä" -> true
            "abc", "_" -> false
            "b", "B" -> "B"
            "é", "z" -> "é"
            null -> null
            "a", null -> null
            null, "b" -> "b"
            "a", "a" -> null
        "#]],
    );
}

#[test]
fn time() {
    let moved = |op, value: Operand, months, seconds| {
        let ty = if value.0 == item::DAY { Type::Date } else { Type::DateTime };
        case(&[value], move |operands| Expr::Arithmetic(op, leak(operands[0]), leak(Expr::Duration { months, seconds }), ty))
    };
    let on = |value: &str| (item::DAY, day(value));
    let moment = |value: &str| (item::AT, at(value));
    use Arithmetic::{Add, Sub};
    let mut cases = vec![
        moved(Add, on("2024-01-31"), 1, 0),
        moved(Sub, on("2024-03-31"), 1, 0),
        moved(Add, on("2024-02-29"), 12, 0),
        moved(Add, on("2024-02-28"), 0, 2 * 86_400),
        moved(Sub, on("2024-02-28"), 0, 36 * 3_600),
        moved(Add, on("9999-12-31"), 0, 86_400),
        moved(Sub, on("0001-01-01"), 1, 0),
        moved(Add, on("2024-01-01"), i64::MAX, i64::MAX),
        moved(Add, moment("2024-01-31T23:59:59.999999Z"), 1, 1),
        moved(Add, moment("9999-12-31T23:59:59Z"), 0, 1),
        case(&[on("2024-03-01")], |operands| Expr::Arithmetic(Sub, leak(operands[0]), leak(Expr::Today), Type::Int)),
        case(&[moment("2024-02-29T16:29:59.5Z")], |operands| {
            let elapsed = Expr::Arithmetic(Sub, leak(Expr::Now), leak(operands[0]), Type::Duration);
            Expr::Compare(Comparison::Gt, leak(elapsed), leak(Expr::Duration { months: 0, seconds: 0 }))
        }),
    ];
    for function in [Function::DaysSince, Function::DaysUntil, Function::Year, Function::Month, Function::Day, Function::Weekday] {
        cases.push(case(&[on("2024-02-29")], call(function, Type::Int)));
        cases.push(case(&[moment("2023-12-31T15:00:00Z")], call(function, Type::Int)));
    }
    for function in [Function::HoursSince, Function::MinutesSince] {
        cases.push(case(&[moment("2024-02-29T16:29:59.999999Z")], call(function, Type::Int)));
        cases.push(case(&[moment("2024-02-29T16:30:00.000001Z")], call(function, Type::Int)));
        cases.push(case(&[(item::AT, Value::Null)], call(function, Type::Int)));
    }
    cases.push(case(&[moment("2024-02-29T14:59:59Z")], call(Function::Date, Type::Date)));
    cases.push(case(&[moment("2024-02-29T15:00:00Z")], call(Function::Date, Type::Date)));
    check(
        &cases,
        &expect![[r#"
        2024-01-31 -> 2024-02-29
        2024-03-31 -> 2024-02-29
        2024-02-29 -> 2025-02-28
        2024-02-28 -> 2024-03-01
        2024-02-28 -> 2024-02-26
        9999-12-31 -> null
        0001-01-01 -> null
        2024-01-01 -> null
        2024-01-31T23:59:59.999999+00:00 -> 2024-03-01T00:00:00.999999+00:00
        9999-12-31T23:59:59+00:00 -> null
        2024-03-01 -> 0
        2024-02-29T16:29:59.500+00:00 -> true
        2024-02-29 -> 1
        2023-12-31T15:00:00+00:00 -> 60
        2024-02-29 -> -1
        2023-12-31T15:00:00+00:00 -> -60
        2024-02-29 -> 2024
        2023-12-31T15:00:00+00:00 -> 2024
        2024-02-29 -> 2
        2023-12-31T15:00:00+00:00 -> 1
        2024-02-29 -> 29
        2023-12-31T15:00:00+00:00 -> 1
        2024-02-29 -> 4
        2023-12-31T15:00:00+00:00 -> 1
        2024-02-29T16:29:59.999999+00:00 -> 0
        2024-02-29T16:30:00.000001+00:00 -> -1
        null -> null
        2024-02-29T16:29:59.999999+00:00 -> 0
        2024-02-29T16:30:00.000001+00:00 -> -1
        null -> null
        2024-02-29T14:59:59+00:00 -> 2024-02-29
        2024-02-29T15:00:00+00:00 -> 2024-03-01
    "#]],
    );
}

#[test]
fn branches() {
    let choose = |operands: Vec<Expr>| {
        let test = Expr::Compare(Comparison::Gt, leak(operands[0]), leak(Expr::Int(0)));
        Expr::If(vec![(test, operands[1])].leak(), leak(operands[2]))
    };
    let with = |n| case(&[(item::N, n), (item::PRICE, decimal("1.50")), (item::BIG, decimal("2"))], choose);
    check(
        &[with(Value::Int(1)), with(Value::Int(0)), with(Value::Null)],
        &expect![[r#"
        1, 1.5, 2 -> 1.5
        0, 1.5, 2 -> 2
        null, 1.5, 2 -> 2
    "#]],
    );
}
