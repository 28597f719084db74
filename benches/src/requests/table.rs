//! The printed tables.

use dz::Engine;

use super::{
    Outcome, SEEN,
    drive::{Connection, Round, round},
    kind::{Kind, Measured},
    place::{Part, Place},
    served::{self, Served},
};
use crate::median;

/// The header of the table of requests.
pub const HEAD: &str =
    "| | dz, requests/s | by hand, requests/s | ratio | leaner by hand, requests/s | ratio | dz, p99 ms | by hand, p99 ms | bytes of an answer, dz / by hand |
|---|---|---|---|---|---|---|---|---|";

/// The amount of measurements.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of rounds, of which the median counts.
    pub rounds: usize,
    /// The number of requests in a round; that of the kind if it is `None`.
    pub count: Option<usize>,
    /// True to print a response of each side instead.
    pub show: bool,
}

/// Prints requests per second and latency of some kinds, memory, and the time of a start.
///
/// # Errors
/// If a response is wrong.
pub fn print_kinds(engine: Engine, rows: u32, kinds: &[&Measured], effort: Effort) -> Outcome<()> {
    let place = Place::new(engine, rows)?;
    let (ours, theirs) = start_both(&place)?;
    let lean = served::lean(&place, &theirs)?;
    println!("\n{engine:?}, {rows} rows, of which the caller sees {SEEN}\n");
    println!("{HEAD}");
    for measured in kinds {
        if effort.show {
            print_example(measured, &ours, rows)?;
            print_example(measured, &theirs, rows)?;
            print_example(measured, &lean, rows)?;
            continue;
        }
        let rounds = measure_rounds(&place, &[&ours, &theirs, &lean], measured, effort)?;
        if let [a, b, c] = rounds.as_slice() {
            line(measured.name, *a, *b, *c);
        }
    }
    println!("\n| | dz | by hand |\n|---|---|---|");
    let ((all, own), (all_by_hand, own_by_hand)) = (ours.memory()?, theirs.memory()?);
    println!("| memory after that, MB | {all:.1} | {all_by_hand:.1} |");
    println!("| of it, not of mapped files, MB | {own:.1} | {own_by_hand:.1} |");
    ours.end();
    theirs.end();
    lean.end();
    let first = |part| -> Outcome<f64> {
        let times: Outcome<Vec<f64>> = (0..effort.rounds).map(|_| Ok(Served::start(&place, part)?.ready_ms)).collect();
        Ok(median(times?))
    };
    println!("| start to the first answer, ms | {:.0} | {:.0} |", first(Part::Dz)?, first(Part::ByHand)?);
    let idle = |part| -> Outcome<f64> { Ok(Served::start(&place, part)?.memory()?.0) };
    println!("| memory when idle, MB | {:.1} | {:.1} |", idle(Part::Dz)?, idle(Part::ByHand)?);
    Ok(())
}

/// Prints the first request of a kind, and its response.
fn print_example(of: &Measured, served: &Served, rows: u32) -> Outcome<()> {
    let asked = of.kind.requests(served, rows)?;
    let first = asked.first().ok_or("no request")?;
    let answer = Connection::open(served.port)?.ask(first)?;
    println!("\n{:?}: {}\n{}{}", served.part, String::from_utf8_lossy(first), answer.head, String::from_utf8_lossy(&answer.body));
    Ok(())
}

/// Prints the cost of the rules of a declaration: the same handler with the rows of the rules, and with a condition written by hand.
///
/// # Errors
/// If a response is wrong.
pub fn print_rules(engine: Engine, rows: u32, effort: Effort) -> Outcome<()> {
    let place = Place::new(engine, rows)?;
    let served = served::start_declared(&place)?;
    place.analyse()?;
    let served = served.again(&place)?;
    if served.ask("GET", "/probe/ready", "")?.status != 204 {
        return Err("the probe is not ready".into());
    }
    println!("\n{engine:?}, a handler by hand, {rows} rows; its rows by the rules of the declaration, and by a condition by hand\n");
    println!("| | by the rules, requests/s | by hand, requests/s | ratio |\n|---|---|---|---|");
    for (name, kind, count) in [("one row", Kind::Read, 8_000), ("20 rows", Kind::List, 4_000)] {
        let paths = kind.probe(&served)?;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        // Twice the usual number of rounds, because the difference is small.
        for at in 0..=2 * effort.rounds {
            let [ruled, by_hand] = &paths;
            let pair = (round(served.port, ruled, count, 200)?, round(served.port, by_hand, count, 200)?);
            if at > 0 {
                a.push(pair.0);
                b.push(pair.1);
            }
        }
        let (a, b) = (middle(&a), middle(&b));
        println!("| {name} | {:.0} | {:.0} | {:.3} |", a.per_second, b.per_second, a.per_second / b.per_second);
    }
    Ok(())
}

/// Starts both applications with new databases and the same rows.
///
/// # Errors
/// If a step fails.
pub fn start_both(place: &Place) -> Outcome<(Served, Served)> {
    let (ours, theirs) = (served::start_declared(place)?, served::start_by_hand(place)?);
    place.analyse()?;
    Ok((ours.again(place)?, theirs.again(place)?))
}

/// Measures a kind of request with two applications; returns the medians.
///
/// # Errors
/// If a response has an unexpected status.
pub fn both(place: &Place, ours: &Served, theirs: &Served, of: &Measured, effort: Effort) -> Outcome<(Round, Round)> {
    match measure_rounds(place, &[ours, theirs], of, effort)?.as_slice() {
        [a, b] => Ok((*a, *b)),
        _ => Err("two applications have two figures".into()),
    }
}

/// Measures a kind of request with each application, in alternating rounds; returns the medians.
///
/// # Errors
/// If a response has an unexpected status.
fn measure_rounds(place: &Place, all: &[&Served], of: &Measured, effort: Effort) -> Outcome<Vec<Round>> {
    let asked: Vec<Vec<Vec<u8>>> = all.iter().map(|served| of.kind.requests(served, place.rows)).collect::<Outcome<_>>()?;
    let (status, count) = (of.status(), effort.count.unwrap_or(of.count).min(if of.count < 100 { of.count } else { usize::MAX }));
    // Before each round, because an interrupted one leaves rows in other states.
    let restore = |part: Part| -> Outcome<()> {
        match of.kind {
            Kind::Move => place.run(part, "UPDATE items SET status = 'open' WHERE status <> 'open'").map(drop),
            _ => Ok(()),
        }
    };
    let warming = if of.warming() > 0 { count.div_ceil(10) } else { 0 };
    for (served, asked) in all.iter().zip(&asked).filter(|_| warming > 0) {
        restore(served.part)?;
        round(served.port, asked, warming, status)?;
    }
    let rounds = if of.kind == Kind::Import { effort.rounds.div_ceil(2) } else { effort.rounds };
    let mut measured: Vec<Vec<Round>> = vec![Vec::new(); all.len()];
    for _ in 0..rounds {
        for ((served, asked), measured) in all.iter().zip(&asked).zip(&mut measured) {
            restore(served.part)?;
            measured.push(round(served.port, asked, count, status)?);
            if of.kind == Kind::Import {
                // Each round imports the same file.
                place.run(served.part, "DELETE FROM items WHERE title LIKE '~ taken in%'")?;
                place.analyse()?;
            }
        }
    }
    Ok(measured.iter().map(|rounds| middle(rounds)).collect())
}

/// A line of the table.
fn line(name: &str, a: Round, b: Round, lean: Round) {
    let digits = if a.per_second < 100.0 { 2 } else { 0 };
    println!(
        "| {name} | {:.digits$} | {:.digits$} | {:.2} | {:.digits$} | {:.2} | {:.2} | {:.2} | {:.0} / {:.0} |",
        a.per_second,
        b.per_second,
        a.per_second / b.per_second,
        lean.per_second,
        a.per_second / lean.per_second,
        a.p99,
        b.p99,
        a.bytes,
        b.bytes
    );
}

/// The median of some rounds.
pub fn middle(rounds: &[Round]) -> Round {
    let of = |number: fn(&Round) -> f64| median(rounds.iter().map(number).collect());
    Round { per_second: of(|it| it.per_second), p99: of(|it| it.p99), bytes: of(|it| it.bytes) }
}
