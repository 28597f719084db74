//! The values of demo rows, and conditions on them. A result is given only if the declaration decides it: the values of `now`,
//! of generated keys and of other rows' relations are unknown.

use super::decide::compare_literals;
use crate::model::{Auto, Comparison, DemoRow, DemoValue, Entity, Expr, FieldId, FieldType, Function, Model, Path};

/// The demo rows, followed by the rows of one scenario, as [`DemoValue::Row`] counts them.
pub(crate) struct DemoRows<'m> {
    model: &'m Model,
    /// The rows in order.
    pub rows: Vec<&'m DemoRow>,
    /// The position of the first row that is checked: earlier ones were checked without the scenario.
    pub first: usize,
}

/// A value that the declaration decides.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Null,
    /// Not null, but unknown otherwise.
    Set,
    /// A reference to the row at this position.
    Row(usize),
    /// A literal whose comparison needs nothing else.
    Literal(Expr),
}

impl<'m> DemoRows<'m> {
    /// The rows outside of scenarios, then those with the rows of each scenario.
    pub fn sets(model: &'m Model) -> impl Iterator<Item = DemoRows<'m>> {
        let scenarios = model.scenarios.iter().map(move |scenario| DemoRows {
            model,
            rows: model.demo.iter().chain(&scenario.demo).collect(),
            first: model.demo.len(),
        });
        std::iter::once(DemoRows { model, rows: model.demo.iter().collect(), first: 0 }).chain(scenarios)
    }

    /// The rows to check.
    pub fn new_rows(&self) -> impl Iterator<Item = &'m DemoRow> {
        self.rows.iter().skip(self.first).copied()
    }

    /// The row that a field of a row refers to, by its position.
    pub fn target(&self, row: &DemoRow, field: FieldId) -> Option<usize> {
        row.values.iter().find_map(|(at, value)| match value {
            DemoValue::Row(target) if *at == field => Some(*target),
            DemoValue::Row(_) | DemoValue::Literal(_) => None,
        })
    }

    /// Whether a condition on a row is true; `None` if it is unknown.
    pub fn truth(&self, row: &DemoRow, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Bool(value) => Some(*value),
            Expr::Not(inner) => self.truth(row, inner).map(|value| !value),
            Expr::And(parts) => self.junction(row, parts, false),
            Expr::Or(parts) => self.junction(row, parts, true),
            Expr::If(branches, rest) => {
                for (test, value) in branches {
                    if self.truth(row, test)? {
                        return self.truth(row, value);
                    }
                }
                self.truth(row, rest)
            }
            Expr::Compare(op, left, right) => compare(*op, &self.value(row, left)?, &self.value(row, right)?),
            Expr::In(item, list) => {
                let Expr::List(items) = &**list else { return None };
                let item = self.value(row, item)?;
                if item == Value::Null {
                    return Some(false);
                }
                let found: Option<Vec<bool>> = items.iter().map(|other| compare(Comparison::Eq, &item, &self.value(row, other)?)).collect();
                found.map(|found| found.contains(&true))
            }
            Expr::Path(_) => match self.value(row, condition)? {
                Value::Literal(Expr::Bool(value)) => Some(value),
                Value::Null | Value::Set | Value::Row(_) | Value::Literal(_) => None,
            },
            _ => None,
        }
    }

    /// `or` if `wins` is true, else `and`: one part with the value `wins` decides.
    fn junction(&self, row: &DemoRow, parts: &[Expr], wins: bool) -> Option<bool> {
        let mut known = Some(!wins);
        for part in parts {
            match self.truth(row, part) {
                Some(value) if value == wins => return Some(wins),
                Some(_) => {}
                None => known = None,
            }
        }
        known
    }

    fn value(&self, row: &DemoRow, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Path(path) => self.end_of(row, path),
            Expr::Call(Function::Length, arguments, _) => match self.value(row, arguments.first()?)? {
                Value::Null => Some(Value::Null),
                Value::Literal(Expr::Text(text)) => i64::try_from(text.chars().count()).ok().map(|count| Value::Literal(Expr::Int(count))),
                Value::Set | Value::Row(_) | Value::Literal(_) => None,
            },
            Expr::Call(Function::Coalesce, arguments, _) => {
                for argument in arguments {
                    match self.value(row, argument)? {
                        Value::Null => {}
                        value => return Some(value),
                    }
                }
                Some(Value::Null)
            }
            literal => literal_value(literal),
        }
    }

    /// The value at the end of a path, which follows references to other demo rows.
    fn end_of(&self, row: &DemoRow, path: &Path) -> Option<Value> {
        let mut at = row;
        for hop in &path.hops {
            match self.own_value(at, *hop)? {
                Value::Null => return Some(Value::Null),
                Value::Row(target) => at = self.rows.get(target)?,
                Value::Set | Value::Literal(_) => return None,
            }
        }
        self.own_value(at, path.field)
    }

    /// The value of a field: the given one, else the default, else null.
    fn own_value(&self, row: &DemoRow, at: FieldId) -> Option<Value> {
        let entity = self.model.entity(row.entity);
        let field = &entity.fields[at.0];
        if !is_decided(entity, at) {
            return None;
        }
        match row.values.iter().find(|(given, _)| *given == at).map(|(_, value)| value) {
            Some(DemoValue::Row(target)) => Some(Value::Row(*target)),
            Some(DemoValue::Literal(value)) => literal_value(value).or(Some(Value::Set)),
            None => match &field.default {
                Some(value) => literal_value(value),
                None => (!field.required).then_some(Value::Null),
            },
        }
    }
}

/// True for a field whose value is the one that was written: dz sets no part of it, and stores it in the form in which it was written.
fn is_decided(entity: &Entity, at: FieldId) -> bool {
    let field = &entity.fields[at.0];
    let exact = match field.ty {
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Int { .. }
        | FieldType::Float
        | FieldType::Decimal { .. }
        | FieldType::Bool
        | FieldType::Date
        | FieldType::Enum(_)
        | FieldType::Money(Some(_))
        | FieldType::Ref(_) => true,
        FieldType::Uuid
        | FieldType::DateTime
        | FieldType::Json
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Money(None)
        | FieldType::Currency { .. }
        | FieldType::File { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => false,
    };
    exact && at != entity.pk && field.auto == Auto::No && field.is_stored() && !field.secret
}

/// A literal; `None` for an expression whose value is known only when the row is stored.
fn literal_value(expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Null => Some(Value::Null),
        Expr::Bool(_) | Expr::Int(_) | Expr::Decimal(_) | Expr::Float(_) | Expr::Text(_) | Expr::EnumValue(..) | Expr::Typed(..) => {
            Some(Value::Literal(expr.clone()))
        }
        Expr::Negate(inner) => match &**inner {
            Expr::Int(value) => value.checked_neg().map(|value| Value::Literal(Expr::Int(value))),
            Expr::Decimal(digits) => Some(Value::Literal(Expr::Decimal(format!("-{digits}")))),
            _ => None,
        },
        _ => None,
    }
}

/// Null is a value for `=` and `!=`, and a comparison of order with null is false.
fn compare(op: Comparison, left: &Value, right: &Value) -> Option<bool> {
    let is_order = !matches!(op, Comparison::Eq | Comparison::Ne);
    let equal = match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Row(left), Value::Row(right)) if !is_order => left == right,
        (Value::Literal(Expr::EnumValue(of, left)), Value::Literal(Expr::EnumValue(other, right))) if of == other => {
            return compare_literals(op, &Expr::Int(*left as i64), &Expr::Int(*right as i64));
        }
        // The order of texts depends on the database.
        (Value::Literal(Expr::Text(left)), Value::Literal(Expr::Text(right))) if !is_order => left == right,
        (Value::Literal(Expr::Text(_)), _) | (_, Value::Literal(Expr::Text(_))) => return None,
        (Value::Literal(left), Value::Literal(right)) => return compare_literals(op, left, right),
        _ => return None,
    };
    match op {
        Comparison::Eq => Some(equal),
        Comparison::Ne => Some(!equal),
        Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => Some(false),
    }
}
