//! The analysis of texts into a model and findings, which the macros, the command line and tests call.

mod edited;
mod indentation;
mod readable;
mod reading;
mod remainder;
mod unextended;

pub use readable::{Readable, readable};
use reading::Reading;

use crate::{Diagnostic, Diagnostics, Severity, SourceMap, allow_comments, lower::Use, model::Model, rules};

/// A text with more errors of parsing than this is parsed once: its meaning is unknown, and each further analysis takes time.
const MOST: usize = 100;
/// The same for all errors: one line in the wrong place can cause an error at each use of its name.
const MOST_OF_ALL: usize = 1_000;

/// The result of the analysis of an application's texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The texts.
    pub files: SourceMap,
    /// The model, or `None` if there are errors.
    pub model: Option<Model>,
    /// Each use of a name, with its declaration, sorted by place. A text with errors has those that were resolved.
    pub uses: Vec<Use>,
    /// Every finding, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses texts, resolves names and checks rules.
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
    let problems = reading.problems().take(MOST_OF_ALL + 1).count();
    if problems == 0 || problems > MOST_OF_ALL || reading.unparsed.len() > MOST {
        return check_rules(files, reading);
    }
    let lines = reading.lines();
    // An edit can give a line the kind of indentation of the others.
    let mixed: Vec<Diagnostic> = reading.errors().filter(|it| it.rule == "mixed-indentation").cloned().collect();
    let (edited, reading, misplaced) = indentation::shift_lines(&files, reading);
    if edited.is_as_written() && reading.errors().next().is_none() {
        return check_rules(files, reading);
    }
    let uses = edited.uses(reading.uses.clone());
    let mut found = edited.findings(reading.found.clone());
    found.extend(misplaced);
    mixed.into_iter().for_each(|it| found.push(it));
    found.extend(remainder::findings(edited, reading));
    let diagnostics = allow_comments::apply(&files, &lines, found.into_sorted());
    Analysis { files, model: None, uses, diagnostics }
}

/// Parses texts, resolves names, and checks rules if there are no errors. Each trial of an edit calls it.
pub(crate) fn analyse_once(files: SourceMap) -> Analysis {
    let reading = Reading::read(&files);
    check_rules(files, reading)
}

/// Adds the findings of the rules to a reading without errors.
fn check_rules(files: SourceMap, reading: Reading) -> Analysis {
    let lines = reading.lines();
    let Reading { parsed, model, uses, mut found, unparsed: _ } = reading;
    if !found.has_errors() {
        let mut checked = Diagnostics::default();
        rules::check(&model, &mut checked);
        checked.extend(unextended::check(&parsed));
        found.extend(checked);
    }
    let model = (!found.has_errors()).then_some(model);
    let diagnostics = allow_comments::apply(&files, &lines, found.into_sorted());
    Analysis { files, model, uses, diagnostics }
}

impl Analysis {
    /// True if one of the findings is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }
}
