//! From texts to a model with every finding: what the macros, the command line and tests call.

mod indentation;
mod mended;
mod reading;
mod rest;
mod unextended;

use reading::Reading;

use crate::{Diagnostic, Diagnostics, Severity, SourceMap, lower::Use, model::Model, rules, silence};

/// A text with more errors than this is read once: what it was meant to be is unknown, and each further reading takes time.
const MOST: usize = 100;

/// What became of an application's texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The texts.
    pub files: SourceMap,
    /// The model; `None` when there are errors.
    pub model: Option<Model>,
    /// Each use of a name, with its declaration, sorted by place; also of a text with errors, as far as it was understood.
    pub uses: Vec<Use>,
    /// Every finding, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads, lowers and checks.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse};
/// let analysis = analyse(SourceMap::single("app.dsl", "entity Task:\n  id: uuid pk\n  title: str(80)\n"));
/// assert!(analysis.model.is_some());
/// let broken = analyse(SourceMap::single("app.dsl", "entity Task:\n  id: uid pk\n"));
/// assert!(broken.diagnostics.iter().any(|it| it.rule == "unknown-type"));
/// ```
pub fn analyse(files: SourceMap) -> Analysis {
    let reading = Reading::read(&files);
    let troubles = reading.troubles().take(MOST + 1).count();
    if troubles == 0 || troubles > MOST {
        return checked(files, reading);
    }
    let lines = reading.lines();
    let (mended, reading, misplaced) = indentation::settle(&files, reading);
    if mended.is_as_written() && reading.errors().next().is_none() {
        return checked(files, reading);
    }
    let uses = mended.uses(reading.uses.clone());
    let mut found = mended.findings(reading.found.clone());
    found.extend(misplaced);
    found.extend(rest::findings(mended, reading));
    let diagnostics = silence::apply(&files, &lines, found.into_sorted());
    Analysis { files, model: None, uses, diagnostics }
}

/// Reads, lowers, and checks only what has no errors: an edit that is tried is read so.
pub(crate) fn analyse_once(files: SourceMap) -> Analysis {
    let reading = Reading::read(&files);
    checked(files, reading)
}

/// What was read with what the rules find, when it has no errors so far.
fn checked(files: SourceMap, reading: Reading) -> Analysis {
    let lines = reading.lines();
    let Reading { parsed, model, uses, mut found } = reading;
    if !found.has_errors() {
        let mut checked = Diagnostics::default();
        rules::check(&model, &mut checked);
        checked.extend(unextended::checked(&parsed));
        found.extend(checked);
    }
    let model = (!found.has_errors()).then_some(model);
    let diagnostics = silence::apply(&files, &lines, found.into_sorted());
    Analysis { files, model, uses, diagnostics }
}

impl Analysis {
    /// True when one of the findings is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }
}
