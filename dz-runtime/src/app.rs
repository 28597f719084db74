//! The application: what `app()` returns, configured and started.

use crate::def::AppDef;

/// An application, built from its description and from the Rust beside it.
pub struct App {
    pub(crate) def: &'static AppDef,
}

impl App {
    /// From a description; called by generated code.
    pub fn new(def: &'static AppDef) -> App {
        App { def }
    }
}
