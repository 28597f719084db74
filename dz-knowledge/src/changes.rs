//! Changes of a few texts: only their constructs, and those that depend on them, are read again.
//!
//! The part of the texts that is read has the changed texts, the constructs that use a name of them, and everything that these need.
//! A change with an effect on constructs that do not name it, and a change that leads to an error, is left to a complete reading.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use dz_dsl_file::{FileId, Readable, SourceMap, readable};

use crate::{
    Loaded, Node, Relation, Session,
    populate::{Declared, populate},
    units::{Id, Part, Units, lines_with, owner, parts_of},
};

/// More changed texts than this are read with all others.
const MOST: usize = 10;

/// A reading of a part of the texts.
pub(crate) struct Portion {
    pub read: Readable,
    /// The text of each text of the reading.
    whole: Vec<FileId>,
}

impl Portion {
    /// Reads these constructs and whole texts; every construct is at its line.
    pub fn read(files: &SourceMap, units: &Units, wanted: &HashSet<Id>, complete: &[FileId]) -> Portion {
        let (mut texts, mut whole) = (SourceMap::default(), Vec::new());
        for (id, file) in files.files() {
            if complete.contains(&id) {
                texts.add(file.name.as_str(), file.text.as_str());
                whole.push(id);
                continue;
            }
            let mut text = String::new();
            let mut line = 1;
            for part in units.parts(id).iter().filter(|part| is_head(&part.id) || wanted.contains(&part.id)) {
                let (first, from, _) = file.lines_around(part.range.start as u32, part.range.end as u32);
                text.extend(std::iter::repeat_n('\n', first.saturating_sub(line)));
                let own = file.text.get(from..part.range.end).unwrap_or_default();
                text.push_str(own);
                text.push('\n');
                line = file.line_column(part.range.end as u32).0 + 1;
            }
            if !text.is_empty() {
                texts.add(file.name.as_str(), text);
                whole.push(id);
            }
        }
        Portion { read: readable(texts), whole }
    }

    /// The id in the reading of a text.
    fn inner(&self, file: FileId) -> Option<FileId> {
        self.whole.iter().position(|it| *it == file).map(|at| FileId(at as u32))
    }
}

/// True for the lines about modules, which every text keeps.
fn is_head(id: &str) -> bool {
    id.starts_with("module:") || id.starts_with("use:")
}

/// What is different in a text.
struct Difference {
    before: Vec<Part>,
    after: Vec<Part>,
    /// The constructs that are new, removed or changed.
    ids: HashSet<Id>,
}

impl Session {
    /// Reads some changed texts, if the others need not be read again; true if it was done.
    pub(crate) fn read_changes(&mut self, changed: &[FileId], loaded: &Loaded) -> bool {
        if changed.len() > MOST || !self.complete {
            return false;
        }
        let units = &self.units;
        let old = &self.loaded.files;
        let mut touched: HashSet<Id> = changed.iter().flat_map(|file| units.parts(*file)).map(|part| part.id.clone()).collect();
        let text = |file: &FileId| loaded.files.file(*file).text.as_str();
        // The fields of an archetype are described by the entities that extend it.
        let archetypes = changed.iter().flat_map(|file| lines_with(text(file), "extends")).flat_map(|line| units.named_in(line));
        touched.extend(archetypes.filter(|id| id.starts_with("archetype:")).cloned());
        let mut again = units.dependents(&touched, old);
        again.extend(touched);
        let named = changed.iter().flat_map(|file| units.named_in(text(file)));
        let global = units.all().filter(|part| part.is_global).map(|part| &part.id);
        let wanted = units.closure(again.iter().chain(named).chain(global).cloned().collect());
        if units.has_most(&wanted) {
            return false;
        }
        // A name of this part that is declared in a changed text is no longer there, so the constructs there are not added.
        let portion = Portion::read(&loaded.files, units, &wanted, changed);
        if !portion.read.complete {
            return false;
        }
        let differences: Vec<Difference> = changed.iter().map(|file| difference(units, &portion, old, *file)).collect();
        if differences.iter().any(|it| self.needs_everything(it, &portion.read.files, changed)) {
            return false;
        }
        again.extend(differences.iter().flat_map(|it| &it.after).map(|part| part.id.clone()));
        if self.findings.is_some() {
            differences.iter().for_each(|it| self.changes.note_different(&it.ids));
            self.changes.note(&self.units, &again);
            changed.iter().for_each(|file| self.changes.keep(&self.loaded.files, *file));
        }
        let declared = populate(&portion.read.model, &portion.read.files);
        self.units.replace(&portion.read, &portion.whole, changed, &again);
        if self.findings.is_some() {
            self.changes.note(&self.units, &again);
        }
        self.replace_declared(declared, &again);
        true
    }

    /// True for a difference with an effect on constructs that do not name it.
    fn needs_everything(&self, difference: &Difference, new: &SourceMap, changed: &[FileId]) -> bool {
        let Difference { before, after, ids } = difference;
        // Several texts can belong to a module, and several can have demo data.
        let can_be_shared = |id: &str| is_head(id) || id.starts_with("demo:");
        if after.iter().any(|part| !can_be_shared(&part.id) && self.units.is_elsewhere(&part.id, changed)) {
            return true;
        }
        let heads = |parts: &[Part], files: &SourceMap| -> Vec<(Id, usize)> {
            let heads = parts.iter().filter(|part| is_head(&part.id));
            heads.map(|part| (part.id.clone(), files.file(part.file).line_column(part.range.start as u32).0)).collect()
        };
        if heads(before, &self.loaded.files) != heads(after, new) {
            return true;
        }
        let extended = |parts: &[Part], files: &SourceMap| -> Vec<String> {
            parts.iter().flat_map(|part| lines_with(part.text(files), "extends").map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        if extended(before, &self.loaded.files) != extended(after, new) {
            return true;
        }
        let is_global = |part: &Part| ids.contains(&part.id) && (part.id.starts_with("demo:") || part.is_global);
        before.iter().chain(after).any(is_global)
    }

    /// Replaces the nodes and the relations of these constructs.
    fn replace_declared(&mut self, new: Declared, again: &HashSet<Id>) {
        let is_again = |node: &Arc<Node>| again.contains(&*owner(node));
        let (removed, kept): (Vec<Arc<Node>>, Vec<Arc<Node>>) = std::mem::take(&mut self.declared.nodes).into_iter().partition(is_again);
        let added: Vec<Arc<Node>> = new.nodes.into_iter().filter(is_again).collect();
        self.declared.nodes = kept;
        self.declared.nodes.extend(added.iter().cloned());
        let sources: HashSet<&str> = removed.iter().chain(&added).map(|node| node.id.as_str()).collect();
        self.declared.relations.retain(|it| !sources.contains(it.source.as_str()));
        let relations: Vec<Arc<Relation>> = new.relations.into_iter().filter(|it| sources.contains(it.source.as_str())).collect();
        self.declared.relations.extend(relations.iter().cloned());
        if !self.imports.is_empty() {
            self.compose();
            return;
        }
        let present: HashSet<&str> = added.iter().map(|node| node.id.as_str()).collect();
        for node in &removed {
            self.graph.remove_relations_from(&node.id);
            if !present.contains(node.id.as_str()) {
                self.graph.remove(&node.id);
            }
        }
        added.iter().for_each(|node| self.graph.put(node.clone()));
        relations.into_iter().for_each(|it| self.graph.relate(it));
        if let Some(index) = self.index.get_mut() {
            let before: HashMap<&str, &Arc<Node>> = removed.iter().map(|node| (node.id.as_str(), node)).collect();
            removed.iter().filter(|node| !present.contains(node.id.as_str())).for_each(|node| index.remove(&node.id));
            for node in added.iter().filter(|node| before.get(node.id.as_str()) != Some(node)) {
                index.remove(&node.id);
                index.add(node);
            }
        }
    }

    /// The model of a part of the texts: a construct with everything that it needs. Without personas, any text can declare a role.
    pub(crate) fn portion_of(&self, id: &str) -> Option<Readable> {
        if !self.complete || !self.units.all().any(|part| part.id.starts_with("persona:")) {
            return None;
        }
        self.portion([id.into()])
    }

    /// The model of a construct, of those that use a name of it, and of what these need; `None` for a construct that dz supplies, and
    /// for one that many others use.
    pub(crate) fn portion_around(&self, id: &str) -> Option<Readable> {
        if !self.complete || !self.units.is_declared(id) {
            return None;
        }
        self.portion(self.units.around(id))
    }

    /// The model of some constructs, and of what they need; `None` if they are many.
    fn portion(&self, ids: impl IntoIterator<Item = Id>) -> Option<Readable> {
        let files = &self.loaded.files;
        let global = self.units.all().filter(|part| part.is_global).map(|part| part.id.clone());
        let wanted = self.units.closure(global.chain(ids).collect());
        if self.units.has_most(&wanted) {
            return None;
        }
        let portion = Portion::read(files, &self.units, &wanted, &[]);
        portion.read.complete.then_some(portion.read)
    }
}

/// The difference between a text and its new text, which a reading contains.
fn difference(units: &Units, portion: &Portion, old: &SourceMap, file: FileId) -> Difference {
    let before = units.parts(file).to_vec();
    let after = portion.inner(file).map(|file| parts_of(&portion.read, file)).unwrap_or_default();
    let new = &portion.read.files;
    let texts = |parts: &[Part], files: &SourceMap| {
        let mut texts: HashMap<Id, Vec<String>> = HashMap::new();
        for part in parts {
            texts.entry(part.id.clone()).or_default().push(part.text(files).to_owned());
        }
        texts
    };
    let (old, new) = (texts(&before, old), texts(&after, new));
    let ids = old.keys().chain(new.keys()).filter(|id| old.get(*id) != new.get(*id)).cloned().collect();
    Difference { before, after, ids }
}
