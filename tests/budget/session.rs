//! The session of a request is loaded in one statement, which finds its row by an index.

use diesel::{Connection, RunQueryDsl, connection::SimpleConnection, sql_query, sql_types::Text};
use dz::Engine;

use crate::{client::Client, statements, texts_of};

#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// No data of a session is kept between requests, so its end needs no message to other processes. The statement costs as little as a
/// check for its end would.
pub fn is_one_indexed_read(engine: Engine, url: &str, client: &Client) {
    let asked = || drop(client.get("/auth/me").ok(200));
    assert_eq!(statements(asked), 1, "{engine:?}: who somebody is takes one statement");
    let texts = texts_of(asked);
    let text = texts.iter().find(|text| text.contains("dz_sessions AS s")).expect("the statement about the session");
    let text = text.split(" -- binds").next().unwrap_or_default();
    let plan: Vec<Line> = match engine {
        Engine::Sqlite => {
            let mut conn = diesel::SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("the file");
            sql_query(format!("EXPLAIN QUERY PLAN {text}")).load(&mut conn).expect("a plan")
        }
        Engine::Postgres => {
            let mut conn = diesel::PgConnection::establish(url).expect("the database");
            // The database would read a table with few rows completely, so sequential scans are disabled.
            conn.batch_execute(&format!("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; PREPARE asked AS {text}"))
                .expect("the statement");
            let explain = "EXPLAIN (COSTS OFF) EXECUTE asked(NULL, NULL)";
            #[derive(diesel::QueryableByName)]
            struct Planned {
                #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
                line: String,
            }
            let lines: Vec<Planned> = sql_query(explain).load(&mut conn).expect("a plan");
            lines.into_iter().map(|it| Line { detail: it.line }).collect()
        }
    };
    let plan: Vec<String> = plan.into_iter().map(|line| line.detail).collect();
    let found = match engine {
        Engine::Sqlite => plan.iter().any(|line| line.starts_with("SEARCH s USING") && line.contains("(token_hash=?)")),
        Engine::Postgres => plan.iter().any(|line| line.contains("Index Scan using dz_sessions_pkey")),
    };
    assert!(found, "{engine:?}: the session is not found by its index:\n{}", plan.join("\n"));
    let whole = plan.iter().find(|line| line.starts_with("SCAN") || line.contains("Seq Scan"));
    assert_eq!(whole, None, "{engine:?}: a table is read whole");
}
