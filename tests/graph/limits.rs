//! The limits of results: a larger one, and one that takes longer, is refused with the reason, and others are complete.

use diesel::{Connection, connection::SimpleConnection, pg::PgConnection, sqlite::SqliteConnection};
use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app web_of_pages "Web of pages":
      multi_tenant: true

    persona editor "Editor"

    entity User "Account":
      id: uuid pk
      name: str(60) required

    entity Site "Site":
      id: uuid pk
      archetype: tenant
      name: str(60) required unique

    entity Member "Member":
      id: uuid pk
      archetype: user_membership
      permit:
        list: role(editor)
        read: role(editor)

    entity Page "Page":
      id: int pk
      title: str(60) required
      graph_node:
        edges: Reference
        display: title
      permit:
        list: role(editor)
        read: role(editor)
        create: role(editor)

    entity Reference "Reference":
      id: int pk
      origin: ref Page required
      aim: ref Page required
      graph_edge:
        source: origin
        target: aim
        directed: false
      unique origin, aim
      permit:
        list: role(editor)
        read: role(editor)
        create: role(editor)

    demo:
      User:
        - @ed name: "Ed", email: "ed@pages.example", password: "reads between lines"
      Site:
        - @one name: "One"
      Member:
        - site: @one, user: @ed, personas: [editor], accepted_at: now
}

const ED: (&str, &str) = ("ed@pages.example", "reads between lines");

/// The application with pages and references between them: from each page to as many of the following ones as fit.
fn open(engine: Engine, of: &str, pages: u32, references: u32, settings: Value) -> Client {
    let url = server::new_url(engine, of);
    let base = server::serve_with(app(), engine, url.clone(), json!({ "graph": settings }));
    let count = |most: u32| format!("WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n + 1 < {most})");
    let sql = format!(
        "INSERT INTO pages (id, site, title) {} SELECT n + 1, sites.id, 'Page' FROM c, sites;
         INSERT INTO \"references\" (id, site, origin, aim) {}
           SELECT n + 1, sites.id, n % {pages} + 1, (n % {pages} + n / {pages} + 1) % {pages} + 1 FROM c, sites;",
        count(pages),
        count(references)
    );
    match engine {
        Engine::Sqlite => SqliteConnection::establish(url.trim_start_matches("sqlite://"))
            .expect("a file")
            .batch_execute(&format!("PRAGMA busy_timeout = 20000; {sql}")),
        Engine::Postgres => PgConnection::establish(&url).expect("a server").batch_execute(&sql),
    }
    .expect("rows");
    Client::signed_in(&base, ED)
}

#[test]
fn a_result_larger_than_the_limit_is_refused() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let client = open(engine, "graph_large", 6, 6, json!({ "max_elements": 5 }));
        for path in [
            "pages/1/graph?depth=3",
            "pages/1/graph/reachable",
            "pages/1/graph/shortest-path?to=4",
            "pages/graph/components",
            "pages/graph/components?format=raw",
            "pages/graph/centrality",
            "pages/graph/cycles",
            "references?format=cytoscape",
        ] {
            let problem = client.get(&format!("/api/{path}")).problem(422, "GRAPH_TOO_LARGE");
            assert!(problem["detail"].as_str().is_some_and(|it| it.contains("more than 5 nodes and edges")), "{path} {problem}");
        }
        // Figures of one row have no elements; a reference counts in both directions.
        assert_eq!(client.get("/api/pages/1/graph/degree").ok(200).json()["in"], 2);
    }
}

#[test]
fn a_result_that_takes_longer_than_the_limit_is_refused() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let slow = open(engine, "graph_slow", 300, 6_000, json!({ "max_milliseconds": 1 }));
        // An algorithm over the edges of a filter reads them for this request alone.
        for path in ["pages/1/graph?depth=3", "references?format=cytoscape", "pages/1/graph/degree?id__gte=1"] {
            let problem = slow.get(&format!("/api/{path}")).problem(422, "GRAPH_TOO_LARGE");
            assert!(problem["detail"].as_str().is_some_and(|it| it.contains("needs more time")), "{path} {problem}");
        }
        let client = open(engine, "graph_whole", 300, 6_000, json!({}));
        let whole = client.get("/api/pages/1/graph?depth=3&format=d3").ok(200).json();
        // Twenty references lead forward and twenty back, three times.
        let size = |part: &str| whole[part].as_array().map_or(0, Vec::len);
        assert_eq!((size("nodes"), size("links")), (121, 2_210), "{engine:?}");
    }
}
