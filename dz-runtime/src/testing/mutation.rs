//! Removes conditions from the SQL, one at a time, for mutation testing of the property test.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::plan::Focus;
use crate::{
    db::probe::{Probe, Probed, Site},
    def::AppDef,
};

/// The observed conditions of an application, and the removed one.
#[derive(Default)]
struct RecordingProbe(Mutex<ProbeState>);

#[derive(Default)]
struct ProbeState {
    seen: BTreeSet<Site>,
    removed: Option<Site>,
}

impl RecordingProbe {
    fn lock(&self) -> MutexGuard<'_, ProbeState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Probe for RecordingProbe {
    fn removes(&self, site: Site) -> bool {
        let mut watched = self.lock();
        let removes = watched.removed.as_ref() == Some(&site);
        if watched.removed.is_none() {
            watched.seen.insert(site);
        }
        removes
    }
}

/// Observes the conditions of an application until this value is dropped.
pub(super) struct Mutations {
    watch: Arc<RecordingProbe>,
    _probed: Probed,
}

impl Mutations {
    /// Starts to observe an application.
    pub fn observe(app: &'static AppDef) -> Mutations {
        let watch = Arc::new(RecordingProbe::default());
        Mutations { watch: watch.clone(), _probed: Probed::install(app, watch) }
    }

    /// Removes a condition, or with `None` restores all.
    pub fn remove(&self, site: Option<Site>) {
        self.watch.lock().removed = site;
    }

    /// The conditions that were observed so far.
    pub fn observed_sites(&self) -> Vec<Site> {
        self.watch.lock().seen.iter().cloned().collect()
    }
}

impl Site {
    /// True if the condition separates tenants.
    pub(super) fn is_of_tenants(&self) -> bool {
        matches!(self, Site::Tenant(..))
    }

    /// True if the condition excludes rows from a page.
    pub(super) fn is_of_pages(&self) -> bool {
        matches!(self, Site::Page(..))
    }

    /// The entity and the page of requests that can show the absence of the condition.
    pub(super) fn focus(&self, app: &'static AppDef) -> Option<Focus> {
        app.entities.iter().find_map(|entity| {
            let page = match self {
                Site::Place(_, _, name, _) | Site::Part(name, ..) | Site::Tenant(.., name) if *name == entity.name => None,
                Site::Page(_, _, name, page) if *name == entity.name => Some(*page),
                Site::Conjunct(address, at) => super::conjuncts::find(app, entity, *address, *at)?.page,
                Site::Place(..) | Site::Part(..) | Site::Tenant(..) | Site::Page(..) => return None,
            };
            Some(Focus { entity: entity.ix, page })
        })
    }
}
