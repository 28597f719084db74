//! The program: `serve`, `migrate`, `user` and the other commands of the application.

fn main() -> std::process::ExitCode {
    {{crate}}::application().main()
}
