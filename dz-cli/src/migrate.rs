//! `dz migrate diff`

mod defaults;
mod online;
mod report;

use std::{
    fs,
    io::stderr,
    path::{Path, PathBuf},
    process::ExitCode,
};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use clap::{Args, Subcommand, ValueEnum};
use dz_dsl_file::{
    Severity, analyse,
    emit::schema::{
        Column, Engine, Schema, Table,
        diff::{self, Class, Migration, Script, Step},
        partitions, snapshot,
        unfilled::{PLACEHOLDER, unfilled},
    },
    model::Model,
    project::ProjectFile,
};
use report::{Line, report, report_end, report_steps};

use crate::{
    findings::{Findings, Format},
    output::{Coloured, fail, put},
    sources::Files,
};

/// Options of `dz migrate`.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Writes the migration from the result of the last one to the declaration
    Diff(Diff),
}

#[derive(Args)]
struct Diff {
    /// The name of the migration
    name: Option<String>,
    #[command(flatten)]
    files: Files,
    /// Fails if there is a difference, and writes nothing
    #[arg(long, conflicts_with_all = ["name", "allow_destructive"])]
    check: bool,
    /// The value of a new required field in existing rows, such as `Task.priority=normal`; it can be repeated
    #[arg(long = "default", value_name = "ENTITY.FIELD=VALUE")]
    defaults: Vec<String>,
    /// Also writes steps that lose data, or that fail on rows that do not fit
    #[arg(long)]
    allow_destructive: bool,
    /// Writes migrations for PostgreSQL that are applied while instances of the previous and of the new version run
    #[arg(long)]
    online: bool,
    /// The engine of the migrations; by default that of dz.toml, or else sqlite
    #[arg(long, value_enum)]
    database: Option<Database>,
    /// The format of the steps
    #[arg(long, value_enum, default_value = "human")]
    format: StepsFormat,
    #[command(flatten)]
    colours: Coloured,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Database {
    Sqlite,
    Postgres,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum StepsFormat {
    Human,
    Json,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let What::Diff(options) = &options.what;
    match write_difference(options) {
        Ok(code) => code,
        Err(message) => fail(message),
    }
}

fn write_difference(options: &Diff) -> Result<ExitCode, String> {
    let sources = options.files.load()?;
    let (root, settings, places) = (sources.root.clone(), sources.settings.clone(), sources.files_on_disk());
    let analysis = analyse(sources.files);
    let findings = Findings::new(&analysis.files, &analysis.diagnostics, &settings, false);
    let model = match &analysis.model {
        Some(model) if findings.count(Severity::Error) == 0 => model,
        _ => {
            put(stderr(), &findings.text(Format::Human, options.colours.on(&stderr()), None));
            return Err("nothing is written, because a build would refuse the declaration".to_owned());
        }
    };
    let engine = match options.database {
        Some(Database::Postgres) => Engine::Postgres,
        Some(Database::Sqlite) => Engine::Sqlite,
        None => settings.project.database.unwrap_or(Engine::Sqlite),
    };
    let folder = root.join(settings.project.migrations.as_deref().unwrap_or("migrations"));
    let before = last_schema(&folder, engine)?;
    if let Some(refusal) = partitions::refusal(model, &settings.project) {
        return Err(refusal);
    }
    let schema = Schema::from_project(model, &settings.project);
    check_former_names(model, &before, &schema)?;
    let filled = defaults::fill(&options.defaults, &analysis, &before, &schema, engine)?;
    let first = before.tables.is_empty();
    let change = match options.online {
        true => online::change(&before, &filled, engine)?,
        false => diff::migration(&before, &filled, engine).map(|migration| Change::in_one_step(migration, engine)),
    };
    let Some(change) = change else {
        report(options, &[], &[], "the migrations match the declaration; nothing to write");
        return Ok(ExitCode::SUCCESS);
    };
    if options.check {
        report(options, &change.lines, &[], "");
        return Err("the declaration has changed since the last migration; write the next one with `dz migrate diff`".to_owned());
    }
    let needed = defaults::request(&unfilled(&before, &filled, engine));
    refuse_destructive(options, &change, &needed)?;
    let name = name(options.name.as_deref(), first)?;
    // The steps are printed before anything is written.
    report_steps(options, &change.lines);
    let written = write(&folder, &name, &change.parts, &snapshot::write(&schema, engine)?)?;
    if first {
        // Cargo only watches files that it knows, and the first migration is a new one.
        touch_files(&places);
    }
    let placeholders =
        if needed.is_empty() { String::new() } else { format!("; write the missing values at `{PLACEHOLDER}` in its up.sql") };
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    report_end(options, &change.lines, &written, &format!("wrote {}{placeholders}", names.join("\nwrote ")));
    Ok(ExitCode::SUCCESS)
}

/// What the command writes.
struct Change {
    /// The steps, for the output.
    lines: Vec<Line>,
    /// The migrations.
    parts: Vec<Part>,
}

/// A migration to write.
struct Part {
    /// The end of its name; `None` for the only one.
    name: Option<String>,
    /// The first lines of its up.sql.
    summary: String,
    up: Script,
    down: Script,
}

impl Change {
    fn in_one_step(migration: Migration, engine: Engine) -> Change {
        let Migration { steps, up, down } = migration;
        let summary = summary(&steps);
        let lines = steps.into_iter().map(|step| Line::of_transaction(step, engine)).collect();
        Change { lines, parts: vec![Part { name: None, summary, up, down }] }
    }
}

/// The migrations of a project, and the missing steps.
pub struct Missing {
    /// The number of migrations.
    pub existing: usize,
    /// The steps from their result to the declaration.
    pub steps: Vec<String>,
}

/// Compares the migrations of a project with its declaration.
///
/// # Errors
/// One sentence about migrations that cannot be read.
pub fn missing_steps(root: &Path, settings: &ProjectFile, engine: Engine, model: &Model) -> Result<Missing, String> {
    let folder = root.join(settings.project.migrations.as_deref().unwrap_or("migrations"));
    let before = last_schema(&folder, engine)?;
    let migration = diff::migration(&before, &Schema::from_project(model, &settings.project), engine);
    let steps = migration.map(|it| it.steps.into_iter().map(|step| step.what).collect()).unwrap_or_default();
    Ok(Missing { existing: existing_names(&folder).len(), steps })
}

/// Refuses steps that lose data or that can fail on existing rows, unless they are allowed; `needed` names the fields without a value.
fn refuse_destructive(options: &Diff, change: &Change, needed: &str) -> Result<(), String> {
    let destructive: Vec<&str> =
        change.lines.iter().filter(|line| line.step.class == Class::Destructive).map(|line| line.step.what.as_str()).collect();
    if destructive.is_empty() || options.allow_destructive {
        return Ok(());
    }
    report(options, &change.lines, &[], "");
    Err(format!(
        "nothing is written: this migration {}; to write it anyway, add `--allow-destructive`{}{needed}",
        destructive.join(", and it "),
        rename_hint(change)
    ))
}

/// The schema after the last migration.
fn last_schema(folder: &Path, engine: Engine) -> Result<Schema, String> {
    let path = folder.join(snapshot::FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return match existing_names(folder).is_empty() {
                true => Ok(Schema::default()),
                false => Err(format!(
                    "{} contains migrations but no {}, which describes their result: restore it, or remove the migrations",
                    folder.display(),
                    snapshot::FILE
                )),
            };
        }
        Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
    };
    let (schema, of) =
        snapshot::read(&text).map_err(|wrong| format!("{}: {wrong}; restore it from your version control", path.display()))?;
    if of != engine {
        let word = |engine| if engine == Engine::Sqlite { "sqlite" } else { "postgres" };
        return Err(format!(
            "the migrations in {} are for {}, not for {}: name another folder for these with `migrations` in dz.toml",
            folder.display(),
            word(of),
            word(engine)
        ));
    }
    Ok(schema)
}

/// The names of the existing migrations.
fn existing_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("up.sql").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Refuses a `was:` without a former object: it is misspelt, or was applied by an earlier migration.
fn check_former_names(model: &Model, before: &Schema, now: &Schema) -> Result<(), String> {
    for table in &now.tables {
        let former = before.table(&table.name).or_else(|| {
            let was = table.was.as_deref()?;
            before.tables.iter().find(|it| it.name == was || it.entity.as_deref() == Some(was))
        });
        check_former_table(model, table, former, before, now)?;
        let Some(former) = former else { continue };
        for column in &table.columns {
            let Some(was) = column.was.as_deref() else { continue };
            if former.column(&column.name).is_none() && former.column(was).is_none() && is_written(model, table, column) {
                let entity = entity_of(model, table);
                return Err(format!(
                    "`{entity}.{}` has `was: {was}`, but no such field existed; correct the name, or remove it",
                    column.name
                ));
            }
            // The former name belongs to another field afterwards: its values would stay there.
            if former.column(&column.name).is_none() && table.column(was).is_some() {
                let entity = entity_of(model, table);
                return Err(format!(
                    "`{entity}.{}` has `was: {was}`, but `{entity}` has a field `{was}` as well; rename in one migration, and add the new `{was}` \
                     in the next",
                    column.name
                ));
            }
        }
    }
    Ok(())
}

/// True for a field that the declaration contains, and not only its archetype.
fn is_written(model: &Model, table: &Table, column: &Column) -> bool {
    let entity = model.entities.iter().find(|it| it.table == table.name);
    !entity.is_some_and(|entity| entity.fields.iter().any(|field| field.name == column.name && !entity.has_written(field)))
}

fn entity_of<'m>(model: &'m Model, table: &'m Table) -> &'m str {
    model.entities.iter().find(|it| it.table == table.name).map_or(table.name.as_str(), |it| it.name.as_str())
}

/// Checks the former name of a new entity.
fn check_former_table(model: &Model, table: &Table, former: Option<&Table>, before: &Schema, now: &Schema) -> Result<(), String> {
    // The first migration creates every table.
    let is_new = !before.tables.is_empty() && before.table(&table.name).is_none();
    let Some(was) = table.was.as_deref().filter(|_| is_new) else { return Ok(()) };
    let entity = entity_of(model, table);
    match former {
        None => Err(format!("`{entity}` has `was: {was}`, but no such entity existed; correct the name, or remove it")),
        Some(former) if now.table(&former.name).is_some() => Err(format!(
            "`{entity}` has `was: {was}`, but there is an entity `{was}` as well; rename in one migration, and add the new `{was}` in the next"
        )),
        Some(_) => Ok(()),
    }
}

/// Proposes `was:` if one column is dropped and another one of its type is added.
fn rename_hint(change: &Change) -> String {
    let any = |start: &str| change.lines.iter().any(|line| line.step.what.starts_with(start));
    let (drops, adds) = (any("drops the column"), any("adds the"));
    if drops && adds { ", or write `was: old_name` at a field that was renamed".to_owned() } else { String::new() }
}

fn name(wanted: Option<&str>, first: bool) -> Result<String, String> {
    let name = wanted.unwrap_or(if first { "initial" } else { "changes" });
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(fits) {
        return Err(format!("the name of a migration has lower-case letters, digits and `_`, such as `add_due_date`; `{name}` does not"));
    }
    Ok(name.to_owned())
}

/// Writes each migration completely or not at all, and then the snapshot in the same way.
fn write(folder: &Path, name: &str, parts: &[Part], snapshot: &str) -> Result<Vec<PathBuf>, String> {
    let wrong = |path: &Path, error: std::io::Error| format!("{} cannot be written: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| wrong(folder, error))?;
    let mut names = existing_names(folder);
    let mut written = Vec::new();
    for part in parts {
        let end = part.name.as_ref().map_or_else(String::new, |end| format!("_{end}"));
        let full = format!("{}_{name}{end}", timestamp(&names));
        let target = folder.join(&full);
        names.push(full);
        let aside = tempfile::Builder::new().prefix(".dz-").tempdir_in(folder).map_err(|error| wrong(folder, error))?;
        let mut files = vec![("up.sql", part.summary.clone() + &part.up.sql), ("down.sql", part.down.sql.clone())];
        if !part.up.in_transaction {
            files.push(("metadata.toml", "run_in_transaction = false\n".to_owned()));
        }
        for (file, text) in files {
            fs::write(aside.path().join(file), text).map_err(|error| wrong(&target.join(file), error))?;
        }
        let aside = aside.keep();
        fs::rename(&aside, &target).map_err(|error| wrong(&target, error))?;
        written.push(target);
    }
    let path = folder.join(snapshot::FILE);
    crate::write::replace(&path, &path.display().to_string(), snapshot)?;
    Ok(written)
}

/// A summary for the reviewer.
fn summary(steps: &[Step]) -> String {
    steps.iter().map(|step| format!("-- {}: {}\n", step.class.as_str(), step.what)).collect::<String>() + "\n"
}

/// The current time as diesel writes it, later than every existing migration.
fn timestamp(existing: &[String]) -> String {
    const FORMAT: &str = "%Y-%m-%d-%H%M%S";
    let latest = existing.last().and_then(|name| NaiveDateTime::parse_from_str(name.split('_').next()?, FORMAT).ok());
    let now: DateTime<Utc> = Utc::now();
    let stamp = match latest {
        Some(latest) if latest >= now.naive_utc() - TimeDelta::seconds(1) => latest + TimeDelta::seconds(1),
        _ => now.naive_utc(),
    };
    stamp.format(FORMAT).to_string()
}

/// Makes cargo rebuild the application.
fn touch_files(places: &[PathBuf]) {
    if let Some(file) = places.first().and_then(|path| fs::File::options().append(true).open(path).ok()) {
        // If this fails, the next change of the declaration triggers the rebuild.
        let _ = file.set_modified(std::time::SystemTime::now());
    }
}
