//! The programs and variables that a build and the application need.

use std::{env, process::Command};

use dz_dsl_file::model::StubLanguage;

use super::{Check, Project};

/// The oldest Python that reads the types of stubs.
const PYTHON: (u32, u32) = (3, 10);

pub(super) fn check(project: &Project, checks: &mut Vec<Check>) {
    checks.push(toolchain(project));
    python(project, checks);
    keys(project, checks);
}

fn toolchain(project: &Project) -> Check {
    let needed = env!("CARGO_PKG_RUST_VERSION");
    let install = "install Rust with https://rustup.rs";
    let Some(text) = output(Command::new("rustc").arg("--version").current_dir(&project.root)) else {
        return Check::problem("toolchain", "the program `rustc` cannot be started", install);
    };
    let found = text.split_whitespace().nth(1).unwrap_or_default();
    match version(found) {
        Some(it) if Some(it) >= version(needed) => Check::ok("toolchain", format!("rustc {found}; dz needs {needed} or later")),
        _ => Check::problem("toolchain", format!("rustc {found} is too old: dz needs {needed} or later"), "run `rustup update`"),
    }
}

/// The interpreter and the files of services in Python.
fn python(project: &Project, checks: &mut Vec<Check>) {
    let services = project.model().map(|model| model.services.as_slice()).unwrap_or_default();
    let services: Vec<&str> = services.iter().filter(|it| it.stub == Some(StubLanguage::Python)).map(|it| it.name.as_str()).collect();
    if services.is_empty() {
        return;
    }
    let program = project.settings.text("python").unwrap_or("python3");
    let text = output(Command::new(program).arg("--version"));
    let found = text.as_deref().and_then(|text| text.split_whitespace().nth(1));
    checks.push(match found {
        Some(it) if version(it) >= Some(PYTHON) => Check::ok("python", format!("{program} is Python {it}")),
        Some(it) => Check::problem(
            "python",
            format!("{program} is Python {it}; services in Python need {}.{} or later", PYTHON.0, PYTHON.1),
            "name another interpreter with `dz.python`",
        ),
        None => Check::problem(
            "python",
            format!("the interpreter `{program}` cannot be started, but `{}` is a service in Python", services[0]),
            "install Python 3, or name the interpreter with `dz.python`",
        ),
    });
    let folder = project.settings.text("services").map_or_else(|| project.root.join("services"), |path| project.root.join(path));
    for name in services.iter().filter(|name| !folder.join(format!("{name}.py")).is_file()) {
        checks.push(Check::problem(
            "services",
            format!("the service `{name}` has no file {}", folder.join(format!("{name}.py")).display()),
            format!("write it with `dz stubs generate --service {name}`"),
        ));
    }
}

/// The keys of language models.
fn keys(project: &Project, checks: &mut Vec<Check>) {
    let models = project.model().map(|model| model.llm_models.as_slice()).unwrap_or_default();
    for it in models {
        let Some(name) = it.api_key_env.as_deref().filter(|name| env::var_os(name).is_none_or(|value| value.is_empty())) else { continue };
        checks.push(Check::warning(
            "keys",
            format!("the environment here has no variable `{name}`, which the language model `{}` declares", it.name),
            "set it where the application runs; without it the application does not start",
        ));
    }
}

/// The first line that a program prints; `None` if it cannot be started or fails.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|it| it.status.success())?;
    String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
}

/// The first two numbers of a version.
pub(super) fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim_start_matches(|c: char| !c.is_ascii_digit()).split('.');
    let mut number = || numbers.next().map(|it| it.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok());
    Some((number()??, number().flatten().unwrap_or(0)))
}
