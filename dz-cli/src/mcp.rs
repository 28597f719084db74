//! `dz mcp`: the knowledge graph for agents, over the Model Context Protocol.

mod http;
mod library;
mod message;
mod prompts;
mod server;
mod stdio;

use std::{
    process::ExitCode,
    sync::{Arc, Mutex},
};

use clap::Args;

use self::server::Server;
use crate::{knowledge::Project, output::fail, sources::Files};

/// Options of `dz mcp`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// Serves streamable HTTP at `/mcp` on this port of 127.0.0.1, in place of standard input and output
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "8420", value_parser = http::address)]
    http: Option<u16>,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let mut project = match options.files.listing().and_then(Project::open) {
        Ok(project) => project,
        Err(message) => return fail(message),
    };
    if options.http.is_some() {
        project.confine();
    }
    let server = Server::new(Arc::new(Mutex::new(project)));
    let mut builder = tokio::runtime::Builder::new_current_thread();
    // Calls are answered one after another, in their order.
    builder.enable_all().max_blocking_threads(1);
    let runtime = match builder.build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(format!("no runtime: {error}")),
    };
    let served = runtime.block_on(async {
        match options.http {
            Some(port) => http::serve(server, port).await,
            None => stdio::serve(server).await,
        }
    });
    // The thread that reads standard input may be waiting for a line.
    runtime.shutdown_background();
    served.map_or_else(|error| fail(format!("the server ended: {error}")), |()| ExitCode::SUCCESS)
}
