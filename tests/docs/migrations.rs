//! The test that docs/migrations.md shows.

/// The application over an empty database of its own.
fn app() -> dz::App {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("indexes-{}.db", std::process::id()));
    crate::leave::app().database_url(format!("sqlite://{}", file.display()))
}

#[test]
fn indexes_are_sufficient() {
    let plan = app().plan().unwrap();
    assert!(plan.is_fine(), "{plan}");
}
