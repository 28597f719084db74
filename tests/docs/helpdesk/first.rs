//! The application of docs/tutorial.md before its hook.

dz::include_dsl!("app.dsl");

pub fn application() -> dz::App {
    app()
}
