//! `dz kg`

use std::{
    io::{IsTerminal, Read, stdin, stdout},
    process::ExitCode,
};

use clap::Args;
use dz_knowledge::{Failure, Fault, OPERATIONS};
use serde_json::{Value, json};

use crate::{knowledge::Project, output::put, sources::Files};

/// Options of `dz kg`.
#[derive(Args)]
#[command(after_help = operations())]
pub struct Options {
    /// The operation, such as `query`
    operation: String,
    /// Its parameters as a JSON object; `-` for standard input
    #[arg(default_value = "{}")]
    parameters: String,
    #[command(flatten)]
    files: Files,
}

/// The operations with their parameters, for the help.
fn operations() -> String {
    let mut text = "Operations:\n".to_owned();
    for it in OPERATIONS {
        let parameters: Vec<String> =
            it.parameters.iter().map(|it| if it.required { it.name.to_owned() } else { format!("[{}]", it.name) }).collect();
        text.push_str(&format!("  {:14} {}\n                 {}\n", it.name, parameters.join(" "), it.summary));
    }
    text
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let (answer, code) = match call(options) {
        Ok(answer) => (answer, ExitCode::SUCCESS),
        Err(failure) => {
            let code = if failure.fault == Fault::Usage { ExitCode::from(2) } else { ExitCode::FAILURE };
            (json!({ "error": failure.message }), code)
        }
    };
    let text = if stdout().is_terminal() { format!("{answer:#}\n") } else { format!("{answer}\n") };
    put(stdout(), &text);
    code
}

fn call(options: &Options) -> Result<Value, Failure> {
    let text = match options.parameters.as_str() {
        "-" => {
            let mut text = String::new();
            stdin().lock().read_to_string(&mut text).map_err(|_| Failure::usage("standard input is not UTF-8"))?;
            text
        }
        text => text.to_owned(),
    };
    let parameters: Value = serde_json::from_str(&text).map_err(|error| Failure::usage(format!("the parameters are not JSON: {error}")))?;
    let listing = options.files.listing().map_err(Failure::content)?;
    let mut project = Project::open(listing).map_err(Failure::content)?;
    project.call(&options.operation, &parameters)
}
