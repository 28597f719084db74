//! Repairs that change no meaning, put into the texts: what `dz lint --fix` does.

use super::{settle, trial::Trial};
use crate::{Analysis, Diagnostic, FileId, Severity, SourceMap, Span, analyse};

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

/// An edit that is made.
type Edit<'a> = (Span, &'a str);

/// Makes the edits that cannot change the meaning of a declaration, of those findings that are `wanted`, and again until
/// there are none. Edits that would leave more errors than there were are not made.
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
        let mut trial = Trial::new(&it.analysis);
        settle(&mut it.analysis, &mut trial);
        let edits = apart(it.analysis.diagnostics.iter().filter(|found| wanted(found)));
        let made = made(&it.analysis, &edits);
        it.refused = edits.len() - made.len();
        if made.is_empty() {
            break;
        }
        it.repairs += made.len();
        it.analysis = analyse(replaced(&it.analysis.files, &made));
    }
    it
}

/// The edits that leave no more errors: all of them, or else each that does so together with those before it.
fn made<'a>(analysis: &Analysis, edits: &[Edit<'a>]) -> Vec<Edit<'a>> {
    let after = |edits: &[Edit]| errors(&analyse(replaced(&analysis.files, edits)));
    let mut least = errors(analysis);
    if edits.is_empty() || after(edits) <= least {
        return edits.to_vec();
    }
    let mut made = Vec::new();
    for edit in edits {
        made.push(*edit);
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

/// The certain edits in order of their places; of those that touch the same text, the first.
fn apart<'a>(findings: impl Iterator<Item = &'a Diagnostic>) -> Vec<Edit<'a>> {
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

/// The texts with edits that are in order and apart.
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
