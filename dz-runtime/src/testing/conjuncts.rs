//! Parts of rules and of the scopes of pages in words, by where they are in memory.

use crate::def::{AppDef, EntityDef, Expr, SurfaceDef};

/// Where the `and` at this address is, if that is in a rule or a guard of the entity or in a scope of a page of its rows.
pub(super) struct Conjunct {
    /// In words: which of its parts, and where it stands.
    pub description: String,
    /// The page whose scope has it.
    pub page: Option<&'static str>,
}

/// Looks for the `and` at this address; `at` is the part that is meant.
pub(super) fn find(app: &'static AppDef, entity: &'static EntityDef, address: usize, at: usize) -> Option<Conjunct> {
    let part = at + 1;
    let mut rules = entity.rules.iter();
    let rule = rules.find_map(|rule| {
        let parts = [("permit", &rule.permit), ("scope", &rule.scope), ("forbid", &rule.forbid)];
        let (name, _) = parts.iter().find(|(_, expr)| expr.as_ref().is_some_and(|expr| contains(expr, address)))?;
        Some(Conjunct { description: format!("part {part} of an `and` in the {name} of `{}` of {}", rule.action, entity.name), page: None })
    });
    let guarded = || {
        let mut guards = entity.states.iter().flat_map(|states| states.rows).filter_map(|row| row.guard.as_ref());
        let told = || format!("part {part} of an `and` in a guard of {}", entity.name);
        guards.any(|expr| contains(expr, address)).then(|| Conjunct { description: told(), page: None })
    };
    rule.or_else(guarded).or_else(|| {
        let scoped = |surface: &&&SurfaceDef| surface.variants.iter().filter_map(|it| it.scope.as_ref()).any(|it| contains(it, address));
        let page = app.surfaces.iter().filter(|surface| surface.entity == entity.ix).find(scoped)?.name;
        Some(Conjunct { description: format!("part {part} of an `and` in a scope of the page `{page}`"), page: Some(page) })
    })
}

fn contains(expr: &Expr, address: usize) -> bool {
    match expr {
        Expr::And(parts) => parts.as_ptr() as usize == address || parts.iter().any(|part| contains(part, address)),
        Expr::Or(parts) => parts.iter().any(|part| contains(part, address)),
        Expr::Not(inner) => contains(inner, address),
        Expr::Aggregate { condition: Some(condition), .. } => contains(condition, address),
        Expr::If(branches, otherwise) => {
            branches.iter().any(|(test, result)| contains(test, address) || contains(result, address)) || contains(otherwise, address)
        }
        _ => false,
    }
}
