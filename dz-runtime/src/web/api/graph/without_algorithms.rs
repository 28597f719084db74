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

/// Refuses a request about one row.
pub(crate) fn refuse_row(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, _) = super::graph_of(tx, call)?;
    tx.ask::<Read>(entity)?;
    refuse()
}

/// Refuses a request about all rows.
pub(crate) fn refuse_all(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let (entity, _) = super::graph_of(tx, call)?;
    tx.ask::<List>(entity)?;
    refuse()
}

pub(crate) use refuse_all as centrality;
pub(crate) use refuse_all as components;
pub(crate) use refuse_all as cycles;
pub(crate) use refuse_row as degree;
pub(crate) use refuse_row as reachable;
pub(crate) use refuse_row as shortest_path;
