//! `jobs run`, `jobs list`, `jobs retry`, `jobs cancel`.

use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{Outcome, prepare};
use crate::{
    App, Error, Result,
    field::datetime_text,
    job::queue::{self, JobState, StoredJob},
    output::print_line,
    state::State,
    suggest::nearest,
    worker,
};

/// The maximum number of listed jobs.
const MAX_LISTED: u32 = 1_000;
const USAGE: &str =
    "`jobs` needs `run`, `list [--status S]`, `retry ID|all` or `cancel ID`, each with `--format json` if a program reads it";

/// Runs a command.
pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    let (words, json) = match words {
        [words @ .., "--format", "json"] => (words, true),
        [words @ .., "--format", "text"] => (words, false),
        words => (words, false),
    };
    match words {
        ["run"] => run_due(&prepare(app)?.state, json)?,
        ["list"] => list(&prepare(app)?.state, None, json)?,
        ["list", "--status", name] => match JobState::from_name(name) {
            Some(state) => list(&prepare(app)?.state, Some(state), json)?,
            None => return Ok(Outcome::Usage(describe_status(name))),
        },
        ["retry", which] => {
            let id = if *which == "all" { None } else { Some(parse_id(which)?) };
            retry(&prepare(app)?.state, id, json)?;
        }
        ["cancel", id] => {
            let id = parse_id(id)?;
            cancel(&prepare(app)?.state, id, json)?;
        }
        _ => return Ok(Outcome::Usage(USAGE.to_owned())),
    }
    Ok(Outcome::Done)
}

fn parse_id(id: &str) -> Result<Uuid> {
    Uuid::try_parse(id).map_err(|_| Error::bad_request(format!("`{id}` is not a job; `jobs list` shows them")))
}

fn describe_status(name: &str) -> String {
    let known = JobState::ALL.map(JobState::name);
    let near = nearest(name, known.to_vec())
        .map_or_else(|| format!("known ones are {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
    format!("`{name}` is not a status of a job; {near}")
}

/// Does all due work.
fn run_due(state: &std::sync::Arc<State>, json: bool) -> Result<()> {
    let all = worker::run_due(state)?;
    if json {
        let work: Vec<Json> =
            all.iter().map(|(kind, done)| json!({ "kind": kind.names[1], "done": done.count, "postponed": done.postponed })).collect();
        return print_line!("{}", json!({ "work": work }));
    }
    for (kind, done) in all {
        let [one, many] = kind.names;
        let later = if done.postponed > 0 { format!(", {} put off", done.postponed) } else { String::new() };
        print_line!("{} {}{later}", done.count, if done.count == 1 { one } else { many })?;
    }
    Ok(())
}

fn list(state: &State, status: Option<JobState>, json: bool) -> Result<()> {
    let jobs = state.db.read(&mut |conn| queue::list(conn, status, MAX_LISTED))?;
    if json {
        return print_line!("{}", json!({ "jobs": jobs.iter().map(StoredJob::to_json).collect::<Vec<_>>() }));
    }
    for job in &jobs {
        let progress = if job.total > 0 { format!("  {} of {}", job.done, job.total) } else { String::new() };
        print_line!("{:<9}  {}  {}  {}{progress}", job.state.name(), job.id, datetime_text(&job.created_at), job.name)?;
        if !job.error.is_empty() {
            let next = if job.state == JobState::Queued { format!(", next at {}", datetime_text(&job.run_at)) } else { String::new() };
            print_line!("           {} of {} attempts{next}: {}", job.attempts, job.max_attempts, job.error)?;
        }
    }
    print_line!("{}{} jobs", jobs.len(), if jobs.len() == MAX_LISTED as usize { " or more" } else { "" })
}

fn retry(state: &State, id: Option<Uuid>, json: bool) -> Result<()> {
    let now = state.clock.now();
    let (count, job) = state.db.write(&mut |conn| {
        let count = queue::retry(conn, id, now)?;
        Ok((count, id.map(|id| queue::find(conn, id)).transpose()?.flatten()))
    })?;
    if let Some(id) = id.filter(|_| count == 0) {
        return Err(describe_refusal(id, job.as_ref(), "only dead letters and cancelled jobs are repeated"));
    }
    if json { print_line!("{}", json!({ "queued": count })) } else { print_line!("{count} queued again") }
}

fn cancel(state: &State, id: Uuid, json: bool) -> Result<()> {
    let now = state.clock.now();
    let (done, job) = state.db.write(&mut |conn| Ok((queue::cancel(conn, id, now)?, queue::find(conn, id)?)))?;
    match job.filter(|_| done) {
        Some(job) if json => print_line!("{}", job.to_json()),
        Some(job) => print_line!("the job `{}` is cancelled", job.name),
        None => {
            let job = state.db.read(&mut |conn| queue::find(conn, id))?;
            Err(describe_refusal(id, job.as_ref(), "only queued and running jobs are cancelled"))
        }
    }
}

fn describe_refusal(id: Uuid, job: Option<&StoredJob>, rule: &str) -> Error {
    Error::bad_request(match job {
        Some(job) => format!("the job {id} is {}; {rule}", job.state.name()),
        None => format!("there is no job {id}; `jobs list` shows them"),
    })
}
