//! The findings of the texts. After changes of a few texts, only those that can be different are computed again.
//!
//! Two parts of the texts are read: the changed constructs and those around them, once with the texts for which the findings are known,
//! and once with the present ones. What differs between their findings replaces the known ones. A construct with a different finding
//! must be there with every construct that uses it; otherwise all texts are read.

use std::collections::{BTreeMap, HashMap, HashSet};

use dz_dsl_file::{FileId, SourceMap, analyse};
use serde_json::Value;

use crate::{
    Host, Session,
    changes::Portion,
    units::{Id, Part, Units, parts_of},
};

/// A place in the texts: the position of the text, a line and a column.
type Place = (usize, u64, u64);

/// Changes since the findings were computed.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// The changed texts, as they were.
    texts: BTreeMap<FileId, String>,
    /// The constructs whose findings can be different.
    around: HashSet<Id>,
    /// True if all findings must be computed.
    is_wide: bool,
}

impl Changes {
    /// Notes constructs whose findings can be different, before or after the units contain a change, and those around them.
    pub fn note(&mut self, units: &Units, ids: &HashSet<Id>) {
        self.around.extend(units.near(ids));
        self.around.extend(ids.iter().cloned());
    }

    /// Notes constructs that are different.
    pub fn note_different(&mut self, ids: &HashSet<Id>) {
        self.is_wide |= ids.iter().any(|id| !is_local(id));
    }

    /// Notes a text before its first change.
    pub fn keep(&mut self, files: &SourceMap, file: FileId) {
        self.texts.entry(file).or_insert_with(|| files.file(file).text.clone());
    }
}

/// True for a construct whose effect on the findings of others is that of its names.
fn is_local(id: &str) -> bool {
    let word = id.split(':').next().unwrap_or_default();
    matches!(word, "entity" | "surface" | "workspace" | "enum" | "service" | "persona" | "module" | "use" | "app")
}

impl Session {
    /// The findings of the texts, as a list.
    pub(crate) fn findings(&mut self, host: &dyn Host) -> Value {
        let changes = std::mem::take(&mut self.changes);
        if let Some(known) = self.findings.take() {
            self.findings = if changes.texts.is_empty() { Some(known) } else { self.mend(known, &changes, host) };
        }
        if self.findings.is_none() {
            let known = self.complete.then(|| self.read().findings()).flatten();
            let found = known.unwrap_or_else(|| {
                // Only one model is in memory at a time.
                self.forget_model();
                analyse(self.loaded.files.clone()).diagnostics
            });
            self.findings = Some(list(host.findings(&self.loaded.files, &found)));
        }
        Value::Array(self.findings.clone().unwrap_or_default())
    }

    /// The known findings with those that changes of texts replace; `None` if all must be computed.
    fn mend(&self, known: Vec<Value>, changes: &Changes, host: &dyn Host) -> Option<Vec<Value>> {
        if changes.is_wide || !self.complete || !self.units.all().any(|part| part.id.starts_with("persona:")) {
            return None;
        }
        let changed: Vec<FileId> = changes.texts.keys().copied().collect();
        let files = &self.loaded.files;
        let mut old = files.clone();
        changes.texts.iter().for_each(|(file, text)| old.replace(*file, text.as_str()));
        let named = changed.iter().flat_map(|file| self.units.named_in(&old.file(*file).text)).cloned();
        let wanted = self.units.surroundings(changes.around.iter().cloned().chain(named).collect());
        if self.units.has_most(&wanted) {
            return None;
        }
        let read = |files: &SourceMap| Compared::new(Portion::read(files, &self.units, &wanted, &changed), host);
        let (before, after) = (read(&old)?, read(files)?);
        before.is_comparable(&after, |id| self.units.users(id).all(|user| wanted.contains(user))).then_some(())?;
        let names: HashMap<&str, usize> = files.files().map(|(id, file)| (file.name.as_str(), id.0 as usize)).collect();
        replace(known, before.found, after.found, &names, &changed)
    }
}

/// The list in a report.
fn list(mut report: Value) -> Vec<Value> {
    match report.get_mut("diagnostics").map(Value::take) {
        Some(Value::Array(found)) => found,
        _ => Vec::new(),
    }
}

/// A part of the texts with its findings.
struct Compared {
    found: Vec<Value>,
    /// The findings of each construct, without their places.
    by_construct: HashMap<Id, Vec<Value>>,
}

impl Compared {
    /// `None` for texts with errors.
    fn new(portion: Portion, host: &dyn Host) -> Option<Compared> {
        let read = &portion.read;
        let found = list(host.findings(&read.files, &read.findings()?));
        let names: HashMap<&str, FileId> = read.files.files().map(|(id, file)| (file.name.as_str(), id)).collect();
        let mut parts: HashMap<FileId, Vec<(usize, Part)>> = HashMap::new();
        let mut by_construct: HashMap<Id, Vec<Value>> = HashMap::new();
        for it in &found {
            let file = *names.get(it["file"].as_str()?)?;
            let own = parts.entry(file).or_insert_with(|| {
                let line = |part: &Part| read.files.file(file).line_column(part.range.start as u32).0;
                parts_of(read, file).into_iter().map(|part| (line(&part), part)).collect()
            });
            let line = it["line"].as_u64()? as usize;
            let before = own.partition_point(|(first, _)| *first <= line);
            let id = before.checked_sub(1).map_or_else(|| "".into(), |at| own[at].1.id.clone());
            by_construct.entry(id).or_default().push(Value::Array(vec![it["rule"].clone(), it["message"].clone(), it["help"].clone()]));
        }
        Some(Compared { found, by_construct })
    }

    /// True if every construct whose findings differ is there with all that use it.
    fn is_comparable(&self, other: &Compared, is_whole: impl Fn(&str) -> bool) -> bool {
        let ids: HashSet<&Id> = self.by_construct.keys().chain(other.by_construct.keys()).collect();
        ids.into_iter().all(|id| self.by_construct.get(id) == other.by_construct.get(id) || !id.is_empty() && is_whole(id))
    }
}

/// Replaces the known findings of the changed texts, and of places where the two readings differ. `None` if the known findings are not
/// those of the first reading there.
fn replace(
    known: Vec<Value>,
    before: Vec<Value>,
    after: Vec<Value>,
    names: &HashMap<&str, usize>,
    changed: &[FileId],
) -> Option<Vec<Value>> {
    let changed: HashSet<usize> = changed.iter().map(|file| file.0 as usize).collect();
    let (mut all, before, after) = (by_place(known, names)?, by_place(before, names)?, by_place(after, names)?);
    let in_changed = |place: &Place| changed.contains(&place.0);
    let places: Vec<Place> = all.keys().filter(|place| in_changed(place)).chain(before.keys()).copied().collect();
    let differs = |place: &Place| in_changed(place) || before.get(place) != after.get(place);
    if places.iter().filter(|place| differs(place)).any(|place| all.get(place) != before.get(place)) {
        return None;
    }
    let new: Vec<Place> = after.keys().filter(|place| !in_changed(place) && !before.contains_key(*place)).copied().collect();
    if new.iter().any(|place| all.contains_key(place)) {
        return None;
    }
    places.iter().filter(|place| differs(place)).for_each(|place| drop(all.remove(place)));
    // What stays must not refer to a place in a changed text.
    let refers = |it: &Value| {
        let labels = it["labels"].as_array().into_iter().flatten().chain([&it["replacement"], &it["proposal"]]);
        labels.filter_map(|label| names.get(label["file"].as_str()?)).any(|file| changed.contains(file))
    };
    if all.iter().filter(|(place, _)| !before.contains_key(*place)).flat_map(|(_, found)| found).any(refers) {
        return None;
    }
    all.extend(after.into_iter().filter(|(place, found)| in_changed(place) || before.get(place) != Some(found)));
    Some(all.into_values().flatten().collect())
}

fn by_place(found: Vec<Value>, names: &HashMap<&str, usize>) -> Option<BTreeMap<Place, Vec<Value>>> {
    let mut all: BTreeMap<Place, Vec<Value>> = BTreeMap::new();
    for it in found {
        let place = (*names.get(it["file"].as_str()?)?, it["line"].as_u64()?, it["column"].as_u64()?);
        all.entry(place).or_default().push(it);
    }
    Some(all)
}
