//! A warning is a warning of the compiler, and can be denied like one.

#![deny(warnings)]

dz::dz! {
    entity Note "Note":
      id: uuid pk
}

fn main() {
    let _ = app();
}
