//! Backups at the times of `dz.backup`: a schedule of the application, so that one instance makes each of them and failures are repeated.

use std::{fs, path::Path};

use chrono::{DateTime, TimeDelta, Utc};

use super::{Source, at, partial, remote::Remote, remove_folder};
use crate::{
    Engine, Error, Hooks, Result,
    config::{BackupSettings, Config, StoragePlace},
    db::{Database, backup_time},
    def::AppDef,
    field,
    job::schedule::Schedule,
    output::log_event,
};

/// The name of the schedule, and of its jobs.
const NAME: &str = "dz backup";
/// The age of an upload of a backup that has not ended because its instance crashed.
const UNFINISHED_AGE: TimeDelta = TimeDelta::days(1);
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
    let folder = settings.folder.join(&name(source.app, source.now));
    let manifest = source.back_up(&folder)?;
    let (files, bytes) = (manifest.files.len(), manifest.bytes());
    log_event!(info, target: "dz::worker", folder = %folder, files, bytes, "backed up");
    // The backup is there, so a failure to remove an old one does not repeat it.
    if let Err(error) = remove_old(source, settings) {
        log_event!(warn, target: "dz::worker", why = %error.detail, "an old backup was not removed");
    }
    Ok(())
}

/// Keeps the newest backups, and removes the others and what interrupted ones have left.
fn remove_old(source: &Source, settings: &BackupSettings) -> Result<()> {
    let keep = usize::try_from(settings.keep).unwrap_or(usize::MAX);
    match &settings.folder {
        StoragePlace::Folder(folder) => remove_old_folders(source.app, folder, keep),
        StoragePlace::Bucket(address) => {
            let remote = Remote::open(address, &source.config)?;
            let is_backup = |name: &str| kind_of(source.app, name) == Some(Kind::Complete);
            remote.abort_unfinished(source.now - UNFINISHED_AGE, is_backup)?;
            // In the order of their times.
            let (complete, interrupted): (Vec<_>, Vec<_>) =
                remote.backups()?.into_iter().filter(|(name, _)| is_backup(name)).partition(|(_, is_complete)| *is_complete);
            let complete: Vec<String> = complete.into_iter().map(|(name, _)| name).collect();
            let surplus = complete.len().saturating_sub(keep);
            let old = complete.into_iter().take(surplus).chain(interrupted.into_iter().map(|(name, _)| name));
            old.into_iter().try_for_each(|name| remote.remove_backup(&name))
        }
    }
}

fn remove_old_folders(app: &AppDef, folder: &Path, keep: usize) -> Result<()> {
    let mut complete = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_dir());
        match name.and_then(|name| kind_of(app, name)) {
            Some(Kind::Complete) => complete.push(path),
            Some(Kind::Interrupted) if partial::state(&path)? == partial::State::Interrupted => remove_folder(&path)?,
            // A backup still runs in it, or it is a folder of something else.
            Some(Kind::Interrupted) => {}
            None => {}
        }
    }
    complete.sort_unstable();
    let surplus = complete.len().saturating_sub(keep);
    complete.iter().take(surplus).try_for_each(|path| remove_folder(path))
}

/// A folder that a scheduled backup of the application has written.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Complete,
    Interrupted,
}

/// `None` for every other name, which is not removed.
fn kind_of(app: &AppDef, name: &str) -> Option<Kind> {
    let name = name.strip_prefix(&prefix(app))?;
    let (time, kind) = match name.strip_suffix(".partial") {
        Some(time) => (time, Kind::Interrupted),
        None => (name, Kind::Complete),
    };
    let is_time = chrono::NaiveDateTime::parse_from_str(time, "%Y%m%dT%H%M%SZ").is_ok();
    is_time.then_some(kind)
}

/// Records a failure for the system page and the metrics. The log and the page of jobs have it, too.
fn record_failure(db: &Database, now: DateTime<Utc>, error: &Error) {
    let reason = error.internal.as_deref().unwrap_or(&error.detail);
    if let Err(error) = db.write(&mut |conn| backup_time::record_failure(conn, now, reason)) {
        log_event!(warn, target: "dz::worker", why = %error.detail, "the failure of a backup was not recorded");
    }
}
