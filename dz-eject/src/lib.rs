//! Writes a dz application as plain code that does not depend on dz.
//!
//! The result is a tree of texts. This crate does no input or output: the command `dz eject` compares the tree with a folder and
//! writes it.
//!
//! What a declaration contains and the tree cannot is never left out in silence. A [`Refusal`] stops the ejection, because without
//! the construct the rules of the application would differ. A [`Note`] names an address that the tree answers with 501, or a
//! behaviour that it lacks, with the reason.

mod backend;
mod condition;
mod frontend;
mod gate;
mod names;
mod notes;
mod project;
mod refusals;
mod tree;

use dz_dsl_file::{model::Model, project::Ejection};

pub use notes::Note;
pub use refusals::Refusal;
pub use tree::Tree;

/// Writes an application as a tree of files.
///
/// # Errors
/// Everything in the declaration that cannot be ejected, each with the reason.
///
/// ```
/// let mut files = dz_dsl_file::SourceMap::default();
/// files.add("app.dsl", "entity Task \"Task\":\n  id: uuid pk\n  title: str(80) required\n  permit:\n    list: true\n".to_owned());
/// let model = dz_dsl_file::analyse(files).model.expect("a valid declaration");
/// let tree = dz_eject::eject(&model, &Default::default()).expect("an application that can be ejected");
/// assert!(tree.files.contains_key("backend/src/routes/task.rs"));
/// ```
pub fn eject(model: &Model, settings: &Ejection) -> Result<Tree, Vec<Refusal>> {
    let refused = refusals::find(model);
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut tree = Tree { notes: notes::find(model), ..Tree::default() };
    backend::write(model, settings.testing.unit, &mut tree)?;
    frontend::write(model, settings.testing.unit, &mut tree);
    project::write(model, settings, &mut tree);
    Ok(tree)
}
