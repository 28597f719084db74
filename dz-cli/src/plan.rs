//! `dz plan`

use std::{io::stdout, process::ExitCode};

use clap::Args;
use dz_dsl_file::{
    analyse,
    emit::schema::{Purpose, Schema},
    render,
};

use crate::{
    output::{Findings, Format, Shape, fail, put},
    sources::Named,
};

/// Options of `dz plan`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// The format of the indexes
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    let analysis = analyse(sources.files);
    let Some(model) = analysis.model.as_ref().filter(|_| !analysis.has_errors()) else {
        let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, false);
        put(std::io::stderr(), &findings.text(Format::Human, render::Colour::Never, None));
        return ExitCode::FAILURE;
    };
    let purposes = Schema::from_model(model).purposes(model);
    let text = match options.format {
        Shape::Json => match serde_json::to_string_pretty(&purposes) {
            Ok(text) => text + "\n",
            Err(error) => return fail(format!("the indexes cannot be written: {error}")),
        },
        Shape::Human => human(&purposes),
    };
    put(stdout(), &text);
    ExitCode::SUCCESS
}

/// One paragraph for each table, with one line for each index and its reasons below the line.
fn human(purposes: &[Purpose]) -> String {
    let mut text = String::new();
    let mut table = "";
    for purpose in purposes {
        if table != purpose.table {
            table = &purpose.table;
            text.push_str(&format!("{}{table}\n", if text.is_empty() { "" } else { "\n" }));
        }
        text.push_str(&format!("  {}\n", purpose.index));
        for why in &purpose.why {
            text.push_str(&format!("    {why}\n"));
        }
    }
    text
}
