//! An error hides no other one and causes no further one; an incomplete text is analysed as far as possible.

mod sweep;

use std::collections::BTreeMap;

use dz_dsl_file::{Analysis, Severity, SourceMap, analyse, render};

const APP: &str = include_str!("fixtures/whole/app.dsl");
const MISTAKES: &str = include_str!("fixtures/recovery/one-mistake-per-construct.dsl");

/// Findings by line.
fn by_line(analysis: &Analysis) -> BTreeMap<usize, Vec<String>> {
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for it in &analysis.diagnostics {
        let line = analysis.files.file(it.span.file).line_column(it.span.start).0;
        found.entry(line).or_default().push(render::short(&analysis.files, it));
    }
    found
}

#[test]
fn every_mistake_is_reported_once_and_nothing_else() {
    // The annotations under the lines are not part of the text.
    let text: String = MISTAKES
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("# ") && !line.starts_with("#<") && !line.starts_with("#  "))
        .collect();
    let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
    let found = by_line(&analysis);
    let mut wrong = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let reported = found.get(&(at + 1)).map_or(&[][..], Vec::as_slice);
        if reported.len() != usize::from(line.ends_with("# wrong")) {
            wrong.push(format!("{}: {line}\n    {}", at + 1, reported.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The largest number of findings for an incomplete text.
const FEW: usize = 3;

/// The beginning of the last construct of a text.
fn last_construct(text: &str) -> usize {
    let starts = |line: &&str| line.starts_with(|c: char| c.is_alphabetic());
    text.lines().rfind(starts).map_or(0, |line| line.as_ptr() as usize - text.as_ptr() as usize)
}

/// Every prefix that ends with a word, or within one.
#[test]
fn an_incomplete_text_has_errors_only_at_its_end() {
    let mut wrong = Vec::new();
    let within = |at: &usize| APP[..*at].ends_with(char::is_alphanumeric);
    let ends =
        APP.char_indices().map(|(at, _)| at).filter(within).filter(|at| !APP[*at..].starts_with(char::is_alphanumeric) || at % 7 == 0);
    for end in sweep::sample(ends, 16) {
        let text = &APP[..end];
        let rest = &APP[end..];
        let analysis = analyse(SourceMap::single("app.dsl", text));
        let errors: Vec<_> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        let last = last_construct(text);
        // A complete line can lack what follows later: an entity, and the ref of an incomplete entity.
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

/// An incomplete construct in the middle of a text does not affect the text after it.
#[test]
fn an_incomplete_line_does_not_affect_other_lines() {
    let mut halves: Vec<(usize, usize, &str)> = Vec::new();
    let mut start = 0;
    for line in APP.split_inclusive('\n') {
        let full = line.trim_end();
        let words = full.char_indices().filter(|(at, c)| *at > 0 && !c.is_alphanumeric() && *c != ' ').map(|(at, _)| at);
        let written = words.map(|end| full[..end].trim_end()).filter(|half| !half.trim().is_empty());
        halves.extend(written.map(|half| (start, start + line.len(), half)));
        start += line.len();
    }
    let wrong: Vec<String> =
        sweep::tried(&sweep::sample(halves, 1), |(start, end, half)| disturbs(*start, *end, half)).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

/// The findings in other lines if the line between two places is incomplete; or too many in that line.
fn disturbs(start: usize, end: usize, half: &str) -> Option<String> {
    let text = format!("{}{half}\n{}", &APP[..start], &APP[end..]);
    let found = by_line(&analyse(SourceMap::single("app.dsl", text)));
    let here = APP[..start].lines().count() + 1;
    let mut elsewhere = found.iter().filter(|(at, _)| **at != here).flat_map(|(_, reported)| reported);
    let rules = ["unexpected-token", "unknown-key", "unknown-construct", "missing-colon", "empty-block"];
    let syntax = |it: &String| rules.iter().any(|rule| it.contains(&format!("[{rule}]")));
    let reported = found.get(&here).map_or(0, Vec::len);
    let all = || found.values().flatten().map(String::as_str).collect::<Vec<_>>().join("\n    ");
    (reported > FEW || elsewhere.any(syntax)).then(|| format!("`{}`:\n    {}", half.trim(), all()))
}

/// Typos in the values of a field with transitions, rules, filters, messages and metrics over them.
#[test]
fn a_typo_in_the_values_of_an_enumeration_is_reported_at_that_line_alone() {
    const WORK: &str = r#"app depot "Depot"

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  title: str(40) required
  status: enum[open, doing, done, lost] = open
  due: date
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
  transitions:
    open -> doing: role(clerk)
    doing -> done: requires due
    doing -> lost
  index status
  invariant: status != done or due != null
    message: "A finished order has a date."

surface order_list "Orders":
  uses entity Order
  mode: list
  ux:
    filter: status
    attention warning:
      when: status = doing
      message: "In work"

workspace desk "Desk":
  all:
    source: Order
    display: kanban
    group_by: status
    aggregate:
      finished: count(Order where status = done)
"#;
    let typos = [
        "enum[open doing, done, lost] = open",
        "enum[open, doing, done, lost = open",
        "enum(open, doing, done, lost) = open",
        "enum<open, doing, done, lost> = open",
        "enum[open, doing, , done, lost] = open",
        "enum[open, doing, on-hold, done, lost] = open",
        "enum[open: \"Open\", doing, done, lost] = open",
        "enum[open, doing, done!, lost] = open",
        "enum open, doing, done, lost] = open",
        "enum: [open, doing, done, lost] = open",
    ];
    let declared = "enum[open, doing, done, lost] = open";
    assert!(analyse(SourceMap::single("app.dsl", WORK)).diagnostics.iter().all(|it| it.severity != Severity::Error));
    let line = WORK.lines().position(|line| line.contains(declared)).expect("the field") + 1;
    for typo in typos {
        let text = WORK.replace(declared, typo);
        let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
        let errors: Vec<_> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        let lines: Vec<usize> = errors.iter().map(|it| analysis.files.file(it.span.file).line_column(it.span.start).0).collect();
        let texts: Vec<String> = errors.iter().map(|it| render::short(&analysis.files, it)).collect();
        assert_eq!(lines, [line], "{typo}: {}", texts.join("\n"));
    }
}
