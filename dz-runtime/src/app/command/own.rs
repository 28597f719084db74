//! Subcommands of the application's own.

use super::{NAMES, Outcome, prepare};
use crate::{App, Result, SystemCx};

type Run = Box<dyn Fn(&SystemCx, &[String]) -> Result<()> + Send + Sync>;

/// A subcommand that the application adds.
pub(in crate::app) struct OwnCommand {
    pub(in crate::app) name: String,
    pub(in crate::app) about: String,
    pub(in crate::app) run: Run,
}

/// A command that cannot be called.
pub(in crate::app) fn find_problem(commands: &[OwnCommand]) -> Option<String> {
    let of = |(at, own): (usize, &OwnCommand)| match own.name.as_str() {
        name if NAMES.contains(&name) => Some(format!("`{name}` is a command of dz; give your command another name")),
        name if name.is_empty() || name.starts_with('-') || name.contains(char::is_whitespace) => {
            Some(format!("`{name}` cannot be the name of a command; use one word, such as `import-legacy`"))
        }
        name if commands.iter().take(at).any(|other| other.name == name) => {
            Some(format!("two commands are named `{name}`; give one another name"))
        }
        _ => None,
    };
    commands.iter().enumerate().find_map(of)
}

/// The help with the lines of these commands.
pub(super) fn add_to_help(help: &str, commands: &[OwnCommand]) -> String {
    let lines: String = commands.iter().map(|own| format!("  {:<39} {}\n", own.name, own.about)).collect();
    match help.rsplit_once("  help ") {
        Some((before, after)) => format!("{before}{lines}  help {after}"),
        None => format!("{help}\n{lines}"),
    }
}

/// Runs a command with the words after its name.
pub(super) fn run(mut app: App, at: usize, words: &[&str]) -> Result<Outcome> {
    let own = app.commands.swap_remove(at);
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let state = prepare(app)?.state;
    (own.run)(&state.system_cx(), &words)?;
    Ok(Outcome::Done)
}
