//! Indexes that are built concurrently. An interrupted build leaves an index that PostgreSQL updates and never reads.

use super::Conn;
use crate::{
    Engine, Error, Value,
    db::{BindKind, Statement},
    output::log_event,
};

/// The beginnings of the statement.
const STARTS: [&str; 2] = ["CREATE INDEX CONCURRENTLY \"", "CREATE UNIQUE INDEX CONCURRENTLY \""];

/// The name of the index that a script builds.
fn built_name(script: &str) -> Option<String> {
    let line = script.lines().find_map(|line| STARTS.iter().find_map(|start| line.strip_prefix(start)))?;
    let (name, _) = line.split_once("\" ON ")?;
    Some(name.replace("\"\"", "\""))
}

/// Removes an index that an interrupted build left. Returns true if a complete index has the name, because only the record of the
/// migration is missing.
pub(super) fn is_built(conn: &mut Conn, script: &str) -> Result<bool, Error> {
    let Some(name) = built_name(script).filter(|_| conn.engine() == Engine::Postgres) else { return Ok(false) };
    let mut select = Statement::new();
    select.push("SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = ");
    select.bind(Value::Text(name.clone()), BindKind::Text).push(" AND c.relnamespace = current_schema()::regnamespace");
    match conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() {
        Some(Value::Bool(true)) => Ok(true),
        Some(_) => {
            log_event!(info, target: "dz", "the index `{name}` is incomplete, because its build was interrupted: it is built again");
            conn.batch(&format!("DROP INDEX CONCURRENTLY \"{}\"", name.replace('"', "\"\"")))?;
            Ok(false)
        }
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_indexes() {
        let script = "-- safe: indexes `boats`\n\nCREATE UNIQUE INDEX CONCURRENTLY \"boats_name_key\" ON \"boats\" (\"name\");\n";
        assert_eq!(built_name(script).as_deref(), Some("boats_name_key"));
        assert_eq!(built_name("CREATE INDEX \"boats_name_idx\" ON \"boats\" (\"name\");\n"), None);
    }
}
