//! Durable steps per second, beside the same writes by hand and DBOS; runs that sleep, and many starts at once:
//! `processes [sqlite] [postgres] [steps] [sleep] [start] [dbos] [runs=300] [rounds=3] [sleeping=100000] [starts=10000] [seconds=20]`.
//! Without a name it measures everything. PostgreSQL is the server of `DZ_TEST_POSTGRES`.

use std::{
    env, fs,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use dz::{Cx, Engine};
use dz_benches::{
    bare::Bare,
    median,
    processes::{
        by_hand::{ByHand, Texts},
        dbos,
    },
    requests::{
        Outcome,
        place::{PART, Part, Place},
        served::Served,
    },
    words::{Words, engine_of_part},
};
use rocket::{http::Status, routes};

dz::include_dsl!("src/processes.dsl");

/// The steps of a run.
const STEPS: u32 = 10;
/// The time limit of a round.
const PATIENCE: Duration = Duration::from_secs(120);

struct Adder;

impl services::Add for Adder {
    fn call(&self, _: &dz::ServiceCx, input: services::AddInput) -> dz::Result<services::AddOutput> {
        Ok(services::AddOutput { n: input.n + 1 })
    }
}

/// Starts some runs in one transaction.
#[rocket::post("/<process>/<count>")]
async fn start(cx: Cx, process: String, count: u32) -> dz::Result<Status> {
    cx.run(move |tx| (0..count).try_for_each(|n| tx.start(&process, dz::serde_json::json!({ "n": n })).map(drop))).await?;
    Ok(Status::NoContent)
}

fn main() -> ExitCode {
    if env::var_os(PART).is_some() {
        return app().service(Adder).mount("/start", routes![start]).engine(engine_of_part()).main();
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

fn measure(engine: Engine, words: &Words) -> Outcome<()> {
    let every = !["steps", "sleep", "start", "dbos"].iter().any(|name| words.has(name));
    let (runs, rounds) = (words.number("runs", 300), words.number("rounds", 3).max(1));
    println!("\n{engine:?}\n");
    if every || words.has("steps") {
        steps(engine, runs, rounds)?;
    }
    if every || words.has("start") {
        starts(engine, words.number("starts", 10_000))?;
    }
    if every || words.has("sleep") {
        sleep(engine, words.number("sleeping", 100_000), words.number("seconds", 20))?;
    }
    if engine == Engine::Postgres && (every || words.has("dbos")) {
        let place = Place::single(engine, 0)?;
        if let Some(found) = dbos::steps_per_second(&place.url(Part::Single), runs, rounds)? {
            println!("\n| DBOS, {runs} runs of {STEPS} steps | {:.0} steps/s |\n|---|---|", median(found));
        }
    }
    Ok(())
}

/// Starts the application, and waits until it has created its tables.
fn serve(place: &Place) -> Outcome<Served> {
    Served::start(place, Part::Single)
}

fn ask(served: &Served, process: &str, count: u32) -> Outcome<f64> {
    let start = Instant::now();
    let answer = served.ask("POST", &format!("/start/{process}/{count}"), "")?;
    match answer.status {
        204 => Ok(start.elapsed().as_secs_f64()),
        _ => Err(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body)).into()),
    }
}

/// Waits until no run of a process is open; the result is the time in seconds.
fn wait(bare: &mut Bare, process: &str) -> Outcome<f64> {
    let start = Instant::now();
    let open =
        format!("SELECT count(*) AS n FROM dz_runs WHERE process = '{process}' AND subject = '' AND status IN ('running', 'waiting')");
    while bare.number(&open)? > 0 {
        if start.elapsed() > PATIENCE {
            return Err(format!("runs of `{process}` do not end").into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    let bad = format!("SELECT count(*) AS n FROM dz_runs WHERE process = '{process}' AND status <> 'completed'");
    match bare.number(&bad)? {
        0 => Ok(start.elapsed().as_secs_f64()),
        n => Err(format!("{n} runs of `{process}` did not complete").into()),
    }
}

fn steps(engine: Engine, runs: u32, rounds: u32) -> Outcome<()> {
    let place = Place::single(engine, 0)?;
    let mut found = [Vec::new(), Vec::new()];
    let mut hand = [Vec::new(), Vec::new()];
    let mut single = Vec::new();
    println!("| {runs} runs of {STEPS} steps | dz, steps/s | by hand, steps/s | by hand / dz |\n|---|---|---|---|");
    drop(serve(&place)?);
    let mut bare = place.connect(Part::Single)?;
    for (at, process) in ["chain", "effects"].into_iter().enumerate() {
        for round in 0..=rounds {
            // One program at a time works on the database.
            let served = serve(&place)?.again(&place)?;
            let started = Instant::now();
            ask(&served, process, runs)?;
            wait(&mut bare, process)?;
            let ours = f64::from(runs * STEPS) / started.elapsed().as_secs_f64();
            served.end();
            let texts = Texts { flow: first(&mut bare, "flow", process)?, state: first(&mut bare, "state", process)? };
            let by_hand = ByHand::open(engine, place.url(Part::Single), texts)?;
            let theirs = if process == "chain" { by_hand.calls(runs)? } else { by_hand.effects(runs, true)? };
            let alone = if process == "chain" { None } else { Some(by_hand.effects(runs, false)?) };
            // The first round is a warm-up.
            if round > 0 {
                found[at].push(ours);
                hand[at].push(theirs);
                single.extend(alone);
            }
            bare.run("DELETE FROM dz_run_steps; DELETE FROM dz_jobs; DELETE FROM dz_runs; DELETE FROM notes")?;
            if engine == Engine::Postgres {
                bare.run("VACUUM ANALYZE")?;
            }
        }
    }
    let [calls, effects] = found.map(median);
    let [calls_by_hand, effects_by_hand] = hand.map(median);
    let single = median(single);
    let lines = [
        ("steps that call a service", calls, calls_by_hand),
        ("steps that create a row; by hand, a transaction for each step", effects, single),
        ("the same; by hand, a transaction for each run", effects, effects_by_hand),
    ];
    for (name, ours, theirs) in lines {
        println!("| {name} | {ours:.0} | {theirs:.0} | {:.2} |", theirs / ours);
    }
    Ok(())
}

/// A column of the newest completed run.
fn first(bare: &mut Bare, column: &str, process: &str) -> Outcome<String> {
    let sql = format!("SELECT {column} AS t FROM dz_runs WHERE process = '{process}' LIMIT 1");
    Ok(bare.texts(&sql)?.into_iter().next().ok_or("no run")?)
}

fn starts(engine: Engine, count: u32) -> Outcome<()> {
    let place = Place::single(engine, 0)?;
    let served = serve(&place)?;
    let mut bare = place.connect(Part::Single)?;
    let stored = ask(&served, "single", count)?;
    let ended = wait(&mut bare, "single")?;
    println!("\n| {count} starts at once | |\n|---|---|");
    println!("| stored in one transaction, s | {stored:.2} |\n| then until all have ended, s | {ended:.2} |");
    println!("| runs of one step, for each second | {:.0} |", f64::from(count) / (stored + ended));
    Ok(())
}

/// The processor time of an idle application, and of its sessions on PostgreSQL, without runs and with many that sleep.
fn sleep(engine: Engine, count: u32, seconds: u32) -> Outcome<()> {
    let place = Place::single(engine, 0)?;
    let served = serve(&place)?;
    let mut bare = place.connect(Part::Single)?;
    let watch = |served: &Served| -> Outcome<(f64, f64)> {
        // The application has started.
        thread::sleep(Duration::from_secs(5));
        let before = (cpu_of(served.id())?, cpu_of_sessions(&place)?);
        thread::sleep(Duration::from_secs(seconds.into()));
        let after = (cpu_of(served.id())?, cpu_of_sessions(&place)?);
        let each = f64::from(seconds);
        Ok(((after.0 - before.0) * 1_000.0 / each, (after.1 - before.1) * 1_000.0 / each))
    };
    let served = served.again(&place)?;
    let (without, memory) = (watch(&served)?, served.memory()?.0);
    let mut left = count;
    while left > 0 {
        let part = left.min(10_000);
        ask(&served, "sleeper", part)?;
        left -= part;
    }
    let asleep = "SELECT count(*) AS n FROM dz_runs WHERE status = 'waiting'";
    let started = Instant::now();
    while bare.number(asleep)? < i64::from(count) {
        if started.elapsed() > PATIENCE {
            return Err("the runs do not begin to sleep".into());
        }
        thread::sleep(Duration::from_millis(100));
    }
    let settled = started.elapsed().as_secs_f64();
    let served = served.again(&place)?;
    let (with, memory_with) = (watch(&served)?, served.memory()?.0);
    println!("\n| an idle application | without runs | with {count} that sleep |\n|---|---|---|");
    println!("| processor time, ms for each second | {:.2} | {:.2} |", without.0, with.0);
    println!("| the same of its sessions of PostgreSQL | {:.2} | {:.2} |", without.1, with.1);
    println!("| memory, MB | {memory:.1} | {memory_with:.1} |");
    println!("\nAfter their start it takes {settled:.1} s until all of them sleep.");
    Ok(())
}

/// Seconds of processor time of a process.
fn cpu_of(id: u32) -> Outcome<f64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
    // The name of the program can contain blanks.
    let rest = stat.rsplit_once(") ").ok_or("no such line")?.1;
    let ticks: Vec<f64> = rest.split(' ').skip(11).take(2).filter_map(|it| it.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

/// The same of the sessions on the database, if they run on this machine.
fn cpu_of_sessions(place: &Place) -> Outcome<f64> {
    let url = place.url(Part::Single);
    let name = url.rsplit('/').next().unwrap_or_default();
    let mut sum = 0.0;
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|id| id.parse().ok()) else { continue };
        let line = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        if line.starts_with("postgres: ") && line.contains(name) {
            // A session can have ended.
            sum += cpu_of(id).unwrap_or(0.0);
        }
    }
    Ok(sum)
}
