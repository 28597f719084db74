//! Topologies in memory, for callers whose rules show all edges: keys, ends and weights of one tenant, and no other value.
//!
//! What a caller sees is decided for each request. Only if the rules exclude no row of the tenant, the topology depends on nothing but the
//! edges, and the one of an earlier request is used as long as the version of the edges in the database is the same.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};

use super::Topology;

/// The largest number of edges of all topologies together.
const MOST_EDGES: usize = 4_000_000;

/// The longest use of a topology. Statements of other programs do not change the version.
const MOST_AGE: TimeDelta = TimeDelta::minutes(1);

/// The graph of a topology.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The address of the database.
    pub database: String,
    /// The table of the edges.
    pub edges: &'static str,
    /// The key of the tenant.
    pub tenant: Option<String>,
}

struct Snapshot {
    version: String,
    /// When it was loaded.
    since: DateTime<Utc>,
    topology: Arc<Topology>,
    /// The number of the latest use.
    used: u64,
}

#[derive(Default)]
struct Snapshots {
    kept: HashMap<Place, Snapshot>,
    uses: u64,
}

static SNAPSHOTS: LazyLock<Mutex<Snapshots>> = LazyLock::new(Mutex::default);

/// The topology of a version, if it is in memory.
pub(super) fn find(place: &Place, version: &str, now: DateTime<Utc>) -> Option<Arc<Topology>> {
    let mut all = SNAPSHOTS.lock().unwrap_or_else(PoisonError::into_inner);
    all.uses += 1;
    let uses = all.uses;
    let is_current = |kept: &&mut Snapshot| kept.version == version && now < kept.since + MOST_AGE && kept.since <= now;
    let kept = all.kept.get_mut(place).filter(is_current)?;
    kept.used = uses;
    Some(kept.topology.clone())
}

/// Keeps the topology of a version, and removes those that were not used for longest if there are too many edges.
pub(super) fn keep(place: Place, version: String, topology: Arc<Topology>, now: DateTime<Utc>) {
    let mut all = SNAPSHOTS.lock().unwrap_or_else(PoisonError::into_inner);
    all.uses += 1;
    let used = all.uses;
    all.kept.insert(place, Snapshot { version, since: now, topology, used });
    all.limit(MOST_EDGES);
}

impl Snapshots {
    fn limit(&mut self, most: usize) {
        while self.kept.values().map(|kept| kept.topology.edge_count()).sum::<usize>() > most {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(place, _)| place.clone());
            match oldest {
                Some(place) => self.kept.remove(&place),
                None => return,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topology_is_used_for_one_version_and_one_place() {
        let place = |edges| Place { database: "a test".to_owned(), edges, tenant: None };
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        keep(place("roads"), "one".to_owned(), Arc::default(), now);
        assert!(find(&place("roads"), "one", now).is_some());
        assert!(find(&place("roads"), "two", now).is_none(), "an edge was written");
        assert!(find(&place("lanes"), "one", now).is_none());
        assert!(find(&Place { tenant: Some("t".to_owned()), ..place("roads") }, "one", now).is_none());
        assert!(find(&place("roads"), "one", now + MOST_AGE).is_none(), "another program can have written");
    }

    #[test]
    fn the_number_of_edges_in_memory_is_limited() {
        let mut all = Snapshots::default();
        let vertex = || crate::graph::Vertex { entity: 0, key: crate::graph::Key::Int(1) };
        let edge =
            || crate::graph::algorithms::topology::Edge { key: crate::graph::Key::Int(1), weight: 1.0, source: vertex(), target: vertex() };
        for (used, edges) in [(3, "a"), (1, "b"), (2, "c")] {
            let topology = Arc::new(Topology::new(true, vec![edge(), edge()]));
            let place = Place { database: String::new(), edges, tenant: None };
            all.kept.insert(place, Snapshot { version: String::new(), since: DateTime::default(), topology, used });
        }
        all.limit(4);
        let mut left: Vec<&str> = all.kept.keys().map(|place| place.edges).collect();
        left.sort_unstable();
        assert_eq!(left, ["a", "c"], "the one that was not used for longest is removed");
    }
}
