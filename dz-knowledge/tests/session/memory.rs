//! A host without a disk, and calls for tests.

use std::{collections::HashMap, fs, path::Path};

use dz_dsl_file::{Diagnostic, SourceMap, Span};
use dz_knowledge::{Host, Imports, Loaded, Session};
use serde_json::{Value, json};

/// Files in memory.
#[derive(Default)]
pub struct Memory {
    pub files: HashMap<String, String>,
    pub imports: Option<Imports>,
}

impl Host for Memory {
    fn load(&mut self, root: Option<&str>) -> Result<Loaded, String> {
        let mut files = SourceMap::default();
        let mut names: Vec<&String> = self.files.keys().filter(|name| name.ends_with(".dsl")).collect();
        names.sort();
        for name in names {
            files.add(name.as_str(), self.files[name].as_str());
        }
        Ok(Loaded { root: root.unwrap_or("project").to_owned(), files })
    }

    fn read(&mut self, path: &str) -> Result<String, String> {
        self.files.get(path).cloned().ok_or_else(|| format!("there is no file `{path}` in the project"))
    }

    fn read_imports(&mut self) -> Imports {
        self.imports.clone().unwrap_or_default()
    }

    fn store_imports(&mut self, imports: &Imports) -> Result<(), String> {
        self.imports = Some(imports.clone());
        Ok(())
    }

    fn now(&self) -> String {
        "2026-01-01T00:00:00Z".to_owned()
    }

    fn findings(&self, files: &SourceMap, found: &[Diagnostic]) -> Value {
        let place = |span: Span, text: &str| {
            let file = files.file(span.file);
            let ((line, column), (end_line, end_column)) = (file.line_column(span.start), file.line_column(span.end));
            json!({
                "file": file.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column, "text": text,
            })
        };
        let shown = |it: &Diagnostic| {
            let mut shown = place(it.span, "");
            let labels: Vec<Value> = it.labels.iter().map(|(span, text)| place(*span, text)).collect();
            let replacement = it.suggestion.as_ref().map(|it| place(it.span, &it.text));
            shown["rule"] = it.rule.into();
            shown["severity"] = it.severity.as_str().into();
            shown["message"] = it.message.clone().into();
            shown["help"] = it.help.clone().into();
            shown["labels"] = labels.into();
            shown["replacement"] = replacement.into();
            shown
        };
        json!({ "diagnostics": found.iter().map(shown).collect::<Vec<_>>() })
    }
}

/// A session with its files.
pub struct Tested {
    pub session: Session,
    pub host: Memory,
}

impl Tested {
    pub fn new(files: &[(&str, &str)]) -> Tested {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let mut host = Memory { files, imports: None };
        let loaded = host.load(None).expect("files");
        Tested { session: Session::new(loaded, Imports::default()), host }
    }

    /// A session over a declaration of the repository.
    pub fn over(path: &str) -> Tested {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        Tested::new(&[("app.dsl", &fs::read_to_string(path).expect("a declaration"))])
    }

    /// A session over the declarations of a folder of the repository.
    pub fn folder(path: &str) -> Tested {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        let names = fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("a file").path());
        let texts: Vec<(String, String)> = names
            .map(|file| {
                let name = file.file_name().expect("a name").to_string_lossy().into_owned();
                (name, fs::read_to_string(&file).expect("a declaration"))
            })
            .collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        Tested::new(&files)
    }

    /// Replaces the text of a file, as an editor does.
    pub fn write(&mut self, name: &str, text: &str) {
        self.host.files.insert(name.to_owned(), text.to_owned());
        let loaded = self.host.load(None).expect("files");
        self.session.reload(loaded);
    }

    /// Replaces the texts of files.
    pub fn write_all<'t>(&mut self, texts: impl IntoIterator<Item = (&'t String, &'t String)>) {
        self.host.files.extend(texts.into_iter().map(|(name, text)| (name.clone(), text.clone())));
        let loaded = self.host.load(None).expect("files");
        self.session.reload(loaded);
    }

    /// Starts a new session with the stored imports.
    pub fn restart(&mut self) {
        let loaded = self.host.load(None).expect("files");
        let imports = self.host.imports.as_ref().map(|it| Imports::read(&it.text()).expect("data")).unwrap_or_default();
        self.session = Session::new(loaded, imports);
    }

    #[track_caller]
    pub fn ok(&mut self, operation: &str, parameters: Value) -> Value {
        self.session.call(operation, &parameters, &mut self.host).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    #[track_caller]
    pub fn error(&mut self, operation: &str, parameters: Value) -> String {
        match self.session.call(operation, &parameters, &mut self.host) {
            Ok(answer) => panic!("{operation}: {answer}"),
            Err(failure) => failure.message,
        }
    }
}

/// A member of each object of a list, as text.
pub fn members<'v>(list: &'v Value, member: &str) -> Vec<&'v str> {
    list.as_array().expect("a list").iter().map(|it| it[member].as_str().expect("text")).collect()
}
