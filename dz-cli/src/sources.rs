//! The files of a command, and their texts.

use std::{
    collections::HashSet,
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use clap::Args;
use dz_dsl_file::{
    FileId, SourceMap, decode,
    project::{self, ProjectFile},
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
}

impl Named {
    /// Loads the named texts, as [`load`].
    ///
    /// # Errors
    /// One sentence with the cause and the correction.
    pub fn load(&self) -> Result<Sources, String> {
        load(&[self.paths.as_slice(), &self.files.file].concat())
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
    let (root, settings) = nearest_project(named)?;
    let paths: Vec<PathBuf> = match (named.is_empty(), settings.project.dsl.is_empty()) {
        (false, _) => named.to_vec(),
        (true, false) => settings.project.dsl.iter().map(|path| root.join(path)).collect(),
        (true, true) => vec![root.join("app.dsl")],
    };
    let mut seen = HashSet::new();
    let root = if root.as_os_str().is_empty() { folder_of(paths.first()) } else { root };
    let mut sources = Sources { files: SourceMap::default(), places: Vec::new(), settings, root };
    for path in &paths {
        if path.as_os_str() == STDIN && !named.is_empty() {
            add_stdin(&mut sources)?;
        } else {
            add(path, &mut seen, &mut sources)?;
        }
    }
    if sources.places.is_empty() {
        let folders: Vec<String> = paths.iter().map(|path| display_path(path)).collect();
        return Err(format!("there is no *.dsl file below {}", folders.join(", ")));
    }
    Ok(sources)
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

/// Adds a file, or every `*.dsl` below a folder, sorted by path. A file that was added before, by another path or a link, is not
/// read again.
fn add(path: &Path, seen: &mut HashSet<PathBuf>, sources: &mut Sources) -> Result<(), String> {
    let real = path.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no {}", display_path(path)),
        _ => format!("{} cannot be read: {error}", display_path(path)),
    })?;
    if !seen.insert(real.clone()) {
        return Ok(());
    }
    let unreadable = |error: io::Error| format!("{} cannot be read: {error}", display_path(path));
    if !path.is_dir() {
        let name = display_path(path);
        let text = decode(&name, fs::read(path).map_err(unreadable)?)?;
        sources.files.add(name, text);
        sources.places.push(Some(real));
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(unreadable)?;
    let mut inner = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    inner.sort();
    for path in inner {
        if path.is_dir() || path.extension().is_some_and(|it| it == "dsl") {
            add(&path, seen, sources)?;
        }
    }
    Ok(())
}

/// A path for messages: relative to the working directory if it is below it.
fn display_path(path: &Path) -> String {
    let here = env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    let path = inside.unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path).display().to_string()
}
