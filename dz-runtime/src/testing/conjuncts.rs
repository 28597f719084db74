//! Describes parts of rules and of scopes by their address in memory.

use crate::def::{AppDef, EntityDef, Expr, SourceDef, SurfaceDef};

/// An `and` in a rule, a guard or the scope of a page.
pub(super) struct Conjunct {
    /// A description of the part and its rule.
    pub description: String,
    /// The page of the scope.
    pub page: Option<&'static str>,
}

/// Finds the `and` with this address; `at` is the number of the part.
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
        let page = app.surfaces.iter().filter(|surface| surface.entity == entity.ix).find(scoped).map(|surface| surface.name);
        let of_region = |source: &SourceDef| source.entity == entity.ix && source.filter.as_ref().is_some_and(|it| contains(it, address));
        let mut regions = app.workspaces.iter().flat_map(|workspace| workspace.regions);
        let page = page.or_else(|| regions.find(|region| region.sources.iter().any(of_region)).map(|region| region.id))?;
        Some(Conjunct { description: format!("part {part} of an `and` in a scope of the page `{page}`"), page: Some(page) })
    })
}

fn contains(expr: &Expr, address: usize) -> bool {
    expr.any(|part| matches!(part, Expr::And(parts) if parts.as_ptr() as usize == address))
}
