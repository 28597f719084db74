//! The command `dz`: it checks, formats and explains declarations without compiling Rust, and generates other files from them.

mod access;
mod add;
mod completions;
#[cfg(feature = "dev")]
mod dev;
mod docs;
mod doctor;
mod eject;
mod explain;
mod findings;
mod fmt;
#[cfg(feature = "import")]
mod import_schema;
mod kg;
mod knowledge;
mod lint;
mod locale;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod migrate;
mod new;
mod output;
mod plan;
mod schema;
mod sources;
mod specs;
mod stubs;
mod validate;
mod write;

use std::{ffi::OsString, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "dz", version, about = "Validates, repairs, formats and explains dz declarations, and writes files for other tools")]
#[command(after_help = "Exit codes: 0 success, 1 findings, an unknown name or a file that cannot be read, 2 an invalid command line.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Creates an application: a package that builds, runs and passes its tests
    New(new::Options),
    /// Adds a block to the declaration
    #[command(subcommand)]
    Add(add::Add),
    /// Serves the application, and rebuilds and reloads it after every change
    #[cfg(feature = "dev")]
    Dev(dev::Options),
    /// Writes a declaration for the tables of an existing database
    #[cfg(feature = "import")]
    ImportSchema(import_schema::Options),
    /// Reports every error and warning of a declaration
    Validate(validate::Options),
    /// Reports errors, warnings and lints; with --fix, makes the edits that cannot change the meaning
    Lint(lint::Options),
    /// Formats declarations
    Fmt(fmt::Options),
    /// Lists the permissions of each role: entity, action and rows
    Access(access::Options),
    /// Lists the indexes of the database with the purpose of each
    Plan(plan::Options),
    /// Shows the GraphQL schema
    #[command(subcommand)]
    Schema(schema::Schema),
    /// Writes migrations of the database
    Migrate(migrate::Options),
    /// Explains a rule with a wrong and a right example
    Explain(explain::Options),
    /// Answers a question about the declaration and the language, as JSON
    Kg(kg::Options),
    /// Answers the same questions to agents over the Model Context Protocol
    #[cfg(feature = "mcp")]
    Mcp(mcp::Options),
    /// Serves editors over the Language Server Protocol: findings, completion, navigation, renaming, formatting
    #[cfg(feature = "lsp")]
    Lsp(lsp::Options),
    /// Writes documents for other tools
    #[command(subcommand)]
    Specs(specs::Specs),
    /// Writes the documentation of the application
    #[command(subcommand)]
    Docs(docs::Docs),
    /// Writes the application as plain code that does not depend on dz
    Eject(eject::Options),
    /// Writes the files with the texts of other languages
    #[command(subcommand)]
    Locale(locale::Locale),
    /// Writes files that the developer completes
    #[command(subcommand)]
    Stubs(stubs::Stubs),
    /// Reports problems of the project and its environment
    Doctor(doctor::Options),
    /// Prints the script that completes commands in a shell
    Completions(completions::Completions),
    /// Prints the manual page, or writes a page for each command
    Man(completions::Man),
}

/// The arguments. `dz new --` gets `--` as the name of a project, which is then refused as an invalid name.
fn arguments() -> Vec<OsString> {
    let mut all: Vec<OsString> = std::env::args_os().collect();
    if all.get(1).is_some_and(|it| it == "new") && all.len() == 3 && all[2] == "--" {
        all.push("--".into());
    }
    all
}

fn main() -> ExitCode {
    match Cli::parse_from(arguments()).command {
        Command::New(options) => new::run(&options),
        Command::Add(add) => add::run(&add),
        #[cfg(feature = "dev")]
        Command::Dev(options) => dev::run(&options),
        #[cfg(feature = "import")]
        Command::ImportSchema(options) => import_schema::run(&options),
        Command::Validate(options) => validate::run(&options),
        Command::Lint(options) => lint::run(&options),
        Command::Fmt(options) => fmt::run(&options),
        Command::Access(options) => access::run(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Schema(schema) => schema::run(&schema),
        Command::Migrate(options) => migrate::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Kg(options) => kg::run(&options),
        #[cfg(feature = "mcp")]
        Command::Mcp(options) => mcp::run(&options),
        #[cfg(feature = "lsp")]
        Command::Lsp(options) => lsp::run(&options),
        Command::Specs(specs) => specs::run(&specs),
        Command::Docs(docs) => docs::run(&docs),
        Command::Eject(options) => eject::run(&options),
        Command::Locale(locale) => locale::run(&locale),
        Command::Stubs(stubs) => stubs::run(&stubs),
        Command::Doctor(options) => doctor::run(&options),
        Command::Completions(options) => completions::completions(&options, Cli::command()),
        Command::Man(options) => completions::man(&options, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cli, CommandFactory};

    /// The names of the commands without subcommands, and whether they have `--file`.
    fn commands(of: &clap::Command, name: &str) -> Vec<(String, bool)> {
        let inner: Vec<_> = of.get_subcommands().filter(|it| it.get_name() != "help").collect();
        if inner.is_empty() {
            return vec![(name.to_owned(), of.get_arguments().any(|it| it.get_long() == Some("file")))];
        }
        inner.iter().flat_map(|it| commands(it, format!("{name} {}", it.get_name()).trim())).collect()
    }

    #[test]
    fn every_command_that_reads_a_declaration_takes_a_file() {
        let all = commands(&Cli::command(), "");
        assert!(all.len() > 6, "{all:?}");
        let without: Vec<&str> = all.iter().filter(|(_, file)| !file).map(|(name, _)| name.as_str()).collect();
        // These write the first declaration, and the meaning of a rule or of a command does not depend on one.
        let mut expected = vec!["new", "import-schema", "explain", "completions", "man"];
        expected.retain(|it| cfg!(feature = "import") || *it != "import-schema");
        assert_eq!(without, expected, "{all:?}");
    }
    /// The lines of the documentation that begin with `dz`, without comments.
    fn documented() -> Vec<String> {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        let pages = pages.filter(|path| path.extension().is_some_and(|it| it == "md"));
        let texts =
            pages.chain(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name))).map(|path| std::fs::read_to_string(path).unwrap());
        let lines = |text: String| {
            let parts = text.split("```").map(str::to_owned).collect::<Vec<_>>();
            let blocks = parts.into_iter().filter_map(|block| block.strip_prefix("sh\n").map(str::to_owned));
            blocks
                .flat_map(|block| block.lines().map(|line| line.split(" #").next().unwrap().trim().to_owned()).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        texts.flat_map(lines).filter(|line| line.starts_with("dz ")).collect()
    }

    /// The words of a command; a text in quotes is one word.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                _ => words.last_mut().unwrap().push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn documented_commands_are_accepted() {
        let all = documented();
        assert!(all.len() > 10, "{all:?}");
        for line in all {
            if let Err(error) = <Cli as clap::Parser>::try_parse_from(words(&line)) {
                panic!("{line}: {error}");
            }
        }
    }
}
