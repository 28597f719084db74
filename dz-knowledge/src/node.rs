//! Nodes and relations, and their form in JSON.

use serde_json::{Map, Value, json};

/// A node of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its id: a prefix and a name.
    pub id: String,
    /// Its type: a word of [`crate::Kind`], or any word of imported data.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its metadata.
    pub metadata: Map<String, Value>,
}

impl Node {
    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "id": self.id, "type": self.kind, "name": self.name, "metadata": self.metadata })
    }
}

/// A relation between two nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// The id of the node where it begins.
    pub source: String,
    /// The id of the node where it ends.
    pub target: String,
    /// Its type.
    pub kind: String,
    /// Its metadata.
    pub metadata: Map<String, Value>,
}

impl Relation {
    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "source_id": self.source, "target_id": self.target, "relation_type": self.kind, "metadata": self.metadata })
    }
}
