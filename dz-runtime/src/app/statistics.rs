//! Statistics of large edge tables on SQLite.
//!
//! Without statistics SQLite assumes that a column has about ten rows for each value. In an application with tenants every index begins
//! with the tenant, and a step of a walk then reads all edges of the tenant instead of those of a node.

use std::{collections::HashMap, sync::Arc, time::Duration};

use rocket::{
    Orbit, Rocket,
    fairing::{Fairing, Info, Kind},
};

use crate::{
    Engine, Result, Value,
    blocking::Work,
    db::{BindKind, Conn, Database, Statement},
    def::{AppDef, EntityDef},
    state::State,
};

/// The time between two looks at the tables.
const INTERVAL: Duration = Duration::from_secs(60);
/// The number of rows from which a table needs statistics; the next ones are needed when it has twice as many.
const LARGE: i64 = 2_000;

/// Updates the statistics from the start to the shutdown.
pub(super) struct KeepStatistics(pub(super) Arc<State>);

#[rocket::async_trait]
impl Fairing for KeepStatistics {
    fn info(&self) -> Info {
        Info { name: "dz statistics", kind: Kind::Liftoff }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        let (state, mut ended) = (self.0.clone(), rocket.shutdown());
        if state.db.engine() != Engine::Sqlite || state.app.entities.iter().all(|entity| entity.edge.is_none()) {
            return;
        }
        tokio::spawn(async move {
            let mut known: HashMap<&'static str, i64> = HashMap::new();
            loop {
                let shared = state.clone();
                let mut analysed = known.clone();
                // A refused slot means that the instance is busy or ends, and a failure that the file cannot be written.
                let looked = state.threads.run(Work::Write, move || update(&shared.db, shared.app, &mut analysed).map(|()| analysed)).await;
                if let Ok(Ok(now)) = looked {
                    known = now;
                }
                tokio::select! {
                    () = tokio::time::sleep(INTERVAL) => {}
                    () = &mut ended => return,
                }
            }
        });
    }
}

/// Analyses the edge tables that have grown; `known` has the number of rows of each at its last analysis.
fn update(db: &Database, app: &AppDef, known: &mut HashMap<&'static str, i64>) -> Result<()> {
    for entity in app.entities.iter().filter(|entity| entity.edge.is_some()) {
        let rows = count_rows(db, entity)?;
        let wanted = known.get(entity.table).map_or(LARGE, |last| last.saturating_mul(2));
        if rows >= wanted {
            db.run_without_transaction(&mut |conn| analyse(conn, entity.table))?;
            known.insert(entity.table, rows);
        }
    }
    Ok(())
}

/// The largest row number of a table, which needs no scan; 0 if fields have all of its names.
fn count_rows(db: &Database, entity: &'static EntityDef) -> Result<i64> {
    let is_free = |name: &&str| entity.fields.iter().all(|field| !field.name.eq_ignore_ascii_case(name));
    let Some(name) = ["_rowid_", "rowid", "oid"].into_iter().find(is_free) else { return Ok(0) };
    let mut select = Statement::new();
    select.push("SELECT coalesce(max(").push(name).push("), 0) FROM ").ident(entity.table);
    let rows = db.read(&mut |conn| conn.rows(&select, &[BindKind::Int]))?;
    Ok(rows.into_iter().flatten().next().map_or(0, |rows| if let Value::Int(rows) = rows { rows } else { 0 }))
}

/// The view changes the schema, so that other connections read the new statistics.
fn analyse(conn: &mut Conn, table: &str) -> Result<()> {
    let table = table.replace('"', "\"\"");
    conn.batch(&format!(
        "PRAGMA analysis_limit=1000; ANALYZE \"{table}\"; CREATE VIEW \"dz_analysed\" AS SELECT 1; DROP VIEW \"dz_analysed\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        db::{DatabaseConfig, testing::File},
        def::{EdgeDef, FieldDef, Kind},
    };

    const ENDS: EdgeDef = EdgeDef { source: 0, target: 1, kind: None, weight: None, directed: true, acyclic: false };
    static EDGES: EntityDef = EntityDef {
        table: "edges",
        fields: &[FieldDef::new("a", "A", Kind::Int), FieldDef::new("rowid", "B", Kind::Int)],
        edge: Some(ENDS),
        ..EntityDef::EMPTY
    };
    static PAGES: EntityDef = EntityDef { table: "pages", fields: EDGES.fields, ..EntityDef::EMPTY };
    static APP: AppDef = AppDef { entities: &[&EDGES, &PAGES], ..AppDef::EMPTY };

    #[test]
    fn a_table_of_edges_is_analysed_when_it_is_large_and_when_it_has_doubled() {
        let file = File::new();
        let config = DatabaseConfig { url: file.url(), size: 2, row_security: false, idle: DatabaseConfig::IDLE };
        let db = Database::open(Engine::Sqlite, &config).expect("a database");
        let run = |sql: &str| db.run_without_transaction(&mut |conn| conn.batch(sql)).expect("it runs");
        let tables =
            "CREATE TABLE edges (a INTEGER, rowid INTEGER); CREATE INDEX i ON edges (a); CREATE TABLE pages (a INTEGER, rowid INTEGER)";
        run(&format!("{tables}; CREATE INDEX p ON pages (a)"));
        let fill = |rows: u32| {
            let all = format!("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {rows}) SELECT n, 1 FROM c");
            run(&format!("INSERT INTO edges {all}; INSERT INTO pages {all}"));
        };
        let mut known = HashMap::new();
        let mut analysed = |rows: u32| {
            fill(rows);
            update(&db, &APP, &mut known).expect("statistics");
            known.get("edges").copied()
        };
        assert_eq!((analysed(1_999), analysed(1), analysed(1_500)), (None, Some(2_000), Some(2_000)));
        assert_eq!((analysed(500), known.len()), (Some(4_000), 1));
        let mut select = Statement::new();
        select.push("SELECT DISTINCT tbl FROM sqlite_stat1");
        let tables = db.read(&mut |conn| conn.rows(&select, &[BindKind::Text])).expect("statistics");
        assert_eq!(tables, [[Value::Text("edges".to_owned())]]);
    }
}
