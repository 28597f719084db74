//! Proposals for errors without a suggestion: a missing word, two transposed words, another spelling of a word. Candidate edits come
//! from the text itself and from the lists of the rules. An edit keeps the other words of its line, and is proposed only if analysis of
//! the edited text shows fewer errors, no new one, and none in that line.

mod apply;
mod corpus;
mod duplicate;
mod insertion;
mod misspelt_declaration;
mod single_word;
mod sketch;
mod transposition;
mod trial;
mod words;

use crate::{
    Analysis, Applicability, Diagnostic, Severity, SourceMap, Span, Suggestion,
    repair::{
        corpus::Corpus,
        trial::{Goal, Trial},
    },
};
pub use apply::{Repaired, repair};
pub use sketch::sketch;

/// The largest number of errors for which proposals are searched; the others follow in the next run.
const FINDINGS: usize = 12;

/// If there are more errors, no common cause is searched.
const LOOKED_AT: usize = 40;

/// The largest number of findings that are examined as a common cause.
const CAUSES: usize = 4;

/// Findings about values whose words are all known: any other word, and any other order, would be another meaning.
const MEANT: &[&str] =
    &["type-mismatch", "mixed-float-decimal", "not-a-condition", "not-allowed-here", "bad-default", "number-out-of-range"];

/// Findings for which no other word is proposed, but the same words in another order.
const ORDERED: &[&str] = &["bad-duration"];

/// A span, and its replacement.
type Edit = (Span, String);

/// Adds proposals to errors without a suggestion. The author must check them, because the words are guesses. If the nearest name
/// corrects nothing, an edit that does replaces it; if a declaration is spelt differently from all its uses, a change of the
/// declaration is proposed.
///
/// `analyse` does not call this, because it takes longer; the commands that show or make corrections do.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse, propose};
/// let mut analysis = analyse(SourceMap::single("app.dsl", "entity Task:\n  id: uuid pk\nsurface all:\n  entity uses Task\n  mode: list\n"));
/// propose(&mut analysis);
/// let it = analysis.diagnostics[0].suggestion.as_ref().unwrap();
/// assert_eq!((it.text.as_str(), it.is_certain()), ("uses entity", false));
/// ```
pub fn propose(analysis: &mut Analysis) {
    let is_wrong = |it: &Diagnostic| it.severity == Severity::Error;
    if !analysis.diagnostics.iter().any(|it| is_wrong(it) || duplicate::is_about_lines(it)) {
        return;
    }
    let files = analysis.files.clone();
    let corpus = Corpus::new(&files, &analysis.diagnostics);
    duplicate::propose(&corpus, &mut analysis.diagnostics);
    if !analysis.diagnostics.iter().any(is_wrong) {
        return;
    }
    let mut trial = Trial::new(&files);
    if keep_cause_in(&corpus, analysis, &mut trial) {
        return;
    }
    let mut open = errors(analysis);
    open.retain(|at| is_open(&analysis.diagnostics[*at], &mut trial));
    // A text that could not be parsed is more often the cause than an unknown name.
    open.sort_by_key(|at| !causes(&analysis.diagnostics[*at]));
    open.truncate(FINDINGS);
    let (found, whole) = search(&corpus, &mut trial, &analysis.diagnostics, &open);
    let causes: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
    for (at, (span, text)) in found {
        analysis.diagnostics[at].suggestion = Some(Suggestion { span, text, applicability: Applicability::Proposal, tried: true });
    }
    if let (true, [cause]) = (whole, causes.as_slice()) {
        keep_only(analysis, *cause);
    }
}

/// Keeps only the suggestion of the error that causes the others; true if there is one.
fn keep_cause(analysis: &mut Analysis) -> bool {
    if errors(analysis).len() < 2 {
        return false;
    }
    let files = analysis.files.clone();
    let corpus = Corpus::new(&files, &analysis.diagnostics);
    keep_cause_in(&corpus, analysis, &mut Trial::new(&files))
}

/// As [`keep_cause`], with the parsed text.
fn keep_cause_in(corpus: &Corpus, analysis: &mut Analysis, trial: &mut Trial) -> bool {
    let Some((cause, edit)) = find_cause(corpus, trial, &analysis.diagnostics, &errors(analysis)) else { return false };
    let it = &mut analysis.diagnostics[cause];
    if it.suggestion.as_ref() != Some(&edit) {
        it.help = Some(line_after(&analysis.files, &edit));
        it.suggestion = Some(edit);
    }
    keep_only(analysis, cause);
    true
}

/// The error whose suggestion corrects all errors, because the others follow from it.
fn find_cause(corpus: &Corpus, trial: &mut Trial, all: &[Diagnostic], errors: &[usize]) -> Option<(usize, Suggestion)> {
    let known = errors.iter().filter_map(|at| Some((*at, all[*at].suggestion.clone()?)));
    let several = |_: &(usize, Suggestion)| errors.len() > 1;
    let edits = misspelt_declaration::candidates(corpus, all).into_iter().chain(known.take(FINDINGS));
    edits.filter(several).find(|(at, it)| trial.mends(&all[*at], &(it.span, it.text.clone())))
}

/// The line after an edit, for messages.
pub(crate) fn line_after(files: &SourceMap, Suggestion { span, text: new, .. }: &Suggestion) -> String {
    let (number, from, lines) = files.file(span.file).lines_around(span.start, span.end);
    let mut line = lines.to_owned();
    line.replace_range(span.start as usize - from..span.end as usize - from, new);
    match line.trim() {
        "" => format!("line {number} should go"),
        line => format!("line {number} should be: {line}"),
    }
}

/// A finding, and the edit that corrects it.
type Found = (usize, Edit);

/// Searches one edit that corrects everything, or else one for each finding; true for the first.
fn search(corpus: &Corpus, trial: &mut Trial, all: &[Diagnostic], open: &[usize]) -> (Vec<Found>, bool) {
    for at in open.iter().copied().take(CAUSES) {
        if let Some(edit) = repair_of(corpus, trial, &all[at], Goal::Everything) {
            return (vec![(at, edit)], true);
        }
    }
    let mut found: Vec<Found> = Vec::new();
    for at in open.iter().copied() {
        if !found.iter().any(|(_, edit)| covers(edit, all[at].span)) {
            found.extend(repair_of(corpus, trial, &all[at], Goal::Less).map(|edit| (at, edit)));
        }
    }
    (found, false)
}

/// The first errors of an analysis.
fn errors(analysis: &Analysis) -> Vec<usize> {
    let errors = analysis.diagnostics.iter().enumerate().filter(|(_, it)| it.severity == Severity::Error);
    errors.map(|(at, _)| at).take(LOOKED_AT).collect()
}

/// Keeps only the edit of one finding, which corrects the others too.
fn keep_only(analysis: &mut Analysis, cause: usize) {
    for at in errors(analysis).into_iter().filter(|at| *at != cause) {
        analysis.diagnostics[at].suggestion = None;
    }
}

/// The best edit for a finding.
fn repair_of(corpus: &Corpus, trial: &mut Trial, finding: &Diagnostic, goal: Goal) -> Option<Edit> {
    if MEANT.contains(&finding.rule) || has_correction(finding) {
        return None;
    }
    let place = corpus.place(finding)?;
    let swapped = trial.best(finding, &transposition::candidates(corpus, &place), goal);
    if ORDERED.contains(&finding.rule) {
        return swapped;
    }
    swapped.or_else(|| trial.best(finding, &single_word::candidates(corpus, &place, finding), goal))
}

/// True for a finding whose help is the correction, which another word would contradict.
fn has_correction(finding: &Diagnostic) -> bool {
    let corrects =
        |help: &String| help.starts_with("remove the line") || help.contains("` belongs in a ") || help.contains("` belongs under ");
    finding.help.as_ref().is_some_and(corrects)
}

/// True for an error without a suggestion, or with one that does not correct it.
fn is_open(finding: &Diagnostic, trial: &mut Trial) -> bool {
    let mends = |it: &Suggestion| it.tried || trial.helps(&(it.span, it.text.clone()));
    finding.severity == Severity::Error && !finding.suggestion.as_ref().is_some_and(mends)
}

fn causes(finding: &Diagnostic) -> bool {
    matches!(finding.rule, "unexpected-token" | "unknown-key" | "unknown-type" | "unknown-construct" | "empty-block" | "missing-colon")
}

/// True if a proposed edit changes the text of a finding.
fn covers((span, _): &Edit, found: Span) -> bool {
    span.file == found.file && span.start <= found.end && found.start <= span.end
}
