//! `dz specs`

use std::{fs, io::stderr, io::stdout, path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use dz_dsl_file::{Severity, analyse, emit::openapi};

use crate::{
    findings::{Findings, Show},
    output::{fail, put},
    sources::Named,
};

/// The subcommands of `dz specs`.
#[derive(Subcommand)]
pub enum Specs {
    /// Writes the OpenAPI 3.1 document of the application's JSON API
    Openapi(Options),
}

/// Options of `dz specs openapi`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// Writes to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Writes YAML instead of JSON
    #[arg(long)]
    yaml: bool,
    #[command(flatten)]
    show: Show,
}

/// Runs the command.
pub fn run(Specs::Openapi(options): &Specs) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    let analysis = analyse(sources.files);
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, false);
    let Some(model) = analysis.model.as_ref().filter(|_| findings.count(Severity::Error) == 0) else {
        // Standard output contains only the document.
        put(stderr(), &findings.text(options.show.format, options.show.colours.on(&stderr()), None));
        return ExitCode::FAILURE;
    };
    let text = if options.yaml { openapi::yaml(model) } else { openapi::json(model) };
    match &options.output {
        None => put(stdout(), &text),
        Some(path) => {
            if let Err(error) = fs::write(path, text) {
                return fail(format!("{} cannot be written: {error}", path.display()));
            }
        }
    }
    ExitCode::SUCCESS
}
