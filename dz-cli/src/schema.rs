//! `dz schema`

use std::{
    io::{stderr, stdout},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use dz_dsl_file::{analyse, emit::graphql, render};

use crate::{
    output::{Findings, Format, Shape, fail, put},
    sources::Named,
};

/// The subcommands of `dz schema`.
#[derive(Subcommand)]
pub enum Schema {
    /// Shows the schema that dz generates from the declaration
    Inspect(Options),
}

/// Options of `dz schema inspect`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// Shows the GraphQL schema
    #[arg(long, required = true)]
    schema: bool,
    /// `human`: the schema definition language; `json`: a summary
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

/// Runs the command.
pub fn run(Schema::Inspect(options): &Schema) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    let analysis = analyse(sources.files);
    let Some(model) = analysis.model.as_ref().filter(|_| !analysis.has_errors()) else {
        let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, false);
        put(stderr(), &findings.text(Format::Human, render::Colour::Never, None));
        return ExitCode::FAILURE;
    };
    let schema = graphql::schema(model);
    let text = match options.format {
        Shape::Human => schema.sdl(),
        Shape::Json => match serde_json::to_string_pretty(&schema.summary()) {
            Ok(text) => text + "\n",
            Err(error) => return fail(format!("the summary cannot be written: {error}")),
        },
    };
    put(stdout(), &text);
    ExitCode::SUCCESS
}
