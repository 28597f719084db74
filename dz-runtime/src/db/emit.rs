//! Expressions as SQL, for both engines, with everything about the caller folded in.

use super::Statement;
use crate::{Caller, Engine, def::{AppDef, EntityIx, EnumDef, Expr, Kind}};

/// Where an expression is evaluated.
pub struct Emit<'a> {
    /// The application.
    pub app: &'static AppDef,
    /// The engine to write for.
    pub engine: Engine,
    /// Who asks, and when.
    pub caller: &'a Caller,
}

/// Names of the rows in scope.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Entity of the row.
    pub entity: EntityIx,
    /// Alias of its table in the statement, unquoted.
    pub alias: &'a str,
    /// Entity and alias of the outer row, for `this`.
    pub outer: Option<(EntityIx, &'a str)>,
}

/// A condition with everything known put in.
#[derive(Debug, Clone)]
pub enum Condition {
    /// Holds for every row.
    Always,
    /// Holds for no row.
    Never,
    /// Holds for the rows for which this SQL is true (it is never null).
    Rows(Statement),
}

impl Emit<'_> {
    /// `expr` as a condition. `unknown` is what an atom counts as that mentions a null `current_user…`
    /// (false for permits, scopes and filters, true for forbids); it flips under `not`.
    pub fn condition(&self, expr: &Expr, scope: Scope<'_>, unknown: bool) -> Condition {
        let _ = (expr, scope, unknown);
        todo!()
    }

    /// `expr` as a value.
    pub fn value(&self, expr: &Expr, scope: Scope<'_>) -> Statement {
        let _ = (expr, scope);
        todo!()
    }
}

impl Condition {
    /// Both hold.
    pub fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Never, _) | (_, Condition::Never) => Condition::Never,
            (Condition::Always, rest) | (rest, Condition::Always) => rest,
            (Condition::Rows(mut left), Condition::Rows(right)) => {
                let mut both = Statement::new();
                both.push("(").append(std::mem::take(&mut left)).push(" AND ").append(right).push(")");
                Condition::Rows(both)
            }
        }
    }
}

/// The keys by which a column is ordered, each ready for `ORDER BY` and for an index: text ignores ASCII
/// case and then compares code points, ordered enumerations go by position, and null is the smallest value.
pub fn order(engine: Engine, kind: Kind, column: &str, descending: bool) -> Vec<String> {
    let direction = match (engine, descending) {
        (Engine::Sqlite, false) => "",
        (Engine::Sqlite, true) => " DESC",
        (Engine::Postgres, false) => " NULLS FIRST",
        (Engine::Postgres, true) => " DESC NULLS LAST",
    };
    let keys = match (kind, engine) {
        (Kind::Enum(of), _) if of.ordered => vec![position(of, column)],
        (Kind::Enum(_), _) => vec![column.to_owned()],
        (kind, Engine::Sqlite) if kind.is_text() => vec![format!("{column} COLLATE NOCASE"), column.to_owned()],
        (kind, Engine::Postgres) if kind.is_text() => vec![format!("lower({column} COLLATE \"C\")"), column.to_owned()],
        _ => vec![column.to_owned()],
    };
    keys.into_iter().map(|key| key + direction).collect()
}

/// The position of an enumeration's value, as SQL.
fn position(of: &EnumDef, column: &str) -> String {
    let cases = of.values.iter().enumerate().map(|(at, value)| format!(" WHEN '{}' THEN {at}", value.name.replace('\'', "''")));
    format!("(CASE {column}{} END)", cases.collect::<String>())
}
