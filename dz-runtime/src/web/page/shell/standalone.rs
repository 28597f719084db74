//! Standalone pages for users without a session: recovery, confirmation, registration and invitations.

use std::borrow::Cow;

use askama::Template;

use crate::{
    Error,
    def::AppDef,
    web::{
        Call, Reply,
        page::{Answer, Control, Document, FormField, Icon, Shell, shell::Frame},
    },
};

/// A standalone page, with its data.
#[derive(Debug, Clone, Copy)]
pub enum StandalonePage<'a> {
    /// Asks for the address that gets a reset link.
    Forgot {
        /// The entered address.
        email: &'a str,
    },
    /// Asks for a new password.
    Reset {
        /// The token of the link.
        token: &'a str,
    },
    /// Asks for a code of the second factor.
    Code,
    /// Asks for confirmation of an address.
    Verify {
        /// The token of the link.
        token: &'a str,
    },
    /// Asks an invited user for the values of a new account.
    Invited {
        /// The token of the link.
        token: &'a str,
        /// The label of the tenant.
        tenant: &'a str,
        /// The invited address.
        email: &'a str,
        /// The entered name.
        name: &'a str,
    },
    /// Asks an invited and signed-in user to join.
    Join {
        /// The token of the link.
        token: &'a str,
        /// The label of the tenant.
        tenant: &'a str,
    },
    /// Asks an invited user with an account to sign in first.
    SignInToJoin {
        /// The token of the link.
        token: &'a str,
        /// The label of the tenant.
        tenant: &'a str,
        /// The invited address.
        email: &'a str,
    },
    /// Reports an invalid invitation.
    InvalidInvitation,
    /// Asks for the values of a new account.
    Register {
        /// The entered address.
        email: &'a str,
        /// The entered name.
        name: &'a str,
    },
}

/// A field of the page.
struct Entry<'a> {
    name: &'static str,
    label: &'static str,
    kind: &'static str,
    autocomplete: &'static str,
    value: &'a str,
    help: Option<&'static str>,
    required: bool,
    error: Option<String>,
}

impl Entry<'_> {
    /// The value of `aria-describedby`, for the template.
    fn described_by(&self) -> Option<String> {
        crate::template::described_by(self.name, self.error.is_some(), self.help.is_some())
    }
}

#[derive(Template)]
#[template(path = "standalone.html")]
struct StandaloneHtml<'a> {
    title: &'static str,
    text: Cow<'a, str>,
    action: &'static str,
    token: Option<&'a str>,
    entries: Vec<Entry<'a>>,
    /// Additional fields of the account.
    fields: Vec<FormField>,
    /// The text of the button; empty without a form.
    submit: &'static str,
    /// An alternative link.
    way: Option<(String, &'static str)>,
    problem: Option<String>,
    csrf: &'a str,
}

fn email_entry() -> Entry<'static> {
    let label = say!("dz-email", "Email");
    Entry { name: "email", label, kind: "email", autocomplete: "username", value: "", help: None, required: true, error: None }
}

fn password_entry() -> Entry<'static> {
    Entry {
        name: "password",
        label: say!("dz-new-password", "New password"),
        kind: "password",
        autocomplete: "new-password",
        help: Some(say!("dz-at-least-8-characters-a-sentence", "At least 8 characters; a phrase of several words is best.")),
        ..email_entry()
    }
}

fn code_entry() -> Entry<'static> {
    Entry { name: "code", label: say!("dz-code", "Code"), kind: "text", autocomplete: "one-time-code", ..email_entry() }
}

fn name_entry() -> Entry<'static> {
    Entry { name: "name", label: say!("dz-name", "Name"), kind: "text", autocomplete: "name", required: false, ..email_entry() }
}

impl<'a> StandalonePage<'a> {
    /// The page without its fields.
    fn page(
        title: &'static str,
        text: &'static str,
        action: &'static str,
        submit: &'static str,
        token: Option<&'a str>,
        entries: Vec<Entry<'a>>,
    ) -> StandaloneHtml<'a> {
        StandaloneHtml { title, text: text.into(), action, token, entries, fields: Vec::new(), submit, way: None, problem: None, csrf: "" }
    }

    fn html(self, csrf: &'a str) -> StandaloneHtml<'a> {
        StandaloneHtml { csrf, ..self.content() }
    }

    fn content(self) -> StandaloneHtml<'a> {
        let page = StandalonePage::page;
        match self {
            StandalonePage::Forgot { email } => page(
                say!("dz-forgot-your-password", "Forgot your password?"),
                say!("dz-enter-your-email-address-we-send-you", "Enter your email address. We send you a link to set a new password."),
                "/auth/forgot",
                say!("dz-send-the-link", "Send the link"),
                None,
                vec![Entry { value: email, ..email_entry() }],
            ),
            StandalonePage::Reset { token } => page(
                say!("dz-set-a-new-password", "Set a new password"),
                say!("dz-setting-it-ends-all-your-other-sessions", "Setting it ends all your other sessions."),
                "/auth/reset",
                say!("dz-set-the-password", "Set the password"),
                Some(token),
                vec![password_entry()],
            ),
            StandalonePage::Code => page(
                say!("dz-one-more-step", "One more step"),
                say!("dz-enter-the-code-from-your-authenticator-app", "Enter the code from your authenticator app, or a recovery code."),
                "/auth/code",
                say!("dz-sign-in", "Sign in"),
                None,
                vec![code_entry()],
            ),
            StandalonePage::Verify { token } => page(
                say!("dz-confirm-your-address", "Confirm your address"),
                say!("dz-confirm-that-this-address-is-yours", "Confirm that this address is yours."),
                "/auth/verify",
                say!("dz-confirm", "Confirm"),
                Some(token),
                vec![],
            ),
            StandalonePage::Invited { .. }
            | StandalonePage::Join { .. }
            | StandalonePage::SignInToJoin { .. }
            | StandalonePage::InvalidInvitation => self.invitation(),
            StandalonePage::Register { email, name } => page(
                say!("dz-create-an-account", "Create an account"),
                say!("dz-we-send-you-a-link-to-confirm", "We send you a link to confirm your address."),
                "/auth/register",
                say!("dz-create-the-account", "Create the account"),
                None,
                vec![
                    Entry { value: name, ..name_entry() },
                    Entry { value: email, ..email_entry() },
                    Entry { label: say!("dz-password", "Password"), ..password_entry() },
                ],
            ),
        }
    }

    /// The pages of an invitation.
    fn invitation(self) -> StandaloneHtml<'a> {
        let page = StandalonePage::page;
        match self {
            StandalonePage::Invited { token, tenant, email, name } => StandaloneHtml {
                text: say!(
                    "dz-you-are-invited-to-tenant-enter-your",
                    "You are invited to {tenant}. Enter your name and choose a password for {email}.",
                    tenant = tenant,
                    email = email
                )
                .into(),
                ..page(
                    say!("dz-welcome", "Welcome"),
                    "",
                    "/auth/invite",
                    say!("dz-join", "Join"),
                    Some(token),
                    vec![Entry { value: name, ..name_entry() }, Entry { label: say!("dz-password", "Password"), ..password_entry() }],
                )
            },
            StandalonePage::Join { token, tenant } => StandaloneHtml {
                text: say!("dz-you-are-invited-to-tenant", "You are invited to {tenant}.", tenant = tenant).into(),
                ..page(say!("dz-you-are-invited", "You are invited"), "", "/auth/invite", say!("dz-join", "Join"), Some(token), vec![])
            },
            StandalonePage::SignInToJoin { token, tenant, email } => {
                let next = format!("/auth/invite?token={token}");
                let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", &next).finish();
                StandaloneHtml {
                    text: say!(
                        "dz-you-are-invited-to-tenant-sign-in",
                        "You are invited to {tenant}. Sign in as {email} to join.",
                        tenant = tenant,
                        email = email
                    )
                    .into(),
                    way: Some((format!("/login?{query}"), say!("dz-sign-in", "Sign in"))),
                    ..page(say!("dz-you-are-invited", "You are invited"), "", "/auth/invite", "", Some(token), vec![])
                }
            }
            StandalonePage::InvalidInvitation
            | StandalonePage::Forgot { .. }
            | StandalonePage::Reset { .. }
            | StandalonePage::Code
            | StandalonePage::Verify { .. }
            | StandalonePage::Register { .. } => page(
                say!("dz-this-invitation-is-no-longer-valid", "This invitation is no longer valid"),
                "",
                "/auth/invite",
                "",
                None,
                vec![],
            ),
        }
    }
}

/// Renders a standalone page, also with an error.
pub fn render(app: &'static AppDef, call: &Call, of: StandalonePage<'_>, error: Option<&Error>) -> Reply {
    render_with(app, call, of, Vec::new(), error)
}

/// As [`render`], with additional fields of a new account.
pub fn render_with(app: &'static AppDef, call: &Call, of: StandalonePage<'_>, fields: Vec<FormField>, error: Option<&Error>) -> Reply {
    let mut content = StandaloneHtml { fields, ..of.html(&call.csrf) };
    let needs_name = app.account().find("name").is_some_and(|(_, field)| field.required && field.default.is_none());
    for entry in content.entries.iter_mut().filter(|entry| entry.name == "name") {
        entry.required |= needs_name;
    }
    if let Some(error) = error {
        for entry in &mut content.entries {
            entry.error = error.field_errors.get(entry.name).map(|wrong| wrong.join(", "));
        }
        let has = |name: &str| {
            content.entries.iter().any(|entry| entry.name == name)
                || content.fields.iter().any(|field| field.name == name.replace('.', "-"))
        };
        let told = error.field_errors.keys().all(|name| has(name));
        content.problem = (!told || error.field_errors.is_empty()).then(|| format!("{}.", error.detail.trim_end_matches('.')));
    }
    let shell = Shell::standalone(app, call.markup, content.title, Frame::Standalone { wide: false });
    let html = content.render().map_err(Error::internal).and_then(|content| shell.render(&content));
    let html = html.unwrap_or_else(|error| error.detail);
    Answer::<Document>::document(html).reply(error.map_or(200, |error| error.status), call.markup)
}
