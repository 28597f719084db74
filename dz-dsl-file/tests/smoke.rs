//! Checks the properties of every text for mutations of the corpus: what fuzzing does, in bounded time.
//!
//! `DZ_SMOKE_CASES=200000 cargo test -p dz-dsl-file --test smoke` tries more cases, `DZ_SMOKE_SEED=…` other ones. A failure prints the
//! seed of its case; `DZ_SMOKE_CASE=…` runs only that case.

use std::{fs, panic, path::Path, thread};

#[path = "laws/corpus.rs"]
mod corpus;
mod laws;
mod sweep;

/// Some seconds on two cores without optimisation, and one second for a quick run.
const CASES: u64 = 500;
const QUICK_CASES: u64 = 60;

/// The longest excerpt of a text of the corpus, so that a case takes milliseconds.
const LENGTH: usize = 1_200;

/// The texts that are inserted.
const PIECES: &[&str] = &[
    "entity",
    "surface",
    "persona",
    "enum",
    "archetype",
    "workspace",
    "process",
    "story",
    "demo",
    "question q:\n",
    "permit:",
    "forbid:",
    "transitions:",
    "invariant:",
    "computed",
    "role(",
    "current_user",
    "this",
    "any(",
    "count(",
    " where ",
    "ref",
    "has_many",
    "pk",
    "required",
    "= ",
    " and ",
    " or\n",
    " not ",
    " in [",
    " is null",
    "if ",
    " else: ",
    "->",
    "*",
    "-",
    "/",
    "%",
    "<=",
    "!=",
    "==",
    ":",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{{",
    "}}",
    "@",
    "?",
    "|",
    ";",
    "\"",
    "'",
    "\"\"\"",
    "#",
    "//",
    "# dz: allow(naming)\n",
    "\\",
    "\\u{",
    "\n",
    "\n\n",
    "\n  ",
    "\n    ",
    "\n      - ",
    "\t",
    "\r\n",
    "\r",
    " ",
    "\u{feff}",
    "\u{0}",
    "\u{202e}",
    "é",
    "€",
    "\u{1f600}",
    "7d",
    "2 weeks",
    "9223372036854775808",
    "1e9",
    "0.1.2",
    "-0",
    "_",
    "ST-1",
];

/// Numbers that follow from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// The text of a case: a piece of the corpus with one to four changes.
fn mutation(corpus: &[String], seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = excerpt(&mut random, corpus);
    for _ in 0..=random.below(4) {
        change(&mut random, corpus, &mut text);
    }
    text
}

/// A text, or lines of one that is long.
fn excerpt(random: &mut Random, corpus: &[String]) -> String {
    let text = &corpus[random.below(corpus.len())];
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut start = 0;
    if text.len() > LENGTH {
        // Most excerpts begin at the margin, so that they are complete constructs.
        let tops: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].starts_with(' ')).collect();
        start = tops[random.below(tops.len())];
    }
    let mut kept = String::new();
    for line in &lines[start..] {
        if kept.len() + line.len() > LENGTH {
            break;
        }
        kept.push_str(line);
    }
    kept
}

fn change(random: &mut Random, corpus: &[String], text: &mut String) {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (first, second) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(8) {
        0 | 1 => {
            let at = place(random, text);
            text.insert_str(at, random.pick(PIECES));
        }
        2 => {
            let start = place(random, text);
            let end = (start + random.below(12)).min(text.len());
            let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            let piece = if random.below(2) == 0 { "" } else { random.pick(PIECES) };
            text.replace_range(start..end, piece);
        }
        3 if !lines.is_empty() => {
            lines.swap(first, second);
            *text = lines.concat();
        }
        4 if !lines.is_empty() => {
            lines.remove(first);
            *text = lines.concat();
        }
        5 if !lines.is_empty() => {
            // Changes the indentation of a line.
            let indent = " ".repeat(random.below(9));
            let moved = indent + lines[first].trim_start();
            lines[first] = &moved;
            *text = lines.concat();
        }
        6 => *text = words(random, text),
        _ => {
            let other = excerpt(random, corpus);
            let other: Vec<&str> = other.split_inclusive('\n').collect();
            let from = random.below(other.len());
            let count = random.below(4).min(other.len() - from);
            lines.splice(first..first, other[from..from + count].iter().copied());
            *text = lines.concat();
        }
    }
}

/// Transposes two words of the text.
fn words(random: &mut Random, text: &str) -> String {
    let mut pieces: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
    if !pieces.is_empty() {
        let (first, second) = (random.below(pieces.len()), random.below(pieces.len()));
        pieces.swap(first, second);
    }
    pieces.concat()
}

/// A place between two characters.
fn place(random: &mut Random, text: &str) -> usize {
    let at = random.below(text.len() + 1);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Checks every property for a case; a failure names the property and the seed.
fn hold(corpus: &[String], seed: u64) {
    let text = mutation(corpus, seed);
    for (name, law) in laws::ALL {
        if let Err(reason) = panic::catch_unwind(|| law(&text)) {
            eprintln!("law of the {name}, DZ_SMOKE_CASE={seed}, text:\n{text}\n");
            panic::resume_unwind(reason);
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}

#[test]
fn the_laws_hold_for_mutations_of_the_corpus() {
    let corpus = &corpus::corpus();
    if let Some(seed) = number("DZ_SMOKE_CASE") {
        return hold(corpus, seed);
    }
    let (cases, start) =
        (number("DZ_SMOKE_CASES").unwrap_or(if sweep::is_quick() { QUICK_CASES } else { CASES }), number("DZ_SMOKE_SEED").unwrap_or(0));
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || (thread..cases).step_by(threads as usize).for_each(|case| hold(corpus, start.wrapping_add(case))));
        }
    });
}

#[test]
fn a_case_follows_from_its_seed() {
    let corpus = corpus::corpus();
    assert!(corpus.len() > 400, "{} texts", corpus.len());
    let texts: Vec<String> = (0..50).map(|seed| mutation(&corpus, seed)).collect();
    assert_eq!(texts, (0..50).map(|seed| mutation(&corpus, seed)).collect::<Vec<_>>());
    assert!(texts.iter().filter(|text| !corpus.contains(text)).count() > 45, "cases differ from the corpus");
}

/// Writes the initial corpus of the fuzzer for `fuzz/run.sh`, so that no copy of it is committed.
#[test]
#[ignore = "writes into fuzz/"]
fn the_fuzzer_gets_its_seeds() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus"));
    for (target, _) in laws::ALL {
        let folder = folder.join(target);
        fs::create_dir_all(&folder).expect("a folder to write into");
        for (number, text) in corpus::corpus().iter().filter(|text| text.len() <= 4_096).enumerate() {
            fs::write(folder.join(format!("{number:04}.dsl")), text).expect("a file");
        }
    }
}
