//! Makes the certain edits, for `dz lint --fix`.

use std::collections::HashSet;

use super::{corpus::Corpus, keep_cause};
use crate::{Analysis, Diagnostic, FileId, Severity, SourceMap, Span, analyse};

/// Edits can reveal further ones. The limit ends a search in which two edits undo each other.
const ROUNDS: usize = 10;

/// The result of making edits.
pub struct Repaired {
    /// The texts after the edits, with the remaining findings.
    pub analysis: Analysis,
    /// The number of edits.
    pub repairs: usize,
    /// The number of edits that were not made because they would leave more errors.
    pub refused: usize,
}

/// An edit to make.
type Edit<'a> = (Span, &'a str);

/// Makes the certain edits of the findings for which `wanted` returns true, repeatedly until there are none. Edits that would
/// leave more errors are not made.
///
/// ```
/// use dz_dsl_file::{SourceMap, repair};
/// let wrong = "entity Task:\n  id: uuid pk\n  title: str(80) requird\n";
/// let repaired = repair(SourceMap::single("app.dsl", wrong), |_| true);
/// let (_, file) = repaired.analysis.files.files().next().unwrap();
/// assert_eq!(file.text, wrong.replace("requird", "required"));
/// ```
pub fn repair(files: SourceMap, wanted: impl Fn(&Diagnostic) -> bool) -> Repaired {
    let mut it = Repaired { analysis: analyse(files), repairs: 0, refused: 0 };
    for _ in 0..ROUNDS {
        keep_cause(&mut it.analysis);
        let corpus = Corpus::new(&it.analysis.files, &[]);
        let names = corpus.names();
        let edits = without_overlaps(
            it.analysis.diagnostics.iter().filter(|found| wanted(found) && !replaces_name(found, &it.analysis.files, &names)),
        );
        let Some((made, analysis)) = apply_edits(&it.analysis, &edits) else {
            it.refused = edits.len();
            break;
        };
        it.refused = edits.len() - made;
        it.repairs += made;
        it.analysis = analysis;
    }
    it
}

/// True if the edit would replace a word that the application declares elsewhere: the author may mean that name, in the wrong place.
fn replaces_name(found: &Diagnostic, files: &SourceMap, names: &HashSet<(&str, Span)>) -> bool {
    let Some(edit) = found.suggestion.as_ref().filter(|_| is_guess(found)) else { return false };
    let written = files.text(edit.span);
    names.iter().any(|(name, span)| *name == written && *span != edit.span)
}

/// True if the edit replaces an unknown name by the nearest known one.
fn is_guess(found: &Diagnostic) -> bool {
    found.rule.starts_with("unknown-") && found.help.as_ref().is_some_and(|help| help.starts_with("did you mean"))
}

/// The texts with the edits that leave no more errors, and the number of these edits: all of them, or else each that does so
/// together with earlier ones.
fn apply_edits(analysis: &Analysis, edits: &[Edit<'_>]) -> Option<(usize, Analysis)> {
    let after = |edits: &[Edit]| analyse(replaced(&analysis.files, edits));
    let mut least = errors(analysis);
    let all = Some(edits).filter(|edits| !edits.is_empty()).map(after)?;
    if errors(&all) <= least {
        return Some((edits.len(), all));
    }
    let mut made = Vec::new();
    let mut best = None;
    // A single edit was tried above.
    for edit in edits.iter().filter(|_| edits.len() > 1) {
        made.push(*edit);
        let now = after(&made);
        if errors(&now) > least {
            made.pop();
        } else {
            least = errors(&now);
            best = Some((made.len(), now));
        }
    }
    best
}

fn errors(analysis: &Analysis) -> usize {
    analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).count()
}

/// The certain edits sorted by place; of edits with overlapping places, the first.
fn without_overlaps<'a>(findings: impl Iterator<Item = &'a Diagnostic>) -> Vec<Edit<'a>> {
    let certain = findings.filter_map(|it| it.suggestion.as_ref()).filter(|it| it.is_certain());
    let mut all: Vec<Edit> = certain.map(|it| (it.span, it.text.as_str())).collect();
    all.sort_by_key(|(span, _)| (span.file, span.start, span.end));
    let mut kept: Vec<Edit> = Vec::new();
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

/// Applies edits, which are sorted and do not overlap.
fn replaced(files: &SourceMap, edits: &[Edit]) -> SourceMap {
    let mut map = SourceMap::default();
    for (id, file) in files.files() {
        map.add(file.name.as_str(), replaced_in(&file.text, id, edits));
    }
    map
}

fn replaced_in(text: &str, file: FileId, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (span, replacement) in edits.iter().filter(|(span, _)| span.file == file) {
        out.push_str(text.get(at..span.start as usize).unwrap_or_default());
        out.push_str(replacement);
        at = span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
