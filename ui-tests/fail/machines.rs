//! Warnings of a machine, made errors by the one who builds.

#![deny(warnings)]

dz::include_dsl!("machines.dsl");

fn main() {
    let _ = app();
}
