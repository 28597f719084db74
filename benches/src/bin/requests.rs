//! Requests per second and latency, beside the same application written by hand:
//! `requests [sqlite] [postgres] [NAME…] [rows=100000] [rounds=5] [count=N]`.
//! A name is a kind of request (`list read fragment create move expand bulk csv import`), `rules` for the cost of access rules,
//! `filtered` for a filter by a state and the cost of its index, `grow` for lists over ten thousand and a million rows, or `all`.
//! With `show` it prints a request of each kind and both responses. The caller sees 1,000 rows, with any number of rows.
//! PostgreSQL is the server of `DZ_TEST_POSTGRES`.
//!
//! Both applications run as processes of their own, one at a time under load, in turn; this process sends the requests over loopback,
//! limited in number and time. With `DZ_BENCH_UNDER='valgrind --tool=callgrind --callgrind-out-file=/tmp/{part}.out'` both run under that
//! command.

use std::{env, process::ExitCode};

use dz::Engine;
use dz_benches::requests::{
    SEEN, by_hand, declared, filtered, grow,
    kind::{KINDS, Measured},
    place::{ENGINE, PART},
    table::{self, Effort},
};

fn main() -> ExitCode {
    let engine = if env::var(ENGINE).is_ok_and(|it| it == "postgres") { Engine::Postgres } else { Engine::Sqlite };
    let url = || env::var("DATABASE_URL").unwrap_or_default();
    match env::var(PART).as_deref() {
        Ok("dz") => return declared::requests().engine(engine).main(),
        Ok("filtered") => return filtered::build().engine(engine).main(),
        Ok(part @ ("by-hand" | "lean")) => {
            let lean = part == "lean";
            let rocket =
                if engine == Engine::Sqlite { by_hand::sqlite::rocket(&url(), lean) } else { by_hand::postgres::rocket(&url(), lean) };
            return if rocket::execute(rocket.launch()).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        _ => {}
    }
    let words: Vec<String> = env::args().skip(1).collect();
    let said = |name: &str| words.iter().any(|it| it == name);
    let number = |name: &str| words.iter().find_map(|it| it.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok());
    let rows = number("rows").and_then(|rows| u32::try_from(rows).ok()).unwrap_or(100_000).max(SEEN);
    let effort = Effort { rounds: number("rounds").unwrap_or(5).max(1), count: number("count"), show: said("show") };
    let engines: Vec<Engine> = [("sqlite", Engine::Sqlite), ("postgres", Engine::Postgres)]
        .into_iter()
        .filter(|(name, _)| said(name) || !(said("sqlite") || said("postgres")))
        .map(|it| it.1)
        .collect();
    let some = KINDS.iter().any(|it| said(it.word));
    let kinds: Vec<&Measured> = KINDS.iter().filter(|it| !some || said(it.word)).collect();
    // `all`, or no name, selects everything.
    let whole = said("all") || !(some || said("grow") || said("rules") || said("filtered"));
    let kinds = if said("all") { KINDS.iter().collect() } else { kinds };
    let measured = engines.into_iter().try_for_each(|engine| {
        if whole || some {
            table::print_kinds(engine, rows, &kinds, effort)?;
        }
        if whole || said("rules") {
            table::print_rules(engine, rows, effort)?;
        }
        if whole || said("filtered") {
            filtered::lists(engine, rows, effort)?;
        }
        if whole || said("grow") { grow::lists(engine, effort) } else { Ok(()) }
    });
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
