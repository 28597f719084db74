//! `dz doctor`: what in a project and in its environment causes problems when the application is built or runs.

mod backups;
mod declaration;
mod environment;
mod manifest;
mod settings;
mod storage;

use std::{
    fs,
    io::stdout,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use dz_dsl_file::{Analysis, Severity, analyse, emit::schema::Engine, model::Model, project::ProjectFile};
use serde_json::{Value, json};
use toml::Table;

use self::settings::Settings;
use crate::{
    findings::Findings,
    output::{Shape, counted, fail, put},
    sources::Files,
};

/// Options of `dz doctor`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// The profile of Rocket.toml that is checked
    #[arg(long, default_value = "release")]
    profile: String,
    /// The folder of the backups; without it, `backups` or `backup` beside the database
    #[arg(long, value_name = "DIR")]
    backups: Option<PathBuf>,
    /// `warnings`: the command also fails for warnings
    #[arg(long, value_enum)]
    deny: Option<Deny>,
    /// The format of the results
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Deny {
    Warnings,
}

/// How serious a result is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Status {
    Ok,
    Warning,
    Problem,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq)]
struct Check {
    name: &'static str,
    status: Status,
    message: String,
    help: Option<String>,
}

impl Check {
    fn ok(name: &'static str, message: impl Into<String>) -> Check {
        Check { name, status: Status::Ok, message: message.into(), help: None }
    }

    fn warning(name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Check {
        Check { name, status: Status::Warning, message: message.into(), help: Some(help.into()) }
    }

    fn problem(name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Check {
        Check { name, status: Status::Problem, message: message.into(), help: Some(help.into()) }
    }

    fn json(&self) -> Value {
        json!({ "check": self.name, "status": self.status.word(), "message": self.message, "help": self.help })
    }
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Problem => "problem",
        }
    }
}

/// The input of the checks.
struct Project {
    /// The folder of the project.
    root: PathBuf,
    /// `dz.toml`.
    file: ProjectFile,
    analysis: Analysis,
    /// `Cargo.toml`, if there is one.
    manifest: Option<Table>,
    /// `Cargo.lock`, if there is one.
    lock: Option<Table>,
    settings: Settings,
    backups: Option<PathBuf>,
}

impl Project {
    /// The model, if a build accepts the declaration.
    fn model(&self) -> Option<&Model> {
        let errors = Findings::new(&self.analysis.files, &self.analysis.diagnostics, &self.file, false).count(Severity::Error);
        self.analysis.model.as_ref().filter(|_| errors == 0)
    }

    /// The engine: that of the address of the database, else that of `dz.toml`, else SQLite.
    fn engine(&self) -> Engine {
        let of_url = self.settings.database_url().map(|url| match url.starts_with("postgres") {
            true => Engine::Postgres,
            false => Engine::Sqlite,
        });
        of_url.or(self.file.project.database).unwrap_or(Engine::Sqlite)
    }
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let mut checks = Vec::new();
    let project = match open(options, &mut checks) {
        Ok(project) => project,
        Err(message) => return fail(message),
    };
    for check in [environment::check, manifest::check, declaration::check, settings::check, storage::check, backups::check] {
        check(&project, &mut checks);
    }
    let count = |status: Status| checks.iter().filter(|it| it.status == status).count();
    let (problems, warnings) = (count(Status::Problem), count(Status::Warning));
    let text = match options.format {
        Shape::Human => human(&checks, problems, warnings),
        Shape::Json => {
            let all: Vec<Value> = checks.iter().map(Check::json).collect();
            format!("{}\n", json!({ "checks": all, "problems": problems, "warnings": warnings }))
        }
    };
    put(stdout(), &text);
    let denied = options.deny == Some(Deny::Warnings) && warnings > 0;
    if problems > 0 || denied { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn open(options: &Options, checks: &mut Vec<Check>) -> Result<Project, String> {
    let sources = options.files.load()?;
    let root = if sources.root.as_os_str().is_empty() { PathBuf::from(".") } else { sources.root.clone() };
    let analysis = analyse(sources.files);
    let lock = root.ancestors().map(|it| it.join("Cargo.lock")).find(|path| path.is_file());
    Ok(Project {
        manifest: table("version", &root.join("Cargo.toml"), checks),
        lock: lock.and_then(|path| table("version", &path, checks)),
        settings: Settings::read(&root, &options.profile, checks),
        file: sources.settings,
        backups: options.backups.clone(),
        analysis,
        root,
    })
}

/// A file as TOML; a file that is not TOML is a problem.
fn table(check: &'static str, path: &Path, checks: &mut Vec<Check>) -> Option<Table> {
    let text = fs::read_to_string(path).ok()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let read = text.parse::<Table>();
    if let Err(error) = &read {
        checks.push(Check::problem(check, format!("{name} is not TOML: {}", error.message()), format!("correct {}", path.display())));
    }
    read.ok()
}

fn human(checks: &[Check], problems: usize, warnings: usize) -> String {
    let mut text = String::new();
    for it in checks {
        text.push_str(&format!("{:<8} {:<12} {}\n", it.status.word(), it.name, it.message));
        if let Some(help) = &it.help {
            text.push_str(&format!("{:22}help: {help}\n", ""));
        }
    }
    format!("{text}{}, {} in {}\n", counted(problems, "problem"), counted(warnings, "warning"), counted(checks.len(), "check"))
}
