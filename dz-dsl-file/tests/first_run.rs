//! The first run reports every error: an error in one construct does not prevent the rules about others.

use dz_dsl_file::{SourceMap, analyse};

/// Each construct violates a rule over the whole model and depends on no other construct.
const HIDDEN: &str = "entity Data:
  id: uuid pk
  permit:
    read: true
entity Datum:
  id: uuid pk
  permit:
    read: true
entity Config:
  archetype: settings
  id: uuid pk
  name: str(80) required
entity Order:
  id: uuid pk
  title: str(80) required
  due: date
  permit:
    read: true
    create: true
surface order_new:
  uses entity Order
  mode: create
  section main:
    field due
entity Closed:
  id: uuid pk
";

const RULES: [&str; 4] = ["missing-required-field", "name-collision", "no-access-rules", "settings-with-required-field"];

/// A construct with an error, and the rule of that error. [`NEEDED`] declares what they use.
const BROKEN: [(&str, &str); 15] = [
    ("unknown-key", "scenario day:\n  descripton: \"x\"\n  for persona clerk:\n    strt_route: \"/app/x\"\n"),
    ("unknown-surface", "workspace home:\n  open:\n    source: Task\n    action: elsewhere\n"),
    ("unknown-type", "entity Broken:\n  id: uuid pk\n  size: sze\n  permit:\n    read: true\n"),
    ("unknown-field", "entity Broken:\n  id: uuid pk\n  invariant: nope = 1\n    message: \"x\"\n  permit:\n    read: true\n"),
    ("unknown-key", "persona broken:\n  colour: red\n"),
    ("unknown-persona", "story ST-1 \"A\":\n  actor: nobody_here\n  scope: Task\n"),
    ("unknown-type", "service broken:\n  input:\n    a: sze\n  stub: rust\n"),
    ("unknown-service", "process broken:\n  steps:\n    - step one:\n        service: elsewhere\n"),
    ("unknown-surface", "experience broken:\n  step one:\n    surface elsewhere\n"),
    (
        "unknown-state",
        "entity Broken:\n  id: uuid pk\n  state: enum[a, b]\n  transitions:\n    a -> elsewhere\n  permit:\n    read: true\n    update: true\n",
    ),
    ("unknown-role", "entity Broken:\n  id: uuid pk\n  permit:\n    read: role(elsewhere)\n"),
    ("type-mismatch", "demo:\n  Task:\n    - name: 3\n"),
    ("unexpected-token", "entity Broken:\n  id: uuid pk )\n  permit:\n    read: true\n"),
    ("unknown-field", "entity Broken:\n  id: uuid pk\n  index elsewhere\n  permit:\n    read: true\n"),
    ("unknown-path", "surface broken:\n  uses entity Task\n  mode: list\n  ux:\n    sort: elsewhere\n"),
];

const NEEDED: &str = "persona clerk
entity Task:
  id: uuid pk
  name: str(80)
  permit:
    list: role(clerk)
    read: role(clerk)
";

fn rules(text: String) -> Vec<&'static str> {
    analyse(SourceMap::single("app.dsl", text)).diagnostics.into_iter().map(|it| it.rule).collect()
}

#[test]
fn an_error_hides_no_finding_of_another_construct() {
    let mut wrong = Vec::new();
    for (rule, broken) in BROKEN {
        let found = rules(format!("{NEEDED}{broken}{HIDDEN}"));
        let missing: Vec<&str> = RULES.into_iter().chain([rule]).filter(|rule| !found.contains(rule)).collect();
        if !missing.is_empty() {
            wrong.push(format!("{broken}hides {missing:?} and leaves {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An error in a construct causes no further findings.
#[test]
fn an_error_causes_no_other_finding() {
    let mut wrong = Vec::new();
    let clean = |rule: &&str| !matches!(*rule, "dead-surface" | "list-without-ux" | "region-without-action");
    for (rule, broken) in BROKEN {
        let found: Vec<&str> = rules(format!("{NEEDED}{broken}")).into_iter().filter(clean).collect();
        if found.iter().any(|other| *other != rule) {
            wrong.push(format!("{broken}is reported as {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Archetypes that no entity extends are checked too.
#[test]
fn an_error_in_an_archetype_that_nothing_extends_is_found() {
    let found = rules(format!("archetype Alone:\n  at: dattime\n  who: ref Usre\n  invariant: nope = 1\n    message: \"x\"\n{NEEDED}"));
    assert_eq!(found, ["unknown-type", "unknown-entity", "unknown-field"]);
}
