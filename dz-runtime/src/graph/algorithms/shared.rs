//! The topology of a graph for a caller: from memory if the rules exclude no row, or from the database.

use std::{
    collections::BTreeSet,
    sync::{Arc, PoisonError},
};

use super::{
    Topology,
    snapshots::{Loader, Place, Snapshot, Snapshots},
    update::Writes,
};
use crate::{
    Caller, Error, Result, Tx,
    caller::TenantScope,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
        graph_version::{self, Change, Version},
    },
    def::{AppDef, EntityDef},
    graph::{Budget, Graph, Key, Vertex, vertex, visible::Rule},
    output::log_event,
    rows::{Filter, ROW},
    state::{Job, State},
};

impl Topology {
    /// As [`load`](Topology::load), or from memory if the rules of the caller show all edges. A topology in memory follows the writes
    /// since it was loaded.
    ///
    /// # Errors
    /// Those of [`load`](Topology::load).
    pub fn find(tx: &mut Tx<'_>, graph: &Graph, rule: Rule, filters: &[Filter], budget: Budget) -> Result<Arc<Topology>> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let Some(place) = shared_place(&emit, graph, rule).filter(|_| filters.is_empty()) else {
            return Topology::load(tx, graph, rule, filters, budget).map(Arc::new);
        };
        let snapshots = tx.state::<Snapshots>()?;
        let (version, now) = (graph_version::read(tx.conn, graph.edges, place.tenant.as_deref())?, tx.now());
        if let Some(topology) = snapshots.find(&place, &version, now) {
            return Ok(topology);
        }
        let turn = snapshots.turn(&place);
        let _held = turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(topology) = snapshots.find(&place, &version, now) {
            return Ok(topology);
        }
        let loader = Loader { caller: tx.caller.clone(), graph: *graph, rule, budget };
        let followed = match snapshots.latest(&place, now).filter(|old| old.version.all == version.all) {
            Some(old) => follow(tx, &place, &loader, &old)?,
            None => None,
        };
        let snapshot = match followed {
            Some(snapshot) => {
                snapshots.count_update();
                snapshot
            }
            None => load(tx, &place, loader, &snapshots)?,
        };
        let topology = snapshot.topology.clone();
        snapshots.keep(place, snapshot, now);
        Ok(topology)
    }
}

/// Loads each topology again that must not be used much longer, so that requests do not wait for it.
pub(crate) fn refresh(state: &State) {
    let (now, snapshots) = (state.clock.now(), state.hooks.state::<Snapshots>());
    let Ok(snapshots) = snapshots else { return };
    for (place, loader) in snapshots.take_due(now) {
        let caller = Caller { now, ..loader.caller.clone() };
        let loaded = state.run_job_as(Job::Read, &caller, None, &mut |tx| {
            let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
            let is_same = shared_place(&emit, &loader.graph, loader.rule).is_some_and(|now| now == place);
            let loader = Loader { caller: tx.caller.clone(), ..loader.clone() };
            is_same.then(|| load(tx, &place, loader, &snapshots)).transpose()
        });
        match loaded {
            Ok(Some(snapshot)) => snapshots.replace(&place, snapshot),
            Ok(None) => snapshots.remove(&place),
            // The next request loads it, and reports the cause.
            Err(error) => {
                let why = error.internal.as_deref().unwrap_or(&error.detail);
                log_event!(debug, target: "dz", edges = place.edges, why, "the edges of a graph were not read again in the background");
            }
        }
    }
}

/// Reads all edges. The version is read first: if an edge is written in between, the topology is newer than its version, and the next
/// request applies the change again.
fn load(tx: &mut Tx<'_>, place: &Place, loader: Loader, snapshots: &Snapshots) -> Result<Snapshot> {
    let (edges, tenant) = (loader.graph.edges, place.tenant.as_deref());
    let mut version = graph_version::read(tx.conn, edges, tenant)?;
    let mut versions = graph_version::latest_changes(tx.conn, edges, tenant)?.into_iter().map(|change| change.version);
    version.own = versions.next().unwrap_or(version.own);
    let earlier = versions.collect();
    let topology = Topology::load(tx, &loader.graph, loader.rule, &[], loader.budget)?;
    snapshots.count_load();
    Ok(Snapshot { version, earlier, since: tx.now(), topology: Arc::new(topology), loader })
}

/// The topology after the changes since its version; `None` if they are not known one by one.
fn follow(tx: &mut Tx<'_>, place: &Place, loader: &Loader, old: &Snapshot) -> Result<Option<Snapshot>> {
    let graph = &loader.graph;
    let changes = graph_version::latest_changes(tx.conn, graph.edges, place.tenant.as_deref())?;
    let Some(count) = changes.iter().position(|change| change.version == old.version.own) else { return Ok(None) };
    let Some(written) = list_writes(tx.app, graph, &changes[..count]) else { return Ok(None) };
    let most = loader.budget.edges_of_algorithm();
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = Condition::Rows(concerns(&emit, graph, &written)?);
    let current = Topology::read_edges(tx, graph, loader.rule, condition, most)?;
    let topology = old.topology.updated(&written, current);
    loader.budget.check_edges(topology.edge_count())?;
    let mut versions = changes.into_iter().map(|change| change.version);
    let version = Version { own: versions.next().unwrap_or_default(), all: old.version.all.clone() };
    Ok(Some(Snapshot { version, earlier: versions.collect(), topology: Arc::new(topology), loader: loader.clone(), ..old.clone() }))
}

/// The rows that the changes name; `None` if one names none.
fn list_writes(app: &'static AppDef, graph: &Graph, changes: &[Change]) -> Option<Writes> {
    let (mut edges, mut nodes) = (BTreeSet::new(), BTreeSet::new());
    for change in changes {
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

/// The place of the topology in memory, if the rules of the caller show all edges and nodes; otherwise what the caller sees can differ
/// from what others see.
fn shared_place(emit: &Emit<'_>, graph: &Graph, rule: Rule) -> Option<Place> {
    let is_open = |entity| matches!(rule.condition(emit, entity, ROW), Condition::Always);
    let masked = [Some(graph.edge.source), Some(graph.edge.target), graph.edge.weight].into_iter().flatten();
    let is_masked = masked.into_iter().any(|at| graph.edges.field(at).sensitive);
    if is_masked || !is_open(graph.edges) || !graph.node_entities().all(is_open) {
        return None;
    }
    let scope = |entity| match emit.caller.tenant_scope_of(entity) {
        TenantScope::All => Some(None),
        TenantScope::One(tenant) => Some(tenant.to_key_text()),
        TenantScope::None => None,
    };
    let tenant = scope(graph.edges)?;
    // A caller of all tenants sees no graph with a version of its own.
    if tenant.is_none() && graph.edges.tenancy.tenant.is_some() {
        return None;
    }
    let is_same = graph.node_entities().all(|entity| scope(entity) == Some(tenant.clone()));
    is_same.then_some(Place { edges: graph.edges.table, tenant })
}
