//! `dz plan`

use std::{io::stdout, process::ExitCode};

use clap::Args;
use dz_dsl_file::emit::schema::{Purpose, Schema};

use crate::{
    output::{Shape, fail, put},
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
    let model = match options.named.load_model() {
        Ok(model) => model,
        Err(code) => return code,
    };
    let purposes = Schema::from_model(&model).purposes(&model);
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
