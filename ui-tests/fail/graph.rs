//! A graph with an end that is not a ref, a weight that is not a number, and no edges.

dz::include_dsl!("graph.dsl");

fn main() {
    let _ = app();
}
