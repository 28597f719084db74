//! Computed fields that need each other, and sums of what is not a number.

dz::include_dsl!("computed.dsl");

fn main() {
    let _ = app();
}
