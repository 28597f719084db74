//! `dz access`

use std::{
    fs,
    io::stdout,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::emit::access::{Cell, Matrix, RoleScope, matrix};
use similar::TextDiff;

use crate::{
    output::{Shape, fail, put},
    sources::Named,
};

/// Options of `dz access`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// The format of the matrix
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
    /// Writes the matrix as JSON to this file, which belongs beside the declaration
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    write: Option<PathBuf>,
    /// Fails if the matrix differs from this file, and shows the differences
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let model = match options.named.load_model() {
        Ok(model) => model,
        Err(code) => return code,
    };
    let matrix = matrix(&model);
    if let Some(path) = &options.check {
        return check(path, &matrix.json());
    }
    if let Some(path) = &options.write {
        return match fs::write(path, matrix.json()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(format!("{} cannot be written: {error}", path.display())),
        };
    }
    put(stdout(), &if options.format == Shape::Json { matrix.json() } else { human(&matrix) });
    ExitCode::SUCCESS
}

/// Compares the declaration with the lock file.
fn check(path: &Path, now: &str) -> ExitCode {
    let name = path.display();
    let kept = match fs::read_to_string(path) {
        Ok(kept) => kept,
        Err(error) => return fail(format!("{name} cannot be read: {error}; write it with `dz access --write {name}`")),
    };
    if kept == now {
        return ExitCode::SUCCESS;
    }
    let diff = TextDiff::from_lines(kept.as_str(), now);
    put(stdout(), &diff.unified_diff().context_radius(6).header(&name.to_string(), "as declared now").to_string());
    fail(format!("the access rules have changed; if this is intended, write the lock file with `dz access --write {name}`"))
}

/// A block for each entity, and a line for each action and caller. Callers without a permission are omitted; an entity that denies
/// every caller has a line for that.
fn human(matrix: &Matrix) -> String {
    let mut text = String::new();
    let mut entity = "";
    let rows = matrix.rows.iter().filter(|row| !matrix.closed.contains(&row.entity));
    let width = matrix.callers.iter().map(|caller| caller.chars().count()).max().unwrap_or_default();
    for row in rows {
        if row.entity != entity {
            let roles = if row.roles == Some(RoleScope::System) { " (only roles for the whole system count)" } else { "" };
            text.push_str(&format!("{}{}{roles}\n", if entity.is_empty() { "" } else { "\n" }, row.entity));
            entity = &row.entity;
        }
        text.push_str(&format!("  {}\n", row.action));
        let mut told = false;
        for (caller, cell) in matrix.callers.iter().zip(&row.cells) {
            let says = match cell {
                Cell::No => continue,
                Cell::Yes if row.action == "create" => "any new row",
                Cell::Yes => "every row",
                Cell::When(condition) => condition,
            };
            told = true;
            text.push_str(&format!("    {caller:width$}  {says}\n"));
        }
        if !told {
            text.push_str("    no caller\n");
        }
    }
    for name in &matrix.closed {
        text.push_str(&format!(
            "{}{name}\n  no rule permits an action, so every caller is denied\n",
            if text.is_empty() { "" } else { "\n" }
        ));
    }
    text
}
