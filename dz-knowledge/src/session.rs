//! A session: the declarations, the imports, the graph of both, and the execution of calls.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use dz_dsl_file::{Diagnostic, FileId, Readable, SourceMap, readable};
use serde_json::Value;

use crate::{
    Failure, Graph, Imports, Kind, Node,
    exchange::ids,
    failure::nearest_or_some,
    findings::Changes,
    framework,
    operations::OPERATIONS,
    parameters::Arguments,
    populate::{Declared, populate},
    search::Index,
    units::Units,
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

    /// Reads the imports that are stored in the folder that was loaded last.
    fn read_imports(&mut self) -> Imports;

    /// Stores the imports.
    ///
    /// # Errors
    /// One sentence that names the file.
    fn store_imports(&mut self, imports: &Imports) -> Result<(), String>;

    /// The current time, RFC 3339.
    fn now(&self) -> String;

    /// Findings as `dz validate --format json` writes them.
    fn findings(&self, files: &SourceMap, found: &[Diagnostic]) -> Value;
}

/// Releases the memory of a large value beside the next calls.
fn release<T: Send + 'static>(value: Option<T>) {
    if let Some(value) = value {
        std::thread::spawn(move || drop(value));
    }
}

/// A session over one project.
pub struct Session {
    pub(crate) loaded: Loaded,
    /// The texts of the graph, if a file cannot be parsed: the last text of it that could be.
    earlier: Option<SourceMap>,
    /// The files that could not be parsed at any time.
    never_parsed: HashSet<String>,
    /// The model of the texts; it is computed at its first use after a change.
    read: OnceLock<Readable>,
    pub(crate) units: Units,
    /// True if the texts have no errors.
    pub(crate) complete: bool,
    pub(crate) declared: Declared,
    pub(crate) imports: Imports,
    pub(crate) graph: Graph,
    pub(crate) index: OnceLock<Index>,
    /// The findings of the texts, if they are known, before `changes`.
    pub(crate) findings: Option<Vec<Value>>,
    pub(crate) changes: Changes,
}

impl Session {
    /// A session over these declarations.
    pub fn new(loaded: Loaded, imports: Imports) -> Session {
        let mut session = Session {
            loaded: Loaded::default(),
            earlier: None,
            never_parsed: HashSet::new(),
            read: OnceLock::new(),
            units: Units::default(),
            complete: false,
            declared: Declared::default(),
            imports,
            graph: Graph::default(),
            index: OnceLock::new(),
            findings: None,
            changes: Changes::default(),
        };
        session.read_all(loaded);
        session
    }

    /// The declarations.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Reads the declarations again, as far as they have changed. For a file that cannot be parsed, the graph keeps the constructs of
    /// the last text that could be parsed.
    pub fn reload(&mut self, loaded: Loaded) {
        self.update(loaded);
    }

    /// Forgets the findings, because the settings of the project decide their severity and have changed.
    pub fn forget_findings(&mut self) {
        release(self.findings.take());
    }

    /// Reads the declarations again, as far as they have changed.
    pub(crate) fn update(&mut self, loaded: Loaded) {
        let Some(changed) = self.changed(&loaded) else { return self.read_all(loaded) };
        if changed.is_empty() {
            return;
        }
        if !self.read_changes(&changed, &loaded) {
            return self.read_all(loaded);
        }
        self.loaded = loaded;
        if self.imports.hidden.is_some() {
            self.compose();
        }
        release(self.read.take());
    }

    /// The texts that have changed; `None` if there are others.
    fn changed(&self, loaded: &Loaded) -> Option<Vec<FileId>> {
        let (old, new) = (&self.loaded.files, &loaded.files);
        let is_same = self.loaded.root == loaded.root && old.files().count() == new.files().count();
        let mut changed = Vec::new();
        for ((id, old), (_, new)) in old.files().zip(new.files()).filter(|_| is_same) {
            if old.name != new.name {
                return None;
            }
            if old.text != new.text {
                changed.push(id);
            }
        }
        is_same.then_some(changed)
    }

    /// Reads all texts.
    fn read_all(&mut self, loaded: Loaded) {
        // Only one model is in memory at a time.
        self.read.take();
        let before = self.earlier.take().unwrap_or_else(|| std::mem::take(&mut self.loaded.files));
        let mut earlier: HashMap<&str, &str> = before.files().map(|(_, file)| (file.name.as_str(), file.text.as_str())).collect();
        let is_same_project = self.loaded.root == loaded.root;
        earlier.retain(|name, _| is_same_project && !self.never_parsed.contains(*name));
        let mut read = readable(loaded.files.clone());
        let (mut texts, mut is_changed, mut never_parsed) = (loaded.files.clone(), false, HashSet::new());
        for id in &read.unparsed {
            let name = loaded.files.file(*id).name.as_str();
            match earlier.get(name) {
                Some(text) => {
                    texts.replace(*id, *text);
                    is_changed = true;
                }
                None => drop(never_parsed.insert(name.to_owned())),
            }
        }
        self.never_parsed = never_parsed;
        self.complete = read.complete;
        if is_changed {
            drop(read);
            read = readable(texts.clone());
        }
        self.earlier = is_changed.then_some(texts);
        self.units = Units::new(&read);
        self.declared = populate(&read.model, &read.files);
        self.read = OnceLock::from(read);
        self.loaded = loaded;
        release(self.findings.take());
        self.changes = Changes::default();
        self.compose();
    }

    /// The model of the texts.
    pub(crate) fn read(&self) -> &Readable {
        self.read.get_or_init(|| readable(self.earlier.as_ref().unwrap_or(&self.loaded.files).clone()))
    }

    /// True if the model is known.
    pub(crate) fn is_read(&self) -> bool {
        self.read.get().is_some()
    }

    /// Releases the memory of the model, until it is needed.
    pub(crate) fn forget_model(&mut self) {
        self.read.take();
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
    pub(crate) fn node_at(&self, parameter: &str, id: &str) -> Result<petgraph::stable_graph::NodeIndex, Failure> {
        if let Some(at) = self.graph.at(id) {
            return Ok(at);
        }
        let lower = id.to_lowercase();
        // Demo rows have the name of their entity.
        let order = |node: &&Node| (node.kind == Kind::Demo.word(), node.kind != Kind::Entity.word(), node.id.clone());
        let named = self.graph.nodes().filter(|node| node.name.to_lowercase() == lower).min_by_key(order).map(|node| node.id.as_str());
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
