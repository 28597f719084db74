//! The time of a workspace of eight regions over 100,000 rows: the page and all its fragments, beside the statements of the same regions
//! written by hand: `workspace [sqlite] [postgres] [more] [rows=100000] [rounds=5]`.
//! `more` measures a second workspace with eight other displays. PostgreSQL is the server of `DZ_TEST_POSTGRES`.
//!
//! The application runs as a process; a request at a time, then the fragments of a page side by side, as a browser loads them.

use std::{env, process::ExitCode, thread, time::Instant};

use dz::Engine;
use dz_benches::{
    bare::Bare,
    median,
    requests::{
        Outcome,
        drive::Connection,
        place::{PART, Part, Place},
        served::{PASSWORD, Served},
    },
    words::{Words, engine_of_part},
};

dz::include_dsl!("src/workspace.dsl");

/// The rows of the worker, of any number of rows.
const OWN: u32 = 1_000;
/// The regions of the workspaces, in their order.
const DESK: [&str; 8] = ["figures", "by_state", "recent", "board", "plan", "spread", "coming", "feed"];
const MORE: [&str; 8] = ["by_week", "shares", "path", "heat", "below", "states", "rows", "next"];

fn main() -> ExitCode {
    if env::var_os(PART).is_some() {
        return app().engine(engine_of_part()).main();
    }
    let words = Words::read();
    let (rows, rounds) = (words.number("rows", 100_000).max(OWN), words.number("rounds", 5).max(1));
    match words.engines().into_iter().try_for_each(|engine| measure(engine, rows, rounds, words.has("more"))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(engine: Engine, rows: u32, rounds: u32, more: bool) -> Outcome<()> {
    let place = Place::single(engine, rows)?;
    let served = start(&place)?;
    let mut bare = place.connect(Part::Single)?;
    for (caller, condition) in [("manager", "TRUE"), ("worker", OWNED)] {
        let seen = if caller == "manager" { rows } else { OWN };
        println!("\n{engine:?}, {rows} rows, the caller sees {seen}\n");
        println!("| | dz, ms | by hand, ms | ratio |\n|---|---|---|---|");
        let by_hand: Vec<String> = DESK.iter().map(|region| statements(engine, region, condition)).collect();
        measure_workspace(&served, caller, "desk", &DESK, &mut bare, &by_hand, rounds)?;
        if more {
            println!("\n| | dz, ms | | |\n|---|---|---|---|");
            measure_workspace(&served, caller, "more", &MORE, &mut bare, &[], rounds)?;
        }
    }
    served.end();
    Ok(())
}

/// Prints the time of the page, of each region and of all together, and of the statements written by hand.
fn measure_workspace(
    served: &Served,
    caller: &str,
    workspace: &str,
    regions: &[&str],
    bare: &mut Bare,
    by_hand: &[String],
    rounds: u32,
) -> Outcome<()> {
    let path = |region: &&str| format!("/app/{workspace}-{region}");
    let paths: Vec<String> = [format!("/app/{workspace}")].into_iter().chain(regions.iter().map(path)).collect();
    let request = |path: &String| match caller {
        "manager" => served.request_as_manager("GET", path, "text/html", ""),
        _ => served.request("GET", path, ""),
    };
    let requests: Vec<Vec<u8>> = paths.iter().map(request).collect();
    let mut times = vec![Vec::new(); requests.len()];
    let mut hand = vec![Vec::new(); by_hand.len()];
    let (mut sums, mut hand_sums, mut aside) = (Vec::new(), Vec::new(), Vec::new());
    // The first round is a warm-up.
    for round in 0..=rounds {
        let one: Vec<f64> = requests.iter().map(|it| ask(served.port, it)).collect::<Outcome<_>>()?;
        let own: Vec<f64> = by_hand.iter().map(|sql| bare.run(sql)).collect::<Outcome<_>>()?;
        let all = side_by_side(served.port, &requests)?;
        if round > 0 {
            sums.push(one.iter().sum());
            hand_sums.push(own.iter().sum());
            aside.push(all);
            times.iter_mut().zip(one).for_each(|(times, time)| times.push(time));
            hand.iter_mut().zip(own).for_each(|(times, time)| times.push(time));
        }
    }
    let hand: Vec<f64> = hand.into_iter().map(median).collect();
    let line = |name: &str, ours: f64, by_hand: Option<f64>| match by_hand {
        Some(by_hand) => println!("| {name} | {ours:.2} | {by_hand:.2} | {:.2} |", ours / by_hand),
        None => println!("| {name} | {ours:.2} | | |"),
    };
    for (at, times) in times.into_iter().enumerate() {
        match at.checked_sub(1) {
            Some(region) => line(regions[region], median(times), hand.get(region).copied()),
            None => line("the page", median(times), None),
        }
    }
    line("the page and all regions, one after another", median(sums), (!hand.is_empty()).then(|| median(hand_sums)));
    line("the page, then its regions side by side", median(aside), None);
    Ok(())
}

/// The milliseconds of a request over a connection that is open.
fn ask(port: u16, request: &[u8]) -> Outcome<f64> {
    let mut connection = Connection::open(port)?;
    let start = Instant::now();
    let answer = connection.ask(request)?;
    let took = start.elapsed().as_secs_f64() * 1_000.0;
    match answer.status {
        200 => Ok(took),
        _ => Err(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body)).into()),
    }
}

/// The milliseconds of the page, and after it of all its fragments at the same time.
fn side_by_side(port: u16, requests: &[Vec<u8>]) -> Outcome<f64> {
    let start = Instant::now();
    let [page, regions @ ..] = requests else { return Ok(0.0) };
    ask(port, page)?;
    thread::scope(|scope| {
        let all: Vec<_> = regions.iter().map(|it| scope.spawn(|| ask(port, it).map_err(|error| error.to_string()))).collect();
        all.into_iter().try_for_each(|it| it.join().map_err(|_| "a thread panicked".to_owned())?.map(drop))
    })?;
    Ok(start.elapsed().as_secs_f64() * 1_000.0)
}

/// The condition of the worker's rows.
const OWNED: &str = "owner = (SELECT id FROM users WHERE name = 'Person 1')";

/// The statements of a region as a person writes them for one screen: the same rows, groups and counts.
fn statements(engine: Engine, region: &str, condition: &str) -> String {
    let today = if engine == Engine::Sqlite { "date('now')" } else { "current_date" };
    let first = if engine == Engine::Sqlite { "date('now', 'start of month')" } else { "date_trunc('month', current_date)" };
    let last = match engine {
        Engine::Sqlite => "date('now', 'start of month', '+1 month')",
        Engine::Postgres => "date_trunc('month', current_date) + interval '1 month'",
    };
    let rows = |columns: &str, rest: &str| {
        format!("SELECT {columns} FROM tickets t LEFT JOIN customers c ON c.id = t.customer WHERE {condition} {rest};")
    };
    let card = "t.id, t.title, t.status, c.name, t.due, t.hours, t.created_at, t.updated_at, t.dz_version";
    let count = format!("SELECT count(*) FROM tickets WHERE {condition};");
    match region {
        "figures" => format!(
            "SELECT count(*) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE due < {today} AND status <> 'done'), sum(hours), count(*)
             FROM tickets WHERE {condition}"
        ),
        "by_state" => format!("SELECT status, count(*) FROM tickets WHERE {condition} GROUP BY status"),
        "recent" => rows(card, "ORDER BY t.created_at DESC, t.id LIMIT 10") + &count,
        "board" => {
            let column = |state| rows(card, &format!("AND t.status = '{state}' ORDER BY t.id LIMIT 20"));
            let columns: String = ["open", "doing", "waiting", "done"].map(column).concat();
            columns + &format!("SELECT status, count(*) FROM tickets WHERE {condition} GROUP BY status")
        }
        "plan" => rows(card, &format!("AND t.due >= {first} AND t.due < {last} ORDER BY t.due, t.id LIMIT 500")),
        "spread" => format!(
            "SELECT c.id, c.name, t.status, sum(t.hours) FROM tickets t JOIN customers c ON c.id = t.customer
             WHERE {condition} GROUP BY c.id, c.name, t.status"
        ),
        "coming" => rows(card, "ORDER BY t.due, t.id LIMIT 10") + &count,
        _ => rows(card, "ORDER BY t.updated_at DESC, t.id LIMIT 10") + &count,
    }
}

/// Starts the application with its rows and both callers.
fn start(place: &Place) -> Outcome<Served> {
    for (n, role) in ["manager", "worker"].into_iter().enumerate() {
        let (email, name) = (format!("person{n}@example.com"), format!("name=Person {n}"));
        place.user(Part::Single, &["create", &email, "--set", &name, "--password", PASSWORD])?;
        place.user(Part::Single, &["grant", &email, role])?;
    }
    place.run(Part::Single, &fill(place.engine, place.rows))?;
    if place.engine == Engine::Postgres {
        place.run(Part::Single, "VACUUM ANALYZE")?;
    }
    let served = Served::start(place, Part::Single)?;
    served.with_two_sessions(place, "person0@example.com", "person1@example.com")
}

/// Customers and tickets: due around today, a thousand of the worker, every fourth below another one.
fn fill(engine: Engine, rows: u32) -> String {
    let share = rows / OWN;
    let states = "CASE i % 5 WHEN 0 THEN 'open' WHEN 1 THEN 'doing' WHEN 2 THEN 'waiting' ELSE 'done' END";
    let kinds = "CASE i % 3 WHEN 0 THEN 'question' WHEN 1 THEN 'fault' ELSE 'wish' END";
    let columns = "id, title, status, kind, customer, owner, above, due, hours, created_at, updated_at, dz_state_since";
    let person = |n: u32| format!("(SELECT id FROM users WHERE name = 'Person {n}')");
    let owner = format!("CASE WHEN i % {share} = 0 THEN {} ELSE {} END", person(1), person(0));
    match engine {
        Engine::Sqlite => {
            let key = |kind: u32, n: &str| format!("unhex(printf('%08x000070008000%012x', {kind}, {n}))");
            let at = |n: &str| format!("strftime('%Y-%m-%dT%H:%M:%S.000000Z', 1767225600 + {n}, 'unixepoch')");
            format!(
                "INSERT INTO customers (id, name) WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199) SELECT {}, 'Customer ' || i FROM n;
                 INSERT INTO tickets ({columns}) WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < {rows} - 1)
                 SELECT {}, 'Ticket ' || i, {states}, {kinds}, {}, {owner}, CASE WHEN i % 4 = 3 THEN {} END,
                 date('now', (i * 7919 % 365 - 200) || ' days'), i % 800, {}, {}, {} FROM n;",
                key(1, "i"),
                key(2, "i"),
                key(1, "i * 31 % 200"),
                key(2, "i - i % 4"),
                at("i * 60"),
                at("i * 60 + i * 7919 % 5000"),
                at("i * 60"),
            )
        }
        Engine::Postgres => {
            let key = |kind: u32, n: &str| format!("(lpad(to_hex({kind}), 8, '0') || '000070008000' || lpad(to_hex({n}), 12, '0'))::uuid");
            let at = |n: &str| format!("timestamptz '2026-01-01' + ({n}) * interval '1 second'");
            format!(
                "INSERT INTO customers (id, name) SELECT {}, 'Customer ' || i FROM generate_series(0, 199) AS i;
                 INSERT INTO tickets ({columns}) SELECT {}, 'Ticket ' || i, {states}, {kinds}, {}, {owner}, CASE WHEN i % 4 = 3 THEN {} END,
                 current_date + (i::bigint * 7919 % 365 - 200)::int, (i % 800) / 100.0, {}, {}, {} FROM generate_series(0, {rows} - 1) AS i;",
                key(1, "i"),
                key(2, "i"),
                key(1, "i * 31 % 200"),
                key(2, "i - i % 4"),
                at("i * 60"),
                at("i * 60 + i::bigint * 7919 % 5000"),
                at("i * 60"),
            )
        }
    }
}
