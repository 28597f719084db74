//! Parts of rules and of the scopes of pages in words, by where they are in memory.

use crate::def::{AppDef, EntityDef, Expr};

/// Which rule of an entity, or page of its rows, has the `and` at this address.
pub(super) fn find(app: &'static AppDef, entity: &'static EntityDef, address: usize, at: usize) -> Option<String> {
    let pages = || {
        let mut pages = app.surfaces.iter().filter(|surface| surface.entity == entity.ix);
        let here =
            pages.find(|surface| surface.variants.iter().filter_map(|variant| variant.scope.as_ref()).any(|expr| holds(expr, address)));
        here.map(|surface| format!("part {} of an `and` in a scope of the page `{}`", at + 1, surface.name))
    };
    let mut rules = entity.rules.iter();
    let rule = rules.find_map(|rule| {
        let parts = [("permit", &rule.permit), ("scope", &rule.scope), ("forbid", &rule.forbid)];
        let here = parts.iter().find(|(_, expr)| expr.as_ref().is_some_and(|expr| holds(expr, address)));
        here.map(|(name, _)| format!("part {} of an `and` in the {name} of `{}` of {}", at + 1, rule.action, entity.name))
    });
    rule.or_else(pages)
}

fn holds(expr: &Expr, address: usize) -> bool {
    match expr {
        Expr::And(parts) => parts.as_ptr() as usize == address || parts.iter().any(|part| holds(part, address)),
        Expr::Or(parts) => parts.iter().any(|part| holds(part, address)),
        Expr::Not(inner) => holds(inner, address),
        Expr::Aggregate { condition: Some(condition), .. } => holds(condition, address),
        Expr::If(branches, otherwise) => {
            branches.iter().any(|(test, result)| holds(test, address) || holds(result, address)) || holds(otherwise, address)
        }
        _ => false,
    }
}
