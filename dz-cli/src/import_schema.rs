//! `dz import-schema`

mod accept;
mod declare;
mod found;
mod naming;
mod postgres;
mod sql;
mod sqlite;
mod types;

use std::{
    fs,
    io::{ErrorKind, Write, stderr, stdout},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::names::snake;

use crate::output::{counted, fail, put};

/// Options of `dz import-schema`.
#[derive(Args)]
pub struct Options {
    /// The database: `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/NAME`
    url: String,
    /// Writes to this file, which must not exist, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The name of the application; by default that of the database
    #[arg(long)]
    name: Option<String>,
    /// The schema of a PostgreSQL database
    #[arg(long, default_value = "public")]
    schema: String,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    match import(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(message),
    }
}

fn import(options: &Options) -> Result<(), String> {
    let database = read(options)?;
    if database.tables.is_empty() {
        return Err("the database has no tables".to_owned());
    }
    let name = options.name.clone().unwrap_or_else(|| snake(&database.name));
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let name = if naming::is_identifier(&name) { name } else { "app".to_owned() };
    let mut declared = declare::declaration(&database, &name);
    let text = accept::text(&mut declared)?;
    match &options.output {
        None => put(stdout(), &text),
        Some(path) => {
            let shown = path.display();
            let mut file = fs::File::create_new(path).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => format!("{shown} exists; choose another file, or remove it"),
                _ => format!("{shown} cannot be written: {error}"),
            })?;
            file.write_all(text.as_bytes()).map_err(|error| format!("{shown} cannot be written: {error}"))?;
        }
    }
    let columns = database.tables.iter().map(|table| table.columns.len()).sum();
    let read = format!("read {} with {}", counted(database.tables.len(), "table"), counted(columns, "column"));
    let lines: String = declared.left_out.iter().map(|it| format!("  {it}\n")).collect();
    let left_out = match declared.left_out.len() {
        0 => "; everything is in the declaration\n".to_owned(),
        count => {
            format!("; {} not in the declaration:\n{lines}", if count == 1 { "1 part is".to_owned() } else { format!("{count} parts are") })
        }
    };
    put(stderr(), &(read + &left_out));
    Ok(())
}

fn read(options: &Options) -> Result<found::Database, String> {
    match options.url.split_once("://") {
        Some(("sqlite", path)) => sqlite::read(path),
        Some(("postgres" | "postgresql", _)) => postgres::read(&options.url, &options.schema),
        _ => Err("the address of a database begins with `sqlite://` or `postgres://`".to_owned()),
    }
}
