//! The configuration of the application: Rocket.toml and the environment.

use std::{env, fs, path::Path};

use dz_dsl_file::emit::schema::Engine;
use toml::{Table, Value};

use super::{Check, Project, table};

/// The values of one profile.
pub(super) struct Settings {
    profile: String,
    /// The tables, the most specific one first: the profile, then `default`.
    tables: Vec<Table>,
    /// The address of the database in the environment.
    url: Option<String>,
    has_file: bool,
}

impl Settings {
    /// Reads Rocket.toml.
    pub fn read(root: &Path, profile: &str, checks: &mut Vec<Check>) -> Settings {
        let path = root.join("Rocket.toml");
        let file = table("settings", &path, checks).unwrap_or_default();
        let of = |name: &str| file.get(name).and_then(Value::as_table).cloned();
        let tables = ["global", profile, "default"].into_iter().filter_map(of).collect();
        let url = env::var("DATABASE_URL").ok().filter(|it| !it.is_empty());
        Settings { profile: profile.to_owned(), tables, url, has_file: path.is_file() }
    }

    /// A key of Rocket.
    fn rocket(&self, key: &str) -> Option<&Value> {
        self.tables.iter().find_map(|it| it.get(key))
    }

    /// A key of dz.
    fn value(&self, key: &str) -> Option<&Value> {
        self.tables.iter().filter_map(|it| it.get("dz")).find_map(|it| it.get(key))
    }

    /// A text of dz; an empty one has the meaning of no key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key).and_then(Value::as_str).filter(|it| !it.is_empty())
    }

    /// A table of dz.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.value(key).and_then(Value::as_table)
    }

    /// True if a key of dz is set.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn is_on(&self, key: &str) -> bool {
        self.value(key).and_then(Value::as_bool) == Some(true)
    }

    /// The address of the database, if it is set.
    pub fn database_url(&self) -> Option<&str> {
        self.url.as_deref().or_else(|| self.text("database_url"))
    }
}

pub(super) fn check(project: &Project, checks: &mut Vec<Check>) {
    let before = checks.len();
    engine(project, checks);
    transport(&project.settings, checks);
    limits(&project.settings, checks);
    secrets(project, checks);
    if checks.len() == before {
        let source = if project.settings.has_file { "Rocket.toml" } else { "the defaults" };
        checks.push(Check::ok("settings", format!("no insecure setting in {source}, profile `{}`", project.settings.profile)));
    }
}

fn engine(project: &Project, checks: &mut Vec<Check>) {
    let Some(declared) = project.file.project.database.filter(|it| *it != project.engine()) else { return };
    let word = |engine: Engine| engine.as_str();
    checks.push(Check::problem(
        "settings",
        format!("the address of the database is for {}, but dz.toml says `database = \"{}\"`", word(project.engine()), word(declared)),
        "correct `DATABASE_URL`, `dz.database_url` or dz.toml",
    ));
}

/// Sessions and passwords on their way.
fn transport(settings: &Settings, checks: &mut Vec<Check>) {
    let (url, is_insecure) = (settings.text("public_url"), settings.is_on("insecure_http"));
    if is_insecure {
        checks.push(Check::warning(
            "settings",
            format!("`dz.insecure_http` is on in the profile `{}`: passwords and sessions are sent unencrypted", settings.profile),
            "remove it, and set `dz.public_url` to the https address of the proxy",
        ));
    }
    let address = settings.rocket("address").and_then(Value::as_str).unwrap_or("127.0.0.1");
    let is_local = address.starts_with("127.") || matches!(address, "::1" | "localhost");
    if !is_local && !is_insecure && url.is_none_or(|it| !it.starts_with("https://")) {
        checks.push(Check::problem(
            "settings",
            format!("`address = \"{address}\"` serves other machines without https: the application does not start"),
            "set `dz.public_url` to the https address of the proxy",
        ));
    }
    if settings.has_file && url.is_none() && is_local {
        checks.push(Check::warning(
            "settings",
            format!(
                "the profile `{}` has no `dz.public_url`: cookies are not limited to https, and mails contain no links",
                settings.profile
            ),
            "set it to the address under which browsers reach the application",
        ));
    }
}

/// Limits and schemas that attackers use.
fn limits(settings: &Settings, checks: &mut Vec<Check>) {
    let limits = settings.value("rate_limits").and_then(Value::as_table);
    if limits.and_then(|it| it.get("auth")).and_then(Value::as_integer) == Some(0) {
        checks.push(Check::warning("settings", "`dz.rate_limits.auth` is 0: passwords can be guessed without a limit", "remove it"));
    }
    if settings.is_on("graphql_introspection") && settings.profile == "release" {
        checks.push(Check::warning(
            "settings",
            "`dz.graphql_introspection` is on in the profile `release`: every caller can read the schema",
            "remove it, or use `dz.graphql_documents`",
        ));
    }
}

/// Secrets in a file that is probably committed.
fn secrets(project: &Project, checks: &mut Vec<Check>) {
    let ignored = fs::read_to_string(project.root.join(".gitignore")).unwrap_or_default();
    if ignored.lines().any(|line| matches!(line.trim(), "Rocket.toml" | "/Rocket.toml")) {
        return;
    }
    let settings = &project.settings;
    let mut found: Vec<(&str, &str)> = Vec::new();
    if settings.text("database_url").is_some_and(has_password) {
        found.push(("dz.database_url", "DATABASE_URL"));
    }
    if settings.has("secrets") {
        found.push(("dz.secrets", "DZ_SECRETS"));
    }
    if settings.table("s3").is_some_and(|it| it.contains_key("secret_access_key")) {
        found.push(("dz.s3.secret_access_key", "AWS_SECRET_ACCESS_KEY"));
    }
    let providers = settings.value("oidc").and_then(Value::as_table).into_iter().flatten();
    if providers.into_iter().any(|(_, it)| it.get("client_secret").is_some()) {
        found.push(("dz.oidc.<name>.client_secret", "DZ_OIDC_<NAME>_CLIENT_SECRET"));
    }
    for (key, variable) in found {
        checks.push(Check::warning(
            "secrets",
            format!("Rocket.toml contains the secret `{key}`, and .gitignore does not list the file"),
            format!("set the environment variable `{variable}` in its place"),
        ));
    }
}

/// True for `scheme://user:password@host`.
fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().and_then(|authority| authority.rsplit_once('@')).is_some_and(|(user, _)| user.contains(':'))
}
