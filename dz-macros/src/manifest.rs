//! The user's package: its dependencies, its `dz.toml`, its templates.

mod logo;

use std::path::{Path, PathBuf};

use dz_dsl_file::{
    emit::schema::{Engine, snapshot},
    locales,
    project::{self, Project, ProjectFile},
};

/// The user's package.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// Folder of its Cargo.toml; empty outside cargo.
    pub root: PathBuf,
    /// The content of dz.toml.
    pub settings: ProjectFile,
    /// The migrations of its database, if there are any.
    pub migrations: Option<Migrations>,
    /// The files of other languages, with their language, sorted.
    pub locales: Vec<(String, PathBuf)>,
    /// The lock file of the access rules, if there is one.
    pub lock: Option<PathBuf>,
    /// The logo, if `dz.toml` names one.
    pub logo: Option<PathBuf>,
    /// Files whose changes must rebuild the package.
    pub watched: Vec<PathBuf>,
}

/// The content of the folder of migrations.
#[derive(Debug)]
pub(crate) struct Migrations {
    /// The engine of the migrations.
    pub engine: Engine,
    /// The migrations, oldest first.
    pub all: Vec<Migration>,
}

/// A migration: a folder with its scripts.
#[derive(Debug)]
pub(crate) struct Migration {
    /// The text before the first `_`, without dashes, as in diesel.
    pub version: String,
    /// The folder's name.
    pub name: String,
    /// up.sql
    pub up: PathBuf,
    /// down.sql
    pub down: Option<PathBuf>,
    /// The value in metadata.toml.
    pub in_transaction: bool,
}

impl Package {
    /// Reads the package that is being compiled; `change` replaces values of `dz.toml` by the options of the call. An error is one sentence.
    pub fn read(change: impl FnOnce(&mut Project) -> Result<(), String>) -> Result<Package, String> {
        let Some(root) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else {
            return Ok(Package::default());
        };
        needs_diesel(&root)?;
        let settings = root.join("dz.toml");
        let mut package = Package { root, ..Package::default() };
        if settings.is_file() {
            let text = std::fs::read_to_string(&settings).map_err(|error| format!("{} cannot be read: {error}", settings.display()))?;
            package.settings = project::read(&text)?;
            package.watched.push(settings);
        }
        change(&mut package.settings.project)?;
        package.logo = package.settings.theme.logo.as_deref().map(|name| logo::find(&package.root, name)).transpose()?;
        package.read_migrations()?;
        package.find_locales();
        let root = package.root.clone();
        package.find_lock(&root);
        Ok(package)
    }

    /// Searches `access.lock` in a folder.
    pub fn find_lock(&mut self, folder: &Path) {
        // Absolute, because `include_str!` is relative to the file with the call.
        self.lock = folder.join("access.lock").canonicalize().ok().filter(|lock| lock.is_file());
    }

    /// Searches the files of other languages. Files with another name than that of a language are ignored.
    fn find_locales(&mut self) {
        let folder = self.root.join(self.settings.project.locales.as_deref().unwrap_or("locales"));
        let Ok(entries) = std::fs::read_dir(&folder) else { return };
        let mut found: Vec<(String, PathBuf)> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let tag = path.file_stem()?.to_str()?.to_owned();
                let is_one = path.extension().is_some_and(|it| it == locales::EXTENSION) && locales::is_language(&tag);
                is_one.then_some((tag, path))
            })
            .collect();
        found.sort();
        self.locales = found;
    }

    fn read_migrations(&mut self) -> Result<(), String> {
        let folder = self.root.join(self.settings.project.migrations.as_deref().unwrap_or("migrations"));
        let file = folder.join(snapshot::FILE);
        // A folder without this file does not belong to dz.
        let Ok(text) = std::fs::read_to_string(&file) else { return Ok(()) };
        let (_, engine) = snapshot::read(&text).map_err(|wrong| format!("{}: {wrong}", file.display()))?;
        self.watched.push(file);
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|it| it.path())).collect();
        folders.retain(|path| path.join("up.sql").is_file());
        folders.sort();
        let all = folders.iter().map(|folder| Migration::read(folder)).collect::<Result<_, _>>()?;
        self.migrations = Some(Migrations { engine, all });
        Ok(())
    }

    /// The template that replaces a surface's own, if there is one.
    pub fn template(&self, name: &str) -> Option<PathBuf> {
        let folder = self.settings.project.templates.as_deref().unwrap_or("templates");
        let path = self.root.join(folder).join(name);
        (!self.root.as_os_str().is_empty() && path.is_file()).then_some(path)
    }
}

impl Migration {
    fn read(folder: &Path) -> Result<Migration, String> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let version = name.split('_').next().unwrap_or_default().replace('-', "");
        let down = Some(folder.join("down.sql")).filter(|path| path.is_file());
        let metadata = folder.join("metadata.toml");
        let mut in_transaction = true;
        if metadata.is_file() {
            let text = std::fs::read_to_string(&metadata).map_err(|error| format!("{} cannot be read: {error}", metadata.display()))?;
            let table: toml::Table = text.parse().map_err(|_| format!("{} is not TOML", metadata.display()))?;
            in_transaction = table.get("run_in_transaction").and_then(toml::Value::as_bool).unwrap_or(true);
        }
        Ok(Migration { version, name, up: folder.join("up.sql"), down, in_transaction })
    }
}

/// The generated models are diesel models, so diesel must be a direct dependency.
fn needs_diesel(root: &Path) -> Result<(), String> {
    let Ok(text) = std::fs::read_to_string(root.join("Cargo.toml")) else { return Ok(()) };
    let Ok(manifest) = text.parse::<toml::Table>() else { return Ok(()) };
    let direct = ["dependencies", "dev-dependencies"].iter().any(|section| has_diesel(manifest.get(*section)));
    let target = manifest.get("target").and_then(toml::Value::as_table);
    let by_target = target.is_some_and(|targets| targets.values().any(|it| has_diesel(it.get("dependencies"))));
    if direct || by_target {
        return Ok(());
    }
    Err("dz generates diesel models, and `diesel` is not a dependency of this package; add `diesel = \"2.3\"` under `[dependencies]` in Cargo.toml".to_owned())
}

fn has_diesel(section: Option<&toml::Value>) -> bool {
    section.and_then(toml::Value::as_table).is_some_and(|it| it.contains_key("diesel"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(manifest: &str, found: bool) {
        let folder = std::env::temp_dir().join(format!("dz-manifest-{}-{}", std::process::id(), manifest.len()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        let answer = needs_diesel(&folder);
        std::fs::remove_dir_all(&folder).expect("removed");
        match answer {
            Ok(()) => assert!(found, "diesel is not in:\n{manifest}"),
            Err(message) => {
                assert!(!found, "{message}");
                assert!(message.contains("`diesel = \"2.3\"`") && message.contains("[dependencies]"), "{message}");
            }
        }
    }

    #[test]
    fn diesel_must_be_a_dependency_of_the_package_itself() {
        check("[dependencies]\ndiesel = \"2.3\"\n", true);
        check("[dependencies.diesel]\nversion = \"2.3\"\n", true);
        check("[dev-dependencies]\ndiesel = { version = \"2.3\" }\n", true);
        check("[target.'cfg(unix)'.dependencies]\ndiesel = \"2.3\"\n", true);
        check("[dependencies]\ndz = \"0.1\"\n", false);
        check("[build-dependencies]\ndiesel = \"2.3\"\n", false);
        check("[dependencies]\ndiesel_migrations = \"2.3\"\n", false);
    }
}
