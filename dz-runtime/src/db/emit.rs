//! Writes expressions as SQL for both engines. Everything about the caller is evaluated first.

mod aggregate;
mod compare;
mod computed;
pub(crate) mod constant;
mod operand;
mod postgres;
mod search_text;
mod sqlite;

pub(crate) use computed::{is_local, reads_relation, reads_totals, total_paths};
use constant::Constant;
pub use constant::constant;

use super::{BindKind, Statement, ops, probe};
use crate::{
    Caller, Engine, Value,
    def::{Aggregate, AppDef, Arithmetic, Comparison, EntityIx, EnumDef, Expr, FieldDef, Function, Kind, Path, SortOrder},
};

/// A condition that always holds. For SQLite the words TRUE and FALSE are columns, if a table of the statement has columns of these names.
const ALWAYS: &str = "(1 = 1)";

/// A condition that never holds, as [`ALWAYS`].
pub(crate) const NEVER: &str = "(1 = 0)";

/// The context in which expressions are written.
pub struct Emit<'a> {
    /// The application.
    pub app: &'static AppDef,
    /// The engine.
    pub engine: Engine,
    /// The caller, with the current time.
    pub caller: &'a Caller,
}

/// The rows that an expression can refer to.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The entity of the row.
    pub entity: EntityIx,
    /// The unquoted alias of its table.
    pub alias: &'a str,
    /// The entity and the alias of the outer row, for `this`.
    pub outer: Option<(EntityIx, &'a str)>,
}

/// A condition in which all constants are evaluated.
#[derive(Debug, Clone)]
pub enum Condition {
    /// True for every row.
    Always,
    /// True for no row.
    Never,
    /// True for the rows for which this SQL is true; it is never null.
    Rows(Statement),
}

impl Emit<'_> {
    /// Writes `expr` as a condition. `unknown` is the result of a comparison with a null attribute of the caller: false for
    /// permits, scopes and filters, true for forbids. `not` inverts it.
    pub fn condition(&self, expr: &Expr, scope: Scope<'_>, unknown: bool) -> Condition {
        match expr {
            Expr::And(parts) => parts.iter().enumerate().fold(Condition::Always, |all, (at, part)| match all {
                Condition::Never => Condition::Never,
                all @ (Condition::Always | Condition::Rows(_)) => {
                    all.and(probe::conjunct(self.app, parts, at, self.condition(part, scope, unknown)))
                }
            }),
            Expr::Or(parts) => parts.iter().fold(Condition::Never, |any, part| match any {
                Condition::Always => Condition::Always,
                any @ (Condition::Never | Condition::Rows(_)) => any.or(self.condition(part, scope, unknown)),
            }),
            Expr::Not(inner) => self.condition(inner, scope, !unknown).negate(),
            Expr::If(branches, otherwise) => {
                branches.iter().rev().fold(self.condition(otherwise, scope, unknown), |rest, (test, result)| {
                    let holds = self.condition(test, scope, unknown).and(self.condition(result, scope, unknown));
                    holds.or(self.condition(test, scope, !unknown).negate().and(rest))
                })
            }
            atom => self.atom(atom, scope, unknown),
        }
    }

    fn atom(&self, expr: &Expr, scope: Scope<'_>, unknown: bool) -> Condition {
        let with_null = matches!(expr, Expr::Compare(_, left, right) if matches!(left, Expr::Null) || matches!(right, Expr::Null));
        if !with_null && constant::mentions_null_caller(expr, self.caller, self.app) {
            return Condition::from_bool(unknown);
        }
        if let Some(known) = constant::fold(expr, self.caller, self.app) {
            return Condition::from_bool(known == Constant::Value(Value::Bool(true)));
        }
        match expr {
            Expr::Compare(cmp, left, right) => self.compare(*cmp, self.operand(left, scope), self.operand(right, scope)),
            Expr::In(item, list) => self.contains(item, list, scope),
            Expr::Aggregate { kind: kind @ (Aggregate::Any | Aggregate::All), relation, condition, .. } => {
                self.exists(*kind, *relation, *condition, scope, unknown)
            }
            other => {
                let operand = self.operand(other, scope);
                Condition::Rows(if operand.nullable { fill(&format!("COALESCE({{}}, {NEVER})"), [operand.sql]) } else { operand.sql })
            }
        }
    }

    /// Writes `expr` as a value.
    pub fn value(&self, expr: &Expr, scope: Scope<'_>) -> Statement {
        self.operand(expr, scope).sql
    }

    /// Writes `expr` as a value, with the kind to decode it; `None` for the literal null.
    pub fn typed_value(&self, expr: &Expr, scope: Scope<'_>) -> (Statement, Option<BindKind>) {
        let operand = self.operand(expr, scope);
        let kind = operand.kind();
        (operand.sql, kind)
    }

    /// Compares the value of a field with a value from a client. The result is never null, also if the field cannot contain the
    /// value.
    pub fn compare_field(&self, held: Statement, field: &'static FieldDef, cmp: Comparison, value: &Value) -> Condition {
        self.compare(cmp, self.field_operand(held, field), self.constant_operand(value.clone()))
    }

    /// Tests whether the value of a field is one of the values from a client. The result is never null.
    pub fn compare_field_in(&self, held: Statement, field: &'static FieldDef, values: Vec<Value>) -> Condition {
        self.in_values(self.field_operand(held, field), values)
    }

    /// The field at the end of a path from a row: a column, or a scalar subquery over the references, without access rules.
    pub fn path(&self, path: Path, alias: &str) -> Statement {
        self.path_operand(path, alias).sql
    }
}

/// The number of decimal places to which a quotient is rounded; for other expressions, the maximum that they can have.
pub(crate) fn decimal_places(expr: &Expr, app: &'static AppDef) -> u32 {
    let places = match expr {
        Expr::Decimal(digits) => digits.split_once('.').map_or(0, |(_, places)| places.len() as u32),
        Expr::Path(path) | Expr::This(Some(path)) | Expr::CurrentUserPath(path) => {
            operand::target(*path, app).kind.scale().map_or(0, u32::from)
        }
        Expr::Aggregate { kind, value: Some(path), .. } | Expr::EntityAggregate { kind, value: Some(path), .. } => {
            let places = decimal_places(&Expr::Path(*path), app);
            if *kind == Aggregate::Avg { places.max(ops::DIVISION_PLACES) } else { places }
        }
        Expr::Arithmetic(Arithmetic::Div, left, ..) => decimal_places(left, app).max(ops::DIVISION_PLACES),
        Expr::Arithmetic(Arithmetic::Mul, left, right, _) => decimal_places(left, app) + decimal_places(right, app),
        Expr::Arithmetic(_, left, right, _) => decimal_places(left, app).max(decimal_places(right, app)),
        Expr::Negate(inner) => decimal_places(inner, app),
        Expr::Call(Function::Round, arguments, _) => match arguments.get(1) {
            Some(Expr::Int(places)) => u32::try_from(*places).unwrap_or(0),
            _ => 0,
        },
        Expr::Call(_, arguments, _) => arguments.iter().map(|argument| decimal_places(argument, app)).max().unwrap_or(0),
        Expr::If(branches, otherwise) => {
            let branches = branches.iter().map(|(_, result)| decimal_places(result, app)).max().unwrap_or(0);
            branches.max(decimal_places(otherwise, app))
        }
        _ => 0,
    };
    places.min(ops::DECIMAL_DIGITS)
}

/// Replaces each `{}` of a template by a statement.
pub(crate) fn fill<const N: usize>(template: &str, parts: [Statement; N]) -> Statement {
    let mut filled = Statement::new();
    let mut texts = template.split("{}");
    filled.push(texts.next().unwrap_or_default());
    for (part, text) in parts.into_iter().zip(texts) {
        filled.append(part).push(text);
    }
    filled
}

impl Condition {
    /// Both conditions.
    pub fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Never, _) | (_, Condition::Never) => Condition::Never,
            (Condition::Always, rest) | (rest, Condition::Always) => rest,
            // The rules for `list` and `read` are often equal.
            (Condition::Rows(left), Condition::Rows(right)) if left == right => Condition::Rows(left),
            (Condition::Rows(left), Condition::Rows(right)) => Condition::Rows(fill("({} AND {})", [left, right])),
        }
    }

    /// At least one of the conditions.
    pub fn or(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Always, _) | (_, Condition::Always) => Condition::Always,
            (Condition::Never, rest) | (rest, Condition::Never) => rest,
            (Condition::Rows(left), Condition::Rows(right)) if left == right => Condition::Rows(left),
            (Condition::Rows(left), Condition::Rows(right)) => Condition::Rows(fill("({} OR {})", [left, right])),
        }
    }

    /// The negation.
    #[must_use]
    pub fn negate(self) -> Condition {
        match self {
            Condition::Always => Condition::Never,
            Condition::Never => Condition::Always,
            Condition::Rows(sql) => Condition::Rows(fill("NOT ({})", [sql])),
        }
    }

    /// A constant condition.
    fn from_bool(holds: bool) -> Condition {
        if holds { Condition::Always } else { Condition::Never }
    }

    /// The condition as SQL, for every context.
    pub fn into_sql(self) -> Statement {
        match self {
            Condition::Always => fill(ALWAYS, []),
            Condition::Never => fill(NEVER, []),
            Condition::Rows(sql) => sql,
        }
    }
}

/// The sort keys of a column, for `ORDER BY` and for indexes: text is compared without ASCII case and then by code points, ordered
/// enumerations by position, and null is the smallest value.
pub fn order(engine: Engine, kind: Kind, column: &str, descending: bool) -> Vec<String> {
    let direction = match (engine, descending) {
        (Engine::Sqlite, false) => "",
        (Engine::Sqlite, true) => " DESC",
        (Engine::Postgres, false) => " NULLS FIRST",
        (Engine::Postgres, true) => " DESC NULLS LAST",
    };
    let keys = match (kind.sort_order(), engine) {
        (SortOrder::Declared(of), _) => vec![position(of, column)],
        (SortOrder::IgnoringCase, Engine::Sqlite) => vec![format!("{column} COLLATE NOCASE"), column.to_owned()],
        (SortOrder::IgnoringCase, Engine::Postgres) => vec![format!("lower({column} COLLATE \"C\")"), column.to_owned()],
        (SortOrder::Plain, _) => vec![column.to_owned()],
    };
    keys.into_iter().map(|key| key + direction).collect()
}

/// As [`order`], for the value of a field, which can be an expression.
pub(crate) fn order_by(engine: Engine, field: &FieldDef, held: &Statement, descending: bool) -> Vec<Statement> {
    const PLACEHOLDER: &str = "{}";
    let keys = order(engine, field.kind, PLACEHOLDER, descending).into_iter();
    keys.map(|key| {
        // The value can contain braces, so only the first placeholder is replaced.
        let (before, after) = key.split_once(PLACEHOLDER).unwrap_or_default();
        let mut sql = Statement::new();
        sql.push(before).append(held.clone()).push(after);
        sql
    })
    .collect()
}

/// The position of a value in its enumeration, as SQL.
pub(crate) fn position(of: &EnumDef, column: &str) -> String {
    let cases = of.values.iter().enumerate().map(|(at, value)| format!(" WHEN '{}' THEN {at}", value.name.replace('\'', "''")));
    format!("(CASE {column}{} END)", cases.collect::<String>())
}
