//! `dz lsp`: the Language Server Protocol over standard input and output, one file for each kind of request.

mod block;
mod call_hierarchy;
mod code_actions;
mod completion;
mod context;
mod definition;
mod diagnostics;
mod document;
mod failure;
mod folding;
mod formatting;
mod hover;
mod initialize;
mod inlay_hints;
mod lenses;
mod names;
mod position;
mod projects;
mod references;
mod rename;
mod requests;
mod selection;
mod semantic_tokens;
mod server;
mod signature;
mod state;
mod symbols;
mod transport;
mod unit;
mod words;

use std::process::ExitCode;

use clap::Args;

use crate::sources::Files;

/// Options of `dz lsp`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// Standard input and output, which are always used; clients pass it
    #[arg(long)]
    stdio: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    // `--stdio` selects the only transport.
    let Options { files, stdio: _ } = options;
    server::Server::new(files).run()
}
