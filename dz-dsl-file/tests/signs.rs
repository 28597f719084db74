//! Wrong signs, missing brackets, repeated lines and misspelt words between operands: each is reported once, with the text to write.

use dz_dsl_file::{Severity, SourceMap, analyse, propose, repair};

const APP: &str = r#"persona keeper
persona helper

entity Hive:
  id: uuid pk
  name: str(40) required
  weight: decimal(6,2)
  status: enum[empty, busy, dead] = empty
  visits: has_many Visit
  last_visit: computed max(visits.on)
  transitions:
    empty -> busy: role(keeper, helper)
    busy -> dead
    final: busy
    failed: dead
  invariant: weight = null or weight > 0
    message: "A weight is above zero"
    code: WEIGHT
  permit:
    list: role(keeper, helper) and not (status in [dead])
    read: role(keeper)
    create: role(keeper)
    update: role(keeper)

entity Visit:
  id: uuid pk
  hive: ref Hive required
  on: date = today
  permit:
    list: role(keeper)
    read: role(keeper)

surface hive_list:
  uses entity Hive
  mode: list
  ux:
    sort: name
    search: name
    filter: status
    empty: "No hive."

surface hive_view:
  uses entity Hive
  mode: view
  related visits:
    show: visits

workspace yard:
  visits:
    source: Visit
    display: line_chart
    group_by: bucket(on, month)
    action: hive_list
"#;

/// The text after the edits for one replacement, and the rules of the errors before them.
fn corrected(right: &str, wrong: &str) -> (String, Vec<&'static str>) {
    assert_eq!(APP.matches(right).count(), 1, "{right}");
    let mut text = APP.replacen(right, wrong, 1);
    let mut analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
    let errors = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).map(|it| it.rule).collect();
    propose(&mut analysis);
    let mut edits: Vec<_> = analysis.diagnostics.iter().filter_map(|it| it.suggestion.clone()).collect();
    edits.sort_by_key(|it| std::cmp::Reverse(it.span.start));
    for edit in &edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    (text, errors)
}

#[test]
fn the_application_is_correct() {
    let analysis = analyse(SourceMap::single("app.dsl", APP));
    assert!(!analysis.has_errors(), "{:?}", analysis.diagnostics);
}

#[test]
fn a_wrong_sign_is_one_error_that_is_corrected() {
    for (right, wrong, rule) in [
        ("mode: list", "mode = list", "missing-colon"),
        ("mode: list", "mode list", "missing-colon"),
        ("empty: \"No hive.\"", "empty = \"No hive.\"", "missing-colon"),
        ("entity Visit:", "entity Visit;", "missing-colon"),
        ("weight: decimal(6,2)", "weight = decimal(6,2)", "missing-colon"),
        ("final: busy", "final busy", "missing-colon"),
        ("failed: dead", "failed = dead", "missing-colon"),
        ("empty -> busy: role", "empty -> busy = role", "missing-colon"),
        ("invariant: weight", "invariant weight", "missing-colon"),
        ("busy -> dead", "busy => dead", "unexpected-token"),
        ("busy -> dead", "busy - dead", "unexpected-token"),
        ("decimal(6,2)", "decimal(6;2)", "unexpected-token"),
        ("enum[empty, busy", "enum[empty; busy", "unexpected-token"),
        ("enum[empty, busy", "enum[empty. busy", "unexpected-token"),
        ("list: role(keeper, helper)", "list: role(keeper; helper)", "unexpected-token"),
        ("list: role(keeper, helper)", "list: role(keeper. helper)", "wrong-arguments"),
        ("name: str(40)", "name: str[40)", "unexpected-token"),
        ("status: enum[empty", "status: enum(empty", "unexpected-token"),
        ("empty -> busy: role(keeper, helper)", "empty -> busy: role(keeper, helper", "unexpected-token"),
        ("dead] = empty", "dead = empty", "unexpected-token"),
        ("decimal(6,2)", "decimal(6,2", "unexpected-token"),
    ] {
        let (text, errors) = corrected(right, wrong);
        assert_eq!(errors, [rule], "{wrong}");
        assert_eq!(text, APP, "{wrong}");
    }
}

#[test]
fn a_misspelt_word_of_an_expression_is_corrected() {
    for (right, wrong, rule) in [
        ("weight = null or weight", "weight = null ro weight", "unexpected-token"),
        ("and not (status", "and nott (status", "unknown-function"),
        ("status in [dead]", "status is [dead]", "unexpected-token"),
        ("bucket(on", "bukcet(on", "unknown-function"),
        ("max(visits.on)", "max(vists.on)", "unknown-field"),
    ] {
        let (text, errors) = corrected(right, wrong);
        assert_eq!(errors, [rule], "{wrong}");
        assert_eq!(text, APP, "{wrong}");
    }
}

/// The second of two equal lines is a proposal, as the author may have meant another one.
#[test]
fn the_second_of_two_equal_lines_is_removed() {
    for line in
        ["  name: str(40) required\n", "    busy -> dead\n", "    read: role(keeper)\n    create", "    sort: name\n", "  mode: view\n"]
    {
        let line = line.trim_end_matches("    create");
        let at = APP.find(line).expect("the line");
        let mut twice = APP.to_owned();
        twice.insert_str(at, line);
        let mut analysis = analyse(SourceMap::single("app.dsl", twice.as_str()));
        propose(&mut analysis);
        let edit = analysis.diagnostics.iter().find_map(|it| it.suggestion.clone()).unwrap_or_else(|| panic!("{line}"));
        assert!(!edit.is_certain(), "{line}");
        twice.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        assert_eq!(twice, APP, "{line}");
    }
}

/// `--fix` takes no name of the application for a misspelling of another one.
#[test]
fn a_declared_name_in_the_wrong_place_is_kept() {
    for (right, wrong) in [("sort: name", "sort: Hive"), ("filter: status", "filter: visits"), ("show: visits", "show: yard")] {
        let text = APP.replacen(right, wrong, 1);
        let repaired = repair(SourceMap::single("app.dsl", text.as_str()), |_| true);
        let (_, file) = repaired.analysis.files.files().next().expect("a text");
        assert_eq!(file.text, text, "{wrong}");
    }
}
