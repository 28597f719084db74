//! The schema: created in an empty database, compared with an existing one.

use super::Conn;
use crate::{Error, def::AppDef};

/// What was found at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An empty database; the schema was created.
    Created,
    /// The schema of this application.
    Matching,
}

/// Creates the schema in an empty database, or compares it with the application's; a difference is an
/// error that names what differs and the way out.
pub fn prepare(conn: &mut Conn, app: &'static AppDef) -> Result<Found, Error> {
    let _ = (conn, app);
    todo!()
}
