//! All mistakes of a file at once, each with its place in the file.

dz::include_dsl!("several.dsl");

fn main() {
    let _ = app();
}
