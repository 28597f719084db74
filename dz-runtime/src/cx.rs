//! The request guard of custom routes.

use crate::{Caller, Result, Tx};

/// Who asks, as a Rocket request guard; it holds no connection and never blocks.
#[derive(Debug)]
pub struct Cx {
    pub(crate) caller: Caller,
}

impl Cx {
    /// Who asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Runs `work` on the blocking pool inside one write transaction; an error rolls all of it back.
    pub async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let _ = work;
        todo!()
    }
}
