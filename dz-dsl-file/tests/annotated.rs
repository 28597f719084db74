//! Fixtures with their findings as comments under the lines: `fixtures/<area>/<rule>.dsl`.
//!
//! ```text
//! # --- case: the name of a field
//! entity Task:
//!   id: uid pk
//! #     ^^^ error unknown-type: unknown type `uid` | help: did you mean `uuid`? | fix: `uuid`
//! ```
//!
//! A case ends at the next one; `# --- file: core.dsl` begins a further file of the same application. Carets are under the text
//! of a finding, dashes under its labels, `|` between two characters, and `<` at the first column, which contains the `#`.
//! `UPDATE_EXPECT=1 cargo test -p dz-dsl-file --test annotated` writes the comments, which are not part of the analysed text.

use std::{
    collections::BTreeMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::LazyLock,
};

use dz_dsl_file::{AREAS, Analysis, Diagnostic, FileId, SourceFile, SourceMap, Span, Suggestion, analyse, propose, rules};
use expect_test::expect_file;

mod sweep;

const CASE: &str = "# --- case:";
const FILE: &str = "# --- file:";

/// One application of a fixture, without its annotations.
struct Case {
    name: String,
    files: Vec<(String, String)>,
}

impl Case {
    fn analyse(&self) -> Analysis {
        let mut map = SourceMap::default();
        for (name, text) in &self.files {
            map.add(name, text);
        }
        analyse(map)
    }
}

/// The text before the first case, and the cases.
fn split(text: &str) -> (String, Vec<Case>) {
    let mut head = String::new();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !is_annotation(line)) {
        if let Some(name) = line.strip_prefix(CASE) {
            cases.push(Case { name: name.trim().to_owned(), files: vec![("app.dsl".to_owned(), String::new())] });
            continue;
        }
        match (line.strip_prefix(FILE), cases.last_mut()) {
            (Some(name), Some(case)) => case.files.push((name.trim().to_owned(), String::new())),
            (None, Some(case)) => push_line(case.files.last_mut().map_or(&mut head, |(_, text)| text), line),
            (_, None) => push_line(&mut head, line),
        }
    }
    (head, cases)
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// True for `#   ^^^ error rule: …` and `#   --- (rule) …`.
fn is_annotation(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('#') else { return false };
    let marks = rest.trim_start().trim_start_matches(['<', '^', '-', '|', '~']);
    let marked = marks.len() < rest.trim_start().len();
    marked && [" error ", " warning ", " lint ", " ("].iter().any(|word| marks.starts_with(word))
}

/// A case with its findings under the lines.
fn annotate(analysis: &Analysis, id: FileId) -> String {
    let file = analysis.files.file(id);
    let mut notes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for found in &analysis.diagnostics {
        note(file, id, found.span, '^', &finding(&analysis.files, found), &mut notes);
        for (span, label) in &found.labels {
            note(file, id, *span, '-', &format!("({}) {label}", found.rule), &mut notes);
        }
    }
    let mut text = String::new();
    for (at, line) in file.text.lines().enumerate() {
        push_line(&mut text, line);
        notes.remove(&at).into_iter().flatten().for_each(|note| push_line(&mut text, &note));
    }
    // Findings after the last line are written under it.
    notes.into_values().flatten().for_each(|note| push_line(&mut text, &note));
    text
}

/// A finding with all its texts, in one line.
fn finding(files: &SourceMap, found: &Diagnostic) -> String {
    let mut text = format!("{} {}: {}", found.severity.as_str(), found.rule, found.message);
    if let Some(help) = &found.help {
        text.push_str(&format!(" | help: {help}"));
    }
    if let Some(Suggestion { span, text: new, .. }) = &found.suggestion {
        let old = files.text(*span).replace('\n', "\\n");
        let (line, column) = files.file(span.file).line_column(span.start);
        let new = new.replace('\n', "\\n");
        match (old.as_str(), *span == found.span) {
            (_, true) => text.push_str(&format!(" | fix: `{new}`")),
            ("", _) => text.push_str(&format!(" | fix: insert `{new}` at {line}:{column}")),
            _ => text.push_str(&format!(" | fix: `{old}` at {line}:{column} becomes `{new}`")),
        }
    }
    text
}

/// Adds a line under `span`; a span over several lines ends in `~`.
fn note(file: &SourceFile, id: FileId, span: Span, mark: char, text: &str, notes: &mut BTreeMap<usize, Vec<String>>) {
    if span.file != id {
        return;
    }
    let (line, column) = file.line_column(span.start);
    let source = file.text.lines().nth(line - 1).unwrap_or("");
    let (end_line, end_column) = file.line_column(span.end);
    let width = if end_line == line { end_column - column } else { source.chars().count() + 1 - column };
    let before: String = source.chars().chain(std::iter::repeat(' ')).take(column - 1).collect();
    let padding = before.chars().skip(1).map(|c| if c == '\t' { '\t' } else { ' ' });
    let mut marked: String = std::iter::once('#').chain(padding).collect();
    match (column, width) {
        (1, 0) => marked.push_str("<|"),
        (1, _) => marked.push_str(&format!("<{}", mark.to_string().repeat(width - 1))),
        (_, 0) => marked.push('|'),
        _ => marked.push_str(&mark.to_string().repeat(width)),
    }
    if end_line > line {
        marked.push('~');
    }
    notes.entry(line - 1).or_default().push(format!("{marked} {text}"));
}

/// The fixture with the current findings.
fn annotated(fixture: &Fixture) -> String {
    let mut out = fixture.head.clone();
    for (case, analysis) in &fixture.cases {
        push_line(&mut out, &format!("{CASE} {}", case.name));
        for (id, file) in analysis.files.files() {
            if id != FileId(0) {
                push_line(&mut out, &format!("{FILE} {}", file.name));
            }
            out.push_str(&annotate(analysis, id));
        }
    }
    out
}

/// A fixture, parsed once for all tests.
struct Fixture {
    area: String,
    rule: String,
    path: PathBuf,
    head: String,
    cases: Vec<(Case, Analysis)>,
}

/// Every fixture. `whole` contains applications, not rules.
static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(|| {
    let read = |(area, rule, path, text): (String, String, PathBuf, String)| {
        let (head, cases) = split(&text);
        let cases = cases.into_iter().map(|case| (case.analyse(), case)).map(|(analysis, case)| (case, analysis)).collect();
        Fixture { area, rule, path, head, cases }
    };
    texts().into_iter().map(read).collect()
});

/// The area, the rule, the path and the text of every fixture.
fn texts() -> Vec<(String, String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<PathBuf> = folders(&root).iter().filter(|folder| !folder.ends_with("whole")).flat_map(|it| folders(it)).collect();
    paths.sort();
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let fixture = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a fixture is text");
        (stem(path.parent().expect("a fixture has an area")), stem(&path), path, text)
    };
    paths.into_iter().map(fixture).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder of fixtures").map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn diagnostics_are_under_their_lines() {
    let differs = |it: &&Fixture| catch_unwind(AssertUnwindSafe(|| expect_file![&it.path].assert_eq(&annotated(it)))).is_err();
    let wrong: Vec<String> = FIXTURES.iter().filter(differs).map(|it| format!("{}/{}.dsl", it.area, it.rule)).collect();
    assert!(wrong.is_empty(), "findings differ in {}", wrong.join(", "));
}

/// Each rule has at least three cases, of which one raises it and one does not.
#[test]
fn every_rule_has_its_cases() {
    let mut wrong: Vec<String> = Vec::new();
    for (area, rule) in AREAS.iter().flat_map(|area| area.rules.iter().map(move |rule| (area, rule))) {
        let Some(Fixture { cases, .. }) = FIXTURES.iter().find(|it| it.area == area.folder() && it.rule == rule.name) else {
            wrong.push(format!("fixtures/{}/{}.dsl is missing", area.folder(), rule.name));
            continue;
        };
        let hits = cases.iter().filter(|(_, analysis)| analysis.diagnostics.iter().any(|it| it.rule == rule.name)).count();
        if cases.len() < 3 || hits == 0 || hits == cases.len() {
            wrong.push(format!("`{}`: {hits} of {} cases raise it", rule.name, cases.len()));
        }
    }
    for Fixture { area, rule: name, .. } in FIXTURES.iter().filter(|it| it.area != "recovery") {
        if !AREAS.iter().any(|it| it.folder() == *area && it.rules.iter().any(|rule| rule.name == name)) {
            wrong.push(format!("no area `{area}` has a rule `{name}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn annotations_are_distinguished_from_comments() {
    for note in ["#     ^^^ error x: y", "#<^^^ warning x: y", "#  | lint x: y", "#  --- (x) y", "#<|~ error x: y", "#   ^^^^~ error x: y"]
    {
        assert!(is_annotation(note), "{note}");
    }
    for comment in ["# --- case: a", "# --- file: b", "# dz: allow(x) because y", "# why", "#", "  # ^^^ error x: y", "# error x: y"] {
        assert!(!is_annotation(comment), "{comment}");
    }
}

/// Checks that a diagnostic has the severity of its rule.
#[test]
fn findings_are_of_rules_in_the_table() {
    for Fixture { rule, cases, .. } in FIXTURES.iter() {
        for found in cases.iter().flat_map(|(_, analysis)| &analysis.diagnostics) {
            let known = rules().find(|it| it.name == found.rule);
            assert_eq!(known.map(|it| it.severity), Some(found.severity), "{rule}: `{}`", found.rule);
        }
    }
}

/// The message or the help names the text to write.
#[test]
fn every_finding_says_what_to_write() {
    let mut silent = Vec::new();
    for Fixture { rule, cases, .. } in FIXTURES.iter() {
        for (case, analysis) in cases {
            let without = analysis.diagnostics.iter().filter(|it| it.help.is_none() && !it.message.starts_with("expected "));
            silent.extend(without.map(|it| format!("{rule}, {}: {}: {}", case.name, it.rule, it.message)));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// An applied suggestion, also one of `propose`, removes its diagnostic and adds no worse one.
#[test]
fn applied_fixes_leave_less_to_find() {
    let mut wrong = Vec::new();
    let cases = FIXTURES.iter().flat_map(|fixture| fixture.cases.iter().map(|(case, analysis)| (&fixture.rule, case, analysis)));
    for (rule, case, before) in sweep::sample(cases, 1) {
        let mut before = before.clone();
        propose(&mut before);
        for found in &before.diagnostics {
            let Some(Suggestion { span, text: new, .. }) = &found.suggestion else { continue };
            let mut repaired = Case { name: case.name.clone(), files: case.files.clone() };
            repaired.files[span.file.0 as usize].1.replace_range(span.start as usize..span.end as usize, new);
            let after = repaired.analyse();
            let count = |analysis: &Analysis, rule: &str| analysis.diagnostics.iter().filter(|it| it.rule == rule).count();
            let errors = |analysis: &Analysis| analysis.diagnostics.iter().filter(|it| it.severity == found.severity).count();
            if count(&after, found.rule) >= count(&before, found.rule) || errors(&after) >= errors(&before) {
                wrong.push(format!("{rule}, {}: `{new}` does not repair: {}", case.name, found.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
