//! The edges in compressed sparse row form (CSR), with 12 bytes for each edge.
//!
//! petgraph's algorithms run on them. Its own `Csr` has no parallel edges, and its adjacency lists take 16 bytes for each edge.

use std::{iter::Rev, ops::Range};

use petgraph::{
    graph::{DiGraph, EdgeIndex, NodeIndex},
    visit::{Data, EdgeRef, GraphBase, IntoEdgeReferences, IntoEdges, IntoNeighbors, IntoNodeIdentifiers, NodeIndexable, Visitable},
};

/// The ends of the edges. The edges are numbered by their sources, and those of one source in the order of their keys.
#[derive(Debug)]
pub(crate) struct Links {
    /// False if edges are followed from either end.
    pub directed: bool,
    /// The number of the first edge of each node, and the number of edges.
    starts: Vec<u32>,
    /// The target of each edge.
    targets: Vec<u32>,
    /// The first position of each node in `entering`, and their number.
    entering_starts: Vec<u32>,
    /// The edges that end at each node and start at another one, each with its source.
    entering: Vec<(u32, u32)>,
}

impl Default for Links {
    fn default() -> Links {
        Links::new(true, 0, &[])
    }
}

/// For each number below `count` the position of its first entry in the sorted list of these numbers, and the length of the list.
fn first_positions(count: usize, numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    for number in numbers {
        starts[number as usize + 1] += 1;
    }
    for at in 0..count {
        starts[at + 1] += starts[at];
    }
    starts
}

impl Links {
    /// Numbers edges that are sorted by their sources. `ends` has the source and the target of each.
    pub fn new(directed: bool, nodes: usize, ends: &[(u32, u32)]) -> Links {
        let starts = first_positions(nodes, ends.iter().map(|(source, _)| *source));
        let targets = ends.iter().map(|(_, target)| *target).collect();
        let others = || (0..).zip(ends).filter(|(_, (source, target))| source != target);
        let entering_starts = first_positions(nodes, others().map(|(_, (_, target))| *target));
        let mut next = entering_starts.clone();
        let mut entering = vec![(0, 0); others().count()];
        for (edge, (source, target)) in others() {
            let at = &mut next[*target as usize];
            entering[*at as usize] = (edge, *source);
            *at += 1;
        }
        Links { directed, starts, targets, entering_starts, entering }
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The source and the target of each edge, in the order of the edges.
    pub fn all_ends(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.node_count()).flat_map(move |node| self.leaving(node).map(move |edge| (node, self.targets[edge] as usize)))
    }

    /// The source of an edge.
    pub fn source(&self, edge: usize) -> NodeIndex<u32> {
        NodeIndex::new(self.starts.partition_point(|start| *start as usize <= edge) - 1)
    }

    /// The edges that start at a node.
    fn leaving(&self, node: usize) -> Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// The edges that end at a node and start at another one.
    fn entering(&self, node: usize) -> Range<usize> {
        self.entering_starts[node] as usize..self.entering_starts[node + 1] as usize
    }

    /// The number of edges that start at a node, and of those that end there.
    pub fn degree(&self, node: NodeIndex<u32>) -> (usize, usize) {
        let leaving = self.leaving(node.index());
        let loops = leaving.clone().filter(|edge| self.targets[*edge] as usize == node.index()).count();
        (leaving.len(), self.entering(node.index()).len() + loops)
    }

    /// The edges over which a node is reached, each as one that leads from it; without direction, the edges of the node.
    pub fn edges_back(&self, node: NodeIndex<u32>) -> Edges<'_> {
        let leaving = if self.directed { 0..0 } else { self.leaving(node.index()) };
        Edges { links: self, node, leaving: leaving.rev(), entering: self.entering(node.index()).rev() }
    }

    /// The edges from one node to another; without direction, also those from the other one.
    pub fn between(&self, from: NodeIndex<u32>, to: NodeIndex<u32>) -> impl Iterator<Item = usize> {
        self.edges(from).filter(move |edge| edge.target == to).map(|edge| edge.id.index())
    }
}

/// An edge that starts at a node; without direction, either of its ends is the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    source: NodeIndex<u32>,
    target: NodeIndex<u32>,
    id: EdgeIndex<u32>,
}

impl EdgeRef for Link {
    type NodeId = NodeIndex<u32>;
    type EdgeId = EdgeIndex<u32>;
    type Weight = ();

    fn source(&self) -> NodeIndex<u32> {
        self.source
    }

    fn target(&self) -> NodeIndex<u32> {
        self.target
    }

    fn weight(&self) -> &() {
        &()
    }

    fn id(&self) -> EdgeIndex<u32> {
        self.id
    }
}

/// The edges of a node, the last first, as petgraph's own graphs have them.
#[derive(Debug, Clone)]
pub(crate) struct Edges<'l> {
    links: &'l Links,
    node: NodeIndex<u32>,
    leaving: Rev<Range<usize>>,
    entering: Rev<Range<usize>>,
}

impl Iterator for Edges<'_> {
    type Item = Link;

    fn next(&mut self) -> Option<Link> {
        let source = self.node;
        if let Some(edge) = self.leaving.next() {
            return Some(Link { source, target: NodeIndex::new(self.links.targets[edge] as usize), id: EdgeIndex::new(edge) });
        }
        let (edge, other) = self.links.entering[self.entering.next()?];
        Some(Link { source, target: NodeIndex::new(other as usize), id: EdgeIndex::new(edge as usize) })
    }
}

/// The neighbours of a node.
#[derive(Debug, Clone)]
pub(crate) struct Neighbours<'l>(Edges<'l>);

impl Iterator for Neighbours<'_> {
    type Item = NodeIndex<u32>;

    fn next(&mut self) -> Option<NodeIndex<u32>> {
        self.0.next().map(|edge| edge.target)
    }
}

impl GraphBase for Links {
    type NodeId = NodeIndex<u32>;
    type EdgeId = EdgeIndex<u32>;
}

impl Data for Links {
    type NodeWeight = ();
    type EdgeWeight = ();
}

/// A set of nodes.
type Visited = <DiGraph<(), (), u32> as Visitable>::Map;

impl Visitable for Links {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited::with_capacity(self.node_count())
    }

    fn reset_map(&self, map: &mut Visited) {
        *map = self.visit_map();
    }
}

impl NodeIndexable for Links {
    fn node_bound(&self) -> usize {
        self.node_count()
    }

    fn to_index(&self, node: NodeIndex<u32>) -> usize {
        node.index()
    }

    fn from_index(&self, at: usize) -> NodeIndex<u32> {
        NodeIndex::new(at)
    }
}

impl<'l> IntoNeighbors for &'l Links {
    type Neighbors = Neighbours<'l>;

    fn neighbors(self, node: NodeIndex<u32>) -> Neighbours<'l> {
        Neighbours(self.edges(node))
    }
}

impl<'l> IntoEdgeReferences for &'l Links {
    type EdgeRef = Link;
    type EdgeReferences = Box<dyn Iterator<Item = Link> + 'l>;

    fn edge_references(self) -> Box<dyn Iterator<Item = Link> + 'l> {
        let link =
            |(edge, (source, target))| Link { source: NodeIndex::new(source), target: NodeIndex::new(target), id: EdgeIndex::new(edge) };
        Box::new(self.all_ends().enumerate().map(link))
    }
}

impl<'l> IntoEdges for &'l Links {
    type Edges = Edges<'l>;

    fn edges(self, node: NodeIndex<u32>) -> Edges<'l> {
        let entering = if self.directed { 0..0 } else { self.entering(node.index()) };
        Edges { links: self, node, leaving: self.leaving(node.index()).rev(), entering: entering.rev() }
    }
}

impl IntoNodeIdentifiers for &Links {
    type NodeIdentifiers = std::iter::Map<Range<usize>, fn(usize) -> NodeIndex<u32>>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.node_count()).map(NodeIndex::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both neighbours and edges of a node, as numbers.
    fn edges_of(links: &Links, node: usize) -> Vec<(usize, usize)> {
        links.edges(NodeIndex::new(node)).map(|edge| (edge.id().index(), edge.target().index())).collect()
    }

    #[test]
    fn edges_are_followed_in_their_direction_or_from_both_ends() {
        let ends = [(0, 1), (0, 1), (1, 1), (2, 0)];
        let (directed, undirected) = (Links::new(true, 3, &ends), Links::new(false, 3, &ends));
        assert_eq!(
            (edges_of(&directed, 0), edges_of(&directed, 1), edges_of(&directed, 2)),
            (vec![(1, 1), (0, 1)], vec![(2, 1)], vec![(3, 0)])
        );
        assert_eq!(edges_of(&undirected, 0), [(1, 1), (0, 1), (3, 2)]);
        assert_eq!(edges_of(&undirected, 1), [(2, 1), (1, 0), (0, 0)], "a loop is one edge of its node");
        assert_eq!(directed.all_ends().collect::<Vec<_>>(), [(0, 1), (0, 1), (1, 1), (2, 0)]);
        assert_eq!((directed.source(1).index(), directed.source(3).index()), (0, 2));
        let back = |links: &Links, node| links.edges_back(NodeIndex::new(node)).map(|edge| edge.target().index()).collect::<Vec<_>>();
        assert_eq!((back(&directed, 0), back(&directed, 1), back(&directed, 2)), (vec![2], vec![0, 0], vec![]));
        assert_eq!(back(&undirected, 0), [1, 1, 2]);
        let degrees = |links: &Links| [0, 1, 2].map(|node| links.degree(NodeIndex::new(node)));
        assert_eq!(degrees(&directed), [(2, 1), (1, 3), (1, 0)]);
        assert_eq!(degrees(&undirected), degrees(&directed));
        let between = |links: &Links, from, to| links.between(NodeIndex::new(from), NodeIndex::new(to)).count();
        assert_eq!((between(&directed, 0, 1), between(&directed, 1, 0), between(&undirected, 1, 0)), (2, 0, 2));
        assert_eq!(Links::default().node_count(), 0);
    }
}
