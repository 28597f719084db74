//! A list of 20 rows with two references by GraphQL, beside the JSON list with the same references, and beside servers in Python and
//! Node.js over the same database: `graphql [sqlite] [postgres] [rows=20000] [rounds=5] [count=1000] [alone]`.
//! With `alone` it starts no other server. PostgreSQL is the server of `DZ_TEST_POSTGRES`.

use std::{env, process::ExitCode};

use dz::{
    Engine,
    serde_json::{Value, from_slice, json},
};
use dz_benches::{
    graphql::{self, Other},
    requests::{
        Outcome,
        drive::{Connection, Round, round},
        place::{PART, Part, Place},
        served::{PASSWORD, Served},
        table::middle,
    },
    words::{Words, engine_of_part},
};

dz::include_dsl!("src/graphql.dsl");

/// The rows of a page.
const PAGE: u32 = 20;

fn main() -> ExitCode {
    if env::var_os(PART).is_some() {
        return app().engine(engine_of_part()).main();
    }
    let words = Words::read();
    match words.engines().into_iter().try_for_each(|engine| measure(engine, &words)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A server with the requests that it gets.
struct Side {
    name: String,
    port: u16,
    requests: Vec<Vec<u8>>,
    found: Vec<Round>,
}

fn measure(engine: Engine, words: &Words) -> Outcome<()> {
    let (rows, rounds) = (words.number("rows", 20_000), words.number("rounds", 5).max(1));
    let count = words.number("count", 1_000).max(1) as usize;
    let place = Place::single(engine, rows)?;
    let served = start(&place)?;
    let others = if words.has("alone") { Vec::new() } else { start_others(&place)? };
    let mut sides = vec![
        Side { name: "dz, JSON list".to_owned(), port: served.port, requests: pages(|offset| by_json(&served, offset)), found: Vec::new() },
        Side {
            name: "dz, GraphQL".to_owned(),
            port: served.port,
            requests: pages(|offset| by_graphql(&served, offset)),
            found: Vec::new(),
        },
    ];
    for other in &others {
        let requests = pages(|offset| by_graphql(&served, offset));
        sides.push(Side { name: other.name.to_owned(), port: other.port, requests, found: Vec::new() });
    }
    check(&sides)?;
    // The first round is a warm-up.
    for at in 0..=rounds {
        for side in &mut sides {
            let one = round(side.port, &side.requests, count, 200)?;
            if at > 0 {
                side.found.push(one);
            }
        }
    }
    println!("\n{engine:?}, {rows} rows, a list of {PAGE} with two references\n");
    println!("| | requests/s | p99, ms | bytes of an answer | dz's GraphQL, times as many |\n|---|---|---|---|---|");
    let graphql = middle(&sides[1].found).per_second;
    for side in &sides {
        let found = middle(&side.found);
        println!("| {} | {:.0} | {:.2} | {:.0} | {:.2} |", side.name, found.per_second, found.p99, found.bytes, graphql / found.per_second);
    }
    served.end();
    Ok(())
}

fn pages(request: impl Fn(u32) -> Vec<u8>) -> Vec<Vec<u8>> {
    (0..20).map(|page| request(page * PAGE)).collect()
}

fn by_json(served: &Served, offset: u32) -> Vec<u8> {
    served.request("GET", &format!("/api/tickets?page={}&page_size={PAGE}&sort=title&expand=customer,project", offset / PAGE + 1), "")
}

fn by_graphql(served: &Served, offset: u32) -> Vec<u8> {
    let query = "query Page($limit: Int, $offset: Int) { tickets(limit: $limit, offset: $offset) \
                 { id title status rank due customer { id name city } project { id name code } } }";
    let body = json!({ "query": query, "operationName": "Page", "variables": { "limit": PAGE, "offset": offset } });
    served.request("POST", "/graphql", &body.to_string())
}

/// All servers answer with the same rows.
fn check(sides: &[Side]) -> Outcome<()> {
    let mut first: Option<Vec<Value>> = None;
    for side in sides {
        let answer = Connection::open(side.port)?.ask(side.requests.last().ok_or("no request")?)?;
        let wrong = || format!("{}: {}{}", side.name, answer.head, String::from_utf8_lossy(&answer.body));
        let json: Value = from_slice(&answer.body).map_err(|_| wrong())?;
        let rows = json["data"]["tickets"].as_array().or(json["items"].as_array()).ok_or_else(wrong)?;
        let members = |row: &Value| json!([row["id"], row["title"], row["customer"]["name"], row["project"]["code"], row["due"]]);
        let rows: Vec<Value> = rows.iter().map(members).collect();
        match &first {
            None if rows.len() == PAGE as usize => first = Some(rows),
            Some(first) if *first == rows => {}
            _ => return Err(wrong().into()),
        }
    }
    Ok(())
}

fn start_others(place: &Place) -> Outcome<Vec<Other>> {
    let url = place.url(Part::Single);
    let address = url.strip_prefix("sqlite://").unwrap_or(&url);
    let strawberry = graphql::strawberry(place.engine, address)?;
    let yoga = if place.engine == Engine::Postgres { graphql::yoga(address)? } else { None };
    Ok(strawberry.into_iter().chain(yoga).collect())
}

fn start(place: &Place) -> Outcome<Served> {
    const EMAIL: &str = "person@example.com";
    place.user(Part::Single, &["create", EMAIL, "--set", "name=Person", "--password", PASSWORD])?;
    place.user(Part::Single, &["grant", EMAIL, "member"])?;
    place.run(Part::Single, &fill(place.engine, place.rows))?;
    if place.engine == Engine::Postgres {
        place.run(Part::Single, "VACUUM ANALYZE")?;
    }
    let mut served = Served::start(place, Part::Single)?;
    served.sign_in(EMAIL)?;
    served.again(place)
}

fn fill(engine: Engine, rows: u32) -> String {
    let columns = "id, title, status, rank, due, customer, project";
    let status = "CASE i % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'doing' ELSE 'done' END";
    match engine {
        Engine::Sqlite => {
            let key = |kind: u32, n: &str| format!("unhex(printf('%08x000070008000%012x', {kind}, {n}))");
            let numbers = |most: u32| format!("WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < {most} - 1)");
            format!(
                "INSERT INTO customers (id, name, city) {0} SELECT {1}, 'Customer ' || i, 'City ' || (i % 7) FROM n;
                 INSERT INTO projects (id, name, code) {0} SELECT {2}, 'Project ' || i, 'P' || i FROM n;
                 INSERT INTO tickets ({columns}) {3} SELECT {4}, printf('%08x ', i * 2654435761 % 4294967296) || i, {status}, i % 100,
                 date('2026-01-01', (i % 365) || ' days'), {5}, {6} FROM n;",
                numbers(500),
                key(1, "i"),
                key(2, "i"),
                numbers(rows),
                key(3, "i"),
                key(1, "i * 31 % 500"),
                key(2, "i * 17 % 500"),
            )
        }
        Engine::Postgres => {
            let key = |kind: u32, n: &str| format!("('{kind:08x}000070008000' || lpad(to_hex({n}), 12, '0'))::uuid");
            format!(
                "INSERT INTO customers (id, name, city) SELECT {}, 'Customer ' || i, 'City ' || (i % 7) FROM generate_series(0, 499) AS i;
                 INSERT INTO projects (id, name, code) SELECT {}, 'Project ' || i, 'P' || i FROM generate_series(0, 499) AS i;
                 INSERT INTO tickets ({columns}) SELECT {}, lpad(to_hex(i * 2654435761 % 4294967296), 8, '0') || ' ' || i, {status}, i % 100,
                 date '2026-01-01' + (i % 365)::int, {}, {} FROM generate_series(0::bigint, {rows} - 1) AS i;",
                key(1, "i"),
                key(2, "i"),
                key(3, "i"),
                key(1, "i * 31 % 500"),
                key(2, "i * 17 % 500"),
            )
        }
    }
}
