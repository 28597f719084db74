//! Makes one word of services, processes, schedules and language models wrong, each word in turn: is it reported, at that word, with
//! the text to write?
//!
//! `cargo test -p dz-dsl-file --test process_mutations -- --nocapture` prints the shares and the failures.

mod sweep;

use std::ops::Range;

use dz_dsl_file::{Analysis, Diagnostic, SourceMap, analyse};

const APP: &str = include_str!("fixtures/whole/processes.dsl");

/// The least share of mutants, in per cent, that are reported, reported at the word, and reported with the text to write.
const FLOORS: [(&str, f64); 3] = [("found", 99.0), ("right", 99.0), ("explained", 98.0)];

/// The words of the tested constructs with their lines, without strings, comments and stories.
fn words() -> Vec<(Range<usize>, &'static str)> {
    let start = APP.find("\nservice ").map_or(0, |at| at + 1);
    let mut words = Vec::new();
    let mut at = start;
    for line in APP[start..].split_inclusive('\n') {
        let mut quoted = false;
        let mut from = None;
        for (column, c) in line.char_indices() {
            let part = c.is_alphanumeric() || c == '_';
            match (from, part && !quoted) {
                (None, true) => from = Some(column),
                (Some(first), false) => {
                    words.push((at + first..at + column, line.trim()));
                    from = None;
                }
                _ => {}
            }
            quoted ^= c == '"';
        }
        at += line.len();
    }
    words
}

/// True for a name that can be any other: nothing uses it, or it belongs to another system.
fn is_free(range: &Range<usize>, line: &str) -> bool {
    const TYPES: &[&str] = &["uuid", "str", "decimal", "bool", "date", "int", "ref", "enum", "email", "list"];
    let word = &APP[range.clone()];
    let line = line.strip_prefix("- ").unwrap_or(line);
    let mut parts = line.split([' ', ':']).filter(|part| !part.is_empty());
    let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let alone = words().iter().filter(|(other, _)| &APP[other.clone()] == word).count() == 1;
    let typed = line.contains(':')
        && TYPES.iter().any(|ty| second == *ty || second.starts_with(&format!("{ty}(")) || second.starts_with(&format!("{ty}[")));
    let declared = match first {
        "step" | "process" | "schedule" | "llm_intent" => word == second,
        _ if word == first => typed || second.is_empty() || second.starts_with('"'),
        _ => line.contains(&format!("enum[{word}")) || line.contains(&format!("{word}] required")),
    };
    // Signals come from other systems too, whose names cannot be checked.
    let elsewhere = ["model_id", "api_key_env", "auth_profile", "owner", "on_start", "on_complete", "on_failure", "wait"];
    let foreign = elsewhere.contains(&first) && word != first && !["goto", "booking", "turned_down", "complete"].contains(&word);
    alone && (declared || foreign) || word.starts_with(|c: char| c.is_ascii_digit())
}

struct Mutant {
    what: String,
    text: String,
    place: Range<usize>,
    gone: &'static str,
}

/// Transposes two letters in the middle of a word.
fn slips() -> Vec<Mutant> {
    let slip = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        let at = (1..letters.len().saturating_sub(1)).find(|at| letters[*at] != letters[*at + 1])?;
        letters.swap(at, at + 1);
        Some(letters.into_iter().collect::<String>())
    };
    let words = words().into_iter().filter(|(range, line)| !is_free(range, line));
    words
        .filter_map(|(range, line)| {
            let new = slip(&APP[range.clone()])?;
            let mut text = APP.to_owned();
            text.replace_range(range.clone(), &new);
            let what = format!("`{}` becomes `{new}` in `{line}`", &APP[range.clone()]);
            Some(Mutant { what, text, place: range.clone(), gone: &APP[range] })
        })
        .collect()
}

/// Removes a word.
fn losses() -> Vec<Mutant> {
    // The remaining text has another meaning, and no error.
    const OPTIONAL: &[&str] = &["required", "not", "signal", "url", "draft", "large"];
    let words = words().into_iter().filter(|(range, _)| !OPTIONAL.contains(&&APP[range.clone()]));
    words
        .map(|(range, line)| {
            let space = usize::from(APP[range.end..].starts_with(' '));
            let mut text = APP.to_owned();
            text.replace_range(range.start..range.end + space, "");
            let what = format!("`{}` is dropped from `{line}`", &APP[range.clone()]);
            Mutant { what, text, place: range.start..range.start, gone: &APP[range] }
        })
        .collect()
}

/// The line of a byte.
fn line_of(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count()
}

fn evaluate(mutant: &Mutant) -> ([bool; 3], Analysis) {
    let analysis = analyse(SourceMap::single("app.dsl", &mutant.text));
    let right = |found: &Diagnostic| {
        let places = std::iter::once(found.span).chain(found.labels.iter().map(|(span, _)| *span));
        let mut near = places.map(|span| (span.start as usize, span.end as usize));
        let text = analysis.files.text(found.span);
        let same_line = line_of(&mutant.text, found.span.start as usize) == line_of(&mutant.text, mutant.place.start);
        near.any(|(start, end)| start <= mutant.place.end && mutant.place.start <= end)
            || text.contains(mutant.gone)
            || found.message.contains(&format!("`{}`", mutant.gone))
            || (same_line && mutant.place.is_empty())
    };
    let found = &analysis.diagnostics;
    let explained = !found.is_empty() && found.iter().all(|it| it.help.is_some() || it.message.starts_with("expected "));
    ([!found.is_empty(), found.iter().any(right), explained], analysis)
}

#[test]
fn a_wrong_word_is_reported_at_its_place() {
    let mutants: Vec<Mutant> = slips().into_iter().chain(losses()).collect();
    let mut counts = [0usize; 4];
    let (of, least) = if sweep::is_quick() { (2, 20) } else { (4, 100) };
    for mutant in sweep::sample(&mutants, of) {
        let (outcome, analysis) = evaluate(mutant);
        counts[3] += 1;
        (0..3).for_each(|at| counts[at] += usize::from(outcome[at]));
        if outcome != [true; 3] {
            println!("{}", mutant.what);
            for found in &analysis.diagnostics {
                println!("    {}", dz_dsl_file::render::short(&analysis.files, found));
            }
        }
    }
    assert!(counts[3] > least, "{} mutants are too few", counts[3]);
    for (at, (what, floor)) in FLOORS.iter().enumerate() {
        let share = 100.0 * counts[at] as f64 / counts[3] as f64;
        println!("{what}: {share:.1} % of {}", counts[3]);
        // A small sample can deviate by three mutants.
        let missing = (floor - share) * counts[3] as f64 / 100.0;
        let slack = if sweep::is_quick() { 3.0 } else { 0.0 };
        assert!(missing <= slack, "{share:.1} % of the mutants are {what}, and {floor} % should be");
    }
}
