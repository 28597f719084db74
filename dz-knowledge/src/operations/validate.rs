//! `validate`: the diagnostics of a proposed text, each with its correction.

use std::path::{Component, Path};

use dz_dsl_file::{SourceMap, analyse, propose, rules};
use serde_json::Value;

use super::Operation;
use crate::{
    Failure, Host, Loaded, Session,
    parameters::{Arguments, Form, Parameter},
};

/// The name of a text without a path.
const ALONE: &str = "text.dsl";

pub(super) const OPERATION: Operation = Operation {
    name: "validate",
    summary: "diagnostics of a text, alone, or with `path` as that file of the project; stores nothing",
    parameters: &[Parameter::required("text", Form::Declaration), Parameter::optional("path", Form::Text)],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, host: &mut dyn Host) -> Result<Value, Failure> {
    let text = given.required("text");
    let files = match given.text("path") {
        Some(path) => with(&session.loaded.files, &inside(&session.loaded, path)?, text),
        None => SourceMap::single(ALONE, text),
    };
    let mut analysis = analyse(files);
    propose(&mut analysis);
    let mut findings = host.findings(&analysis.files, &analysis.diagnostics);
    for found in findings.get_mut("diagnostics").and_then(Value::as_array_mut).into_iter().flatten() {
        if found["help"].is_null() && found["replacement"].is_null() {
            let rule = rules().find(|it| found["rule"] == it.name);
            found["help"] = rule.map_or_else(String::new, |it| format!("{}; `explain` shows how to write it", it.summary)).into();
        }
    }
    Ok(findings)
}

/// The name of a file of the project, relative to its folder.
fn inside(loaded: &Loaded, path: &str) -> Result<String, Failure> {
    if loaded.files.files().any(|(_, file)| file.name == path) {
        return Ok(path.to_owned());
    }
    let outside = || Failure::content(format!("`path` is outside the project: {path}"));
    let relative = Path::new(path).strip_prefix(&loaded.root).unwrap_or_else(|_| Path::new(path));
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str().unwrap_or_default()),
            Component::ParentDir => drop(parts.pop().ok_or_else(outside)?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(outside()),
        }
    }
    match parts.is_empty() {
        true => Err(Failure::content("`path` names no file")),
        false => Ok(parts.join("/")),
    }
}

/// The files of the project, with a text in place of one of them or beside them.
fn with(files: &SourceMap, path: &str, text: &str) -> SourceMap {
    let mut all = SourceMap::default();
    for (_, file) in files.files() {
        all.add(file.name.as_str(), if file.name == path { text } else { &file.text });
    }
    if !files.files().any(|(_, file)| file.name == path) {
        all.add(path, text);
    }
    all
}
