//! An application of computed fields, kept rows and rules over references, with which its ejected backend is compared.

dz::include_dsl!("app.dsl");

fn main() -> std::process::ExitCode {
    app().main()
}
