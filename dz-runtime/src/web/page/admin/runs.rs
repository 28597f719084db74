//! `/app/-/runs`: the runs of processes, and the forms that start a process, for administrators of the system.

mod start_form;

use askama::Template;
use dz_vocabulary::text_key as key;
use serde_json::{Value as Json, json};

use start_form::StartForm;

use crate::{
    Error, Result, Tx, access,
    process::{
        definition::StepDef,
        start,
        store::Run,
        view::{self, RunFilter, STATUSES},
    },
    rows::Total,
    texts,
    web::{
        Call, Reply,
        api::processes::{self, in_tenant},
        page::{Answer, BodyOnly, Icon, Pagination, Region, admin, identity::account::format_timestamp},
    },
};

/// The address of the page.
pub(crate) const ADDRESS: &str = "/app/-/runs";
/// The number of runs on a page, and the largest one.
const PAGE_SIZE: u64 = 20;
const MAX_PAGE_SIZE: u64 = 100;

#[derive(Template)]
#[template(path = "runs.html")]
struct RunsHtml {
    lines: Vec<Line>,
    processes: Vec<(String, String, bool)>,
    statuses: Vec<(&'static str, &'static str, bool)>,
    filtered: bool,
    footer: String,
    forms: Vec<StartForm>,
    /// True if the application has tenants, of which the user chooses one.
    tenants: bool,
    problem: Option<String>,
    csrf: String,
}

/// A run on the page.
struct Line {
    id: String,
    title: String,
    status: Status,
    trigger: String,
    started: (String, String),
    duration: String,
}

/// A status, its title and its tone.
#[derive(Clone, Copy)]
pub(super) struct Status {
    pub name: &'static str,
    pub title: &'static str,
    pub tone: &'static str,
}

/// The status of a run or a step with this name.
pub(super) fn status(name: &str) -> Status {
    let (name, title, tone) = match name {
        "queued" => ("queued", say!("dz-queued", "Queued"), "gray"),
        "running" => ("running", say!("dz-running", "Running"), "blue"),
        "waiting" => ("waiting", say!("dz-waiting", "Waiting"), "amber"),
        "compensating" => ("compensating", say!("dz-compensating", "Compensating"), "violet"),
        "completed" => ("completed", say!("dz-completed", "Completed"), "green"),
        "failed" => ("failed", say!("dz-failed", "Failed"), "red"),
        "cancelled" => ("cancelled", say!("dz-cancelled", "Cancelled"), "gray"),
        _ => ("pending", say!("dz-pending", "Pending"), "gray"),
    };
    Status { name, title, tone }
}

/// A parameter of the query without blanks around it.
pub(super) fn parameter<'c>(call: &'c Call, name: &str) -> &'c str {
    call.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
}

/// The page of a list that a request names, and the number of rows on a page. Beyond the last page is the last one, as in lists.
pub(super) fn page_of(call: &Call, total: u64) -> (u64, u64) {
    let number = |name: &str| parameter(call, name).parse::<u64>().ok();
    let limit = number("page_size").filter(|size| (1..=MAX_PAGE_SIZE).contains(size)).unwrap_or(PAGE_SIZE);
    let page = number("page").filter(|page| *page >= 1).unwrap_or(1);
    (page.min(total.div_ceil(limit).max(1)), limit)
}

/// `GET /app/-/runs`; `process` and `status` filter the runs.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    render(tx, call, None)
}

/// The page; with an error of a form that started a process.
fn render(tx: &mut Tx<'_>, call: &Call, refused: Option<&Error>) -> Result<Reply> {
    let text = |name: &str| Some(parameter(call, name).to_owned()).filter(|text| !text.is_empty());
    let mut filter = RunFilter {
        process: text("process"),
        status: text("status").filter(|status| STATUSES.contains(&status.as_str())),
        ..RunFilter::default()
    };
    let total = view::count(tx, &filter)?;
    let (page, limit) = page_of(call, total);
    (filter.offset, filter.limit) = ((page - 1) * limit, limit);
    let runs = view::list(tx, &filter)?;
    if call.wants_json {
        let runs: Vec<Json> = runs.iter().map(view::to_json).collect();
        return Ok(admin::json_data(&json!({ "runs": runs, "total": total, "page": page, "page_size": limit })));
    }
    let preserved = [("process", &filter.process), ("status", &filter.status)];
    let preserved = preserved.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))).collect();
    let pagination = Pagination {
        region: Region::new("runs"),
        path: ADDRESS.to_owned(),
        page,
        page_size: limit,
        total: Total::exact(total),
        preserved,
        rows_label: Some(if total == 1 { say!("dz-run-in-a-count", "run") } else { say!("dz-runs-in-a-count", "runs") }.to_owned()),
        moves_page: true,
    };
    let lines = runs.iter().map(|run| line(tx, run)).collect();
    if call.htmx && call.method == "GET" {
        let rows = RunRowsHtml { lines }.render().map_err(Error::internal)?;
        return Ok(Answer::<BodyOnly>::rows(&pagination.region, rows, Some(&pagination))?.reply(200, call.markup));
    }
    let mut processes: Vec<(String, String, bool)> = Vec::new();
    for (name, title) in view::declared(tx)? {
        let chosen = filter.process.as_deref() == Some(name.as_str());
        processes.push((name.clone(), process_title(&name, &title), chosen));
    }
    if let Some(other) = filter.process.as_ref().filter(|name| processes.iter().all(|(known, ..)| known != *name)) {
        processes.push((other.clone(), other.clone(), true));
    }
    let page = RunsHtml {
        lines,
        processes,
        statuses: STATUSES.map(|name| (name, status(name).title, filter.status.as_deref() == Some(name))).to_vec(),
        filtered: filter.process.is_some() || filter.status.is_some(),
        footer: pagination.slot_html().map_err(Error::internal)?,
        forms: start_form::build(tx, call, refused)?,
        tenants: tx.app.tenant().is_some(),
        problem: refused.map(start_form::explain),
        csrf: call.csrf.clone(),
    };
    let reply = admin::answer(tx, call, say!("dz-runs", "Runs"), &page)?;
    Ok(Reply { status: refused.map_or(200, |error| error.status), ..reply })
}

#[derive(Template)]
#[template(path = "run_rows.html")]
struct RunRowsHtml {
    lines: Vec<Line>,
}

fn line(tx: &Tx<'_>, run: &Run) -> Line {
    Line {
        id: run.id.to_string(),
        title: process_title(&run.process, &run.title),
        status: status(&run.status),
        trigger: describe_trigger(&run.trigger),
        started: (crate::field::datetime_attribute(&run.started_at), format_timestamp(tx.app, run.started_at)),
        duration: run.ended_at.map(|ended| duration(ended - run.started_at)).unwrap_or_default(),
    }
}

/// The title of a process in the language of the page.
pub(super) fn process_title(name: &str, title: &str) -> String {
    texts::declared(&key::process(name), title)
}

/// The title of a step in the language of the page.
pub(super) fn step_title(process: &str, step: &StepDef) -> String {
    texts::declared(&key::process_step(process, &step.name), &step.title)
}

/// What started a run, in a few words.
pub(super) fn describe_trigger(trigger: &Json) -> String {
    let text = |name: &str| trigger[name].as_str().unwrap_or_default();
    match text("kind") {
        "entity" => match text("event") {
            "created" => say!("dz-started-by-creation", "{entity} created", entity = text("entity")),
            "deleted" => say!("dz-started-by-deletion", "{entity} deleted", entity = text("entity")),
            _ => say!("dz-started-by-change", "{entity} changed", entity = text("entity")),
        },
        "schedule" => say!("dz-started-by-schedule", "Schedule {name}", name = text("name")),
        "signal" => say!("dz-started-by-signal", "Signal {name}", name = text("name")),
        "process" => say!("dz-started-by-process", "Process {name}", name = text("name")),
        _ => say!("dz-started-by-hand", "Started by hand").to_owned(),
    }
}

/// A duration with one or two units.
pub(super) fn duration(time: chrono::TimeDelta) -> String {
    let (milliseconds, seconds) = (time.num_milliseconds().max(0), time.num_seconds().max(0));
    match seconds {
        0 => format!("{milliseconds} ms"),
        1..=59 => format!("{:.1} s", milliseconds as f64 / 1000.0),
        60..=3_599 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..=86_399 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// `POST /app/-/runs`: starts a process with the values of its form.
pub(crate) fn start(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let of = |name: &str| call.form.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim());
    let name = of("process").unwrap_or_default();
    let tenant = of("tenant").filter(|tenant| !tenant.is_empty());
    let started = tx.savepoint(|tx| {
        let input = start_form::read(tx, call, name)?;
        in_tenant(tx, tenant, |tx| start::start_manually(tx, name, &input))
    });
    match started {
        Ok(run) => {
            processes::record(tx, processes::PROCESS_START, &run.process, Some(run.id))?;
            Ok(Reply::see_other(format!("{ADDRESS}/{}", run.id)))
        }
        Err(error) if matches!(error.status, 409 | 422) && !call.wants_json => render(tx, call, Some(&error)),
        Err(error) => Err(error),
    }
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let line = |name| Line {
        id: text.to_owned(),
        title: text.to_owned(),
        status: status(name),
        trigger: text.to_owned(),
        started: (text.to_owned(), text.to_owned()),
        duration: text.to_owned(),
    };
    let page = RunsHtml {
        lines: STATUSES.map(line).into_iter().collect(),
        processes: vec![(text.to_owned(), text.to_owned(), true)],
        statuses: vec![("failed", "Failed", false)],
        filtered: true,
        footer: String::new(),
        forms: vec![start_form::sample(text)],
        tenants: true,
        problem: Some(text.to_owned()),
        csrf: text.to_owned(),
    };
    page.render().expect("a page")
}
