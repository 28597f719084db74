//! Backups in a bucket of object storage. They are written to a temporary folder first, because the checksums are of complete files.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use chrono::{DateTime, Utc};

use super::{
    Manifest, at, create_private_folder,
    manifest::{self, Entry},
    partial::with_temporary_folder,
    refusal,
    restore::{MARKER, StoredFiles},
};
use crate::{
    Result,
    config::{BucketAddress, Config},
    def::AppDef,
    files::{Bucket, StoredEntry, relative_path},
    output::show_step,
};

/// A bucket with a backup, with backups, or with stored files.
pub(super) struct Remote {
    bucket: Arc<Bucket>,
}

impl Remote {
    /// # Errors
    /// The program has no object storage, or its settings are incomplete.
    pub fn open(address: &BucketAddress, config: &Config) -> Result<Remote> {
        Ok(Remote { bucket: Arc::new(Bucket::open(address, config)?) })
    }

    /// Refuses a prefix with objects.
    pub fn check_empty(&self) -> Result<()> {
        match self.bucket.objects()?.first() {
            Some(_) => Err(refusal(format!("`{}` has objects already: name a new prefix", self.bucket.describe()))),
            None => Ok(()),
        }
    }

    /// Copies a backup to the bucket, the manifest last. An incomplete copy is deleted.
    pub fn upload(&self, folder: &Path, content: &Manifest) -> Result<()> {
        let names = content.files.iter().map(|file| file.path.as_str()).chain([manifest::NAME]);
        let count = content.files.len() + 1;
        let sent = names.enumerate().try_for_each(|(at, name)| {
            show_step!("uploading file {} of {count}", at + 1);
            self.bucket.upload_file(name, &folder.join(name))
        });
        if sent.is_err() {
            // The next scheduled backup deletes what remains.
            let _ = self.remove_below("");
        }
        sent
    }

    /// Copies a backup to a folder.
    pub fn download(&self, folder: &Path) -> Result<()> {
        let objects = self.bucket.objects()?;
        match objects.iter().any(|object| object.name == manifest::NAME) {
            true => self.copy(objects, folder, &|| {}),
            false => Err(refusal(format!("`{}` is not a complete backup: it has no `{}`", self.bucket.describe(), manifest::NAME))),
        }
    }

    /// Copies the stored files to a folder, and calls `renew` before each of them.
    pub fn download_files(&self, folder: &Path, renew: &dyn Fn()) -> Result<()> {
        self.bucket.each_page(&mut |page| {
            let named = |file: StoredEntry| StoredEntry { name: relative_path(&file.name), ..file };
            self.copy(page.into_iter().map(named).collect(), folder, renew)
        })
    }

    fn copy(&self, objects: Vec<StoredEntry>, folder: &Path, renew: &dyn Fn()) -> Result<()> {
        let count = objects.len();
        for (position, object) in objects.into_iter().enumerate() {
            show_step!("downloading file {} of {count}", position + 1);
            renew();
            if object.name.split('/').any(|part| matches!(part, "" | "." | "..")) {
                continue;
            }
            let path = folder.join(&object.name);
            if fs::metadata(&path).is_ok_and(|known| known.len() == object.size) {
                continue;
            }
            create_private_folder(path.parent().unwrap_or(folder))?;
            match self.bucket.download_file(&object.name, &path) {
                // It was deleted or relocated after the list was read. `stored_files` reports it if the copied database names it.
                Ok(false) => fs::remove_file(&path).map_err(at(&path))?,
                copied => drop(copied?),
            }
        }
        Ok(())
    }

    /// Copies the files of a backup to the bucket, which is empty or has a part of them from an interrupted restore.
    pub fn restore_files(&self, app: &AppDef, mut files: StoredFiles<'_>) -> Result<()> {
        let mut present = Vec::new();
        self.bucket.each_page(&mut |page| {
            present.extend(page.into_iter().map(|file| relative_path(&file.name)));
            Ok(())
        })?;
        with_temporary_folder(app.name, |folder| {
            create_private_folder(folder)?;
            let (marker, copy) = (folder.join("marker"), folder.join("copy"));
            let has_marker = self.bucket.download_file(MARKER, &marker)?;
            if has_marker && fs::read_to_string(&marker).is_ok_and(|text| text == files.identity) {
                for name in present {
                    files.accept(&name, || {
                        self.bucket.download_file(&name, &copy)?;
                        Entry::describe(folder, Path::new("copy"))
                    })?;
                }
            } else if !present.is_empty() {
                let bucket = self.bucket.describe();
                return Err(refusal(format!("the bucket of files `{bucket}` is not empty: name another prefix in `dz.files`")));
            } else if !files.entries.is_empty() {
                fs::write(&marker, &files.identity).map_err(at(&marker))?;
                self.bucket.upload_file(MARKER, &marker)?;
            }
            // An object is complete or does not exist.
            files.entries.keys().enumerate().try_for_each(|(at, path)| {
                show_step!("uploading stored file {} of {}", at + 1, files.entries.len());
                self.bucket.upload_file(path, &files.folder.join(path))
            })
        })
    }

    /// Removes the marker of an unfinished restore.
    pub fn remove_marker(&self) -> Result<()> {
        self.bucket.remove_named(MARKER)
    }

    /// The names of the backups below the address, each with whether it is complete.
    pub fn backups(&self) -> Result<BTreeMap<String, bool>> {
        let mut found: BTreeMap<String, bool> = BTreeMap::new();
        self.bucket.each_object("", &mut |page| {
            for object in page {
                if let Some((name, file)) = object.name.split_once('/') {
                    *found.entry(name.to_owned()).or_default() |= file == manifest::NAME;
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Deletes a backup below the address. The manifest is deleted first, so that the rest is not taken for a backup.
    pub fn remove_backup(&self, name: &str) -> Result<()> {
        self.bucket.remove_named(&format!("{name}/{}", manifest::NAME))?;
        self.remove_below(&format!("{name}/"))
    }

    /// Aborts the uploads of backups that began before a time and have not ended, because an instance crashed.
    pub fn abort_unfinished(&self, before: DateTime<Utc>, is_backup: impl Fn(&str) -> bool) -> Result<u64> {
        self.bucket.abort_unfinished(before, &|object| object.split_once('/').is_some_and(|(name, _)| is_backup(name)))
    }

    fn remove_below(&self, below: &str) -> Result<()> {
        self.bucket.each_object(below, &mut |page| page.iter().try_for_each(|object| self.bucket.remove_named(&object.name)))
    }
}
