//! Declarations of many domains and styles: each is read without an error, `--fix` keeps its meaning, and the formatter too.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::{Analysis, Severity, SourceMap, analyse, format, model::Model, repair};

/// The texts of each application: a file, or the files of a folder.
fn applications() -> BTreeMap<PathBuf, SourceMap> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations");
    let mut all = BTreeMap::new();
    for path in entries(&folder) {
        let mut texts = SourceMap::default();
        for file in if path.is_dir() { entries(&path) } else { Vec::from([path.clone()]) } {
            texts.add(file.to_string_lossy(), fs::read_to_string(&file).expect("a text"));
        }
        all.insert(path, texts);
    }
    all
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn errors(analysis: &Analysis) -> Vec<String> {
    let errors = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    errors.map(|it| dz_dsl_file::render::short(&analysis.files, it)).collect()
}

/// A model as text, without places.
fn text_of_model(model: &Model) -> String {
    let debug = format!("{model:?}");
    debug.split("Span {").enumerate().map(|(at, part)| if at == 0 { part } else { part.split_once('}').map_or(part, |it| it.1) }).collect()
}

#[test]
fn each_is_read_without_an_error() {
    let applications = applications();
    assert!(applications.len() > 30, "{}", applications.len());
    let wrong: Vec<String> = applications.into_values().flat_map(|texts| errors(&analyse(texts))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_keeps_its_meaning() {
    for (path, texts) in applications() {
        let before = text_of_model(&analyse(texts.clone()).model.expect("a model"));
        let repaired = repair(texts.clone(), |it| it.severity != Severity::Lint);
        assert_eq!(text_of_model(&repaired.analysis.model.expect("a model")), before, "{}", path.display());
        let mut formatted = SourceMap::default();
        for (id, file) in texts.files() {
            formatted.add(file.name.as_str(), format(&texts, id).expect("a text without errors"));
        }
        assert_eq!(text_of_model(&analyse(formatted).model.expect("a model")), before, "{}", path.display());
    }
}
