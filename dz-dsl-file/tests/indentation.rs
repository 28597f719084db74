//! Indents one line of a correct application differently, each line in turn: the line is reported once, as indented too little or
//! too much, and the edit restores the text.
//!
//! `cargo test -p dz-dsl-file --test indentation -- --nocapture` prints the shares and the failures; `DZ_SWEEP=all` tries every
//! line, and `DZ_MUTANTS_OF=app.dsl` the lines of another application.

mod sweep;

use std::sync::LazyLock;

use dz_dsl_file::{SourceMap, analyse, render};

/// The application, or that of the file in `DZ_MUTANTS_OF`; then the shares are printed and not checked.
static APP: LazyLock<String> = LazyLock::new(|| match std::env::var("DZ_MUTANTS_OF") {
    Ok(path) => std::fs::read_to_string(path).expect("an application"),
    Err(_) => include_str!("fixtures/whole/app.dsl").to_owned(),
});

/// The least share, in per cent, of the texts with findings in which a line with too little indentation is the only reported one and
/// is restored.
const LOST: f64 = 99.0;

/// The same for too much indentation: the lines after the first line of a block can also belong to it, so that fewer cases are clear.
const GAINED: f64 = 97.0;

/// The text with one line shifted by `columns`.
fn shift_line(number: usize, columns: isize) -> Option<String> {
    let mut lines: Vec<String> = APP.lines().map(str::to_owned).collect();
    let line = lines[number].trim_start().to_owned();
    let indent = lines[number].len() - line.len();
    let wanted = indent.checked_add_signed(columns)?;
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    lines[number] = format!("{}{line}", " ".repeat(wanted));
    Some(lines.join("\n") + "\n")
}

/// Tries every line. Returns the number of texts with findings, the number of correct results, and the failures.
fn tried(columns: isize) -> (usize, usize, usize, Vec<String>) {
    let (mut all, mut found, mut right, mut missed) = (0, 0, 0, Vec::new());
    for (number, line) in sweep::sample(APP.lines().enumerate(), 8) {
        let Some(text) = shift_line(number, columns) else { continue };
        let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
        all += 1;
        let Some(first) = analysis.diagnostics.first() else { continue };
        found += 1;
        let restored = first.suggestion.as_ref().is_some_and(|it| {
            let mut text = text.clone();
            text.replace_range(it.span.start as usize..it.span.end as usize, &it.text);
            text.trim_end() == APP.trim_end()
        });
        let place = analysis.files.file(first.span.file).line_column(first.span.start).0 == number + 1;
        if analysis.diagnostics.len() == 1 && first.rule == "inconsistent-indentation" && restored && place {
            right += 1;
        } else {
            let reported: Vec<String> = analysis.diagnostics.iter().map(|it| render::short(&analysis.files, it)).collect();
            missed.push(format!("{}: {line}\n    {}", number + 1, reported.join("\n    ")));
        }
    }
    (all, found, right, missed)
}

fn check(columns: isize, floor: f64) {
    let (all, found, right, missed) = tried(columns);
    let share = 100.0 * right as f64 / found as f64;
    println!("{}", missed.join("\n"));
    println!("{columns} columns: {all} lines, {found} found, {right} restored ({share:.1} %)");
    let asked = std::env::var_os("DZ_MUTANTS_OF").is_none();
    assert!(!asked || share >= floor, "{share:.1} % are reported once and restored, and {floor} % should be:\n{}", missed.join("\n"));
}

#[test]
fn a_line_that_lost_a_level_is_reported_as_indented_too_little() {
    check(-2, LOST);
}

#[test]
fn a_line_that_gained_a_level_is_reported_as_indented_too_much() {
    check(2, GAINED);
}

/// Each of the many uses of a field is an error if the field is lost.
#[test]
fn a_lost_field_with_many_uses_is_reported_once() {
    let rows = "    - name: \"x\"\n".repeat(150);
    let text = format!("entity Item:\n  id: uuid pk\nname: str(40) required\n  permit:\n    read: true\n\ndemo:\n  Item:\n{rows}");
    let found = analyse(SourceMap::of_example(&text)).diagnostics;
    let errors: Vec<_> = found.iter().filter(|it| it.severity == dz_dsl_file::Severity::Error).map(|it| it.rule.to_string()).collect();
    assert_eq!(errors, ["inconsistent-indentation"]);
}
