//! A folder of declarations is one application.

dz::include_dsl!("parts");

fn main() {
    let _ = app();
    let _: Option<tag::TagChanges> = None;
}
