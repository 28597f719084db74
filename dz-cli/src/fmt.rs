//! `dz fmt`

use std::{
    io::{stderr, stdout},
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::{AREAS, Analysis, Diagnostic, FileId, Severity, SourceFile, analyse, format, render};
use serde_json::{Value, json};
use similar::TextDiff;

use crate::{
    findings::Findings,
    output::{Coloured, Shape, counted, fail, put},
    sources::{Named, Sources},
    write,
};

/// Options of `dz fmt`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// Prints the changes as a diff, writes no file, and fails if there are any
    #[arg(long)]
    check: bool,
    /// The format of the result
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
    #[command(flatten)]
    colours: Coloured,
}

/// The results of files.
#[derive(Default)]
struct Tally {
    changed: usize,
    refused: usize,
    /// The same, for programs.
    files: Vec<Value>,
    diagnostics: Vec<Diagnostic>,
}

/// The errors of parsing a file. Errors in the value of a token do not count, because its place is certain.
pub fn parse_errors(found: &[Diagnostic], file: FileId) -> impl Iterator<Item = &Diagnostic> {
    let is_parsing = |rule: &str| {
        let in_text = AREAS.iter().any(|area| area.name == "text" && area.rules.iter().any(|it| it.name == rule));
        in_text && !["bad-escape", "number-out-of-range"].contains(&rule)
    };
    found.iter().filter(move |it| it.span.file == file && it.severity == Severity::Error && is_parsing(it.rule))
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    let mut tally = Tally::default();
    let analysis = analyse(sources.files.clone());
    for (id, file) in sources.files.files() {
        if let Err(message) = lay_out(options, &sources, &analysis, id, file, &mut tally) {
            return fail(message);
        }
    }
    let failed = tally.refused > 0 || (options.check && tally.changed > 0);
    let code = if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if options.format == Shape::Json {
        let findings = Findings::new(&sources.files, &tally.diagnostics, &sources.settings, false).json(None);
        put(stdout(), &format!("{}\n", json!({ "files": tally.files, "diagnostics": findings["diagnostics"] })));
        return code;
    }
    let files = counted(sources.files.files().count(), "file");
    let refused = if tally.refused > 0 { format!(", {} refused", tally.refused) } else { String::new() };
    if options.check {
        put(stderr(), &format!("{} of {files} would change{refused}\n", tally.changed));
    } else if !sources.has_stdin() {
        put(stdout(), &format!("{} of {files} rewritten{refused}\n", tally.changed));
    }
    code
}

/// The formatted text of a file, or the errors because of which it is not formatted.
fn formatted(sources: &Sources, analysis: &Analysis, id: FileId) -> Result<String, Vec<Diagnostic>> {
    let found: Vec<Diagnostic> = parse_errors(&analysis.diagnostics, id).cloned().collect();
    if found.is_empty() { format(&sources.files, id) } else { Err(found) }
}

fn lay_out(
    options: &Options,
    sources: &Sources,
    analysis: &Analysis,
    id: FileId,
    file: &SourceFile,
    tally: &mut Tally,
) -> Result<(), String> {
    let as_json = options.format == Shape::Json;
    let text = match formatted(sources, analysis, id) {
        Ok(text) => text,
        Err(found) => {
            if !as_json {
                let colour = options.colours.on(&stderr());
                let shown: String = found.iter().map(|it| render::human(&sources.files, it, colour) + "\n\n").collect();
                put(stderr(), &shown);
            }
            tally.refused += 1;
            tally.files.push(json!({ "path": file.name, "status": "refused" }));
            tally.diagnostics.extend(found);
            return Ok(());
        }
    };
    let is_changed = text != file.text;
    tally.changed += usize::from(is_changed);
    let mut entry = json!({ "path": file.name, "status": if is_changed { "changed" } else { "unchanged" } });
    if sources.place(id).is_none() {
        entry["text"] = text.as_str().into();
    }
    tally.files.push(entry);
    match sources.place(id) {
        Some(path) if as_json && !options.check && is_changed => write::replace(path, &file.name, &text)?,
        _ if as_json => {}
        _ if options.check => put(stdout(), &diff(file, &text, options.colours.on(&stdout()))),
        None => put(stdout(), &text),
        Some(path) if text != file.text => {
            write::replace(path, &file.name, &text)?;
            put(stdout(), &format!("{}\n", file.name));
        }
        Some(_) => {}
    }
    Ok(())
}

/// A unified diff, or an empty text.
fn diff(file: &SourceFile, text: &str, colour: render::Colour) -> String {
    let diff = TextDiff::from_lines(file.text.as_str(), text);
    let unified = diff.unified_diff().header(&file.name, &file.name).to_string();
    if colour == render::Colour::Never {
        return unified;
    }
    let painted = |line: &str| match line.chars().next() {
        Some('+') => format!("\x1b[32m{line}\x1b[0m\n"),
        Some('-') => format!("\x1b[31m{line}\x1b[0m\n"),
        Some('@') => format!("\x1b[36m{line}\x1b[0m\n"),
        _ => format!("{line}\n"),
    };
    unified.lines().map(painted).collect()
}
