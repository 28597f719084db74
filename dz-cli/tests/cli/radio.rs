//! An agent writes the planning of a radio station in an empty folder, in two files: with fifteen calls or fewer, each answer checked.

use std::fs;

use serde_json::{Value, json};

use crate::{
    folder::{Folder, says},
    helpdesk::{Session, errors},
};

/// True if a list of texts contains a text.
fn contains(list: &Value, text: &str) -> bool {
    list.as_array().expect("a list").iter().any(|it| it == text)
}

/// The members of each object of a list.
fn all<'v>(list: &'v Value, member: &str) -> Vec<&'v str> {
    list.as_array().expect("a list").iter().map(|it| it[member].as_str().expect("text")).collect()
}

/// The proposed block with the words of the station.
fn adapted(block: &str) -> String {
    let words = [
        ("employee", "producer"),
        ("Employee", "Producer"),
        ("manager", "editor"),
        ("Manager", "Editor"),
        ("amount: decimal(10, 2) required", "minutes: int required"),
        ("amount > 0", "minutes > 0"),
        ("An expense has an amount", "A programme has a length"),
    ];
    words.into_iter().fold(block.to_owned(), |text, (old, new)| text.replace(old, new))
}

#[test]
fn a_radio_station_is_planned_in_fifteen_calls() {
    let folder = Folder::new("radio", &[]);
    let mut session = Session::start(&folder);
    assert_eq!(session.call(json!({ "operation": "topology" }))["entities"], 0);
    // The patterns: a decision, and a slot that is given once.
    let wish =
        json!({ "operation": "propose", "text": "programmes that a producer submits and an editor approves", "entity": "Programme" });
    let proposed = session.call(wish);
    assert_eq!(proposed["proposals"][0]["name"], "approval_flow", "{proposed}");
    let programmes = adapted(proposed["proposals"][0]["block"].as_str().expect("a block"));
    assert!(programmes.contains("entity Programme \"Programme\":\n  intent: \"programmes that a producer submits"), "{programmes}");
    let slots = session.call(json!({ "operation": "inference", "text": "the same studio must not be reserved twice", "limit": 3 }));
    assert!(all(&slots["matches"], "name").contains(&"book_a_slot"), "{slots}");
    let booking = session.call(json!({ "operation": "concept", "name": "time slot" }));
    assert!(
        booking["metadata"]["example"].as_str().is_some_and(|it| it.contains("unique room, day, slot where status = booked")),
        "{booking}"
    );
    // The first file.
    let found = session.call(json!({ "operation": "validate", "text": programmes, "path": "dsl/programmes.dsl" }));
    assert!(errors(&found).is_empty(), "{found}");
    folder.write("dz.toml", "[project]\ndsl = [\"dsl\"]\n");
    folder.write("dsl/programmes.dsl", &programmes);
    // The second file uses the first one; a name in it is wrong at first, and the answer has the right one.
    let wrong = BROADCASTS.replace("ref Programme", "ref Programm");
    let found = session.call(json!({ "operation": "validate", "text": wrong, "path": "dsl/broadcasts.dsl" }));
    let error = errors(&found)[0];
    assert_eq!((&error["rule"], &error["replacement"]["text"]), (&json!("unknown-entity"), &json!("Programme")), "{found}");
    assert_eq!((&error["file"], error["line"].as_u64()), (&json!("dsl/broadcasts.dsl"), Some(14)), "{found}");
    let found = session.call(json!({ "operation": "validate", "text": BROADCASTS, "path": "dsl/broadcasts.dsl" }));
    assert!(errors(&found).is_empty(), "{found}");
    folder.write("dsl/broadcasts.dsl", BROADCASTS);
    check_station(&mut session);
    assert!(session.calls <= 15, "{} calls", session.calls);
    assert_eq!(session.end(), Some(0));
    says(&folder.dz(&["validate"]), 0, &["0 errors, 0 warnings"]);
    assert!(fs::read_dir(&folder.0).expect("a folder").count() == 2, "the session stored nothing");
}

/// The questions of the agent about what it wrote.
fn check_station(session: &mut Session) {
    let submitted = session.call(json!({ "operation": "access", "entity": "Programme", "role": "producer", "action": "update" }));
    assert_eq!(submitted["rules"][0]["callers"]["producer"], "submitted_by = current_user and status in [draft, refused]", "{submitted}");
    let public = session.call(json!({ "operation": "access", "entity": "Broadcast", "role": "anonymous" }));
    assert!(contains(&public["words"], "a caller without an account may list each Broadcast with programme.status = approved"), "{public}");
    assert!(!public["words"].to_string().contains("may create"), "{public}");
    let started = session.call(json!({ "operation": "triggers", "entity": "Programme", "event": "updated" }));
    assert_eq!((&started["triggers"][0]["name"], &started["triggers"][0]["to"]), (&json!("planning"), &json!("approved")), "{started}");
    let impact = session.call(json!({ "operation": "impact", "entity": "Programme", "state": "approved" }));
    let affected = all(&impact["affected"], "id");
    assert!(affected.contains(&"entity:Broadcast") && affected.contains(&"process:planning"), "{impact}");
    let topology = session.call(json!({ "operation": "topology", "entity": "Programme" }));
    assert_eq!((&topology["surfaces"], &topology["in_workspaces"]), (&json!(["programme_list"]), &json!(["desk"])), "{topology}");
    let populated = session.call(json!({ "operation": "populate" }));
    assert!(errors(&populated).is_empty(), "{populated}");
    assert_eq!(
        (&populated["counts"]["entity"], &populated["counts"]["surface"], &populated["counts"]["process"]),
        (&json!(3), &json!(3), &json!(1))
    );
}

const BROADCASTS: &str = r#"entity Studio "Studio":
  id: uuid pk
  name: str(80) required unique
  permit:
    list: authenticated
    read: authenticated
    create: role(editor)
    update: role(editor)

entity Broadcast "Broadcast":
  intent: "A programme on air"
  patterns: booking
  id: uuid pk
  programme: ref Programme required
  studio: ref Studio required
  day: date required indexed
  slot: enum[morning, noon, evening] = evening
  planned_by: ref User required = current_user
  status: enum[planned, cancelled] = planned
  transitions:
    planned -> cancelled "Cancel": role(editor)
    failed: cancelled
  unique studio, day, slot where status = planned
  permit:
    list: role(editor, producer) or (anonymous and programme.status = approved)
    read: role(editor, producer) or (anonymous and programme.status = approved)
    create: role(editor) and planned_by = current_user
    update: role(editor)

surface programme_list "Programmes":
  uses entity Programme
  mode: list
  ux:
    filter: status
    search: title

surface broadcast_list "On air":
  uses entity Broadcast
  mode: list
  access: public
  section main:
    field day
    field slot
    field programme.title "Programme"
    field studio.name "Studio"
  ux:
    sort: day asc
    filter: slot

surface broadcast_create "Plan a broadcast":
  uses entity Broadcast
  mode: create
  section main:
    field programme
    field studio
    field day
    field slot

workspace desk "The desk":
  purpose: "What has to be decided and planned"
  access: persona(editor)
  waiting "Waiting for a decision":
    source: Programme
    filter: status = submitted
    display: queue
    action: programme_list
  figures:
    display: metrics
    aggregate:
      on_air: count(Broadcast where day = today and status = planned)

process planning "Planning":
  trigger: entity Programme status submitted -> approved
  steps:
    - step plan "Plan the first broadcast":
        human_task:
          entity: Programme
          assignee_role: editor
          outcomes:
            - planned "Planned":
                goto: complete
"#;
