//! `dz fmt`

use std::{
    io::{stderr, stdout},
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::{FileId, SourceFile, format, render};
use similar::TextDiff;

use crate::{
    output::{Coloured, counted, fail, put},
    sources::{Named, Sources},
    write,
};

/// Options of `dz fmt`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// Prints the changes as a diff, writes no file, and fails if there are any
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    colours: Coloured,
}

/// The numbers of files by result.
#[derive(Default)]
struct Tally {
    changed: usize,
    refused: usize,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    let mut tally = Tally::default();
    for (id, file) in sources.files.files() {
        if let Err(message) = lay_out(options, &sources, id, file, &mut tally) {
            return fail(message);
        }
    }
    let files = counted(sources.files.files().count(), "file");
    let refused = if tally.refused > 0 { format!(", {} refused", tally.refused) } else { String::new() };
    if options.check {
        put(stderr(), &format!("{} of {files} would change{refused}\n", tally.changed));
    } else if !sources.has_stdin() {
        put(stdout(), &format!("{} of {files} rewritten{refused}\n", tally.changed));
    }
    let failed = tally.refused > 0 || (options.check && tally.changed > 0);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn lay_out(options: &Options, sources: &Sources, id: FileId, file: &SourceFile, tally: &mut Tally) -> Result<(), String> {
    let text = match format(&sources.files, id) {
        Ok(text) => text,
        Err(found) => {
            let colour = options.colours.on(&stderr());
            let shown: String = found.iter().map(|it| render::human(&sources.files, it, colour) + "\n\n").collect();
            put(stderr(), &shown);
            tally.refused += 1;
            return Ok(());
        }
    };
    tally.changed += usize::from(text != file.text);
    match sources.place(id) {
        _ if options.check => put(stdout(), &diff(file, &text, options.colours.on(&stdout()))),
        None => put(stdout(), &text),
        Some(path) if text != file.text => {
            write::replace(path, &file.name, &text)?;
            put(stdout(), &format!("{}\n", file.name));
        }
        Some(_) => {}
    }
    Ok(())
}

/// A unified diff, or an empty text.
fn diff(file: &SourceFile, text: &str, colour: render::Colour) -> String {
    let diff = TextDiff::from_lines(file.text.as_str(), text);
    let unified = diff.unified_diff().header(&file.name, &file.name).to_string();
    if colour == render::Colour::Never {
        return unified;
    }
    let painted = |line: &str| match line.chars().next() {
        Some('+') => format!("\x1b[32m{line}\x1b[0m\n"),
        Some('-') => format!("\x1b[31m{line}\x1b[0m\n"),
        Some('@') => format!("\x1b[36m{line}\x1b[0m\n"),
        _ => format!("{line}\n"),
    };
    unified.lines().map(painted).collect()
}
