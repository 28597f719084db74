//! A survey office's projects and tasks, from one declaration.
//!
//! `cargo run --example tasks` makes an SQLite database with demo data beside it and prints the address and
//! the sign-ins.

mod fieldwork;

fn main() -> std::process::ExitCode {
    fieldwork::fieldwork().main()
}
