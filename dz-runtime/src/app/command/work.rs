//! `jobs run`, `events list`, `events retry`.

use super::{End, prepared};
use crate::{
    App, Error, Result,
    field::moment_text,
    outbox::{self, Waiting},
    output::print_line,
    worker,
};

/// So many events are listed.
const LISTED: u32 = 1_000;

/// Does what is due now.
pub(super) fn jobs(app: App, words: &[&str]) -> Result<End> {
    if words != ["run"] {
        return Ok(End::Usage("`jobs` needs `run`".to_owned()));
    }
    let state = prepared(app)?.state;
    for (kind, done) in worker::run_due(&state)? {
        let [one, many] = kind.names;
        let later = if done.put_off > 0 { format!(", {} put off", done.put_off) } else { String::new() };
        print_line!("{} {}{later}", done.count, if done.count == 1 { one } else { many })?;
    }
    Ok(End::Done)
}

/// Shows what waits and what was given up, or puts the latter back.
pub(super) fn events(app: App, words: &[&str]) -> Result<End> {
    match words {
        ["list"] => {
            let state = prepared(app)?.state;
            let (waiting, dead) = state.db.read(&mut |conn| Ok((outbox::list(conn, LISTED)?, outbox::dead(conn, LISTED)?)))?;
            for event in &waiting {
                show(event, if event.attempts == 0 { "waits" } else { "again" })?;
            }
            for event in &dead {
                show(event, "dead ")?;
            }
            print_line!("{} pending, {} dead", count(waiting.len()), count(dead.len()))?;
            Ok(End::Done)
        }
        ["retry", which] => {
            let id = match *which {
                "all" => None,
                id => Some(
                    uuid::Uuid::try_parse(id)
                        .map_err(|_| Error::bad_request(format!("`{id}` is not an event; `events list` shows them")))?,
                ),
            };
            let state = prepared(app)?.state;
            let now = state.clock.now();
            match state.db.write(&mut |conn| outbox::retry(conn, id, now))? {
                0 if id.is_some() => Err(Error::bad_request(format!("there is no dead letter {which}; `events list` shows them"))),
                moved => {
                    print_line!("{moved} will be delivered again")?;
                    Ok(End::Done)
                }
            }
        }
        _ => Ok(End::Usage("`events` needs `list` or `retry ID|all`".to_owned())),
    }
}

fn count(listed: usize) -> String {
    if listed == LISTED as usize { format!("{listed} or more") } else { listed.to_string() }
}

fn show(event: &Waiting, how: &str) -> Result<()> {
    let Waiting { id, subscriber, row_id, attempts, .. } = event;
    let (at, next) = (moment_text(&event.at), moment_text(&event.retry_at));
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
