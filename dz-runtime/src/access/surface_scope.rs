//! Fewer rows than a rule covers: those that a page shows to whoever asks for it.

use crate::{
    db::{
        emit::{Condition, Emit, Scope},
        probe,
    },
    def::{EntityDef, Expr},
};

/// The rows that a page shows, of those that the rules of access let its caller see.
///
/// It only ever takes rows away: a statement asks for the rule and for this.
#[derive(Debug, Clone, Default)]
pub struct SurfaceScope(Option<Scopes>);

#[derive(Debug, Clone)]
struct Scopes {
    page: &'static str,
    /// At least one holds for a row that is shown.
    any_of: Vec<&'static Expr>,
}

impl SurfaceScope {
    /// The rows of a page for which at least one of these holds for certain.
    pub(crate) fn any_of(page: &'static str, scopes: Vec<&'static Expr>) -> SurfaceScope {
        SurfaceScope(Some(Scopes { page, any_of: scopes }))
    }

    /// True when no row is taken away.
    pub(crate) fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// The condition on rows known as `alias`. What is unknown about the caller shows nothing.
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn condition(&self, emit: &Emit<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
        let Some(scopes) = &self.0 else { return Condition::Always };
        let caller = emit.caller.for_entity(entity);
        let emit = &Emit { caller: &caller, ..*emit };
        let scope = Scope { entity: entity.ix, alias, outer: None };
        let condition = scopes.any_of.iter().fold(Condition::Never, |any, expr| match any {
            Condition::Always => Condition::Always,
            any => any.or(emit.condition(expr, scope, false)),
        });
        probe::rows_of_page(emit.app, entity, scopes.page, condition)
    }
}
