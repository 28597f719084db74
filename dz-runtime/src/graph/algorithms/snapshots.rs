//! Topologies in memory: keys, ends and weights of all edges of one tenant, and no other value.
//!
//! A topology depends on nothing but the edges, and is used as long as the version of the edges in the database is the same. What a caller
//! sees of it is decided for each request ([`part`](super::part)).

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::{DateTime, TimeDelta, Utc};

use super::Topology;
use crate::{
    Caller, Value,
    db::graph_version::Version,
    def::AppDef,
    graph::{Budget, Graph},
};

/// The largest number of edges of all topologies together.
const MOST_EDGES: usize = 4_000_000;

/// The maximum age of a topology in memory, because statements of other programs do not change the version.
const MOST_AGE: TimeDelta = TimeDelta::minutes(1);

/// The age at which a topology is loaded again in the background.
const REFRESH_AGE: TimeDelta = TimeDelta::seconds(35);

/// A topology that was not used for this time is removed.
const MOST_IDLE: TimeDelta = TimeDelta::minutes(15);

/// The graph of a topology.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The table of the edges.
    pub edges: &'static str,
    /// The key of the tenant.
    pub tenant: Option<String>,
}

/// The number of edges from which a topology is read in the background: fewer are read faster than a request takes to notice.
pub(super) const LARGE: usize = 10_000;

/// The largest number of topologies that wait to be read in the background.
const MOST_WANTED: usize = 64;

/// What a topology is read from: all edges of a tenant.
#[derive(Debug, Clone)]
pub(super) struct Loader {
    pub tenant: Option<Value>,
    pub graph: Graph,
    /// Without a limit of the time, because requests share the topology.
    pub budget: Budget,
}

impl Loader {
    /// The system in the tenant: the topology has every edge, and each request decides which of them its caller sees.
    pub fn caller(&self, app: &'static AppDef, now: DateTime<Utc>) -> Caller {
        // In its tenant only, also for memberships.
        Caller { system_admin: false, ..Caller::system(app, now).for_tenant(self.tenant.clone()) }
    }
}

/// A topology and its version.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    pub version: Version,
    /// Versions of the tenant before this one. A request that reads an earlier state of the database uses the topology, which is newer.
    pub earlier: Vec<String>,
    /// When all its edges were read.
    pub since: DateTime<Utc>,
    pub topology: Arc<Topology>,
    pub loader: Loader,
}

impl Snapshot {
    /// False if another program can have written edges without a new version. A request that waited began before the
    /// topology was loaded; a clock that was set back makes the age unknown.
    fn is_recent(&self, now: DateTime<Utc>) -> bool {
        (now - self.since).abs() < MOST_AGE
    }

    fn serves(&self, version: &Version, now: DateTime<Utc>) -> bool {
        let is_own = || self.version.own == version.own || self.earlier.contains(&version.own);
        self.is_recent(now) && self.version.all == version.all && is_own()
    }
}

/// A topology in memory for the version of a request.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub topology: Arc<Topology>,
    /// The version of the topology, which is later than that of a request that reads an earlier state of the database.
    pub version: Version,
}

impl From<&Snapshot> for Found {
    fn from(snapshot: &Snapshot) -> Found {
        Found { topology: snapshot.topology.clone(), version: snapshot.version.clone() }
    }
}

struct Entry {
    snapshot: Snapshot,
    /// The time of the latest use.
    used_at: DateTime<Utc>,
    /// The number of the latest use.
    used: u64,
}

#[derive(Default)]
struct All {
    kept: HashMap<Place, Entry>,
    uses: u64,
    /// Topologies to read in the background.
    wanted: HashMap<Place, Loader>,
    /// Graphs that are too large to be kept, with the time at which they can be wanted again.
    unfit: HashMap<Place, DateTime<Utc>>,
}

/// The topologies of an application.
#[derive(Default)]
pub(crate) struct Snapshots {
    all: Mutex<All>,
    /// Held by the request that loads a topology.
    turns: Mutex<HashMap<Place, Arc<Mutex<()>>>>,
    /// How often all edges of a graph were read.
    pub loads: AtomicU64,
    /// How often a topology followed changes.
    pub updates: AtomicU64,
}

impl Snapshots {
    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The topology of a version, if it is in memory.
    pub(super) fn find(&self, place: &Place, version: &Version, now: DateTime<Utc>) -> Option<Found> {
        let mut all = self.lock();
        all.uses += 1;
        let uses = all.uses;
        let kept = all.kept.get_mut(place).filter(|kept| kept.snapshot.serves(version, now))?;
        (kept.used, kept.used_at) = (uses, now);
        Some(Found::from(&kept.snapshot))
    }

    /// A topology of any version that can follow the changes since.
    pub(super) fn latest(&self, place: &Place, now: DateTime<Utc>) -> Option<Snapshot> {
        self.lock().kept.get(place).filter(|kept| kept.snapshot.is_recent(now)).map(|kept| kept.snapshot.clone())
    }

    /// The lock of loading a topology, so that after a write one request loads it and the others wait.
    pub(super) fn turn(&self, place: &Place) -> Arc<Mutex<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        turns.entry(place.clone()).or_default().clone()
    }

    /// Keeps a topology that a request uses, and removes those that were not used for longest if there are too many edges.
    pub(super) fn keep(&self, place: Place, snapshot: Snapshot, now: DateTime<Utc>) {
        let mut all = self.lock();
        all.uses += 1;
        let used = all.uses;
        all.kept.insert(place, Entry { snapshot, used_at: now, used });
        all.limit(MOST_EDGES);
    }

    /// Replaces a topology if it is still kept; it does not count as used.
    pub(super) fn replace(&self, place: &Place, snapshot: Snapshot) {
        let mut all = self.lock();
        if let Some(kept) = all.kept.get_mut(place) {
            kept.snapshot = snapshot;
        }
        all.limit(MOST_EDGES);
    }

    /// True if a topology is in memory that is recent enough to be used.
    pub(super) fn has_recent(&self, place: &Place, now: DateTime<Utc>) -> bool {
        self.lock().kept.get(place).is_some_and(|kept| kept.snapshot.is_recent(now))
    }

    /// Requests that a topology is read in the background, unless one is in memory or the graph is too large.
    pub(super) fn want(&self, place: Place, loader: Loader, now: DateTime<Utc>) {
        let mut all = self.lock();
        all.unfit.retain(|_, until| now < *until);
        if all.kept.contains_key(&place) || all.unfit.contains_key(&place) || all.wanted.len() >= MOST_WANTED {
            return;
        }
        all.wanted.insert(place, loader);
    }

    /// The topologies to read in the background, each once.
    pub(super) fn take_wanted(&self) -> Vec<(Place, Loader)> {
        self.lock().wanted.drain().collect()
    }

    /// Removes a topology whose graph became too large. It is not read again for some time.
    pub(super) fn refuse(&self, place: Place, now: DateTime<Utc>) {
        let mut all = self.lock();
        all.kept.remove(&place);
        all.unfit.insert(place, now + MOST_IDLE);
    }

    /// The large topologies with their versions. One that no request has used since it was read again is not read once more.
    pub(super) fn list_large(&self) -> Vec<(Place, Version, Loader)> {
        let all = self.lock();
        let used = all.kept.iter().filter(|(_, kept)| kept.used_at >= kept.snapshot.since);
        let large = used.map(|(place, kept)| (place, &kept.snapshot)).filter(|(_, kept)| kept.topology.edge_count() >= LARGE);
        large.map(|(place, kept)| (place.clone(), kept.version.clone(), kept.loader.clone())).collect()
    }

    /// True if the topology in memory has this version.
    pub(super) fn has_version(&self, place: &Place, version: &Version) -> bool {
        self.lock().kept.get(place).is_some_and(|kept| kept.snapshot.version == *version)
    }

    /// The number of edges that fit into memory besides those that are kept.
    pub(super) fn room(&self) -> usize {
        MOST_EDGES.saturating_sub(self.edge_count())
    }

    /// The topologies that must be loaded again soon. Those that are no longer used are removed.
    pub(super) fn take_due(&self, now: DateTime<Utc>) -> Vec<(Place, Loader)> {
        let mut all = self.lock();
        all.kept.retain(|_, kept| now < kept.used_at + MOST_IDLE);
        let due = all.kept.iter().filter(|(_, kept)| now >= kept.snapshot.since + REFRESH_AGE);
        due.map(|(place, kept)| (place.clone(), kept.snapshot.loader.clone())).collect()
    }

    /// The number of edges in memory.
    pub fn edge_count(&self) -> usize {
        self.lock().edge_count()
    }

    pub(super) fn count_load(&self) {
        self.loads.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_update(&self) {
        self.updates.fetch_add(1, Ordering::Relaxed);
    }
}

impl All {
    fn edge_count(&self) -> usize {
        self.kept.values().map(|kept| kept.snapshot.topology.edge_count()).sum()
    }

    fn limit(&mut self, most: usize) {
        while self.edge_count() > most {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(place, _)| place.clone());
            match oldest {
                Some(place) => self.kept.remove(&place),
                None => return,
            };
        }
    }
}

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests {
    use super::*;
    use crate::{
        def::EdgeDef,
        graph::{Key, Vertex, algorithms::topology::Edge},
        rows::tests::app::APP,
    };

    static EDGE: EdgeDef = EdgeDef { source: 0, target: 0, kind: None, weight: None, directed: true, acyclic: false };

    fn time() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).expect("a time")
    }

    fn own(version: &str) -> Version {
        Version { own: version.to_owned(), all: "all".to_owned() }
    }

    fn place(edges: &'static str) -> Place {
        Place { edges, tenant: None }
    }

    fn snapshot(version: &str, edges: usize) -> Snapshot {
        let vertex = || Vertex { entity: 0, key: Key::Int(1) };
        let edge = |_| Edge { key: Key::Int(1), weight: 1.0, source: vertex(), target: vertex() };
        let entity = APP.entity(0);
        let graph = Graph { edges: entity, edge: &EDGE, source: entity, target: entity };
        let topology = Arc::new(Topology::new(true, (0..edges).map(edge).collect()));
        let loader = Loader { tenant: None, graph, budget: Budget::without_time(10) };
        Snapshot { version: own(version), earlier: vec!["zero".to_owned()], since: time(), topology, loader }
    }

    #[test]
    fn a_topology_is_used_for_its_versions_and_one_place() {
        let (all, now) = (Snapshots::default(), time());
        all.keep(place("roads"), snapshot("one", 1), now);
        assert!(all.find(&place("roads"), &own("one"), now).is_some());
        assert!(all.find(&place("roads"), &own("zero"), now).is_some(), "the topology is newer than the state that is read");
        assert!(all.find(&place("roads"), &own("two"), now).is_none(), "an edge was written");
        let of_all = Version { all: "later".to_owned(), ..own("one") };
        assert!(all.find(&place("roads"), &of_all, now).is_none(), "edges of any tenant were written");
        assert!(all.latest(&place("roads"), now).is_some(), "it can follow the write");
        assert!(all.find(&place("lanes"), &own("one"), now).is_none());
        assert!(all.find(&Place { tenant: Some("t".to_owned()), ..place("roads") }, &own("one"), now).is_none());
        assert!(
            all.find(&place("roads"), &own("one"), now - TimeDelta::seconds(1)).is_some(),
            "a request that waited uses what it waited for"
        );
        for at in [now + MOST_AGE, now - MOST_AGE] {
            assert!(all.find(&place("roads"), &own("one"), at).is_none(), "another program can have written");
            assert!(all.latest(&place("roads"), at).is_none(), "an edge that another program wrote is not followed");
        }
    }

    #[test]
    fn what_is_used_is_loaded_again_before_it_is_too_old_and_the_rest_is_removed() {
        let (all, now) = (Snapshots::default(), time());
        all.keep(place("roads"), snapshot("one", 1), now);
        assert!(all.take_due(now).is_empty());
        let due = now + REFRESH_AGE;
        assert_eq!(all.take_due(due).into_iter().map(|(place, _)| place).collect::<Vec<_>>(), [place("roads")]);
        all.replace(&place("roads"), Snapshot { since: due, ..snapshot("one", 1) });
        assert!(all.take_due(due).is_empty());
        assert!(all.find(&place("roads"), &own("one"), now + MOST_AGE).is_some(), "no request waits at the end of the minute");
        assert!(all.take_due(now + MOST_AGE + MOST_IDLE).is_empty());
        assert_eq!(all.edge_count(), 0, "it was not used");
        all.replace(&place("roads"), snapshot("two", 1));
        assert_eq!(all.edge_count(), 0, "it was removed while it was loaded");
    }

    #[test]
    fn a_graph_is_wanted_once_and_not_while_it_is_in_memory_or_too_large() {
        let (all, now) = (Snapshots::default(), time());
        let want = |at| all.want(place("roads"), snapshot("one", 1).loader, at);
        let wanted = || all.take_wanted().into_iter().map(|(place, _)| place).collect::<Vec<_>>();
        want(now);
        want(now);
        assert_eq!((wanted(), wanted()), (vec![place("roads")], vec![]));
        all.keep(place("roads"), snapshot("one", LARGE), now);
        want(now);
        assert_eq!(wanted(), []);
        assert!(all.has_recent(&place("roads"), now) && !all.has_recent(&place("roads"), now + MOST_AGE));
        assert_eq!(
            all.list_large().into_iter().map(|(place, version, _)| (place, version)).collect::<Vec<_>>(),
            [(place("roads"), own("one"))]
        );
        assert_eq!(all.room(), MOST_EDGES - LARGE);
        all.refuse(place("roads"), now);
        want(now);
        assert_eq!((all.edge_count(), wanted()), (0, vec![]), "it is too large");
        want(now + MOST_IDLE);
        assert_eq!(wanted(), [place("roads")], "it can be smaller now");
        (0..=MOST_WANTED).for_each(|at| all.want(Place { tenant: Some(at.to_string()), ..place("roads") }, snapshot("one", 1).loader, now));
        assert_eq!(wanted().len(), MOST_WANTED);
    }

    #[test]
    fn the_number_of_edges_in_memory_is_limited() {
        let all = Snapshots::default();
        for edges in ["b", "c", "a"] {
            all.keep(place(edges), snapshot("one", 2), time());
        }
        assert!(all.find(&place("b"), &own("one"), time()).is_some());
        let mut all = all.lock();
        all.limit(4);
        let mut left: Vec<&str> = all.kept.keys().map(|place| place.edges).collect();
        left.sort_unstable();
        assert_eq!(left, ["a", "b"], "the one that was not used for longest is removed");
    }
}
