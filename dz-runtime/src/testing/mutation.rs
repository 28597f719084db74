//! Conditions that are taken away from the SQL, one at a time, so that a proof can show that it would notice.

use std::{
    collections::BTreeSet,
    panic::Location,
    sync::{PoisonError, RwLock},
};

use super::plan::Focus;
use crate::{
    db::emit::Condition,
    def::{AppDef, EntityDef, Expr},
};

/// A condition that dz writes into a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Site {
    /// What a rule comes to where a statement needs it: the line of dz, the entity, the action.
    Place(&'static str, u32, &'static str, &'static str),
    /// The permit, the scope or the forbid of a rule: the entity, the action, which of them.
    Part(&'static str, &'static str, &'static str),
    /// That the rows of an entity are those of one tenant: the line of dz where it is asked for them, the entity.
    Tenant(&'static str, u32, &'static str),
    /// The rows that a page shows its caller: the line of dz where it is asked for them, the entity, the page.
    Page(&'static str, u32, &'static str, &'static str),
    /// A part of an `and`, by where it is declared in memory, and its place among the others.
    Conjunct(usize, usize),
}

impl Site {
    /// True when the condition keeps tenants apart.
    pub(super) fn is_of_tenants(&self) -> bool {
        matches!(self, Site::Tenant(..))
    }

    /// True when the condition leaves rows out of a page.
    pub(super) fn is_of_pages(&self) -> bool {
        matches!(self, Site::Page(..))
    }

    /// What requests must be about to show that the condition is not there.
    pub(super) fn focus(&self, app: &'static AppDef) -> Option<Focus> {
        app.entities.iter().find_map(|entity| {
            let page = match self {
                Site::Place(_, _, name, _) | Site::Part(name, ..) | Site::Tenant(.., name) if *name == entity.name => None,
                Site::Page(_, _, name, page) if *name == entity.name => Some(*page),
                Site::Conjunct(address, at) => super::conjuncts::find(app, entity, *address, *at)?.page,
                _ => return None,
            };
            Some(Focus { entity: entity.ix, page })
        })
    }
}

/// What is watched, and what is taken away, of one application.
struct Watch {
    app: usize,
    seen: BTreeSet<Site>,
    away: Option<Site>,
}

static WATCHED: RwLock<Vec<Watch>> = RwLock::new(Vec::new());

fn address(app: &'static AppDef) -> usize {
    std::ptr::from_ref(app) as usize
}

/// Whether a condition is taken away; notes that it is there.
fn is_away(app: &'static AppDef, site: impl FnOnce() -> Site) -> bool {
    let of = address(app);
    if WATCHED.read().unwrap_or_else(PoisonError::into_inner).iter().all(|watch| watch.app != of) {
        return false;
    }
    let mut watched = WATCHED.write().unwrap_or_else(PoisonError::into_inner);
    let Some(watch) = watched.iter_mut().find(|watch| watch.app == of) else { return false };
    let site = site();
    let away = watch.away.as_ref() == Some(&site);
    if watch.away.is_none() {
        watch.seen.insert(site);
    }
    away
}

/// What a rule comes to at a place of dz, unless it is taken away there.
pub(crate) fn at(
    app: &'static AppDef,
    place: &'static Location<'static>,
    entity: &'static EntityDef,
    action: &str,
    condition: Condition,
) -> Condition {
    let Some(action) = entity.rule(action).map(|rule| rule.action) else { return condition };
    let is_rule = matches!(condition, Condition::Rows(_));
    match is_rule && is_away(app, || Site::Place(place.file(), place.line(), entity.name, action)) {
        true => Condition::Always,
        false => condition,
    }
}

/// A part of a rule, unless it is taken away.
pub(crate) fn part(app: &'static AppDef, entity: &'static EntityDef, action: &str, name: &'static str, condition: Condition) -> Condition {
    let Some(action) = entity.rule(action).map(|rule| rule.action) else { return condition };
    let is_rule = matches!(condition, Condition::Rows(_));
    if is_rule && is_away(app, || Site::Part(entity.name, action, name)) { Condition::Always } else { condition }
}

/// The rows that a page shows, unless that is taken away.
pub(crate) fn page(
    app: &'static AppDef,
    place: &'static Location<'static>,
    entity: &'static EntityDef,
    page: &'static str,
    condition: Condition,
) -> Condition {
    let narrows = !matches!(condition, Condition::Always);
    match narrows && is_away(app, || Site::Page(place.file(), place.line(), entity.name, page)) {
        true => Condition::Always,
        false => condition,
    }
}

/// A part of an `and`, unless it is taken away.
pub(crate) fn conjunct(app: &'static AppDef, parts: &[Expr], at: usize, condition: Condition) -> Condition {
    let is_rule = matches!(condition, Condition::Rows(_));
    let site = || Site::Conjunct(parts.as_ptr() as usize, at);
    if is_rule && is_away(app, site) { Condition::Always } else { condition }
}

/// Whether the rows of an entity are taken from all tenants at a place of dz.
pub(crate) fn is_open(app: &'static AppDef, place: &'static Location<'static>, entity: &EntityDef) -> bool {
    is_away(app, || Site::Tenant(place.file(), place.line(), entity.name))
}

/// Notes the conditions of an application from now on.
pub(super) fn watch(app: &'static AppDef) {
    WATCHED.write().unwrap_or_else(PoisonError::into_inner).push(Watch { app: address(app), seen: BTreeSet::new(), away: None });
}

/// Takes a condition away, or puts all of them back.
pub(super) fn take_away(app: &'static AppDef, site: Option<Site>) {
    let mut watched = WATCHED.write().unwrap_or_else(PoisonError::into_inner);
    watched.iter_mut().filter(|watch| watch.app == address(app)).for_each(|watch| watch.away.clone_from(&site));
}

/// The conditions that were written so far.
pub(super) fn seen(app: &'static AppDef) -> Vec<Site> {
    let watched = WATCHED.read().unwrap_or_else(PoisonError::into_inner);
    watched.iter().filter(|watch| watch.app == address(app)).flat_map(|watch| watch.seen.iter().cloned()).collect()
}

/// Forgets an application.
pub(super) fn forget(app: &'static AppDef) {
    WATCHED.write().unwrap_or_else(PoisonError::into_inner).retain(|watch| watch.app != address(app));
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Site::Place(file, line, entity, action) => {
                let file = file.rsplit_once("src/").map_or(*file, |(_, file)| file);
                write!(f, "`{action}` of {entity} at {file}:{line}")
            }
            Site::Tenant(file, line, entity) => {
                let file = file.rsplit_once("src/").map_or(*file, |(_, file)| file);
                write!(f, "the tenant of {entity} at {file}:{line}")
            }
            Site::Page(file, line, _, page) => {
                let file = file.rsplit_once("src/").map_or(*file, |(_, file)| file);
                write!(f, "the rows of the page `{page}` at {file}:{line}")
            }
            Site::Part(entity, action, part) => write!(f, "the {part} of `{action}` of {entity}"),
            Site::Conjunct(_, at) => write!(f, "part {} of an `and`", at + 1),
        }
    }
}
