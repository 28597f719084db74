//! The version and the features of dz in `Cargo.toml`.

use dz_dsl_file::emit::schema::Engine;
use toml::{Table, Value};

use super::{Check, Project, environment::version, storage};

pub(super) fn check(project: &Project, checks: &mut Vec<Check>) {
    let Some(manifest) = &project.manifest else {
        checks.push(Check::warning(
            "version",
            format!("there is no Cargo.toml in {}; only the declaration and the settings are checked", project.root.display()),
            "create a package with `dz new`, or name the declaration of one with `--file`",
        ));
        return;
    };
    let Some(dependency) = manifest.get("dependencies").and_then(|it| it.get("dz")) else {
        checks.push(Check::problem(
            "version",
            "Cargo.toml has no dependency `dz`",
            format!("add `dz = \"{}\"`", env!("CARGO_PKG_VERSION")),
        ));
        return;
    };
    checks.push(versions(project, dependency));
    features(project, dependency, checks);
}

/// Compares the version that the application uses with that of this command.
fn versions(project: &Project, dependency: &Value) -> Check {
    let own = env!("CARGO_PKG_VERSION");
    let packages = project.lock.as_ref().and_then(|it| it.get("package")).and_then(Value::as_array);
    let locked = packages.into_iter().flatten().find(|it| it.get("name").and_then(Value::as_str) == Some("dz"));
    let written = dependency.as_str().or_else(|| dependency.get("version").and_then(Value::as_str));
    let used = locked.and_then(|it| it.get("version")).and_then(Value::as_str).or(written);
    match used {
        Some(used) if version(used) == version(own) => Check::ok("version", format!("dz {used}")),
        Some(used) => Check::problem(
            "version",
            format!("the application uses dz {used}, and this command is dz {own}: they can disagree about the declaration"),
            format!(
                "update the dependency with `cargo update -p dz`, or install the command of that version: `cargo install dz-cli --version {used}`"
            ),
        ),
        None => Check::ok("version", "dz from a path or a repository"),
    }
}

/// The features that the engine and the declaration need.
fn features(project: &Project, dependency: &Value, checks: &mut Vec<Check>) {
    let own = Table::new();
    let table = dependency.as_table().unwrap_or(&own);
    if table.get("workspace").and_then(Value::as_bool) == Some(true) {
        return;
    }
    let listed =
        |name: &str| table.get("features").and_then(Value::as_array).is_some_and(|all| all.iter().any(|it| it.as_str() == Some(name)));
    let has_defaults = table.get("default-features").and_then(Value::as_bool).unwrap_or(true);
    let mut needed: Vec<(&str, bool, String)> = Vec::new();
    match project.engine() {
        Engine::Sqlite => needed.push(("sqlite", true, "the database is SQLite".to_owned())),
        Engine::Postgres => needed.push(("postgres", false, "the database is PostgreSQL".to_owned())),
    }
    if project.settings.has("oidc") {
        needed.push(("oidc", false, "Rocket.toml names a provider of OpenID Connect".to_owned()));
    }
    if let Some(key) = storage::bucket_key(&project.settings) {
        needed.push(("s3", false, format!("`{key}` is a bucket of object storage")));
    }
    if let Some(entity) = project.model().and_then(|model| model.entities.iter().find(|it| it.node.is_some())) {
        needed.push(("graph-algorithms", true, format!("`{}` is a node of a graph, whose paths respond with 501 otherwise", entity.name)));
    }
    let missing: Vec<_> = needed.iter().filter(|(name, is_default, _)| !(listed(name) || *is_default && has_defaults)).collect();
    for (name, _, reason) in &missing {
        checks.push(Check::problem(
            "features",
            format!("the feature `{name}` of dz is missing: {reason}"),
            format!("add it in Cargo.toml: `features = [\"{name}\"]`"),
        ));
    }
    if missing.is_empty() {
        let names: Vec<&str> = needed.iter().map(|(name, ..)| *name).collect();
        checks.push(Check::ok("features", format!("the needed ones are there: {}", names.join(", "))));
    }
}
