//! The command `dz`: what the macros say of a declaration, without compiling Rust.

mod sources;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "dz", version, about = "Validates dz declarations")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reports every error and warning of a declaration; exit code 0 when there is no error, 1 when there is
    /// (or a file cannot be read), 2 for wrong use
    Validate(validate::Options),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Validate(options) => validate::run(&options),
    }
}
