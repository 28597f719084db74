//! Relations to nothing, without a way back, and with two.

dz::include_dsl!("relations.dsl");

fn main() {
    let _ = app();
}
