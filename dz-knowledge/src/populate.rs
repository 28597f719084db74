//! The graph of the declarations: a node for each construct, and the relations between them.

mod entities;
mod field;
mod flows;
mod pages;
mod people;
mod rest;

pub use field::{type_text, value_text};

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use dz_dsl_file::{FileId, SourceMap, Span, model::Model};
use serde_json::{Map, Value, json};

use crate::{Kind, Node, Relation};

/// The nodes and relations of declarations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Declared {
    pub nodes: Vec<Arc<Node>>,
    pub relations: Vec<Arc<Relation>>,
}

/// The metadata of a relation that is collected while the constructs are read: a member and its values.
type Causes = BTreeMap<(String, &'static str, String), (&'static str, Vec<String>)>;

/// Collects nodes and relations.
pub(crate) struct Populate<'m> {
    pub model: &'m Model,
    pub files: &'m SourceMap,
    nodes: Vec<Arc<Node>>,
    causes: Causes,
}

/// The nodes and relations of a model.
pub(crate) fn populate(model: &Model, files: &SourceMap) -> Declared {
    let mut it = Populate { model, files, nodes: Vec::new(), causes: Causes::new() };
    rest::add(&mut it);
    entities::add(&mut it);
    pages::add(&mut it);
    people::add(&mut it);
    flows::add(&mut it);
    let known: HashSet<&str> = it.nodes.iter().map(|node| node.id.as_str()).collect();
    let relation = |((source, kind, target), (member, values)): ((String, &'static str, String), (&'static str, Vec<String>))| {
        let metadata = if member.is_empty() { Map::new() } else { Map::from_iter([(member.to_owned(), json!(values))]) };
        Arc::new(Relation { source, target, kind: kind.to_owned(), metadata })
    };
    // The account entity and the roles that dz supplies are not nodes, so there are no relations to them.
    let relations =
        it.causes.into_iter().filter(|((source, _, target), _)| known.contains(source.as_str()) && known.contains(target.as_str()));
    let relations = relations.map(relation).collect();
    Declared { nodes: it.nodes, relations }
}

impl Populate<'_> {
    /// Adds a node with its title and its place.
    fn node(&mut self, kind: Kind, name: &str, title: &str, span: Span, metadata: Value) {
        let mut all = Map::new();
        all.insert("title".to_owned(), title.into());
        all.insert("file".to_owned(), self.file(span.file).into());
        all.insert("line".to_owned(), self.line(span).into());
        if let Value::Object(metadata) = metadata {
            all.extend(metadata);
        }
        self.nodes.push(Arc::new(Node { id: kind.id(name), kind: kind.word().to_owned(), name: name.to_owned(), metadata: all }));
    }

    fn file(&self, file: FileId) -> &str {
        &self.files.file(file).name
    }

    fn line(&self, span: Span) -> usize {
        self.files.file(span.file).line_column(span.start).0
    }

    /// The text of a place.
    fn text(&self, span: Span) -> String {
        self.files.text(span).trim().to_owned()
    }

    /// Adds a relation.
    fn relate(&mut self, source: &str, kind: &'static str, target: String) {
        self.causes.entry((source.to_owned(), kind, target)).or_default();
    }

    /// Adds a relation with one of the names that cause it.
    fn relate_by(&mut self, source: &str, kind: &'static str, target: String, member: &'static str, name: &str) {
        let cause = self.causes.entry((source.to_owned(), kind, target)).or_insert((member, Vec::new()));
        if !cause.1.iter().any(|it| it == name) {
            cause.1.push(name.to_owned());
        }
    }

    fn entity_id(&self, id: dz_dsl_file::model::EntityId) -> String {
        Kind::Entity.id(&self.model.entity(id).name)
    }

    fn surface_id(&self, id: dz_dsl_file::model::SurfaceId) -> String {
        Kind::Surface.id(&self.model.surfaces[id.0].name)
    }

    fn persona_id(&self, id: dz_dsl_file::model::RoleId) -> String {
        Kind::Persona.id(&self.model.personas[id.0].name)
    }

    fn process_id(&self, id: dz_dsl_file::model::ProcessId) -> String {
        Kind::Process.id(&self.model.processes[id.0].name)
    }
}
