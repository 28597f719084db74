//! A session: the declarations, the imports, the graph of both, and the execution of calls.

use std::{collections::HashMap, sync::OnceLock};

use dz_dsl_file::{Analysis, Readable, SourceMap, readable};
use serde_json::Value;

use crate::{
    Failure, Graph, Imports,
    exchange::ids,
    failure::nearest_or_some,
    framework,
    operations::OPERATIONS,
    parameters::Arguments,
    populate::{Declared, populate},
    search::Index,
};

/// The declarations of a project.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// Its folder, for messages.
    pub root: String,
    /// The texts of its files.
    pub files: SourceMap,
}

/// Reads and writes files for a session.
pub trait Host {
    /// Loads the declarations of the project, or of another folder.
    ///
    /// # Errors
    /// One sentence that names the folder or the file.
    fn load(&mut self, root: Option<&str>) -> Result<Loaded, String>;

    /// Reads a file of the project; the path is relative to it.
    ///
    /// # Errors
    /// One sentence that names the file, and quotes nothing of it.
    fn read(&mut self, path: &str) -> Result<String, String>;

    /// Stores the imports.
    ///
    /// # Errors
    /// One sentence that names the file.
    fn store_imports(&mut self, imports: &Imports) -> Result<(), String>;

    /// The current time, RFC 3339.
    fn now(&self) -> String;

    /// The findings of an analysis as `dz validate --format json` writes them.
    fn findings(&self, analysis: &Analysis) -> Value;
}

/// A session over one project.
pub struct Session {
    pub(crate) loaded: Loaded,
    /// The last text of each file that could be parsed.
    parsed: HashMap<String, String>,
    pub(crate) read: Readable,
    pub(crate) declared: Declared,
    pub(crate) imports: Imports,
    pub(crate) graph: Graph,
    index: OnceLock<Index>,
}

impl Session {
    /// A session over these declarations.
    pub fn new(loaded: Loaded, imports: Imports) -> Session {
        let empty = Loaded::default();
        let read = readable(SourceMap::default());
        let (parsed, declared) = (HashMap::new(), Declared::default());
        let mut session = Session { loaded: empty, parsed, read, declared, imports, graph: Graph::default(), index: OnceLock::new() };
        session.reload(loaded);
        session
    }

    /// Reads the declarations again. For a file that cannot be parsed, the graph keeps the constructs of the last text that could be
    /// parsed.
    pub fn reload(&mut self, loaded: Loaded) {
        self.release();
        let read = readable(loaded.files.clone());
        let (mut texts, mut parsed, mut is_changed) = (SourceMap::default(), HashMap::new(), false);
        for (id, file) in loaded.files.files() {
            let earlier = self.parsed.remove(&file.name).filter(|_| read.unparsed.contains(&id));
            is_changed |= earlier.is_some();
            texts.add(file.name.as_str(), earlier.as_ref().unwrap_or(&file.text).as_str());
            match earlier {
                Some(earlier) => drop(parsed.insert(file.name.clone(), earlier)),
                None if read.unparsed.contains(&id) => {}
                None => drop(parsed.insert(file.name.clone(), file.text.clone())),
            }
        }
        self.parsed = parsed;
        self.read = if is_changed { readable(texts) } else { read };
        self.declared = populate(&self.read.model, &self.read.files);
        self.loaded = loaded;
        self.compose();
    }

    /// Releases the model before another one is read, so that memory holds one.
    pub(crate) fn release(&mut self) {
        self.read = readable(SourceMap::default());
    }

    /// Replaces the imports, which another process may have changed.
    pub fn set_imports(&mut self, imports: Imports) {
        self.imports = imports;
        self.compose();
    }

    /// Answers a call.
    ///
    /// # Errors
    /// The cause, with the nearest known word if there is one.
    pub fn call(&mut self, operation: &str, parameters: &Value, host: &mut dyn Host) -> Result<Value, Failure> {
        let Some(found) = OPERATIONS.iter().find(|it| it.name == operation) else {
            let known = nearest_or_some(operation, OPERATIONS.iter().map(|it| it.name));
            return Err(Failure::usage(format!("unknown operation `{operation}`; {known}")));
        };
        let Some(given) = parameters.as_object() else {
            return Err(Failure::usage("the parameters must be an object"));
        };
        let arguments = Arguments::check(given, found.parameters, &self.graph)?;
        (found.run)(self, &arguments, host)
    }

    /// Builds the graph of the declarations, the imports and the knowledge of dz.
    pub(crate) fn compose(&mut self) {
        let is_hidden = self.imports.hidden.as_ref().is_some_and(|it| self.imports.base.is_some() && *it == self.fingerprint());
        let declared = (!is_hidden).then_some(&self.declared);
        let (base, added) = (self.imports.base.as_ref(), &self.imports.added);
        self.graph = Graph::default();
        self.index = OnceLock::new();
        let mut graph = Graph::default();
        // A later node replaces an earlier one with the same id.
        framework::nodes().iter().for_each(|it| graph.put(it.clone()));
        base.iter().flat_map(|it| it.nodes.values()).for_each(|it| graph.put(it.clone()));
        declared.iter().flat_map(|it| &it.nodes).for_each(|it| graph.put(it.clone()));
        added.nodes.values().for_each(|it| graph.put(it.clone()));
        // An end may have been removed from the declarations since the relation was imported.
        framework::relations().for_each(|it| graph.relate(it));
        base.iter().flat_map(|it| it.relations.values()).for_each(|it| graph.relate(it.clone()));
        declared.iter().flat_map(|it| &it.relations).for_each(|it| graph.relate(it.clone()));
        added.relations.values().for_each(|it| graph.relate(it.clone()));
        self.graph = graph;
    }

    /// The words of the graph.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.graph))
    }

    /// A short text that differs for different declarations (FNV-1a), which is stored.
    pub(crate) fn fingerprint(&self) -> String {
        let files = self.loaded.files.files();
        let bytes = files.flat_map(|(_, file)| file.name.bytes().chain([0]).chain(file.text.bytes()).chain([0]));
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// The node with this id, or an error with the nearest id.
    pub(crate) fn node_at(&self, parameter: &str, id: &str) -> Result<petgraph::graph::NodeIndex, Failure> {
        if let Some(at) = self.graph.at(id) {
            return Ok(at);
        }
        let lower = id.to_lowercase();
        let named = self.graph.nodes().filter(|node| node.name.to_lowercase() == lower).map(|node| node.id.as_str()).min();
        let help = match named {
            Some(named) => format!("did you mean `{named}`?"),
            None => {
                let mut known: Vec<&str> = ids(self.graph.nodes()).into_iter().collect();
                known.sort_unstable();
                match dz_dsl_file::diagnostic::nearest(id, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the operation `query` finds ids".to_owned(),
                }
            }
        };
        Err(Failure::content(format!("`{parameter}` names no node: `{id}`; {help}")))
    }
}
