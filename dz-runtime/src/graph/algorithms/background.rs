//! Topologies that are read in the background, so that no request waits until a whole graph is read: at the start, before they are too old,
//! after more writes than a request follows, and for callers who read large parts of a graph.

use std::sync::PoisonError;

use super::{
    shared::{has_edges, list_writes, load, shared_place, shows_all},
    snapshots::{Loader, Place, Snapshots},
};
use crate::{
    Caller, Error, Result, Tx,
    db::{emit::Emit, graph_version},
    graph::{Budget, Graph, Rule, TOO_LARGE},
    output::log_event,
    state::{Job, State},
};

/// Requests the topologies of the graphs that at least one of these callers sees whole. Graphs of tenants are read when they are used.
pub(crate) fn want_graphs(state: &State, callers: &[Caller]) {
    let Ok(snapshots) = state.hooks.state::<Snapshots>() else { return };
    let elements = usize::try_from(state.config.graph.max_elements).unwrap_or(usize::MAX);
    let of_nodes = state.app.entities.iter().filter_map(|node| Graph::from_node(state.app, node));
    for graph in of_nodes {
        let place = callers.iter().find_map(|caller| {
            let emit = Emit { app: state.app, engine: state.db.engine(), caller };
            let sees_all = [Rule::List, Rule::Read].into_iter().any(|rule| shows_all(&emit, &graph, rule));
            let place = shared_place(&emit, &graph, Budget::without_time(elements));
            place.filter(|(place, _)| sees_all && place.tenant.is_none())
        });
        if let Some((place, loader)) = place {
            snapshots.want(place, loader, state.clock.now());
        }
    }
}

/// Reads each topology that is wanted, that must not be used much longer, or that can no longer follow the writes.
pub(crate) fn refresh(state: &State) {
    let Ok(snapshots) = state.hooks.state::<Snapshots>() else { return };
    for (place, loader) in snapshots.take_wanted() {
        add(state, &snapshots, place, &loader);
    }
    for (place, loader) in snapshots.take_due(state.clock.now()) {
        replace(state, &snapshots, place, &loader);
    }
    for (place, version, loader) in snapshots.list_large() {
        let is_left_behind = run(state, &place, &loader, &mut |tx| {
            let (edges, tenant) = (loader.graph.edges, place.tenant.as_deref());
            let now = graph_version::read(tx.conn, edges, tenant)?;
            if now == version {
                return Ok(false);
            }
            let changes = graph_version::latest_changes(tx.conn, edges, tenant)?;
            Ok(now.all != version.all || list_writes(tx.app, &loader.graph, &changes, &version).is_none())
        });
        if is_left_behind.is_ok_and(|is| is) {
            // A request without rules waits for this read, and does not begin another one; one with rules reads its own edges.
            let turn = snapshots.turn(&place);
            let _held = turn.lock().unwrap_or_else(PoisonError::into_inner);
            if snapshots.has_version(&place, &version) {
                replace(state, &snapshots, place, &loader);
            }
        }
    }
}

/// Reads a topology that is not in memory, if it has edges and there is room for them.
fn add(state: &State, snapshots: &Snapshots, place: Place, loader: &Loader) {
    let turn = snapshots.turn(&place);
    let _held = turn.lock().unwrap_or_else(PoisonError::into_inner);
    if snapshots.has_recent(&place, state.clock.now()) {
        return;
    }
    let limited = Loader { budget: loader.budget.limit_edges(snapshots.room()), ..loader.clone() };
    let read = run(state, &place, loader, &mut |tx| {
        let is_empty = !has_edges(tx, &limited)?;
        if is_empty { Ok(None) } else { load(tx, &place, limited.clone()).map(Some) }
    });
    match read {
        Ok(Some(mut snapshot)) => {
            snapshot.loader = loader.clone();
            snapshots.keep(place, snapshot, state.clock.now());
            snapshots.count_load();
        }
        Ok(None) => {}
        Err(error) => forget_if_large(state, snapshots, place, &error),
    }
}

/// Reads a topology again.
fn replace(state: &State, snapshots: &Snapshots, place: Place, loader: &Loader) {
    match run(state, &place, loader, &mut |tx| load(tx, &place, loader.clone())) {
        Ok(snapshot) => {
            snapshots.replace(&place, snapshot);
            snapshots.count_load();
        }
        Err(error) => forget_if_large(state, snapshots, place, &error),
    }
}

fn forget_if_large(state: &State, snapshots: &Snapshots, place: Place, error: &Error) {
    if error.code == TOO_LARGE {
        snapshots.refuse(place, state.clock.now());
    }
}

/// Runs a read of the system in the tenant of a graph. The next request reports the cause of a failure.
fn run<T>(state: &State, place: &Place, loader: &Loader, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let caller = loader.caller(state.app, state.clock.now());
    state.run_job_as(Job::Read, &caller, None, work).inspect_err(|error| {
        let why = error.internal.as_deref().unwrap_or(&error.detail);
        log_event!(debug, target: "dz", edges = place.edges, why, "the edges of a graph were not read in the background");
    })
}
