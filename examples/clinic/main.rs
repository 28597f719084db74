//! A group of veterinary practices, from one declaration and a little Rust.
//!
//! `cargo run --example clinic` makes an SQLite database with demo data beside it and prints the address and the sign-ins.

mod clinic;

fn main() -> std::process::ExitCode {
    clinic::clinic().main()
}
