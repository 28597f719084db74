//! `populate`: reads the declarations again, also those of another folder.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Kind, Session,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "populate",
    summary: "reads the declarations again; also shows how many constructs there are, and the diagnostics",
    parameters: &[Parameter::optional("root_path", Form::Text)],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, host: &mut dyn Host) -> Result<Value, Failure> {
    let loaded = host.load(given.text("root_path")).map_err(Failure::content)?;
    let is_other = loaded.root != session.loaded.root;
    session.update(loaded);
    let diagnostics = session.findings(host);
    if is_other {
        // Another folder has imports of its own, and nothing is stored there.
        let imports = host.read_imports();
        session.set_imports(imports.without_hidden());
    } else if session.imports.hidden.take().is_some() {
        host.store_imports(&session.imports).map_err(Failure::content)?;
        session.compose();
    }
    let mut counts: BTreeMap<&str, usize> =
        Kind::ALL.iter().filter(|kind| !matches!(kind, Kind::Concept | Kind::Inference)).map(|kind| (kind.prefix(), 0)).collect();
    let mut words: HashMap<&str, usize> = HashMap::new();
    session.declared.nodes.iter().for_each(|node| *words.entry(node.kind.as_str()).or_default() += 1);
    for kind in Kind::ALL {
        if let Some(count) = words.get(kind.word()) {
            *counts.entry(kind.prefix()).or_default() += count;
        }
    }
    let relations = session.declared.relations.len();
    Ok(json!({ "root_path": session.loaded.root, "counts": counts, "relations": relations, "diagnostics": diagnostics }))
}
