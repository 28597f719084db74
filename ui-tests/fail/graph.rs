//! A graph with an end that is no ref, a weight that is no number, and no edges.

dz::include_dsl!("graph.dsl");

fn main() {
    let _ = app();
}
