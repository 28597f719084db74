//! Repairs that no rule can name, found by trying: a word that was lost, two that changed places, a value of the wrong
//! set. What is tried comes from the text itself and from the lists that the rules go by; whatever is proposed was put
//! into the text and read, so that it leaves fewer errors and no new one.

mod corpus;
mod gaps;
mod holes;
mod slips;
mod swaps;
mod trial;
mod words;

use crate::{
    Analysis, Diagnostic, Severity, SourceMap, Span,
    repair::{
        corpus::Corpus,
        trial::{Goal, Trial},
    },
};

/// Who has more errors than these reads the first of them, and asks again.
const FINDINGS: usize = 12;

/// Of more than these, none is the cause of all.
const LOOKED_AT: usize = 40;

/// Of how many findings one is looked for that is the cause of all.
const CAUSES: usize = 4;

/// A text to put in place of a span.
type Edit = (Span, String);

/// Gives errors without a repair one, where trying finds it: the only way out as a replacement, the likeliest of
/// several as a proposal, which a person should look at before it is taken. What access rules say is proposed only.
/// Where the nearest name turns out to mend nothing, it is replaced by what does.
///
/// Reading is fast and does not do this; whoever shows or makes repairs asks for it.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse, propose};
/// let mut analysis = analyse(SourceMap::single("app.dsl", "entity Task:\n  id: uuid pk\nsurface all:\n  entity uses Task\n  mode: list\n"));
/// propose(&mut analysis);
/// let (_, text) = analysis.diagnostics[0].replacement.as_ref().unwrap();
/// assert_eq!(text, "uses entity");
/// ```
pub fn propose(analysis: &mut Analysis) {
    if !analysis.diagnostics.iter().any(|it| it.severity == Severity::Error && it.proposal.is_none()) {
        return;
    }
    let mut trial = Trial::new(analysis);
    let errors = errors(analysis);
    let corpus = Corpus::new(&analysis.files, &analysis.diagnostics);
    if let Some((cause, edit)) = cause(&corpus, &mut trial, &analysis.diagnostics, &errors) {
        drop(corpus);
        let it = &mut analysis.diagnostics[cause];
        if it.replacement.as_ref() != Some(&edit) {
            it.help = Some(line_after(&analysis.files, &edit));
            it.replacement = Some(edit);
        }
        return only(analysis, cause);
    }
    let mut open = errors;
    open.retain(|at| is_open(&analysis.diagnostics[*at], &mut trial));
    // What could not be read is more often the cause than a name that is not known.
    open.sort_by_key(|at| !causes(&analysis.diagnostics[*at]));
    open.truncate(FINDINGS);
    let (found, whole) = search(&corpus, &mut trial, &analysis.diagnostics, &open);
    drop(corpus);
    for (at, edit, sure) in &found {
        let shown = sure.then(|| line_after(&analysis.files, edit));
        let it = &mut analysis.diagnostics[*at];
        it.help = shown.or_else(|| it.help.take());
        it.replacement = None;
        *(if *sure { &mut it.replacement } else { &mut it.proposal }) = Some(edit.clone());
    }
    if let (true, [(cause, ..)]) = (whole, found.as_slice()) {
        only(analysis, *cause);
    }
}

/// Of several errors the one whose replacement mends all of them, so that the others only follow from it.
fn cause(corpus: &Corpus, trial: &mut Trial, all: &[Diagnostic], errors: &[usize]) -> Option<(usize, Edit)> {
    let known = errors.iter().filter_map(|at| Some((*at, all[*at].replacement.clone()?)));
    let several = |_: &(usize, Edit)| errors.len() > 1;
    let edits = slips::candidates(corpus, all).into_iter().chain(known.take(FINDINGS));
    edits.filter(several).find(|(at, edit)| trial.mends(&all[*at], edit))
}

/// What an edit makes of its line, for people.
pub(crate) fn line_after(files: &SourceMap, (span, new): &Edit) -> String {
    let (number, from, lines) = files.file(span.file).lines_around(span.start, span.end);
    let mut line = lines.to_owned();
    line.replace_range(span.start as usize - from..span.end as usize - from, new);
    match line.trim() {
        "" => format!("line {number} should go"),
        line => format!("line {number} should be: {line}"),
    }
}

/// A finding, what mends it, and whether that may be done unseen.
type Found = (usize, Edit, bool);

/// One repair that mends everything, or else one for each finding; true for the first.
fn search(corpus: &Corpus, trial: &mut Trial, all: &[Diagnostic], open: &[usize]) -> (Vec<Found>, bool) {
    for at in open.iter().copied().take(CAUSES) {
        if let Some((edit, sure)) = repair(corpus, trial, &all[at], Goal::Everything) {
            return (vec![(at, edit, sure)], true);
        }
    }
    let mut found: Vec<Found> = Vec::new();
    for at in open.iter().copied() {
        if !found.iter().any(|(_, edit, _)| covers(edit, all[at].span)) {
            found.extend(repair(corpus, trial, &all[at], Goal::Less).map(|(edit, sure)| (at, edit, sure)));
        }
    }
    (found, false)
}

/// The first errors of an analysis.
fn errors(analysis: &Analysis) -> Vec<usize> {
    let errors = analysis.diagnostics.iter().enumerate().filter(|(_, it)| it.severity == Severity::Error);
    errors.map(|(at, _)| at).take(LOOKED_AT).collect()
}

/// Leaves the repair of one finding, which mends the others too.
fn only(analysis: &mut Analysis, cause: usize) {
    for at in errors(analysis).into_iter().filter(|at| *at != cause) {
        analysis.diagnostics[at].replacement = None;
        analysis.diagnostics[at].proposal = None;
    }
}

/// The best repair of a finding, and whether it may be made unseen.
fn repair(corpus: &Corpus, trial: &mut Trial, finding: &Diagnostic, goal: Goal) -> Option<(Edit, bool)> {
    let place = corpus.place(finding)?;
    if let Some((edit, alone)) = trial.best(finding, &swaps::candidates(corpus, &place), goal) {
        // `app` keeps keys that it does not know: whatever is put before the colon there is one.
        let any_key = corpus.parent_word(place.row) == Some("app");
        return Some((edit, alone && !any_key && !corpus.decides_access(&place)));
    }
    let (edit, alone) = trial.best(finding, &holes::candidates(corpus, &place, finding), goal)?;
    // What a call computes, and whether a block was to be filled or to go, is for a person to say.
    let called = corpus.files.file(edit.0.file).text[edit.0.end as usize..].trim_start().starts_with('(');
    let open = called || finding.rule == "empty-block" || corpus.decides_access(&place);
    Some((edit, alone && !open))
}

/// True for an error without a repair, or with one that repairs nothing.
fn is_open(finding: &Diagnostic, trial: &mut Trial) -> bool {
    let wanted = finding.severity == Severity::Error && finding.proposal.is_none();
    wanted && finding.replacement.as_ref().is_none_or(|edit| !trial.helps(edit))
}

fn causes(finding: &Diagnostic) -> bool {
    matches!(finding.rule, "unexpected-token" | "unknown-key" | "unknown-type" | "unknown-construct" | "empty-block" | "missing-colon")
}

/// True when an edit that is already proposed changes what a finding stands on.
fn covers((span, _): &Edit, found: Span) -> bool {
    span.file == found.file && span.start <= found.end && found.start <= span.end
}
