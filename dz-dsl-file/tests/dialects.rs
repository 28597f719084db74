//! Every word and phrase of another dialect is reported with the text to write, and `--fix` replaces those with the same meaning.

use dz_dsl_file::{
    Analysis, Diagnostic, Severity, SourceMap, analyse,
    dialect::{Meaning, PHRASES, WORDS, Word},
    repair,
};

const APP: &str = r#"persona desk "Desk"
persona lead "Lead"

entity User "Person":
  id: uuid pk
  name: str(80) required
  colour: enum[red, blue]

entity Item "Item":
  id: uuid pk
  price: decimal(8,2) = 0
  task: ref Task required

entity Membership "Membership":
  id: uuid pk
  member: ref User required
  task: ref Task required

entity Task "Task":
  id: uuid pk
  title: str(80) required
  hours: int = 0
  done: bool = false
  due: date
  colour: enum[red, blue]
  created_at: datetime auto_add
  items: has_many Item
  memberships: has_many Membership
  permit:
    list: role(desk)
    read: role(desk)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
  ux:
    sort: title asc

workspace home "Home":
  figures:
    source: Task
    display: metrics
    aggregate:
      open: count(Task)
"#;

fn analysed(text: &str) -> Analysis {
    analyse(SourceMap::single("app.dsl", text))
}

fn with(old: &str, new: &str) -> String {
    assert!(APP.contains(old), "{old}");
    APP.replacen(old, new, 1)
}

/// The application with a word at its place.
fn text_with(row: &Word, word: &str) -> String {
    let (entity, desk) = ("  done: bool = false\n", "persona desk \"Desk\"\n");
    match row.place {
        "construct" => match row.ours {
            "persona" => format!("{APP}\n{word} helper \"Helper\":\n  description: \"x\"\n"),
            "surface" => format!("{APP}\n{word} others \"Others\":\n  uses entity Task\n  mode: list\n"),
            "demo" => format!("{APP}\n{word}:\n  Task:\n    - title: \"x\"\n"),
            "archetype" => format!("{APP}\n{word} Dated:\n  day: date\n"),
            _ => format!("{APP}\n{word} Thing \"Thing\":\n  id: uuid pk\n  title: str(80)\n"),
        },
        "type" => {
            let rest = match row.ours {
                "ref" | "belongs_to" => " User",
                "has_many" | "has_one" => " Item",
                "enum" => "[a, b]",
                _ => "",
            };
            with(entity, &format!("{entity}  other: {word}{rest}\n"))
        }
        "modifier" => {
            let value = if matches!(row.ours, "optional") { "" } else { " 3" };
            with(entity, &format!("{entity}  other: int {word}{value}\n"))
        }
        "entity" => with(
            "  permit:\n    list: role(desk)\n    read: role(desk)\n",
            &format!("  {word}:\n    list: role(desk)\n    read: role(desk)\n"),
        ),
        "persona" => with(desk, &format!("persona desk \"Desk\":\n  {word}: expert\n")),
        "widget" => {
            with("mode: list\n  section main:\n    field title", &format!("mode: edit\n  section main:\n    field title widget={word}"))
        }
        "kind of display" => with("display: metrics", &format!("display: {word}")),
        "display of related rows" => with(
            "mode: list\n  section main:\n    field title\n  ux:\n    sort: title asc\n",
            &format!("mode: view\n  related items:\n    display: {word}\n    show: Item\n"),
        ),
        "llm_config" => format!("{APP}\nllm_config:\n  {word}: x\n"),
        "pii" => format!(
            "{APP}\nllm_model small:\n  provider: openai\n  model_id: gpt-4o\nllm_intent sum:\n  model: small\n  prompt: \"x\"\n  pii:\n    {word}: x\n"
        ),
        "sort" => with("title asc", &format!("title {word}")),
        "value" => with("list: role(desk)\n", &format!("list: due = {word}\n")),
        "flag" => format!("{APP}\ndemo:\n  Task:\n    - title: \"x\", done: {word}\n"),
        _ => {
            let condition = match row.ours {
                "and" | "or" => format!("role(desk) {word} role(lead)"),
                "not" => format!("{word}done"),
                "->" => return with(entity, &format!("{entity}  state: enum[a, b] = a\n  transitions:\n    a {word} b\n")),
                "-" => format!("due > today {word} 7d"),
                "*" | "/" => format!("hours {word} 2 > 1"),
                _ => format!("hours {word} 2"),
            };
            with("list: role(desk)\n", &format!("list: {condition}\n"))
        }
    }
}

#[test]
fn every_word_is_found_with_what_to_write() {
    for row in WORDS {
        let text = text_with(row, row.theirs);
        let analysis = analysed(&text);
        let name = format!("{} `{}`", row.place, row.theirs);
        let here = |it: &&Diagnostic| analysis.files.text(it.span) == row.theirs;
        let found = analysis.diagnostics.iter().find(here).unwrap_or_else(|| panic!("{name}: {:#?}", analysis.diagnostics));
        let help = found.help.as_deref().unwrap_or_default();
        assert!(help.contains(row.ours) || help.contains("ref ENTITY"), "{name}: {help}");
        let certain = found.suggestion.as_ref().map(|it| (it.text.trim() == row.ours, it.is_certain()));
        assert_eq!(
            certain,
            match row.meaning {
                Meaning::Same => Some((true, true)),
                Meaning::Likely => Some((true, false)),
                Meaning::None => None,
            },
            "{name}"
        );
        if row.meaning == Meaning::Same {
            let repaired = repair(SourceMap::single("app.dsl", &text), |it| analysis.files.text(it.span) == row.theirs);
            let (_, file) = repaired.analysis.files.files().next().expect("a file");
            let space = if row.theirs == "!" { " " } else { "" };
            assert_eq!(file.text, text_with(row, &format!("{}{space}", row.ours)), "{name}");
        }
    }
}

/// The application with a line of a phrase.
fn text_of(name: &str, line: &str) -> String {
    let own = |line: &str| if line.is_empty() { "  ".to_owned() } else { format!("  {line}") };
    match name {
        "day-of-a-moment" | "days-ago" | "days-from-now" | "equal-inline-enums" => with("list: role(desk)", &format!("list: {line}")),
        "rows-over-a-junction" => with("list: role(desk)", line),
        "field-of-the-source" => with("open: count(Task)", line),
        "rows-of-an-entity" => with("  due: date\n", &format!("  due: date\n  {line}\n")),
        "no-audit" | "audit-everything" => with("  due: date\n", &format!("  due: date\n{}\n", own(line))),
        _ => format!(
            "{APP}\nllm_model small:\n  provider: openai\n  model_id: gpt-4o\nllm_intent sum:\n  model: small\n  prompt: \"x\"\n  retry:\n    max_attempts: 3\n    {line}\n"
        ),
    }
}

#[test]
fn every_phrase_is_found_with_what_to_write() {
    for phrase in PHRASES {
        let text = text_of(phrase.name, phrase.theirs);
        let analysis = analysed(&text);
        let errors = || analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        let reported = errors().filter(|it| it.help.as_deref().is_some_and(|help| help.contains(phrase.help))).count();
        assert_eq!((reported, errors().count()), (1, 1), "{}: {:#?}", phrase.name, analysis.diagnostics);
        let repaired = repair(SourceMap::single("app.dsl", &text), |_| true);
        let (_, file) = repaired.analysis.files.files().next().expect("a file");
        let expected = if phrase.meaning == Meaning::Same { text_of(phrase.name, phrase.ours) } else { text.clone() };
        assert_eq!(file.text, expected, "{}", phrase.name);
        if phrase.meaning != Meaning::None {
            let right = analysed(&text_of(phrase.name, phrase.ours));
            assert!(right.model.is_some(), "{}: {:#?}", phrase.name, right.diagnostics);
        }
    }
}

/// `>` with a date has another meaning in the other dialect.
#[test]
fn a_phrase_that_says_something_else_is_proposed() {
    for (line, certain) in
        [("created_at >= today", true), ("created_at < today", true), ("created_at > today", false), ("today >= created_at", false)]
    {
        let analysis = analysed(&with("list: role(desk)", &format!("list: {line}")));
        let edit = analysis.diagnostics.iter().find_map(|it| it.suggestion.as_ref()).expect("a suggestion");
        assert_eq!((edit.text.as_str(), edit.is_certain()), ("date(created_at)", certain), "{line}");
    }
    let filtered =
        with("    source: Task\n", "    source: Task\n    filter: done = false\n").replace("open: count(Task)", "mean: avg(hours)");
    let analysis = analysed(&filtered);
    let edit = analysis.diagnostics.iter().find_map(|it| it.suggestion.as_ref()).expect("a suggestion");
    assert_eq!((edit.text.as_str(), edit.is_certain()), ("Task.hours", false));
}
