//! Operators and functions. SQLite calls the functions that the backend registers; PostgreSQL has its own. Nothing fails: a result
//! out of range, and a division by zero, is null.

use dz_dsl_file::model::{Aggregate, Arithmetic, Comparison, Duration, Expr, FieldType, Function, Path, Type};
use heck::ToSnakeCase;

use super::{
    Conditions, Emitted, Engine, Piece, Scope,
    operand::{Operand, path_from, type_of, write},
    symbol,
};

/// The most digits of an exact number.
const DIGITS: u32 = 28;
/// The fewest decimals of a quotient.
const QUOTIENT: u32 = 6;
/// A 64-bit number, or null.
const INT: &str =
    "(SELECT CASE WHEN calc.x BETWEEN -9223372036854775808 AND 9223372036854775807 THEN calc.x::bigint END FROM (SELECT {} AS x) calc)";
/// An exact number of at most 28 digits, or null.
const EXACT: &str = "(SELECT CASE WHEN scale(calc.x) <= 28 AND abs(calc.x) * power(10::numeric, scale(calc.x)::numeric) < \
                     10000000000000000000000000000 THEN calc.x END FROM (SELECT trim_scale({}) AS x) calc)";
/// A time of the years 1 to 9999, or null.
const MOMENT: &str = "CASE WHEN calc.x >= '0001-01-01 00:00:00+00' AND calc.x < '10000-01-01 00:00:00+00' THEN calc.x END";
/// The white space of Unicode.
const SPACES: &str = r"E'\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'";

/// The letter of a type in `calculate`.
fn letter(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "b",
        Type::Int => "i",
        Type::Float => "f",
        Type::Decimal | Type::Money(_) => "n",
        Type::Date => "d",
        Type::DateTime => "m",
        Type::Duration => "s",
        Type::Uuid | Type::Ref(_) => "u",
        Type::Text | Type::Enum(_) | Type::Json | Type::List(_) | Type::Null => "t",
    }
}

/// The letter of an operand; for an exact number in its stored form, its decimals.
fn form(operand: &Operand) -> String {
    match operand.stored {
        // Numbers that are too large for an integer are text.
        Some((precision @ 19.., scale)) => format!("{precision}.{scale}"),
        Some((_, scale)) => scale.to_string(),
        None => letter(&operand.ty).to_owned(),
    }
}

fn zone<'m>(of: &Conditions<'m>) -> &'m str {
    &of.model.app.timezone
}

/// An operation of the backend's own function for SQLite.
fn calculate(of: &Conditions<'_>, name: &str, first: Operand, second: Option<Operand>, ty: &Type, places: u32) -> Piece {
    let text = |operand: Operand| match (operand.is_exact(), operand.stored, &operand.number) {
        // A literal number is text between operations.
        (true, None, Some(digits)) => (Piece::text(format!("'n{digits}'")), "n".to_owned()),
        _ => (operand.piece.clone(), form(&operand)),
    };
    let (first, kinds, second) = match (text(first), second.map(text)) {
        ((first, one), Some((second, other))) => (first, format!("{one},{other}"), second),
        ((first, one), None) => (first, one, Piece::text("NULL")),
    };
    let what = format!("{name}:{kinds}:{}:{places}:{}", letter(ty), zone(of));
    Piece::fill(&format!("calculate('{what}', {{}}, {{}})"), [&first, &second])
}

/// Compares exact numbers of different stored forms on SQLite.
pub(super) fn compare(of: &Conditions<'_>, how: Comparison, left: Operand, right: Operand, wanted: bool) -> Piece {
    let both_null = Piece::fill("{} IS NULL AND {} IS NULL", [&left.piece, &right.piece]);
    let order = calculate(of, "cmp", left, Some(right), &Type::Int, 0);
    let equal = Piece::fill("COALESCE({} = 0, {})", [&order, &both_null]);
    match (how, wanted) {
        (Comparison::Eq, true) | (Comparison::Ne, false) => equal,
        (Comparison::Eq, false) | (Comparison::Ne, true) => Piece::fill("NOT {}", [&equal]),
        (how, true) => Piece::fill(&format!("COALESCE({{}} {} 0, FALSE)", symbol(how)), [&order]),
        (how, false) => Piece::fill(&format!("NOT COALESCE({{}} {} 0, FALSE)", symbol(how)), [&order]),
    }
}

/// The most decimals of an expression; for a quotient those to which it is rounded.
fn decimals(of: &Conditions<'_>, expr: &Expr) -> u32 {
    let places = match expr {
        Expr::Decimal(digits) => digits.split_once('.').map_or(0, |(_, places)| places.len() as u32),
        Expr::Path(path) | Expr::This(Some(path)) | Expr::CurrentUserPath(path) => scale(of, path),
        Expr::Aggregate { kind, value: Some(path), .. } => match kind {
            Aggregate::Avg => scale(of, path).max(QUOTIENT),
            Aggregate::Count | Aggregate::Sum | Aggregate::Min | Aggregate::Max | Aggregate::Any | Aggregate::All => scale(of, path),
        },
        Expr::Arithmetic(Arithmetic::Div, left, ..) => decimals(of, left).max(QUOTIENT),
        Expr::Arithmetic(Arithmetic::Mul, left, right, _) => decimals(of, left) + decimals(of, right),
        Expr::Arithmetic(_, left, right, _) => decimals(of, left).max(decimals(of, right)),
        Expr::Negate(inner) => decimals(of, inner),
        Expr::Call(Function::Round, arguments, _) => match arguments.get(1) {
            Some(Expr::Int(places)) => u32::try_from(*places).unwrap_or(0),
            _ => 0,
        },
        Expr::Call(_, arguments, _) => arguments.iter().map(|argument| decimals(of, argument)).max().unwrap_or(0),
        Expr::If(branches, rest) => {
            branches.iter().map(|(_, value)| value).chain([&**rest]).map(|value| decimals(of, value)).max().unwrap_or(0)
        }
        _ => 0,
    };
    places.min(DIGITS)
}

fn scale(of: &Conditions<'_>, path: &Path) -> u32 {
    let (entity, at) = path.end(&of.model.entities);
    of.model.field(entity, at).ty.digits().map_or(0, |(_, scale)| scale.into())
}

/// As [`Piece::fill`], for a template that names its parts in an inner `SELECT`. PostgreSQL would repeat parts that are queries.
fn fill_once<const N: usize>(template: &str, parts: [&Piece; N]) -> Piece {
    match parts.iter().any(|part| part.text.contains("(SELECT ")) {
        true => Piece::fill(&template.replace(") calc)", " OFFSET 0) calc)"), parts),
        false => Piece::fill(template, parts),
    }
}

/// The type of a number without its sign.
pub(super) fn negated(of: &Conditions<'_>, inner: &Expr, scope: Scope<'_>) -> Emitted<Type> {
    Ok(write(of, inner, scope)?.ty)
}

/// `left how right`.
pub(super) fn arithmetic(
    of: &Conditions<'_>,
    expr: &Expr,
    (how, left, right): (Arithmetic, &Expr, &Expr),
    ty: &Type,
    scope: Scope<'_>,
) -> Emitted<Operand> {
    let ty = if matches!(ty, Type::Money(_)) { &Type::Decimal } else { ty };
    let shifted = match (left, right) {
        (at, Expr::Duration(by)) | (Expr::Duration(by), at) if matches!(ty, Type::Date | Type::DateTime) => Some((at, *by)),
        _ => None,
    };
    if let Some((at, by)) = shifted {
        return Ok(Operand::calculated(shift(of, write(of, at, scope)?, by, how, ty, scope.engine), ty.clone()));
    }
    let (first, second) = (write(of, left, scope)?, write(of, right, scope)?);
    let (first, second) = if *ty == Type::DateTime && first.ty == Type::Duration { (second, first) } else { (first, second) };
    let (first, second) = if *ty == Type::Float {
        (first.clone().beside(&second, scope.engine), second.beside(&first, scope.engine))
    } else {
        (first, second)
    };
    let places = decimals(of, expr);
    let piece = match scope.engine {
        Engine::Sqlite if *ty == Type::Text => Piece::fill("({} || {})", [&first.piece, &second.piece]),
        Engine::Sqlite => {
            let name = match how {
                Arithmetic::Add => "add",
                Arithmetic::Sub => "sub",
                Arithmetic::Mul => "mul",
                Arithmetic::Div => "div",
                Arithmetic::Rem => "rem",
            };
            calculate(of, name, first, Some(second), ty, places)
        }
        Engine::Postgres => postgres_arithmetic(how, &first, &second, ty, places),
    };
    Ok(Operand::calculated(piece, ty.clone()))
}

fn shift(of: &Conditions<'_>, at: Operand, by: Duration, how: Arithmetic, ty: &Type, engine: Engine) -> Piece {
    let sign = if how == Arithmetic::Sub { -1 } else { 1 };
    let (months, seconds) = (by.months.saturating_mul(sign), by.seconds.saturating_mul(sign));
    let interval = format!("interval '{months} months' + interval '{seconds} seconds'");
    match (engine, ty) {
        (Engine::Sqlite, ty) => calculate(of, &format!("shift {months} {seconds}"), at, None, ty, 0),
        (Engine::Postgres, Type::Date) => fill_once(
            &format!(
                "(SELECT CASE WHEN calc.x >= '0001-01-01' AND calc.x < '10000-01-01' THEN calc.x::date END FROM (SELECT {{}}::timestamp + \
                 {interval} AS x) calc)"
            ),
            [&at.piece],
        ),
        (Engine::Postgres, _) => fill_once(&format!("(SELECT {MOMENT} FROM (SELECT {{}} + {interval} AS x) calc)"), [&at.piece]),
    }
}

fn postgres_arithmetic(how: Arithmetic, first: &Operand, second: &Operand, ty: &Type, places: u32) -> Piece {
    let sign = match how {
        Arithmetic::Add => "+",
        Arithmetic::Sub => "-",
        Arithmetic::Mul => "*",
        Arithmetic::Div => "/",
        Arithmetic::Rem => "%",
    };
    let both = [&first.piece, &second.piece];
    let numeric = || Piece::fill(&format!("{{}}::numeric {sign} {{}}::numeric"), both);
    match (ty, &first.ty) {
        (Type::Text, _) => Piece::fill("({} || {})", both),
        (Type::Int, Type::Date) => Piece::fill("({} - {})::bigint", both),
        (Type::Duration, Type::DateTime) => Piece::fill("(extract(epoch FROM {} - {}) * 1000000)::bigint", both),
        (Type::DateTime, _) => {
            fill_once(&format!("(SELECT {MOMENT} FROM (SELECT {{}} {sign} {{}} * interval '1 microsecond' AS x) calc)"), both)
        }
        (Type::Int | Type::Duration, _) if how == Arithmetic::Rem => Piece::fill("({} % NULLIF({}, 0))", both),
        (Type::Int | Type::Duration, _) => fill_once(INT, [&numeric()]),
        (Type::Decimal, _) if how == Arithmetic::Div => quotient(both, places),
        (Type::Decimal, _) => fill_once(EXACT, [&numeric()]),
        _ => float(how, sign, both),
    }
}

/// A quotient, rounded half away from zero; exact, because it is computed with whole numbers.
fn quotient(both: [&Piece; 2], places: u32) -> Piece {
    let zeros = "0".repeat(places as usize);
    let unit = if places == 0 { "1".to_owned() } else { format!("0.{}1", &zeros[1..]) };
    let inner = format!(
        "(SELECT CASE WHEN calc.b <> 0 THEN sign(calc.a) * sign(calc.b) * div(abs(calc.a) * 2 * 1{zeros} + abs(calc.b), abs(calc.b) * 2) * \
         {unit} END FROM (SELECT {{}}::numeric AS a, {{}}::numeric AS b) calc)"
    );
    fill_once(EXACT, [&fill_once(&inner, both)])
}

fn float(how: Arithmetic, sign: &str, both: [&Piece; 2]) -> Piece {
    let guard = |name: &str| match how {
        Arithmetic::Add | Arithmetic::Sub => format!("abs(calc.{name}) < '8e307'::float8"),
        Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => {
            format!("(calc.{name} = 0 OR abs(calc.{name}) BETWEEN '1e-150'::float8 AND '1e150'::float8)")
        }
    };
    let divisor = if how == Arithmetic::Div { " AND calc.b <> 0" } else { "" };
    let template = format!(
        "(SELECT CASE WHEN {} AND {}{divisor} THEN (calc.a {sign} calc.b) + '0'::float8 END FROM (SELECT {{}}::float8 AS a, {{}}::float8 AS b) \
         calc)",
        guard("a"),
        guard("b")
    );
    fill_once(&template, both)
}

/// A function.
pub(super) fn call(of: &Conditions<'_>, function: Function, arguments: &[Expr], ty: &Type, scope: Scope<'_>) -> Emitted<Operand> {
    let ty = if matches!(ty, Type::Money(_)) { &Type::Decimal } else { ty };
    let mut operands = arguments.iter().map(|argument| write(of, argument, scope)).collect::<Emitted<Vec<_>>>()?.into_iter();
    let Some(first) = operands.next() else { return Ok(Operand::calculated(Piece::text("NULL"), ty.clone())) };
    let apply = |first: Operand, second: Option<Operand>| {
        let piece = match scope.engine {
            Engine::Sqlite => sqlite_call(of, function, first, second, ty),
            Engine::Postgres => postgres_call(of, function, &first, second.as_ref(), ty),
        };
        Operand::calculated(piece, ty.clone())
    };
    Ok(match function {
        Function::DaysSince | Function::DaysUntil => apply(first, Some(write(of, &Expr::Today, scope)?)),
        Function::HoursSince | Function::MinutesSince => apply(first, Some(write(of, &Expr::Now, scope)?)),
        Function::Min | Function::Max | Function::Coalesce | Function::Concat => {
            operands.fold(first, |left, right| apply(left, Some(right)))
        }
        _ => apply(first, operands.next()),
    })
}

fn sqlite_call(of: &Conditions<'_>, function: Function, first: Operand, second: Option<Operand>, ty: &Type) -> Piece {
    match (function, &second) {
        (Function::Concat, Some(second)) => Piece::fill("({} || {})", [&first.piece, &second.piece]),
        (Function::Coalesce, Some(second)) if *ty != Type::Decimal => Piece::fill("COALESCE({}, {})", [&first.piece, &second.piece]),
        (Function::Length, None) => Piece::fill("length({})", [&first.piece]),
        _ => calculate(of, &format!("{function:?}").to_snake_case(), first, second, ty, 0),
    }
}

fn postgres_call(of: &Conditions<'_>, function: Function, first: &Operand, second: Option<&Operand>, ty: &Type) -> Piece {
    use Function::{
        Abs, Ceil, Coalesce, Concat, Contains, Date, Day, DaysSince, DaysUntil, Floor, HoursSince, Length, Lower, Max, Min, MinutesSince,
        Month, Nullif, Round, StartsWith, Trim, Upper, Weekday, Year,
    };
    let zone = zone(of);
    let day = || {
        if first.ty == Type::DateTime {
            Piece::fill(&format!("({{}} AT TIME ZONE '{zone}')::date"), [&first.piece])
        } else {
            first.piece.clone()
        }
    };
    let elapsed = |now: &Operand, unit: &str| {
        let at = if first.ty == Type::Date {
            Piece::fill(&format!("({{}}::timestamp AT TIME ZONE '{zone}')"), [&first.piece])
        } else {
            first.piece.clone()
        };
        Piece::fill(&format!("floor(extract(epoch FROM {{}} - {{}})::numeric / {unit})::bigint"), [&now.piece, &at])
    };
    let either = |name: &str, second: &Operand| {
        let template = format!(
            "(SELECT CASE WHEN calc.a IS NOT NULL AND calc.b IS NOT NULL THEN {name}(calc.a, calc.b) END FROM (SELECT {{}} AS a, {{}} AS b) \
             calc)"
        );
        fill_once(&template, [&first.piece, &second.piece])
    };
    let part = |name: &str| Piece::fill(&format!("extract({name} FROM {{}})::bigint"), [&day()]);
    let both = |template: &str, second: &Operand| Piece::fill(template, [&first.piece, &second.piece]);
    match (function, second) {
        (DaysSince, Some(today)) => Piece::fill("({} - {})::bigint", [&today.piece, &day()]),
        (DaysUntil, Some(today)) => Piece::fill("({} - {})::bigint", [&day(), &today.piece]),
        (HoursSince, Some(now)) => elapsed(now, "3600"),
        (MinutesSince, Some(now)) => elapsed(now, "60"),
        (Min, Some(second)) => either("LEAST", second),
        (Max, Some(second)) => either("GREATEST", second),
        (Coalesce, Some(second)) => both("COALESCE({}, {})", second),
        (Nullif, Some(second)) => both("NULLIF({}, {})", second),
        (Concat, Some(second)) => both("({} || {})", second),
        (Contains, Some(second)) => both("(strpos({}, {}) > 0)", second),
        (StartsWith, Some(second)) => both("starts_with({}, {})", second),
        (Abs | Round | Floor | Ceil, digits) => number(function, &first.piece, digits.map(|it| &it.piece), ty),
        (Length, _) => Piece::fill("char_length({})::bigint", [&first.piece]),
        (Lower, _) => Piece::fill("(lower({} COLLATE \"und-x-icu\") COLLATE \"C\")", [&first.piece]),
        (Upper, _) => Piece::fill("(upper({} COLLATE \"und-x-icu\") COLLATE \"C\")", [&first.piece]),
        (Trim, _) => Piece::fill(&format!("btrim({{}}, {SPACES})"), [&first.piece]),
        (Year, _) => part("year"),
        (Month, _) => part("month"),
        (Day, _) => part("day"),
        (Weekday, _) => part("isodow"),
        (Date, _) => day(),
        (_, None) => first.piece.clone(),
    }
}

fn number(function: Function, value: &Piece, digits: Option<&Piece>, ty: &Type) -> Piece {
    let name = match function {
        Function::Abs => "abs",
        Function::Floor => "floor",
        Function::Ceil => "ceil",
        _ => "round",
    };
    if *ty == Type::Float && function != Function::Round {
        return Piece::fill(&format!("({name}({{}}) + '0'::float8)"), [value]);
    }
    let exact = match digits {
        Some(digits) => Piece::fill("round({}::numeric, LEAST(GREATEST({}, -100), 28)::int)", [value, digits]),
        None => Piece::fill(&format!("{name}({{}}::numeric)"), [value]),
    };
    if *ty == Type::Int {
        return fill_once(INT, [&exact]);
    }
    let exact = fill_once(EXACT, [&exact]);
    if *ty == Type::Float { Piece::fill("{}::float8", [&exact]) } else { exact }
}

/// `if` as a value.
pub(super) fn choice(of: &Conditions<'_>, branches: &[(Expr, Expr)], rest: &Expr, scope: Scope<'_>) -> Emitted<Operand> {
    let results =
        branches.iter().map(|(_, value)| value).chain([rest]).map(|value| write(of, value, scope)).collect::<Emitted<Vec<_>>>()?;
    let ty = results.iter().map(|it| it.ty.clone()).fold(Type::Null, |all, ty| match (all, ty) {
        (Type::Null, ty) | (ty, Type::Null) => ty,
        (Type::Int, Type::Decimal) => Type::Decimal,
        (all, _) => all,
    });
    let result = |operand: Operand| match (scope.engine, &ty) {
        // The branches can have different stored forms.
        (Engine::Sqlite, Type::Decimal) => calculate(of, "coalesce", operand.clone(), Some(operand), &Type::Decimal, 0),
        _ => operand.piece,
    };
    let mut whole = Piece::text("(CASE");
    let mut results = results.into_iter();
    for ((test, _), value) in branches.iter().zip(results.by_ref()) {
        whole = Piece::fill("{} WHEN {} THEN {}", [&whole, &of.sql(test, scope, true)?, &result(value)]);
    }
    let rest = results.next().map(result).unwrap_or_default();
    Ok(Operand::calculated(Piece::fill("{} ELSE {} END)", [&whole, &rest]), ty.clone()))
}

/// A count, a sum, an average or an extreme of the rows of a relation.
pub(super) fn aggregate(
    of: &Conditions<'_>,
    expr: &Expr,
    kind: Aggregate,
    (relation, value, condition): (&Path, Option<&Path>, Option<&Expr>),
    scope: Scope<'_>,
) -> Emitted<Operand> {
    let (rows, alias) = of.related(expr, relation, condition, scope, true)?;
    let Some(path) = value.filter(|_| kind != Aggregate::Count) else {
        return Ok(Operand { nullable: false, ..Operand::calculated(Piece::fill("(SELECT count(*){})", [&rows]), Type::Int) });
    };
    let inner = Scope { row: &alias, depth: scope.depth + 1, outer: None, engine: scope.engine };
    let item = path_from(of, path, inner)?;
    let (ty, stored) = match kind {
        Aggregate::Min | Aggregate::Max => (item.ty.clone(), item.stored),
        Aggregate::Avg if item.ty == Type::Int => (Type::Decimal, None),
        Aggregate::Avg | Aggregate::Sum | Aggregate::Count | Aggregate::Any | Aggregate::All => (item.ty.clone(), None),
    };
    let places = item.stored.map_or(0, |(_, scale)| scale.into()).max(QUOTIENT);
    let folded = match (scope.engine, kind) {
        (_, Aggregate::Min) => Piece::fill("min({})", [&item.piece]),
        (_, Aggregate::Max) => Piece::fill("max({})", [&item.piece]),
        (Engine::Sqlite, kind) => {
            let name = if kind == Aggregate::Avg { "avg" } else { "sum" };
            let total = Piece::fill(&format!("total('{name}:{}:{}:{places}', {{}})", form(&item), letter(&ty)), [&item.piece]);
            match (kind, &ty) {
                (Aggregate::Avg, _) => total,
                // Without a row the function is not called; the sum of no rows is zero.
                (_, Type::Decimal) => Piece::fill("COALESCE({}, 'n0')", [&total]),
                (_, Type::Float) => Piece::fill("COALESCE({}, 0.0)", [&total]),
                _ => Piece::fill("COALESCE({}, 0)", [&total]),
            }
        }
        (Engine::Postgres, Aggregate::Avg) if ty == Type::Float => Piece::fill("avg({})", [&item.piece]),
        (Engine::Postgres, Aggregate::Avg) => {
            quotient([&Piece::fill("sum({})", [&item.piece]), &Piece::fill("count({})", [&item.piece])], places)
        }
        (Engine::Postgres, _) => {
            let sum = Piece::fill("COALESCE(sum({}), 0)", [&item.piece]);
            let whole = ty == Type::Int;
            if ty == Type::Float { sum } else { fill_once(if whole { INT } else { EXACT }, [&sum]) }
        }
    };
    Ok(Operand { stored, ..Operand::calculated(Piece::fill("(SELECT {}{})", [&folded, &rows]), ty) })
}

/// The value of a computed field, in the form of its type.
pub(super) fn field(of: &Conditions<'_>, expr: &Expr, ty: FieldType, scope: Scope<'_>) -> Emitted<Operand> {
    let value = write(of, expr, scope)?;
    let piece = match (scope.engine, ty.digits()) {
        (Engine::Sqlite, Some((precision, scale))) => {
            calculate(of, &format!("keep {precision}"), value, None, &Type::Decimal, scale.into())
        }
        (Engine::Postgres, Some((precision, scale))) => {
            let beyond = format!("1{}", "0".repeat(usize::from(precision.saturating_sub(scale))));
            let fitting =
                format!("(SELECT CASE WHEN abs(calc.x) < {beyond} THEN calc.x END FROM (SELECT round({{}}::numeric, {scale}) AS x) calc)");
            fill_once(&fitting, [&value.piece])
        }
        (Engine::Postgres, None) if type_of(of.model, ty) == Type::Float && value.ty != Type::Float => {
            Piece::fill("{}::float8", [&value.piece])
        }
        (Engine::Postgres, None) if type_of(of.model, ty) == Type::Text => Piece::fill("({} COLLATE \"C\")", [&value.piece]),
        _ => value.piece,
    };
    Ok(Operand { stored: ty.digits(), ..Operand::calculated(piece, type_of(of.model, ty)) })
}
