//! The part of a topology in memory that one caller sees. A request reads the keys of the visible edges and nodes, and no ends and weights,
//! so that the rules decide about the rows as they are now.

use std::{collections::HashSet, sync::Arc};

use super::{Topology, links::Links, topology::Weights, update::Origin};
use crate::{
    Error, Result, Tx, Value,
    db::{
        BindKind, Conn, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, EntityIx},
    graph::{
        Budget, Graph, Key,
        visible::{self, Rule},
    },
    rows::{Filter, ROW},
};

/// A caller who sees less than this part of the edges reads them faster with their ends and weights than the keys of all visible nodes.
const SMALL_PART: usize = 16;

/// The rows of an entity that a caller sees.
enum VisibleKeys {
    All,
    These(HashSet<Key>),
}

impl VisibleKeys {
    fn contains(&self, key: &Key) -> bool {
        match self {
            VisibleKeys::All => true,
            VisibleKeys::These(keys) => keys.contains(key),
        }
    }
}

/// The edges of a topology that are visible to the caller, fulfil the filters and have two visible ends; `None` if it is cheaper to read
/// them with their ends and weights.
///
/// # Errors
/// 400 for a field that cannot be filtered; 422 if reading the keys takes longer than the budget allows.
pub(super) fn read_part(
    tx: &mut Tx<'_>,
    graph: &Graph,
    rule: Rule,
    filters: &[Filter],
    budget: Budget,
    all: &Arc<Topology>,
) -> Result<Option<Arc<Topology>>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let condition = visible::edge_condition(&emit, graph, rule, filters)?;
    let most = all.edge_count().saturating_mul(2);
    let Some(edges) = read_visible_keys(tx.conn, &emit, graph.edges, condition, budget, most)? else { return Ok(None) };
    if matches!(&edges, VisibleKeys::These(keys) if keys.len() < all.edge_count() / SMALL_PART) {
        return Ok(None);
    }
    let mut nodes: Vec<(EntityIx, VisibleKeys)> = Vec::new();
    for entity in graph.node_entities() {
        let condition = rule.condition(&emit, entity, ROW);
        let Some(keys) = read_visible_keys(tx.conn, &emit, entity, condition, budget, most)? else { return Ok(None) };
        nodes.push((entity.ix, keys));
    }
    let is_node = |entity: EntityIx, key: &Key| nodes.iter().any(|(of, keys)| *of == entity && keys.contains(key));
    let ends: Vec<bool> = all.vertices.iter().map(|vertex| is_node(vertex.entity, &vertex.key)).collect();
    let is_visible = |(edge, (source, target)): (usize, (usize, usize))| ends[source] && ends[target] && edges.contains(&all.key(edge));
    let kept: Vec<bool> = all.links.all_ends().enumerate().map(is_visible).collect();
    Ok(Some(if kept.iter().all(|kept| *kept) { all.clone() } else { Arc::new(all.part(&kept)) }))
}

/// The keys of the rows of an entity that fulfil a condition; `None` if there are more than `most`.
fn read_visible_keys(
    conn: &mut Conn,
    emit: &Emit<'_>,
    entity: &'static EntityDef,
    condition: Condition,
    budget: Budget,
    most: usize,
) -> Result<Option<VisibleKeys>> {
    let covered = match condition {
        Condition::Always => return Ok(Some(VisibleKeys::All)),
        Condition::Never => return Ok(Some(VisibleKeys::These(HashSet::new()))),
        condition @ Condition::Rows(_) => condition.and(budget.in_time(emit)).into_sql(),
    };
    let kind = BindKind::from_kind(entity.key().kind, emit.app).ok_or_else(|| Error::internal("a row of a graph without a stored key"))?;
    let mut select = Statement::new();
    select.push("SELECT ").column(ROW, entity.key().name).push(" FROM ").append(emit.visible_rows(entity)).push(" AS ").ident(ROW);
    select.push(" WHERE ").append(covered).push(" LIMIT ");
    select.bind(Value::Int(i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1)), BindKind::Int);
    select.cache_within_limit();
    let rows = conn.rows(&select, &[kind])?;
    budget.check_time()?;
    if rows.len() > most {
        return Ok(None);
    }
    Ok(Some(VisibleKeys::These(rows.iter().filter_map(|row| Key::from_value(row.first()?)).collect())))
}

impl Topology {
    /// The same nodes with a part of the edges. Nodes without an edge keep their numbers.
    fn part(&self, kept: &[bool]) -> Topology {
        let order: Vec<usize> = (0..self.edge_count()).filter(|edge| kept[*edge]).collect();
        let ends: Vec<(u32, u32)> =
            self.links.all_ends().zip(kept).filter(|(_, kept)| **kept).map(|((from, to), _)| (from as u32, to as u32)).collect();
        let origins: Vec<Origin> = order.iter().map(|edge| Origin::Kept(*edge)).collect();
        Topology {
            links: Links::new(self.links.directed, self.vertices.len(), &ends),
            weights: Weights::new(order.iter().map(|edge| self.weight(*edge)).collect()),
            keys: self.keys.merge(&origins, Vec::new()),
            vertices: self.vertices.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::graph::{Vertex, algorithms::topology::Edge};

    /// The edges with their keys, weights and ends, in the order of the topology.
    fn list(topology: &Topology) -> Vec<(Key, f64, Vertex, Vertex)> {
        let ends = topology.links.all_ends().map(|(from, to)| (topology.vertices[from].clone(), topology.vertices[to].clone()));
        ends.enumerate().map(|(edge, (from, to))| (topology.key(edge), topology.weight(edge), from, to)).collect()
    }

    #[test]
    fn a_part_has_the_kept_edges_and_all_nodes() {
        let vertex = |number: i64| Vertex { entity: 0, key: Key::Int(number) };
        let keys: [fn(i64) -> Key; 3] =
            [Key::Int, |number| Key::Uuid(Uuid::from_u128(number as u128)), |number| Key::Text(format!("edge {number}"))];
        for key in keys {
            let edge = |number: i64| Edge {
                key: key(number),
                weight: [1.0, 0.1, 2.5][number as usize % 3],
                source: vertex(number % 5),
                target: vertex(number * 7 % 11),
            };
            for directed in [true, false] {
                let all = Topology::new(directed, (0..40).map(edge).collect());
                for modulus in [1, 2, 3, 41] {
                    let is_kept = |(edge, ..): &(Key, f64, Vertex, Vertex)| (0..40).any(|at| at % modulus == 0 && key(at) == *edge);
                    let kept: Vec<bool> = list(&all).iter().map(is_kept).collect();
                    let part = all.part(&kept);
                    let wanted: Vec<_> = list(&all).into_iter().filter(is_kept).collect();
                    assert_eq!(list(&part), wanted);
                    assert_eq!((&part.vertices, part.links.directed), (&all.vertices, directed));
                }
            }
        }
    }
}
