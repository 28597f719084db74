//! Requests per second and latency among 100,000 rows, beside the same application by hand:
//! `requests [sqlite] [postgres]`. PostgreSQL is the server of `DZ_TEST_POSTGRES`.
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

const ROWS: u32 = 100_000;
const PEOPLE: usize = 100;
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
    let wanted = |name: &str| words.is_empty() || words.iter().any(|it| it == name);
    let engines: Vec<Engine> =
        [("sqlite", Engine::Sqlite), ("postgres", Engine::Postgres)].into_iter().filter(|(name, _)| wanted(name)).map(|it| it.1).collect();
    match engines.into_iter().try_for_each(measure) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(engine: Engine) -> Done<()> {
    let place = Place::new(engine)?;
    let (ours, theirs) = (filled_dz(&place)?, filled_by_hand(&place)?);
    place.analyse()?;
    println!("\n{engine:?}, {ROWS} rows, of which the caller sees {}\n", ROWS as usize / PEOPLE);
    println!("| | dz, requests/s | by hand, requests/s | ratio | dz, p99 ms | by hand, p99 ms |\n|---|---|---|---|---|---|");
    for (name, kind, count) in [
        ("JSON list of 20", Kind::List, 4_000_usize),
        ("JSON read", Kind::Read, 8_000),
        ("page fragment of 20", Kind::Fragment, 4_000),
        ("create", Kind::Create, 3_000),
        ("bulk change of 1,000", Kind::Bulk, 40),
        ("CSV of 100,000 rows", Kind::Csv, 8),
    ] {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let (asked, status) = (kind.requests(&ours)?, if kind == Kind::Create { 201 } else { 200 });
        let asked_by_hand = kind.requests(&theirs)?;
        round(ours.port, &asked, count.div_ceil(10), status)?;
        round(theirs.port, &asked_by_hand, count.div_ceil(10), status)?;
        for _ in 0..ROUNDS {
            a.push(round(ours.port, &asked, count, status)?);
            b.push(round(theirs.port, &asked_by_hand, count, status)?);
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
    folder: PathBuf,
    server: String,
}

impl Place {
    fn new(engine: Engine) -> Done<Place> {
        let folder = env::temp_dir().join(format!("dz-requests-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let server = match engine {
            Engine::Sqlite => String::new(),
            Engine::Postgres => env::var("DZ_TEST_POSTGRES").map_err(|_| "set DZ_TEST_POSTGRES to the address of a PostgreSQL server")?,
        };
        let place = Place { engine, folder, server };
        if engine == Engine::Postgres {
            let mut conn = diesel::PgConnection::establish(&place.server)?;
            for part in [Part::Dz, Part::ByHand] {
                conn.batch_execute(&format!("CREATE DATABASE {}", place.database(part)))?;
            }
        }
        Ok(place)
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
        Engine::Sqlite => by_hand::sqlite::fill(&url, PEOPLE, ROWS)?,
        Engine::Postgres => by_hand::postgres::fill(&url, PEOPLE, ROWS)?,
    }
    let mut served = Served::start(place, Part::ByHand)?;
    served.cookie = "session=session of person 7".to_owned();
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
    for n in 0..PEOPLE {
        let (email, name) = (format!("person{n}@example.com"), format!("name=Person {n}"));
        match n {
            0 | 7 => user(&["create", &email, "--set", &name, "--password", PASSWORD])?,
            _ => user(&["create", &email, "--set", &name])?,
        }
    }
    user(&["grant", "person0@example.com", "manager"])?;
    user(&["grant", "person7@example.com", "worker"])?;
    let mut served = Served::start(place, Part::Dz)?;
    let sign_in = |served: &mut Served, email: &str| -> Done<()> {
        served.cookie.clear();
        let answer = served.ask("POST", "/auth/login", &format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#))?;
        let cookie = answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).ok_or_else(|| answer.head.clone())?;
        served.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(())
    };
    sign_in(&mut served, "person0@example.com")?;
    for first in (0..ROWS).step_by(1_000) {
        let answer = served.ask("POST", &format!("/fill/{first}/1000"), "")?;
        if answer.status != 204 {
            return Err(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body)).into());
        }
    }
    served.manager = served.cookie.clone();
    sign_in(&mut served, "person7@example.com")?;
    let list = served.json("/api/items")?;
    if list["total"] != ROWS as usize / PEOPLE {
        return Err(format!("the worker sees {} rows", list["total"]).into());
    }
    served.owner = list["items"][0]["owner"].as_str().ok_or("no owner")?.to_owned();
    Ok(served)
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Read,
    Fragment,
    Create,
    Bulk,
    Csv,
}

impl Kind {
    fn requests(self, served: &Served) -> Done<Vec<Vec<u8>>> {
        let keys = |served: &Served| -> Done<Vec<String>> {
            let mut keys = Vec::new();
            for page in 1..=10 {
                let list = served.json(&format!("/api/items?page={page}&page_size=100"))?;
                let items = list["items"].as_array().ok_or("no items")?;
                keys.extend(items.iter().map(|item| item["id"].to_string()));
            }
            Ok(keys)
        };
        let pages = 1..=ROWS as usize / PEOPLE / 20;
        Ok(match self {
            Kind::List => pages.map(|page| served.request("GET", &format!("/api/items?page={page}&page_size=20"), "")).collect(),
            Kind::Fragment => pages.map(|page| served.request("GET", &format!("/app/item_list?page={page}&page_size=20"), "")).collect(),
            Kind::Read => {
                let mut requests = Vec::new();
                for page in 1..=5 {
                    let list = served.json(&format!("/api/items?page={page}&page_size=100"))?;
                    for item in list["items"].as_array().ok_or("no items")? {
                        let id = item["id"].as_str().ok_or("no id")?;
                        requests.push(served.request("GET", &format!("/api/items/{id}"), ""));
                    }
                }
                requests
            }
            Kind::Bulk => {
                let keys = keys(served)?.join(",");
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
                        r#"{{"title":"~ made while measuring {n}","status":"doing","due":"2026-03-0{}","rank":{n},"owner":"{}","details":"One sentence about it."}}"#,
                        n % 9 + 1,
                        served.owner
                    );
                    served.request("POST", "/api/items", &body)
                })
                .collect(),
        })
    }
}
