//! Names that are taken, twice there, or cannot be names in Rust.

dz::include_dsl!("names.dsl");

fn main() {
    let _ = app();
}
