//! `dz lint`

use std::{
    io::{stderr, stdout},
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::{Diagnostic, Repaired, analyse, propose, repair};

use crate::{
    findings::{Findings, Show, level},
    locale,
    output::{counted, fail, put},
    sources::{Named, Sources},
    write,
};

/// Options of `dz lint`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// Makes the edits that cannot change the meaning; a text from standard input is written to standard output
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    show: Show,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let sources = match options.named.load() {
        Ok(sources) => sources,
        Err(message) => return fail(message),
    };
    if options.fix {
        return fix(options, &sources);
    }
    let languages = match locale::files(&sources) {
        Ok(languages) => languages,
        Err(message) => return fail(message),
    };
    let mut analysis = analyse(sources.files);
    propose(&mut analysis);
    let found = locale::check(analysis.model.as_ref(), languages, &mut analysis.files);
    analysis.diagnostics.extend(found);
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, true);
    put(stdout(), &findings.text(options.show.format, options.show.colours.on(&stdout()), None));
    findings.code(&options.show)
}

fn fix(options: &Options, sources: &Sources) -> ExitCode {
    let wanted = |found: &Diagnostic| level(found, &sources.settings, true).is_some();
    let Repaired { mut analysis, repairs, refused } = repair(sources.files.clone(), wanted);
    propose(&mut analysis);
    let texts = sources.files.files().zip(analysis.files.files());
    for ((file, before), (_, after)) in texts.filter(|((_, before), (_, after))| before.text != after.text) {
        if let Some(path) = sources.place(file)
            && let Err(message) = write::replace(path, &before.name, &after.text)
        {
            return fail(message);
        }
    }
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &sources.settings, true);
    let show = &options.show;
    if sources.has_stdin() {
        let piped = analysis.files.files().filter(|(file, _)| sources.place(*file).is_none());
        piped.for_each(|(_, file)| put(stdout(), &file.text));
        put(stderr(), &findings.text(show.format, show.colours.on(&stderr()), Some(repairs)));
    } else {
        put(stdout(), &findings.text(show.format, show.colours.on(&stdout()), Some(repairs)));
    }
    if refused > 0 {
        put(stderr(), &format!("not made, because the result would have more errors: {}\n", counted(refused, "repair")));
    }
    findings.code(show)
}
