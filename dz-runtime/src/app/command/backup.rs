//! `backup` and `restore`.

use super::{App, Outcome};
use crate::{
    Error, Result,
    app::backup::{Manifest, Source},
    config::StoragePlace,
    output::{Progress, print_line},
};

/// `backup FOLDER`
pub(super) fn back_up(app: App, words: &[&str]) -> Result<Outcome> {
    let ([folder], json) = split_format(words) else {
        return Ok(Outcome::Usage("`backup` needs a new folder: `backup FOLDER|s3://… [--format json]`".to_owned()));
    };
    let _progress = Progress::unless_json(json);
    let manifest = Source::new(app)?.back_up(&place(folder)?)?;
    report("backed up to", folder, &manifest, json)
}

/// `restore FOLDER [--check]`
pub(super) fn restore(app: App, words: &[&str]) -> Result<Outcome> {
    let (words, json) = split_format(words);
    let _progress = Progress::unless_json(json);
    match words {
        [folder] => {
            let manifest = Source::new(app)?.restore(&place(folder)?)?;
            report("restored from", folder, &manifest, json)
        }
        [folder, "--check"] | ["--check", folder] => {
            let manifest = Source::new(app)?.check(&place(folder)?)?;
            report("verified", folder, &manifest, json)
        }
        _ => Ok(Outcome::Usage("`restore` needs the folder of a backup: `restore FOLDER|s3://… [--check] [--format json]`".to_owned())),
    }
}

/// A folder or a bucket.
fn place(text: &str) -> Result<StoragePlace> {
    let wrong = || Error::bad_request(format!("`{text}` is the address of no bucket; write `s3://bucket/prefix`, or the path of a folder"));
    StoragePlace::parse(text).ok_or_else(wrong)
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
