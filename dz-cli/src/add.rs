//! `dz add`

mod block;
mod place;

use std::{
    io::{stderr, stdout},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use dz_dsl_file::{Analysis, Diagnostic, FileId, Severity, SourceMap, analyse, format};

use crate::{
    findings::{Findings, Format, level},
    output::{Coloured, fail, put},
    sources::{Files, Sources},
    write,
};

/// The kinds of blocks that `dz add` adds.
#[derive(Subcommand)]
pub enum Add {
    /// Adds an entity
    Entity(block::Entity),
    /// Adds a field to an entity
    Field(block::Field),
    /// Adds a page of an entity
    Surface(block::Surface),
    /// Adds an enumeration
    Enum(block::Enum),
    /// Adds a role: a persona, whose name rules use
    #[command(alias = "persona")]
    Role(block::Role),
}

/// Options of every kind of block.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// The file that gets the block; by default the one with the last block of this kind
    #[arg(long, value_name = "FILE")]
    into: Option<String>,
    #[command(flatten)]
    colours: Coloured,
}

/// A block to add.
struct Block {
    /// Its description in messages: ``entity `Invoice` ``.
    what: String,
    /// The text, formatted or not.
    text: String,
    /// Its place in the declaration.
    place: place::Wanted,
}

/// Runs the command.
pub fn run(add: &Add) -> ExitCode {
    match add_block(add) {
        Ok(code) => code,
        Err(message) => fail(message),
    }
}

fn add_block(add: &Add) -> Result<ExitCode, String> {
    let options = add.options();
    let sources = options.files.load()?;
    let before = analyse(sources.files.clone());
    let block = add.block(before.model.as_ref())?;
    let place = place::find(&sources, &before, &block.place, options.into.as_deref())?;
    let path = sources.place(place.file).ok_or("standard input cannot be changed; name the file with `--file`")?;
    let added = place.insert(&sources.files.file(place.file).text, &formatted(&block)?);
    let after = analyse(with_text(&sources.files, place.file, &added));
    let new = new_findings(&before, &after);
    let name = &sources.files.file(place.file).name;
    if new.iter().any(|it| is_refused(it, &sources)) {
        let refused: Vec<Diagnostic> = new.into_iter().filter(|it| is_refused(it, &sources)).collect();
        let refused: Vec<_> = refused.into_iter().map(|it| Diagnostic { severity: Severity::Error, ..it }).collect();
        let findings = Findings::new(&after.files, &refused, &sources.settings, false);
        put(stderr(), &findings.text(Format::Human, options.colours.on(&stderr()), None));
        return Err(format!("{name} is not changed, because the declaration would not be valid with this {}", block.what));
    }
    write::replace(path, name, &added)?;
    put(stdout(), &format!("added the {} to {name}\n", block.what));
    let findings = Findings::new(&after.files, &new, &sources.settings, false);
    if findings.count(Severity::Warning) > 0 {
        put(stderr(), &findings.text(Format::Human, options.colours.on(&stderr()), None));
    }
    Ok(ExitCode::SUCCESS)
}

/// The block in the layout of `dz fmt`.
fn formatted(block: &Block) -> Result<String, String> {
    let files = SourceMap::single("block", block.text.as_str());
    let (file, _) = files.files().next().ok_or("the block has no text")?;
    let text = format(&files, file).map_err(|found| {
        let first = found.first().map(|it| it.message.clone()).unwrap_or_default();
        format!("the {} cannot be read: {first}", block.what)
    })?;
    Ok(match block.place {
        // The line of the entity above the block already exists.
        place::Wanted::Within { .. } => text.lines().skip(1).map(|line| format!("{}\n", line.trim_start())).collect(),
        place::Wanted::After { .. } => text,
    })
}

/// The texts with another one in place of one of them.
fn with_text(files: &SourceMap, changed: FileId, text: &str) -> SourceMap {
    let mut all = SourceMap::default();
    for (id, file) in files.files() {
        all.add(file.name.as_str(), if id == changed { text } else { file.text.as_str() });
    }
    all
}

/// The findings that the change adds.
fn new_findings(before: &Analysis, after: &Analysis) -> Vec<Diagnostic> {
    let known = |it: &&Diagnostic| before.diagnostics.iter().any(|old| old.rule == it.rule && old.message == it.message);
    after.diagnostics.iter().filter(|it| !known(it)).cloned().collect()
}

/// True for an error, and for a name in the wrong case.
fn is_refused(found: &Diagnostic, sources: &Sources) -> bool {
    let severity = level(found, &sources.settings, true);
    severity == Some(Severity::Error) || (found.rule == "naming" && severity.is_some())
}
