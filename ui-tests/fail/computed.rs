//! Computed fields that need each other, and sums of what is no number.

dz::include_dsl!("computed.dsl");

fn main() {
    let _ = app();
}
