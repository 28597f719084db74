//! The constructs of the texts, and which constructs each of them needs: the names that it uses are declared there.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

use dz_dsl_file::{FileId, Readable, SourceMap, Span};

use crate::{Kind, Node};

/// The id of a construct: its word and its name.
pub(crate) type Id = Arc<str>;

/// A part of a text that belongs to a construct. Several parts can have one id, such as those of demo data.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub id: Id,
    pub file: FileId,
    pub range: Range<usize>,
    /// True for a construct that other constructs depend on without naming it.
    pub is_global: bool,
}

impl Part {
    /// The text of the part.
    pub fn text<'f>(&self, files: &'f SourceMap) -> &'f str {
        files.file(self.file).text.get(self.range.clone()).unwrap_or_default()
    }
}

/// True for a construct that other constructs depend on without naming it.
fn is_global(id: &str, text: &str) -> bool {
    match id.split(':').next().unwrap_or_default() {
        "app" | "module" | "use" | "persona" | "archetype" | "llm_config" => true,
        "entity" => id == "entity:User" || lines_with(text, "archetype").next().is_some(),
        _ => false,
    }
}

/// The lines of a construct that begin with a word, without their indentation.
pub(crate) fn lines_with<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().map(str::trim).filter(move |line| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([':', ' '])))
}

/// The constructs of the texts.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// The parts of each text, in order.
    files: Vec<Vec<Part>>,
    /// The files of each construct.
    places: HashMap<Id, Vec<FileId>>,
    /// The constructs of each name.
    names: HashMap<String, BTreeSet<Id>>,
    needs: HashMap<Id, HashSet<Id>>,
    needed_by: HashMap<Id, HashSet<Id>>,
}

/// The parts of a text.
pub(crate) fn parts_of(read: &Readable, file: FileId) -> Vec<Part> {
    let lines = read.lines[file.0 as usize].iter().filter(|line| line.depth == 0);
    let parts = lines.filter_map(|line| {
        let (word, name) = word_and_name(read.files.text(line.line))?;
        let range = line.whole.start as usize..line.whole.end as usize;
        let id: Id = format!("{word}:{name}").into();
        let is_global = is_global(&id, read.files.file(file).text.get(range.clone()).unwrap_or_default());
        Some(Part { id, file, range, is_global })
    });
    parts.collect()
}

/// The word and the name of a construct, by its first line.
pub(crate) fn word_and_name(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(|c: char| c.is_whitespace() || c == ':').filter(|it| !it.is_empty());
    let (word, name) = (words.next()?, words.next());
    Some(match word {
        "demo" | "llm_config" => (word, word),
        _ => (word, name.unwrap_or(word).trim_matches('"')),
    })
}

/// The id of the construct that a node belongs to.
pub(crate) fn owner(node: &Node) -> Cow<'_, str> {
    let text = |name: &str| node.metadata.get(name).and_then(serde_json::Value::as_str);
    if node.kind == Kind::Demo.word() {
        return "demo:demo".into();
    }
    if node.kind == Kind::Surface.word()
        && node.metadata.get("declared").and_then(serde_json::Value::as_bool) == Some(false)
        && let Some(entity) = text("entity")
    {
        return Kind::Entity.id(entity).into();
    }
    node.id.as_str().into()
}

impl Units {
    /// The constructs of texts that were read.
    pub fn new(read: &Readable) -> Units {
        let mut units = Units { files: read.files.files().map(|(id, _)| parts_of(read, id)).collect(), ..Units::default() };
        for part in units.files.concat() {
            units.add(&part);
        }
        let uses: Vec<(Id, Id)> = read.uses.iter().filter_map(|it| Some((units.at(it.at)?, units.at(it.declared)?))).collect();
        uses.into_iter().for_each(|(user, used)| units.need(user, used));
        units
    }

    fn add(&mut self, part: &Part) {
        let places = self.places.entry(part.id.clone()).or_default();
        if !places.contains(&part.file) {
            places.push(part.file);
        }
        if let Some((_, name)) = part.id.split_once(':') {
            self.names.entry(name.to_owned()).or_default().insert(part.id.clone());
        }
    }

    fn need(&mut self, user: Id, used: Id) {
        if user != used {
            self.needed_by.entry(used.clone()).or_default().insert(user.clone());
            self.needs.entry(user).or_default().insert(used);
        }
    }

    /// The construct at a place.
    fn at(&self, span: Span) -> Option<Id> {
        let parts = self.files.get(span.file.0 as usize)?;
        let before = parts.partition_point(|part| part.range.start <= span.start as usize);
        parts[..before].last().map(|part| part.id.clone())
    }

    /// The parts of a text.
    pub fn parts(&self, file: FileId) -> &[Part] {
        &self.files[file.0 as usize]
    }

    /// The parts of a construct.
    fn parts_with(&self, id: &str) -> impl Iterator<Item = &Part> {
        let files = self.places.get(id).into_iter().flatten();
        files.flat_map(|file| self.parts(*file)).filter(move |part| &*part.id == id)
    }

    /// Every part, by text.
    pub fn all(&self) -> impl Iterator<Item = &Part> {
        self.files.iter().flatten()
    }

    /// True if these are most constructs of a project that is not small.
    pub fn has_most(&self, wanted: &HashSet<Id>) -> bool {
        wanted.len() > self.places.len() / 2 && self.places.len() > 100
    }

    /// True if a text declares the construct.
    pub fn is_declared(&self, id: &str) -> bool {
        self.places.contains_key(id)
    }

    /// A construct, and those that use a name of it. Its fields and values can be declared in archetypes and enums.
    pub fn around(&self, id: &str) -> HashSet<Id> {
        let shared = self.needs.get(id).into_iter().flatten().filter(|it| it.starts_with("archetype:") || it.starts_with("enum:"));
        let declaring = shared.map(|it| &**it).chain([id]);
        let users = declaring.flat_map(|it| self.needed_by.get(it).into_iter().flatten()).cloned();
        users.chain([id.into()]).collect()
    }

    /// The constructs that use a name of a construct.
    pub fn users(&self, id: &str) -> impl Iterator<Item = &Id> {
        self.needed_by.get(id).into_iter().flatten()
    }

    /// The constructs that others depend on without naming them.
    fn globals(&self) -> HashSet<&Id> {
        self.all().filter(|part| part.is_global).map(|part| &part.id).collect()
    }

    /// The constructs that use a name of these, those whose names these use, and the other users of those; without the users of
    /// constructs on which all depend.
    pub fn near(&self, ids: &HashSet<Id>) -> HashSet<Id> {
        let globals = self.globals();
        let used: HashSet<&Id> = ids.iter().flat_map(|id| self.needs.get(id)).flatten().collect();
        let of = ids.iter().chain(used.iter().copied()).filter(|id| !globals.contains(*id));
        let users: HashSet<&Id> = of.flat_map(|id| self.users(id)).collect();
        used.union(&users).map(|id| (*id).clone()).collect()
    }

    /// These constructs with everything that their findings depend on.
    pub fn surroundings(&self, of: HashSet<Id>) -> HashSet<Id> {
        let globals = self.globals();
        // An archetype that nothing extends, and an application without a surface, have other findings.
        let extending = globals.iter().filter(|id| id.starts_with("archetype:")).filter_map(|id| self.users(id).min());
        let surface = self.all().map(|part| &part.id).find(|id| id.starts_with("surface:"));
        let needed: Vec<Id> = globals.iter().copied().chain(extending).chain(surface).cloned().collect();
        let near = self.near(&of);
        self.closure(of.into_iter().chain(near).chain(needed).collect())
    }

    /// True if another text also declares the construct.
    pub fn is_elsewhere(&self, id: &str, files: &[FileId]) -> bool {
        self.places.get(id).is_some_and(|places| places.iter().any(|place| !files.contains(place)))
    }

    /// The constructs whose name is a word of a text.
    pub fn named_in<'u>(&'u self, text: &'u str) -> impl Iterator<Item = &'u Id> {
        let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'));
        let parts = words.flat_map(|word| [Some(word), word.split('.').next()]).flatten().filter(|it| !it.is_empty());
        parts.filter_map(|word| self.names.get(word)).flatten()
    }

    /// The constructs that use a name of these constructs, also through a computed field.
    pub fn dependents(&self, of: &HashSet<Id>, files: &SourceMap) -> HashSet<Id> {
        let is_computed = |id: &str| self.parts_with(id).any(|part| part.text(files).contains("computed"));
        let (mut found, mut open): (HashSet<Id>, Vec<Id>) = (HashSet::new(), of.iter().cloned().collect());
        while let Some(id) = open.pop() {
            for user in self.needed_by.get(&id).into_iter().flatten() {
                if found.insert(user.clone()) && is_computed(user) {
                    open.push(user.clone());
                }
            }
        }
        found
    }

    /// These constructs with everything that they need.
    pub fn closure(&self, of: HashSet<Id>) -> HashSet<Id> {
        let mut open: Vec<Id> = of.iter().cloned().collect();
        let mut found = of;
        while let Some(id) = open.pop() {
            for used in self.needs.get(&id).into_iter().flatten() {
                if found.insert(used.clone()) {
                    open.push(used.clone());
                }
            }
        }
        found
    }

    /// Replaces the parts of some texts, and what some constructs need, by those of a reading of a part of the texts. `whole` has the
    /// text of each text of the reading.
    pub fn replace(&mut self, read: &Readable, whole: &[FileId], changed: &[FileId], read_again: &HashSet<Id>) {
        for id in read_again {
            for used in self.needs.remove(id).into_iter().flatten() {
                if let Some(users) = self.needed_by.get_mut(&used) {
                    users.remove(id);
                }
            }
        }
        for file in changed {
            for part in std::mem::take(&mut self.files[file.0 as usize]) {
                if let Some(places) = self.places.get_mut(&part.id) {
                    places.retain(|place| place != file);
                    if places.is_empty() {
                        self.places.remove(&part.id);
                        let name = part.id.split_once(':').map(|(_, name)| name).unwrap_or_default();
                        self.names.get_mut(name).map(|ids| ids.remove(&part.id));
                    }
                }
            }
        }
        let inner: Vec<Vec<Part>> = read.files.files().map(|(id, _)| parts_of(read, id)).collect();
        for (parts, file) in inner.iter().zip(whole).filter(|(_, file)| changed.contains(file)) {
            let parts: Vec<Part> = parts.iter().map(|part| Part { file: *file, ..part.clone() }).collect();
            parts.iter().for_each(|part| self.add(part));
            self.files[file.0 as usize] = parts;
        }
        let inner = Units { files: inner, ..Units::default() };
        for it in &read.uses {
            if let (Some(user), Some(used)) = (inner.at(it.at), inner.at(it.declared))
                && read_again.contains(&user)
            {
                self.need(user, used);
            }
        }
    }
}
