//! The conditions under which edges and nodes are part of the graph that a caller sees.

use super::Graph;
use crate::{
    Result,
    access::{self, Action as _, Read, Update},
    db::{
        Statement,
        emit::{Condition, Emit},
    },
    def::EntityDef,
    rows::{self, Filter, ROW},
};

/// The rule that makes a row a part of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The rule for `read`: for the neighbourhood of one row.
    Read,
    /// The rules of a list: for a whole graph.
    List,
}

impl Rule {
    /// The rows of an entity for which the rule holds.
    pub fn condition(self, emit: &Emit<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
        match self {
            Rule::Read => access::row_condition(emit, entity, Read::NAME, alias),
            Rule::List => access::list_condition(emit, entity, alias),
        }
    }
}

/// The condition that the edge with the alias [`ROW`] is visible and fulfils the filters. Its ends are not checked.
///
/// # Errors
/// 400 for a field that cannot be filtered.
pub(crate) fn edge_condition(emit: &Emit<'_>, graph: &Graph, rule: Rule, filters: &[Filter]) -> Result<Condition> {
    let mut visible = rule.condition(emit, graph.edges, ROW);
    // An edge whose end is masked would reveal it.
    if [graph.edge.source, graph.edge.target].into_iter().any(|end| graph.edges.field(end).sensitive) {
        visible = visible.and(access::row_condition(emit, graph.edges, Update::NAME, ROW));
    }
    Ok(visible.and(rows::filter_own_fields(emit, graph.edges, filters)?))
}

/// The condition that `key` is the key of a visible node of an entity; false for null.
pub(crate) fn node_condition(emit: &Emit<'_>, entity: &'static EntityDef, rule: Rule, key: Statement) -> Condition {
    const NODE: &str = "dz_n";
    let covered = match rule.condition(emit, entity, NODE) {
        Condition::Never => return Condition::Never,
        // The key refers to a row, so it needs no search.
        Condition::Always if emit.shows_all_rows(entity) => {
            let mut is_set = key;
            is_set.push(" IS NOT NULL");
            return Condition::Rows(is_set);
        }
        Condition::Always => None,
        Condition::Rows(sql) => Some(sql),
    };
    let mut exists = Statement::new();
    exists.push("EXISTS (SELECT 1 FROM ").append(emit.visible_rows(entity)).push(" AS ").ident(NODE).push(" WHERE ");
    exists.column(NODE, entity.key().name).push(" = ").append(key);
    if let Some(covered) = covered {
        exists.push(" AND ").append(covered);
    }
    exists.push(")");
    Condition::Rows(exists)
}

/// The condition that both ends of the edge with the alias [`ROW`] are visible.
pub(crate) fn ends_condition(emit: &Emit<'_>, graph: &Graph, rule: Rule) -> Condition {
    let end = |entity, field| {
        let mut key = Statement::new();
        key.column(ROW, graph.edges.field(field).name);
        node_condition(emit, entity, rule, key)
    };
    end(graph.source, graph.edge.source).and(end(graph.target, graph.edge.target))
}
