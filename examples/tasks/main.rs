//! A survey office's projects and tasks, from one declaration.
//!
//! `cargo run --example tasks` creates an SQLite database with demo data in this folder, and prints the address and the sign-ins.

mod fieldwork;

fn main() -> std::process::ExitCode {
    fieldwork::fieldwork().main()
}
