//! Decides whether a condition can be true, by a search over the finite values of the language: values of enums, null, flags, and
//! the roles of the caller.
//!
//! Every atom of a condition is a variable: an enum field has its values and null, a flag is true or false, the caller has a
//! role or not, and any other field is null or set. An atom that the procedure does not analyse (a sum, a function, a comparison of
//! two fields) is a variable of its own that can be true or false. The result "can be true" is therefore sometimes wrong, and the
//! result "is never true" is always right. The search assigns one variable at a time, evaluates in three values (true, false,
//! unknown), and stops when the value is known: the Davis–Putnam–Logemann–Loveland method without clauses.

mod bounds;

use std::collections::HashMap;

use self::bounds::compare_with_assigned;
use crate::model::{Comparison, Expr, FieldId, Model, Path, RoleId, Type};

/// The largest number of evaluations for one question. Beyond it the answer is the safe one: the condition can be true.
const MOST: usize = 20_000;

/// The caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A signed-in account, with any roles.
    Account,
    /// A signed-in account with this role alone, or without a role.
    Persona(Option<RoleId>),
    /// The system: a timer.
    System,
}

/// A fact about the row before the search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fact {
    /// The field is not null.
    Set,
    /// The field has this value of its enum.
    Value(usize),
    /// The field has this value.
    Literal(Expr),
}

/// A question about conditions over one row.
pub(crate) struct Question<'m> {
    model: &'m Model,
    caller: Caller,
    known: HashMap<Path, Fact>,
}

/// A variable on which the answer depends.
#[derive(Debug, Clone, PartialEq)]
enum Variable {
    /// The value of an enum field.
    Value(Path),
    /// Whether a field is null.
    Null(Path),
    /// Whether the caller has a role.
    Role(RoleId),
    /// A condition that is not analysed.
    Free(Expr),
}

/// A value of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Yes,
    No,
    /// A value of an enum, or null.
    At(Option<usize>),
}

/// The values that were assigned so far.
type Assigned = Vec<(Variable, Choice)>;

impl<'m> Question<'m> {
    /// A question about any row.
    pub fn new(model: &'m Model, caller: Caller) -> Self {
        Question { model, caller, known: HashMap::new() }
    }

    /// Adds a known fact about the rows.
    pub fn with_fact(mut self, path: Path, known: Fact) -> Self {
        self.known.insert(path, known);
        self
    }

    /// True if all conditions can be true together, or if the search was too long.
    pub fn can_hold(&self, conditions: &[&Expr]) -> bool {
        self.search(conditions, &mut Vec::new(), &mut 0)
    }

    /// True if the condition can be false.
    pub fn can_fail(&self, condition: &Expr) -> bool {
        self.can_hold(&[&Expr::Not(Box::new(condition.clone()))])
    }

    fn search(&self, conditions: &[&Expr], assigned: &mut Assigned, steps: &mut usize) -> bool {
        *steps += 1;
        if *steps > MOST {
            return true;
        }
        let mut open = None;
        for condition in conditions {
            if self.eval(condition, assigned, &mut open) == Some(false) {
                return false;
            }
        }
        let Some(var) = open else { return true };
        for is in self.domain(&var) {
            assigned.push((var.clone(), is));
            let found = self.search(conditions, assigned, steps);
            assigned.pop();
            if found {
                return true;
            }
        }
        false
    }

    fn domain(&self, var: &Variable) -> Vec<Choice> {
        match var {
            Variable::Value(path) => {
                let (count, nullable) = self.enum_domain(path).unwrap_or((0, true));
                let values = (0..count).map(|at| Choice::At(Some(at)));
                values.chain(nullable.then_some(Choice::At(None))).collect()
            }
            Variable::Null(_) | Variable::Role(_) | Variable::Free(_) => vec![Choice::Yes, Choice::No],
        }
    }

    /// The number of values of an enum field, and whether it can be null.
    fn enum_domain(&self, path: &Path) -> Option<(usize, bool)> {
        let field = self.field(path)?;
        let values = &self.model.enums.get(field.ty.enumeration()?.0)?.values;
        Some((values.len(), !field.required || !path.hops.is_empty()))
    }

    fn field(&self, path: &Path) -> Option<&'m crate::model::Field> {
        path.fields(&self.model.entities).last()
    }

    /// The condition's value, or `None` if it is unknown; then `open` is the variable that is needed.
    fn eval(&self, expr: &Expr, assigned: &Assigned, open: &mut Option<Variable>) -> Option<bool> {
        match expr {
            Expr::Bool(value) => Some(*value),
            Expr::Null => Some(false),
            Expr::SignedIn => Some(self.caller != Caller::System),
            Expr::Anyone => Some(true),
            Expr::Not(inner) => self.eval(inner, assigned, open).map(|value| !value),
            Expr::And(parts) => self.eval_junction(parts, false, assigned, open),
            Expr::Or(parts) => self.eval_junction(parts, true, assigned, open),
            Expr::If(branches, rest) => self.eval_branches(branches, rest, assigned, open),
            Expr::Role(roles) => match self.caller {
                Caller::Account => any_true(roles.iter().map(|role| self.eval_flag(Variable::Role(*role), assigned, open))),
                Caller::Persona(own) => Some(own.is_some_and(|own| roles.contains(&own))),
                Caller::System => Some(false),
            },
            Expr::Path(_) => self.eval_free(expr, assigned, open),
            Expr::Compare(op, left, right) => self.eval_comparison(*op, left, right, expr, assigned, open),
            Expr::In(value, list) => match (&**value, &**list) {
                (Expr::Path(path), Expr::List(items)) if self.enum_domain(path).is_some() => {
                    let is = self.value(path, assigned, open)?;
                    let wanted = |item: &Expr| matches!(item, Expr::EnumValue(_, at) if Some(*at) == is);
                    Some(is.is_some() && items.iter().any(wanted))
                }
                (Expr::Path(_), Expr::List(items)) if items.iter().all(is_constant) => {
                    any_true(items.iter().map(|item| self.eval_comparison(Comparison::Eq, value, item, expr, assigned, open)))
                }
                _ => self.eval_free(expr, assigned, open),
            },
            _ => self.eval_free(expr, assigned, open),
        }
    }

    /// `or` if `wins` is true, else `and`: one part with the value `wins` decides.
    fn eval_junction(&self, parts: &[Expr], wins: bool, assigned: &Assigned, open: &mut Option<Variable>) -> Option<bool> {
        let mut known = Some(!wins);
        for part in parts {
            match self.eval(part, assigned, open) {
                Some(value) if value == wins => return Some(wins),
                Some(_) => {}
                None => known = None,
            }
        }
        known
    }

    fn eval_branches(&self, branches: &[(Expr, Expr)], rest: &Expr, assigned: &Assigned, open: &mut Option<Variable>) -> Option<bool> {
        for (condition, value) in branches {
            match self.eval(condition, assigned, open) {
                Some(true) => return self.eval(value, assigned, open),
                Some(false) => {}
                None => return None,
            }
        }
        self.eval(rest, assigned, open)
    }

    fn eval_comparison(
        &self,
        op: Comparison,
        left: &Expr,
        right: &Expr,
        whole: &Expr,
        assigned: &Assigned,
        open: &mut Option<Variable>,
    ) -> Option<bool> {
        let (path, other, op) = match (left, right) {
            (Expr::Path(path), other) => (path, other, op),
            (other, Expr::Path(path)) => (path, other, mirror(op)),
            _ => return self.eval_free(whole, assigned, open),
        };
        let negated = op == Comparison::Ne;
        match other {
            Expr::Null if matches!(op, Comparison::Eq | Comparison::Ne) => self.is_null(path, assigned, open).map(|null| null != negated),
            Expr::EnumValue(_, at) if self.enum_domain(path).is_some() => {
                let is = self.value(path, assigned, open)?;
                Some(holds_between(op, is, *at))
            }
            _ if is_constant(other) => {
                if let Some(Fact::Literal(literal)) = self.known.get(path) {
                    return compare_literals(op, literal, other).or_else(|| self.eval_free(whole, assigned, open));
                }
                match self.is_null(path, assigned, open)? {
                    true => Some(negated),
                    false => {
                        let compared = if negated { Comparison::Eq } else { op };
                        let whole = Expr::Compare(compared, Box::new(Expr::Path(path.clone())), Box::new(other.clone()));
                        self.eval_free(&whole, assigned, open).map(|value| value != negated)
                    }
                }
            }
            Expr::CurrentUser | Expr::CurrentUserPath(_) | Expr::CurrentTenant if self.caller == Caller::System => Some(false),
            _ => self.eval_free(whole, assigned, open),
        }
    }

    fn value(&self, path: &Path, assigned: &Assigned, open: &mut Option<Variable>) -> Option<Option<usize>> {
        match self.known.get(path) {
            Some(Fact::Value(at)) => return Some(Some(*at)),
            Some(Fact::Literal(Expr::EnumValue(_, at))) => return Some(Some(*at)),
            _ => {}
        }
        match assigned.iter().find(|(var, _)| matches!(var, Variable::Value(of) if of == path)) {
            Some((_, Choice::At(value))) => Some(*value),
            _ => {
                open.get_or_insert(Variable::Value(path.clone()));
                None
            }
        }
    }

    fn is_null(&self, path: &Path, assigned: &Assigned, open: &mut Option<Variable>) -> Option<bool> {
        if self.known.contains_key(path) {
            return Some(false);
        }
        if self.enum_domain(path).is_some() {
            return self.value(path, assigned, open).map(|value| value.is_none());
        }
        let required = path.hops.is_empty() && self.field(path).is_some_and(|field| field.required);
        if required {
            return Some(false);
        }
        self.eval_flag(Variable::Null(path.clone()), assigned, open)
    }

    fn eval_free(&self, expr: &Expr, assigned: &Assigned, open: &mut Option<Variable>) -> Option<bool> {
        if let Expr::Path(path) = expr
            && let Some(Fact::Literal(Expr::Bool(value))) = self.known.get(path)
        {
            return Some(*value);
        }
        if let Some(settled) = compare_with_assigned(expr, assigned) {
            return Some(settled);
        }
        self.eval_flag(Variable::Free(expr.clone()), assigned, open)
    }

    fn eval_flag(&self, var: Variable, assigned: &Assigned, open: &mut Option<Variable>) -> Option<bool> {
        match assigned.iter().find(|(other, _)| *other == var) {
            Some((_, is)) => Some(*is == Choice::Yes),
            None => {
                open.get_or_insert(var);
                None
            }
        }
    }
}

/// A field of the entity itself, as a path.
pub(crate) fn own_path(entity: usize, field: FieldId) -> Path {
    Path { from: crate::model::EntityId(entity), hops: Vec::new(), field }
}

fn any_true(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(false);
    for part in parts {
        match part {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = None,
        }
    }
    known
}

fn mirror(op: Comparison) -> Comparison {
    match op {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same @ (Comparison::Eq | Comparison::Ne) => same,
    }
}

/// `=` and `!=` treat null as a value; order comparisons do not.
fn holds_between(op: Comparison, left: Option<usize>, right: usize) -> bool {
    match op {
        Comparison::Eq => left == Some(right),
        Comparison::Ne => left != Some(right),
        Comparison::Lt => left.is_some_and(|left| left < right),
        Comparison::Le => left.is_some_and(|left| left <= right),
        Comparison::Gt => left.is_some_and(|left| left > right),
        Comparison::Ge => left.is_some_and(|left| left >= right),
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Int(_) | Expr::Decimal(_) | Expr::Float(_) | Expr::Text(_) | Expr::Bool(_) | Expr::Typed(..))
}

/// Compares two literals; `None` for literals that the procedure does not analyse.
pub(crate) fn compare_literals(op: Comparison, left: &Expr, right: &Expr) -> Option<bool> {
    let order = match (left, right) {
        (Expr::Text(left), Expr::Text(right)) => left.cmp(right),
        (Expr::Bool(left), Expr::Bool(right)) => left.cmp(right),
        (Expr::Int(left), Expr::Int(right)) => left.cmp(right),
        (Expr::Typed(Type::Date, left), Expr::Typed(Type::Date, right)) => left.cmp(right),
        (Expr::Typed(left_type, left), Expr::Typed(right_type, right)) if left_type == right_type => {
            return match op {
                Comparison::Eq => Some(left == right),
                Comparison::Ne => Some(left != right),
                Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => None,
            };
        }
        _ => number(left)?.partial_cmp(&number(right)?)?,
    };
    Some(match op {
        Comparison::Eq => order.is_eq(),
        Comparison::Ne => order.is_ne(),
        Comparison::Lt => order.is_lt(),
        Comparison::Le => order.is_le(),
        Comparison::Gt => order.is_gt(),
        Comparison::Ge => order.is_ge(),
    })
}

/// A literal as a number; `None` for more than 15 digits, because two such numbers could become equal.
fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Int(value) if value.unsigned_abs() < 1 << 50 => Some(*value as f64),
        Expr::Float(value) => Some(*value),
        Expr::Decimal(digits) if digits.chars().filter(char::is_ascii_digit).count() <= 15 => digits.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
