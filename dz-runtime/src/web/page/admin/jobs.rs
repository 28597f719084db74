//! `/app/-/jobs`: the jobs of the application, for administrators of the system.

use askama::Template;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    Error, Result, Tx, access,
    audit::{Decision, Record},
    def::AppDef,
    job::queue::{self, JobState, StoredJob},
    web::{
        Call, Reply,
        page::{Icon, admin, identity::account},
    },
};

/// The maximum number of jobs on the page.
const PAGE_SIZE: u32 = 100;

#[derive(Template)]
#[template(path = "jobs.html")]
struct JobsHtml {
    lines: Vec<Line>,
    statuses: Vec<(&'static str, &'static str, bool)>,
    filtered: bool,
    more: bool,
    notice: Option<&'static str>,
    csrf: String,
}

/// A job on the page.
struct Line {
    id: String,
    name: String,
    status: &'static str,
    title: &'static str,
    progress: Option<(i64, i64)>,
    note: String,
    attempts: String,
    time: String,
    error: Option<String>,
    /// The last part of the address of the form, and the text of its button.
    action: Option<(&'static str, &'static str)>,
}

/// `GET /app/-/jobs`; `status` filters the jobs.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let of = |name: &str| call.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim());
    let status = JobState::from_name(of("status"));
    let mut jobs = queue::list(tx.conn, status, PAGE_SIZE + 1)?;
    let more = jobs.len() > PAGE_SIZE as usize;
    jobs.truncate(PAGE_SIZE as usize);
    if call.wants_json {
        let jobs: Vec<Json> = jobs.iter().map(StoredJob::to_json).collect();
        return Ok(admin::json_data(&json!({ "jobs": jobs, "more": more })));
    }
    let notice = match of("done") {
        "retry" => Some(say!("dz-the-job-is-queued-again", "The job is queued again.")),
        "cancel" => Some(say!("dz-the-job-is-cancelled", "The job is cancelled.")),
        _ => None,
    };
    let app = tx.app;
    let lines = jobs.into_iter().map(|job| line(app, job)).collect();
    let statuses = JobState::ALL.into_iter().map(|state| (state.name(), title(state), status == Some(state))).collect();
    let page = JobsHtml { lines, statuses, filtered: status.is_some(), more, notice, csrf: call.csrf.clone() };
    admin::answer(tx, call, say!("dz-jobs", "Jobs"), &page)
}

/// `POST /app/-/jobs/{id}/retry`
pub(crate) fn retry(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    change(tx, call, "retry", |tx, id| queue::retry(tx.conn, Some(id), tx.caller.now).map(|count| count > 0))
}

/// `POST /app/-/jobs/{id}/cancel`
pub(crate) fn cancel(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    change(tx, call, "cancel", |tx, id| queue::cancel(tx.conn, id, tx.caller.now))
}

/// Changes a job, and writes an audit record.
fn change(tx: &mut Tx<'_>, call: &Call, what: &str, work: impl FnOnce(&mut Tx<'_>, Uuid) -> Result<bool>) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let id = call.value(0).parse::<Uuid>().map_err(|_| Error::not_found())?;
    let done = work(tx, id)?;
    let job = queue::find(tx.conn, id)?.ok_or_else(Error::not_found)?;
    if !done {
        let detail =
            say!("dz-job-in-state", "The job is {state}, which does not allow this action", state = title(job.state).to_lowercase());
        return Err(Error::new(409, "CONFLICT", detail));
    }
    let record = Record::new(&tx.caller, "", &format!("job_{what}"), Decision::Allowed);
    tx.add_record(Record { rule: job.name.clone(), row: Some(id.to_string()), ..record })?;
    Ok(if call.wants_json { admin::json_data(&job.to_json()) } else { Reply::see_other(format!("/app/-/jobs?done={what}")) })
}

fn title(state: JobState) -> &'static str {
    match state {
        JobState::Queued => say!("dz-queued", "Queued"),
        JobState::Running => say!("dz-running", "Running"),
        JobState::Done => say!("dz-done", "Done"),
        JobState::Dead => say!("dz-dead-letter", "Dead letter"),
        JobState::Cancelled => say!("dz-cancelled", "Cancelled"),
    }
}

fn line(app: &'static AppDef, job: StoredJob) -> Line {
    let action = match job.state {
        JobState::Queued | JobState::Running => Some(("cancel", say!("dz-cancel", "Cancel"))),
        JobState::Dead | JobState::Cancelled => Some(("retry", say!("dz-retry", "Retry"))),
        JobState::Done => None,
    };
    let time = match (job.state, job.ended_at) {
        (JobState::Queued, _) => say!("dz-runs-at", "Runs {time}", time = account::format_timestamp(app, job.run_at)),
        (_, Some(ended)) => say!("dz-ended-at", "Ended {time}", time = account::format_timestamp(app, ended)),
        (_, None) => say!("dz-queued-at", "Queued {time}", time = account::format_timestamp(app, job.created_at)),
    };
    Line {
        id: job.id.to_string(),
        name: job.name,
        status: job.state.name(),
        title: title(job.state),
        progress: (job.total > 0).then_some((job.done, job.total)),
        note: job.note,
        attempts: say!("dz-done-of", "{done} of {total}", done = job.attempts, total = job.max_attempts),
        time,
        error: Some(job.error).filter(|error| !error.is_empty()),
        action,
    }
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let line = |state: JobState, action| Line {
        id: text.to_owned(),
        name: text.to_owned(),
        status: state.name(),
        title: title(state),
        progress: Some((3, 7)),
        note: text.to_owned(),
        attempts: "1 of 16".to_owned(),
        time: text.to_owned(),
        error: Some(text.to_owned()),
        action,
    };
    let page = JobsHtml {
        lines: vec![line(JobState::Running, Some(("cancel", "Cancel"))), line(JobState::Done, None)],
        statuses: JobState::ALL.map(|state| (state.name(), title(state), false)).to_vec(),
        filtered: false,
        more: true,
        notice: Some("The job is cancelled."),
        csrf: text.to_owned(),
    };
    page.render().expect("a page")
}
