//! Repairs: the replacements that findings come with, put into the texts.

use dz_dsl_file::{Analysis, Diagnostic, FileId, Severity, SourceMap, Span, analyse, propose};

use crate::{output::Findings, sources::Sources};

/// Repairs may show what else can be repaired; nobody waits for two that undo each other.
const ROUNDS: usize = 10;

/// What became of texts.
pub struct Repaired {
    /// The texts after the repairs, with what is still found in them.
    pub analysis: Analysis,
    /// How many repairs were made.
    pub repairs: usize,
    /// How many repairs were left at the end because they would have left more errors.
    pub refused: usize,
}

/// Makes all repairs that do not touch each other, and again, until there are none. Those that would leave more
/// errors than there were are not made.
pub fn repair(sources: &Sources) -> Repaired {
    let mut it = Repaired { analysis: analyse(sources.files.clone()), repairs: 0, refused: 0 };
    propose(&mut it.analysis);
    for _ in 0..ROUNDS {
        let findings = Findings::new(&it.analysis.files, &it.analysis.diagnostics, &sources.project, true);
        let wanted = apart(findings.iter());
        let made = made(&it.analysis, &wanted);
        it.refused = wanted.len() - made.len();
        if made.is_empty() {
            break;
        }
        it.repairs += made.len();
        it.analysis = analyse(replaced(&it.analysis.files, &made));
        propose(&mut it.analysis);
    }
    it
}

/// The replacements that leave no more errors: all of them, or else each that does so together with those before it.
fn made<'a>(analysis: &Analysis, wanted: &[(Span, &'a str)]) -> Vec<(Span, &'a str)> {
    let after = |replacements: &[(Span, &str)]| errors(&analyse(replaced(&analysis.files, replacements)));
    let mut least = errors(analysis);
    if wanted.is_empty() || after(wanted) <= least {
        return wanted.to_vec();
    }
    let mut made = Vec::new();
    for replacement in wanted {
        made.push(*replacement);
        let now = after(&made);
        if now > least {
            made.pop();
        } else {
            least = now;
        }
    }
    made
}

fn errors(analysis: &Analysis) -> usize {
    analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).count()
}

/// The replacements in order of their places; of those that touch the same text, the first.
fn apart<'a>(findings: impl Iterator<Item = &'a Diagnostic>) -> Vec<(Span, &'a str)> {
    let mut all: Vec<(Span, &str)> = findings.filter_map(|it| it.replacement.as_ref()).map(|(span, text)| (*span, text.as_str())).collect();
    all.sort_by_key(|(span, _)| (span.file, span.start, span.end));
    let mut kept: Vec<(Span, &str)> = Vec::new();
    for (span, text) in all {
        let free = kept.last().is_none_or(|(last, _)| {
            let behind = last.end < span.start || (last.end == span.start && last.start < last.end && span.start < span.end);
            last.file != span.file || behind
        });
        if free {
            kept.push((span, text));
        }
    }
    kept
}

/// The texts with replacements that are in order and apart.
fn replaced(files: &SourceMap, replacements: &[(Span, &str)]) -> SourceMap {
    let mut map = SourceMap::default();
    for (id, file) in files.files() {
        map.add(file.name.as_str(), replaced_in(&file.text, id, replacements));
    }
    map
}

fn replaced_in(text: &str, file: FileId, replacements: &[(Span, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (span, replacement) in replacements.iter().filter(|(span, _)| span.file == file) {
        out.push_str(text.get(at..span.start as usize).unwrap_or_default());
        out.push_str(replacement);
        at = span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
