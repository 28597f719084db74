//! `/app/-/runs/{id}`: a run with its flow and its attempts, and what an administrator does with it.

mod drawing;

use askama::Template;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::runs::{ADDRESS, Status, describe_trigger, duration, process_title, status, step_title};
use crate::{
    Error, Result, Tx, access,
    field::datetime_attribute,
    process::{
        attempts::{self, StoredAttempt},
        claims,
        core::flow::Action,
        definition::Definition,
        signal,
        store::Run,
        tasks,
        view::{self, Control},
    },
    web::{
        Call, Reply,
        api::processes,
        page::{Answer, Document, Icon, Shell, admin, identity::account::format_timestamp, inbox, shell::PageKind},
    },
};

/// The number of attempts and of other runs on the page.
const MAX_ATTEMPTS: u64 = 200;
const MAX_CHILDREN: u64 = 50;
/// The number of letters of a value on the page; the JSON API has all of them.
const MAX_LETTERS: usize = 20_000;

#[derive(Template)]
#[template(path = "run.html")]
struct RunHtml {
    id: String,
    title: String,
    status: Status,
    trigger: String,
    facts: Vec<(&'static str, String)>,
    parent: Option<String>,
    children: Vec<(String, String, Status)>,
    /// Input, output and error, as JSON.
    values: Vec<(&'static str, String)>,
    problem: Option<String>,
    flow: String,
    attempts: Vec<AttemptLine>,
    more: bool,
    can_retry: bool,
    can_cancel: bool,
    signals: Vec<String>,
    skips: Vec<(String, String)>,
    /// Claimed tasks: the id, the title, the account and the time.
    claims: Vec<(String, String, String, String)>,
    csrf: String,
}

/// An attempt on the page.
struct AttemptLine {
    name: String,
    is_undo: bool,
    number: i64,
    status: Status,
    started: (String, String),
    duration: String,
    /// Input, output and error, as JSON.
    values: Vec<(&'static str, String)>,
}

fn parse_id(call: &Call) -> Result<Uuid> {
    call.value(0).parse().map_err(|_| Error::not_found())
}

/// `GET /app/-/runs/{id}`
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let run = view::find(tx, parse_id(call)?)?;
    if call.wants_json {
        return Ok(admin::json_data(&view::details(tx, &run)?));
    }
    let process = view::definition(tx, &run);
    let mut attempts = attempts::list(tx.conn, run.id, MAX_ATTEMPTS + 1)?;
    let more = attempts.len() as u64 > MAX_ATTEMPTS;
    attempts.truncate(MAX_ATTEMPTS as usize);
    let children = view::children(tx, run.id, MAX_CHILDREN)?;
    let children = children.into_iter().map(|it| (it.id.to_string(), process_title(&it.process, &it.title), status(&it.status))).collect();
    let claims = claims_of(tx, run.id)?;
    let is_ended = matches!(run.status.as_str(), "completed" | "failed" | "cancelled");
    let times = |at| format_timestamp(tx.app, at);
    let mut facts = vec![
        (say!("dz-process", "Process"), run.process.clone()),
        (say!("dz-version", "Version"), run.version.clone()),
        (say!("dz-started", "Started"), times(run.started_at)),
    ];
    facts.extend(run.ended_at.map(|at| (say!("dz-ended", "Ended"), times(at))));
    facts.extend(run.due_at.filter(|_| run.status == "waiting").map(|at| (say!("dz-continues", "Continues"), times(at))));
    facts.extend(run.ended_at.map(|at| (say!("dz-duration", "Duration"), duration(at - run.started_at))));
    facts.extend(run.trigger["id"].as_str().map(|id| (say!("dz-row", "Row"), id.to_owned())));
    let page = RunHtml {
        id: run.id.to_string(),
        title: process_title(&run.process, &run.title),
        status: status(&run.status),
        trigger: describe_trigger(&run.trigger),
        facts,
        parent: run.parent.map(|id| id.to_string()),
        children,
        values: values_of(&run),
        problem: problem(&run, process.as_deref().ok()),
        flow: process.as_ref().map_or_else(|_| Ok(String::new()), |process| drawing::draw(process, &run))?,
        attempts: attempts.into_iter().map(|attempt| line(tx, attempt)).collect(),
        more,
        can_retry: run.status == "failed",
        can_cancel: !is_ended,
        signals: process.as_deref().map_or_else(|_| Vec::new(), |process| if is_ended { Vec::new() } else { signals_of(process) }),
        skips: process.as_deref().map_or_else(|_| Vec::new(), |process| skips_of(process, &run)),
        claims,
        csrf: call.csrf.clone(),
    };
    let content = page.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, process_title(&run.process, &run.title), PageKind::Record, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

fn values_of(run: &Run) -> Vec<(&'static str, String)> {
    let members = |members: &Map<String, Json>| Some(Json::Object(members.clone())).filter(|_| !members.is_empty());
    let input = members(&run.saved.input).map(|json| (say!("dz-input", "Input"), format_json(&json)));
    let output = run.saved.output.as_ref().and_then(members).map(|json| (say!("dz-output", "Output"), format_json(&json)));
    input.into_iter().chain(output).collect()
}

/// JSON over several lines, of a bounded length.
fn format_json(json: &Json) -> String {
    let text = serde_json::to_string_pretty(json).unwrap_or_default();
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The error of the run as a sentence.
fn problem(run: &Run, process: Option<&Definition>) -> Option<String> {
    let error = run.saved.run.error.as_ref()?;
    let step =
        error.step.and_then(|at| process?.steps.get(at)).map(|step| format!("{}: ", step_title(&run.process, step))).unwrap_or_default();
    Some(format!("{step}{} ({})", error.failure.detail, error.failure.code))
}

fn line(tx: &Tx<'_>, it: StoredAttempt) -> AttemptLine {
    let value = |label, text: Option<String>| {
        let json = text.map(|text| serde_json::from_str(&text).unwrap_or(Json::String(text)));
        json.filter(|json| !json.is_null()).map(|json| (label, format_json(&json)))
    };
    let values = [
        value(say!("dz-error", "Error"), it.error),
        value(say!("dz-input", "Input"), it.input),
        value(say!("dz-output", "Output"), it.output),
    ];
    AttemptLine {
        name: it.name,
        is_undo: it.is_undo,
        number: it.number,
        status: status(&it.status),
        started: (datetime_attribute(&it.started_at), format_timestamp(tx.app, it.started_at)),
        duration: it.ended_at.map(|ended| duration(ended - it.started_at)).unwrap_or_default(),
        values: values.into_iter().flatten().collect(),
    }
}

/// The signals for which the steps of a process wait.
fn signals_of(process: &Definition) -> Vec<String> {
    let awaited = process.flow.steps.iter();
    let mut names: Vec<String> =
        awaited.filter_map(|step| if let Action::WaitSignal(name) = &step.action { Some(name.clone()) } else { None }).collect();
    names.sort();
    names.dedup();
    names
}

/// The open tasks of a run that accounts have claimed.
fn claims_of(tx: &mut Tx<'_>, run: Uuid) -> Result<Vec<(String, String, String, String)>> {
    let open = tasks::open_of_run(tx, run)?;
    let names = claims::labels(tx, &open)?;
    let claimed = open.iter().zip(names).filter_map(|(task, name)| Some((task, name?, task.claim.as_ref()?.at)));
    Ok(claimed.map(|(task, name, at)| (task.id.to_string(), inbox::title_of(task), name, format_timestamp(tx.app, at))).collect())
}

/// The steps that can be skipped: those that are open, and the one at which the run has failed.
fn skips_of(process: &Definition, run: &Run) -> Vec<(String, String)> {
    let can = |at: &usize| view::can_skip(process, run, *at);
    let steps = (0..process.steps.len()).filter(can).filter_map(|at| process.steps.get(at));
    steps.map(|step| (step.name.clone(), step_title(&run.process, step))).collect()
}

/// `POST /app/-/runs/{id}/retry`
pub(crate) fn retry(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    change(tx, call, processes::RUN_RETRY, |tx, id| view::control(tx, id, &Control::Retry).map(drop))
}

/// `POST /app/-/runs/{id}/cancel`
pub(crate) fn cancel(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    change(tx, call, processes::RUN_CANCEL, |tx, id| view::control(tx, id, &Control::Cancel).map(drop))
}

fn form_value<'c>(call: &'c Call, name: &str) -> &'c str {
    call.form.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
}

/// `POST /app/-/runs/{id}/skip`
pub(crate) fn skip(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let step = Control::Skip(form_value(call, "step").to_owned());
    change(tx, call, processes::RUN_SKIP, |tx, id| view::control(tx, id, &step).map(drop))
}

/// `POST /app/-/runs/{id}/signal`
pub(crate) fn send_signal(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let (name, text) = (form_value(call, "signal"), form_value(call, "payload"));
    let payload = if text.is_empty() { Ok(Json::Null) } else { serde_json::from_str(text) };
    let payload = payload.map_err(|_| Error::validation("payload", say!("dz-is-not-json", "is not JSON")))?;
    change(tx, call, processes::RUN_SIGNAL, |tx, id| signal::send_from_outside(tx, name, &payload, Some(id)).map(drop))
}

/// Changes a run, and writes an audit record.
fn change(tx: &mut Tx<'_>, call: &Call, action: &str, work: impl FnOnce(&mut Tx<'_>, Uuid) -> Result<()>) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let id = parse_id(call)?;
    work(tx, id)?;
    let run = view::find(tx, id)?;
    processes::record(tx, action, &run.process, Some(id))?;
    Ok(if call.wants_json { admin::json_data(&view::to_json(&run)) } else { Reply::see_other(format!("{ADDRESS}/{id}")) })
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let own = || text.to_owned();
    let attempt = AttemptLine {
        name: own(),
        is_undo: true,
        number: 2,
        status: status("failed"),
        started: (own(), own()),
        duration: own(),
        values: vec![("Error", own())],
    };
    let page = RunHtml {
        id: "0".to_owned(),
        title: own(),
        status: status("failed"),
        trigger: own(),
        facts: vec![("Process", own())],
        parent: Some(own()),
        children: vec![(own(), own(), status("running"))],
        values: vec![("Input", own())],
        problem: Some(own()),
        flow: drawing::sample(text),
        attempts: vec![attempt],
        more: true,
        can_retry: true,
        can_cancel: false,
        signals: vec![own()],
        skips: vec![(own(), own())],
        claims: vec![("0".to_owned(), own(), own(), own())],
        csrf: own(),
    };
    page.render().expect("a page")
}
