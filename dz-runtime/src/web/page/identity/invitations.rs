//! `/app/-/invitations`: the pending invitations of the current tenant.

use askama::Template;

use crate::{
    Error, Result, Tx,
    accounts::{
        additional_fields::AdditionalFields,
        invitation::{self, PendingInvitation},
    },
    def::{AppDef, FieldDef, FieldIx},
    web::{
        Call, Reply,
        auth::{invitations, tenant},
        page::{
            Answer, Control, Document, FormField, Icon, Shell, columns,
            form::control,
            identity::account,
            shell::{NavEntry, PageKind},
        },
    },
};

#[derive(Template)]
#[template(path = "invitations.html")]
struct InvitationsHtml<'a> {
    /// The label of the tenant.
    tenant: &'a str,
    notice: Option<&'a str>,
    /// The error, if it is about no field.
    problem: Option<&'a str>,
    email: &'a str,
    email_error: Option<String>,
    personas: Vec<Persona>,
    personas_error: Option<String>,
    /// Additional fields of the membership.
    fields: Vec<FormField>,
    lines: Vec<Line>,
    csrf: &'a str,
}

/// A persona that can be given.
struct Persona {
    name: &'static str,
    title: &'static str,
    chosen: bool,
}

/// A pending invitation.
struct Line {
    id: String,
    email: String,
    /// Names and titles.
    personas: Vec<(String, String)>,
    /// Names and texts of the additional fields.
    fields: Vec<(String, String)>,
    told: String,
}

const ADDRESS: &str = "/app/-/invitations";

/// The link to this page, for callers who can open it.
pub(crate) fn nav_entry(tx: &Tx<'_>, call: &Call) -> Option<NavEntry> {
    let open = tx.app.members().is_some() && tx.tenant().is_some() && invitations::check_permission(tx).is_ok();
    open.then(|| NavEntry {
        icon: None,
        href: ADDRESS.to_owned(),
        label: say!("dz-invitations", "Invitations"),
        mark: "I".to_owned(),
        tone: "gray",
        // The form is submitted to another address.
        current: call.path.last().is_some_and(|last| last == "invitations"),
        count: None,
    })
}

/// Renders the page, also with an error and the entered values.
pub fn show_invitations(tx: &mut Tx<'_>, call: &Call, error: Option<&Error>) -> Result<Reply> {
    invitations::check_permission(tx)?;
    let call = &Call { csrf: tenant::bind_token(tx, call.csrf.split('.').next().unwrap_or_default()), ..call.clone() };
    let waiting = invitation::list_pending(tx)?;
    let needed = AdditionalFields::for_membership(tx.app).ok_or_else(Error::not_found)?;
    let fields = crate::web::page::build_controls(tx, call, &needed, error)?;
    let (app, caller) = (tx.app, tx.caller());
    let typed = |name: &str| call.form.iter().filter(|(key, _)| error.is_some() && key == name).map(|(_, value)| value.as_str()).collect();
    let (emails, chosen): (Vec<&str>, Vec<&str>) = (typed("email"), typed("personas"));
    let may_give = |bit: usize| caller.system_admin || (caller.roles >> bit) & 1 == 1;
    let persona = |(_, role): (usize, &'static crate::def::RoleDef)| Persona {
        name: role.name,
        title: role.title,
        chosen: chosen.contains(&role.name),
    };
    let wrong = |name: &str| error.and_then(|error| error.field_errors.get(name)).map(|wrong| wrong.join(", "));
    let told = error.is_some_and(|error| !error.field_errors.is_empty());
    let content = InvitationsHtml {
        tenant: caller.membership.as_ref().map_or("", |membership| membership.name.as_str()),
        notice: call.query.iter().find(|(name, _)| name == "done").and_then(|(_, what)| match what.as_str() {
            "invited" => Some(say!("dz-the-invitation-is-on-its-way", "The invitation was sent.")),
            "withdrawn" => {
                Some(say!("dz-the-invitation-is-withdrawn-its-link-no", "The invitation is withdrawn. Its link no longer works."))
            }
            _ => columns::notice(&call.query),
        }),
        problem: error.filter(|_| !told).map(|error| error.detail.as_str()),
        email: emails.first().copied().unwrap_or_default(),
        email_error: wrong("email"),
        personas: app.roles.iter().enumerate().filter(|(bit, _)| may_give(*bit)).map(persona).collect(),
        personas_error: wrong("personas"),
        fields,
        lines: waiting.into_iter().map(|it| build_line(app, &needed, it)).collect(),
        csrf: &call.csrf,
    };
    let html = content.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, say!("dz-invitations", "Invitations"), PageKind::Plain, None);
    Ok(Answer::<Document>::document(shell.render(&html)?).reply(error.map_or(200, |error| error.status), call.markup))
}

fn build_line(app: &'static AppDef, needed: &AdditionalFields, it: PendingInvitation) -> Line {
    let title = |name: String| {
        let title = app.roles.iter().find(|role| role.name == name).map_or_else(|| name.clone(), |role| role.title.to_owned());
        (name, title)
    };
    let (at, until) = (account::format_timestamp(app, it.at), account::format_timestamp(app, it.until));
    let told = match it.by {
        Some(by) => say!("dz-invited-by", "Invited by {account} on {time}, valid until {until}", account = by, time = at, until = until),
        None => say!("dz-invited", "Invited on {time}, valid until {until}", time = at, until = until),
    };
    let kept = needed.read_stored(app, &it.membership);
    let text =
        |(at, field): &(FieldIx, &'static FieldDef)| Some((needed.control_name(field), control::control_text(app, field, kept.get(*at)?)));
    Line {
        id: it.id.to_string(),
        email: it.email,
        personas: it.personas.into_iter().map(title).collect(),
        fields: needed.fields.iter().filter(|(_, field)| !field.sensitive).filter_map(text).collect(),
        told,
    }
}

/// The content of the page with sample data, in each of its states.
#[cfg(test)]
pub(crate) fn samples(text: &str) -> Vec<String> {
    let pair = || vec![(text.to_owned(), text.to_owned())];
    let line = || Line { id: text.to_owned(), email: text.to_owned(), personas: pair(), fields: pair(), told: text.to_owned() };
    let persona = |chosen| Persona { name: "clerk", title: "Clerk", chosen };
    let empty = InvitationsHtml {
        tenant: text,
        notice: Some("The invitation was sent."),
        problem: None,
        email: "",
        email_error: None,
        personas: Vec::new(),
        personas_error: None,
        fields: Vec::new(),
        lines: Vec::new(),
        csrf: text,
    };
    let wrong = InvitationsHtml {
        tenant: text,
        notice: None,
        problem: Some(text),
        email: text,
        email_error: Some(text.to_owned()),
        personas: vec![persona(true), persona(false)],
        personas_error: Some(text.to_owned()),
        fields: Vec::new(),
        lines: vec![line(), line()],
        csrf: text,
    };
    [empty, wrong].iter().map(|state| state.render().expect("a page")).collect()
}
