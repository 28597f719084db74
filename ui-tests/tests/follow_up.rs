//! An error in a declaration causes no further errors in the Rust beside it: the most frequent mistakes, each in an application
//! with hooks and routes, for both macros.
//!
//! The cases are files below `fail/follow_up`, which `UPDATE_EXPECT=1` writes, with the output of the compiler beside each.

use std::{fs, path::Path};

/// The application without a mistake.
const APP: &str = r#"persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
"#;

/// What is made wrong, and how it is written then.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("modifier_misspelt", "title: str(120) required", "title: str(120) requird"),
    ("type_misspelt", "due: date", "due: dat"),
    ("type_of_elsewhere", "title: str(120) required", "title: varchar(120) required"),
    ("type_unknown", "title: str(120) required", "title: shortish required"),
    ("type_missing", "  due: date\n", "  due:\n"),
    ("entity_misspelt", "team: ref Team required", "team: ref Taem required"),
    ("entity_unknown", "owner: ref User\n", "owner: ref Somebody\n"),
    ("role_misspelt", "create: role(agent)", "create: role(agnet)"),
    ("field_unknown", "or owner = current_user", "or creator = current_user"),
    ("value_misspelt", "done] = open", "done] = opne"),
    ("state_unknown", "doing -> done", "doing -> finished"),
    ("colon_missing", "entity Task \"Task\":", "entity Task \"Task\""),
    ("key_missing", "entity Task \"Task\":\n  id: uuid pk\n", "entity Task \"Task\":\n"),
    ("construct_misspelt", "entity Team", "entiy Team"),
    ("block_misspelt", "  transitions:\n", "  trasitions:\n"),
    ("word_missing", "mode: list", "list"),
    ("field_of_a_page_unknown", "field due", "field deadline"),
    ("quote_missing", "persona lead \"Lead\"", "persona lead \"Lead"),
    ("bracket_missing", "read: role(agent, lead)", "read: role(agent, lead"),
    ("field_twice", "  due: date\n", "  due: date\n  title: str(80)\n"),
    ("entity_twice", "surface task_list", "entity Team \"Group\":\n  id: uuid pk\n\nsurface task_list"),
    ("no_way_back", "  team: ref Team required\n", "  team: ref User required\n"),
    ("sign_of_elsewhere", "role(agent) or owner", "role(agent) || owner"),
    ("line_too_far_left", "  uses entity Task\n", "uses entity Task\n"),
    ("block_empty", "  ux:\n    sort: title asc\n", "  ux:\n"),
];

/// Mistakes that the compiler reports before a macro sees them: they make no tokens of Rust.
const NO_TOKENS: &[&str] = &["quote_missing", "bracket_missing"];

fn wrong(old: &str, new: &str) -> String {
    assert_eq!(APP.matches(old).count(), 1, "`{old}` is in the application once");
    APP.replace(old, new)
}

/// The cases: what each file holds.
fn files() -> Vec<(String, String)> {
    let beside = "include!(\"beside.txt\");";
    let (mut inline, mut included) = (String::new(), String::new());
    let mut files = Vec::new();
    for (name, old, new) in MISTAKES {
        let text = wrong(old, new);
        if !NO_TOKENS.contains(name) {
            inline.push_str(&format!("mod {name} {{\ndz::dz! {{\n{text}}}\n{beside}\n}}\n\n"));
        }
        included.push_str(&format!("mod {name} {{\n    dz::include_dsl!(\"{name}.dsl\");\n    {beside}\n}}\n\n"));
        files.push((format!("{name}.dsl"), text));
    }
    for (name, modules) in [("inline.rs", inline), ("included.rs", included)] {
        files.push((name.to_owned(), format!("//! Written by `tests/follow_up.rs`.\n\n{modules}fn main() {{}}\n")));
    }
    files
}

#[test]
fn the_cases_are_those_of_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail/follow_up");
    for (name, text) in files() {
        let path = folder.join(&name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &text).expect("a file");
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{name}: write it with UPDATE_EXPECT=1");
    }
}

/// Every error ends with the name of a rule of the language, and each mistake has one at least.
#[test]
fn the_compiler_says_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail/follow_up");
    for (name, modules) in [("inline.stderr", MISTAKES.len() - NO_TOKENS.len()), ("included.stderr", MISTAKES.len())] {
        let said = fs::read_to_string(folder.join(name)).expect("what the compiler says");
        let of_rules = |line: &&str| line.ends_with(']') && line.contains(" [");
        let (rules, follow_up): (Vec<&str>, Vec<&str>) = said.lines().filter(|line| line.starts_with("error")).partition(of_rules);
        assert_eq!(follow_up, Vec::<&str>::new(), "{name}");
        assert!(rules.len() >= modules, "{name}: {} errors of {modules} mistakes", rules.len());
    }
}

#[test]
fn what_the_compiler_says() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/follow_up/*.rs");
}
