//! The cheapest path between two nodes, searched from both ends (Dijkstra's algorithm in both directions, as in T. A. J. Nicholson,
//! "Finding the shortest route between two points in a network", 1966). In a large graph it looks at a small part of the edges that a
//! search from one end looks at.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashMap},
};

use petgraph::{
    graph::NodeIndex,
    visit::{EdgeRef as _, IntoEdges as _},
};

use super::{
    links::{Edges, Links},
    path::Cost,
};

type Node = NodeIndex<u32>;

/// A node to visit; the cheapest is the greatest.
#[derive(Debug, Clone, Copy)]
struct Next {
    cost: Cost,
    node: Node,
}

impl PartialEq for Next {
    fn eq(&self, other: &Next) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Next {}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Next) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Next) -> Ordering {
        let weights = other.cost.weight.total_cmp(&self.cost.weight);
        weights.then(other.cost.length.cmp(&self.cost.length)).then_with(|| other.node.cmp(&self.node))
    }
}

/// The search from one end.
struct Side {
    /// The cheapest known cost of each node that was reached, and the node before it.
    reached: HashMap<Node, (Cost, Node)>,
    next: BinaryHeap<Next>,
}

impl Side {
    fn new(end: Node) -> Side {
        let cost = Cost::default();
        Side { reached: HashMap::from([(end, (cost, end))]), next: BinaryHeap::from([Next { cost, node: end }]) }
    }

    /// The cost of the cheapest node that is not visited yet.
    fn least(&self) -> Option<Cost> {
        self.next.peek().map(|next| next.cost)
    }

    /// Visits the cheapest node. Calls `reach` for each node that it reaches at a lower cost than before.
    fn visit<'l>(&mut self, edges: impl Fn(Node) -> Edges<'l>, cost: impl Fn(usize) -> Cost, mut reach: impl FnMut(Node, Cost)) {
        let Some(Next { cost: start, node }) = self.next.pop() else { return };
        if self.reached.get(&node).is_some_and(|(known, _)| *known < start) {
            return;
        }
        for edge in edges(node) {
            let (to, total) = (edge.target(), start + cost(edge.id().index()));
            if self.reached.get(&to).is_none_or(|(known, _)| total < *known) {
                self.reached.insert(to, (total, node));
                self.next.push(Next { cost: total, node: to });
                reach(to, total);
            }
        }
    }

    /// The nodes from `node` to the end of this side.
    fn trace(&self, mut node: Node) -> Vec<Node> {
        let mut nodes = vec![node];
        while let Some((_, before)) = self.reached.get(&node).filter(|(_, before)| *before != node) {
            nodes.push(*before);
            node = *before;
        }
        nodes
    }
}

/// The nodes of the cheapest path between two different nodes; `None` if there is none. No cost may be negative.
pub(super) fn search(links: &Links, start: Node, end: Node, cost: impl Fn(usize) -> Cost) -> Option<Vec<Node>> {
    let (mut ahead, mut back) = (Side::new(start), Side::new(end));
    let mut best: Option<(Cost, Node)> = None;
    while let (Some(one), Some(other)) = (ahead.least(), back.least()) {
        // Each path that is not known yet costs at least the sum.
        if best.is_some_and(|(found, _)| found <= one + other) {
            break;
        }
        let mut meet = |node: Node, total: Cost, others: &Side| {
            let whole = others.reached.get(&node).map(|(rest, _)| total + *rest);
            if let Some(whole) = whole.filter(|whole| best.is_none_or(|(found, _)| *whole < found)) {
                best = Some((whole, node));
            }
        };
        // The side with fewer nodes to visit is cheaper to continue.
        match ahead.next.len() <= back.next.len() {
            true => ahead.visit(|node| links.edges(node), &cost, |node, total| meet(node, total, &back)),
            false => back.visit(|node| links.edges_back(node), &cost, |node, total| meet(node, total, &ahead)),
        }
    }
    let (_, middle) = best?;
    let mut nodes = ahead.trace(middle);
    nodes.reverse();
    nodes.extend(back.trace(middle).into_iter().skip(1));
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use petgraph::algo::astar;

    use super::*;

    #[test]
    fn paths_cost_as_much_as_those_of_petgraph() {
        let mut seed: u64 = 7;
        let mut below = |end: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % end
        };
        for round in 0..400 {
            let nodes = 2 + below(12);
            let mut ends: Vec<(u32, u32)> = (0..below(3 * nodes)).map(|_| (below(nodes) as u32, below(nodes) as u32)).collect();
            ends.sort_unstable();
            let weights: Vec<f64> = ends.iter().map(|_| below(6) as f64).collect();
            let links = Links::new(round % 2 == 0, nodes as usize, &ends);
            let cost = |edge: usize| Cost { weight: weights[edge], length: 1 };
            for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))).filter(|(from, to)| from != to) {
                let [start, end] = [from, to].map(|at| Node::new(at as usize));
                let known = astar(&links, start, |node| node == end, |edge| cost(edge.id().index()), |_| Cost::default());
                let found = search(&links, start, end, cost);
                assert_eq!(found.is_some(), known.is_some(), "{ends:?} from {from} to {to}");
                let (Some(found), Some((wanted, _))) = (found, known) else { continue };
                assert_eq!((found.first(), found.last()), (Some(&start), Some(&end)));
                let step = |pair: &[Node]| {
                    let costs = links.between(pair[0], pair[1]).map(cost);
                    costs.min_by(|one, other| one.partial_cmp(other).expect("numbers")).expect("an edge")
                };
                let total = found.windows(2).map(step).fold(Cost::default(), |sum, step| sum + step);
                assert_eq!(total, wanted, "{ends:?} from {from} to {to}");
            }
        }
    }
}
