//! Indentation that is of two kinds or of no block, and blocks without a colon or without lines.

dz::include_dsl!("layout.dsl");

fn main() {
    let _ = app();
}
