//! Cycles of processes that call or start each other.

use crate::{Span, model::Model};

/// From a process to others, each with the span that refers to it.
pub(crate) type Edges = Vec<Vec<(usize, Span)>>;

/// The text of a cycle: the first process, the verb, and the other processes.
pub(crate) fn describe(model: &Model, cycle: &[usize], does: &str) -> String {
    const SHOWN: usize = 4;
    let name = |at: &usize| format!("`{}`", model.processes[*at].name);
    let Some((first, rest)) = cycle.split_first() else { return String::new() };
    match rest.len() {
        0 => format!("{} {does}", name(first)),
        n if n > SHOWN => format!("{} {does} through {n} others", name(first)),
        _ => format!("{} {does} through {}", name(first), rest.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}

/// The cycles of a graph: each with the edge that closes it, and its processes from the target of that edge on.
pub(crate) fn find_cycles(edges: &Edges) -> Vec<(Span, Vec<usize>)> {
    let mut done = vec![false; edges.len()];
    let mut place: Vec<Option<usize>> = vec![None; edges.len()];
    let mut found = Vec::new();
    for start in 0..edges.len() {
        if done[start] {
            continue;
        }
        // The path from `start`, with the next edge of each process on it.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        place[start] = Some(0);
        while let Some((at, next)) = way.last_mut() {
            let Some((to, span)) = edges[*at].get(*next).copied() else {
                done[*at] = true;
                place[*at] = None;
                way.pop();
                continue;
            };
            *next += 1;
            if let Some(from) = place[to] {
                found.push((span, way[from..].iter().map(|(at, _)| *at).collect()));
            } else if !done[to] {
                place[to] = Some(way.len());
                way.push((to, 0));
            }
        }
    }
    found
}
