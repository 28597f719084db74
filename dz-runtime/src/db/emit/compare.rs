//! Comparisons, whose result is never null.

use super::{Condition, Constant, Emit, NEVER, Scope, constant, fill, operand::Operand};
use crate::{
    Engine, Value,
    db::{BindKind, Statement},
    def::{Comparison, Expr, Type},
    value::storage,
};

fn symbol(cmp: Comparison) -> &'static str {
    match cmp {
        Comparison::Eq => "=",
        Comparison::Ne => "<>",
        Comparison::Lt => "<",
        Comparison::Le => "<=",
        Comparison::Gt => ">",
        Comparison::Ge => ">=",
    }
}

impl Emit<'_> {
    /// Compares two operands.
    pub(super) fn compare(&self, cmp: Comparison, left: Operand, right: Operand) -> Condition {
        let null = |operand: &Operand| matches!(operand.known, Some(Value::Null));
        if null(&left) || null(&right) {
            let other = if null(&left) { right } else { left };
            return match (cmp, other.nullable) {
                (Comparison::Eq, true) => Condition::Rows(fill("{} IS NULL", [other.sql])),
                (Comparison::Ne, true) => Condition::Rows(fill("{} IS NOT NULL", [other.sql])),
                (Comparison::Ne, false) => Condition::Always,
                _ => Condition::Never,
            };
        }
        let (left, right) = (self.with_position(cmp, left, &right), right);
        let right = self.with_position(cmp, right, &left);
        let (left, right) = align(left, right);
        let numbers = [left.ty, right.ty].iter().all(|ty| matches!(ty, Type::Int | Type::Decimal));
        let decimals = numbers && (left.ty == Type::Decimal || right.ty == Type::Decimal);
        if self.engine == Engine::Sqlite && decimals {
            return self.compare_decimals(cmp, left, right);
        }
        Condition::Rows(self.compare_native(cmp, left, right))
    }

    /// Replaces a value of an ordered enumeration by its position, in `<`, `<=`, `>` and `>=`.
    fn with_position(&self, cmp: Comparison, operand: Operand, other: &Operand) -> Operand {
        let (false, Some(of)) = (matches!(cmp, Comparison::Eq | Comparison::Ne), operand.ordered.or(other.ordered)) else { return operand };
        if operand.ty != Type::Text {
            return operand;
        }
        match operand.known {
            // The other operand needs the enumeration.
            Some(value) => Operand { ordered: Some(of), ..self.constant_operand(constant::enum_position(of, value)) },
            None => {
                let mut sql = Statement::new();
                sql.push("(CASE ").append(operand.sql);
                for (at, value) in of.values.iter().enumerate() {
                    sql.push(&format!(" WHEN '{}' THEN {at}", value.name.replace('\'', "''")));
                }
                sql.push(" END)");
                Operand { nullable: operand.nullable, ordered: Some(of), ..Operand::computed(sql, Type::Int) }
            }
        }
    }

    fn compare_native(&self, cmp: Comparison, left: Operand, right: Operand) -> Statement {
        if !left.nullable && !right.nullable {
            return fill(&format!("({{}} {} {{}})", symbol(cmp)), [left.sql, right.sql]);
        }
        match (cmp, self.engine) {
            (Comparison::Eq, Engine::Sqlite) => fill("({} IS {})", [left.sql, right.sql]),
            (Comparison::Ne, Engine::Sqlite) => fill("({} IS NOT {})", [left.sql, right.sql]),
            // PostgreSQL uses no index for IS NOT DISTINCT FROM.
            (Comparison::Eq, Engine::Postgres) if left.plain && !right.nullable => {
                fill("({} = {} AND {} IS NOT NULL)", [left.sql.clone(), right.sql, left.sql])
            }
            (Comparison::Eq, Engine::Postgres) if right.plain && !left.nullable => {
                fill("({} = {} AND {} IS NOT NULL)", [right.sql.clone(), left.sql, right.sql])
            }
            (Comparison::Eq, Engine::Postgres) => fill("({} IS NOT DISTINCT FROM {})", [left.sql, right.sql]),
            (Comparison::Ne, Engine::Postgres) => fill("({} IS DISTINCT FROM {})", [left.sql, right.sql]),
            (ordering, _) => {
                let ordering = symbol(ordering);
                if left.plain && !right.nullable {
                    return fill(&format!("({{}} {ordering} {{}} AND {{}} IS NOT NULL)"), [left.sql.clone(), right.sql, left.sql]);
                }
                fill(&format!("COALESCE({{}} {ordering} {{}}, {NEVER})"), [left.sql, right.sql])
            }
        }
    }

    /// Compares decimals on SQLite: in their stored form if both have the same one, or else by value.
    fn compare_decimals(&self, cmp: Comparison, left: Operand, right: Operand) -> Condition {
        let stored = |operand: &Operand| operand.stored.filter(|_| operand.known.is_none());
        match (stored(&left), stored(&right)) {
            (Some(a), Some(b)) if a == b => return Condition::Rows(self.compare_native(cmp, left, right)),
            (Some((precision, scale)), None) => {
                if let Some(right) = self.convert_stored(&right, precision, scale) {
                    return Condition::Rows(self.compare_native(cmp, left, right));
                }
            }
            (None, Some((precision, scale))) => {
                if let Some(left) = self.convert_stored(&left, precision, scale) {
                    return Condition::Rows(self.compare_native(cmp, left, right));
                }
            }
            _ => {}
        }
        let both_null = fill("{} IS NULL AND {} IS NULL", [left.sql.clone(), right.sql.clone()]);
        let order = self.order_sqlite(left, right);
        Condition::Rows(match cmp {
            Comparison::Eq => fill("COALESCE({} = 0, {})", [order, both_null]),
            Comparison::Ne => fill("NOT COALESCE({} = 0, {})", [order, both_null]),
            ordering @ (Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge) => {
                fill(&format!("COALESCE({{}} {} 0, {NEVER})", symbol(ordering)), [order])
            }
        })
    }

    /// A constant number in the stored form of a column; `None` if the column cannot store it.
    fn convert_stored(&self, operand: &Operand, precision: u8, scale: u8) -> Option<Operand> {
        let value = operand.known.clone()?;
        storage::to_units(crate::db::ops::decimal(&value)?, precision, scale)?;
        let mut sql = Statement::new();
        sql.bind(value, BindKind::Decimal { precision, scale });
        Some(Operand { sql, ..operand.clone() })
    }

    /// `item in list`.
    pub(super) fn contains(&self, item: &Expr, list: &Expr, scope: Scope<'_>) -> Condition {
        let item = self.operand(item, scope);
        let alternatives: Vec<Operand> = match (list, constant::fold(list, self.caller, self.app)) {
            (_, Some(Constant::List(values))) => return self.in_values(item, values),
            (Expr::List(items), _) => items.iter().map(|other| self.operand(other, scope)).collect(),
            _ => return Condition::Never,
        };
        alternatives.into_iter().fold(Condition::Never, |any, other| {
            // Null is not in a list, even if the list contains null.
            let not_null = self.compare(Comparison::Ne, other.clone(), self.constant_operand(Value::Null));
            any.or(self.compare(Comparison::Eq, item.clone(), other).and(not_null))
        })
    }

    /// Tests whether an operand is one of several constants; they are one parameter if they have the same stored form.
    pub(super) fn in_values(&self, item: Operand, values: Vec<Value>) -> Condition {
        let Some(kind) = item.kind() else { return Condition::Never };
        let values: Vec<_> = values.into_iter().filter(|value| !value.is_null()).collect();
        if values.is_empty() {
            return Condition::Never;
        }
        let loose = match (kind, self.engine) {
            (BindKind::Decimal { .. }, Engine::Sqlite) => item.stored.is_none(),
            (BindKind::Int, _) => values.iter().any(|value| !matches!(value, Value::Int(_))),
            _ => false,
        };
        if loose {
            return values
                .into_iter()
                .fold(Condition::Never, |any, value| any.or(self.compare(Comparison::Eq, item.clone(), self.constant_operand(value))));
        }
        let mut test = item.sql.clone();
        test.in_list(self.engine, values, kind);
        Condition::Rows(match (item.nullable, item.plain) {
            (false, _) => fill("({})", [test]),
            (true, true) => fill("({} AND {} IS NOT NULL)", [test, item.sql]),
            (true, false) => fill(&format!("COALESCE({{}}, {NEVER})"), [test]),
        })
    }
}

/// Converts a constant number to the number type of the other operand.
fn align(left: Operand, right: Operand) -> (Operand, Operand) {
    let as_float = |operand: Operand, other: &Operand| match (&operand.known, other.ty) {
        (Some(value @ (Value::Int(_) | Value::Decimal(_))), Type::Float) => {
            let Ok(float) = number_text(value).parse() else { return operand };
            let mut sql = Statement::new();
            sql.bind(Value::Float(float), BindKind::Float);
            Operand { sql, ty: Type::Float, known: Some(Value::Float(float)), ..operand }
        }
        _ => operand,
    };
    let left = as_float(left, &right);
    let right = as_float(right, &left);
    (left, right)
}

fn number_text(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Decimal(value) => value.to_string(),
        _ => String::new(),
    }
}
