//! Expressions as static data: the shape of `dz_dsl_file::model::Expr`, const-constructible.

use super::{Aggregate, Arithmetic, Comparison, EntityIx, EnumDef, FieldAt, Function, Path};

/// A resolved expression. `=` and `!=` compare null as a value; orderings and `in` with null are false; arithmetic and functions
/// with null give null.
#[derive(Debug, Clone, Copy)]
pub enum Expr {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// Whole number.
    Int(i64),
    /// Decimal literal, its digits.
    Decimal(&'static str),
    /// Float literal.
    Float(f64),
    /// Text.
    Text(&'static str),
    /// A literal of another type, in its text form (date, datetime, uuid, JSON).
    Typed(Type, &'static str),
    /// A value of an enumeration.
    EnumValue(&'static EnumDef, u16),
    /// A duration.
    Duration {
        /// Calendar months.
        months: i64,
        /// Seconds.
        seconds: i64,
    },
    /// Today in the application's zone.
    Today,
    /// The current timestamp.
    Now,
    /// Key of the caller's account row; null for an anonymous caller.
    CurrentUser,
    /// A field at the end of a path from the caller's account row.
    CurrentUserPath(Path),
    /// Key of the caller's current tenant; null without one.
    CurrentTenant,
    /// Names of the caller's roles, a list of text.
    CurrentUserRoles,
    /// The caller has one of the roles of the mask.
    Role(u64),
    /// The caller is signed in.
    SignedIn,
    /// Every caller.
    Anyone,
    /// A field of the row in scope, or at the end of a reference path.
    Path(Path),
    /// A field or the key of the outer row (inside an aggregate) or of the parent row (in a nested section).
    This(Option<Path>),
    /// The value at this position among those that a process passes.
    Data(u16),
    /// A list.
    List(&'static [Expr]),
    /// `not`
    Not(&'static Expr),
    /// `and`
    And(&'static [Expr]),
    /// `or`
    Or(&'static [Expr]),
    /// Comparison.
    Compare(Comparison, &'static Expr, &'static Expr),
    /// `in`
    In(&'static Expr, &'static Expr),
    /// `+ - * / %` with the result's type.
    Arithmetic(Arithmetic, &'static Expr, &'static Expr, Type),
    /// Unary minus.
    Negate(&'static Expr),
    /// Function call with the result's type.
    Call(Function, &'static [Expr], Type),
    /// Aggregate over a has_many or has_one of the row in scope.
    Aggregate {
        /// The kind of the aggregate.
        kind: Aggregate,
        /// The relation, a field of the entity in scope.
        relation: FieldAt,
        /// The child's value.
        value: Option<Path>,
        /// Condition in the child's scope.
        condition: Option<&'static Expr>,
    },
    /// Aggregate over the rows of an entity that the caller may list; only in figures, which supply its value at this position.
    EntityAggregate {
        /// The position of its value.
        at: u16,
        /// The kind of the aggregate.
        kind: Aggregate,
        /// The entity.
        entity: EntityIx,
        /// The value of a row.
        value: Option<Path>,
        /// Condition on the row.
        condition: Option<&'static Expr>,
    },
    /// Branches, then the rest.
    If(&'static [(Expr, Expr)], &'static Expr),
}

/// What an expression reads itself, without the expressions inside it.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "testing"), allow(dead_code, reason = "only the proof of the rules asks which fields of the caller are read"))]
pub(crate) enum Reads {
    /// No row: a literal, the time, or only what the expressions inside it read.
    Nothing,
    /// A field of the row in scope, or at the end of a reference path.
    Row(Path),
    /// The outer row, or the parent row of a nested section.
    Outer(Option<Path>),
    /// The caller; with a path, a field that is reached from the account row.
    Caller(Option<Path>),
    /// The rows of a relation, and a value of them.
    Relation(FieldAt, Option<Path>),
}

impl Expr {
    /// Calls `see` with the expression and every expression inside it, the outer ones first.
    pub(crate) fn visit(&self, see: &mut impl FnMut(&Expr)) {
        see(self);
        match self {
            Expr::List(parts) | Expr::And(parts) | Expr::Or(parts) | Expr::Call(_, parts, _) => {
                parts.iter().for_each(|part| part.visit(see))
            }
            Expr::Not(inner) | Expr::Negate(inner) => inner.visit(see),
            Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => {
                left.visit(see);
                right.visit(see);
            }
            Expr::Aggregate { condition, .. } | Expr::EntityAggregate { condition, .. } => {
                condition.iter().for_each(|condition| condition.visit(see));
            }
            Expr::If(branches, otherwise) => {
                for (condition, value) in *branches {
                    condition.visit(see);
                    value.visit(see);
                }
                otherwise.visit(see);
            }
            Expr::Null
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Decimal(_)
            | Expr::Float(_)
            | Expr::Text(_)
            | Expr::Typed(..)
            | Expr::EnumValue(..)
            | Expr::Duration { .. }
            | Expr::Today
            | Expr::Now
            | Expr::CurrentUser
            | Expr::CurrentUserPath(_)
            | Expr::CurrentTenant
            | Expr::CurrentUserRoles
            | Expr::Role(_)
            | Expr::SignedIn
            | Expr::Anyone
            | Expr::Path(_)
            | Expr::Data(_)
            | Expr::This(_) => {}
        }
    }

    /// True if `test` holds for the expression or for one inside it.
    pub(crate) fn any(&self, mut test: impl FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |part| found = found || test(part));
        found
    }

    /// What the expression reads itself. A new kind of expression compiles only when it has an answer here, because masking and
    /// the choice of a statement depend on it.
    pub(crate) fn reads(&self) -> Reads {
        match self {
            Expr::Path(path) => Reads::Row(*path),
            Expr::This(path) => Reads::Outer(*path),
            Expr::CurrentUserPath(path) => Reads::Caller(Some(*path)),
            Expr::CurrentUser | Expr::CurrentTenant | Expr::CurrentUserRoles | Expr::Role(_) | Expr::SignedIn => Reads::Caller(None),
            Expr::Aggregate { relation, value, .. } => Reads::Relation(*relation, *value),
            Expr::Null
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Decimal(_)
            | Expr::Float(_)
            | Expr::Text(_)
            | Expr::Typed(..)
            | Expr::EnumValue(..)
            | Expr::Duration { .. }
            | Expr::Today
            | Expr::Now
            | Expr::Anyone
            | Expr::Data(_)
            | Expr::List(_)
            | Expr::Not(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Compare(..)
            | Expr::In(..)
            | Expr::Arithmetic(..)
            | Expr::Negate(_)
            | Expr::Call(..)
            | Expr::EntityAggregate { .. }
            | Expr::If(..) => Reads::Nothing,
        }
    }
}

/// The type of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// Condition.
    Bool,
    /// Whole number.
    Int,
    /// Double.
    Float,
    /// Exact decimal.
    Decimal,
    /// Text, and values of enumerations.
    Text,
    /// Day.
    Date,
    /// Timestamp.
    DateTime,
    /// Duration.
    Duration,
    /// Identifier, and references.
    Uuid,
    /// JSON.
    Json,
    /// A list.
    List,
    /// The literal null.
    Null,
}
