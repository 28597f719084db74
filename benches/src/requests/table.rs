//! The tables that are printed.

use dz::Engine;

use super::{
    Done, SEEN,
    drive::{Connection, Round, round},
    kind::{Kind, Measured},
    place::{Part, Place},
    served::{self, Served},
};
use crate::median;

/// What the columns of requests are.
pub const HEAD: &str =
    "| | dz, requests/s | by hand, requests/s | ratio | dz, p99 ms | by hand, p99 ms | bytes of an answer, dz / by hand |
|---|---|---|---|---|---|---|";

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Rounds, of which the middle one counts.
    pub rounds: usize,
    /// Requests of a round; as many as the kind says where there is none.
    pub count: Option<usize>,
    /// Shows an answer of either side instead.
    pub show: bool,
}

/// Requests per second and latency of some kinds, memory, and the time of a start.
///
/// # Errors
/// When something does not answer as it should.
pub fn of_kinds(engine: Engine, rows: u32, kinds: &[&Measured], effort: Effort) -> Done<()> {
    let place = Place::new(engine, rows)?;
    let (ours, theirs) = filled(&place)?;
    println!("\n{engine:?}, {rows} rows, of which the caller sees {SEEN}\n");
    println!("{HEAD}");
    for measured in kinds {
        if effort.show {
            shown(measured, &ours, rows)?;
            shown(measured, &theirs, rows)?;
            continue;
        }
        let (a, b) = both(&place, &ours, &theirs, measured, effort)?;
        line(measured.name, a, b);
    }
    println!("\n| | dz | by hand |\n|---|---|---|");
    let ((all, own), (all_by_hand, own_by_hand)) = (ours.memory()?, theirs.memory()?);
    println!("| memory after that, MB | {all:.1} | {all_by_hand:.1} |");
    println!("| of it, not of mapped files, MB | {own:.1} | {own_by_hand:.1} |");
    ours.end();
    theirs.end();
    let first = |part| -> Done<f64> {
        let times: Done<Vec<f64>> = (0..effort.rounds).map(|_| Ok(Served::start(&place, part)?.ready_ms)).collect();
        Ok(median(times?))
    };
    println!("| start to the first answer, ms | {:.0} | {:.0} |", first(Part::Dz)?, first(Part::ByHand)?);
    let idle = |part| -> Done<f64> { Ok(Served::start(&place, part)?.memory()?.0) };
    println!("| memory when idle, MB | {:.1} | {:.1} |", idle(Part::Dz)?, idle(Part::ByHand)?);
    Ok(())
}

/// Prints the first request of a kind, and its answer.
fn shown(of: &Measured, served: &Served, rows: u32) -> Done<()> {
    let asked = of.kind.requests(served, rows)?;
    let first = asked.first().ok_or("no request")?;
    let answer = Connection::open(served.port)?.ask(first)?;
    println!("\n{:?}: {}\n{}{}", served.part, String::from_utf8_lossy(first), answer.head, String::from_utf8_lossy(&answer.body));
    Ok(())
}

/// What the rules of a declaration cost: the same handler with its rows by the rules, and by hand.
///
/// # Errors
/// When something does not answer as it should.
pub fn of_rules(engine: Engine, rows: u32, effort: Effort) -> Done<()> {
    let place = Place::new(engine, rows)?;
    let served = served::declared(&place)?;
    place.analyse()?;
    let served = served.again(&place)?;
    if served.ask("GET", "/probe/ready", "")?.status != 204 {
        return Err("the probe is not ready".into());
    }
    println!("\n{engine:?}, a handler by hand, {rows} rows; its rows by the rules of the declaration, and by a condition by hand\n");
    println!("| | by the rules, requests/s | by hand, requests/s | ratio |\n|---|---|---|---|");
    for (name, kind, count) in [("one row", Kind::Read, 8_000), ("20 rows", Kind::List, 4_000)] {
        let paths = kind.probed(&served)?;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        // Twice as many rounds as elsewhere: what is looked for is small.
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

/// Both applications over new databases with the same rows.
///
/// # Errors
/// When a step fails.
pub fn filled(place: &Place) -> Done<(Served, Served)> {
    let (ours, theirs) = (served::declared(place)?, served::by_hand(place)?);
    place.analyse()?;
    Ok((ours.again(place)?, theirs.again(place)?))
}

/// A kind of request to both, round by round in turn; the middle of each.
///
/// # Errors
/// When an answer is another one than expected.
pub fn both(place: &Place, ours: &Served, theirs: &Served, of: &Measured, effort: Effort) -> Done<(Round, Round)> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let (asked, asked_by_hand) = (of.kind.requests(ours, place.rows)?, of.kind.requests(theirs, place.rows)?);
    let (status, count) = (of.status(), effort.count.unwrap_or(of.count).min(if of.count < 100 { of.count } else { usize::MAX }));
    // Where a round was cut short, rows stand where the next one does not look for them.
    let again = || -> Done<()> {
        if of.kind == Kind::Move {
            for part in [Part::Dz, Part::ByHand] {
                place.run(part, "UPDATE items SET status = 'open' WHERE status <> 'open'")?;
            }
        }
        Ok(())
    };
    again()?;
    if of.warming() > 0 {
        round(ours.port, &asked, count.div_ceil(10), status)?;
        round(theirs.port, &asked_by_hand, count.div_ceil(10), status)?;
    }
    for _ in 0..if of.kind == Kind::Import { effort.rounds.div_ceil(2) } else { effort.rounds } {
        again()?;
        a.push(round(ours.port, &asked, count, status)?);
        b.push(round(theirs.port, &asked_by_hand, count, status)?);
        if of.kind == Kind::Import {
            // Each round takes in the same file.
            for part in [Part::Dz, Part::ByHand] {
                place.run(part, "DELETE FROM items WHERE title LIKE '~ taken in%'")?;
            }
            place.analyse()?;
        }
    }
    Ok((middle(&a), middle(&b)))
}

/// A line of the table.
pub fn line(name: &str, a: Round, b: Round) {
    let ratio = a.per_second / b.per_second;
    let digits = if a.per_second < 100.0 { 2 } else { 0 };
    println!(
        "| {name} | {:.digits$} | {:.digits$} | {ratio:.2} | {:.2} | {:.2} | {:.0} / {:.0} |",
        a.per_second, b.per_second, a.p99, b.p99, a.bytes, b.bytes
    );
}

fn middle(rounds: &[Round]) -> Round {
    let of = |number: fn(&Round) -> f64| median(rounds.iter().map(number).collect());
    Round { per_second: of(|it| it.per_second), p99: of(|it| it.p99), bytes: of(|it| it.bytes) }
}
