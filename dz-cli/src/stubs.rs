//! `dz stubs`

use std::{
    fs,
    io::{stderr, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Subcommand, ValueEnum};
use dz_dsl_file::{
    Severity, analyse, diagnostic,
    emit::stubs::{self, story},
    model::{Model, Service, Story, StoryStatus, StubLanguage},
    render,
};
use serde_json::json;

use crate::{
    findings::{Findings, Format},
    output::{Shape, fail, put},
    sources::Files,
    write,
};

/// The subcommands of `dz stubs`.
#[derive(Subcommand)]
pub enum Stubs {
    /// Writes a file for each service, or a test for each accepted story, and keeps what is written in it by hand
    Generate(Options),
}

/// Options of `dz stubs generate`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// Only the stub of this service
    #[arg(long, value_name = "NAME", conflicts_with_all = ["stories", "story"])]
    service: Option<String>,
    /// The language of the stubs; by default that of each declaration
    #[arg(long, value_enum, conflicts_with_all = ["stories", "story"])]
    language: Option<Language>,
    /// Writes tests of the accepted stories instead of services
    #[arg(long)]
    stories: bool,
    /// Writes the test of this story only
    #[arg(long, value_name = "ID")]
    story: Option<String>,
    /// How the list of files is written
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Language {
    Python,
    Rust,
}

/// A file with its present content.
struct Stub {
    /// Its path from the folder of the project, with `/`.
    path: String,
    /// The action of the command.
    status: Status,
}

#[derive(Clone, Copy, PartialEq)]
enum Status {
    Written,
    Updated,
    Imports,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Written => "written",
            Status::Updated => "updated",
            Status::Imports => "kept",
        }
    }
}

/// Runs the command.
pub fn run(Stubs::Generate(options): &Stubs) -> ExitCode {
    match generate(options) {
        Ok(code) => code,
        Err(message) => fail(message),
    }
}

fn generate(options: &Options) -> Result<ExitCode, String> {
    let sources = options.files.load()?;
    let (root, settings) = (sources.root.clone(), sources.settings.clone());
    let places = sources.files_on_disk();
    let analysis = analyse(sources.files);
    let Some(model) = analysis.model.as_ref().filter(|_| !analysis.has_errors()) else {
        let errors: Vec<_> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect();
        let findings = Findings::new(&analysis.files, &errors, &settings, false);
        put(stderr(), &findings.text(Format::Human, render::Colour::Never, None));
        return Err("no stub is written, because the declaration has errors".to_owned());
    };
    let written = if options.stories || options.story.is_some() {
        let stories = chosen_stories(model, options.story.as_deref())?;
        let path = declaration(&root, &settings.project.dsl, &places);
        stories.into_iter().map(|it| write_test(&root, model, it, &path)).collect::<Result<Vec<_>, _>>()?
    } else {
        let services = chosen_services(model, options)?;
        services.into_iter().map(|(it, language)| write_stub(&root, model, it, language)).collect::<Result<Vec<_>, _>>()?
    };
    report(options, &written);
    Ok(ExitCode::SUCCESS)
}

fn report(options: &Options, written: &[Stub]) {
    if options.format == Shape::Json {
        let files: Vec<_> = written.iter().map(|it| json!({ "path": it.path, "status": it.status.word() })).collect();
        return put(stdout(), &format!("{}\n", json!({ "files": files })));
    }
    let lines: String = written.iter().map(|it| format!("{:<8} {}\n", it.status.word(), it.path)).collect();
    let what = if options.stories { "accepted story" } else { "service with `stub`" };
    put(stdout(), &if lines.is_empty() { format!("the declaration has no {what}\n") } else { lines });
}

/// The services whose stubs are written, each with its language.
fn chosen_services<'m>(model: &'m Model, options: &Options) -> Result<Vec<(&'m Service, StubLanguage)>, String> {
    let wanted = options.language.map(|language| match language {
        Language::Python => StubLanguage::Python,
        Language::Rust => StubLanguage::Rust,
    });
    let Some(name) = &options.service else {
        let declared = model.services.iter().filter_map(|it| it.stub.map(|stub| (it, wanted.unwrap_or(stub))));
        return Ok(declared.collect());
    };
    let Some(service) = model.services.iter().find(|it| it.name == *name) else {
        return Err(unknown("service", name, model.services.iter().map(|it| it.name.as_str())));
    };
    if service.adapter.is_some() {
        return Err(format!("`{name}` is a service of another system, so it has no stub"));
    }
    match wanted.or(service.stub) {
        Some(language) => Ok(vec![(service, language)]),
        None => Err(format!("service `{name}` has no `stub`; add `stub: rust` or `stub: python`, or use `--language`")),
    }
}

fn chosen_stories<'m>(model: &'m Model, id: Option<&str>) -> Result<Vec<&'m Story>, String> {
    let Some(id) = id else {
        return Ok(model.stories.iter().filter(|it| it.status == StoryStatus::Accepted).collect());
    };
    let Some(story) = model.stories.iter().find(|it| it.name == id) else {
        return Err(unknown("story", id, model.stories.iter().map(|it| it.name.as_str())));
    };
    if story.status != StoryStatus::Accepted {
        return Err(format!("story `{id}` is not accepted; a test belongs to an accepted story, so add `status: accepted`"));
    }
    Ok(vec![story])
}

/// The error for a name without a declaration, with the nearest name.
fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match diagnostic::nearest(name, known.clone()) {
        Some(near) => format!("there is no {what} `{name}`; did you mean `{near}`?"),
        None => match known.collect::<Vec<_>>().as_slice() {
            [] => format!("there is no {what} `{name}`; the declaration has none"),
            known => format!("there is no {what} `{name}`; the declaration has {}", known.join(", ")),
        },
    }
}

/// The path of the declaration from the folder of the project: what dz.toml names, else the file, else the folder of several files.
fn declaration(root: &Path, named: &[String], places: &[PathBuf]) -> String {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    if let [path] = named
        && places.iter().all(|place| place.starts_with(root.join(path)))
    {
        return path.clone();
    }
    let mut common = places.first().cloned().unwrap_or_else(|| root.join("app.dsl"));
    while !places.iter().all(|place| place.starts_with(&common)) && common.pop() {}
    let inside = common.strip_prefix(&root).unwrap_or(&common);
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn write_stub(root: &Path, model: &Model, service: &Service, language: StubLanguage) -> Result<Stub, String> {
    let path = format!("{}/{}", stubs::FOLDER, stubs::file_name(service, language));
    write_file(root, path, &|| stubs::create(model, service, language), &|text| stubs::update(model, service, language, text))
}

fn write_test(root: &Path, model: &Model, it: &Story, declaration: &str) -> Result<Stub, String> {
    let path = format!("{}/{}", story::FOLDER, story::file_name(it));
    write_file(root, path, &|| story::create(model, it, declaration), &|text| story::update(it, text))
}

/// Writes a new file, or the new parts of an existing one.
fn write_file(root: &Path, path: String, create: &dyn Fn() -> String, update: &dyn Fn(&str) -> String) -> Result<Stub, String> {
    let file = root.join(&path);
    let wrong = |error: std::io::Error| format!("{path} cannot be written: {error}");
    let existing = match fs::read(&file) {
        Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8; save it as UTF-8"))?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{path} cannot be read: {error}")),
    };
    let Some(existing) = existing else {
        fs::create_dir_all(file.parent().unwrap_or(root)).map_err(wrong)?;
        fs::write(&file, create()).map_err(wrong)?;
        return Ok(Stub { path, status: Status::Written });
    };
    let text = update(&existing);
    if text == existing {
        return Ok(Stub { path, status: Status::Imports });
    }
    write::replace(&file, &path, &text)?;
    Ok(Stub { path, status: Status::Updated })
}
