//! Which texts belong together: the files that `dz.toml` names, else those of a folder, else one file; and each block of a Rust file.

use std::{
    cell::OnceCell,
    fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::{decode, project::ProjectFile};
use lsp_types::Url;

use super::{
    block::blocks,
    document::{Document, real_path},
    unit::{Text, Unit},
};
use crate::sources::Listing;

/// The texts that belong together.
pub struct Project {
    /// The files, in the order in which they are analysed.
    pub paths: Vec<PathBuf>,
    /// The addresses of the files.
    pub urls: Vec<Url>,
    /// The settings.
    pub settings: ProjectFile,
    /// The names of the files in messages.
    names: Vec<String>,
    /// The texts on disk, read when they are first needed.
    texts: Vec<OnceCell<String>>,
    is_rust: bool,
    units: OnceCell<Vec<Unit>>,
}

impl Project {
    fn new(files: Vec<(PathBuf, Url)>, settings: ProjectFile, root: &Path, is_rust: bool) -> Project {
        let names = files.iter().map(|(path, _)| path.strip_prefix(root).unwrap_or(path).display().to_string()).collect();
        let texts = files.iter().map(|_| OnceCell::new()).collect();
        let (paths, urls) = files.into_iter().unzip();
        Project { paths, urls, settings, names, texts, is_rust, units: OnceCell::new() }
    }

    /// True if a file belongs to it.
    pub fn holds(&self, path: &Path) -> bool {
        self.paths.iter().any(|it| it == path)
    }

    /// Forgets the analysis, because a text has changed.
    pub fn forget(&mut self) {
        self.units = OnceCell::new();
    }

    /// The applications: one, or one for each block of a Rust file.
    pub fn units(&self, open: &[Document]) -> &[Unit] {
        self.units.get_or_init(|| {
            let texts: Vec<Text> = (0..self.paths.len()).map(|at| self.text(at, open)).collect();
            match (self.is_rust, texts.first()) {
                (true, Some(text)) => blocks(&text.text).into_iter().map(|block| Unit::in_rust(text, block)).collect(),
                _ => vec![Unit::new(&texts)],
            }
        })
    }

    fn text(&self, at: usize, open: &[Document]) -> Text {
        let path = &self.paths[at];
        let opened = open.iter().find(|it| it.path == *path);
        let text = opened.map(|it| it.text.clone());
        let text = text.unwrap_or_else(|| self.texts[at].get_or_init(|| on_disk(path, &self.names[at])).clone());
        let url = opened.map_or_else(|| self.urls[at].clone(), |it| it.url.clone());
        Text { url, path: path.clone(), name: self.names[at].clone(), text }
    }
}

/// The text of a file. One that cannot be read is empty: the editor shows the reason if it opens the file.
fn on_disk(path: &Path, name: &str) -> String {
    fs::read(path).ok().and_then(|bytes| decode(name, bytes).ok()).unwrap_or_default()
}

/// The project of a file.
pub fn of_file(path: &Path, url: &Url, is_rust: bool, roots: &[PathBuf], named: &[PathBuf]) -> Project {
    let own = || vec![(path.to_path_buf(), url.clone())];
    if url.scheme() != "file" {
        return Project::new(own(), ProjectFile::default(), Path::new(""), is_rust);
    }
    let nearest = Listing::from_paths(&[path.to_path_buf()]);
    let (settings, root) = nearest.map(|it| (it.settings, it.root)).unwrap_or_default();
    if is_rust {
        return Project::new(own(), settings, &root, true);
    }
    let files = match (named.is_empty(), settings.project.dsl.is_empty()) {
        (false, _) => listed(named),
        (true, false) => listed(&settings.project.dsl.iter().map(|path| root.join(path)).collect::<Vec<_>>()),
        (true, true) => {
            let mut files = Vec::new();
            below(&folder_of(path, &root, roots), false, &mut files);
            files
        }
    };
    let files: Vec<PathBuf> = files.into_iter().map(|path| real_path(&path)).collect();
    if !files.iter().any(|it| it == path) {
        return Project::new(own(), settings, &root, false);
    }
    let with_urls = files.into_iter().filter_map(|path| Url::from_file_path(&path).ok().map(|url| (path, url)));
    Project::new(with_urls.collect(), settings, &root, false)
}

/// The files of paths that are files and folders; a path that cannot be read has none.
fn listed(paths: &[PathBuf]) -> Vec<PathBuf> {
    let files = Listing::from_paths(paths).and_then(|it| it.files()).unwrap_or_default();
    files.into_iter().map(|(_, real)| real).collect()
}

/// The folder whose files belong to the application of a file: the nearest one with an `app.dsl`, else the folder that is open in
/// the editor, else that of the file.
fn folder_of(path: &Path, root: &Path, roots: &[PathBuf]) -> PathBuf {
    let folder = path.parent().unwrap_or(path);
    let opened = roots.iter().filter(|root| path.starts_with(root)).max_by_key(|root| root.as_os_str().len());
    let inside = |it: &&Path| opened.is_none_or(|opened| it.starts_with(opened)) && (!root.starts_with(it) || root == *it);
    let with_app = folder.ancestors().take_while(inside).find(|it| it.join("app.dsl").is_file());
    match (with_app, opened) {
        (Some(folder), _) => folder.to_path_buf(),
        // A folder with `dz.toml` can hold several applications.
        (None, Some(opened)) if !root.join("dz.toml").is_file() => opened.clone(),
        (None, _) => folder.to_path_buf(),
    }
}

/// The declarations below a folder, sorted by path, without those of builds; those of nested projects only if `nested` is set.
fn below(folder: &Path, nested: bool, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut inner: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    inner.sort();
    for path in inner {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_source = !name.starts_with('.') && name != "target" && name != "node_modules";
        if path.is_dir() && is_source && !path.is_symlink() && (nested || !path.join("dz.toml").is_file()) {
            below(&path, nested, files);
        } else if path.is_file() && path.extension().is_some_and(|it| it == "dsl") {
            files.push(path);
        }
    }
}

/// Every declaration below a folder, also those of nested projects.
pub fn declarations_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    below(folder, true, &mut files);
    files
}
