//! Removes conditions from the SQL, one at a time, for mutation testing of the property test.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{operation::Target, plan::Focus, proof::LastTarget};
use crate::{
    db::probe::{Probe, Probed, Site},
    def::AppDef,
};

/// The observed conditions of an application, and the removed one.
struct RecordingProbe {
    state: Mutex<ProbeState>,
    /// The target of the request under way.
    sent: LastTarget,
}

#[derive(Default)]
struct ProbeState {
    /// The observed conditions, with the targets of the requests that they are part of.
    seen: BTreeMap<Site, BTreeSet<Target>>,
    removed: Option<Site>,
}

impl RecordingProbe {
    fn lock(&self) -> MutexGuard<'_, ProbeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Probe for RecordingProbe {
    fn removes(&self, site: Site) -> bool {
        let mut watched = self.lock();
        let removes = watched.removed.as_ref() == Some(&site);
        if watched.removed.is_none() {
            watched.seen.entry(site).or_default().extend(self.sent.get());
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
    /// Starts to observe an application; `sent` is the target of the request under way.
    pub fn observe(app: &'static AppDef, sent: LastTarget) -> Mutations {
        let watch = Arc::new(RecordingProbe { state: Mutex::default(), sent });
        Mutations { watch: watch.clone(), _probed: Probed::install(app, watch) }
    }

    /// Removes a condition, or with `None` restores all.
    pub fn remove(&self, site: Option<Site>) {
        self.watch.lock().removed = site;
    }

    /// The conditions that were observed so far, with the targets of the requests that they are part of.
    pub fn observed_sites(&self) -> BTreeMap<Site, BTreeSet<Target>> {
        self.watch.lock().seen.clone()
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

    /// True if the condition is one of the statements of graphs.
    pub(super) fn is_of_graphs(&self) -> bool {
        match self {
            Site::Place(path, ..) | Site::Tenant(path, ..) | Site::Page(path, ..) => path.contains("/graph/"),
            Site::Part(..) | Site::Conjunct(..) => false,
        }
    }

    /// The entity, the page and the targets of requests that can show the absence of the condition.
    pub(super) fn focus(&self, app: &'static AppDef, targets: &BTreeSet<Target>) -> Option<Focus> {
        app.entities.iter().find_map(|entity| {
            let page = match self {
                Site::Place(_, _, name, _) | Site::Part(name, ..) | Site::Tenant(.., name) if *name == entity.name => None,
                Site::Page(_, _, name, page) if *name == entity.name => Some(*page),
                Site::Conjunct(address, at) => super::conjuncts::find(app, entity, *address, *at)?.page,
                Site::Place(..) | Site::Part(..) | Site::Tenant(..) | Site::Page(..) => return None,
            };
            Some(Focus { entity: entity.ix, page, targets: targets.iter().copied().collect() })
        })
    }
}
