//! `dz new`

use std::{
    fs,
    io::{self, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

use crate::output::{fail, put};

/// Options of `dz new`.
#[derive(Args)]
pub struct Options {
    /// The name of the package and of its folder: letters, digits, `-` and `_`
    #[arg(allow_hyphen_values = true, value_parser = no_option)]
    name: String,
    /// Takes dz from this folder, a checkout of dz, in place of crates.io
    #[arg(long, value_name = "DIR", conflicts_with = "git")]
    path: Option<PathBuf>,
    /// Takes dz from this git repository, in place of crates.io
    #[arg(long, value_name = "URL")]
    git: Option<String>,
}

/// A name such as `-x` is refused as a name, and a word such as `--x` as an unknown option, unless it follows `--`.
fn no_option(text: &str) -> Result<String, String> {
    let is_option = text.starts_with("--") && !std::env::args_os().any(|it| it == "--");
    if is_option { Err("an unknown option".to_owned()) } else { Ok(text.to_owned()) }
}

/// The files of a project, from the folder `template` of this crate.
const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../template/manifest.toml")),
    ("build.rs", include_str!("../template/build.rs")),
    ("src/lib.rs", include_str!("../template/lib.rs")),
    ("src/main.rs", include_str!("../template/main.rs")),
    ("tests/app.rs", include_str!("../template/tests.rs")),
    ("app.dsl", include_str!("../template/app.dsl")),
    ("dz.toml", include_str!("../template/dz.toml")),
    ("README.md", include_str!("../template/readme.md")),
    (".gitignore", include_str!("../template/gitignore")),
];

/// Words that cargo or rustc refuse as the name of a package, a crate or a program.
const RESERVED: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "diesel",
    "do",
    "dyn",
    "dz",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "rocket",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    match create_project(options) {
        Ok(()) => {
            let name = &options.name;
            put(
                stdout(),
                &format!("created {name}\n\n  cd {name}\n  cargo run      # serves the application\n  cargo test     # tests it\n"),
            );
            ExitCode::SUCCESS
        }
        Err(message) => fail(message),
    }
}

fn create_project(options: &Options) -> Result<(), String> {
    let name = options.name.as_str();
    check_name(name)?;
    let patch = source(options)?;
    let folder = Path::new(name);
    fs::create_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("`{name}` exists; choose another name, or remove it"),
        _ => format!("the folder `{name}` cannot be created: {error}"),
    })?;
    write_files(folder, name, &patch).inspect_err(|_| {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(folder);
    })
}

fn check_name(name: &str) -> Result<(), String> {
    let valid =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if !valid {
        return Err(format!(
            "`{}` cannot be the name of a package: write a letter, then letters, digits, `-` and `_`, such as `my-shop`",
            name.escape_debug()
        ));
    }
    if RESERVED.contains(&crate_name(name).as_str()) {
        return Err(format!("`{name}` cannot be the name of a package, because Rust or a dependency uses it; choose another name"));
    }
    Ok(())
}

/// The lines of the manifest that name another source of dz than crates.io.
fn source(options: &Options) -> Result<String, String> {
    let dependency = match (&options.path, &options.git) {
        (Some(path), _) => {
            let shown = path.display();
            let folder = path.canonicalize().map_err(|error| format!("{shown} cannot be read: {error}"))?;
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            if !manifest.lines().any(|line| line == "name = \"dz\"") {
                return Err(format!("{shown} is not a checkout of dz: its Cargo.toml must contain the package `dz`"));
            }
            format!("path = {}", quoted(&folder.display().to_string()))
        }
        (None, Some(url)) => format!("git = {}", quoted(url)),
        (None, None) => return Ok(String::new()),
    };
    Ok(format!("\n[patch.crates-io]\ndz = {{ {dependency} }}\n"))
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn write_files(folder: &Path, name: &str, patch: &str) -> Result<(), String> {
    for (path, template) in FILES {
        let mut text = fill(template, name);
        if *path == "Cargo.toml" {
            text.push_str(&additional_tables(folder, name));
            text.push_str(patch);
        }
        let path = folder.join(path);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, text)
        };
        write().map_err(|error: io::Error| format!("{} cannot be written: {error}", path.display()))?;
    }
    Ok(())
}

/// The text of a file of the project.
fn fill(template: &str, name: &str) -> String {
    let crate_name = crate_name(name);
    let title = name.replace(['-', '_'], " ");
    let title = title.chars().take(1).flat_map(char::to_uppercase).chain(title.chars().skip(1)).collect::<String>();
    let values = [
        ("{{name}}", name),
        ("{{app}}", &crate_name),
        ("{{crate}}", &crate_name),
        ("{{title}}", title.trim_end()),
        ("{{dz}}", env!("CARGO_PKG_VERSION")),
        ("{{rust}}", env!("CARGO_PKG_RUST_VERSION")),
    ];
    values.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

/// The name of the crate and of the application: an identifier in lower case.
fn crate_name(name: &str) -> String {
    name.replace('-', "_").to_lowercase()
}

/// The parts of the manifest that depend on the name and the folder.
fn additional_tables(folder: &Path, name: &str) -> String {
    let mut tables = String::new();
    if name.chars().any(|c| c.is_ascii_uppercase()) {
        tables.push_str(&format!("\n[lib]\nname = \"{}\"\n", crate_name(name)));
    }
    // Without this table cargo refuses a package in the folder of another package that does not list it.
    let place = folder.canonicalize().unwrap_or_default();
    if place.ancestors().skip(1).any(|it| it.join("Cargo.toml").is_file()) {
        tables.push_str("\n[workspace]\n");
    }
    tables
}
