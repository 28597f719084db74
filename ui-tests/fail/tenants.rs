//! Members of tenants that are none.

dz::include_dsl!("tenants.dsl");

fn main() {
    let _ = app();
}
