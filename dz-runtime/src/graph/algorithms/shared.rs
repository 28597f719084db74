//! The topology of a graph for a caller: that in memory or the visible part of it, or from the database.

use std::{
    collections::BTreeSet,
    sync::{Arc, PoisonError, TryLockError},
};

use super::{
    Topology,
    part::read_part,
    snapshots::{Found, LARGE, Loader, Place, Snapshot, Snapshots},
    topology::Edge,
    update::Writes,
};
use crate::{
    Error, Result, Tx,
    caller::TenantScope,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
        graph_version::{self, Change, Version},
    },
    def::{AppDef, EntityDef},
    graph::{Budget, Graph, Key, Vertex, vertex, visible::Rule},
    rows::{Filter, ROW},
};

impl Topology {
    /// As [`load`](Topology::load), or from memory: a topology in memory has all edges of a tenant and follows the writes since it was
    /// loaded, and a request takes the part of it that its caller sees. Without one, a caller who sees all edges loads it.
    ///
    /// # Errors
    /// Those of [`load`](Topology::load).
    pub fn find(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, filters: &[Filter], budget: Budget) -> Result<Arc<Topology>> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let Some((place, loader)) = shared_place(&emit, graph, budget) else {
            return Topology::load(tx, graph, rule, filters, budget).map(Arc::new);
        };
        let snapshots = tx.state::<Snapshots>()?;
        if filters.is_empty() && shows_all(&emit, graph, rule) {
            return find_all(tx, place, loader, &snapshots).map(|found| found.topology);
        }
        if let Some(found) = find_kept(tx, &place, &loader, &snapshots)?
            && let Some(part) = read_part(tx, graph, rule, filters, budget, &found.topology)?
            // Otherwise an edge was written after the topology, and its ends there are not those that the rules were checked for.
            && graph_version::read(tx.conn, graph.edges, place.tenant.as_deref())? == found.version
        {
            return Ok(part);
        }
        let part = Topology::load(tx, graph, rule, filters, budget)?;
        if part.edge_count() >= LARGE {
            snapshots.want(place, loader, tx.now());
        }
        Ok(Arc::new(part))
    }
}

/// The topology with all edges, which is loaded if it is not in memory.
fn find_all(tx: &mut Tx<'_>, place: Place, loader: Loader, snapshots: &Snapshots) -> Result<Found> {
    let (version, now) = (graph_version::read(tx.conn, loader.graph.edges, place.tenant.as_deref())?, tx.now());
    if let Some(found) = snapshots.find(&place, &version, now) {
        return Ok(found);
    }
    let turn = snapshots.turn(&place);
    let _held = turn.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = follow_latest(tx, &place, &loader, &version, snapshots)? {
        return Ok(found);
    }
    let snapshot = load(tx, &place, loader)?;
    let found = Found::from(&snapshot);
    snapshots.keep(place, snapshot, now);
    snapshots.count_load();
    Ok(found)
}

/// The topology with all edges, if it is in memory or one in memory can follow the writes since.
fn find_kept(tx: &mut Tx<'_>, place: &Place, loader: &Loader, snapshots: &Snapshots) -> Result<Option<Found>> {
    let now = tx.now();
    // Without a topology the request waits for no other one.
    if !snapshots.has_recent(place, now) {
        return Ok(None);
    }
    let version = graph_version::read(tx.conn, loader.graph.edges, place.tenant.as_deref())?;
    if let Some(found) = snapshots.find(place, &version, now) {
        return Ok(Some(found));
    }
    let turn = snapshots.turn(place);
    // While another one reads the graph, this request reads its own edges: it has a connection and a time limit.
    let _held = match turn.try_lock() {
        Ok(held) => held,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return Ok(None),
    };
    follow_latest(tx, place, loader, &version, snapshots)
}

/// The topology in memory after the writes since its version; `None` if there is none, or the writes are not known one by one. The caller
/// has the turn of the place.
fn follow_latest(tx: &mut Tx<'_>, place: &Place, loader: &Loader, version: &Version, snapshots: &Snapshots) -> Result<Option<Found>> {
    let now = tx.now();
    if let Some(found) = snapshots.find(place, version, now) {
        return Ok(Some(found));
    }
    let Some(old) = snapshots.latest(place, now).filter(|old| old.version.all == version.all) else { return Ok(None) };
    let Some(snapshot) = follow(tx, place, loader, &old)? else { return Ok(None) };
    snapshots.count_update();
    let found = Found::from(&snapshot);
    snapshots.keep(place.clone(), snapshot, now);
    Ok(Some(found))
}

/// Reads all edges. The version is read first: if an edge is written in between, the topology is newer than its version, and the next
/// request applies the change again.
///
/// # Errors
/// 422 if there are more edges than the budget allows.
pub(super) fn load(tx: &mut Tx<'_>, place: &Place, loader: Loader) -> Result<Snapshot> {
    let (edges, tenant) = (loader.graph.edges, place.tenant.as_deref());
    let mut version = graph_version::read(tx.conn, edges, tenant)?;
    let mut versions = graph_version::latest_changes(tx.conn, edges, tenant)?.into_iter().map(|change| change.version);
    version.own = versions.next().unwrap_or(version.own);
    let earlier = versions.collect();
    let all = read_all(tx, &loader, Condition::Always, loader.budget.edges_of_algorithm())?;
    loader.budget.check_edges(all.len())?;
    let topology = Arc::new(Topology::new(loader.graph.edge.directed, all));
    Ok(Snapshot { version, earlier, since: tx.now(), topology, loader })
}

/// True if the graph has an edge.
pub(super) fn has_edges(tx: &mut Tx<'_>, loader: &Loader) -> Result<bool> {
    read_all(tx, loader, Condition::Always, 0).map(|edges| !edges.is_empty())
}

/// Reads the edges of the tenant that fulfil a condition, at most one more than `most`, also those that the caller does not see.
fn read_all(tx: &mut Tx<'_>, loader: &Loader, condition: Condition, most: usize) -> Result<Vec<Edge>> {
    let system = loader.caller(tx.app, tx.now());
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &system };
    Topology::read_edges(tx.conn, &emit, &loader.graph, Rule::Read, condition, most)
}

/// The topology after the changes since its version; `None` if they are not known one by one.
fn follow(tx: &mut Tx<'_>, place: &Place, loader: &Loader, old: &Snapshot) -> Result<Option<Snapshot>> {
    let graph = &loader.graph;
    let changes = graph_version::latest_changes(tx.conn, graph.edges, place.tenant.as_deref())?;
    let Some(written) = list_writes(tx.app, graph, &changes, &old.version) else { return Ok(None) };
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = Condition::Rows(concerns(&emit, graph, &written)?);
    let current = read_all(tx, loader, condition, loader.budget.edges_of_algorithm())?;
    let topology = old.topology.updated(&written, current);
    loader.budget.check_edges(topology.edge_count())?;
    let mut versions = changes.into_iter().map(|change| change.version);
    let version = Version { own: versions.next().unwrap_or_default(), all: old.version.all.clone() };
    Ok(Some(Snapshot { version, earlier: versions.collect(), topology: Arc::new(topology), loader: loader.clone(), ..old.clone() }))
}

/// The rows that the changes since a version name; `None` if one names none, or the version is not one of the latest.
pub(super) fn list_writes(app: &'static AppDef, graph: &Graph, changes: &[Change], since: &Version) -> Option<Writes> {
    let is_first = since.own.is_empty() && changes.len() < graph_version::MOST_CHANGES;
    // Before the first write there was no version. A topology in memory is younger than any change that was removed.
    let count = changes.iter().position(|change| change.version == since.own).or_else(|| is_first.then_some(changes.len()))?;
    let (mut edges, mut nodes) = (BTreeSet::new(), BTreeSet::new());
    for change in &changes[..count] {
        let (table, key) = change.row.as_ref()?;
        if table == graph.edges.table {
            edges.insert(vertex::parse_key(app, graph.edges, key)?);
        }
        for entity in graph.node_entities().filter(|entity| entity.table == table) {
            nodes.insert(Vertex { entity: entity.ix, key: vertex::parse_key(app, entity, key)? });
        }
    }
    Some(Writes { edges: edges.into_iter().collect(), nodes: nodes.into_iter().collect() })
}

/// The condition for the edges with the alias [`ROW`] that were written, or start or end at a written node.
fn concerns(emit: &Emit<'_>, graph: &Graph, written: &Writes) -> Result<Statement> {
    let of = |entity: &'static EntityDef| written.nodes.iter().filter(move |node| node.entity == entity.ix).map(|node| &node.key).collect();
    let lists: [(_, Vec<&Key>); 3] =
        [(graph.edges.pk, written.edges.iter().collect()), (graph.edge.source, of(graph.source)), (graph.edge.target, of(graph.target))];
    let mut any = Statement::new();
    for (at, (field, keys)) in lists.into_iter().enumerate() {
        let field = graph.edges.field(field);
        let kind = BindKind::from_kind(field.kind, emit.app).ok_or_else(|| Error::internal("an edge without a stored key"))?;
        any.push(if at == 0 { "(" } else { " OR " }).column(ROW, field.name);
        any.in_list(emit.engine, keys.into_iter().map(Key::to_value), kind);
    }
    any.push(")");
    Ok(any)
}

/// True if the rules of the caller show all edges and nodes of the tenant.
pub(super) fn shows_all(emit: &Emit<'_>, graph: &Graph, rule: Rule) -> bool {
    let is_open = |entity| matches!(rule.condition(emit, entity, ROW), Condition::Always);
    is_open(graph.edges) && graph.node_entities().all(is_open)
}

/// The place of the topology in memory, and how it is loaded; `None` if ends or weights can be masked, or the rows do not belong to one
/// tenant.
pub(super) fn shared_place(emit: &Emit<'_>, graph: &Graph, budget: Budget) -> Option<(Place, Loader)> {
    let masked = [Some(graph.edge.source), Some(graph.edge.target), graph.edge.weight].into_iter().flatten();
    if masked.into_iter().any(|at| graph.edges.field(at).sensitive) {
        return None;
    }
    let scope = |entity| match emit.caller.tenant_scope_of(entity) {
        TenantScope::All => Some(None),
        TenantScope::One(tenant) => Some(Some(tenant)),
        TenantScope::None => None,
    };
    let tenant = scope(graph.edges)?;
    // A caller of all tenants sees no graph with a version of its own.
    if tenant.is_none() && graph.edges.tenancy.tenant.is_some() {
        return None;
    }
    if !graph.node_entities().all(|entity| scope(entity).as_ref() == Some(&tenant)) {
        return None;
    }
    let key = match &tenant {
        Some(tenant) => Some(tenant.to_key_text()?),
        None => None,
    };
    let budget = Budget::without_time(budget.elements);
    Some((Place { edges: graph.edges.table, tenant: key }, Loader { tenant, graph: *graph, budget }))
}

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests {
    use std::sync::atomic::Ordering;

    use chrono::DateTime;

    use super::*;
    use crate::{
        Account, Caller, Engine, Value,
        db::{Conn, testing},
        def::{ActionRule, Comparison, EdgeDef, Expr, FieldDef, Kind, NodeDef, Path},
        hooks::Hooks,
    };

    const LEADS: u64 = 1;
    const IS_OPEN: Expr = Expr::Compare(Comparison::Eq, &Expr::Path(Path::to_field(0, 1)), &Expr::Bool(false));

    static HALT: EntityDef = EntityDef {
        fields: &[FieldDef::new("id", "Id", Kind::Int), FieldDef::new("hidden", "Hidden", Kind::Bool)],
        rules: &[ActionRule { permit: Some(Expr::Or(&[Expr::Role(LEADS), IS_OPEN])), ..ActionRule::new("read") }],
        node: Some(NodeDef { edges: 1, display: None }),
        ..EntityDef::new(0, "Halt", "Halt", "Halts", "halts", 0)
    };
    static TRACK: EntityDef = EntityDef {
        fields: &[
            FieldDef::new("id", "Id", Kind::Int),
            FieldDef::new("one", "One", Kind::Ref(0)),
            FieldDef::new("other", "Other", Kind::Ref(0)),
        ],
        rules: &[ActionRule { permit: Some(Expr::SignedIn), ..ActionRule::new("read") }],
        edge: Some(EdgeDef { source: 1, target: 2, kind: None, weight: None, directed: true, acyclic: false }),
        ..EntityDef::new(1, "Track", "Track", "Tracks", "tracks", 0)
    };
    static APP: AppDef = AppDef { entities: &[&HALT, &TRACK], ..AppDef::EMPTY };

    fn caller(roles: u64) -> Caller {
        let account =
            Account { id: Value::Int(1), email: String::new(), label: String::new(), values: Vec::new(), path_values: Vec::new() };
        Caller { account: Some(account), roles, system_roles: roles, ..Caller::anonymous(&APP, DateTime::UNIX_EPOCH, "") }
    }

    /// The ends of the edges that a caller sees.
    fn ends(conn: &mut Conn, hooks: &Arc<Hooks>, roles: u64) -> Result<Vec<(i64, i64)>> {
        let graph = Graph::from_edges(&APP, &TRACK).expect("a graph");
        let mut tx = Tx::new(conn, &APP, hooks.clone(), caller(roles));
        let found = Topology::find(&mut tx, &graph, Rule::Read, &[], Budget::without_time(100))?;
        let key = |at: usize| if let Key::Int(id) = found.vertices[at].key { id } else { 0 };
        Ok(found.links.all_ends().map(|(from, to)| (key(from), key(to))).collect())
    }

    fn prepare(conn: &mut Conn) -> Result<()> {
        let number = if conn.engine() == Engine::Sqlite { "INTEGER" } else { "BIGSERIAL" };
        conn.batch(&format!(
            "CREATE TABLE dz_meta (key TEXT PRIMARY KEY, value TEXT);
             CREATE TABLE dz_edge_changes (seq {number} PRIMARY KEY, edges TEXT, version TEXT, changed TEXT, row_key TEXT, at {});
             CREATE TABLE halts (id BIGINT PRIMARY KEY, hidden BOOLEAN);
             CREATE TABLE tracks (id BIGINT PRIMARY KEY, one BIGINT, other BIGINT);
             INSERT INTO halts VALUES (1, FALSE), (2, FALSE), (3, FALSE), (4, TRUE);
             INSERT INTO tracks VALUES (1, 1, 2), (2, 2, 3), (3, 3, 4);",
            if conn.engine() == Engine::Sqlite { "TEXT" } else { "TIMESTAMPTZ" }
        ))
    }

    #[test]
    fn a_caller_with_rules_sees_a_part_of_the_graph_in_memory_at_the_version_of_the_database() {
        testing::each_engine(|db| {
            let snapshots = Arc::new(Snapshots::default());
            let mut hooks = Hooks::default();
            hooks.manage(snapshots.clone());
            let hooks = Arc::new(hooks);
            let counts = || (snapshots.loads.load(Ordering::Relaxed), snapshots.updates.load(Ordering::Relaxed));
            db.write(&mut prepare).expect("tables");
            let ends = |roles| db.read(&mut |conn| ends(conn, &hooks, roles)).expect("edges");
            assert_eq!((ends(0), counts()), (vec![(1, 2), (2, 3)], (0, 0)), "nothing is in memory");
            assert_eq!((ends(LEADS), counts()), (vec![(1, 2), (2, 3), (3, 4)], (1, 0)));
            assert_eq!((ends(0), counts()), (vec![(1, 2), (2, 3)], (1, 0)));
            db.write(&mut |conn| {
                conn.batch("UPDATE tracks SET other = 3 WHERE id = 1")?;
                graph_version::change(conn, &TRACK, None, Some((&TRACK, &Value::Int(1))), DateTime::UNIX_EPOCH)
            })
            .expect("a write");
            assert_eq!((ends(0), counts()), (vec![(1, 3), (2, 3)], (1, 1)), "the write is followed");
            db.write(&mut |conn| conn.batch("UPDATE halts SET hidden = TRUE WHERE id = 2")).expect("a write");
            assert_eq!((ends(0), counts()), (vec![(1, 3)], (1, 1)), "rules are those of the rows as they are now");

            // A topology of a later state: its edge 1 can have an end for which the rules were not checked.
            let place = Place { edges: "tracks", tenant: None };
            let mut later = snapshots.latest(&place, DateTime::UNIX_EPOCH).expect("a topology");
            later.earlier.push(std::mem::replace(&mut later.version.own, "later".to_owned()));
            let vertex = |id| Vertex { entity: 0, key: Key::Int(id) };
            let moved = Edge { key: Key::Int(1), weight: 1.0, source: vertex(3), target: vertex(1) };
            later.topology = Arc::new(Topology::new(true, vec![moved]));
            snapshots.keep(place, later, DateTime::UNIX_EPOCH);
            assert_eq!(ends(LEADS), [(3, 1)], "a caller who sees all edges may see the later ones");
            assert_eq!(ends(0), [(1, 3)]);
        });
    }
}
