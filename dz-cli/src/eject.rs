//! `dz eject`

mod files_beside;
mod folder;
mod format;
mod rust_code;

use std::{
    io::{stderr, stdout},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::{Severity, SourceMap, Span, analyse, render};
use dz_eject::{Note, Refusal, Tree};
use serde_json::{Value, json};

use crate::{
    findings::{Findings, Format},
    output::{Shape, fail, put},
    sources::Files,
};
use folder::{Change, Plan};

/// Options of `dz eject`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// The folder to write; by default `directory` under `[ejection.output]` in dz.toml
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Shows what would change, and writes nothing
    #[arg(long)]
    dry_run: bool,
    /// Fails if a file would change, and writes nothing
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,
    /// Also overwrites files that were edited
    #[arg(long)]
    force: bool,
    /// How the list of files is written
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

/// The two lines that enable the command.
const ENABLE: &str = "dz.toml does not enable ejection; add\n\n[ejection]\nenabled = true";

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    match eject(options) {
        Ok(code) => code,
        Err(message) => fail(message),
    }
}

fn eject(options: &Options) -> Result<ExitCode, String> {
    let sources = options.files.load()?;
    let settings = sources.settings.clone();
    if !settings.ejection.enabled {
        return Err(ENABLE.to_owned());
    }
    let root = sources.root.clone();
    let analysis = analyse(sources.files);
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &settings, false);
    let Some(model) = analysis.model.as_ref().filter(|_| findings.count(Severity::Error) == 0) else {
        put(stderr(), &findings.text(Format::Human, render::Colour::Never, None));
        return Err("nothing is written, because the declaration has errors".to_owned());
    };
    let mut tree = dz_eject::eject(model, &settings.ejection).map_err(|refused| refusals(&analysis.files, &refused))?;
    rust_code::note(&root, &mut tree);
    files_beside::note(&root, &settings.project, model, &mut tree);
    format::format(&mut tree)?;
    let folder = options.output.clone().unwrap_or_else(|| root.join(&settings.ejection.output.directory));
    let plan = Plan::new(&folder, &tree, settings.ejection.output.clean)?;
    let report = || format!("{:#}\n", json!({ "files": plan.json(), "not_ejected": notes_json(&analysis.files, &tree) }));
    if options.dry_run || options.check {
        match options.format {
            Shape::Human => {
                // Standard output has the lines of files alone, for programs.
                put(stderr(), &(notes(&analysis.files, &tree) + &plan.left()));
                put(stdout(), &plan.text());
            }
            Shape::Json => put(stdout(), &report()),
        }
        let changes = plan.changes.iter().any(|(_, change)| !matches!(change, Change::Keep));
        return Ok(if options.check && changes { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    let edited = plan.edited();
    if !edited.is_empty() && !options.force {
        let list: String = edited.iter().map(|path| format!("\n  {path}")).collect();
        return Err(format!(
            "nothing is written, because these files were edited or are not from `dz eject`; --force overwrites them:{list}"
        ));
    }
    if options.format == Shape::Human {
        put(stdout(), &notes(&analysis.files, &tree));
    }
    plan.write(&folder)?;
    put(stdout(), &if options.format == Shape::Json { report() } else { plan.left() + &plan.counts() });
    Ok(ExitCode::SUCCESS)
}

/// Adds a part that is missing because it is outside of the declaration: to the notes, and to the list in the tree.
fn add_note(tree: &mut Tree, what: &str, instead: &str) {
    if let Some(text) = tree.files.get_mut("NOT_EJECTED.md") {
        text.push_str(&format!("\n## {what}\n\n{instead}\n"));
    }
    tree.notes.push(Note { what: what.to_owned(), instead: instead.to_owned(), span: None, addresses: Vec::new() });
}

/// Everything that stops the ejection, with its place.
fn refusals(files: &SourceMap, refused: &[Refusal]) -> String {
    let list: String = refused.iter().map(|it| format!("\n  {}{}: {}", place(files, it.span), it.what, it.reason)).collect();
    format!("nothing is written, because the declaration contains what cannot be ejected:{list}")
}

/// A place of a declaration, before what is said about it.
fn place(files: &SourceMap, span: Option<Span>) -> String {
    let Some(span) = span else { return String::new() };
    let file = files.file(span.file);
    let (line, column) = file.line_column(span.start);
    format!("{}:{line}:{column}: ", file.name)
}

/// The missing parts of the tree, for programs.
fn notes_json(files: &SourceMap, tree: &Tree) -> Value {
    let note = |note: &Note| {
        let place = note.span.map(|span| {
            let file = files.file(span.file);
            let (line, column) = file.line_column(span.start);
            json!({ "file": file.name, "line": line, "column": column })
        });
        json!({ "what": note.what, "instead": note.instead, "place": place })
    };
    tree.notes.iter().map(note).collect()
}

/// The missing parts of the tree, with their places.
fn notes(files: &SourceMap, tree: &Tree) -> String {
    tree.notes.iter().map(|note| format!("not ejected: {}{}. {}\n", place(files, note.span), note.what, note.instead)).collect()
}
