//! The path between two rows on the page of a graph.

use super::Choice;
use crate::{
    Result, Tx, Value,
    def::EntityDef,
    graph::{Budget, Graph},
    web::page::variant::Variant,
};

/// A path on the page.
pub(super) struct PathSteps {
    /// The title of its section.
    pub title: String,
    /// The label of each row, with the address of its page.
    pub steps: Vec<(String, Option<String>)>,
}

/// The path to the chosen row; `None` if no visible row is chosen, or the application cannot find paths.
#[cfg(not(feature = "graph-algorithms"))]
pub(super) fn find(
    _: &mut Tx<'_>,
    _: &Graph,
    _: &Variant,
    _: (&'static EntityDef, &Value),
    _: &Choice,
    _: Budget,
) -> Result<Option<PathSteps>> {
    Ok(None)
}

/// The path to the chosen row; `None` if no visible row is chosen.
#[cfg(feature = "graph-algorithms")]
pub(super) fn find(
    tx: &mut Tx<'_>,
    graph: &Graph,
    variant: &Variant,
    (entity, key): (&'static EntityDef, &Value),
    choice: &Choice,
    budget: Budget,
) -> Result<Option<PathSteps>> {
    use crate::{
        access::Read,
        def::Mode,
        graph::{
            self, Rule, Vertex,
            algorithms::{Topology, shortest_path},
        },
        web::page::columns,
    };

    let (Some(to), Some(from)) = (&choice.to, Vertex::new(entity, key)) else { return Ok(None) };
    if graph::load_nodes::<Read>(tx, graph, std::slice::from_ref(to))?.is_empty() {
        return Ok(None);
    }
    let topology = Topology::find(tx, graph, Rule::Read, &choice.filters(graph), budget)?;
    let Some(path) = shortest_path(graph, &topology, &from, to, false)? else {
        return Ok(Some(PathSteps {
            title: say!("dz-no-path-leads-to-this-row", "No path leads to this row").to_owned(),
            steps: Vec::new(),
        }));
    };
    let nodes = graph::load_nodes::<Read>(tx, graph, &path.vertices)?;
    let mut steps = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let view = columns::find_page(tx, node.entity, Mode::View);
        let href = view.map(|view| columns::row_address(view, node.row.value(node.entity.pk)));
        steps.push((super::lists::label(tx, variant, node), href));
    }
    let length = path.edges.len();
    let title = say!("dz-path-length", count = length; "Path: {count} connection", "Path: {count} connections");
    Ok(Some(PathSteps { title, steps }))
}
