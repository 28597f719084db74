//! `backup` and `restore`.

use std::path::Path;

use super::{App, Outcome};
use crate::{
    Result,
    app::backup::{Manifest, Source},
    output::print_line,
};

/// `backup FOLDER`
pub(super) fn back_up(app: App, words: &[&str]) -> Result<Outcome> {
    let ([folder], json) = split_format(words) else {
        return Ok(Outcome::Usage("`backup` needs a new folder: `backup FOLDER [--format json]`".to_owned()));
    };
    let manifest = Source::new(app)?.back_up(Path::new(folder))?;
    report("backed up to", folder, &manifest, json)
}

/// `restore FOLDER [--check]`
pub(super) fn restore(app: App, words: &[&str]) -> Result<Outcome> {
    let (words, json) = split_format(words);
    match words {
        [folder] => {
            let manifest = Source::new(app)?.restore(Path::new(folder))?;
            report("restored from", folder, &manifest, json)
        }
        [folder, "--check"] | ["--check", folder] => {
            let manifest = Source::new(app)?.check(Path::new(folder))?;
            report("verified", folder, &manifest, json)
        }
        _ => Ok(Outcome::Usage("`restore` needs the folder of a backup: `restore FOLDER [--check] [--format json]`".to_owned())),
    }
}

/// Splits off `--format json` at the end.
fn split_format<'a, 'b>(words: &'a [&'b str]) -> (&'a [&'b str], bool) {
    match words {
        [words @ .., "--format", "json"] => (words, true),
        words => (words, false),
    }
}

fn report(done: &str, folder: &str, manifest: &Manifest, json: bool) -> Result<Outcome> {
    if json {
        print_line!("{}", serde_json::to_string(manifest).map_err(crate::Error::internal)?)?;
    } else {
        let rows: u64 = manifest.tables.values().sum();
        let rows = if manifest.tables.is_empty() { String::new() } else { format!(", {rows} rows") };
        print_line!("{done} {folder}: {} files, {} bytes{rows}, of {}", manifest.files.len(), manifest.bytes(), manifest.created_at)?;
    }
    Ok(Outcome::Done)
}
