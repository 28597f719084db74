//! A group of veterinary practices, from one declaration and a little Rust.
//!
//! `cargo run --example clinic` creates an SQLite database with demo data in this folder, and prints the address and the sign-ins.

mod clinic;

fn main() -> std::process::ExitCode {
    clinic::clinic().main()
}
