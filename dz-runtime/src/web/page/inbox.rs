//! `/app/-/inbox`: the human tasks of the caller, and the page on which one is decided.

use std::sync::atomic::Ordering;

use askama::Template;
use dz_vocabulary::text_key as key;
use uuid::Uuid;

use crate::{
    Error, Result, Tx,
    def::Mode,
    field::datetime_attribute,
    process::{
        claims,
        definition::OutcomeDef,
        tasks::{self, StoredTask},
    },
    rows, texts,
    web::{
        Call, Reply,
        api::processes,
        page::{
            Answer, Document, Icon, Link, NavEntry, ViewPage, ViewSection,
            admin::runs,
            columns,
            form::submit::to_sentence,
            identity::account::format_timestamp,
            shell::{PageKind, Shell},
            view,
        },
    },
};

const ADDRESS: &str = "/app/-/inbox";
/// The largest number of listed tasks, the oldest first.
const MAX_LISTED: u64 = 200;

#[derive(Template)]
#[template(path = "inbox.html")]
struct InboxHtml {
    lines: Vec<Line>,
    more: bool,
}

/// A task on the page.
struct Line {
    id: String,
    title: String,
    label: String,
    created: (String, String),
    due: Option<(String, String)>,
    is_late: bool,
    claimer: Option<String>,
}

#[derive(Template)]
#[template(path = "task.html")]
struct TaskHtml {
    row: String,
    id: String,
    title: String,
    due: Option<(String, String)>,
    is_late: bool,
    outcomes: Vec<(String, String, Option<String>)>,
    /// The account that has claimed it, and the time.
    claim: Option<(String, (String, String))>,
    can_claim: bool,
    can_release: bool,
    csrf: String,
}

/// `GET /app/-/inbox`
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    tx.caller.account.as_ref().ok_or_else(Error::unauthenticated)?;
    let mut tasks = tasks::inbox(tx, MAX_LISTED + 1, 0)?;
    let more = tasks.len() as u64 > MAX_LISTED;
    tasks.truncate(MAX_LISTED as usize);
    let labels = tasks::labels(tx, &tasks)?.into_iter().zip(claims::labels(tx, &tasks)?);
    let lines = tasks.iter().zip(labels).map(|(task, (label, claimer))| line(tx, task, label.unwrap_or_default(), claimer)).collect();
    let content = InboxHtml { lines, more }.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, say!("dz-inbox", "Inbox"), PageKind::List, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// A time for programs and for people.
fn times(tx: &Tx<'_>, at: chrono::DateTime<chrono::Utc>) -> (String, String) {
    (datetime_attribute(&at), format_timestamp(tx.app, at))
}

fn label(tx: &mut Tx<'_>, task: &StoredTask) -> Result<String> {
    tasks::row_of(tx, task).map_or(Ok(None), |(entity, key)| rows::label(tx, entity, &key)).map(Option::unwrap_or_default)
}

/// The title of a task in the language of the page.
pub(crate) fn title_of(task: &StoredTask) -> String {
    texts::declared(&key::process_step(&task.process.0, &task.name), &task.title)
}

/// The button of an outcome: its name, its title, and the question that confirms it.
fn button(task: &StoredTask, outcome: &OutcomeDef) -> (String, String, Option<String>) {
    let own = key::outcome(&task.process.0, &task.name, &outcome.name);
    let confirm = outcome.confirm.as_ref().map(|question| texts::declared(&key::part(&own, "confirm"), question));
    (outcome.name.clone(), texts::declared(&own, &outcome.title), confirm)
}

fn is_late(tx: &Tx<'_>, task: &StoredTask) -> bool {
    task.due_at.is_some_and(|at| at <= tx.caller.now)
}

fn line(tx: &Tx<'_>, task: &StoredTask, label: String, claimer: Option<String>) -> Line {
    Line {
        id: task.id.to_string(),
        title: title_of(task),
        label,
        created: times(tx, task.created_at),
        due: task.due_at.map(|at| times(tx, at)),
        is_late: is_late(tx, task),
        claimer,
    }
}

fn find(tx: &mut Tx<'_>, call: &Call) -> Result<StoredTask> {
    let id = call.value(0).parse::<Uuid>().map_err(|_| Error::not_found())?;
    tasks::find(tx, id)
}

/// `GET /app/-/inbox/{task}`; a refused outcome shows the task again, with the error.
pub(crate) fn show_task(tx: &mut Tx<'_>, call: &Call, refused: Option<&Error>) -> Result<Reply> {
    let task = find(tx, call)?;
    let process = tasks::definition(tx, &task)?;
    let (title, sections) = load_row(tx, call, &task, tasks::surface(&process, &task))?;
    let closed = (!task.is_open)
        .then(|| say!("dz-this-task-is-closed-so-it-cannot", "This task is closed and can no longer be decided.").to_owned());
    let page = row_page(title, sections, refused.map(explain).or(closed));
    let claimer = if task.is_open { claims::label(tx, &task)? } else { None };
    let is_own = task.claim.as_ref().is_some_and(|claim| claim.is_own(&tx.caller));
    let is_foreign = claimer.is_some() && !is_own;
    let outcomes = tasks::outcomes(&process, &task).iter().filter(|_| task.is_open && !is_foreign);
    let content = TaskHtml {
        row: page.content().map_err(Error::internal)?,
        id: task.id.to_string(),
        title: title_of(&task),
        due: task.due_at.map(|at| times(tx, at)),
        is_late: is_late(tx, &task),
        outcomes: outcomes.map(|outcome| button(&task, outcome)).collect(),
        can_claim: task.is_open && task.is_shared && claimer.is_none(),
        can_release: claimer.is_some() && (is_own || tx.caller.system_admin),
        claim: claimer.zip(task.claim.as_ref()).map(|(name, claim)| (name, times(tx, claim.at))),
        csrf: call.csrf.clone(),
    };
    let content = content.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, title_of(&task), PageKind::Record, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(refused.map_or(200, |error| error.status), call.markup))
}

/// The title and the sections of the row; only its label if the caller cannot open its surface.
fn load_row(tx: &mut Tx<'_>, call: &Call, task: &StoredTask, surface: Option<&str>) -> Result<(String, Vec<ViewSection>)> {
    let Some((entity, key)) = tasks::row_of(tx, task) else { return Ok((title_of(task), Vec::new())) };
    let shows = |it: &&'static crate::def::SurfaceDef| {
        Some(it.name) == surface && matches!(it.mode, Mode::View | Mode::Edit) && it.entity == entity.ix
    };
    // A task without a surface shows the row on the page of its entity.
    let named = tx.app.surfaces.iter().copied().find(shows);
    if let Some(surface) = named.or_else(|| columns::find_page(tx, entity, Mode::View)) {
        match view::load_sections(tx, call, surface, &key) {
            Err(error) if matches!(error.status, 403 | 404) => {}
            result => return result,
        }
    }
    Ok((label(tx, task)?, Vec::new()))
}

fn row_page(title: String, sections: Vec<ViewSection>, problem: Option<String>) -> ViewPage {
    ViewPage { crumbs: vec![Link::new(ADDRESS, say!("dz-inbox", "Inbox"))], problem, ..ViewPage::of_sections(title, sections) }
}

/// The text of a refusal, with the messages of fields.
fn explain(error: &Error) -> String {
    let messages = error.field_errors.iter().map(|(name, messages)| match name.as_str() {
        "outcome" => to_sentence(&say!("dz-the-outcome", "the outcome {problem}", problem = messages.join(", "))),
        _ => to_sentence(&messages.join(", ")),
    });
    std::iter::once(error.detail.clone()).chain(messages).collect::<Vec<_>>().join(" ")
}

/// `POST /app/-/inbox/{task}`
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let task = find(tx, call)?;
    let outcome = call.form.iter().find(|(name, _)| name == "outcome").map(|(_, value)| value.as_str());
    match tx.savepoint(|tx| tasks::decide(tx, task.id, outcome)) {
        Ok(_) => Ok(Reply::see_other(ADDRESS)),
        Err(error) if matches!(error.status, 409 | 422) => show_task(tx, call, Some(&error)),
        Err(error) => Err(error),
    }
}

/// `POST /app/-/inbox/{task}/claim`
pub(crate) fn claim(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let task = find(tx, call)?;
    match tx.savepoint(|tx| processes::claim_or_release(tx, task.id, processes::TASK_CLAIM)) {
        Ok(task) => Ok(Reply::see_other(format!("{ADDRESS}/{}", task.id))),
        Err(error) if error.status == 409 => show_task(tx, call, Some(&error)),
        Err(error) => Err(error),
    }
}

/// `POST /app/-/inbox/{task}/release`; it continues at the run for an administrator whose inbox does not show the task.
pub(crate) fn release(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let id = call.value(0).parse::<Uuid>().map_err(|_| Error::not_found())?;
    let task = processes::claim_or_release(tx, id, processes::TASK_RELEASE)?;
    Ok(match tasks::find(tx, id) {
        Ok(_) => Reply::see_other(format!("{ADDRESS}/{id}")),
        Err(error) if error.status == 404 => Reply::see_other(format!("{}/{}", runs::ADDRESS, task.run)),
        Err(error) => return Err(error),
    })
}

/// The link to the inbox with the number of open tasks, for accounts that have one.
pub(crate) fn nav_entry(call: &Call) -> Option<NavEntry> {
    let open = call.open_tasks.load(Ordering::Relaxed);
    let current =
        matches!(call.path.as_slice(), [app, own, inbox, ..] if (app.as_str(), own.as_str(), inbox.as_str()) == ("app", "-", "inbox"));
    (open > 0 || current).then(|| NavEntry {
        href: ADDRESS.to_owned(),
        label: say!("dz-inbox", "Inbox"),
        mark: "I".to_owned(),
        tone: "gray",
        icon: Some(Icon("check")),
        current,
        count: Some(open).filter(|open| *open > 0),
    })
}

/// The list with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let time = || (text.to_owned(), text.to_owned());
    let line = Line {
        id: text.to_owned(),
        title: text.to_owned(),
        label: text.to_owned(),
        created: time(),
        due: Some(time()),
        is_late: true,
        claimer: Some(text.to_owned()),
    };
    InboxHtml { lines: vec![line], more: true }.render().expect("a page")
}

/// The page of a task with sample data.
#[cfg(test)]
pub(crate) fn task_sample(text: &str) -> String {
    let page = TaskHtml {
        row: row_page(text.to_owned(), Vec::new(), Some(text.to_owned())).content().expect("a row"),
        id: "0".to_owned(),
        title: text.to_owned(),
        due: Some((text.to_owned(), text.to_owned())),
        is_late: true,
        outcomes: vec![(text.to_owned(), text.to_owned(), Some(text.to_owned()))],
        claim: Some((text.to_owned(), (text.to_owned(), text.to_owned()))),
        can_claim: true,
        can_release: true,
        csrf: text.to_owned(),
    };
    page.render().expect("a page")
}
