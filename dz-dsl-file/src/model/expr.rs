//! Expressions: resolved and typed.

use super::{Aggregate, Arithmetic, Comparison, Currency, DataPath, Entity, EntityId, EnumId, Field, FieldId, Function, RoleId};

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A condition.
    Bool,
    /// Whole numbers.
    Int,
    /// IEEE doubles.
    Float,
    /// Exact decimals.
    Decimal,
    /// Any text-like type.
    Text,
    /// A date.
    Date,
    /// A timestamp.
    DateTime,
    /// A duration.
    Duration,
    /// An amount of money, of one currency or with a currency for each row.
    Money(Option<Currency>),
    /// An identifier.
    Uuid,
    /// A value of an enumeration.
    Enum(EnumId),
    /// A reference to a row (also `current_user`).
    Ref(EntityId),
    /// Any JSON.
    Json,
    /// A list.
    List(Box<Type>),
    /// `null` alone.
    Null,
}

/// A resolved expression. `=` and `!=` compare null as a value; ordering comparisons with null are
/// false; arithmetic and functions with null give null.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A decimal literal, its digits as written without underscores, e.g. `3.50`.
    Decimal(String),
    /// A decimal literal in place of a float.
    Float(f64),
    /// Text. Dates, timestamps and JSON defaults are [`Expr::Typed`].
    Text(String),
    /// A text literal of a date, timestamp, UUID or JSON; its form was checked.
    Typed(Type, String),
    /// A value of an enumeration, by position.
    EnumValue(EnumId, usize),
    /// A duration.
    Duration(Duration),
    /// `today`
    Today,
    /// `now`
    Now,
    /// The key of the caller's account; null for an anonymous caller.
    CurrentUser,
    /// `current_user.tenant`: the key of the caller's active tenant; null without one.
    CurrentTenant,
    /// `current_user.a.b`: a path from the account entity.
    CurrentUserPath(Path),
    /// `current_user.roles`: the caller's roles as a list of text.
    CurrentUserRoles,
    /// `role(a, b)`: the caller has any of them.
    Role(Vec<RoleId>),
    /// True for a signed-in caller (`authenticated`; also implied by rules that do not name `anonymous`).
    SignedIn,
    /// True for every caller, signed in or not (`anonymous`).
    Anyone,
    /// A field of the row in scope, possibly through refs.
    Path(Path),
    /// A value of a running process; in processes and schedules only.
    Data(DataPath),
    /// `this.…` inside an aggregate (the outer row) or a nested section (the parent row); without a path it is the key of the row.
    This(Option<Path>),
    /// `context.name.…` in a step: a value of [`super::Experience::context`] by position, and a path from the row that it
    /// references.
    Context(usize, Option<Path>),
    /// A list.
    List(Vec<Expr>),
    /// `not`
    Not(Box<Expr>),
    /// `and`; two or more.
    And(Vec<Expr>),
    /// `or`; two or more.
    Or(Vec<Expr>),
    /// `= != < <= > >=`; `is null` is `= null`.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `in`; `not in` is `Not(In)`.
    In(Box<Expr>, Box<Expr>),
    /// `+ - * / %`, with the type of the result.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>, Type),
    /// Unary minus.
    Negate(Box<Expr>),
    /// A function call, with the type of the result.
    Call(Function, Vec<Expr>, Type),
    /// `count any all sum avg min max` over a has_many or has_one of the row in scope.
    Aggregate {
        /// The function.
        kind: Aggregate,
        /// The `has_many` or `has_one` field, with the entity in scope.
        relation: Path,
        /// The child's value for `sum avg min max`.
        value: Option<Path>,
        /// Condition in the child's scope.
        condition: Option<Box<Expr>>,
    },
    /// `count any all sum avg min max` over all rows of an entity that the caller may list; in metrics only.
    EntityAggregate {
        /// The function.
        kind: Aggregate,
        /// The entity.
        entity: EntityId,
        /// The row's value for `sum avg min max`.
        value: Option<Path>,
        /// Condition on the row.
        condition: Option<Box<Expr>>,
    },
    /// The metric at this position in the same region, always an earlier one.
    Metric(usize),
    /// `if c: a elif d: b else: e`
    If(Vec<(Expr, Expr)>, Box<Expr>),
}

/// What an expression reads itself, without the expressions inside it.
#[derive(Debug, Clone, Copy)]
pub enum Reads<'e> {
    /// No row: a literal, the time, data of a process, or only what the expressions inside it read.
    Nothing,
    /// A field of a row: the row in scope, the outer row, the row in a context of a step, or the caller's account.
    Field(&'e Path),
    /// The key of such a row, or a property of the caller.
    Key,
    /// The rows of a relation, and a value of them.
    Relation(&'e Path, Option<&'e Path>),
    /// The rows of an entity, and a value of them.
    Rows(EntityId, Option<&'e Path>),
}

impl Expr {
    /// What the expression reads itself. A new kind of expression compiles only when it has an answer here, because the rules
    /// about sensitive fields depend on it.
    pub fn reads(&self) -> Reads<'_> {
        match self {
            Expr::Path(path)
            | Expr::CurrentUserPath(path)
            | Expr::This(Some(path))
            | Expr::Context(_, Some(path))
            | Expr::Data(DataPath { rest: Some(path), .. }) => Reads::Field(path),
            Expr::This(None)
            | Expr::Context(_, None)
            | Expr::CurrentUser
            | Expr::CurrentTenant
            | Expr::CurrentUserRoles
            | Expr::Role(_)
            | Expr::SignedIn => Reads::Key,
            Expr::Aggregate { relation, value, .. } => Reads::Relation(relation, value.as_ref()),
            Expr::EntityAggregate { entity, value, .. } => Reads::Rows(*entity, value.as_ref()),
            Expr::Null
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Decimal(_)
            | Expr::Float(_)
            | Expr::Text(_)
            | Expr::Typed(..)
            | Expr::EnumValue(..)
            | Expr::Duration(_)
            | Expr::Today
            | Expr::Now
            | Expr::Anyone
            | Expr::Data(DataPath { rest: None, .. })
            | Expr::List(_)
            | Expr::Not(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Compare(..)
            | Expr::In(..)
            | Expr::Arithmetic(..)
            | Expr::Negate(_)
            | Expr::Call(..)
            | Expr::Metric(_)
            | Expr::If(..) => Reads::Nothing,
        }
    }

    /// Calls `see` with the expression and every expression inside it, the outer ones first.
    pub fn visit<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        self.visit_parts(true, &mut |part, _| see(part));
    }

    /// The paths that start at the row with the expression, without duplicates. The paths in the condition of an aggregate start at
    /// another row, often of another entity, except `this.…`.
    pub fn own_paths(&self) -> Vec<&Path> {
        let mut found = Vec::new();
        self.visit_parts(true, &mut |part, is_own| {
            if let (Expr::Path(path), true) | (Expr::This(Some(path)), false) = (part, is_own)
                && !found.contains(&path)
            {
                found.push(path);
            }
        });
        found
    }

    /// As [`visit`](Expr::visit); `see` also learns whether the paths of the part start at the row with the expression.
    fn visit_parts<'e>(&'e self, is_own: bool, see: &mut dyn FnMut(&'e Expr, bool)) {
        see(self, is_own);
        match self {
            Expr::List(items) | Expr::And(items) | Expr::Or(items) | Expr::Call(_, items, _) => {
                items.iter().for_each(|it| it.visit_parts(is_own, see));
            }
            Expr::Not(inner) | Expr::Negate(inner) => inner.visit_parts(is_own, see),
            Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => {
                left.visit_parts(is_own, see);
                right.visit_parts(is_own, see);
            }
            Expr::Aggregate { condition, .. } | Expr::EntityAggregate { condition, .. } => {
                condition.iter().for_each(|condition| condition.visit_parts(false, see));
            }
            Expr::If(branches, rest) => {
                for (condition, value) in branches {
                    condition.visit_parts(is_own, see);
                    value.visit_parts(is_own, see);
                }
                rest.visit_parts(is_own, see);
            }
            Expr::Null
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Decimal(_)
            | Expr::Float(_)
            | Expr::Text(_)
            | Expr::Typed(..)
            | Expr::EnumValue(..)
            | Expr::Duration(_)
            | Expr::Today
            | Expr::Now
            | Expr::CurrentUser
            | Expr::CurrentTenant
            | Expr::CurrentUserPath(_)
            | Expr::CurrentUserRoles
            | Expr::Role(_)
            | Expr::SignedIn
            | Expr::Anyone
            | Expr::Path(_)
            | Expr::Data(_)
            | Expr::This(_)
            | Expr::Context(..)
            | Expr::Metric(_) => {}
        }
    }
}

/// A field that is reached from a scope: every segment except the last is a ref.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path {
    /// Entity of the scope.
    pub from: EntityId,
    /// Refs to follow, in order; empty for a field of the scope itself.
    pub hops: Vec<FieldId>,
    /// The field at the end.
    pub field: FieldId,
}

impl Path {
    /// A field of the entity itself.
    pub fn own(from: EntityId, field: FieldId) -> Path {
        Path { from, hops: Vec::new(), field }
    }

    /// Its fields in order, each with the entity to which its position belongs: the refs, then the field at the end.
    pub fn steps(&self, entities: &[Entity]) -> Vec<(EntityId, FieldId)> {
        let mut steps = Vec::with_capacity(self.hops.len() + 1);
        let mut entity = self.from;
        for at in self.hops.iter().copied().chain([self.field]) {
            steps.push((entity, at));
            if let Some(target) = field(entities, (entity, at)).and_then(|field| field.ty.target()) {
                entity = target;
            }
        }
        steps
    }

    /// Its fields, in order.
    pub fn fields<'e>(&self, entities: &'e [Entity]) -> impl Iterator<Item = &'e Field> {
        self.steps(entities).into_iter().filter_map(|step| field(entities, step))
    }

    /// The field at the end, with its entity.
    pub fn end(&self, entities: &[Entity]) -> (EntityId, FieldId) {
        self.steps(entities).pop().unwrap_or((self.from, self.field))
    }
}

fn field(entities: &[Entity], (entity, at): (EntityId, FieldId)) -> Option<&Field> {
    entities.get(entity.0)?.fields.get(at.0)
}

/// A duration: months are separate because their length differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    /// Calendar months (`1y` is 12).
    pub months: i64,
    /// Seconds (`1d` is 86,400).
    pub seconds: i64,
}
