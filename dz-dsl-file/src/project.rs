//! `dz.toml`: the optional settings beside Cargo.toml.

mod ejection;
mod theme;

use std::collections::BTreeMap;

use dz_settings::{Place, Problem, Settings as _, Table, Value, kind, settings};
pub use ejection::{Backend, Ci, CiTemplate, Contract, Ejection, Frontend, Output, Testing};
pub use theme::{Density, Radius, Theme};

use crate::{diagnostic::nearest, emit::schema::Engine};

settings! {
    /// The table `[project]`.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Project {
        /// The name of the project, for readers; dz does not use it.
        name: Option<String> as kind::optional(kind::text()), default None;
        /// The files and folders of the declaration, which the commands read.
        dsl: Vec<String> as kind::list_or_one("paths", path()), default Vec::new(), shown "`app.dsl`";
        /// The engine of the database.
        database: Option<Engine> as kind::optional(engine()), default None,
            shown "`sqlite`; for an application, the only engine that is compiled in";
        /// The type of keys and references in the generated Rust: `plain` is the stored type (`Uuid`), `typed` is a type for each entity (`Id<Task>`).
        keys: Keys as keys(), default Keys::Plain, shown "`plain`";
        /// The folder of the [migrations](migrations.md).
        migrations: Option<String> as kind::optional(path()), default None, shown "`migrations`";
        /// The folder of the texts in other [languages](languages.md).
        locales: Option<String> as kind::optional(path()), default None, shown "`locales`";
        /// The folder of the application's own templates.
        templates: Option<String> as kind::optional(path()), default None, shown "`templates`";
        /// On PostgreSQL, the partitions of the audit log, the pending events and the history of runs: `month` or `none` ([partitions by month](running.md#partitions-by-month)).
        history_partitions: HistoryPartitions as history_partitions(), default HistoryPartitions::None, shown "`none`";
        /// On PostgreSQL, the number of partitions into which each table with tenants is divided by tenant; 0 leaves it undivided ([partitions by tenant](tenancy.md#partitions-by-tenant)).
        tenant_partitions: u32 as kind::whole_of("partitions", 0..=1_024), default 0;
    }
}

settings! {
    /// The content of `dz.toml`.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct ProjectFile {
        /// The declaration, its database and its templates.
        project: Project as kind::table(), default Project::default(), shown "the defaults of its keys";
        /// The level of each rule of the language, by the name of the [rule](language/rules.md): `allow`, `warn` or `deny`.
        lints: BTreeMap<String, Level> as kind::by_name("levels", check_rule, levels()), default BTreeMap::new(), shown "the level of each rule";
        /// The look of the pages.
        theme: Theme as kind::table(), default Theme::default(), shown "the defaults of its keys";
        /// What `dz eject` writes, and where.
        ejection: Ejection as kind::table(), default Ejection::default(), shown "the defaults of its keys";
    }
}

/// The keys of `[project]` that a call of `include_dsl!` can replace for its application.
pub const OPTIONS_OF_CALL: &[&str] = &["database", "keys", "migrations", "locales", "templates", "history_partitions", "tenant_partitions"];

/// The partitions of dz's own tables whose rows are kept for a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HistoryPartitions {
    /// The tables are not divided.
    #[default]
    None,
    /// Each month has a partition.
    Month,
}

/// The type of keys in the generated Rust.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keys {
    /// The stored type: `Uuid`, `i64` or `String`.
    #[default]
    Plain,
    /// A type for each entity: `Id<Task>`.
    Typed,
}

/// The level of the findings of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// They are not reported.
    Allow,
    /// They are warnings.
    Warn,
    /// They are errors.
    Deny,
}

fn path() -> kind::Parse<String> {
    kind::parse("a path", |text| Some(text.to_owned()))
}

fn engine() -> kind::Choice<Engine> {
    kind::choice(const { &[(Engine::Sqlite.as_str(), Engine::Sqlite), (Engine::Postgres.as_str(), Engine::Postgres)] })
}

fn keys() -> kind::Choice<Keys> {
    kind::choice(&[("plain", Keys::Plain), ("typed", Keys::Typed)])
}

fn history_partitions() -> kind::Choice<HistoryPartitions> {
    kind::choice(&[("none", HistoryPartitions::None), ("month", HistoryPartitions::Month)])
}

fn levels() -> kind::Choice<Level> {
    kind::choice(&[("allow", Level::Allow), ("warn", Level::Warn), ("deny", Level::Deny)])
}

fn check_rule(name: &str, lints: &Place<'_>) -> Result<(), Problem> {
    let known: Vec<&'static str> = crate::rules().map(|rule| rule.name).chain([crate::locales::RULE]).collect();
    if known.contains(&name) { Ok(()) } else { Err(lints.reject_key(name, &known)) }
}

/// Reads the text of a `dz.toml`. An error is one sentence that names the key, the value and the correction.
///
/// ```
/// use dz_dsl_file::{emit::schema::Engine, project::read};
/// assert_eq!(read("[project]\ndatabase = \"sqlite\"\n").unwrap().project.database, Some(Engine::Sqlite));
/// assert!(read("[projct]\n").unwrap_err().contains("`project`"));
/// ```
pub fn read(text: &str) -> Result<ProjectFile, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text.get(..span.start).unwrap_or(text).matches('\n').count() + 1);
        format!("dz.toml: line {line} is not TOML: {}", error.message().lines().next().unwrap_or_default())
    })?;
    let values = table.into_iter().map(|(key, value)| (key, from_toml(value))).collect();
    ProjectFile::read(Table::new("", values, &no_variable)).map_err(|problem| format!("dz.toml: {}", sentence(&problem)))
}

impl Project {
    /// Replaces a key by an option of `include_dsl!`. An error is a sentence without its end.
    ///
    /// ```
    /// let mut project = dz_dsl_file::project::Project::default();
    /// assert!(project.set_option("migrations", "db").is_ok());
    /// assert_eq!(project.set_option("template", "db").unwrap_err(), "unknown key `template`; did you mean `templates`?");
    /// ```
    pub fn set_option(&mut self, name: &str, text: &str) -> Result<(), String> {
        let place = Place::new("", &no_variable);
        let set = if OPTIONS_OF_CALL.contains(&name) {
            // The options of a call are texts.
            let number = if name == "tenant_partitions" { text.parse().ok().map(Value::Whole) } else { None };
            self.set(&place, name, number.unwrap_or_else(|| Value::Text(text.to_owned())))
        } else {
            Err(place.reject_key(name, OPTIONS_OF_CALL))
        };
        set.map_err(|problem| sentence(&problem))
    }
}

/// The language reads no environment variables.
fn no_variable(_: &str) -> Option<String> {
    None
}

fn sentence(problem: &Problem) -> String {
    let near = |name: &str, known: &[&'static str]| nearest(name, known.iter().copied()).map(str::to_owned);
    match problem {
        Problem::UnknownKey { table, key, known } if table == "lints" => match near(key, known) {
            Some(near) => format!("there is no rule `{key}`; did you mean `{near}`?"),
            None => format!("there is no rule `{key}`; findings name their rules in square brackets"),
        },
        Problem::WrongValue { place, value: Some(value), accepted } if place.starts_with("theme.") => {
            match nearest(value.trim_matches('"'), accepted.split('`').skip(1).step_by(2).filter(|word| !word.starts_with('.'))) {
                Some(near) => format!("`{place}` is `{value}`; did you mean `{near}`?"),
                None => problem.sentence(near),
            }
        }
        Problem::UnknownKey { .. } | Problem::WrongValue { .. } | Problem::Refused { .. } | Problem::MissingKey { .. } => {
            problem.sentence(near)
        }
    }
}

fn from_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::Text(text),
        toml::Value::Integer(number) => Value::Whole(number.into()),
        toml::Value::Boolean(value) => Value::Bool(value),
        toml::Value::Array(values) => Value::List(values.into_iter().map(from_toml).collect()),
        toml::Value::Table(values) => Value::Table(values.into_iter().map(|(key, value)| (key, from_toml(value))).collect()),
        other @ (toml::Value::Float(_) | toml::Value::Datetime(_)) => Value::Other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err(), format!("dz.toml: {expected}"));
    }

    #[test]
    fn keys_are_read() {
        let file =
            read("[project]\ndsl = \"a.dsl\"\ndatabase = \"postgres\"\n[lints]\nnaming = \"deny\"\n[ejection]\nenabled = true\n").unwrap();
        assert_eq!((file.project.dsl.as_slice(), file.project.database), (&["a.dsl".to_owned()][..], Some(Engine::Postgres)));
        assert_eq!(file.lints.get("naming"), Some(&Level::Deny));
        assert_eq!(read("[project]\ndsl = [\"a\", \"b\"]\n").unwrap().project.dsl, ["a", "b"]);
        assert_eq!(read("").unwrap(), ProjectFile::default());
    }

    #[test]
    fn unknown_keys_name_the_nearest_key() {
        check("[projct]\n", "unknown key `projct`; did you mean `project`?");
        check("[project]\ndsn = \"x\"\n", "unknown key `project.dsn`; did you mean `dsl`?");
        check(
            "[project]\nzzzzzzz = 1\n",
            "unknown key `project.zzzzzzz`; known ones are name, dsl, database, keys, migrations, locales, templates, history_partitions, \
             tenant_partitions",
        );
        check("[lints]\nnamin = \"deny\"\n", "there is no rule `namin`; did you mean `naming`?");
    }

    #[test]
    fn keys_of_an_ejection_are_checked() {
        let read = |text: &str| read(text).unwrap().ejection;
        assert!(read("[ejection]\nenabled = true\n").enabled && !read("").enabled);
        assert_eq!(read("[ejection.output]\ndirectory = \"plain\"\nclean = true\n").output.directory, "plain");
        assert_eq!(read("[ejection.ci]\ntemplate = \"gitlab-ci\"\n").ci.template, CiTemplate::GitlabCi);
        check("[ejection]\nenabeld = true\n", "unknown key `ejection.enabeld`; did you mean `enabled`?");
        check("[ejection.frontend]\nframwork = \"react\"\n", "unknown key `ejection.frontend.framwork`; did you mean `framework`?");
        check("[ejection.backnd]\n", "unknown key `ejection.backnd`; did you mean `backend`?");
        check("[ejection.backend]\nframework = \"axum\"\n", "`ejection.backend.framework` is `\"axum\"`; write `rocket`");
        check("[ejection.testing]\nunit = 1\n", "`ejection.testing.unit` is `1`; write `true` or `false`");
    }

    #[test]
    fn wrong_values_are_quoted_with_what_is_accepted() {
        check("[project]\ndsl = [1]\n", "`project.dsl` is `1`; write a path");
        check("[project]\ndsl = 1.5\n", "`project.dsl` is `1.5`; write a path or a list of paths");
        check("[project]\nkeys = \"uuid\"\n", "`project.keys` is `\"uuid\"`; write `plain` or `typed`");
        check("[project]\ndatabase = \"mysql\"\n", "`project.database` is `\"mysql\"`; write `sqlite` or `postgres`");
        check("[lints]\nnaming = \"off\"\n", "`lints.naming` is `\"off\"`; write `allow`, `warn` or `deny`");
        check("[project]\nhistory_partitions = \"year\"\n", "`project.history_partitions` is `\"year\"`; write `none` or `month`");
        check(
            "[project]\ntenant_partitions = 5000\n",
            "`project.tenant_partitions` is `5000`; write a whole number of partitions from 0 to 1024",
        );
        check("project = 3\n", "`project` is `3`; write a table");
        check("[project]\nname = 3\n", "`project.name` is `3`; write a text");
    }

    #[test]
    fn options_of_a_call_are_keys() {
        let mut project = Project::default();
        project.set_option("tenant_partitions", "8").unwrap();
        project.set_option("history_partitions", "month").unwrap();
        assert_eq!((project.tenant_partitions, project.history_partitions), (8, HistoryPartitions::Month));
        assert!(project.set_option("tenant_partitions", "many").is_err());
        assert!(OPTIONS_OF_CALL.iter().all(|name| <Project as dz_settings::Settings>::NAMES.contains(name)));
    }
}
