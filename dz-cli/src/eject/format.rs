//! Formats the Rust files of an ejected application with rustfmt, so that its own check of formats passes.

use std::{fs, process::Command};

use dz_eject::Tree;

/// The files from which rustfmt reaches all others.
const ROOTS: [&str; 3] = ["backend/src/lib.rs", "backend/src/main.rs", "tests/unit/main.rs"];

/// Formats the Rust files of a tree.
///
/// # Errors
/// One sentence, if rustfmt is missing or cannot read a file.
pub fn format(tree: &mut Tree) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("the files cannot be formatted: {error}");
    let folder = tempfile::tempdir().map_err(wrong)?;
    let is_rust = |path: &str| path.ends_with(".rs") || path.ends_with("rustfmt.toml");
    for (path, text) in tree.files.iter().filter(|(path, _)| is_rust(path)) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder.path())).map_err(wrong)?;
        fs::write(path, text).map_err(wrong)?;
    }
    let roots = ROOTS.iter().filter(|path| tree.files.contains_key(**path)).map(|path| folder.path().join(path));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--config-path"]).arg(folder.path()).args(roots);
    let output =
        rustfmt.output().map_err(|error| format!("rustfmt cannot run ({error}); install it with `rustup component add rustfmt`"))?;
    if !output.status.success() {
        return Err(format!("rustfmt refuses a generated file: {}", String::from_utf8_lossy(&output.stderr)));
    }
    for (path, text) in tree.files.iter_mut().filter(|(path, _)| path.ends_with(".rs")) {
        *text = fs::read_to_string(folder.path().join(path)).map_err(wrong)?;
    }
    Ok(())
}
