//! Conditions that a probe can remove. This module is not compiled into a build without debug assertions.

use std::{
    panic::Location,
    sync::{Arc, PoisonError, RwLock},
};

use crate::{
    db::emit::Condition,
    def::{AppDef, EntityDef, Expr},
};

/// A condition that dz writes into a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Site {
    /// The condition of a rule in a statement: the source file and line in dz, the entity, the action.
    Place(&'static str, u32, &'static str, &'static str),
    /// The permit, the scope or the forbid of a rule: the entity, the action, the name of the part.
    Part(&'static str, &'static str, &'static str),
    /// The tenant filter of an entity: the source file and line in dz, the entity.
    Tenant(&'static str, u32, &'static str),
    /// The row condition of a surface: the source file and line in dz, the entity, the page.
    Page(&'static str, u32, &'static str, &'static str),
    /// A part of an `and`: the address of its declaration in memory, and its place among the parts.
    Conjunct(usize, usize),
}

/// Decides which condition is removed. Only the property test of the access rules implements it.
pub(crate) trait Probe: Send + Sync {
    /// True if the condition of this site is removed.
    fn removes(&self, site: Site) -> bool;
}

static INSTALLED_PROBES: RwLock<Vec<(usize, Arc<dyn Probe>)>> = RwLock::new(Vec::new());

/// A probe in one application, until this value is dropped.
pub(crate) struct Probed(usize);

impl Probed {
    /// Installs a probe.
    pub(crate) fn install(app: &'static AppDef, probe: Arc<dyn Probe>) -> Probed {
        INSTALLED_PROBES.write().unwrap_or_else(PoisonError::into_inner).push((address(app), probe));
        Probed(address(app))
    }
}

impl Drop for Probed {
    fn drop(&mut self) {
        INSTALLED_PROBES.write().unwrap_or_else(PoisonError::into_inner).retain(|(of, _)| *of != self.0);
    }
}

/// Descriptions are static, so the address identifies the application.
fn address(app: &'static AppDef) -> usize {
    std::ptr::from_ref(app) as usize
}

fn probe_removes(app: &'static AppDef, site: impl FnOnce() -> Site) -> bool {
    let of = address(app);
    let installed = INSTALLED_PROBES.read().unwrap_or_else(PoisonError::into_inner);
    installed.iter().find(|(other, _)| *other == of).is_some_and(|(_, probe)| probe.removes(site()))
}

fn unless_probe_removes(app: &'static AppDef, condition: Condition, site: impl FnOnce() -> Site) -> Condition {
    let narrows = !matches!(condition, Condition::Always);
    if narrows && probe_removes(app, site) { Condition::Always } else { condition }
}

/// The condition of a rule, at the source line that calls this function.
#[track_caller]
pub(crate) fn rule(app: &'static AppDef, entity: &'static EntityDef, action: &str, condition: Condition) -> Condition {
    let place = Location::caller();
    match (entity.rule(action), &condition) {
        (Some(rule), Condition::Rows(_)) => {
            unless_probe_removes(app, condition, || Site::Place(place.file(), place.line(), entity.name, rule.action))
        }
        _ => condition,
    }
}

/// A part of a rule.
pub(crate) fn part(app: &'static AppDef, entity: &'static EntityDef, action: &str, name: &'static str, condition: Condition) -> Condition {
    match (entity.rule(action), &condition) {
        (Some(rule), Condition::Rows(_)) => unless_probe_removes(app, condition, || Site::Part(entity.name, rule.action, name)),
        _ => condition,
    }
}

/// The row condition of a surface.
#[track_caller]
pub(crate) fn rows_of_page(app: &'static AppDef, entity: &'static EntityDef, page: &'static str, condition: Condition) -> Condition {
    let place = Location::caller();
    unless_probe_removes(app, condition, || Site::Page(place.file(), place.line(), entity.name, page))
}

/// A part of an `and`.
pub(crate) fn conjunct(app: &'static AppDef, parts: &[Expr], at: usize, condition: Condition) -> Condition {
    match condition {
        Condition::Rows(_) => unless_probe_removes(app, condition, || Site::Conjunct(parts.as_ptr() as usize, at)),
        known @ (Condition::Always | Condition::Never) => known,
    }
}

/// True if the tenant filter is removed at the source line that calls this function.
#[track_caller]
pub(crate) fn sees_all_tenants(app: &'static AppDef, entity: &EntityDef) -> bool {
    let place = Location::caller();
    probe_removes(app, || Site::Tenant(place.file(), place.line(), entity.name))
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = |path: &'static str| path.rsplit_once("src/").map_or(path, |(_, file)| file);
        match self {
            Site::Place(path, line, entity, action) => write!(f, "`{action}` of {entity} at {}:{line}", file(path)),
            Site::Tenant(path, line, entity) => write!(f, "the tenant of {entity} at {}:{line}", file(path)),
            Site::Page(path, line, _, page) => write!(f, "the rows of the page `{page}` at {}:{line}", file(path)),
            Site::Part(entity, action, part) => write!(f, "the {part} of `{action}` of {entity}"),
            Site::Conjunct(_, at) => write!(f, "part {} of an `and`", at + 1),
        }
    }
}
