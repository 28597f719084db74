//! The folder of an ejected application: what would change, and which files were edited since they were written.

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use dz_eject::Tree;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use similar::TextDiff;

use crate::write;

/// The file with the hashes of the written files.
const HASHES: &str = ".ejection.json";

/// What happens to a file.
pub enum Change {
    /// It is new.
    Create(String),
    /// It gets another text.
    Update {
        /// The present text.
        before: String,
        /// The new text.
        after: String,
        /// True if it was edited, or written by someone else.
        edited: bool,
    },
    /// It is no longer generated.
    Remove,
    /// It stays as it is.
    Keep,
}

impl Change {
    fn word(&self) -> &'static str {
        match self {
            Change::Create(_) => "create",
            Change::Update { .. } => "update",
            Change::Remove => "remove",
            Change::Keep => "keep",
        }
    }

    /// The difference of the texts of a file that gets another one.
    fn difference(&self, path: &str) -> Option<String> {
        let Change::Update { before, after, .. } = self else { return None };
        let difference = TextDiff::from_lines(before.as_str(), after.as_str());
        Some(difference.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string())
    }
}

/// The changes of a run in a folder.
pub struct Plan {
    /// The files in the order of their paths.
    pub changes: Vec<(String, Change)>,
    /// Files that are no longer generated and stay.
    left: Vec<String>,
}

fn hash(text: &[u8]) -> String {
    format!("{:x}", Sha256::digest(text))
}

impl Plan {
    /// Compares a tree with a folder. With `clean`, files that are no longer generated are removed.
    ///
    /// # Errors
    /// One sentence, if a file cannot be read.
    pub fn new(folder: &Path, tree: &Tree, clean: bool) -> Result<Plan, String> {
        let known = read_hashes(folder)?;
        let mut changes = Vec::new();
        for (path, text) in &tree.files {
            let change = compare(&folder.join(path), text, |before| known.get(path) != Some(&hash(before)))?;
            changes.push((path.clone(), change));
        }
        let mut left = Vec::new();
        let mut hashes: BTreeMap<String, String> = tree.files.iter().map(|(path, text)| (path.clone(), hash(text.as_bytes()))).collect();
        for (path, known) in known.iter().filter(|(path, _)| !tree.files.contains_key(*path)) {
            let Some(present) = read(&folder.join(path))? else { continue };
            // An edited file is the user's own.
            match clean && hash(&present) == *known {
                true => changes.push((path.clone(), Change::Remove)),
                false => {
                    left.push(path.clone());
                    hashes.insert(path.clone(), known.clone());
                }
            }
        }
        let hashes = format!("{}\n", json!({ "version": 1, "files": hashes }));
        changes.push((HASHES.to_owned(), compare(&folder.join(HASHES), &hashes, |_| false)?));
        changes.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(Plan { changes, left })
    }

    /// The files that would lose edits.
    pub fn edited(&self) -> Vec<&str> {
        let is_edited = |change: &Change| matches!(change, Change::Update { edited: true, .. });
        self.changes.iter().filter(|(_, change)| is_edited(change)).map(|(path, _)| path.as_str()).collect()
    }

    /// A line for each file, the differences of changed files, and the counts.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (path, change) in self.all() {
            text.push_str(&format!("{} {path}\n{}", change.word(), change.difference(path).unwrap_or_default()));
        }
        text + &self.counts()
    }

    /// The files with their changes, for programs.
    pub fn json(&self) -> Value {
        let generated = |path: &String| !self.left.contains(path);
        let file = |(path, change): (&String, &Change)| {
            let mut file = json!({ "path": path, "change": change.word(), "generated": generated(path) });
            if let Change::Update { edited, .. } = change {
                file["edited"] = json!(edited);
                file["difference"] = json!(change.difference(path));
            }
            file
        };
        self.all().into_iter().map(file).collect()
    }

    /// All files with their changes, also those that are no longer generated and stay.
    fn all(&self) -> Vec<(&String, &Change)> {
        let left = self.left.iter().map(|path| (path, &Change::Keep));
        let mut all: Vec<(&String, &Change)> = self.changes.iter().map(|(path, change)| (path, change)).chain(left).collect();
        all.sort_by_key(|(path, _)| *path);
        all
    }

    /// The files that are no longer generated and stay.
    pub fn left(&self) -> String {
        self.left.iter().map(|path| format!("no longer generated: {path}\n")).collect()
    }

    /// The number of files of each change.
    pub fn counts(&self) -> String {
        let count = |is: fn(&Change) -> bool| self.changes.iter().filter(|(_, change)| is(change)).count();
        format!(
            "{} created, {} updated, {} removed, {} kept\n",
            count(|it| matches!(it, Change::Create(_))),
            count(|it| matches!(it, Change::Update { .. })),
            count(|it| matches!(it, Change::Remove)),
            count(|it| matches!(it, Change::Keep)) + self.left.len(),
        )
    }

    /// Makes the changes. Each file is replaced completely or not at all, and the list of the files last: after an interruption, the list
    /// still has the hashes of the files that were not replaced, and the next run continues.
    ///
    /// # Errors
    /// One sentence with the file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let (list, files): (Vec<_>, Vec<_>) = self.changes.iter().partition(|(path, _)| path == HASHES);
        for (path, change) in files.into_iter().chain(list) {
            let file = folder.join(path);
            match change {
                Change::Create(text) => create(&file, path, text)?,
                Change::Update { after, .. } => write::replace(&file, path, after)?,
                Change::Remove => fs::remove_file(&file).map_err(|error| format!("{path} cannot be removed: {error}"))?,
                Change::Keep => {}
            }
        }
        Ok(())
    }
}

/// What happens to a file that gets this text. `is_edited` is asked about another present content.
fn compare(file: &PathBuf, after: &str, is_edited: impl FnOnce(&[u8]) -> bool) -> Result<Change, String> {
    Ok(match read(file)? {
        None => Change::Create(after.to_owned()),
        Some(before) if before == after.as_bytes() => Change::Keep,
        Some(before) => {
            Change::Update { edited: is_edited(&before), before: String::from_utf8_lossy(&before).into_owned(), after: after.to_owned() }
        }
    })
}

fn create(file: &Path, name: &str, text: &str) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{name} cannot be written: {error}");
    fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).map_err(wrong)?;
    write::replace(file, name, text)
}

fn read(file: &PathBuf) -> Result<Option<Vec<u8>>, String> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(format!("{} cannot be read: {error}", file.display())),
    }
}

/// The hashes of the files that the last run wrote.
fn read_hashes(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let Some(bytes) = read(&folder.join(HASHES))? else { return Ok(BTreeMap::new()) };
    let wrong = || format!("{HASHES} is not the list of files that `dz eject` writes; restore it, or delete it and use --force");
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| wrong())?;
    let files = value.get("files").and_then(Value::as_object).ok_or_else(wrong)?;
    let is_inside = |path: &str| path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    let entry = |(path, hash): (&String, &Value)| match hash.as_str() {
        Some(hash) if is_inside(path) && !path.contains('\\') => Ok((path.clone(), hash.to_owned())),
        _ => Err(wrong()),
    };
    files.iter().map(entry).collect()
}
