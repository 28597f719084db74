//! Proposals: the errors that they correct, and that `--fix` does not make them.

mod sweep;

use dz_dsl_file::{Analysis, Severity, SourceMap, Suggestion, analyse, propose};

const APP: &str = r#"persona desk "Desk"

entity Task "Task":
  id: uuid pk
  title: str(80) required
  status: enum[open, done] = open
  due: date
  permit:
    list: role(desk)
    read: role(desk)
    create: role(desk)
    update: role(desk)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field status
    field due
  ux:
    sort: title asc
    empty: "Nothing to do."
"#;

/// The application with one replacement, and the proposals for it.
fn with(old: &str, new: &str) -> Analysis {
    assert!(APP.contains(old), "{old}");
    proposed(APP.replacen(old, new, 1))
}

fn proposed(text: String) -> Analysis {
    let mut analysis = analyse(SourceMap::single("app.dsl", text));
    propose(&mut analysis);
    analysis
}

/// The line after an edit.
fn line(analysis: &Analysis, Suggestion { span, text: new, .. }: &Suggestion) -> String {
    let mut text = analysis.files.file(span.file).text.clone();
    text.replace_range(span.start as usize..span.end as usize, new);
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or_default().trim().to_owned()
}

/// The lines after certain edits, and after proposals.
fn lines(analysis: &Analysis) -> (Vec<String>, Vec<String>) {
    let all = analysis.diagnostics.iter().filter_map(|it| it.suggestion.as_ref());
    let (sure, perhaps): (Vec<&Suggestion>, Vec<&Suggestion>) = all.partition(|it| it.is_certain());
    let of = |edits: Vec<&Suggestion>| edits.into_iter().map(|edit| line(analysis, edit)).collect();
    (of(sure), of(perhaps))
}

#[test]
fn words_that_changed_places_are_proposed() {
    let cases = [
        ("uses entity Task", "entity uses Task", "uses entity Task"),
        ("mode: list", ": list", "mode: list"),
        ("sort: title asc", "title: sort asc", "sort: title asc"),
        ("title: str(80) required", "str: title(80) required", "title: str(80) required"),
    ];
    for (old, new, wanted) in cases {
        assert_eq!(lines(&with(old, new)), (Vec::new(), vec![wanted.to_owned()]), "{new}");
    }
}

#[test]
fn a_key_of_an_inner_block_has_no_proposal() {
    for line in ["  field title\n", "  sort: title asc\n"] {
        let analysis = with("  mode: list\n", &format!("  mode: list\n{line}"));
        assert_eq!(lines(&analysis), (Vec::new(), Vec::new()), "{line}");
        assert!(analysis.diagnostics.iter().any(|it| it.help.as_ref().is_some_and(|help| help.contains("` belongs "))), "{line}");
    }
}

#[test]
fn one_of_several_ways_is_a_proposal() {
    let analysis = with("    field due\n", "    field\n");
    let (sure, perhaps) = lines(&analysis);
    assert!(sure.is_empty(), "{sure:?}");
    assert!(perhaps[0].starts_with("field ") && perhaps.len() == 1, "{perhaps:?}");
}

#[test]
fn access_rules_are_never_guessed() {
    for (old, new) in [("    update: role(desk)", "    update: role()"), ("    update: role(desk)", "    update: desk(role)")] {
        let analysis = with(old, new);
        let (sure, perhaps) = lines(&analysis);
        assert_eq!(sure, Vec::<String>::new(), "{new}");
        assert_eq!(perhaps, ["update: role(desk)"], "{new}");
    }
}

#[test]
fn a_typo_in_a_declaration_is_proposed_there() {
    let analysis = with("  title: str", "  tilte: str");
    assert!(analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).count() > 1);
    assert_eq!(lines(&analysis), (Vec::new(), vec!["title: str(80) required".to_owned()]));
}

#[test]
fn consequences_of_an_error_have_no_proposal() {
    let analysis = with("  title: str(80) required", "  str: title(80) required");
    let repairs = analysis.diagnostics.iter().filter(|it| it.suggestion.is_some());
    assert_eq!((repairs.count(), analysis.diagnostics.len() > 1), (1, true));
}

/// Values whose words are all known: another word, another order or a shorter text would be another meaning.
#[test]
fn values_are_never_guessed() {
    let field = |line: &str| APP.replacen("  due: date\n", &format!("  due: date\n  hours: decimal(6,2)\n  price: money(GBP)\n{line}"), 1);
    let demo = format!("{APP}demo:\n  Task:\n    - title: \"{}\"\n", "too long ".repeat(12));
    for (text, rule) in [
        (field("  dear: computed hours * 28 < price\n"), "type-mismatch"),
        (field("  owner: ref User\n  unique title where owner = current_user\n"), "not-allowed-here"),
        (field("  transitions:\n    open -> done: auto after 1 fortnight\n"), "bad-duration"),
        (field("  transitions:\n    open -> done: auto after 1 min\n"), ""),
        (demo, "type-mismatch"),
    ] {
        let analysis = proposed(text.clone());
        let errors: Vec<&str> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).map(|it| it.rule).collect();
        assert_eq!(errors, [rule].into_iter().filter(|rule| !rule.is_empty()).collect::<Vec<_>>(), "{text}");
        assert_eq!(lines(&analysis).1, Vec::<String>::new(), "{text}");
    }
}

/// A proposal keeps every word of the line, and the line has no error after it.
#[test]
fn a_proposal_keeps_the_words_of_the_line() {
    let field = |line: &str| APP.replacen("  due: date\n", &format!("  due: date\n  n: int\n  m: int\n  {line}\n"), 1);
    for text in [
        format!("app trade:\n  currency: crowns\n\n{APP}"),
        format!("app trade:\n  default_locale: klingon\n\n{APP}"),
        field("q: int serial"),
        field("q: int serial: 3"),
        field("q: int 0 min max 10"),
        field("q: int = 0 floor: 0"),
        field("h: computed hours_between(n, m)"),
        field("why: text required if title = \"x\""),
        field("what: ref Task or User"),
        field("invariant: n > m unless m = null"),
        APP.replacen("list: role(desk)\n    read: role(desk)", "read, list: role(desk)", 1),
        format!("{APP}\nworkspace home \"Home\":\n  open \"Open\":\n    source: Task\n    display: forest\n"),
    ] {
        let analysis = proposed(text.clone());
        let errors = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
        assert!(errors > 0, "{text}");
        let tried = analysis.diagnostics.iter().filter_map(|it| it.suggestion.as_ref()).filter(|it| it.tried);
        assert_eq!(tried.map(|it| line(&analysis, it)).collect::<Vec<_>>(), Vec::<String>::new(), "{text}");
    }
    let spelt = proposed(format!("app trade:\n  currency: EURO\n\n{APP}"));
    assert_eq!(lines(&spelt), (Vec::new(), vec!["currency: EUR".to_owned()]));
}

#[test]
fn a_default_of_another_language_is_written_with_its_sign() {
    for (written, wanted) in [
        ("q: int default 3", "q: int = 3"),
        ("q: int default: 3", "q: int = 3"),
        ("q: int default = 3", "q: int = 3"),
        ("q: int required default 3", "q: int required = 3"),
        ("q: date default: today + 7d required", "q: date = today + 7d required"),
    ] {
        let analysis = with("  due: date\n", &format!("  due: date\n  {written}\n"));
        assert_eq!(lines(&analysis), (vec![wanted.to_owned()], Vec::new()), "{written}");
        let help = analysis.diagnostics[0].help.clone().unwrap_or_default();
        assert!(wanted.starts_with(help.trim_start_matches("write `").trim_end_matches('`')), "{help}");
        assert_eq!(analysis.diagnostics.len(), 1, "{written}: {:#?}", analysis.diagnostics);
    }
}

#[test]
fn several_files_and_modules_are_tried_too() {
    let mut files = SourceMap::default();
    files.add("a.dsl", "module core\nentity Team:\n  id: uuid pk\n  name: str(80)\n");
    files.add("b.dsl", "module work\nuse core\nentity Task:\n  id: uuid pk\n  owner: Team ref\n");
    let mut analysis = analyse(files);
    propose(&mut analysis);
    assert_eq!(lines(&analysis).1, ["owner: ref Team"]);
}

#[test]
fn a_text_without_errors_is_left_alone() {
    let before = analyse(SourceMap::single("app.dsl", APP));
    let mut after = before.clone();
    propose(&mut after);
    assert_eq!(before, after);
    assert!(!before.has_errors());
}

/// Unusual texts take bounded time, and edits are inside the text.
#[test]
fn unusual_texts_take_bounded_time() {
    let size = if sweep::is_quick() { 1 } else { 8 };
    let many: String = (0..100 * size / 8).map(|at| format!("entity E{at}:\n  id: uuid kp\n  x: ref F{at}\n")).collect();
    let long = format!("entity Task:\n  id: uuid pk {}\n", "x ".repeat(500 * size));
    for text in
        [many, long, "entity".to_owned(), ":".to_owned(), "\u{feff}entity é:\n  ü ö ä\n".to_owned(), "# only\n\n  \u{202e}".to_owned()]
    {
        let analysis = proposed(text);
        for Suggestion { span, .. } in analysis.diagnostics.iter().filter_map(|it| it.suggestion.as_ref()) {
            assert!(analysis.files.file(span.file).text.get(span.start as usize..span.end as usize).is_some());
        }
    }
}
