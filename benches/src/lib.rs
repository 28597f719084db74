//! Shared by the benches: generated applications, and timing of whole processes.

pub mod bare;
pub mod declaration;
pub mod graphql;
pub mod install;
pub mod processes;
pub mod requests;
pub mod side;
pub mod twin;
pub mod whole;
pub mod words;

use std::{io, path::Path, process::Command};

/// The cost of a process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Seconds of processor time, including that of child processes.
    pub user: f64,
    /// Seconds of elapsed time.
    pub wall: f64,
}

/// Runs a command in a folder and measures it; its output is shown if it fails.
///
/// # Errors
/// If the command cannot be started, fails, or is not measured.
pub fn measure(folder: &Path, command: &str) -> io::Result<Cost> {
    let script = format!("TIMEFORMAT='%U %S %R'; time {{ {command} >out.log 2>&1; }}");
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder).output()?;
    if !output.status.success() {
        let log = std::fs::read_to_string(folder.join("out.log")).unwrap_or_default();
        return Err(io::Error::other(format!("`{command}` failed:\n{log}")));
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [user, system, wall] => Ok(Cost { user: user + system, wall: *wall }),
        _ => Err(io::Error::other(format!("no times in {text:?}"))),
    }
}

/// The median.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
