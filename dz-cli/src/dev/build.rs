//! Validation of the declaration, and builds by cargo.

use std::{
    io::stderr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
};

use dz_dsl_file::{Severity, analyse, model::Model, render::Colour};
use serde_json::Value;

use super::read_lines;
use crate::{
    findings::{Findings, Format},
    output::put,
    sources::Files,
};

/// Validates the declaration; an error is the text of its errors with their snippets.
pub fn validate(files: &Files) -> Result<Box<Model>, String> {
    let sources = files.load()?;
    let analysis = analyse(sources.files);
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, false);
    match analysis.model {
        Some(model) if findings.count(Severity::Error) == 0 => Ok(Box::new(model)),
        _ => Err(findings.text(Format::Human, Colour::Never, None)),
    }
}

/// A program that was built.
#[derive(Debug, Clone)]
pub struct Built {
    /// Its path.
    pub program: PathBuf,
    /// True if the last build created it.
    pub fresh: bool,
}

/// The output of a build.
#[derive(Debug, Default)]
struct Printed {
    /// The errors of the compiler.
    errors: String,
    /// Messages of cargo itself.
    cargo: String,
    program: Option<Built>,
}

/// A running build.
pub struct Build {
    child: Mutex<Child>,
    printed: Arc<Mutex<Printed>>,
    readers: Vec<JoinHandle<()>>,
}

impl Build {
    /// Starts `cargo build`, whose messages also go to standard error.
    pub fn start(root: &Path, bin: Option<&str>) -> Result<Build, String> {
        let mut command = Command::new("cargo");
        command
            .args(["build", "--message-format=json"])
            .current_dir(root)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .stdin(Stdio::null());
        match bin {
            Some(name) => command.args(["--bin", name]),
            None => command.arg("--bins"),
        };
        let mut child = command.spawn().map_err(|error| format!("cargo cannot be started: {error}"))?;
        let printed = Arc::new(Mutex::new(Printed::default()));
        let mut readers = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let (printed, manifest) = (printed.clone(), root.join("Cargo.toml"));
            readers.push(read_lines(stdout, move |line| read_message(line, &manifest, &printed)));
        }
        if let Some(messages) = child.stderr.take() {
            let printed = printed.clone();
            readers.push(read_lines(messages, move |line| {
                put(stderr(), &format!("{line}\n"));
                locked(&printed).cargo.push_str(&format!("{line}\n"));
            }));
        }
        Ok(Build { child: Mutex::new(child), printed, readers })
    }

    /// True if cargo has ended and all its output is read.
    pub fn is_finished(&self) -> bool {
        let ended = locked(&self.child).try_wait();
        !matches!(ended, Ok(None)) && self.readers.iter().all(JoinHandle::is_finished)
    }

    /// The program, or the messages of the failed build.
    pub fn result(self) -> Result<Built, String> {
        let status = locked(&self.child).wait().map_err(|error| format!("cargo cannot be waited for: {error}"))?;
        let printed = locked(&self.printed);
        match (&printed.program, status.success()) {
            (Some(program), true) => Ok(program.clone()),
            (None, true) => Err("the package has no program, or several without `default-run`; name one with `--bin`\n".to_owned()),
            (_, false) if printed.errors.is_empty() => Err(printed.cargo.clone()),
            (_, false) => Err(printed.errors.clone()),
        }
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        // The error for a build that has already ended is ignored.
        let _ = locked(&self.child).kill();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a message of cargo: a diagnostic of the compiler, or a program that was built.
fn read_message(line: &str, manifest: &Path, printed: &Mutex<Printed>) {
    let Ok(message) = serde_json::from_str::<Value>(line) else { return };
    match message["reason"].as_str() {
        Some("compiler-message") => {
            let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
            put(stderr(), rendered);
            if message["message"]["level"] == "error" {
                locked(printed).errors.push_str(&format!("{rendered}\n"));
            }
        }
        Some("compiler-artifact") if message["manifest_path"].as_str().is_some_and(|path| Path::new(path) == manifest) => {
            if let Some(program) = message["executable"].as_str() {
                locked(printed).program = Some(Built { program: program.into(), fresh: message["fresh"] == true });
            }
        }
        _ => {}
    }
}
