//! The program that docs/running.md shows.
#![allow(dead_code, reason = "it is compiled, and not started")]

use crate::leave::app;

fn main() -> std::process::ExitCode {
    tracing_subscriber::fmt().json().log_internal_errors(false).init();
    app().main()
}
