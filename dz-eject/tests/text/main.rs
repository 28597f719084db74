//! The texts that an ejection writes.

mod accounts;
mod names;

use dz_eject::Tree;

/// The ejected tree of a declaration.
fn eject(declaration: &str) -> Tree {
    let mut files = dz_dsl_file::SourceMap::default();
    files.add("app.dsl", declaration.to_owned());
    let analysis = dz_dsl_file::analyse(files);
    let Some(model) = analysis.model else { panic!("the declaration is wrong: {:?}", analysis.diagnostics) };
    dz_eject::eject(&model, &Default::default()).expect("a declaration that can be ejected")
}

/// A file of the backend, with one space for each run of white space.
fn source(tree: &Tree, path: &str) -> String {
    let path = format!("backend/src/{path}.rs");
    let text = tree.files.get(&path).unwrap_or_else(|| panic!("no file {path}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
