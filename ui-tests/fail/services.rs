//! Calls with the wrong inputs, of services and steps that are not there.

dz::include_dsl!("services.dsl");

fn main() {
    let _ = app();
}
