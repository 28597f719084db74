//! Changes of single files: the graph is the same as after a complete reading.

use std::{collections::HashMap, fs, path::Path};

use serde_json::{Value, json};

use crate::{memory::Tested, unseen::LABORATORY};

/// Everything that a session knows, in an order that does not depend on its past.
fn answers(project: &mut Tested) -> Vec<Value> {
    let mut export = project.ok("export", json!({}));
    export["exported_at"] = Value::Null;
    let mut known = vec![export, project.ok("stats", json!({})), project.ok("topology", json!({}))];
    for text in ["sample of an animal", "unpaid bils", "who measures", "device"] {
        known.push(project.ok("query", json!({ "text": text, "limit": 30 })));
    }
    // These read only what they need, until the access of everything reads the whole model.
    known.push(project.ok("access", json!({ "entity": "Sample" })));
    for parameters in [
        json!({ "entity": "Sample", "field": "status" }),
        json!({ "entity": "Sample" }),
        json!({ "entity": "Patient" }),
        json!({ "entity": "Bill" }),
        json!({ "entity": "User" }),
        json!({ "role": "bookkeeper" }),
        json!({ "surface": "report_view" }),
    ] {
        known.push(project.ok("impact", parameters));
    }
    known.push(project.ok("access", json!({})));
    known.push(project.ok("populate", json!({})));
    known
}

fn files() -> HashMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(LABORATORY);
    let names = ["app.dsl", "billing.dsl", "results.dsl", "samples.dsl"];
    names.map(|name| (name.to_owned(), fs::read_to_string(folder.join(name)).expect("a file"))).into_iter().collect()
}

/// A file, a text in it, and its replacement.
const EDITS: &[(&str, &str, &str)] = &[
    ("billing.dsl", "  room: str(40) required\n", "  room: str(40) required\n  humidity: int\n"),
    ("billing.dsl", "# Bills,", "# A comment that shifts every line.\n\n# Bills,"),
    ("results.dsl", "  remark: text\n", "  remark: text\n  shelf: ref Shelf\n"),
    ("results.dsl", "  lot: str(40) required\n", "  lot: str(60) required\n  supplier: ref Practice\n"),
    ("app.dsl", "    field serial_number\n", "    field serial_number\n    field status\n"),
    ("app.dsl", "persona bookkeeper \"Bookkeeper\"", "persona bookkeeper \"Accountant\""),
    ("app.dsl", "persona bookkeeper \"Accountant\"", "persona driver \"Driver\"\n\npersona bookkeeper \"Accountant\""),
    ("samples.dsl", "  cattle\n", "  cattle\n  sheep\n"),
    ("samples.dsl", "  changed_at: datetime auto_update\n", "  changed_at: datetime auto_update\n  changed_by: str(80)\n"),
    ("samples.dsl", "  frozen: bool = false\n", "  frozen: bool = false\n  volume: decimal(6, 2)\n"),
    ("samples.dsl", "entity Keeper", "entity Owner"),
    ("samples.dsl", "entity Owner", "entity Keeper"),
    ("results.dsl", "entity Referral", "entity Bill"),
    ("results.dsl", "entity Bill", "entity Referral"),
    ("results.dsl", "  sent_on: date\n", "  sent_on: dat\n"),
    ("results.dsl", "  sent_on: dat\n", "  sent_on: datetime\n"),
    ("results.dsl", "  extends: Tracked\n", ""),
    ("billing.dsl", "entity Shelf \"Shelf\":\n", "entity Shelf \"Shelf\":\n  extends: Tracked\n"),
    ("billing.dsl", "  text: str(200) required\n", "  title: str(200) required\n"),
    ("billing.dsl", "    - name: \"Urine stick\", unit: \"ph\"\n", ""),
    ("billing.dsl", "  due: date required\n", "  due_on: date required\n"),
    ("billing.dsl", "  due_on: date required\n", "  due: date required\n"),
    ("app.dsl", "surface report_view \"Report\":\n", "surface report_view \"Report of a sample\":\n"),
    ("app.dsl", "    source: Bill\n", "    source: Parcel\n"),
    ("billing.dsl", "  closing_time: str(5)\n", "  closing_time: str(8)\n"),
    ("app.dsl", "  step look:\n", "  step see:\n"),
    ("app.dsl", "step look\n", "step see\n"),
];

#[test]
fn a_change_of_a_file_gives_the_graph_of_a_complete_reading() {
    let mut texts = files();
    let mut project = Tested::folder(LABORATORY);
    project.ok("query", json!({ "text": "warm" }));
    for (name, old, new) in EDITS {
        let text = texts[*name].replace(old, new);
        texts.insert((*name).to_owned(), text.clone());
        project.write(name, &text);
        let again: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let (found, wanted) = (answers(&mut project), answers(&mut Tested::new(&again)));
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found, wanted, "after {name}: {old} -> {new}");
        }
    }
}

#[test]
fn changes_keep_imports() {
    let mut project = Tested::folder(LABORATORY);
    let node = json!({ "id": "note:1", "type": "note", "name": "Note", "metadata": {} });
    let relation = json!({ "source_id": "note:1", "target_id": "entity:Shelf", "relation_type": "explains", "metadata": {} });
    project.ok("import", json!({ "data": { "version": "1.0", "entities": [node], "relations": [relation] } }));
    let text = files()["billing.dsl"].replace("  room: str(40) required\n", "  room: str(40) required\n  humidity: int\n");
    project.write("billing.dsl", &text);
    assert_eq!(project.ok("dependents", json!({ "entity_id": "entity:Shelf" }))["dependents"][0]["id"], "note:1");
    assert!(project.ok("topology", json!({ "entity": "Shelf" }))["details"]["fields"].to_string().contains("humidity"));
}
