//! `dz.toml`: the optional settings beside Cargo.toml.

use std::collections::BTreeMap;

use crate::diagnostic::nearest;

/// The content of `dz.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// `[project] name`
    pub name: Option<String>,
    /// `[project] dsl`: files and folders.
    pub dsl: Vec<String>,
    /// `[project] database`: `sqlite` or `postgres`.
    pub database: Option<String>,
    /// `[project] migrations`: folder of the database's migrations.
    pub migrations: Option<String>,
    /// `[project] templates`: folder of replaced templates.
    pub templates: Option<String>,
    /// `[lints]`: rule to `allow`, `warn` or `deny`.
    pub lints: BTreeMap<String, String>,
}

const SECTIONS: &[&str] = &["project", "lints", "ejection"];
const DSL: &str = "dz.toml: `dsl` must be a path or a list of paths, each a string";
const KEYS: &[&str] = &["name", "dsl", "database", "migrations", "templates"];

/// Parses a `dz.toml`. An error is one sentence with the cause and the correction.
///
/// ```
/// let project = dz_dsl_file::project::read("[project]\ndatabase = \"sqlite\"\n").unwrap();
/// assert_eq!(project.database.as_deref(), Some("sqlite"));
/// assert!(dz_dsl_file::project::read("[projct]\n").unwrap_err().contains("`project`"));
/// ```
pub fn read(text: &str) -> Result<Project, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text.get(..span.start).unwrap_or(text).matches('\n').count() + 1);
        format!("dz.toml: line {line} is not TOML: {}", error.message().lines().next().unwrap_or_default())
    })?;
    let mut project = Project::default();
    for (section, value) in &table {
        let Some(value) = value.as_table() else {
            return Err(format!("dz.toml: `{section}` must be a section, `[{section}]`"));
        };
        match section.as_str() {
            "project" => read_project(value, &mut project)?,
            "lints" => read_lints(value, &mut project)?,
            "ejection" => {}
            other => return Err(unknown("section", other, SECTIONS)),
        }
    }
    Ok(project)
}

fn read_lints(table: &toml::Table, project: &mut Project) -> Result<(), String> {
    for (rule, level) in table {
        if !crate::rules().any(|known| known.name == rule) {
            return Err(match nearest(rule, crate::rules().map(|known| known.name)) {
                Some(near) => format!("dz.toml: there is no rule `{rule}`; did you mean `{near}`?"),
                None => format!("dz.toml: there is no rule `{rule}`; findings name theirs in square brackets"),
            });
        }
        match level.as_str() {
            Some(level @ ("allow" | "warn" | "deny")) => project.lints.insert(rule.clone(), level.to_owned()),
            _ => return Err(format!("dz.toml: the lint `{rule}` must be \"allow\", \"warn\" or \"deny\"")),
        };
    }
    Ok(())
}

fn read_project(table: &toml::Table, project: &mut Project) -> Result<(), String> {
    for (key, value) in table {
        let text = || value.as_str().map(str::to_owned).ok_or_else(|| format!("dz.toml: `{key}` must be a string"));
        match key.as_str() {
            "name" => project.name = Some(text()?),
            "templates" => project.templates = Some(text()?),
            "migrations" => project.migrations = Some(text()?),
            "database" => project.database = Some(engine(&text()?).map_err(|wrong| format!("dz.toml: {wrong}"))?.to_owned()),
            "dsl" => {
                project.dsl = match value {
                    toml::Value::String(one) => vec![one.clone()],
                    toml::Value::Array(many) => many.iter().map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>().ok_or(DSL)?,
                    _ => return Err(DSL.to_owned()),
                }
            }
            other => return Err(unknown("key", other, KEYS)),
        }
    }
    Ok(())
}

/// Checks the name of an engine. An error is a sentence without its full stop.
///
/// ```
/// assert_eq!(dz_dsl_file::project::engine("postgres"), Ok("postgres"));
/// assert!(dz_dsl_file::project::engine("mysql").is_err());
/// ```
pub fn engine(name: &str) -> Result<&str, String> {
    match name {
        "sqlite" | "postgres" => Ok(name),
        other => Err(format!("`database` is \"sqlite\" or \"postgres\", not \"{other}\"")),
    }
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("dz.toml: unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("dz.toml: unknown {what} `{name}`; known ones are {}", crate::syntax::list(known)),
    }
}
