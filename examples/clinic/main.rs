//! A group of veterinary clinics: one declaration, and hooks, a subscriber and a route in Rust.
//!
//! `cargo run --example clinic` creates an SQLite database with demo data in this folder, and prints the address and the sign-ins.

mod clinic;

fn main() -> std::process::ExitCode {
    clinic::clinic().main()
}
