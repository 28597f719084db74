//! Packages of other languages, installed into a temporary folder.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::requests::Outcome;

/// A Python with these packages, in an environment of its own; `None` with a message if they cannot be installed.
///
/// # Errors
/// If the folder cannot be used.
pub fn python(folder: &Path, packages: &[&str]) -> Outcome<Option<PathBuf>> {
    let environment = folder.join("python");
    let python = environment.join("bin/python");
    let made = runs(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    if made && runs(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages)) {
        return Ok(Some(python));
    }
    eprintln!("skipped: pip cannot install {}", packages.join(" "));
    Ok(None)
}

/// Installs packages of npm into a folder; false with a message if they cannot be installed.
pub fn node(folder: &Path, packages: &[&str]) -> bool {
    let npm = Command::new("npm").args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(folder).args(packages).status();
    let installed = npm.is_ok_and(|status| status.success());
    if !installed {
        eprintln!("skipped: npm cannot install {}", packages.join(" "));
    }
    installed
}

/// True if a command exists and succeeds.
fn runs(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
