//! Generated edits: after each of them the answers are those of a new session over the same texts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::memory::Tested;

/// The texts of a project by name.
type Texts = BTreeMap<String, String>;

/// A project of several texts, whose constructs depend on each other within a text and between texts.
fn project() -> Texts {
    let mut texts = Texts::new();
    let people = "app orchard \"Orchard\"\n\npersona picker \"Picker\"\n\npersona owner \"Owner\"\n\nenum Ripeness:\n  green\n  ripe\n\n\
                  archetype Dated:\n  noted: datetime auto_add\n\n";
    texts.insert("app.dsl".to_owned(), people.to_owned());
    for file in 0..5 {
        let mut text = String::new();
        for at in file * 5..file * 5 + 5 {
            text.push_str(&block(at));
        }
        texts.insert(format!("part{file}.dsl"), text);
    }
    texts
}

/// An entity with its surfaces; some have a workspace or a process too.
fn block(at: usize) -> String {
    let (tree, other) = (format!("Tree{at}"), format!("Tree{}", at / 2));
    let mut text = format!(
        "# Trees of field {at}.\nentity {tree} \"Tree {at}\":\n  intent: \"A tree of field {at}\"\n  extends: Dated\n  id: uuid pk\n  \
         label: str(40) required\n  beside: ref {other}\n  planted: date\n  ripeness: Ripeness = green\n  weight: decimal(8, 2) = 0\n  \
         state: enum[young, grown, felled] = young\n  double: computed weight * 2\n  transitions:\n    young -> grown: requires planted\n    \
         grown -> felled: role(owner)\n    final: felled\n  invariant: weight >= 0\n    message: \"not negative\"\n    code: \
         WEIGHT_{at}\n  permit:\n    list: role(picker, owner)\n    read: role(picker) or role(owner)\n    create: role(picker)\n    update: \
         role(owner)\n\n"
    );
    for mode in ["list", "view", "create", "edit"] {
        text.push_str(&format!(
            "surface tree_{at}_{mode} \"{mode} {at}\":\n  uses entity {tree}\n  mode: {mode}\n  section main:\n    field label\n    field \
             planted\n    field beside.label\n"
        ));
        if mode == "list" {
            text.push_str("  ux:\n    sort: planted desc\n    filter: state\n    search: label\n");
        }
        text.push('\n');
    }
    if at.is_multiple_of(3) {
        text.push_str(&format!(
            "workspace field_{at} \"Field {at}\":\n  purpose: \"See field {at}\"\n  trees:\n    source: {tree}\n    sort: planted asc\n    \
             limit: 5\n    action: tree_{at}_view\n\n"
        ));
    }
    text
}

/// An edit: its kind, and numbers that choose its place and its text.
type Edit = (u8, u16, u16);

/// Texts after an edit.
fn edited(texts: &Texts, original: &Texts, (kind, place, choice): Edit) -> Texts {
    let names: Vec<&String> = texts.keys().collect();
    let name = names[usize::from(place) % names.len()].clone();
    let (place, choice) = (usize::from(place) / names.len(), usize::from(choice));
    let mut lines: Vec<String> = texts[&name].lines().map(str::to_owned).collect();
    let mut new = texts.clone();
    if lines.is_empty() {
        return original.clone();
    }
    let at = place % lines.len();
    let indent = |line: &str| line.len() - line.trim_start().len();
    match kind {
        0 => drop(lines.remove(at)),
        1 => {
            let fields = ["  extra: int", "  grower: ref Tree1", "  ripeness2: Ripeness", "  sum: computed weight + 1", "  label: str(9)"];
            let head = (0..=at).rev().find(|at| lines[*at].starts_with("  id: uuid pk")).unwrap_or(at);
            lines.insert(head + 1, fields[choice % fields.len()].to_owned());
        }
        2 => lines.insert(at, "# A comment.".to_owned()),
        3 => {
            let words = [
                ("planted", "weight"),
                ("required", ""),
                ("desc", "asc"),
                ("picker", "owner"),
                ("owner", "picker"),
                ("list", "view"),
                ("Tree1", "Tree4"),
                ("young", "grown"),
                ("(40)", "(60)"),
                ("  extends: Dated", ""),
                (" = 0", ""),
                ("label", "planted"),
            ];
            let (old, word) = words[choice % words.len()];
            lines[at] = lines[at].replace(old, word);
        }
        4 => {
            // A construct leaves its text, and sometimes joins another one.
            let first = (0..=at).rev().find(|at| !lines[*at].is_empty() && indent(&lines[*at]) == 0).unwrap_or(0);
            let rest = (first + 1..lines.len()).find(|at| !lines[*at].is_empty() && indent(&lines[*at]) == 0).unwrap_or(lines.len());
            let block: Vec<String> = lines.drain(first..rest).collect();
            let to = names[choice % names.len()].clone();
            if choice.is_multiple_of(2) && to != name {
                new.insert(to.clone(), format!("{}{}\n", texts[&to], block.join("\n")));
            }
        }
        5 => {
            // Two texts change at once.
            let other = names[choice % names.len()].clone();
            new.insert(other.clone(), format!("{}\nentity Added{choice}:\n  id: uuid pk\n  tree: ref Tree2\n", texts[&other]));
            lines.insert(at, "# Another comment.".to_owned());
        }
        _ => return original.clone(),
    }
    new.insert(name, lines.join("\n") + "\n");
    new
}

/// What a session knows.
fn answers(project: &mut Tested) -> Vec<(&'static str, Value)> {
    let populated = project.ok("populate", json!({}));
    let mut export = project.ok("export", json!({}));
    export["exported_at"] = Value::Null;
    let mut answers = vec![("populate", populated), ("export", export)];
    for (operation, parameters) in
        [("stats", json!({})), ("topology", json!({})), ("query", json!({ "text": "field of trees", "limit": 40 }))]
    {
        answers.push((operation, project.ok(operation, parameters)));
    }
    answers
}

/// The first elements of two answers that are not in the other one.
fn difference(found: &Value, wanted: &Value) -> String {
    let lists = |value: &Value| -> Vec<Value> {
        let members = value.as_object().into_iter().flatten();
        members.flat_map(|(_, member)| member.as_array().cloned().unwrap_or_else(|| vec![member.clone()])).collect()
    };
    let (found, wanted) = (lists(found), lists(wanted));
    let only = |one: &[Value], other: &[Value]| one.iter().find(|it| !other.contains(it)).map(Value::to_string).unwrap_or_default();
    format!("found {}, wanted {}", only(&found, &wanted), only(&wanted, &found))
}

fn session(texts: &Texts) -> Tested {
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Tested::new(&texts)
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((0..7_u8, any::<u16>(), any::<u16>()), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_edits_give_the_graph_and_the_findings_of_a_complete_reading(edits in edits()) {
        let original = project();
        let (mut texts, mut project) = (original.clone(), session(&original));
        answers(&mut project);
        for edit in edits {
            let before = std::mem::take(&mut texts);
            texts = edited(&before, &original, edit);
            project.write_all(&texts);
            let mut wanted = answers(&mut session(&texts));
            if wanted[0].1["diagnostics"].as_array().expect("a list").iter().any(|it| it["severity"] == "error") {
                // The session keeps what it knew of a text with errors, and few further edits would lead back to one without.
                project.ok("populate", json!({}));
                texts = before;
                project.write_all(&texts);
                wanted = answers(&mut session(&texts));
            }
            for (found, wanted) in answers(&mut project).iter().zip(&wanted) {
                prop_assert!(found == wanted, "after {edit:?}: {}", difference(&found.1, &wanted.1));
            }
        }
    }
}
