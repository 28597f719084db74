//! Parts of rules in words, by where they are in memory.

use crate::def::{EntityDef, Expr};

/// Which rule of an entity has the `and` at this address.
pub(super) fn find(entity: &'static EntityDef, address: usize, at: usize) -> Option<String> {
    entity.rules.iter().find_map(|rule| {
        let parts = [("permit", &rule.permit), ("scope", &rule.scope), ("forbid", &rule.forbid)];
        let here = parts.iter().find(|(_, expr)| expr.as_ref().is_some_and(|expr| holds(expr, address)));
        here.map(|(name, _)| format!("part {} of an `and` in the {name} of `{}` of {}", at + 1, rule.action, entity.name))
    })
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
