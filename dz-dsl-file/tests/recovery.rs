//! A mistake does not hide others and brings none along; a text that is being written is understood as far as it goes.

use std::collections::BTreeMap;

use dz_dsl_file::{Analysis, Severity, SourceMap, analyse, render};

const APP: &str = include_str!("fixtures/whole/app.dsl");
const MISTAKES: &str = include_str!("fixtures/recovery/one-mistake-per-construct.dsl");

/// Findings by line, those of the build's own limits aside.
fn by_line(analysis: &Analysis) -> BTreeMap<usize, Vec<String>> {
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for it in analysis.diagnostics.iter().filter(|it| it.rule != dz_dsl_file::NOT_AVAILABLE) {
        let line = analysis.files.file(it.span.file).line_column(it.span.start).0;
        found.entry(line).or_default().push(render::short(&analysis.files, it));
    }
    found
}

#[test]
fn every_mistake_is_told_once_and_nothing_else() {
    // What the fixture shows under its lines is no part of the text.
    let text: String = MISTAKES
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("# ") && !line.starts_with("#<") && !line.starts_with("#  "))
        .collect();
    let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
    let found = by_line(&analysis);
    let mut wrong = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let told = found.get(&(at + 1)).map_or(&[][..], Vec::as_slice);
        if told.len() != usize::from(line.ends_with("# wrong")) {
            wrong.push(format!("{}: {line}\n    {}", at + 1, told.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As many findings a person can read at once.
const FEW: usize = 3;

/// Where the last construct of a text begins.
fn last_construct(text: &str) -> usize {
    let starts = |line: &&str| line.starts_with(|c: char| c.is_alphabetic());
    text.lines().rfind(starts).map_or(0, |line| line.as_ptr() as usize - text.as_ptr() as usize)
}

/// Every prefix that ends where a word does, or within one.
#[test]
fn a_text_that_is_being_written_is_wrong_at_its_end_only() {
    let mut wrong = Vec::new();
    let within = |at: &usize| APP[..*at].ends_with(char::is_alphanumeric);
    let ends =
        APP.char_indices().map(|(at, _)| at).filter(within).filter(|at| !APP[*at..].starts_with(char::is_alphanumeric) || at % 7 == 0);
    // Every fourth tells enough; `DZ_PREFIXES=all` tries each.
    let step = if std::env::var("DZ_PREFIXES").is_ok_and(|it| it == "all") { 1 } else { 4 };
    for end in ends.step_by(step) {
        let text = &APP[..end];
        let rest = &APP[end..];
        let analysis = analyse(SourceMap::single("app.dsl", text));
        let errors: Vec<_> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        let last = last_construct(text);
        // A finished line may lack what is yet to come: an entity, and the ref of the entity that is being written.
        let to_come = |it: &&&dz_dsl_file::Diagnostic| {
            let name = analysis.files.text(it.span);
            match it.rule {
                "unknown-entity" => rest.contains(name) || text[last..].starts_with("entity"),
                "unknown-surface" => rest.contains(name) || text[last..].starts_with("surface"),
                "missing-inverse" => text[last..].starts_with(&format!("entity {name}")),
                "unknown-field" => text[last..].starts_with("entity") && rest.contains(&format!("{name}: ")),
                _ => false,
            }
        };
        let before: Vec<_> = errors.iter().filter(|it| (it.span.start as usize) < last && !to_come(it)).collect();
        let at_end = errors.iter().filter(|it| it.span.start as usize >= last && it.rule != "unknown-entity").count();
        if !before.is_empty() || at_end > FEW {
            let all: Vec<String> = errors.iter().map(|it| render::short(&analysis.files, it)).collect();
            wrong.push(format!("after {:?}:\n    {}", &text[text.len().saturating_sub(40)..], all.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{} prefixes:\n{}", wrong.len(), wrong.join("\n"));
}

/// A construct that is written in the middle of a finished text: what stands after it is understood as before.
#[test]
fn a_line_that_is_being_written_leaves_the_others_alone() {
    let mut wrong = Vec::new();
    let mut start = 0;
    // Every third line tells enough; `DZ_PREFIXES=all` tries each.
    let step = if std::env::var("DZ_PREFIXES").is_ok_and(|it| it == "all") { 1 } else { 3 };
    for (number, line) in APP.split_inclusive('\n').enumerate() {
        let full = line.trim_end();
        let words = full.char_indices().filter(|(at, c)| *at > 0 && !c.is_alphanumeric() && *c != ' ').map(|(at, _)| at);
        for end in words.filter(|_| number % step == 0) {
            let half = full[..end].trim_end();
            if half.trim().is_empty() {
                continue;
            }
            let text = format!("{}{half}\n{}", &APP[..start], &APP[start + line.len()..]);
            let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
            let found = by_line(&analysis);
            let here = APP[..start].lines().count() + 1;
            let elsewhere: Vec<&String> = found.iter().filter(|(at, _)| **at != here).flat_map(|(_, told)| told).collect();
            let told = found.get(&here).map_or(0, Vec::len);
            let syntax = |it: &&&String| {
                ["unexpected-token", "unknown-key", "unknown-construct", "missing-colon", "empty-block"]
                    .iter()
                    .any(|rule| it.contains(&format!("[{rule}]")))
            };
            if told > FEW || elsewhere.iter().any(|it| syntax(&it)) {
                let all: Vec<&String> = found.values().flatten().collect();
                wrong.push(format!("`{}`:\n    {}", half.trim(), all.iter().map(|it| it.as_str()).collect::<Vec<_>>().join("\n    ")));
            }
        }
        start += line.len();
    }
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}
