//! `move`.

use super::{App, Outcome};
use crate::{
    Result,
    app::relocation::{Relocation, print_table},
    output::{Progress, print_line},
};

/// `move --to URL [--format json]`
pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    let (url, json) = match words {
        ["--to", url] => (*url, false),
        ["--to", url, "--format", "json"] | ["--format", "json", "--to", url] => (*url, true),
        _ => {
            return Ok(Outcome::Usage(
                "`move` needs the address of an empty database: `move --to postgres://… [--format json]`".to_owned(),
            ));
        }
    };
    if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Ok(Outcome::Usage("`--to` needs the address of a PostgreSQL database, such as `postgres://user@host/name`".to_owned()));
    }
    let _progress = Progress::unless_json(json);
    let relocation = Relocation::new(app)?;
    if json {
        let copied = relocation.run(url, &mut |_, _| Ok(()))?;
        let rows: u64 = copied.values().sum();
        print_line!("{}", serde_json::json!({"tables": copied, "rows": rows, "verified": true}))?;
    } else {
        let copied = relocation.run(url, &mut print_table)?;
        let rows: u64 = copied.values().sum();
        print_line!("copied {rows} rows of {} tables; the stored files stay in their folder or bucket", copied.len())?;
        print_line!("now build the application for PostgreSQL, and start it with this address in `DATABASE_URL`")?;
    }
    Ok(Outcome::Done)
}
