//! Counts rows that a migration makes due, because the delay of a timed transition becomes shorter.

use chrono::{DateTime, Months, TimeDelta, Utc};

use crate::{
    Result, Value,
    db::{BindKind, Conn, STATE_SINCE, Statement},
    def::MigrationDef,
};

/// The prefix of such a line in a migration. It contains the table, months and seconds of the former delay and of the new one, and a
/// condition on rows.
const MARK: &str = "-- due: ";

/// A timed transition whose delay becomes shorter.
#[derive(Debug, PartialEq, Eq)]
struct ShortenedDelay<'m> {
    table: &'m str,
    before: (u32, i64),
    now: (u32, i64),
    rows: &'m str,
}

fn parse(line: &str) -> Option<ShortenedDelay<'_>> {
    let mut words = line.strip_prefix(MARK)?.splitn(6, ' ');
    let table = words.next()?;
    let mut number = || words.next()?.parse::<i64>().ok();
    let (before, now) = ((number()?, number()?), (number()?, number()?));
    let wait = |(months, seconds): (i64, i64)| Some((u32::try_from(months).ok()?, seconds));
    Some(ShortenedDelay { table, before: wait(before)?, now: wait(now)?, rows: words.next()? })
}

/// Rows that have waited for this delay have been in their state since this time or longer.
fn latest_start(now: DateTime<Utc>, (months, seconds): (u32, i64)) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(TimeDelta::try_seconds(seconds)?)?.checked_sub_months(Months::new(months))
}

/// Returns a sentence for each table and state with the number of rows that a migration makes due.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn describe(conn: &mut Conn, migration: &MigrationDef, now: DateTime<Utc>) -> Result<Vec<String>> {
    let mut told = Vec::new();
    for of in migration.up.lines().filter_map(parse) {
        let (Some(late), Some(early)) = (latest_start(now, of.now), latest_start(now, of.before)) else { continue };
        let mut select = Statement::new();
        select.push("SELECT count(*) FROM ").ident(of.table).push(" WHERE ").push(of.rows).push(" AND ").ident(STATE_SINCE).push(" <= ");
        select.bind(Value::DateTime(late), BindKind::DateTime).push(" AND ").ident(STATE_SINCE).push(" > ");
        select.bind(Value::DateTime(early), BindKind::DateTime);
        // The same migration can rename the table, which then does not have this name yet.
        let Ok(rows) = conn.savepoint(&mut |conn| conn.rows(&select, &[BindKind::Int])) else { continue };
        if let Some(Value::Int(count)) = rows.into_iter().flatten().next() {
            let rows = if count == 1 { "1 row becomes due".to_owned() } else { format!("{count} rows become due") };
            told.push(format!("behavioural: {rows} in {} ({})", of.table, of.rows.replace('"', "")));
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let found = parse("-- due: visits 0 172800 0 86400 \"status\" = 'asked' AND \"deleted_at\" IS NULL");
        let rows = "\"status\" = 'asked' AND \"deleted_at\" IS NULL";
        assert_eq!(found, Some(ShortenedDelay { table: "visits", before: (0, 172_800), now: (0, 86_400), rows }));
        for other in ["-- behavioural: moves rows", "-- due: visits 0 x 0 1 y", "-- due: visits", "SELECT 1"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
