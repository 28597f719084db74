//! Modules, personas, stories, experiences, scenarios, demo data: their models, and the findings for mistakes.

mod demo;
mod entities;
mod experiences;
mod modules;
mod personas;
mod processes;
mod stories;

use dz_dsl_file::{Analysis, Diagnostic, SourceMap, Suggestion, analyse, render};
use expect_test::Expect;

/// Entities, surfaces and personas for the tests.
const SHOP: &str = "\
persona clerk
persona boss
entity Order:
  id: uuid pk
  code: str(20) required unique
  status: enum[draft, sent, \"in progress\"] = draft
  buyer: ref Customer
  total: decimal(8,2)
  created: datetime auto_add
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk, boss)
entity Customer:
  id: uuid pk
  name: str(80) required
  payment_state: enum[open, paid] = open
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
surface order_list:
  uses entity Order
  mode: list
  ux:
    search: code
surface customer_list:
  uses entity Customer
  mode: list
  ux:
    search: name
surface order_create:
  uses entity Order
  mode: create
surface customer_create:
  uses entity Customer
  mode: create
";

fn read(text: &str) -> Analysis {
    analyse(SourceMap::of_example(text))
}

/// A finding with its correction; lines count from `skipped`.
fn finding_text(analysis: &Analysis, found: &Diagnostic, skipped: usize) -> String {
    let (line, column) = analysis.files.file(found.span.file).line_column(found.span.start);
    let short = render::short(&analysis.files, found);
    let message = short.split_once(": ").map_or(short.as_str(), |(_, message)| message);
    let mut shown = format!("{}:{column} {message}", line as i64 - skipped as i64);
    if let Some(help) = &found.help {
        shown.push_str(&format!("\n    {help}"));
    }
    if let Some(Suggestion { span, text, .. }) = &found.suggestion {
        shown.push_str(&format!("\n    {:?} -> {text:?}", analysis.files.text(*span)));
    }
    shown
}

/// The text after the edit of a finding.
fn repaired(analysis: &Analysis, found: &Diagnostic) -> Option<String> {
    let Suggestion { span, text, .. } = found.suggestion.as_ref()?;
    let mut files = Vec::new();
    for (id, file) in analysis.files.files() {
        let mut body = file.text.clone();
        if id == span.file {
            body.replace_range(span.start as usize..span.end as usize, text);
        }
        files.push(format!("# --- file: {}\n{body}", file.name));
    }
    Some(files.concat())
}

/// The findings; also checks that each edit corrects its finding.
#[track_caller]
fn findings(text: &str, skipped: usize) -> String {
    let analysis = read(text);
    let mut lines = Vec::new();
    for found in &analysis.diagnostics {
        lines.push(finding_text(&analysis, found, skipped));
        let Some(after) = repaired(&analysis, found) else { continue };
        let again = read(&after);
        let twin = |it: &&Diagnostic| it.rule == found.rule;
        let (before, after) = (analysis.diagnostics.iter().filter(twin).count(), again.diagnostics.iter().filter(twin).count());
        assert!(after < before, "the repair of {} repairs nothing:\n{after}", lines.last().unwrap_or(&String::new()));
    }
    lines.join("\n")
}

/// Checks the findings of a text that follows [`SHOP`].
#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&findings(&format!("{SHOP}{text}"), SHOP.lines().count()));
}

/// Checks the findings of a text on its own, or of several texts with `# file:` lines.
#[track_caller]
fn check_alone(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text, 0));
}

/// The model of a text that follows [`SHOP`] and raises only lints.
#[track_caller]
fn model(text: &str) -> dz_dsl_file::model::Model {
    let analysis = read(&format!("{SHOP}{text}"));
    let found: Vec<String> = analysis.diagnostics.iter().map(|it| render::short(&analysis.files, it)).collect();
    analysis.model.unwrap_or_else(|| panic!("{}", found.join("\n")))
}
