//! The steps of a migration, for people and for programs.

use std::{io::stdout, path::PathBuf};

use dz_dsl_file::emit::schema::{Engine, diff::Step, lock::Lock};
use serde_json::{Value, json};

use super::{Diff, StepsFormat};
use crate::output::{counted, put};

/// A step in the output.
pub(super) struct Line {
    /// The step.
    pub(super) step: Step,
    /// The half of an online migration.
    half: Option<&'static str>,
    /// Its lock on PostgreSQL.
    lock: Option<&'static str>,
    /// How an online migration splits it.
    split: Option<&'static str>,
}

impl Line {
    /// A step of a migration in one transaction.
    pub(super) fn of_transaction(step: Step, engine: Engine) -> Line {
        let lock = (engine == Engine::Postgres).then(|| step.lock.of_transaction());
        let split = step.lock.split().filter(|_| lock.is_some());
        Line { step, half: None, lock, split }
    }

    /// A step of an online migration.
    pub(super) fn of_online(step: Step, contraction: bool) -> Line {
        let half = if contraction { "contract" } else { "expand" };
        Line { half: Some(half), lock: Some(step.lock.of_online()), split: step.lock.split(), step }
    }

    /// The line about the lock; none for a step without one.
    fn about_lock(&self) -> Option<String> {
        let lock = self.lock.filter(|_| self.step.lock != Lock::Nothing)?;
        let split = match (self.split, self.half) {
            (Some(split), Some(_)) => format!("; {split}"),
            (Some(split), None) => format!("; with `--online`: {split}"),
            (None, _) => String::new(),
        };
        Some(format!("{:<12} lock: {lock}{split}\n", ""))
    }

    fn to_json(&self) -> Value {
        let mut line = json!({ "class": self.step.class.as_str(), "what": self.step.what });
        if let Some(lock) = self.lock {
            line["lock"] = lock.into();
            line["split"] = self.split.into();
        }
        if let Some(half) = self.half {
            line["half"] = half.into();
        }
        line
    }
}

/// Prints the steps and the end.
pub(super) fn report(options: &Diff, lines: &[Line], written: &[PathBuf], end: &str) {
    report_steps(options, lines);
    report_end(options, lines, written, end);
}

/// Prints the steps for people.
pub(super) fn report_steps(options: &Diff, lines: &[Line]) {
    if options.format != StepsFormat::Human {
        return;
    }
    let mut half = None;
    for line in lines {
        if line.half != half {
            half = line.half;
            match half {
                Some("contract") => put(stdout(), "when no instance of the previous version runs:\n"),
                _ => put(stdout(), "while instances of the previous version run:\n"),
            }
        }
        put(stdout(), &format!("{:<12} {}\n", line.step.class.as_str(), line.step.what));
        if let Some(lock) = line.about_lock() {
            put(stdout(), &lock);
        }
    }
}

/// Prints the end for people, or everything for programs.
pub(super) fn report_end(options: &Diff, lines: &[Line], written: &[PathBuf], end: &str) {
    if options.format == StepsFormat::Human {
        if !end.is_empty() {
            let count = if lines.is_empty() { String::new() } else { format!(" ({})", counted(lines.len(), "step")) };
            put(stdout(), &format!("{end}{count}\n"));
        }
        return;
    }
    let steps: Vec<Value> = lines.iter().map(Line::to_json).collect();
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    let mut report = json!({ "steps": steps, "written": names.first() });
    if options.online {
        report["migrations"] = names.into();
    }
    put(stdout(), &(report.to_string() + "\n"));
}
