//! `dz schema`

mod distribute;

use std::{io::stdout, process::ExitCode};

use clap::{Args, Subcommand};
use dz_dsl_file::emit::graphql;

use crate::{
    output::{Shape, fail, put},
    sources::Named,
};

/// The subcommands of `dz schema`.
#[derive(Subcommand)]
pub enum Schema {
    /// Shows the schema that dz generates from the declaration
    Inspect(Options),
    /// Writes the statements that distribute the tables by tenant over the nodes of a cluster
    Distribute(distribute::Options),
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
pub fn run(schema: &Schema) -> ExitCode {
    match schema {
        Schema::Inspect(options) => inspect(options),
        Schema::Distribute(options) => distribute::run(options),
    }
}

fn inspect(options: &Options) -> ExitCode {
    let model = match options.named.load_model() {
        Ok(model) => model,
        Err(code) => return code,
    };
    let schema = graphql::schema(&model);
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
