//! Backups of the database.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use dz_dsl_file::emit::schema::Engine;

use super::{Check, Project};

/// The age of a backup above which it is reported.
const OLD: Duration = Duration::from_secs(2 * 24 * 60 * 60);

const SHOW: &str = "write one with the application's command `backup FOLDER`; `--backups` names the folder that contains them";

pub(super) fn check(project: &Project, checks: &mut Vec<Check>) {
    let scheduled = project.settings.table("backup").and_then(|it| it.get("folder")).and_then(|it| it.as_str());
    if let Some(bucket) = scheduled.filter(|folder| folder.starts_with("s3://") && project.backups.is_none()) {
        checks.push(Check::ok("backups", format!("the application writes them to {bucket}")));
        return;
    }
    let database = match project.engine() {
        Engine::Sqlite => match database(project) {
            Some(path) => Some(path),
            // Without a database there is nothing to back up.
            None => return,
        },
        Engine::Postgres if project.settings.database_url().is_none() && project.backups.is_none() => return,
        Engine::Postgres => None,
    };
    let beside = database.as_deref().and_then(Path::parent).unwrap_or(&project.root);
    let newest = match &project.backups {
        Some(folder) => files(folder).max(),
        None => {
            let folders = ["backups", "backup"].map(|name| beside.join(name));
            let named = files(beside).filter(|(_, path)| path.file_name().is_some_and(|it| it.to_string_lossy().contains("backup")));
            folders.iter().flat_map(|folder| files(folder)).chain(named).max()
        }
    };
    let what = database.as_deref().map_or_else(|| "the database".to_owned(), |path| path.display().to_string());
    checks.push(match newest {
        None => Check::warning("backups", format!("there is no backup of {what}"), SHOW),
        Some((time, path)) => match SystemTime::now().duration_since(time) {
            Ok(age) if age > OLD => Check::warning(
                "backups",
                format!("the newest backup of {what} is {} days old: {}", age.as_secs() / 86_400, path.display()),
                "check the job that writes backups",
            ),
            _ => Check::ok("backups", format!("the newest backup is {}", path.display())),
        },
    });
}

/// The file of the SQLite database, if it exists and has content.
fn database(project: &Project) -> Option<PathBuf> {
    let own = project.analysis.model.as_ref().map(|model| format!("{}.db", model.app.name));
    let url =
        project.settings.database_url().map(|url| url.trim_start_matches("sqlite://").split('?').next().unwrap_or_default().to_owned());
    let path = project.root.join(url.or(own)?);
    fs::metadata(&path).ok().filter(|it| it.is_file() && it.len() > 0).map(|_| path)
}

/// The files of a folder, and the backups of the application in it (folders with a `backup.json`), with the times of their last
/// changes.
fn files(folder: &Path) -> impl Iterator<Item = (SystemTime, PathBuf)> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let path = entry.path();
        let file = if path.is_dir() { path.join("backup.json") } else { path.clone() };
        let metadata = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, path))
    })
}
