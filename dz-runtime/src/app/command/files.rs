//! `files move`.

use super::{App, Outcome};
use crate::{
    Result,
    app::file_relocation::{FileRelocation, Relocated},
    config::StoragePlace,
    files::size_text,
    output::print_line,
};

/// `files move --to PLACE [--format json]`
pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    let (to, json) = match words {
        ["move", "--to", to] => (*to, false),
        ["move", "--to", to, "--format", "json"] | ["move", "--format", "json", "--to", to] => (*to, true),
        _ => return Ok(Outcome::Usage("`files` needs the new storage: `files move --to FOLDER|s3://… [--format json]`".to_owned())),
    };
    let Some(place) = StoragePlace::parse(to).filter(|_| !to.is_empty()) else {
        let message = format!("`--to` is `{to}`; write the path of a folder, or the address of a bucket such as `s3://shop-files/uploads`");
        return Ok(Outcome::Usage(message));
    };
    let relocation = FileRelocation::new(app, &place)?;
    if json {
        let Relocated { copied, present, bytes, without_row, is_removed } = relocation.run(&mut |_| Ok(()))?;
        let facts = serde_json::json!({
            "to": to, "copied": copied, "present": present, "bytes": bytes, "without_row": without_row, "removed": is_removed, "verified": true,
        });
        print_line!("{facts}")?;
        return Ok(Outcome::Done);
    }
    let done = relocation.run(&mut |done| print_line!("{} files, {}, verified", done.copied + done.present, size_text(done.bytes)))?;
    let (count, size, from) = (done.copied + done.present, size_text(done.bytes), relocation.describe_sources());
    if done.without_row > 0 {
        print_line!("{} files have no row and were not copied: the application deletes them after a day", done.without_row)?;
    }
    if done.is_removed {
        print_line!("relocated {count} files, {size}, from {from} to {to}, verified")?;
        print_line!("`dz.files_before` can be removed from the configuration when no other instance runs with the former one")?;
    } else {
        print_line!("copied {count} files, {size}, from {from} to {to}, verified; the application still uses the former storage")?;
        print_line!("now set `dz.files` to `{to}` and `dz.files_before` to `{from}`, restart the application, and run the command again")?;
    }
    Ok(Outcome::Done)
}
