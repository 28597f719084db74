//! `dz validate`

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use dz_dsl_file::{Analysis, Diagnostic, Severity, analyse, project::Project, render};
use serde_json::json;

use crate::sources;

/// Options of `dz validate`.
#[derive(Args)]
pub struct Options {
    /// Files and folders; without any, what dz.toml names, else app.dsl
    paths: Vec<PathBuf>,
    /// One more file
    #[arg(long)]
    file: Option<PathBuf>,
    /// How findings are written
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// `warnings` makes warnings fail too
    #[arg(long, value_enum)]
    deny: Option<Deny>,
    /// When colours are written
    #[arg(long, value_enum, default_value = "auto")]
    color: Colours,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Human,
    Short,
    Json,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Deny {
    Warnings,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Colours {
    Auto,
    Always,
    Never,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let paths: Vec<PathBuf> = options.paths.iter().chain(&options.file).cloned().collect();
    let (sources, project) = match sources::load(&paths) {
        Ok(loaded) => loaded,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    let analysis = analyse(sources);
    let found: Vec<Diagnostic> = analysis.diagnostics.iter().filter_map(|it| counted_as(it, &project)).collect();
    let count = |severity: Severity| found.iter().filter(|it| it.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let text = match options.format {
        Format::Json => report(&analysis, &found, errors, warnings),
        Format::Short => found.iter().map(|it| render::short(&analysis.files, it) + "\n").collect(),
        Format::Human => human(&analysis, &found, colour(options.color), errors, warnings),
    };
    // A reader that closed the pipe has seen enough.
    let _ = std::io::stdout().write_all(text.as_bytes());
    let failed = errors > 0 || (options.deny == Some(Deny::Warnings) && warnings > 0);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The finding at the level that counts: the rule's own, or the one of dz.toml; lints are for `dz lint`.
fn counted_as(found: &Diagnostic, project: &Project) -> Option<Diagnostic> {
    let severity = match (found.severity, project.lints.get(found.rule).map(String::as_str)) {
        (Severity::Error, _) | (_, Some("deny")) => Severity::Error,
        (_, Some("allow")) | (Severity::Lint, None) => return None,
        _ => Severity::Warning,
    };
    Some(Diagnostic { severity, ..found.clone() })
}

fn colour(wanted: Colours) -> render::Colour {
    let on = match wanted {
        Colours::Always => true,
        Colours::Never => false,
        Colours::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty()),
    };
    if on { render::Colour::Always } else { render::Colour::Never }
}

fn human(analysis: &Analysis, found: &[Diagnostic], colour: render::Colour, errors: usize, warnings: usize) -> String {
    let mut text: String = found.iter().map(|it| render::human(&analysis.files, it, colour) + "\n\n").collect();
    let files = analysis.files.files().count();
    text.push_str(&format!("{}, {} in {}\n", counted(errors, "error"), counted(warnings, "warning"), counted(files, "file")));
    text
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn report(analysis: &Analysis, found: &[Diagnostic], errors: usize, warnings: usize) -> String {
    let diagnostics: Vec<_> = found
        .iter()
        .map(|it| {
            let file = analysis.files.file(it.span.file);
            let ((line, column), (end_line, end_column)) = (file.line_column(it.span.start), file.line_column(it.span.end));
            json!({
                "rule": it.rule, "severity": it.severity.as_str(), "file": file.name, "line": line, "column": column,
                "end_line": end_line, "end_column": end_column, "message": it.message, "help": it.help,
            })
        })
        .collect();
    json!({ "diagnostics": diagnostics, "errors": errors, "warnings": warnings }).to_string() + "\n"
}
