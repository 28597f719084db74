//! The addresses of algorithms in a build without the feature `graph-algorithms`.

use crate::{
    Error, Result, Tx,
    access::{List, Read},
    state::State,
    web::{Call, Reply},
};

fn refuse() -> Result<Reply> {
    let text = "This application was built without the feature `graph-algorithms` of dz";
    Err(Error::new(501, "NOT_IMPLEMENTED", text))
}

/// `GET /api/{table}/{id}/graph/shortest-path`
pub(crate) fn shortest_path(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, _) = super::graph_of(tx, call)?;
    tx.ask::<Read>(entity)?;
    refuse()
}

/// `GET /api/{table}/graph/components`
pub(crate) fn components(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, _) = super::graph_of(tx, call)?;
    tx.ask::<List>(entity)?;
    refuse()
}
