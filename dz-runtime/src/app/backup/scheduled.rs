//! Backups at the times of `dz.backup`: a schedule of the application, so that one instance makes each of them and failures are repeated.

use std::{fs, path::Path};

use chrono::{DateTime, TimeDelta, Utc};

use super::{Source, at, remove_folder};
use crate::{
    Engine, Error, Hooks, Result,
    config::{BackupSettings, Config},
    db::{Database, backup_time},
    def::AppDef,
    field,
    job::schedule::Schedule,
    output::log_event,
};

/// The name of the schedule, and of its jobs.
const NAME: &str = "dz backup";
/// The times without `cron` and `every`.
const DEFAULT_CRON: &str = "0 3 * * *";

/// Adds the schedule, if backups are configured.
///
/// # Errors
/// 500 `CONFIGURATION` for a wrong cron expression, or both `cron` and `every`.
pub(in crate::app) fn register(hooks: &mut Hooks, app: &'static AppDef, engine: Engine, config: &Config) -> Result<()> {
    let Some(settings) = config.settings.backup.clone() else { return Ok(()) };
    let wrong = |detail: String| Error::new(500, "CONFIGURATION", detail);
    let schedule = match (&settings.cron, settings.every) {
        (Some(_), Some(_)) => return Err(wrong("`dz.backup` has `cron` and `every`; keep one of them".to_owned())),
        (None, Some(every)) => Schedule::at_interval(TimeDelta::from_std(every).map_err(Error::internal)?, NAME),
        (cron, None) => {
            let cron = cron.as_deref().unwrap_or(DEFAULT_CRON);
            Schedule::new(cron, field::app_zone(app), NAME).map_err(|why| wrong(format!("`dz.backup.cron`: {why}")))?
        }
    };
    let config = config.clone();
    hooks.jobs.add_schedule(schedule, move |cx| {
        let source = Source { app, engine, config: config.clone(), now: cx.clock().now() };
        let made = back_up(&source, &settings);
        if let Err(error) = &made {
            record_failure(cx.database(), source.now, error);
        }
        made
    });
    Ok(())
}

/// The beginning of the names of the backups of an application.
fn prefix(app: &AppDef) -> String {
    format!("{}-", app.name)
}

/// The name of a backup: it sorts by time.
fn name(app: &AppDef, at: DateTime<Utc>) -> String {
    format!("{}{}", prefix(app), at.format("%Y%m%dT%H%M%SZ"))
}

fn back_up(source: &Source, settings: &BackupSettings) -> Result<()> {
    let folder = settings.folder.join(name(source.app, source.now));
    let manifest = source.back_up(&folder)?;
    let (files, bytes) = (manifest.files.len(), manifest.bytes());
    log_event!(info, target: "dz::worker", folder = %folder.display(), files, bytes, "backed up");
    // The backup is there, so a failure to remove an old one does not repeat it.
    if let Err(error) = remove_old(source.app, settings) {
        log_event!(warn, target: "dz::worker", why = %error.detail, "an old backup was not removed");
    }
    Ok(())
}

/// Keeps the newest backups, and removes the others and what interrupted ones have left.
fn remove_old(app: &AppDef, settings: &BackupSettings) -> Result<()> {
    let mut complete = Vec::new();
    for entry in fs::read_dir(&settings.folder).map_err(at(&settings.folder))? {
        let path = entry.map_err(at(&settings.folder))?.path();
        match kind_of(app, &path) {
            Some(Kind::Complete) => complete.push(path),
            Some(Kind::Interrupted) => remove_folder(&path)?,
            None => {}
        }
    }
    complete.sort_unstable();
    let surplus = complete.len().saturating_sub(usize::try_from(settings.keep).unwrap_or(usize::MAX));
    complete.iter().take(surplus).try_for_each(|path| remove_folder(path))
}

/// A folder that a scheduled backup of the application has written.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Complete,
    Interrupted,
}

/// `None` for every other file or folder, which is not removed.
fn kind_of(app: &AppDef, path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_str()?.strip_prefix(&prefix(app))?;
    let (time, kind) = match name.strip_suffix(".partial") {
        Some(time) => (time, Kind::Interrupted),
        None => (name, Kind::Complete),
    };
    let is_time = chrono::NaiveDateTime::parse_from_str(time, "%Y%m%dT%H%M%SZ").is_ok();
    (is_time && path.is_dir()).then_some(kind)
}

/// Records a failure for the page of the system and the metrics. The log and the page of jobs have it, too.
fn record_failure(db: &Database, now: DateTime<Utc>, error: &Error) {
    let reason = error.internal.as_deref().unwrap_or(&error.detail);
    if let Err(error) = db.write(&mut |conn| backup_time::record_failure(conn, now, reason)) {
        log_event!(warn, target: "dz::worker", why = %error.detail, "the failure of a backup was not recorded");
    }
}
