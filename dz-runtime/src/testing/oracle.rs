//! The access rules as the language defines them, over rows in memory.
//!
//! It shares no code with the generation of SQL, so the two interpretations of the rules are independent.

use super::{
    evaluate::{Evaluated, compare},
    sensitive::reveals_sensitive,
    tenants::TenantState,
    world::{Stored, World},
};
use crate::{
    Value,
    def::{ActionRule, Aggregate, AppDef, Comparison, EntityDef, EnumDef, Expr, FieldAt, FieldIx, Relation, Via},
};
use chrono::{DateTime, NaiveDate, Utc};

/// The caller, and the time.
#[derive(Debug, Clone)]
pub(super) struct TestCaller {
    /// The key of the account; `None` for an anonymous caller.
    pub account: Option<Value>,
    /// Mask of the roles that count in all tenants.
    pub roles: u64,
    /// The memberships and the current tenant.
    pub tenant_state: TenantState,
    pub now: DateTime<Utc>,
    pub today: NaiveDate,
}

/// The row of an expression, and the row outside of an aggregate.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p> {
    pub entity: &'static EntityDef,
    pub values: &'p [Value],
    pub outer: Option<&'p Scope<'p>>,
}

/// The rules for one caller over one world.
pub(super) struct Oracle<'w> {
    /// The rows that are visible to the caller at all.
    pub world: &'w World,
    pub who: &'w TestCaller,
    /// The rows with the caller's account, if they differ from `world`.
    pub home: Option<&'w World>,
}

impl<'w> Oracle<'w> {
    pub fn new(world: &'w World, who: &'w TestCaller) -> Oracle<'w> {
        Oracle { world, who, home: None }
    }

    pub(super) fn app(&self) -> &'static AppDef {
        self.world.app
    }

    /// True if the rule permits no row to these roles, or the rows belong to tenants and the caller has no current tenant.
    pub fn is_closed(&self, entity: &'static EntityDef, action: &str) -> bool {
        let Some(rule) = entity.rule(action) else { return true };
        let roles = self.who.roles_on(entity);
        let forbid = rule.forbid.as_ref().map_or(Some(false), |expr| self.by_role(expr, roles));
        let permit = rule.permit.as_ref().map_or(Some(false), |expr| self.by_role(expr, roles));
        let parts = [permit, self.scope_by_role(rule, roles), forbid.map(|forbids| !forbids)];
        all(parts) == Some(false) || self.who.is_nowhere(entity)
    }

    fn scope_by_role(&self, rule: &ActionRule, roles: u64) -> Option<bool> {
        rule.scope.as_ref().map_or(Some(true), |expr| self.by_role(expr, roles))
    }

    fn by_role(&self, expr: &Expr, roles: u64) -> Option<bool> {
        match expr {
            Expr::And(parts) => all(parts.iter().map(|part| self.by_role(part, roles))),
            Expr::Or(parts) => any(parts.iter().map(|part| self.by_role(part, roles))),
            Expr::Not(inner) => self.by_role(inner, roles).map(|holds| !holds),
            Expr::Role(mask) => Some(roles & mask != 0),
            Expr::SignedIn => Some(self.who.account.is_some()),
            Expr::Anyone => Some(true),
            Expr::Bool(holds) => Some(*holds),
            _ => None,
        }
    }

    /// True if the rule covers a row: the permit and the scope are true, and the forbid is false.
    pub fn covers(&self, entity: &'static EntityDef, action: &str, values: &[Value]) -> bool {
        let Some(rule) = entity.rule(action).filter(|_| !self.who.is_nowhere(entity)) else { return false };
        let place = Scope { entity, values, outer: None };
        let holds = |expr: &Expr| self.truth(expr, place) == Some(true);
        rule.permit.as_ref().is_some_and(holds) && rule.scope.as_ref().is_none_or(holds) && !self.forbids(entity, action, values)
    }

    /// True if the forbid of an action is true or unknown for a row.
    pub fn forbids(&self, entity: &'static EntityDef, action: &str, values: &[Value]) -> bool {
        let place = Scope { entity, values, outer: None };
        entity.rule(action).and_then(|rule| rule.forbid.as_ref()).is_some_and(|expr| self.truth(expr, place) != Some(false))
    }

    pub fn reads(&self, entity: &'static EntityDef, values: &[Value]) -> bool {
        self.covers(entity, "read", values)
    }

    /// True if the row is in the list.
    pub fn lists(&self, entity: &'static EntityDef, values: &[Value]) -> bool {
        self.covers(entity, "list", values) && (entity.rule("read").is_none() || self.reads(entity, values))
    }

    /// True if the row can be named and referenced: it is readable, or it is an active account and the caller is signed in.
    pub fn can_name(&self, entity: &'static EntityDef, values: &[Value]) -> bool {
        self.reads(entity, values) || self.can_name_account(entity, values)
    }

    pub fn can_name_account(&self, entity: &'static EntityDef, values: &[Value]) -> bool {
        let active = entity.find("is_active").and_then(|(at, _)| values.get(usize::from(at)));
        entity.account && self.who.account.is_some() && active == Some(&Value::Bool(true)) && self.is_fellow_member(entity, values)
    }

    /// The status of the response to a row that the rule of an action does not cover. A rule over a row that the caller cannot see is
    /// not reported, because that would reveal the values of this row.
    pub fn status_of_refusal(&self, entity: &'static EntityDef, action: &str, values: &[Value], written: &[FieldIx]) -> u16 {
        let is_unseen = |at: &FieldIx| {
            let target = self.world.target(entity, *at, values);
            !values[usize::from(*at)].is_null()
                && entity.field(*at).kind.target().is_some()
                && (entity.tenancy.tenant != Some(*at) || self.who.is_everywhere(entity))
                && !target.is_some_and(|(target, row)| self.can_name(target, &row.values))
        };
        let unseen: Vec<FieldIx> = written.iter().copied().filter(is_unseen).collect();
        if entity.rule(action).is_some_and(|rule| rule.reads_behind(entity, &unseen)) { 422 } else { 403 }
    }

    /// The action whose rule governs transitions.
    pub fn transition_action(entity: &'static EntityDef) -> &'static str {
        if entity.rule("transition").is_some() { "transition" } else { "update" }
    }

    /// The shown value of a field: null if it is sensitive, or reveals a sensitive field, and the row cannot be updated.
    pub fn shown_value(&self, entity: &'static EntityDef, field: FieldIx, values: &[Value]) -> Value {
        if reveals_sensitive(self.app(), FieldAt::new(entity.ix, field)) && !self.covers(entity, "update", values) {
            return Value::Null;
        }
        self.field_value(entity, field, values)
    }

    /// The truth of a condition, which can be unknown.
    pub fn truth(&self, expr: &Expr, place: Scope<'_>) -> Option<bool> {
        match expr {
            Expr::And(parts) => all(parts.iter().map(|part| self.truth(part, place))),
            Expr::Or(parts) => any(parts.iter().map(|part| self.truth(part, place))),
            Expr::Not(inner) => self.truth(inner, place).map(|holds| !holds),
            Expr::If(branches, otherwise) => {
                for (test, result) in *branches {
                    if self.truth(test, place)? {
                        return self.truth(result, place);
                    }
                }
                self.truth(otherwise, place)
            }
            atom if !compares_with_null(atom) && self.mentions_no_account(atom) => None,
            atom => Some(self.comparison_truth(atom, place)),
        }
    }

    /// True if a condition refers to a value of the caller's account that does not exist.
    fn mentions_no_account(&self, expr: &Expr) -> bool {
        let inside = |parts: &[Expr]| parts.iter().any(|part| self.mentions_no_account(part));
        match expr {
            Expr::CurrentUser | Expr::CurrentUserRoles => self.who.account.is_none(),
            Expr::CurrentTenant => self.who.tenant_state.tenant.is_none(),
            Expr::CurrentUserPath(_) => self.caller_value(expr).is_null(),
            Expr::List(parts) | Expr::And(parts) | Expr::Or(parts) | Expr::Call(_, parts, _) => inside(parts),
            Expr::Not(inner) | Expr::Negate(inner) => self.mentions_no_account(inner),
            Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => {
                self.mentions_no_account(left) || self.mentions_no_account(right)
            }
            Expr::Aggregate { condition, .. } => condition.is_some_and(|condition| self.mentions_no_account(condition)),
            Expr::If(branches, otherwise) => {
                branches.iter().any(|(test, result)| self.mentions_no_account(test) || self.mentions_no_account(result))
                    || self.mentions_no_account(otherwise)
            }
            _ => false,
        }
    }

    fn comparison_truth(&self, expr: &Expr, place: Scope<'_>) -> bool {
        match expr {
            Expr::Compare(cmp, left, right) => self.compare(*cmp, left, right, place),
            Expr::In(item, list) => match (self.value(item, place), self.evaluate(list, place)) {
                (Value::Null, _) => false,
                (item, Evaluated::Many(others)) => others.iter().any(|other| compare(&item, other).is_some_and(|it| it.is_eq())),
                (item, Evaluated::One(Value::Json(serde_json::Value::Array(others)))) => {
                    let Value::Text(item) = item else { return false };
                    others.iter().any(|other| other.as_str() == Some(&item))
                }
                _ => false,
            },
            Expr::Role(_) | Expr::SignedIn | Expr::Anyone => self.by_role(expr, self.who.roles_at(place)) == Some(true),
            Expr::Aggregate { kind: kind @ (Aggregate::Any | Aggregate::All), relation, condition, .. } => {
                let mut children = self.children(*relation, place).into_iter().map(|(entity, row)| {
                    let inner = Scope { entity, values: &row.values, outer: Some(&place) };
                    condition.is_none_or(|condition| self.truth(condition, inner) == Some(true))
                });
                if *kind == Aggregate::Any { children.any(|holds| holds) } else { children.all(|holds| holds) }
            }
            other => self.value(other, place) == Value::Bool(true),
        }
    }

    fn compare(&self, cmp: Comparison, left: &Expr, right: &Expr, place: Scope<'_>) -> bool {
        let ordered = self.ordered_enum(left).or_else(|| self.ordered_enum(right));
        let (left, right) = (self.value(left, place), self.value(right, place));
        let same = (left.is_null() && right.is_null()) || compare(&left, &right).is_some_and(|it| it.is_eq());
        let ordering = || match ordered {
            Some(of) => rank(of, &left)?.partial_cmp(&rank(of, &right)?),
            None => compare(&left, &right),
        };
        match cmp {
            Comparison::Eq => same,
            Comparison::Ne => !same,
            Comparison::Lt => ordering().is_some_and(|it| it.is_lt()),
            Comparison::Le => ordering().is_some_and(|it| it.is_le()),
            Comparison::Gt => ordering().is_some_and(|it| it.is_gt()),
            Comparison::Ge => ordering().is_some_and(|it| it.is_ge()),
        }
    }

    /// The ordered enum of the values of an expression.
    fn ordered_enum(&self, expr: &Expr) -> Option<&'static EnumDef> {
        let of = match expr {
            Expr::EnumValue(of, _) => return of.ordered.then_some(*of),
            Expr::Path(path) | Expr::This(Some(path)) | Expr::CurrentUserPath(path) => self.last_field(*path).kind,
            _ => return None,
        };
        of.enumeration().filter(|of| of.ordered)
    }

    /// The related rows of the row in scope.
    pub(super) fn children(&self, relation: FieldAt, place: Scope<'_>) -> Vec<(&'static EntityDef, &'w Stored)> {
        let Some(Relation { entity, via, .. }) = relation.field(self.app()).kind.relation() else { return Vec::new() };
        let key = place.values.get(usize::from(place.entity.pk)).cloned().unwrap_or_default();
        let child = self.app().entity(entity);
        let all = |_: &EntityDef, _: &Stored| true;
        self.world
            .stored_rows(entity)
            .filter(|row| !key.is_null() && self.is_child(via, child, row, &key, &all))
            .map(|row| (child, row))
            .collect()
    }

    /// True if a row belongs to the row with this key, directly or by a junction row that counts.
    pub(super) fn is_child(
        &self,
        via: Via,
        child: &EntityDef,
        row: &Stored,
        key: &Value,
        counts: &dyn Fn(&'static EntityDef, &Stored) -> bool,
    ) -> bool {
        match via {
            Via::Ref(via) => via.position_in(child).is_some_and(|at| row.value(at) == key),
            Via::Junction(through) => {
                let junction = through.entity(self.app());
                let value = |it: &Stored, of: FieldAt| of.position_in(junction).map(|at| it.value(at).clone());
                let (near, far) = (Some(key.clone()), Some(row.value(child.pk).clone()));
                let connects = |it: &Stored| value(it, through.near()) == near && value(it, through.far()) == far;
                self.world.stored_rows(junction.ix).any(|it| connects(it) && counts(junction, it))
            }
        }
    }
}

fn compares_with_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Compare(_, Expr::Null, _) | Expr::Compare(_, _, Expr::Null))
}

fn rank(of: &EnumDef, value: &Value) -> Option<usize> {
    let Value::Text(name) = value else { return None };
    of.values.iter().position(|value| value.name == name)
}

/// Three-valued `and`: one false decides.
fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    parts
        .into_iter()
        .try_fold(Some(true), |so_far, part| match part {
            Some(false) => Err(()),
            Some(true) => Ok(so_far),
            None => Ok(None),
        })
        .unwrap_or(Some(false))
}

/// Three-valued `or`: one true decides.
fn any(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.into_iter().map(|part| part.map(|holds| !holds))).map(|none| !none)
}
