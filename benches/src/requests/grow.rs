//! The cost of a list as its table grows, while the caller sees the same number of rows.

use dz::Engine;

use super::{
    Outcome, SEEN,
    drive::Round,
    kind::{Kind, Measured},
    place::{Part, Place},
    served::Served,
    table::{self, Effort},
};

/// The number of rows at the start, and of those that the caller does not see.
const FEW: u32 = 10_000;
const UNSEEN: u32 = FEW - SEEN;
/// How often the unseen rows are multiplied: a million rows in total.
const TIMES: u32 = 110;
/// The number of counts, of which the median is reported.
const COUNTS: usize = 20;

/// The measurements of one size.
struct Size {
    list: (Round, Round),
    all: (Round, Round),
    /// Milliseconds of the count of the visible rows, and of the count of all rows.
    counts: [(f64, f64); 2],
}

/// Measures the list with ten thousand rows and with a million.
///
/// # Errors
/// If a response is wrong.
pub fn lists(engine: Engine, effort: Effort) -> Outcome<()> {
    let place = Place::new(engine, FEW)?;
    let (ours, theirs) = table::start_both(&place)?;
    let few = size(&place, &ours, &theirs, effort, 4_000)?;
    for served in [&ours, &theirs] {
        place.run(served.part, &more(engine, served))?;
    }
    place.analyse()?;
    let many = size(&place, &ours, &theirs, effort, 40)?;
    println!("\n{engine:?}, {SEEN} rows that the caller sees among {FEW}, and among {}\n", SEEN + UNSEEN * (TIMES + 1));
    println!("| | dz, ms | by hand, ms | ratio of requests/s | dz, times as long as with {FEW} | by hand |\n|---|---|---|---|---|---|");
    let lines = [
        ("JSON list of 20 of the visible rows, with their number", few.list, Some(many.list)),
        ("JSON list of 20 of all rows, with their number", few.all, Some(many.all)),
    ];
    for (name, few, many) in lines {
        let ms = |round: Round| 1_000.0 / round.per_second;
        println!("| {name}, {FEW} | {:.3} | {:.3} | {:.2} | | |", ms(few.0), ms(few.1), few.0.per_second / few.1.per_second);
        let Some(many) = many else { continue };
        let (grown, by_hand) = (few.0.per_second / many.0.per_second, few.1.per_second / many.1.per_second);
        println!(
            "| {name}, a million | {:.3} | {:.3} | {:.2} | {grown:.2} | {by_hand:.2} |",
            ms(many.0),
            ms(many.1),
            many.0.per_second / many.1.per_second
        );
    }
    for (at, name) in ["the number of the visible rows alone", "the number of all rows alone"].into_iter().enumerate() {
        let ((few, few_by_hand), (many, many_by_hand)) = (few.counts[at], many.counts[at]);
        println!("| {name}, {FEW} | {few:.3} | {few_by_hand:.3} | {:.2} | | |", few_by_hand / few);
        let (grown, by_hand) = (many / few, many_by_hand / few_by_hand);
        println!("| {name}, a million | {many:.3} | {many_by_hand:.3} | {:.2} | {grown:.2} | {by_hand:.2} |", many_by_hand / many);
    }
    Ok(())
}

fn size(place: &Place, ours: &Served, theirs: &Served, effort: Effort, count: usize) -> Outcome<Size> {
    let list = Measured { word: "list", name: "list", kind: Kind::List, count: 4_000 };
    let all = Measured { word: "all", name: "all", kind: Kind::Unfiltered, count };
    let counted = |served: &Served, filter: &str| -> Outcome<f64> {
        let one = format!("SELECT count(*) FROM items{filter};");
        let mut times: Vec<f64> = Vec::new();
        for _ in 0..COUNTS {
            times.push(place.run(served.part, &one)?);
        }
        Ok(crate::median(times))
    };
    let both = |filter: &dyn Fn(&Served) -> String| -> Outcome<(f64, f64)> {
        Ok((counted(ours, &filter(ours))?, counted(theirs, &filter(theirs))?))
    };
    Ok(Size {
        list: table::both(place, ours, theirs, &list, effort)?,
        all: table::both(place, ours, theirs, &all, effort)?,
        counts: [both(&|served| format!(" WHERE owner = {}", key(place.engine, served)))?, both(&|_| String::new())?],
    })
}

/// The caller's key in SQL.
fn key(engine: Engine, served: &Served) -> String {
    match (engine, served.part) {
        (Engine::Sqlite, Part::Dz) => format!("x'{}'", served.owner.replace('-', "")),
        _ => format!("'{}'", served.owner),
    }
}

/// Multiplies the rows of other users, each with a key and a title of its own.
fn more(engine: Engine, served: &Served) -> String {
    let own = "status, owner, due, hours, rank, score, billable, details, created_at, updated_at";
    let hidden = if served.part == Part::Dz { "dz_version, dz_state_since" } else { "version" };
    let others = format!("SELECT *, row_number() OVER () AS at FROM items WHERE owner <> {}", key(engine, served));
    let number = format!("(k * {FEW} + at)");
    let (series, key, title) = match (engine, served.part) {
        (Engine::Sqlite, part) => (
            format!("WITH RECURSIVE series(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM series WHERE k < {TIMES}), "),
            match part {
                Part::Dz => format!("unhex(printf('019aa000000070008000%012x', {number}))"),
                _ => format!("printf('019aa000-0000-7000-8000-%012x', {number})"),
            },
            format!("printf('%08x is the number of this item', {number} * 2654435761 & 4294967295)"),
        ),
        (Engine::Postgres, _) => (
            format!("WITH series AS (SELECT generate_series(1, {TIMES})::bigint AS k), "),
            format!("('019aa000-0000-7000-8000-' || lpad(to_hex({number}), 12, '0'))::uuid"),
            format!("lpad(to_hex({number} * 2654435761 & 4294967295), 8, '0') || ' is the number of this item'"),
        ),
    };
    format!(
        "{series}others AS ({others}) INSERT INTO items (id, title, {own}, {hidden}) SELECT {key}, {title}, {own}, {hidden} FROM series, others"
    )
}
