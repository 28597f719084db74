//! `export` and `import`: the graph of the project as data.

use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Session,
    exchange::{Data, document, export},
    kinds::is_framework,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const EXPORT: Operation = Operation {
    name: "export",
    summary: "the graph of the project as data, without the knowledge of dz",
    parameters: &[],
    run: |session, _, host: &mut dyn Host| {
        let (entities, relations) = export(&session.graph);
        Ok(document(entities, relations, &host.now()))
    },
};

pub(super) const IMPORT: Operation = Operation {
    name: "import",
    summary: "adds exported data to the graph, or replaces the graph of the project; the data is stored",
    parameters: &[
        Parameter::optional("data", Form::Object),
        Parameter::optional("file_path", Form::Text),
        Parameter::optional("mode", Form::Word(&["merge", "replace"])),
    ],
    run: import,
};

fn import(session: &mut Session, given: &Arguments<'_>, host: &mut dyn Host) -> Result<Value, Failure> {
    let replace = given.text("mode") == Some("replace");
    let text;
    let data = match (given.value("data"), given.text("file_path")) {
        (Some(data), None) => data,
        (None, Some(path)) => {
            let read = host.read(path).map_err(Failure::content)?;
            let parsed = serde_json::from_str::<Value>(&read);
            text = parsed.map_err(|error| Failure::content(format!("{path}: line {} is not JSON", error.line())))?;
            &text
        }
        _ => return Err(Failure::content("give exactly one of `data` and `file_path`")),
    };
    let exists = |id: &str| if replace { is_framework(id) && session.graph.node(id).is_some() } else { session.graph.node(id).is_some() };
    let imported = Data::read(data, exists)?;
    let mut imports = session.imports.clone();
    if replace {
        imports.base = Some(imported.data);
        imports.hidden = Some(session.fingerprint());
        imports.added = Data::default();
    } else {
        imports.added.merge(imported.data);
    }
    host.store_imports(&imports).map_err(Failure::content)?;
    session.set_imports(imports);
    Ok(json!({
        "status": "imported",
        "mode": if replace { "replace" } else { "merge" },
        "entities_imported": imported.nodes,
        "relations_imported": imported.relations,
        "entities_skipped": imported.skipped_nodes,
        "relations_skipped": imported.skipped_relations,
    }))
}
