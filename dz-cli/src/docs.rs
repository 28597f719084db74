//! `dz docs`

use std::{
    fs,
    io::{stderr, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use dz_dsl_file::{
    Diagnostic, Severity, analyse,
    emit::docs::{Page, pages},
    readable, render,
};
use serde_json::json;

use crate::{
    findings::{Findings, Format},
    output::{Shape, counted, fail, put},
    sources::Files,
};

/// The folder of the documentation, from that of the project.
const FOLDER: &str = "docs/app";

/// The list of the written files, from the folder of the documentation: so that pages of removed constructs are removed.
const LIST: &str = ".pages";

/// The subcommands of `dz docs`.
#[derive(Subcommand)]
pub enum Docs {
    /// Writes the documentation of the application as an mdBook
    Generate(Options),
}

/// Options of `dz docs generate`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// The folder; by default `docs/app` in the folder of the project
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Fails if the files differ from what would be written, and writes nothing
    #[arg(long)]
    check: bool,
    /// How the list of files is written
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

/// A file that is written or removed, or would be.
struct Change {
    path: String,
    status: &'static str,
}

/// Runs the command.
pub fn run(Docs::Generate(options): &Docs) -> ExitCode {
    match generate(options) {
        Ok(code) => code,
        Err(message) => fail(message),
    }
}

fn generate(options: &Options) -> Result<ExitCode, String> {
    let sources = options.files.load()?;
    let (root, settings) = (sources.root.clone(), sources.settings.clone());
    let analysis = analyse(sources.files);
    let errors: Vec<Diagnostic> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect();
    let findings = Findings::new(&analysis.files, &errors, &settings, false);
    // What has no errors is documented in any case.
    let mut pages = match &analysis.model {
        Some(model) => pages(model, &analysis.files),
        None => {
            let rest = readable(analysis.files.clone());
            pages(&rest.model, &rest.files)
        }
    };
    let list = pages.iter().map(|page| format!("{}\n", page.path)).collect();
    pages.push(Page { path: LIST.to_owned(), text: list });
    let folder = options.output.clone().unwrap_or_else(|| root.join(FOLDER));
    let changes = changes(&folder, &pages)?;
    if !options.check {
        apply(&folder, &pages, &changes)?;
    }
    if options.format == Shape::Json {
        let files: Vec<_> = changes.iter().map(|it| json!({ "path": it.path, "status": it.status })).collect();
        let report = json!({ "folder": folder.display().to_string(), "files": files, "diagnostics": findings.json(None)["diagnostics"] });
        put(stdout(), &format!("{report}\n"));
    } else {
        put(stdout(), &human(options, &folder, &pages, &changes));
        if !errors.is_empty() {
            put(stderr(), &findings.text(Format::Human, render::Colour::Never, None));
        }
    }
    let differs = options.check && changes.iter().any(|it| it.status != "kept");
    if differs {
        return Err(format!("the documentation in {} differs from the declaration; write it with `dz docs generate`", folder.display()));
    }
    Ok(if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The state of each file.
fn changes(folder: &Path, pages: &[Page]) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    for page in pages {
        let status = match read(&folder.join(&page.path))? {
            None => "written",
            Some(text) if text == page.text.as_bytes() => "kept",
            Some(_) => "updated",
        };
        changes.push(Change { path: page.path.clone(), status });
    }
    let listed = read(&folder.join(LIST))?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    // A list that was edited by hand never leads out of the folder.
    let is_own = |path: &&str| path.starts_with("src/") && path.ends_with(".md") && !path.split('/').any(|part| part == "..");
    for path in listed.lines().filter(is_own).filter(|path| !pages.iter().any(|page| page.path == **path)) {
        if folder.join(path).is_file() {
            changes.push(Change { path: path.to_owned(), status: "removed" });
        }
    }
    Ok(changes)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

fn apply(folder: &Path, pages: &[Page], changes: &[Change]) -> Result<(), String> {
    for change in changes.iter().filter(|it| it.status != "kept") {
        let path = folder.join(&change.path);
        let wrong = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        match pages.iter().find(|page| page.path == change.path) {
            Some(page) => {
                fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(wrong)?;
                fs::write(&path, &page.text).map_err(wrong)?;
            }
            None => fs::remove_file(&path).map_err(wrong)?,
        }
    }
    Ok(())
}

fn human(options: &Options, folder: &Path, pages: &[Page], changes: &[Change]) -> String {
    let changed: Vec<&Change> = changes.iter().filter(|it| it.status != "kept" && it.path != LIST).collect();
    let lines: String = changed.iter().map(|it| format!("{:<8} {}\n", it.status, it.path)).collect();
    if options.check {
        return lines;
    }
    format!("{lines}{} in {}\n", counted(pages.len() - 1, "file"), folder.display())
}
