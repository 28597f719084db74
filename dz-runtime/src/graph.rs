//! Property graphs over rows: neighbourhoods, lists of edges, and with the feature `graph-algorithms` algorithms over all edges.
//!
//! An edge entity (`graph_edge:`) connects the rows of the entities to which its two references refer. Every statement of this module
//! contains the access rules of nodes and edges, so that a row that is not visible to the caller is neither returned nor followed.

#[cfg(feature = "graph-algorithms")]
pub(crate) mod algorithms;
mod edge_list;
mod neighbourhood;
mod region;
mod subgraph;
mod vertex;
mod visible;

pub(crate) use edge_list::edge_list;
pub(crate) use neighbourhood::neighbourhood;
pub(crate) use region::{edges_with_nodes, nodes_with_edges};
pub(crate) use subgraph::{Node, Subgraph, ends};
#[cfg(feature = "graph-algorithms")]
pub(crate) use subgraph::{load_all_edges, load_edges_between, load_edges_by_key, load_nodes};
#[cfg(feature = "graph-algorithms")]
use vertex::Key;
pub(crate) use vertex::{Vertex, id_text};
#[cfg(feature = "graph-algorithms")]
pub(crate) use visible::Rule;

use std::time::{Duration, Instant};

use crate::{
    Engine, Error, Value,
    db::{
        BindKind, Statement, deadline,
        emit::{Condition, Emit},
    },
    def::{AppDef, EdgeDef, EntityDef, FieldIx},
};

/// A graph: the entity of its edges, and the entities of its nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graph {
    /// The entity of the edges.
    pub edges: &'static EntityDef,
    /// Its declaration.
    pub edge: &'static EdgeDef,
    /// The entity of the nodes at which edges start.
    pub source: &'static EntityDef,
    /// The entity of the nodes at which edges end.
    pub target: &'static EntityDef,
}

impl Graph {
    /// The graph whose edges are the rows of an entity; `None` if the entity declares no edges.
    pub fn from_edges(app: &'static AppDef, edges: &'static EntityDef) -> Option<Graph> {
        let edge = edges.edge.as_ref()?;
        let node = |end: FieldIx| edges.field(end).kind.target().map(|target| app.entity(target));
        Some(Graph { edges, edge, source: node(edge.source)?, target: node(edge.target)? })
    }

    /// The graph of an entity of nodes.
    pub fn from_node(app: &'static AppDef, node: &'static EntityDef) -> Option<Graph> {
        Graph::from_edges(app, app.entity(node.node.as_ref()?.edges))
    }

    /// True if edges connect nodes of two entities.
    pub fn is_heterogeneous(&self) -> bool {
        self.source.ix != self.target.ix
    }

    /// The node with an id as results contain it, or with the key of a row; `start` is the entity to which a key without the name of
    /// its entity belongs, if it can be one of its keys.
    pub fn parse_id(&self, app: &'static AppDef, start: &'static EntityDef, id: &str) -> Vec<Vertex> {
        let others = self.node_entities().filter(|entity| entity.ix != start.ix);
        let mut found = Vec::new();
        for entity in std::iter::once(start).chain(others) {
            let own = id.strip_prefix(entity.name).and_then(|rest| rest.strip_prefix(':'));
            let keys = own.into_iter().chain([id]).filter_map(|text| vertex::parse_key(app, entity, text));
            found.extend(keys.map(|key| Vertex { entity: entity.ix, key }));
        }
        found
    }

    /// The entities of the nodes, each once.
    pub fn node_entities(&self) -> impl Iterator<Item = &'static EntityDef> {
        [Some(self.source), self.is_heterogeneous().then_some(self.target)].into_iter().flatten()
    }
}

/// The code of the refusal of a result that is too large.
pub(crate) const TOO_LARGE: &str = "GRAPH_TOO_LARGE";

/// The number of edges of an algorithm for each element of a result.
#[cfg(feature = "graph-algorithms")]
const EDGES_OF_ALGORITHM: usize = 10;

/// The limits of one result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// The largest number of nodes and edges.
    pub elements: usize,
    /// The time at which the statements of a result end; `None` for edges that requests share.
    ends_at: Option<Instant>,
}

impl Budget {
    /// The limits of a result that begins now.
    pub fn new(elements: usize, time: Duration) -> Budget {
        Budget { elements, ends_at: Some(Instant::now() + time) }
    }

    /// As [`new`](Budget::new), without a limit of the time.
    #[cfg(feature = "graph-algorithms")]
    pub const fn without_time(elements: usize) -> Budget {
        Budget { elements, ends_at: None }
    }

    /// A condition that is false for every further row when the time has passed, so that a statement ends.
    pub fn in_time(self, emit: &Emit<'_>) -> Condition {
        let Some(ends_at) = self.ends_at else { return Condition::Always };
        let mut test = Statement::new();
        match emit.engine {
            Engine::Sqlite => test.push("dz_in_time(").bind(Value::Int(deadline::milliseconds(ends_at)), BindKind::Int).push(")"),
            Engine::Postgres => {
                let left = ends_at.saturating_duration_since(Instant::now()).as_secs_f64();
                test.push("clock_timestamp() < statement_timestamp() + make_interval(secs => ");
                test.bind(Value::Float(left), BindKind::Float).push(")")
            }
        };
        Condition::Rows(test)
    }

    /// The largest number of edges of an algorithm, which needs less memory for an edge than a result.
    #[cfg(feature = "graph-algorithms")]
    pub fn edges_of_algorithm(self) -> usize {
        self.elements.saturating_mul(EDGES_OF_ALGORITHM)
    }

    /// The same budget with at most this number of edges for an algorithm.
    #[cfg(feature = "graph-algorithms")]
    pub fn limit_edges(self, most: usize) -> Budget {
        Budget { elements: self.elements.min(most / EDGES_OF_ALGORITHM), ..self }
    }

    /// Refuses an algorithm over too many edges, or one whose edges were not read in time.
    ///
    /// # Errors
    /// 422 `GRAPH_TOO_LARGE`.
    #[cfg(feature = "graph-algorithms")]
    pub fn check_edges(self, edges: usize) -> Result<(), Error> {
        self.check_time()?;
        let most = self.edges_of_algorithm();
        if edges <= most {
            return Ok(());
        }
        Err(Error::new(422, TOO_LARGE, format!("This graph has more than {most} edges; filter them")))
    }

    /// Refuses a result with too many elements, or after its time: it perhaps lacks rows then.
    ///
    /// # Errors
    /// 422 `GRAPH_TOO_LARGE`.
    pub fn check(self, elements: usize) -> Result<(), Error> {
        self.check_time()?;
        if elements <= self.elements {
            return Ok(());
        }
        let text = format!("This graph has more than {} nodes and edges; filter the edges, or lower the depth", self.elements);
        Err(Error::new(422, TOO_LARGE, text))
    }

    /// Refuses a result after its time.
    fn check_time(self) -> Result<(), Error> {
        if self.ends_at.is_none_or(|ends_at| Instant::now() < ends_at) {
            return Ok(());
        }
        let text = "This graph needs more time than a result may take; filter the edges, or lower the depth";
        Err(Error::new(422, TOO_LARGE, text))
    }
}
