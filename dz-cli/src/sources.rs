//! Which files a command is about, and their texts.

use std::{
    collections::HashSet,
    env, fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::{
    SourceMap, decode,
    project::{self, Project},
};

/// Loads the texts that are named, else those of the nearest `dz.toml`, else `app.dsl` here. An error is one
/// sentence that names the culprit and the way out.
pub fn load(named: &[PathBuf]) -> Result<(SourceMap, Project), String> {
    let (root, project) = nearest_project(named)?;
    let paths: Vec<PathBuf> = match (named.is_empty(), project.dsl.is_empty()) {
        (false, _) => named.to_vec(),
        (true, false) => project.dsl.iter().map(|path| root.join(path)).collect(),
        (true, true) => vec![root.join("app.dsl")],
    };
    let mut seen = HashSet::new();
    let mut sources = SourceMap::default();
    for path in &paths {
        add(path, &mut seen, &mut sources)?;
    }
    if sources.files().next().is_none() {
        let folders: Vec<String> = paths.iter().map(|path| shown(path)).collect();
        return Err(format!("there is no *.dsl file below {}", folders.join(", ")));
    }
    Ok((sources, project))
}

/// The nearest `dz.toml` at or above what is named first, else at or above the working directory.
fn nearest_project(named: &[PathBuf]) -> Result<(PathBuf, Project), String> {
    let start = match named.first() {
        Some(path) if path.is_dir() => path.as_path(),
        Some(path) => path.parent().unwrap_or(Path::new("")),
        None => Path::new(""),
    };
    let start = if start.as_os_str().is_empty() { Path::new(".") } else { start };
    let Ok(start) = start.canonicalize() else { return Ok((PathBuf::new(), Project::default())) };
    for folder in start.ancestors() {
        let settings = folder.join("dz.toml");
        if settings.is_file() {
            let bytes = fs::read(&settings).map_err(|error| format!("{} cannot be read: {error}", shown(&settings)))?;
            return Ok((folder.to_path_buf(), project::read(&decode("dz.toml", bytes)?)?));
        }
    }
    Ok((PathBuf::new(), Project::default()))
}

/// Adds a file, or every `*.dsl` below a folder, sorted by path; what was seen before, by another path or through
/// a link, is not read twice.
fn add(path: &Path, seen: &mut HashSet<PathBuf>, sources: &mut SourceMap) -> Result<(), String> {
    let real = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no {}", shown(path)),
        _ => format!("{} cannot be read: {error}", shown(path)),
    })?;
    if !seen.insert(real) {
        return Ok(());
    }
    let unreadable = |error: std::io::Error| format!("{} cannot be read: {error}", shown(path));
    if !path.is_dir() {
        let name = shown(path);
        let text = decode(&name, fs::read(path).map_err(unreadable)?)?;
        sources.add(name, text);
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

/// How a message names a path: from the working directory when it lies below.
fn shown(path: &Path) -> String {
    let here = env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    let path = inside.unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path).display().to_string()
}
