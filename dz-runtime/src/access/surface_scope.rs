//! The restriction of access rules to the rows that a page shows.

use crate::{
    db::{
        emit::{Condition, Emit, Scope},
        probe,
    },
    def::{EntityDef, Expr},
};

/// The rows that a page shows, of those that the access rules permit.
///
/// It can only remove rows: a statement contains both the access rule and this condition.
#[derive(Debug, Clone, Default)]
pub struct SurfaceScope(Option<Scopes>);

#[derive(Debug, Clone)]
struct Scopes {
    page: &'static str,
    /// At least one is true for a row of the page.
    any_of: Vec<&'static Expr>,
}

impl SurfaceScope {
    /// The rows of a page for which at least one of the conditions is true.
    pub(crate) fn any_of(page: &'static str, scopes: Vec<&'static Expr>) -> SurfaceScope {
        SurfaceScope(Some(Scopes { page, any_of: scopes }))
    }

    /// True without a restriction.
    pub(crate) fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// The condition on rows with the alias. A comparison with a null attribute of the caller is false.
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn condition(&self, emit: &Emit<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
        let Some(scopes) = &self.0 else { return Condition::Always };
        let caller = emit.caller.for_entity(entity);
        let emit = &Emit { caller: &caller, ..*emit };
        let scope = Scope { entity: entity.ix, alias, outer: None };
        let condition = scopes.any_of.iter().fold(Condition::Never, |any, expr| match any {
            Condition::Always => Condition::Always,
            any @ (Condition::Never | Condition::Rows(_)) => any.or(emit.condition(expr, scope, false)),
        });
        probe::rows_of_page(emit.app, entity, scopes.page, condition)
    }
}
