//! The tests that docs/access.md shows.

use crate::leave::app;

#[test]
fn the_rules_hold() {
    dz::testing::prove_access!(app);
}

#[test]
#[ignore = "takes minutes, and prints a list to review"]
fn undetected_removals() {
    for condition in dz::testing::Proof::new(app).undetected_removals() {
        println!("{condition}");
    }
}
