//! A graph of 100,000 nodes and 1,000,000 edges: neighbourhoods beside the bare statements, and algorithms beside those of petgraph over
//! a loaded graph, each with a handler written by hand in the same process with the same session:
//! `graph [sqlite] [postgres] [nodes=100000] [edges=1000000] [rounds=5] [count=40]`.
//! PostgreSQL is the server of `DZ_TEST_POSTGRES`.

use std::{collections::HashMap, env, process::ExitCode, sync::OnceLock, time::Instant};

use dz::{Cx, Engine, Uuid, Value, serde_json::json};
use dz_benches::{
    median,
    requests::{
        Outcome,
        drive::Connection,
        place::{PART, Part, Place},
        probe::{self, Answer, Token},
        served::{PASSWORD, Served},
    },
    words::{Words, engine_of_part},
};
use dz_runtime::{
    Entity,
    db::{BindKind, Conn, Statement},
    def::{AppDef, EntityDef},
};
use petgraph::{
    Directed,
    algo::astar,
    graph::{Graph, NodeIndex},
    unionfind::UnionFind,
    visit::EdgeRef as _,
};
use rocket::{http::Status, response::content::RawJson, routes};

dz::include_dsl!("src/graph.dsl");

/// The depth of a neighbourhood.
const DEPTH: i64 = 3;

/// The graph of the handlers written by hand.
struct Loaded {
    numbers: Graph<Uuid, f64, Directed, u32>,
    places: HashMap<Uuid, NodeIndex<u32>>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

fn main() -> ExitCode {
    if env::var_os(PART).is_some() {
        return app().mount("/probe", routes![ready, load, neighbourhood, path, components]).engine(engine_of_part()).main();
    }
    let words = Words::read();
    let (nodes, edges) = (words.number("nodes", 100_000), words.number("edges", 1_000_000));
    let (rounds, count) = (words.number("rounds", 5).max(1), words.number("count", 40).max(1));
    match words.engines().into_iter().try_for_each(|engine| measure(engine, (nodes, edges), rounds, count)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Opens the database for the handlers written by hand.
#[rocket::get("/ready")]
async fn ready(cx: Cx) -> dz::Result<Status> {
    probe::open(&cx).await
}

fn failed<E>(_: E) -> Status {
    Status::InternalServerError
}

/// Loads the graph of the handlers written by hand.
#[rocket::get("/load")]
async fn load(token: Token) -> Answer {
    probe::blocking(token, |_, conn, _| {
        let mut select = Statement::new();
        select.push("SELECT origin, goal, minutes FROM lines");
        let rows = conn.rows(&select, &[BindKind::Uuid, BindKind::Uuid, BindKind::Int]).map_err(failed)?;
        let mut loaded = Loaded { numbers: Graph::with_capacity(0, rows.len()), places: HashMap::new() };
        for row in rows {
            let [Value::Uuid(from), Value::Uuid(to), Value::Int(weight)] = row.as_slice() else { continue };
            let [from, to] = [from, to].map(|id| *loaded.places.entry(*id).or_insert_with(|| loaded.numbers.add_node(*id)));
            loaded.numbers.add_edge(from, to, *weight as f64);
        }
        let _ = LOADED.set(loaded);
        Ok(RawJson(b"{}".to_vec()))
    })
    .await
}

/// All columns of some rows.
fn rows(app: &'static AppDef, conn: &mut Conn, entity: &'static EntityDef, condition: Statement) -> Result<Vec<Vec<Value>>, Status> {
    let kinds: Vec<BindKind> = entity.fields.iter().filter_map(|field| BindKind::from_kind(field.kind, app)).collect();
    let names: Vec<String> = entity.fields.iter().map(|field| format!("\"{}\"", field.name)).collect();
    let mut select = Statement::new();
    select.push("SELECT ").push(&names.join(", ")).push(" FROM ").push(entity.table).push(" WHERE ").append(condition);
    conn.rows(&select, &kinds).map_err(failed)
}

/// The nodes at most three edges away, and the edges between them: the walk, the rows of the nodes, and those of the edges.
#[rocket::get("/neighbourhood/<id>")]
async fn neighbourhood(token: Token, id: &str) -> Answer {
    let id = Uuid::parse_str(id).map_err(|_| Status::NotFound)?;
    probe::blocking(token, move |app, conn, _| {
        let engine = conn.engine();
        let mut walk = Statement::new();
        walk.push("WITH RECURSIVE w (k, d) AS (SELECT id, 0 FROM stops WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
        walk.push(" UNION SELECT l.goal, w.d + 1 FROM w ").push(if engine == Engine::Sqlite { "CROSS " } else { "" });
        walk.push("JOIN lines l ON l.origin = w.k WHERE w.d < ").bind(Value::Int(DEPTH), BindKind::Int).push(") SELECT DISTINCT k FROM w");
        let keys: Vec<Value> = conn.rows(&walk, &[BindKind::Uuid]).map_err(failed)?.into_iter().flatten().collect();
        let among = |columns: &[&str]| {
            let mut condition = Statement::new();
            for (at, column) in columns.iter().enumerate() {
                condition.push(if at == 0 { "" } else { " AND " }).push(column).in_list(engine, keys.iter().cloned(), BindKind::Uuid);
            }
            condition
        };
        let nodes = rows(app, conn, stop::Stop::DEF, among(&["id"]))?;
        let edges = rows(app, conn, line::Line::DEF, among(&["origin", "goal"]))?;
        let mut out = b"{\"nodes\":".to_vec();
        out.extend_from_slice(&probe::write_rows(stop::Stop::DEF, &nodes).0);
        out.extend_from_slice(b",\"edges\":");
        out.extend_from_slice(&probe::write_rows(line::Line::DEF, &edges).0);
        out.push(b'}');
        Ok(RawJson(out))
    })
    .await
}

/// The shortest path by weight.
#[rocket::get("/path/<from>/<to>")]
async fn path(token: Token, from: &str, to: &str) -> Answer {
    let ends = Uuid::parse_str(from).and_then(|from| Ok((from, Uuid::parse_str(to)?)));
    let (from, to) = ends.map_err(|_| Status::NotFound)?;
    probe::blocking(token, move |_, _, _| {
        let Loaded { numbers, places } = LOADED.get().ok_or(Status::ServiceUnavailable)?;
        let (start, end) = places.get(&from).copied().zip(places.get(&to).copied()).ok_or(Status::NotFound)?;
        let found = astar(numbers, start, |node| node == end, |edge| *edge.weight(), |_| 0.0);
        let answer = match found {
            Some((weight, nodes)) => {
                let ids: Vec<Uuid> = nodes.iter().map(|node| numbers[*node]).collect();
                json!({ "path": ids, "length": nodes.len() - 1, "weight": weight })
            }
            None => json!({ "path": [], "length": null }),
        };
        Ok(RawJson(answer.to_string().into_bytes()))
    })
    .await
}

/// All nodes in connected groups.
#[rocket::get("/components")]
async fn components(token: Token) -> Answer {
    probe::blocking(token, |_, conn, _| {
        let Loaded { numbers, places } = LOADED.get().ok_or(Status::ServiceUnavailable)?;
        let mut select = Statement::new();
        select.push("SELECT id FROM stops");
        let keys = conn.rows(&select, &[BindKind::Uuid]).map_err(failed)?;
        let mut sets = UnionFind::<u32>::new(numbers.node_count());
        for edge in numbers.edge_references() {
            sets.union(edge.source().index() as u32, edge.target().index() as u32);
        }
        let mut groups: HashMap<u32, Vec<Uuid>> = HashMap::new();
        let mut all: Vec<Vec<Uuid>> = Vec::new();
        for key in keys.into_iter().flatten() {
            let Value::Uuid(id) = key else { continue };
            match places.get(&id) {
                Some(place) => groups.entry(sets.find(place.index() as u32)).or_default().push(id),
                None => all.push(vec![id]),
            }
        }
        all.extend(groups.into_values());
        all.iter_mut().for_each(|group| group.sort_unstable());
        all.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.first().cmp(&right.first())));
        Ok(RawJson(json!({ "count": all.len(), "components": all }).to_string().into_bytes()))
    })
    .await
}

fn measure(engine: Engine, (nodes, edges): (u32, u32), rounds: u32, count: u32) -> Outcome<()> {
    const EMAIL: &str = "person@example.com";
    let place = Place::single(engine, nodes)?;
    place.user(Part::Single, &["create", EMAIL, "--set", "name=Person", "--password", PASSWORD])?;
    place.user(Part::Single, &["grant", EMAIL, "member"])?;
    let filled = place.run(Part::Single, &fill(engine, nodes, edges))?;
    if engine == Engine::Postgres {
        place.run(Part::Single, "VACUUM ANALYZE")?;
    }
    println!("\n{engine:?}, {nodes} nodes, {edges} edges, stored in {:.1} s\n", filled / 1_000.0);
    let mut served = Served::start(&place, Part::Single)?;
    served.sign_in(EMAIL)?;
    let served = served.again(&place)?;
    if served.ask("GET", "/probe/ready", "")?.status != 204 {
        return Err("the handlers by hand are not ready".into());
    }
    first_use(&served, edges, nodes)?;
    compare(&served, nodes, rounds, count)?;
    let seen = write(&served)?;
    println!("| the next path after a new edge, ms | {seen:.0} |");
    served.end();
    Ok(())
}

fn key(kind: u32, n: u32) -> Uuid {
    Uuid::from_u128(u128::from(kind) << 96 | 0x7000_8000 << 48 | u128::from(n))
}

fn timed(served: &Served, path: &str) -> Outcome<f64> {
    let mut connection = Connection::open(served.port)?;
    let start = Instant::now();
    let answer = connection.ask(&served.request("GET", path, ""))?;
    match answer.status {
        200 => Ok(start.elapsed().as_secs_f64() * 1_000.0),
        _ => Err(format!("{path}: {}{}", answer.head, String::from_utf8_lossy(&answer.body)).into()),
    }
}

/// The first load of both graphs, and the memory that dz keeps for it.
fn first_use(served: &Served, edges: u32, nodes: u32) -> Outcome<()> {
    let path = format!("/api/stops/{}/graph/shortest-path?to={}&weighted=true&format=raw", key(1, 1), key(1, nodes / 2));
    // What the process needs for any request is not counted.
    timed(served, &format!("/api/stops/{}/graph?depth=1&format=raw", key(1, 1)))?;
    let before = served.memory()?.1;
    let first = timed(served, &path)?;
    let after = served.memory()?.1;
    println!("| the graph in memory | |\n|---|---|");
    println!("| first path, which loads it, ms | {first:.0} |");
    println!("| the same load by hand, ms | {:.0} |", timed(served, "/probe/load")?);
    println!("| memory after the first path, bytes for each edge | {:.1} |", (after - before) * 1_048_576.0 / f64::from(edges));
    println!("| memory of the process after both, MB | {:.0} |", served.memory()?.1);
    Ok(())
}

fn compare(served: &Served, nodes: u32, rounds: u32, count: u32) -> Outcome<()> {
    println!("\n| | dz, ms | by hand, ms | ratio |\n|---|---|---|---|");
    let at = |n: u32| key(1, n.wrapping_mul(7_919) % nodes);
    let pairs = |ours: &dyn Fn(u32) -> String, theirs: &dyn Fn(u32) -> String| -> Vec<(String, String)> {
        (0..count).map(|n| (ours(n), theirs(n))).collect()
    };
    let neighbourhood =
        pairs(&|n| format!("/api/stops/{}/graph?depth=3&format=raw", at(n)), &|n| format!("/probe/neighbourhood/{}", at(n)));
    let path = pairs(&|n| format!("/api/stops/{}/graph/shortest-path?to={}&weighted=true&format=raw", at(n), at(n + 1_000)), &|n| {
        format!("/probe/path/{}/{}", at(n), at(n + 1_000))
    });
    let components = vec![("/api/stops/graph/components?format=raw".to_owned(), "/probe/components".to_owned())];
    for (name, pairs) in [("neighbourhood of depth 3", neighbourhood), ("shortest path by weight", path), ("components", components)] {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        // The first round is a warm-up.
        for round in 0..=rounds {
            let (mut a, mut b) = (0.0, 0.0);
            for (dz, by_hand) in &pairs {
                a += timed(served, dz)?;
                b += timed(served, by_hand)?;
            }
            if round > 0 {
                ours.push(a / pairs.len() as f64);
                theirs.push(b / pairs.len() as f64);
            }
        }
        let (ours, theirs) = (median(ours), median(theirs));
        println!("| {name} | {ours:.2} | {theirs:.2} | {:.3} |", ours / theirs);
    }
    println!();
    Ok(())
}

/// Milliseconds of the first path after a new edge.
fn write(served: &Served) -> Outcome<f64> {
    let body = json!({ "origin": key(1, 1), "goal": key(1, 2), "minutes": 5 }).to_string();
    let answer = served.ask("POST", "/api/lines", &body)?;
    if answer.status != 201 {
        return Err(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body)).into());
    }
    timed(served, &format!("/api/stops/{}/graph/shortest-path?to={}&weighted=true&format=raw", key(1, 3), key(1, 4)))
}

/// The nodes, and edges from each to pseudo-random others.
fn fill(engine: Engine, nodes: u32, edges: u32) -> String {
    let goal = format!("((i % {nodes} * 7919 + i / {nodes} * 31337 + (i % {nodes}) * (i % 1009) * 13 + 7) % {nodes})");
    match engine {
        Engine::Sqlite => {
            let key = |kind: u32, n: &str| format!("unhex(printf('%08x000070008000%012x', {kind}, {n}))");
            let numbers = |most: u32| format!("WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < {most} - 1)");
            format!(
                "INSERT INTO stops (id, name) {} SELECT {}, 'Stop ' || i FROM n;
                 INSERT INTO lines (id, origin, goal, minutes) {} SELECT {}, {}, {}, 1 + i * 7919 % 97 FROM n;",
                numbers(nodes),
                key(1, "i"),
                numbers(edges),
                key(2, "i"),
                key(1, &format!("i % {nodes}")),
                key(1, &goal),
            )
        }
        Engine::Postgres => {
            let key = |kind: u32, n: &str| format!("('{kind:08x}000070008000' || lpad(to_hex({n}), 12, '0'))::uuid");
            format!(
                "INSERT INTO stops (id, name) SELECT {}, 'Stop ' || i FROM generate_series(0, {nodes} - 1) AS i;
                 INSERT INTO lines (id, origin, goal, minutes) SELECT {}, {}, {}, 1 + i * 7919 % 97 FROM generate_series(0::bigint, {edges} - 1) AS i;",
                key(1, "i"),
                key(2, "i"),
                key(1, &format!("i % {nodes}")),
                key(1, &goal),
            )
        }
    }
}
