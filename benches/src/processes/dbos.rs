//! The same workflow with DBOS, in a Python environment of its own.

use std::{env, fs, process::Command};

use crate::requests::Outcome;

/// The program.
const PROGRAM: &str = include_str!("dbos.py");

/// Steps per second of some rounds of `runs` workflows; `None` with a message if DBOS cannot be installed.
///
/// # Errors
/// If the program fails.
pub fn steps_per_second(url: &str, runs: u32, rounds: u32) -> Outcome<Option<Vec<f64>>> {
    let folder = env::temp_dir().join(format!("dz-dbos-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let measured = measure(&folder, url, runs, rounds);
    fs::remove_dir_all(&folder)?;
    measured
}

fn measure(folder: &std::path::Path, url: &str, runs: u32, rounds: u32) -> Outcome<Option<Vec<f64>>> {
    let python = crate::install::python(folder, &["dbos"])?;
    let Some(python) = python else { return Ok(None) };
    let file = folder.join("program.py");
    fs::write(&file, PROGRAM)?;
    let output = Command::new(python).arg(&file).args([url, &runs.to_string(), &rounds.to_string()]).output()?;
    if !output.status.success() {
        return Err(format!("DBOS failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Some(text.lines().filter_map(|line| line.trim().parse().ok()).collect()))
}
