//! `events list`, `events retry`.

use super::{Outcome, prepare};
use crate::{
    App, Error, Result,
    field::datetime_text,
    outbox::{self, PendingEvent},
    output::print_line,
};

/// The maximum number of listed events.
const MAX_LISTED: u32 = 1_000;

/// Lists pending events and dead letters, or redelivers dead letters.
pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    match words {
        ["list"] => {
            let state = prepare(app)?.state;
            let (waiting, dead) =
                state.db.read(&mut |conn| Ok((outbox::list(conn, MAX_LISTED)?, outbox::dead_letters(conn, MAX_LISTED)?)))?;
            for event in &waiting {
                print_event(event, if event.attempts == 0 { "waits" } else { "again" })?;
            }
            for event in &dead {
                print_event(event, "dead ")?;
            }
            print_line!("{} pending, {} dead", describe_count(waiting.len()), describe_count(dead.len()))?;
            Ok(Outcome::Done)
        }
        ["retry", which] => {
            let id = match *which {
                "all" => None,
                id => Some(
                    uuid::Uuid::try_parse(id)
                        .map_err(|_| Error::bad_request(format!("`{id}` is not an event; `events list` shows them")))?,
                ),
            };
            let state = prepare(app)?.state;
            let now = state.clock.now();
            match state.db.write(&mut |conn| outbox::retry(conn, id, now))? {
                0 if id.is_some() => Err(Error::bad_request(format!("there is no dead letter {which}; `events list` shows them"))),
                moved => {
                    print_line!("{moved} will be delivered again")?;
                    Ok(Outcome::Done)
                }
            }
        }
        _ => Ok(Outcome::Usage("`events` needs `list` or `retry ID|all`".to_owned())),
    }
}

fn describe_count(listed: usize) -> String {
    if listed == MAX_LISTED as usize { format!("{listed} or more") } else { listed.to_string() }
}

fn print_event(event: &PendingEvent, how: &str) -> Result<()> {
    let PendingEvent { id, subscriber, row_id, attempts, .. } = event;
    let (at, next) = (datetime_text(&event.at), datetime_text(&event.retry_at));
    print_line!("{how}  {id}  {at}  {subscriber}  row {row_id}")?;
    if *attempts > 0 {
        print_line!(
            "       {attempts} attempts, {} {next}: {}",
            if how.trim() == "dead" { "the last at" } else { "next at" },
            event.error
        )?;
    }
    Ok(())
}
