//! Changes of the files of a package.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::mpsc::Sender,
};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher, event::ModifyKind};

/// The events that the command handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A folder without files was created.
    Folder,
    /// A file of a declaration changed.
    Declaration,
    /// Another file changed.
    Changed,
    /// The process got a signal to end.
    End,
}

/// Kinds of files that are part of an application.
const KINDS: &[&str] = &["dsl", "rs", "html", "sql", "toml", "ftl"];

/// A watch over the folders of a package.
pub struct Watch {
    root: PathBuf,
    watcher: RecommendedWatcher,
    watched: HashSet<PathBuf>,
}

impl Watch {
    /// Watches a package.
    pub fn start(root: PathBuf, sender: Sender<Event>) -> Result<Watch, String> {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if let Some(event) = event.paths.iter().filter(|_| is_change(event.kind)).filter_map(|path| reaction(path)).max() {
                // If there is no receiver, the process is ending.
                let _ = sender.send(event);
            }
        });
        let mut watcher = watcher.map_err(|error| format!("files cannot be watched: {error}"))?;
        watcher.watch(&root, RecursiveMode::NonRecursive).map_err(|error| format!("{} cannot be watched: {error}", root.display()))?;
        let mut watch = Watch { root, watcher, watched: HashSet::new() };
        watch.add_new_folders();
        Ok(watch)
    }

    /// Watches new folders, and returns whether one of them contains files of the application. The folder of builds is not watched,
    /// because each build changes it.
    pub fn add_new_folders(&mut self) -> bool {
        let Ok(entries) = fs::read_dir(&self.root) else { return false };
        let folders = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir() && is_source(path));
        let found: HashSet<PathBuf> = folders.collect();
        // A folder that is removed and created again must be watched again.
        self.watched.retain(|path| found.contains(path));
        let mut has_files = false;
        for path in found {
            // A folder that cannot be watched is skipped.
            if !self.watched.contains(&path) && self.watcher.watch(&path, RecursiveMode::Recursive).is_ok() {
                has_files |= has_part(&path);
                self.watched.insert(path);
            }
        }
        has_files
    }
}

/// The reaction to a change of a path.
fn reaction(path: &Path) -> Option<Event> {
    match path.is_dir() {
        true if is_source(path) => Some(if has_part(path) { Event::Changed } else { Event::Folder }),
        true => None,
        false if !is_part(path) => None,
        false if path.extension().is_some_and(|kind| kind == "dsl") => Some(Event::Declaration),
        false => Some(Event::Changed),
    }
}

/// True for a folder with files of the application.
fn has_part(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let mut paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    paths.any(|path| if path.is_dir() { is_source(&path) && has_part(&path) } else { is_part(&path) })
}

/// True for a folder that can contain sources.
fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.starts_with('.') && !name.ends_with(".files") && name != "target" && name != "node_modules"
}

fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Create(_) | EventKind::Remove(_) => true,
        EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
        EventKind::Any | EventKind::Access(_) | EventKind::Other => false,
    }
}

/// True for a file of the application; `Cargo.lock` is written by builds.
fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.starts_with('.') && path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_part;

    #[test]
    fn files_of_the_application_count_and_others_do_not() {
        for path in ["app.dsl", "src/main.rs", "templates/task_list.html", "dz.toml", "migrations/1_a/up.sql", "locales/de.ftl"] {
            assert!(is_part(Path::new(path)), "{path}");
        }
        for path in ["shop.db", "shop.db-wal", "Cargo.lock", ".app.dsl.swp", ".#app.dsl", "app.dsl~", "notes.txt"] {
            assert!(!is_part(Path::new(path)), "{path}");
        }
    }
}
