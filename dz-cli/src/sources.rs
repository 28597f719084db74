//! Which files a command is about, and their texts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::{
    SourceMap,
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
    let mut files = Vec::new();
    for path in &paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err("there is no *.dsl file there".to_owned());
    }
    let mut sources = SourceMap::default();
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            format!("{} is not UTF-8: byte {} is wrong; save the file as UTF-8", file.display(), error.utf8_error().valid_up_to())
        })?;
        sources.add(file.strip_prefix("./").unwrap_or(&file).to_string_lossy(), text);
    }
    Ok((sources, project))
}

/// The nearest `dz.toml` above what is named, or above the working directory.
fn nearest_project(named: &[PathBuf]) -> Result<(PathBuf, Project), String> {
    let start = named.first().and_then(|path| path.parent()).filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(start) = start.canonicalize() else { return Ok((PathBuf::from("."), Project::default())) };
    for folder in start.ancestors() {
        let settings = folder.join("dz.toml");
        if settings.is_file() {
            let text = fs::read_to_string(&settings).map_err(|error| format!("{} cannot be read: {error}", settings.display()))?;
            return Ok((folder.to_path_buf(), project::read(&text)?));
        }
    }
    Ok((PathBuf::from("."), Project::default()))
}

/// A file, or every `*.dsl` below a folder, sorted by path.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.exists() {
        return Err(format!("there is no {}", path.display()));
    }
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut inner: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    inner.sort();
    for path in inner {
        if path.is_dir() || path.extension().is_some_and(|it| it == "dsl") {
            collect(&path, files)?;
        }
    }
    Ok(())
}
