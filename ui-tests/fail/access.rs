//! Rules for nobody, of actions that are none, and for fields that no account has.

dz::include_dsl!("access.dsl");

fn main() {
    let _ = app();
}
