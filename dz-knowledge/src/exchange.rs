//! Exported and imported data, and the imports that are stored across restarts.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use serde_json::{Map, Value, json};

use crate::{Failure, Graph, Node, Relation, kinds::is_framework};

/// The version of the data.
const VERSION: &str = "1.0";

/// The exported nodes and relations of the project: sorted, and without those that dz supplies.
pub(crate) fn export(graph: &Graph) -> (Vec<Value>, Vec<Value>) {
    let mut nodes: Vec<&Node> = graph.nodes().filter(|node| !is_framework(&node.id)).collect();
    nodes.sort_by(|a, b| a.id.cmp(&b.id));
    let mut relations: Vec<&Relation> = graph.relations().collect();
    relations.retain(|it| !is_framework(&it.source) && !is_framework(&it.target));
    relations.sort_by(|a, b| (&a.source, &a.kind, &a.target).cmp(&(&b.source, &b.kind, &b.target)));
    (nodes.into_iter().map(Node::json).collect(), relations.into_iter().map(Relation::json).collect())
}

/// An exported graph.
pub(crate) fn document(entities: Vec<Value>, relations: Vec<Value>, exported_at: &str) -> Value {
    json!({ "version": VERSION, "exported_at": exported_at, "entities": entities, "relations": relations })
}

/// Nodes by id, and relations by source, target and type.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Data {
    pub nodes: BTreeMap<String, Arc<Node>>,
    pub relations: BTreeMap<(String, String, String), Arc<Relation>>,
}

/// Imported data, with the parts that were ignored.
pub(crate) struct Imported {
    pub data: Data,
    pub nodes: usize,
    pub relations: usize,
    pub skipped_nodes: usize,
    pub skipped_relations: usize,
}

impl Data {
    /// Parses exported data. `exists` is true for other ids that relations can name. A message quotes nothing of the data.
    pub fn read(value: &Value, exists: impl Fn(&str) -> bool) -> Result<Imported, Failure> {
        let invalid = |what: &str| Failure::content(format!("the data is invalid: {what}"));
        let object = value.as_object().ok_or_else(|| invalid("it is not an object"))?;
        if object.get("version").and_then(Value::as_str) != Some(VERSION) {
            return Err(invalid("`version` must be \"1.0\""));
        }
        let list = |name: &str| object.get(name).and_then(Value::as_array).ok_or_else(|| invalid(&format!("`{name}` must be a list")));
        let (entities, links) = (list("entities")?, list("relations")?);
        let mut it = Imported { data: Data::default(), nodes: 0, relations: 0, skipped_nodes: 0, skipped_relations: 0 };
        for entity in entities {
            match node(entity) {
                Some(node) => {
                    it.nodes += 1;
                    it.data.nodes.insert(node.id.clone(), Arc::new(node));
                }
                None => it.skipped_nodes += 1,
            }
        }
        for link in links {
            let known = |id: &str| it.data.nodes.contains_key(id) || exists(id);
            match relation(link).filter(|relation| known(&relation.source) && known(&relation.target)) {
                Some(relation) => {
                    it.relations += 1;
                    let key = (relation.source.clone(), relation.target.clone(), relation.kind.clone());
                    it.data.relations.insert(key, Arc::new(relation));
                }
                None => it.skipped_relations += 1,
            }
        }
        Ok(it)
    }

    /// Adds other data, which replaces nodes and relations with the same ids.
    pub fn merge(&mut self, other: Data) {
        self.nodes.extend(other.nodes);
        self.relations.extend(other.relations);
    }

    /// The data as JSON, one node and one relation in a line. The text is written in parts, because the data can be large.
    fn write(&self, text: &mut String) {
        let mut list = |name: &str, items: &mut dyn Iterator<Item = Value>| {
            text.push_str(&format!(",\n\"{name}\":["));
            for (at, item) in items.enumerate() {
                text.push_str(if at == 0 { "\n" } else { ",\n" });
                text.push_str(&item.to_string());
            }
            text.push(']');
        };
        list("entities", &mut self.nodes.values().map(|it| it.json()));
        list("relations", &mut self.relations.values().map(|it| it.json()));
    }
}

fn node(value: &Value) -> Option<Node> {
    let id = word(value, "id")?;
    let node = Node { id, kind: word(value, "type")?, name: word(value, "name")?, metadata: metadata(value) };
    (!is_framework(&node.id)).then_some(node)
}

fn relation(value: &Value) -> Option<Relation> {
    let (source, target) = (word(value, "source_id")?, word(value, "target_id")?);
    Some(Relation { source, target, kind: word(value, "relation_type")?, metadata: metadata(value) })
}

fn word(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).filter(|it| !it.is_empty()).map(str::to_owned)
}

fn metadata(value: &Value) -> Map<String, Value> {
    value.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The imports that are stored across restarts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imports {
    /// The graph of `mode: replace`, which replaces that of the declarations.
    pub(crate) base: Option<Data>,
    /// The fingerprint of the declarations that the base hides; others are added to it.
    pub(crate) hidden: Option<String>,
    /// The data of `mode: merge`.
    pub(crate) added: Data,
}

impl Imports {
    /// True if nothing is imported.
    pub(crate) fn is_empty(&self) -> bool {
        self.base.is_none() && self.added.nodes.is_empty() && self.added.relations.is_empty()
    }

    /// The same imports, which hide no declarations.
    pub(crate) fn without_hidden(self) -> Imports {
        Imports { hidden: None, ..self }
    }

    /// Reads what [`Imports::text`] wrote.
    ///
    /// # Errors
    /// One sentence, which quotes nothing of the text.
    pub fn read(text: &str) -> Result<Imports, String> {
        let invalid = || "it is not what dz writes there".to_owned();
        let value: Value = serde_json::from_str(text).map_err(|error| format!("line {} is not JSON", error.line()))?;
        // The ends of relations are checked when the graph is built, because declarations change.
        let data = |value: &Value| Data::read(value, |_| true).map(|it| it.data).map_err(|_| invalid());
        let base = value.get("base").filter(|it| !it.is_null()).map(data).transpose()?;
        let hidden = value.get("hidden").and_then(Value::as_str).map(str::to_owned);
        Ok(Imports { base, hidden, added: data(value.get("added").ok_or_else(invalid)?)? })
    }

    /// As text.
    pub fn text(&self) -> String {
        let mut text = "{".to_owned();
        let mut data = |name: &str, data: &Data| {
            text.push_str(&format!("\n\"{name}\":{{\"version\":\"{VERSION}\""));
            data.write(&mut text);
            text.push_str("},");
        };
        if let Some(base) = &self.base {
            data("base", base);
        }
        data("added", &self.added);
        text.push_str(&format!("\n\"hidden\":{}}}\n", json!(self.hidden)));
        text
    }
}

/// The ids of nodes.
pub(crate) fn ids<'n>(nodes: impl Iterator<Item = &'n Node>) -> HashSet<&'n str> {
    nodes.map(|node| node.id.as_str()).collect()
}
