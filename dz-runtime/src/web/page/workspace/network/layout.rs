//! Positions of the nodes of a drawing: connected nodes attract each other, and all nodes repel each other (Fruchterman and Reingold).

/// The number of rounds; further rounds change positions by less than a pixel.
const ROUNDS: usize = 120;
/// The width of the drawing for a height of one.
const WIDTH: f64 = 1.8;
/// The pull to the middle, which keeps separate parts together.
const GRAVITY: f64 = 0.6;

/// Positions between 0 and 1 for nodes with these edges. Equal graphs have equal drawings.
pub(super) fn place(count: usize, edges: &[(usize, usize)]) -> Vec<(f64, f64)> {
    if count <= 1 {
        return vec![(0.5, 0.5); count];
    }
    let mut places: Vec<(f64, f64)> = (0..count).map(|at| start(at, count)).collect();
    // The best distance between two nodes.
    let best = (WIDTH / count as f64).sqrt() * 0.8;
    for round in 0..ROUNDS {
        let step = 0.15 * (1.0 - round as f64 / ROUNDS as f64) + 0.002;
        let forces = forces(&places, edges, best);
        for (place, force) in places.iter_mut().zip(forces) {
            let length = force.0.hypot(force.1).max(1e-9);
            let moved = length.min(step) / length;
            place.0 += force.0 * moved;
            place.1 += force.1 * moved;
        }
    }
    fit(&places)
}

/// A place on a spiral, which no other node has.
fn start(at: usize, count: usize) -> (f64, f64) {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let (angle, radius) = (at as f64 * GOLDEN_ANGLE, 0.5 * ((at as f64 + 0.5) / count as f64).sqrt());
    (WIDTH * (0.5 + radius * angle.cos()), 0.5 + radius * angle.sin())
}

fn forces(places: &[(f64, f64)], edges: &[(usize, usize)], best: f64) -> Vec<(f64, f64)> {
    let mut forces: Vec<(f64, f64)> =
        places.iter().map(|(x, y)| ((WIDTH / 2.0 - x) * GRAVITY * best, (0.5 - y) * GRAVITY * best * WIDTH)).collect();
    let between = |from: usize, to: usize| {
        let (dx, dy) = (places[from].0 - places[to].0, places[from].1 - places[to].1);
        (dx, dy, dx.hypot(dy).max(1e-4))
    };
    let mut push = |at: usize, x: f64, y: f64| {
        forces[at].0 += x;
        forces[at].1 += y;
    };
    for from in 0..places.len() {
        for to in 0..from {
            let (dx, dy, distance) = between(from, to);
            let strength = best * best / (distance * distance);
            push(from, dx * strength, dy * strength);
            push(to, -dx * strength, -dy * strength);
        }
    }
    for (from, to) in edges.iter().copied().filter(|(from, to)| from != to && *from < places.len() && *to < places.len()) {
        let (dx, dy, distance) = between(from, to);
        let strength = distance / best;
        push(from, -dx * strength, -dy * strength);
        push(to, dx * strength, dy * strength);
    }
    forces
}

/// Scales the positions to the whole drawing.
fn fit(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let bounds = |of: fn(&(f64, f64)) -> f64| {
        let values = places.iter().map(of);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
    };
    let (xs, ys) = (bounds(|it| it.0), bounds(|it| it.1));
    let share = |value: f64, (low, high): (f64, f64)| if high - low < 1e-6 { 0.5 } else { (value - low) / (high - low) };
    places.iter().map(|(x, y)| (share(*x, xs), share(*y, ys))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_inside_and_apart() {
        for count in [0, 1, 2, 3, 10, 100] {
            let edges: Vec<(usize, usize)> = (1..count).map(|at| (at, at / 2)).chain([(0, 0), (0, 5_000)]).collect();
            let places = place(count, &edges);
            assert_eq!(places.len(), count);
            for (at, (x, y)) in places.iter().enumerate() {
                assert!((0.0..=1.0).contains(x) && (0.0..=1.0).contains(y), "{count}: {x} {y}");
                for (other_x, other_y) in &places[..at] {
                    assert!((x - other_x).hypot(y - other_y) > 0.01, "{count}: two nodes have one place");
                }
            }
            assert_eq!(places, place(count, &edges));
        }
    }

    #[test]
    fn connected_nodes_are_near() {
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)];
        let places = place(6, &edges);
        let distance = |from: usize, to: usize| (places[from].0 - places[to].0).hypot(places[from].1 - places[to].1);
        assert!(distance(0, 1) < distance(0, 3) && distance(3, 4) < distance(1, 4), "{places:?}");
    }
}
