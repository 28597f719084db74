//! Orders, filters, searches and variants that name nothing.

dz::include_dsl!("ux.dsl");

fn main() {
    let _ = app();
}
