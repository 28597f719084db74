//! The content of a step: the form, the row or the list of its surface, or the state of its process.

use super::{Current, FORM, VERSION, address, has_event_field, is_form};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Create, List, Read, Update},
    def::{Mode, StepEvent, SurfaceDef},
    experience::values,
    rows,
    web::{
        Call, Reply,
        page::{
            FormPage, Link, ListPage, ViewPage, columns,
            form::{self, FormState, control},
            list::{self, Built},
            shell::PageKind,
            view,
        },
    },
};

/// The content of a step.
pub(super) enum Content {
    /// The content of a surface.
    Screen(String),
    /// Rows for an htmx request.
    Rows(Reply),
    /// A sentence in place of a surface.
    Message {
        /// The heading.
        heading: &'static str,
        /// The sentence.
        text: String,
        /// True while a process runs.
        waits: bool,
    },
}

/// The content with its properties.
pub(super) struct Screen {
    /// The content.
    pub content: Content,
    /// The stylesheets.
    pub kind: PageKind,
    /// True if it has the form of a surface.
    pub has_form: bool,
    /// The status of the response.
    pub status: u16,
}

impl Screen {
    fn message(heading: &'static str, text: impl Into<String>) -> Screen {
        let content = Content::Message { heading, text: text.into(), waits: false };
        Screen { content, kind: PageKind::Record, has_form: false, status: 200 }
    }
}

/// Refuses a caller who cannot open a surface, as the page of the surface does.
///
/// # Errors
/// 401 and 403.
pub(super) fn check_open(tx: &Tx<'_>, surface: &'static SurfaceDef) -> Result<()> {
    let entity = tx.app.entity(surface.entity);
    access::check_audience(&tx.caller().for_entity(entity), surface.place.audience)?;
    match surface.mode {
        Mode::Create => tx.ask::<Create>(entity).map(drop),
        Mode::Edit => tx.ask::<Update>(entity).map(drop),
        Mode::View => tx.ask::<Read>(entity).map(drop),
        Mode::List => tx.ask::<List>(entity).map(drop),
    }
}

/// Builds the content of the current step; `state` is a form that was refused.
pub(super) fn build(tx: &mut Tx<'_>, call: &Call, current: &Current, state: Option<FormState>) -> Result<Screen> {
    let (position, step) = (&current.position, current.step);
    if position.is_ended {
        return Ok(Screen::message(step.title, say!("dz-everything-is-done", "Everything is done.")));
    }
    let Some(surface) = current.surface(tx)? else {
        if let Some(why) = &position.failure {
            return Ok(Screen::message(step.title, why.clone()));
        }
        let text =
            say!("dz-this-is-being-processed-the-page-continues", "This is being processed. The page continues by itself.").to_owned();
        let content = Content::Message { heading: step.title, text, waits: true };
        return Ok(Screen { content, kind: PageKind::Record, has_form: false, status: 200 });
    };
    match build_surface(tx, call, current, surface, state) {
        Ok(Some(screen)) => Ok(screen),
        Ok(None) => {
            Ok(Screen::message(step.title, say!("dz-there-is-nothing-to-show-in-this", "There is nothing to show in this step yet.")))
        }
        // The row is gone, or the caller can no longer see it; the buttons remain.
        Err(error) if error.status == 404 => Ok(Screen {
            status: 404,
            ..Screen::message(
                step.title,
                say!("dz-what-this-step-shows-does-not-exist", "The row of this step does not exist or is not visible to you."),
            )
        }),
        Err(error) => Err(error),
    }
}

/// The content of a surface; `None` if it shows a row and none was saved.
fn build_surface(
    tx: &mut Tx<'_>,
    call: &Call,
    current: &Current,
    surface: &'static SurfaceDef,
    state: Option<FormState>,
) -> Result<Option<Screen>> {
    let address = address(current.def);
    let crumbs = vec![Link::new(address.clone(), current.def.title)];
    let (html, kind, has_form) = match surface.mode {
        Mode::List => match list::build(tx, call, surface, address)? {
            Built::Rows(reply) => return Ok(Some(Screen { content: Content::Rows(reply), ..Screen::message(surface.title, "") })),
            Built::Page(page) => {
                let page = ListPage { title: current.step.title, create: None, export: None, import: None, ..*page };
                let html = surface.templates.list.map_or_else(|| page.content(), |render| render(&page));
                (html, PageKind::List, false)
            }
        },
        Mode::View => {
            let Some(key) = find_row(tx, current, surface)? else { return Ok(None) };
            let (title, sections) = view::load_sections(tx, call, surface, &key)?;
            let page = ViewPage { crumbs, purpose: Some(current.step.title), ..ViewPage::of_sections(title, sections) };
            (surface.templates.view.map_or_else(|| page.content(), |render| render(&page)), PageKind::Record, false)
        }
        Mode::Create | Mode::Edit => {
            let state = match state {
                Some(state) => state,
                None => match initial_state(tx, call, current, surface)? {
                    Some(state) => state,
                    None => return Ok(None),
                },
            };
            let page = build_form(tx, call, current, surface, &state)?;
            let page = FormPage { crumbs, ..page };
            (surface.templates.form.map_or_else(|| page.content(), |render| render(&page)), PageKind::Form, true)
        }
    };
    Ok(Some(Screen { content: Content::Screen(html.map_err(Error::internal)?), kind, has_form, status: 200 }))
}

/// The row that a view or edit surface shows: the last saved one of its entity, or the only one of a singleton.
pub(super) fn find_row(tx: &mut Tx<'_>, current: &Current, surface: &'static SurfaceDef) -> Result<Option<Value>> {
    let entity = tx.app.entity(surface.entity);
    if entity.tenancy.is_singleton() {
        check_open(tx, surface)?;
        return rows::singleton::find_or_create(tx, entity).map(Some);
    }
    Ok(current.position.last_row(tx, current.def, surface.entity))
}

/// The form with its stored or default values, and the initial values of the step.
fn initial_state(tx: &mut Tx<'_>, call: &Call, current: &Current, surface: &'static SurfaceDef) -> Result<Option<FormState>> {
    let mut state = match surface.mode {
        Mode::Edit => {
            let Some(key) = find_row(tx, current, surface)? else { return Ok(None) };
            form::stored_state(tx, surface, &columns::key_text(&key).unwrap_or_default())?
        }
        Mode::Create | Mode::List | Mode::View => form::new_state(tx, call, surface)?,
    };
    let prefill = values::prefill(tx, current.def, &current.position, current.step)?;
    for of in form::list_writable(tx, surface) {
        if let Some((_, value)) = prefill.iter().find(|(at, _)| *at == of.at) {
            state.typed.insert(of.field.name.to_owned(), of.text(control::control_text(tx.app, of.field, value)));
        }
    }
    Ok(Some(state))
}

/// The form of a surface, which the experience receives.
fn build_form(tx: &mut Tx<'_>, call: &Call, current: &Current, surface: &'static SurfaceDef, state: &FormState) -> Result<FormPage> {
    let mut page = form::build_page(tx, call, surface, state)?;
    page.title = current.step.title.to_owned();
    page.action = address(current.def);
    // A form with files has an address of its own, because its files are read before the position is known.
    let has_files = is_form(surface) && form::has_file_fields(tx.app, surface);
    if has_files && current.step.name != "restart" {
        page.action = format!("{}/{}", page.action, current.step.name);
    }
    page.hidden.push((VERSION, current.position.version.to_string()));
    page.hidden.push((FORM, "1".to_owned()));
    (page.primary, page.submit_and_new, page.cancel) = (None, None, String::new());
    page.links.clear();
    page.submits.clear();
    if !page.submit.is_empty() {
        page.submit_event = Some("success").filter(|_| !has_event_field(tx, surface));
        if state.conflicts.is_empty() && current.step.has_event(StepEvent::Success) {
            page.submit = say!("dz-save-and-continue", "Save and continue").to_owned();
        }
    }
    Ok(page)
}
