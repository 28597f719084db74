//! `dz validate`

use std::{io::stdout, process::ExitCode};

use clap::Args;
use dz_dsl_file::{analyse, emit::schema::partitions};

use crate::{
    findings::{Findings, Show},
    locale,
    output::{fail, put},
    sources::Named,
};

/// Options of `dz validate`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    #[command(flatten)]
    show: Show,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    let languages = match locale::files(&sources) {
        Ok(languages) => languages,
        Err(message) => return fail(message),
    };
    let mut analysis = analyse(sources.files);
    let found = locale::check(analysis.model.as_ref(), languages, &mut analysis.files);
    analysis.diagnostics.extend(found);
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, false);
    put(stdout(), &findings.text(options.show.format, options.show.colours.on(&stdout()), None));
    let refusal = analysis.model.as_ref().filter(|_| !analysis.has_errors());
    match refusal.and_then(|model| partitions::refusal(model, &sources.settings.project)) {
        Some(refusal) => fail(refusal),
        None => findings.code(&options.show),
    }
}
