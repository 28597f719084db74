//! `/app/-/experience/{name}`: the current step of the caller, and what the caller does in it.

mod screen;

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    access::check_audience,
    def::{AppDef, ExperienceDef, FieldIx, Mode, StepDef, StepEvent, StepScreen, SurfaceDef},
    experience::{
        self, Position,
        flow::{self, Direction},
        store, values,
    },
    field,
    web::{
        Call, Reply,
        page::{
            Answer, Document, Icon, NavEntry, columns,
            form::{
                self, FormState, control,
                submit::{self, Submitted},
            },
            shell::{self, Shell},
        },
    },
};

use screen::Content;

/// The hidden field with the version of the position that a form belongs to.
const VERSION: &str = "dz.at";
/// The hidden field of the form of a surface, which other buttons do not send.
pub(crate) const FORM: &str = "dz.form";

#[derive(Template)]
#[template(path = "experience.html")]
struct ExperienceHtml<'a> {
    name: &'a str,
    title: &'a str,
    steps: Vec<StepLine<'a>>,
    step: &'a str,
    ended: bool,
    problem: &'a Option<String>,
    content: &'a Content,
    buttons: Vec<Button>,
    address: &'a str,
    version: i64,
    csrf: &'a str,
    restart: bool,
}

/// The page for a user who comes from another site.
#[derive(Template)]
#[template(path = "experience_link.html")]
struct LinkHtml<'a> {
    title: &'a str,
    address: &'a str,
}

/// A step in the line of steps.
struct StepLine<'a> {
    title: &'a str,
    current: bool,
}

/// The button of an event.
struct Button {
    event: &'static str,
    label: &'static str,
    kind: &'static str,
}

/// The address of an experience.
pub(crate) fn address(def: &ExperienceDef) -> String {
    format!("/app/-/experience/{}", def.name)
}

/// The word of an event.
fn word(event: StepEvent) -> &'static str {
    match event {
        StepEvent::Success => "success",
        StepEvent::Failure => "failure",
        StepEvent::Continue => "continue",
        StepEvent::Back => "back",
        StepEvent::Cancel => "cancel",
        StepEvent::Approve => "approve",
        StepEvent::Reject => "reject",
        StepEvent::Skip => "skip",
    }
}

/// The label of the button of an event, and its kind.
fn label(event: StepEvent) -> (&'static str, &'static str) {
    match event {
        StepEvent::Success => (say!("dz-done", "Done"), "primary"),
        StepEvent::Failure => (say!("dz-failed", "Failed"), ""),
        StepEvent::Continue => (say!("dz-continue", "Continue"), "primary"),
        StepEvent::Back => (say!("dz-back", "Back"), ""),
        StepEvent::Cancel => (say!("dz-cancel", "Cancel"), "quiet"),
        StepEvent::Approve => (say!("dz-approve", "Approve"), "primary"),
        StepEvent::Reject => (say!("dz-reject", "Reject"), ""),
        StepEvent::Skip => (say!("dz-skip", "Skip"), "quiet"),
    }
}

/// An experience that the caller uses, at the current step.
struct Current {
    def: &'static ExperienceDef,
    position: Position,
    step: &'static StepDef,
}

impl Current {
    /// Loads the position of the caller and goes on as far as no click is needed.
    fn load(tx: &mut Tx<'_>, name: &str) -> Result<Current> {
        let def = experience::find(tx, name)?;
        experience::check_access(tx, def)?;
        let mut position = store::load(tx, def)?;
        let before = position.clone();
        flow::settle(tx, def, &mut position, Direction::Forward)?;
        if position != before {
            store::save(tx, def, &mut position)?;
        }
        let step = def.steps.get(position.step).ok_or_else(Error::not_found)?;
        check_audience(tx.caller(), step.audience)?;
        Ok(Current { def, position, step })
    }

    /// The surface of the step, which the caller must be able to open.
    fn surface(&self, tx: &Tx<'_>) -> Result<Option<&'static SurfaceDef>> {
        let Some(surface) = self.step.surface(tx).filter(|_| !self.position.is_ended) else { return Ok(None) };
        screen::check_open(tx, surface)?;
        Ok(Some(surface))
    }

    /// Goes to the next step after an event, and stores the position.
    fn advance(mut self, tx: &mut Tx<'_>, event: StepEvent) -> Result<Reply> {
        let direction = if event == StepEvent::Back { Direction::Back } else { Direction::Forward };
        self.position.go(self.step.after(event));
        flow::settle(tx, self.def, &mut self.position, direction)?;
        store::save(tx, self.def, &mut self.position)?;
        Ok(Reply::see_other(address(self.def)))
    }

    /// Saves the key of a row in the value of the step.
    fn save_row(&mut self, key: &Value) {
        if let Some(value) = self.step.saves_to.and_then(|at| self.def.context.get(usize::from(at))) {
            let mut json = Vec::new();
            field::write_json(value, key, &mut json);
            self.position.save(value.name, serde_json::from_slice(&json).unwrap_or_default());
        }
    }
}

/// `GET /app/-/experience/{name}`
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if call.cross_site {
        return show_link(tx, call);
    }
    let current = Current::load(tx, call.value(0))?;
    render(tx, call, &current, None, None, 200)
}

/// `GET /app/-/experience/{name}/{step}`
pub(crate) fn show_step(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if call.cross_site {
        return show_link(tx, call);
    }
    let current = Current::load(tx, call.value(0))?;
    if current.step.name != call.value(1) {
        return Err(Error::not_found());
    }
    render(tx, call, &current, None, None, 200)
}

/// A link to the current step. Reading a step can start its process, and another site must not do that.
fn show_link(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let def = experience::find(tx, call.value(0))?;
    experience::check_access(tx, def)?;
    let html = LinkHtml { title: def.title, address: &address(def) }.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, def.title, shell::PageKind::Record, None);
    Ok(Answer::<Document>::document(shell.render(&html)?).reply(200, call.markup))
}

/// `POST /app/-/experience/{name}/restart`
pub(crate) fn restart(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let def = experience::find(tx, call.value(0))?;
    experience::check_access(tx, def)?;
    let version = store::load(tx, def)?.version;
    let mut position = Position { version, ..Position::start(def) };
    flow::settle(tx, def, &mut position, Direction::Forward)?;
    store::save(tx, def, &mut position)?;
    Ok(Reply::see_other(address(def)))
}

/// `POST /app/-/experience/{name}`
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let current = Current::load(tx, call.value(0))?;
    act(tx, call, current)
}

/// `POST /app/-/experience/{name}/{step}`, for a form with files.
pub(crate) fn submit_files(tx: &mut Tx<'_>, call: &Call, _: &'static SurfaceDef) -> Result<Reply> {
    let [.., name, step] = call.path.as_slice() else { return Err(Error::not_found()) };
    let current = Current::load(tx, name)?;
    if current.step.name != step {
        let why = say!("dz-this-step-is-not-the-current-one", "This step is no longer the current one.").to_owned();
        return render(tx, call, &current, None, Some(why), 409);
    }
    act(tx, call, current)
}

/// Handles a form or a button of the current step.
fn act(tx: &mut Tx<'_>, call: &Call, mut current: Current) -> Result<Reply> {
    let surface = current.surface(tx)?;
    let sent = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    if sent(VERSION).is_some_and(|version| version != current.position.version.to_string()) {
        let why = say!("dz-this-was-continued-on-another-page-or", "You continued on another page or device. This is the current step.")
            .to_owned();
        return render(tx, call, &current, None, Some(why), 409);
    }
    let own_field = surface.is_some_and(|surface| has_event_field(tx, surface));
    let event = match sent("event") {
        None => Some(StepEvent::Success),
        Some(_) if own_field && sent(FORM).is_some() => Some(StepEvent::Success),
        Some(text) => current.step.next.iter().map(|(event, _)| *event).chain([StepEvent::Success]).find(|event| word(*event) == text),
    };
    if let (Some(StepEvent::Success), Some(surface)) = (event, surface.filter(|it| is_form(it))) {
        return save(tx, call, current, surface);
    }
    let by_process = matches!(current.step.screen, StepScreen::Process(_));
    let possible =
        |event: &StepEvent| current.step.has_event(*event) && !(by_process && matches!(event, StepEvent::Success | StepEvent::Failure));
    let Some(event) = event.filter(possible).filter(|_| !current.position.is_ended) else {
        let why = say!("dz-this-step-has-no-such-event-choose", "This step has no such event. Choose one of its buttons.").to_owned();
        return render(tx, call, &current, None, Some(why), 409);
    };
    if let Some(surface) = surface.filter(|surface| surface.mode == Mode::View)
        && matches!(event, StepEvent::Success | StepEvent::Continue | StepEvent::Approve)
        && let Some(key) = current.position.last_row(tx, current.def, surface.entity)
    {
        current.save_row(&key);
    }
    current.advance(tx, event)
}

fn is_form(surface: &SurfaceDef) -> bool {
    match surface.mode {
        Mode::Create | Mode::Edit => true,
        Mode::List | Mode::View => false,
    }
}

/// True if the form of a surface has a field with the name of the parameter.
fn has_event_field(tx: &Tx<'_>, surface: &'static SurfaceDef) -> bool {
    is_form(surface) && form::list_writable(tx, surface).iter().any(|of| of.field.name == "event")
}

/// Saves the row of the form, and goes on.
fn save(tx: &mut Tx<'_>, call: &Call, mut current: Current, surface: &'static SurfaceDef) -> Result<Reply> {
    let preset = values::prefill(tx, current.def, &current.position, current.step)?;
    let call = complete_form(tx, call, surface, &preset);
    let submitted = match surface.mode {
        Mode::Edit => match screen::find_row(tx, &current, surface)? {
            Some(key) => submit::save_changes(tx, &call, surface, &columns::key_text(&key).unwrap_or_default(), &preset)?,
            None => {
                return render(
                    tx,
                    &call,
                    &current,
                    None,
                    Some(say!("dz-there-is-no-row-to-change-in", "There is no row to change in this step.").to_owned()),
                    409,
                );
            }
        },
        Mode::Create | Mode::List | Mode::View => submit::save_new(tx, &call, surface, &preset)?,
    };
    match submitted {
        Submitted::Saved(key, _) => {
            current.save_row(&key);
            current.advance(tx, StepEvent::Success)
        }
        // The step was left with the first submission.
        Submitted::Repeated(_) => Ok(Reply::see_other(address(current.def))),
        Submitted::Shown(state, status) => render(tx, &call, &current, Some(*state), None, status),
    }
}

/// The submitted form without the parameters of the experience; a control that was not sent at all has the initial value of the step.
fn complete_form(tx: &Tx<'_>, call: &Call, surface: &'static SurfaceDef, preset: &[(FieldIx, Value)]) -> Call {
    let mut call = call.clone();
    let own_field = has_event_field(tx, surface);
    call.form.retain(|(name, _)| name != VERSION && name != FORM && (name != "event" || own_field));
    for of in form::list_writable(tx, surface).iter().filter(|of| !of.field.kind.is_bool() && of.column.when.is_none()) {
        let Some((_, value)) = preset.iter().find(|(at, value)| *at == of.at && !value.is_null()) else { continue };
        let is_sent = call.form.iter().any(|(name, _)| name.split('.').next() == Some(of.field.name));
        if !is_sent {
            call.form.push((of.field.name.to_owned(), of.text(control::control_text(tx.app, of.field, value))));
        }
    }
    call
}

/// Renders the current step.
fn render(
    tx: &mut Tx<'_>,
    call: &Call,
    current: &Current,
    state: Option<FormState>,
    problem: Option<String>,
    status: u16,
) -> Result<Reply> {
    let Current { def, position, step, .. } = current;
    let shown = screen::build(tx, call, current, state)?;
    if let Content::Rows(reply) = shown.content {
        return Ok(reply);
    }
    let by_process = matches!(step.screen, StepScreen::Process(_));
    let is_button = |event: StepEvent| match event {
        StepEvent::Success => !by_process && !shown.has_form,
        StepEvent::Failure => !by_process,
        StepEvent::Continue | StepEvent::Back | StepEvent::Cancel | StepEvent::Approve | StepEvent::Reject | StepEvent::Skip => true,
    };
    let events = step.next.iter().map(|(event, _)| *event).filter(|event| !position.is_ended && is_button(*event));
    let address = address(def);
    let html = ExperienceHtml {
        name: def.name,
        title: def.title,
        steps: def
            .steps
            .iter()
            .map(|other| StepLine { title: other.title, current: std::ptr::eq(other, *step) && !position.is_ended })
            .collect(),
        step: step.name,
        ended: position.is_ended,
        problem: &problem,
        content: &shown.content,
        buttons: events
            .map(|event| {
                let (label, kind) = label(event);
                // A form has its own primary button.
                Button { event: word(event), label, kind: if shown.has_form && kind == "primary" { "" } else { kind } }
            })
            .collect(),
        address: &address,
        version: position.version,
        csrf: &call.csrf,
        restart: position.version > 0,
    };
    let content = html.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, def.title, shown.kind, None);
    let status = if status == 200 { shown.status } else { status };
    let mut reply = Answer::<Document>::document(shell.render(&content)?).reply(status, call.markup);
    if let Content::Message { waits: true, .. } = shown.content {
        // The page asks again until the process has ended.
        reply.headers.push(("Refresh", "2".to_owned()));
    }
    Ok(reply)
}

/// The links to the experiences that the caller can begin.
pub(crate) fn nav_entries(tx: &Tx<'_>, call: &Call) -> Vec<NavEntry> {
    let can_begin = |def: &&'static ExperienceDef| {
        let Some(first) = def.steps.get(usize::from(def.start)) else { return false };
        experience::check_access(tx, def).is_ok()
            && check_audience(tx.caller(), first.audience).is_ok()
            && first.surface(tx).is_none_or(|surface| shell::can_open(tx, surface))
    };
    let entry = |def: &'static ExperienceDef| NavEntry {
        href: address(def),
        label: def.title,
        mark: String::new(),
        tone: "gray",
        icon: Some(Icon("right")),
        current: call.path.iter().map(String::as_str).take(4).eq(["app", "-", "experience", def.name]),
        count: None,
    };
    tx.app.experiences.iter().filter(can_begin).map(entry).collect()
}

/// The steps whose form contains files, with their surfaces.
pub(crate) fn steps_with_files(app: &'static AppDef) -> Vec<(String, &'static SurfaceDef)> {
    let mut found = Vec::new();
    for def in app.experiences {
        for step in def.steps.iter().filter(|step| step.name != "restart") {
            let StepScreen::Surface(at) = step.screen else { continue };
            let Some(surface) = app.surfaces.get(usize::from(at)).copied() else { continue };
            if is_form(surface) && form::has_file_fields(app, surface) {
                found.push((format!("{}/{}", address(def), step.name), surface));
            }
        }
    }
    found
}

/// The page of a step with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let content = Content::Message { heading: "A process", text: text.to_owned(), waits: true };
    let page = ExperienceHtml {
        name: "sample",
        title: text,
        steps: vec![StepLine { title: text, current: true }, StepLine { title: text, current: false }],
        step: "first",
        ended: false,
        problem: &Some(text.to_owned()),
        content: &content,
        buttons: vec![Button { event: "back", label: "Back", kind: "" }],
        address: "/app/-/experience/sample",
        version: 1,
        csrf: text,
        restart: true,
    };
    page.render().expect("a page")
}
