//! The files of a command, and their texts.

use std::{
    collections::HashSet,
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::{
    FileId, SourceMap, analyse, decode,
    model::Model,
    project::{self, ProjectFile},
    render,
};

use crate::{
    findings::{Findings, Format},
    output::{fail, put},
};

/// The path that means standard input.
const STDIN: &str = "-";

/// The options of a command about its files.
#[derive(Args)]
pub struct Named {
    /// Files and folders, `-` for standard input; by default those of dz.toml, or else app.dsl
    paths: Vec<PathBuf>,
    #[command(flatten)]
    files: Files,
}

/// The option of every command that reads a declaration.
#[derive(Args)]
pub struct Files {
    /// A file or folder of the declaration; it can be repeated
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
}

impl Files {
    /// Loads the named texts, as [`load`].
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn load(&self) -> Result<Sources, String> {
        load(&self.file)
    }

    /// The files and folders that are named.
    #[cfg(feature = "lsp")]
    pub fn named(&self) -> &[PathBuf] {
        &self.file
    }

    /// The named files, else those of the project; empty if the project has no files yet.
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn listing(&self) -> Result<Listing, String> {
        Listing::from_paths(&self.file).map(Listing::or_empty)
    }
}

impl Named {
    /// Loads the named texts, as [`load`].
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn load(&self) -> Result<Sources, String> {
        load(&[self.paths.as_slice(), &self.files.file].concat())
    }

    /// The model of the named texts. If they cannot be read or have errors, the reasons are written to standard error.
    ///
    /// # Errors
    /// The exit code of the command.
    pub fn load_model(&self) -> Result<Model, ExitCode> {
        let sources = self.load().map_err(fail)?;
        let analysis = analyse(sources.files);
        let is_valid = !analysis.has_errors();
        match analysis.model {
            Some(model) if is_valid => Ok(model),
            Some(_) | None => {
                let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, false);
                put(io::stderr(), &findings.text(Format::Human, render::Colour::Never, None));
                Err(ExitCode::FAILURE)
            }
        }
    }
}

/// The texts of a command.
pub struct Sources {
    /// The texts.
    pub files: SourceMap,
    /// The file of each text; `None` for standard input.
    places: Vec<Option<PathBuf>>,
    /// The settings.
    pub settings: ProjectFile,
    /// The folder of dz.toml, else that of the first file; empty for the working directory.
    pub root: PathBuf,
}

impl Sources {
    /// The file of a text; `None` for standard input.
    pub fn place(&self, file: FileId) -> Option<&Path> {
        self.places.get(file.0 as usize)?.as_deref()
    }

    fn add_file(&mut self, path: &Path, real: PathBuf) -> Result<(), String> {
        let name = display_path(path);
        let text = decode(&name, fs::read(path).map_err(|error| unreadable(path, &error))?)?;
        self.files.add(name, text);
        self.places.push(Some(real));
        Ok(())
    }

    /// The files of the texts.
    pub fn files_on_disk(&self) -> Vec<PathBuf> {
        self.places.iter().flatten().cloned().collect()
    }

    /// True if a text came from standard input.
    pub fn has_stdin(&self) -> bool {
        self.places.iter().any(Option::is_none)
    }
}

/// Loads the named texts, else those of the nearest `dz.toml`, else `app.dsl` in the working directory. An error is one sentence
/// with the cause and the correction.
fn load(named: &[PathBuf]) -> Result<Sources, String> {
    Listing::from_paths(named)?.load()
}

/// Which files and folders a project consists of.
#[derive(Clone)]
pub struct Listing {
    /// The folder of dz.toml, else that of the first file; empty for the working directory.
    pub root: PathBuf,
    /// The settings.
    pub settings: ProjectFile,
    paths: Vec<PathBuf>,
    /// The source of the paths.
    origin: Origin,
}

/// The source of the paths of a listing.
#[derive(Clone, PartialEq)]
enum Origin {
    /// The named paths; without any, those of the nearest `dz.toml`.
    Named(Vec<PathBuf>),
    /// As `Named`, but the default file can be missing.
    PerhapsMissing(Vec<PathBuf>),
    /// A folder.
    Folder(PathBuf),
}

impl Listing {
    /// The files and folders that are named, else those of the nearest `dz.toml`, else `app.dsl` here. The `dz.toml` of a
    /// workspace, which has no declaration of its own, gives the settings of an application below it.
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn from_paths(named: &[PathBuf]) -> Result<Listing, String> {
        let (mut root, settings) = nearest_project(named)?;
        let paths: Vec<PathBuf> = match (named.is_empty(), settings.project.dsl.is_empty()) {
            (false, _) => named.to_vec(),
            (true, false) => settings.project.dsl.iter().map(|path| root.join(path)).collect(),
            (true, true) => {
                if !root.join("app.dsl").exists() && Path::new("app.dsl").is_file() {
                    root = PathBuf::new();
                }
                vec![root.join("app.dsl")]
            }
        };
        let root = if root.as_os_str().is_empty() { folder_of(paths.first()) } else { root };
        Ok(Listing { root, settings, paths, origin: Origin::Named(named.to_vec()) })
    }

    /// The project of a folder: the files that its `dz.toml` names, else every file below it.
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn in_folder(folder: &Path) -> Result<Listing, String> {
        let (root, settings) = nearest_project(&[folder.to_path_buf()])?;
        let is_own = root == folder && !settings.project.dsl.is_empty();
        let paths = if is_own { settings.project.dsl.iter().map(|path| root.join(path)).collect() } else { vec![folder.to_path_buf()] };
        Ok(Listing { root: folder.to_path_buf(), settings, paths, origin: Origin::Folder(folder.to_path_buf()) })
    }

    /// The same for a project that can be empty: its default file can be missing.
    pub fn or_empty(mut self) -> Listing {
        if let Origin::Named(named) = self.origin {
            self.origin = Origin::PerhapsMissing(named);
        }
        self
    }

    /// The same, read again from `dz.toml`.
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn again(&self) -> Result<Listing, String> {
        match &self.origin {
            Origin::Named(named) => Listing::from_paths(named),
            Origin::PerhapsMissing(named) => Listing::from_paths(named).map(Listing::or_empty),
            Origin::Folder(folder) => Listing::in_folder(folder),
        }
    }

    /// The paths to read.
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let is_default = matches!(&self.origin, Origin::PerhapsMissing(named) if named.is_empty()) && self.settings.project.dsl.is_empty();
        self.paths.iter().filter(move |path| !is_default || path.exists())
    }

    /// The files, each once, in the order in which they are read.
    ///
    /// # Errors
    /// One sentence that names the path that cannot be read.
    pub fn files(&self) -> Result<Vec<(PathBuf, PathBuf)>, String> {
        let (mut seen, mut files) = (HashSet::new(), Vec::new());
        for path in self.paths().filter(|path| !self.is_stdin(path)) {
            list(path, &mut seen, &mut files)?;
        }
        Ok(files)
    }

    fn is_stdin(&self, path: &Path) -> bool {
        matches!(&self.origin, Origin::Named(named) | Origin::PerhapsMissing(named) if !named.is_empty()) && path.as_os_str() == STDIN
    }

    /// Reads the texts.
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn load(&self) -> Result<Sources, String> {
        let mut seen = HashSet::new();
        let mut sources =
            Sources { files: SourceMap::default(), places: Vec::new(), settings: self.settings.clone(), root: self.root.clone() };
        for path in self.paths() {
            if self.is_stdin(path) {
                add_stdin(&mut sources)?;
                continue;
            }
            let mut files = Vec::new();
            list(path, &mut seen, &mut files)?;
            for (path, real) in files {
                sources.add_file(&path, real)?;
            }
        }
        if sources.places.is_empty() && matches!(self.origin, Origin::Named(_)) {
            let folders: Vec<String> = self.paths.iter().map(|path| display_path(path)).collect();
            return Err(format!("there is no *.dsl file below {}", folders.join(", ")));
        }
        Ok(sources)
    }
}

/// The folder of a project without dz.toml.
fn folder_of(path: Option<&PathBuf>) -> PathBuf {
    match path {
        Some(path) if path.is_dir() => path.clone(),
        Some(path) => path.parent().map(Path::to_path_buf).unwrap_or_default(),
        None => PathBuf::new(),
    }
}

/// The nearest `dz.toml` at or above the first named path, else at or above the working directory.
fn nearest_project(named: &[PathBuf]) -> Result<(PathBuf, ProjectFile), String> {
    let start = match named.iter().find(|path| path.as_os_str() != STDIN) {
        Some(path) if path.is_dir() => path.as_path(),
        Some(path) => path.parent().unwrap_or(Path::new("")),
        None => Path::new(""),
    };
    let start = if start.as_os_str().is_empty() { Path::new(".") } else { start };
    let Ok(start) = start.canonicalize() else { return Ok((PathBuf::new(), ProjectFile::default())) };
    for folder in start.ancestors() {
        let file = folder.join("dz.toml");
        if file.is_file() {
            let bytes = fs::read(&file).map_err(|error| format!("{} cannot be read: {error}", display_path(&file)))?;
            return Ok((folder.to_path_buf(), project::read(&decode("dz.toml", bytes)?)?));
        }
    }
    Ok((PathBuf::new(), ProjectFile::default()))
}

/// Adds the text of standard input, which can be read once.
fn add_stdin(sources: &mut Sources) -> Result<(), String> {
    if sources.has_stdin() {
        return Ok(());
    }
    let name = "<stdin>";
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| format!("standard input cannot be read: {error}"))?;
    sources.files.add(name, decode(name, bytes)?);
    sources.places.push(None);
    Ok(())
}

/// Lists a file, or every `*.dsl` below a folder, sorted by path, each with its real path. A file that was listed before,
/// by another path or through a link, is skipped.
fn list(path: &Path, seen: &mut HashSet<PathBuf>, files: &mut Vec<(PathBuf, PathBuf)>) -> Result<(), String> {
    let real = path.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no {}", display_path(path)),
        _ => unreadable(path, &error),
    })?;
    if !seen.insert(real.clone()) {
        return Ok(());
    }
    if !path.is_dir() {
        files.push((path.to_path_buf(), real));
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let inner = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut inner = inner.map_err(|error| unreadable(path, &error))?;
    inner.sort();
    for path in inner {
        if path.is_dir() || path.extension().is_some_and(|it| it == "dsl") {
            list(&path, seen, files)?;
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be read: {error}", display_path(path))
}

/// A path for messages: relative to the working directory if it is below it.
fn display_path(path: &Path) -> String {
    let here = env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    let path = inside.unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path).display().to_string()
}
