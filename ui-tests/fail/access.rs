//! Rules with unknown roles and actions, and with fields that no account has.

dz::include_dsl!("access.dsl");

fn main() {
    let _ = app();
}
