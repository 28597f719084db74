//! Requests per second and latency, beside the same application by hand: `requests [sqlite] [postgres] [NAME…] [rows=100000]`,
//! where a name is a kind of request: `list read fragment create move expand bulk csv`. The caller sees 1,000 rows however many
//! there are. PostgreSQL is the server of `DZ_TEST_POSTGRES`.
//!
//! Both applications run as processes of their own, one at a time under load, in turn; the load comes from
//! this process, over loopback, bounded in number and time.

use std::{
    env, fs, io,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use diesel::{Connection as _, connection::SimpleConnection};
use dz::{Engine, serde_json::Value};
use dz_benches::{
    median,
    requests::{
        by_hand, declared,
        drive::{Connection, Round, round},
    },
};

/// What the caller sees, however many rows there are.
const SEEN: u32 = 1_000;
const ROUNDS: usize = 5;
/// Says what this process is, and on which engine, in place of the one that measures.
const PART: &str = "DZ_BENCH_PART";
const ENGINE: &str = "DZ_BENCH_ENGINE";

type Done<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let engine = if env::var(ENGINE).is_ok_and(|it| it == "postgres") { Engine::Postgres } else { Engine::Sqlite };
    let url = || env::var("DATABASE_URL").unwrap_or_default();
    match env::var(PART).as_deref() {
        Ok("dz") => return declared::requests().engine(engine).main(),
        Ok("by-hand") => {
            let rocket = if engine == Engine::Sqlite { by_hand::sqlite::rocket(&url()) } else { by_hand::postgres::rocket(&url()) };
            return if rocket::execute(rocket.launch()).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        _ => {}
    }
    let words: Vec<String> = env::args().skip(1).collect();
    let rows = words.iter().find_map(|it| it.strip_prefix("rows=")?.parse().ok()).unwrap_or(100_000_u32).max(SEEN);
    let said = |name: &str| words.iter().any(|it| it == name);
    let engines: Vec<Engine> = [("sqlite", Engine::Sqlite), ("postgres", Engine::Postgres)]
        .into_iter()
        .filter(|(name, _)| said(name) || !(said("sqlite") || said("postgres")))
        .map(|it| it.1)
        .collect();
    let some = KINDS.iter().any(|it| said(it.word));
    let kinds: Vec<&Measured> = KINDS.iter().filter(|it| !some || said(it.word)).collect();
    match engines.into_iter().try_for_each(|engine| measure(engine, rows, &kinds)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A kind of request, and how often it is sent in a round.
struct Measured {
    word: &'static str,
    name: &'static str,
    kind: Kind,
    count: usize,
}

const KINDS: [Measured; 8] = [
    Measured { word: "list", name: "JSON list of 20", kind: Kind::List, count: 4_000 },
    Measured { word: "expand", name: "JSON list of 20 with their owners", kind: Kind::Expand, count: 4_000 },
    Measured { word: "read", name: "JSON read", kind: Kind::Read, count: 8_000 },
    Measured { word: "fragment", name: "page fragment of 20", kind: Kind::Fragment, count: 4_000 },
    Measured { word: "create", name: "create, with two invariants", kind: Kind::Create, count: 3_000 },
    // A round, and a tenth of it, moves every row all the way round.
    Measured { word: "move", name: "move to another state", kind: Kind::Move, count: 15_000 },
    Measured { word: "bulk", name: "bulk change of 1,000", kind: Kind::Bulk, count: 40 },
    Measured { word: "csv", name: "CSV of all rows", kind: Kind::Csv, count: 8 },
];

fn measure(engine: Engine, rows: u32, kinds: &[&Measured]) -> Done<()> {
    let place = Place::new(engine, rows)?;
    let (ours, theirs) = (filled_dz(&place)?, filled_by_hand(&place)?);
    place.analyse()?;
    println!("\n{engine:?}, {rows} rows, of which the caller sees {SEEN}\n");
    println!("| | dz, requests/s | by hand, requests/s | ratio | dz, p99 ms | by hand, p99 ms |\n|---|---|---|---|---|---|");
    for Measured { name, kind, count, .. } in kinds {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let (asked, status) = (kind.requests(&ours)?, if *kind == Kind::Create { 201 } else { 200 });
        let asked_by_hand = kind.requests(&theirs)?;
        round(ours.port, &asked, count.div_ceil(10), status)?;
        round(theirs.port, &asked_by_hand, count.div_ceil(10), status)?;
        for _ in 0..ROUNDS {
            a.push(round(ours.port, &asked, *count, status)?);
            b.push(round(theirs.port, &asked_by_hand, *count, status)?);
        }
        let (a, b) = (middle(&a), middle(&b));
        let ratio = a.per_second / b.per_second;
        let digits = if a.per_second < 100.0 { 2 } else { 0 };
        println!("| {name} | {:.digits$} | {:.digits$} | {ratio:.2} | {:.2} | {:.2} |", a.per_second, b.per_second, a.p99, b.p99);
    }
    println!("\n| | dz | by hand |\n|---|---|---|");
    println!("| memory after that, MB | {:.1} | {:.1} |", ours.memory()?, theirs.memory()?);
    drop((ours, theirs));
    let first = |part| -> Done<f64> {
        let times: Done<Vec<f64>> = (0..ROUNDS).map(|_| Ok(Served::start(&place, part)?.ready_ms)).collect();
        Ok(median(times?))
    };
    println!("| start to the first answer, ms | {:.0} | {:.0} |", first(Part::Dz)?, first(Part::ByHand)?);
    let idle = |part| -> Done<f64> { Served::start(&place, part)?.memory() };
    println!("| memory when idle, MB | {:.1} | {:.1} |", idle(Part::Dz)?, idle(Part::ByHand)?);
    Ok(())
}

fn middle(rounds: &[Round]) -> Round {
    Round { per_second: median(rounds.iter().map(|it| it.per_second).collect()), p99: median(rounds.iter().map(|it| it.p99).collect()) }
}

/// Where the databases are; they go away with it.
struct Place {
    engine: Engine,
    rows: u32,
    folder: PathBuf,
    server: String,
}

impl Place {
    fn new(engine: Engine, rows: u32) -> Done<Place> {
        let folder = env::temp_dir().join(format!("dz-requests-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let server = match engine {
            Engine::Sqlite => String::new(),
            Engine::Postgres => env::var("DZ_TEST_POSTGRES").map_err(|_| "set DZ_TEST_POSTGRES to the address of a PostgreSQL server")?,
        };
        let place = Place { engine, rows, folder, server };
        if engine == Engine::Postgres {
            let mut conn = diesel::PgConnection::establish(&place.server)?;
            for part in [Part::Dz, Part::ByHand] {
                conn.batch_execute(&format!("CREATE DATABASE {}", place.database(part)))?;
            }
        }
        Ok(place)
    }

    /// Accounts, among which the rows are shared out.
    fn people(&self) -> usize {
        (self.rows / SEEN) as usize
    }

    fn database(&self, part: Part) -> String {
        format!("dz_requests_{}_{}", std::process::id(), if part == Part::Dz { "dz" } else { "by_hand" })
    }

    fn url(&self, part: Part) -> String {
        match (self.engine, part) {
            (Engine::Sqlite, Part::Dz) => format!("sqlite://{}", self.folder.join("dz.db").display()),
            (Engine::Sqlite, Part::ByHand) => self.folder.join("by-hand.db").display().to_string(),
            (Engine::Postgres, part) => {
                let base = self.server.rsplit_once('/').map_or(self.server.as_str(), |(base, _)| base);
                format!("{base}/{}", self.database(part))
            }
        }
    }

    /// What PostgreSQL does by itself a minute later.
    fn analyse(&self) -> Done<()> {
        if self.engine == Engine::Postgres {
            for part in [Part::Dz, Part::ByHand] {
                diesel::PgConnection::establish(&self.url(part))?.batch_execute("VACUUM ANALYZE")?;
            }
        }
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        if let (Engine::Postgres, Ok(mut conn)) = (self.engine, diesel::PgConnection::establish(&self.server)) {
            for part in [Part::Dz, Part::ByHand] {
                let _ = conn.batch_execute(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.database(part)));
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Dz,
    ByHand,
}

fn part(place: &Place, part: Part) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command
        .current_dir(&place.folder)
        .env(PART, if part == Part::Dz { "dz" } else { "by-hand" })
        .env(ENGINE, if place.engine == Engine::Postgres { "postgres" } else { "sqlite" })
        .env("DATABASE_URL", place.url(part))
        .env("ROCKET_PROFILE", "release")
        .env("ROCKET_LOG_LEVEL", "off");
    Ok(command)
}

/// A served application.
struct Served {
    child: Child,
    port: u16,
    cookie: String,
    /// The session of somebody who sees every row.
    manager: String,
    by_hand: bool,
    owner: String,
    ready_ms: f64,
}

impl Served {
    fn start(place: &Place, of: Part) -> Done<Served> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let start = Instant::now();
        let mut command = part(place, of)?;
        let child = command.env("ROCKET_PORT", port.to_string()).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let mut served = Served {
            child,
            port,
            cookie: String::new(),
            manager: String::new(),
            by_hand: of == Part::ByHand,
            owner: String::new(),
            ready_ms: 0.0,
        };
        while served.ask("GET", "/api/items", "").is_err() {
            if start.elapsed() > Duration::from_secs(20) || served.child.try_wait()?.is_some() {
                return Err(format!("{of:?} does not answer").into());
            }
            thread::sleep(Duration::from_millis(1));
        }
        served.ready_ms = start.elapsed().as_secs_f64() * 1_000.0;
        Ok(served)
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        self.request_as(&self.cookie, method, path, body)
    }

    fn request_as(&self, cookie: &str, method: &str, path: &str, body: &str) -> Vec<u8> {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\nSec-Fetch-Site: same-origin\r\nHX-Request: true\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            cookie,
            body.len()
        )
        .into_bytes()
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> io::Result<dz_benches::requests::drive::Answer> {
        Connection::open(self.port)?.ask(&self.request(method, path, body))
    }

    fn json(&self, path: &str) -> Done<Value> {
        let answer = self.ask("GET", path, "")?;
        if answer.status != 200 {
            return Err(format!("{path}: {}{}", answer.head, String::from_utf8_lossy(&answer.body)).into());
        }
        Ok(dz::serde_json::from_slice(&answer.body)?)
    }

    /// Resident memory, in MB.
    fn memory(&self) -> Done<f64> {
        let text = fs::read_to_string(Path::new("/proc").join(self.child.id().to_string()).join("status"))?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? / 1_024.0)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn filled_by_hand(place: &Place) -> Done<Served> {
    let url = place.url(Part::ByHand);
    match place.engine {
        Engine::Sqlite => by_hand::sqlite::fill(&url, place.people(), place.rows)?,
        Engine::Postgres => by_hand::postgres::fill(&url, place.people(), place.rows)?,
    }
    let mut served = Served::start(place, Part::ByHand)?;
    served.cookie = "session=session of person 1".to_owned();
    served.manager = "session=session of person 0".to_owned();
    served.owner = served.json("/api/items")?["items"][0]["owner"].as_str().ok_or("no owner")?.to_owned();
    Ok(served)
}

fn filled_dz(place: &Place) -> Done<Served> {
    let user = |args: &[&str]| -> Done<()> {
        let done = part(place, Part::Dz)?.arg("user").args(args).stdout(Stdio::null()).status()?;
        if done.success() { Ok(()) } else { Err(format!("`user {}` failed", args.join(" ")).into()) }
    };
    const PASSWORD: &str = "a phrase for measuring";
    for n in 0..place.people().max(2) {
        let (email, name) = (format!("person{n}@example.com"), format!("name=Person {n}"));
        match n {
            0 | 1 => user(&["create", &email, "--set", &name, "--password", PASSWORD])?,
            _ => user(&["create", &email, "--set", &name])?,
        }
    }
    user(&["grant", "person0@example.com", "manager"])?;
    user(&["grant", "person1@example.com", "worker"])?;
    let mut served = Served::start(place, Part::Dz)?;
    let sign_in = |served: &mut Served, email: &str| -> Done<()> {
        served.cookie.clear();
        let answer = served.ask("POST", "/auth/login", &format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#))?;
        let cookie = answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).ok_or_else(|| answer.head.clone())?;
        served.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(())
    };
    sign_in(&mut served, "person0@example.com")?;
    for first in (0..place.rows).step_by(1_000) {
        let answer = served.ask("POST", &format!("/fill/{first}/1000"), "")?;
        if answer.status != 204 {
            return Err(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body)).into());
        }
    }
    served.manager = served.cookie.clone();
    sign_in(&mut served, "person1@example.com")?;
    let list = served.json("/api/items")?;
    if list["total"] != SEEN {
        return Err(format!("the worker sees {} rows", list["total"]).into());
    }
    served.owner = list["items"][0]["owner"].as_str().ok_or("no owner")?.to_owned();
    Ok(served)
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Expand,
    Read,
    Fragment,
    Create,
    Move,
    Bulk,
    Csv,
}

impl Kind {
    fn requests(self, served: &Served) -> Done<Vec<Vec<u8>>> {
        let keys = |count: usize| -> Done<Vec<String>> {
            let mut keys = Vec::new();
            for page in 1..=count / 100 {
                let list = served.json(&format!("/api/items?page={page}&page_size=100"))?;
                let items = list["items"].as_array().ok_or("no items")?;
                keys.extend(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)));
            }
            Ok(keys)
        };
        let pages = 1..=SEEN / 20;
        Ok(match self {
            Kind::List => pages.map(|page| served.request("GET", &format!("/api/items?page={page}&page_size=20"), "")).collect(),
            Kind::Expand => {
                pages.map(|page| served.request("GET", &format!("/api/items?page={page}&page_size=20&expand=owner"), "")).collect()
            }
            Kind::Fragment => pages.map(|page| served.request("GET", &format!("/app/item_list?page={page}&page_size=20"), "")).collect(),
            Kind::Read => keys(500)?.iter().map(|id| served.request("GET", &format!("/api/items/{id}"), "")).collect(),
            Kind::Move => {
                let keys = keys(500)?;
                let to = |state| keys.iter().map(move |id| served.request("POST", &format!("/api/items/{id}/transitions/{state}"), "{}"));
                ["doing", "done", "open"].into_iter().flat_map(to).collect()
            }
            Kind::Bulk => {
                let keys: Vec<String> = keys(1_000)?.iter().map(|id| format!("\"{id}\"")).collect();
                let keys = keys.join(",");
                let body = |rank: usize| format!(r#"{{"action":"update","ids":[{keys}],"set":{{"rank":{rank}}}}}"#);
                // Every request changes every row.
                (1_000..1_007).map(|rank| served.request("POST", "/api/items/bulk", &body(rank))).collect()
            }
            Kind::Csv => {
                let path = if served.by_hand { "/export/items.csv" } else { "/api/items?format=csv" };
                vec![served.request_as(&served.manager, "GET", path, "")]
            }
            Kind::Create => (0..100)
                .map(|n| {
                    let body = format!(
                        r#"{{"title":"~ made while measuring {n}","due":"2026-03-0{}","rank":{n},"owner":"{}","details":"One sentence about it."}}"#,
                        n % 9 + 1,
                        served.owner
                    );
                    served.request("POST", "/api/items", &body)
                })
                .collect(),
        })
    }
}
