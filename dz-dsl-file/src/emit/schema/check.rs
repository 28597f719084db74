//! Invariants as CHECK constraints and conditions of indexes, where plain SQL has the same meaning as the language:
//! comparisons of a row's own columns with each other and with literals.

use super::{ColumnType, Engine, EngineSql, backfill, entity::column_type};
use crate::model::{Comparison, Entity, Expr, Function, Model, Path};

/// The condition for both engines, or `None` if plain SQL cannot express it.
pub(super) fn condition(model: &Model, entity: &Entity, expr: &Expr) -> Option<EngineSql> {
    let of = |engine| Emit { model, entity, engine }.condition(expr);
    Some(EngineSql { sqlite: of(Engine::Sqlite)?, postgres: of(Engine::Postgres)? })
}

/// The condition of a partial index for both engines, or `None` if plain SQL cannot express it.
pub(crate) fn rows(model: &Model, entity: &Entity, expr: &Expr) -> Option<EngineSql> {
    let of = |engine| Emit { model, entity, engine }.rows(expr);
    Some(EngineSql { sqlite: of(Engine::Sqlite)?, postgres: of(Engine::Postgres)? })
}

struct Emit<'m> {
    model: &'m Model,
    entity: &'m Entity,
    engine: Engine,
}

impl Emit<'_> {
    /// SQL that is true or false, never null.
    fn condition(&self, expr: &Expr) -> Option<String> {
        let all = |parts: &[Expr], word: &str| {
            let parts: Option<Vec<String>> = parts.iter().map(|part| self.condition(part)).collect();
            Some(format!("({})", parts?.join(word)))
        };
        match expr {
            Expr::And(parts) => all(parts, " AND "),
            Expr::Or(parts) => all(parts, " OR "),
            Expr::Not(inner) => Some(format!("NOT {}", self.condition(inner)?)),
            Expr::Path(path) => {
                let (column, ty) = self.column(path)?;
                (ty == ColumnType::Bool).then(|| format!("COALESCE({column}, {})", super::sql::boolean(false, self.engine)))
            }
            Expr::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Expr::In(item, list) => Some(self.false_if_null(&self.membership(item, list)?)),
            _ => None,
        }
    }

    /// SQL that is true for the rows of the index, and false or null for all others. It has the form of the statements of
    /// the application, so that the query planner of either engine recognises that the index applies.
    fn rows(&self, expr: &Expr) -> Option<String> {
        let all = |parts: &[Expr], word: &str| {
            let parts: Option<Vec<String>> = parts.iter().map(|part| self.rows(part)).collect();
            Some(format!("({})", parts?.join(word)))
        };
        match expr {
            Expr::And(parts) => all(parts, " AND "),
            Expr::Or(parts) => all(parts, " OR "),
            Expr::In(item, list) => self.membership(item, list),
            Expr::Compare(how @ (Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge), one, other) => {
                self.by_position(*how, one, other).or_else(|| self.condition(expr))
            }
            Expr::Compare(Comparison::Eq, one, other) => match (&**one, &**other) {
                (Expr::Null, _) | (_, Expr::Null) => self.condition(expr),
                (Expr::Path(path), literal) | (literal, Expr::Path(path)) if !matches!(literal, Expr::Path(_)) => {
                    let (column, ty) = self.column(path)?;
                    Some(format!("{column} = {}", backfill::constant(self.model, ty, literal, self.engine)?))
                }
                _ => self.condition(expr),
            },
            _ => self.condition(expr),
        }
    }

    /// The values of an ordered enum before or after one of them.
    fn by_position(&self, how: Comparison, one: &Expr, other: &Expr) -> Option<String> {
        let (path, of, at, swapped) = match (one, other) {
            (Expr::Path(path), Expr::EnumValue(of, at)) => (path, of, at, false),
            (Expr::EnumValue(of, at), Expr::Path(path)) => (path, of, at, true),
            _ => return None,
        };
        let (column, _) = self.column(path)?;
        let holds = |place: usize| {
            let (left, right) = if swapped { (*at, place) } else { (place, *at) };
            match how {
                Comparison::Eq => left == right,
                Comparison::Ne => left != right,
                Comparison::Lt => left < right,
                Comparison::Le => left <= right,
                Comparison::Gt => left > right,
                Comparison::Ge => left >= right,
            }
        };
        let values = self.model.enums[of.0].values.iter().enumerate().filter(|(place, _)| holds(*place));
        let values: Vec<String> = values.map(|(_, value)| super::sql::literal(&value.name)).collect();
        (!values.is_empty()).then(|| format!("{column} IN ({})", values.join(", ")))
    }

    /// A membership test, which is null if the item is null.
    fn membership(&self, item: &Expr, list: &Expr) -> Option<String> {
        let (item, ty) = self.operand(item)?;
        let Expr::List(list) = list else { return None };
        let list: Option<Vec<String>> = list.iter().map(|it| backfill::constant(self.model, ty, it, self.engine)).collect();
        let list = list.filter(|list| !list.is_empty())?;
        Some(format!("{item} IN ({})", list.join(", ")))
    }

    fn compare(&self, comparison: Comparison, left: &Expr, right: &Expr) -> Option<String> {
        if let (operand, Expr::Null) | (Expr::Null, operand) = (left, right) {
            let (operand, _) = self.operand(operand)?;
            return match comparison {
                Comparison::Eq => Some(format!("{operand} IS NULL")),
                Comparison::Ne => Some(format!("{operand} IS NOT NULL")),
                Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => None,
            };
        }
        let (left, right) = match (self.operand(left), self.operand(right)) {
            (Some((left, one)), Some((right, other))) if one == other => (left, right),
            (Some((left, ty)), None) => (left, backfill::constant(self.model, ty, right, self.engine)?),
            (None, Some((right, ty))) => (backfill::constant(self.model, ty, left, self.engine)?, right),
            _ => return None,
        };
        let sign = match (comparison, self.engine) {
            (Comparison::Eq, Engine::Sqlite) => "IS",
            (Comparison::Eq, Engine::Postgres) => "IS NOT DISTINCT FROM",
            (Comparison::Ne, Engine::Sqlite) => "IS NOT",
            (Comparison::Ne, Engine::Postgres) => "IS DISTINCT FROM",
            (Comparison::Lt, _) => "<",
            (Comparison::Le, _) => "<=",
            (Comparison::Gt, _) => ">",
            (Comparison::Ge, _) => ">=",
        };
        // The order of an enum is not the order of its texts.
        let ordering = !matches!(comparison, Comparison::Eq | Comparison::Ne);
        let of_enumeration = |operand: &str| {
            self.entity.fields.iter().any(|field| field.ty.enumeration().is_some() && operand == super::sql::quoted(&field.name))
        };
        if ordering && (of_enumeration(&left) || of_enumeration(&right)) {
            return None;
        }
        let compared = format!("{left} {sign} {right}");
        Some(if ordering { self.false_if_null(&compared) } else { format!("({compared})") })
    }

    /// Replaces null by false.
    fn false_if_null(&self, sql: &str) -> String {
        format!("COALESCE({sql}, {})", super::sql::boolean(false, self.engine))
    }

    /// The SQL of a column or of its length, with its type.
    fn operand(&self, expr: &Expr) -> Option<(String, ColumnType)> {
        match expr {
            Expr::Path(path) => self.column(path),
            Expr::Call(Function::Length, arguments, _) => match arguments.as_slice() {
                [Expr::Path(path)] => {
                    let (column, ty) = self.column(path)?;
                    matches!(ty, ColumnType::Text(_)).then(|| (format!("length({column})"), ColumnType::Int))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A column of the row itself; all lengths of text are one type. Only the runtime compares JSON.
    fn column(&self, path: &Path) -> Option<(String, ColumnType)> {
        let field = self.entity.fields.get(path.field.0).filter(|field| path.hops.is_empty() && field.is_stored())?;
        let ty = match column_type(self.model, field.ty) {
            ColumnType::Text(_) => ColumnType::Text(None),
            ty @ (ColumnType::Uuid
            | ColumnType::Int
            | ColumnType::Float
            | ColumnType::Decimal(..)
            | ColumnType::Bool
            | ColumnType::Date
            | ColumnType::DateTime
            | ColumnType::Json) => ty,
        };
        (ty != ColumnType::Json).then(|| (super::sql::quoted(&field.name), ty))
    }
}
