//! `dz locale`

use std::{fs, io::stdout, path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use dz_dsl_file::{Diagnostic, SourceMap, analyse, decode, locales, model::Model};
use serde_json::json;

use crate::{
    output::{Shape, fail, put},
    sources::{Files, Sources},
    write,
};

/// The subcommands of `dz locale`.
#[derive(Subcommand)]
pub enum Locale {
    /// Adds the missing keys to the files of other languages, and keeps what is in them
    Extract(Options),
}

/// Options of `dz locale extract`.
#[derive(Args)]
pub struct Options {
    /// The languages, such as `de` or `pt-BR`; without any, those with a file
    languages: Vec<String>,
    #[command(flatten)]
    files: Files,
    /// How the list of files is written
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

/// Runs the command.
pub fn run(Locale::Extract(options): &Locale) -> ExitCode {
    match extract(options) {
        Ok(text) => {
            put(stdout(), &text);
            ExitCode::SUCCESS
        }
        Err(message) => fail(message),
    }
}

/// A file of a language.
struct WrittenFile {
    path: String,
    status: &'static str,
    /// The number of added keys.
    added: usize,
}

fn extract(options: &Options) -> Result<String, String> {
    if let Some(wrong) = options.languages.iter().find(|tag| !locales::is_language(tag)) {
        return Err(format!("`{wrong}` is not the name of a language; write one such as `de` or `pt-BR`"));
    }
    let sources = options.files.load()?;
    let existing = files(&sources)?;
    let folder = folder(&sources);
    let analysis = analyse(sources.files);
    let Some(model) = analysis.model.as_ref().filter(|_| !analysis.has_errors()) else {
        return Err("no key is added, because the declaration has errors; `dz validate` lists them".to_owned());
    };
    let mut languages: Vec<String> = options.languages.clone();
    if languages.is_empty() {
        languages.extend(existing.iter().map(|file| file.language.clone()));
    }
    if languages.is_empty() {
        return Err(format!("{} has no file of a language; name one, such as `dz locale extract de`", folder.display()));
    }
    languages.dedup();
    let written = languages.iter().map(|tag| {
        let file = existing.iter().find(|file| file.language == *tag);
        let path = file.map_or_else(|| folder.join(format!("{tag}.{}", locales::EXTENSION)), |file| file.path.clone());
        add_missing(model, tag, path, file.map(|file| file.text.as_str()))
    });
    let written = written.collect::<Result<Vec<_>, _>>()?;
    Ok(report(options.format, &written))
}

fn add_missing(model: &Model, tag: &str, path: PathBuf, text: Option<&str>) -> Result<WrittenFile, String> {
    let name = path.display().to_string();
    let before = text.unwrap_or_default();
    let Some(after) = locales::complete(model, tag, before) else {
        return Ok(WrittenFile { path: name, status: "kept", added: 0 });
    };
    let added = locales::count_keys(&after) - locales::count_keys(before);
    match text {
        Some(_) => write::replace(&path, &name, &after)?,
        None => {
            let wrong = |error: std::io::Error| format!("{name} cannot be written: {error}");
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
            fs::write(&path, after).map_err(wrong)?;
        }
    }
    Ok(WrittenFile { path: name, status: if text.is_some() { "updated" } else { "written" }, added })
}

fn report(format: Shape, written: &[WrittenFile]) -> String {
    if format == Shape::Json {
        let files: Vec<_> = written.iter().map(|it| json!({ "path": it.path, "status": it.status, "added": it.added })).collect();
        return format!("{}\n", json!({ "files": files }));
    }
    let line = |it: &WrittenFile| match it.added {
        0 => format!("{:<8} {}\n", it.status, it.path),
        1 => format!("{:<8} {}, 1 key added\n", it.status, it.path),
        added => format!("{:<8} {}, {added} keys added\n", it.status, it.path),
    };
    written.iter().map(line).collect()
}

/// A file with the texts of a language.
pub struct LanguageFile {
    language: String,
    path: PathBuf,
    text: String,
}

fn folder(sources: &Sources) -> PathBuf {
    sources.root.join(sources.settings.project.locales.as_deref().unwrap_or("locales"))
}

/// The files of languages of the project, sorted by name. Files with another name than that of a language are ignored.
///
/// # Errors
/// One sentence for a file that cannot be read.
pub fn files(sources: &Sources) -> Result<Vec<LanguageFile>, String> {
    let Ok(entries) = fs::read_dir(folder(sources)) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let is_one = path.extension().is_some_and(|extension| extension == locales::EXTENSION);
        let Some(language) = path.file_stem().and_then(|stem| stem.to_str()).filter(|tag| is_one && locales::is_language(tag)) else {
            continue;
        };
        let bytes = fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let text = decode(&path.display().to_string(), bytes)?;
        found.push(LanguageFile { language: language.to_owned(), path: path.clone(), text });
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// The findings in files of languages; their texts are added to `texts`.
pub fn check(model: Option<&Model>, languages: Vec<LanguageFile>, texts: &mut SourceMap) -> Vec<Diagnostic> {
    let Some(model) = model else { return Vec::new() };
    let mut found = Vec::new();
    for file in languages {
        found.extend(locales::diagnose(model, texts, &file.path.display().to_string(), &file.text));
    }
    found
}
