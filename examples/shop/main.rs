//! A shop: orders, stock, payments by a stub, a report of each day, a page and a command.
//!
//! `cargo run --example shop` creates an SQLite database with demo data in this folder, and prints the address and the sign-ins.

mod shop;

fn main() -> std::process::ExitCode {
    shop::shop().main()
}
