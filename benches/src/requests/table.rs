//! The tables that are printed.

use dz::Engine;

use super::{
    Done, SEEN,
    drive::{Round, round},
    kind::{Kind, Measured},
    place::{Part, Place},
    served::{self, Served},
};
use crate::median;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Rounds, of which the middle one counts.
    pub rounds: usize,
    /// Requests of a round; as many as the kind says where there is none.
    pub count: Option<usize>,
}

/// Requests per second and latency of some kinds, memory, and the time of a start.
///
/// # Errors
/// When something does not answer as it should.
pub fn of_kinds(engine: Engine, rows: u32, kinds: &[&Measured], effort: Effort) -> Done<()> {
    let place = Place::new(engine, rows)?;
    let (ours, theirs) = filled(&place)?;
    println!("\n{engine:?}, {rows} rows, of which the caller sees {SEEN}\n");
    println!("| | dz, requests/s | by hand, requests/s | ratio | dz, p99 ms | by hand, p99 ms |\n|---|---|---|---|---|---|");
    for measured in kinds {
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
    if of.warming() > 0 {
        round(ours.port, &asked, count.div_ceil(10), status)?;
        round(theirs.port, &asked_by_hand, count.div_ceil(10), status)?;
    }
    for _ in 0..effort.rounds {
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
    println!("| {name} | {:.digits$} | {:.digits$} | {ratio:.2} | {:.2} | {:.2} |", a.per_second, b.per_second, a.p99, b.p99);
}

fn middle(rounds: &[Round]) -> Round {
    Round { per_second: median(rounds.iter().map(|it| it.per_second).collect()), p99: median(rounds.iter().map(|it| it.p99).collect()) }
}
