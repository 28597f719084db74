//! The reference paths from the caller that the rules of an application use.

use std::sync::{PoisonError, RwLock};

use crate::def::{AppDef, Expr, Path, SectionBody};

/// The reference paths from the caller that rules, filters and defaults use, collected once per application.
pub(crate) fn find_caller_paths(app: &'static AppDef) -> &'static [Path] {
    static CACHE: RwLock<Vec<(usize, &'static [Path])>> = RwLock::new(Vec::new());
    // A description lives as long as the program, so its address identifies it.
    let address = std::ptr::from_ref(app) as usize;
    let known = CACHE.read().unwrap_or_else(PoisonError::into_inner).iter().find(|(of, _)| *of == address).map(|(_, paths)| *paths);
    known.unwrap_or_else(|| {
        let paths: &'static [Path] = collect_paths(app).leak();
        CACHE.write().unwrap_or_else(PoisonError::into_inner).push((address, paths));
        paths
    })
}

fn collect_paths(app: &'static AppDef) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut look = |expr: &Expr| {
        expr.visit(&mut |part| {
            if let Expr::CurrentUserPath(path) = part
                && path.own_field().is_none_or(|at| !app.account().field(at).is_stored())
                && !paths.contains(path)
            {
                paths.push(*path);
            }
        });
    };
    for entity in app.entities {
        entity.rules.iter().flat_map(|rule| [&rule.permit, &rule.scope, &rule.forbid]).flatten().for_each(&mut look);
        entity.audits.iter().filter_map(|audit| audit.when.as_ref()).for_each(&mut look);
        entity.fields.iter().filter_map(|field| field.default.as_ref()).for_each(&mut look);
        entity.states.iter().flat_map(|states| states.rows).filter_map(|row| row.guard.as_ref()).for_each(&mut look);
    }
    for section in app.surfaces.iter().flat_map(|surface| surface.sections) {
        if let SectionBody::Nested(nested) = &section.body {
            nested.filter.iter().for_each(&mut look);
        }
    }
    for variant in app.surfaces.iter().flat_map(|surface| surface.variants) {
        variant.scope.iter().for_each(&mut look);
        variant.defaults.iter().map(|(_, value)| value).for_each(&mut look);
    }
    for step in app.experiences.iter().flat_map(|experience| experience.steps) {
        step.when.iter().for_each(&mut look);
        step.prefill.iter().map(|(_, value)| value).for_each(&mut look);
    }
    paths
}
