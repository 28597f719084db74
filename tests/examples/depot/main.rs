//! An application of amounts of money, long decimals, keys that are numbers and texts, and an audit log of some rows, with which its
//! ejected backend is compared.

dz::include_dsl!("app.dsl");

fn main() -> std::process::ExitCode {
    app().main()
}
