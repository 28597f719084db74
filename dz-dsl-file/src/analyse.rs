//! From texts to a model with every finding: what the macros, the command line and tests call.

use std::collections::HashMap;

use crate::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap, check,
    lower::{self, Use},
    model::Model,
    silence,
    syntax::{self, Doubts},
};

/// What became of an application's texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The texts.
    pub files: SourceMap,
    /// The model; `None` when there are errors.
    pub model: Option<Model>,
    /// Which name stands where for which declaration, sorted by place; also of a text with errors, as far as it was understood.
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
/// assert_eq!(broken.diagnostics[0].rule, "unknown-type");
/// ```
pub fn analyse(files: SourceMap) -> Analysis {
    let (parsed, mut found) = syntax::parse(&files);
    let (model, uses, mut lowered) = lower::lower(&parsed);
    // What stands behind a word that could not be read means nothing to a person before that word is put right.
    let doubts: HashMap<FileId, Doubts> = parsed.iter().map(|file| (file.id, Doubts::of(file))).collect();
    lowered.retain(|it| !doubts.get(&it.span.file).is_some_and(|doubts| doubts.cover(it)));
    found.extend(lowered);
    let whole = !found.has_errors();
    if whole {
        let mut checked = Diagnostics::default();
        check::run(&model, &mut checked);
        found.extend(checked);
    }
    let model = (!found.has_errors()).then_some(model);
    let diagnostics = silence::apply(&files, found.into_sorted());
    Analysis { files, model, uses, diagnostics }
}

impl Analysis {
    /// True when one of the findings is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }
}
