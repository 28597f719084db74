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

const EMAIL: Entry<'static> =
    Entry { name: "email", label: "Email", kind: "email", autocomplete: "username", value: "", help: None, required: true, error: None };
const PASSWORD: Entry<'static> = Entry {
    name: "password",
    label: "New password",
    kind: "password",
    autocomplete: "new-password",
    value: "",
    help: Some("At least 8 characters; a sentence is best."),
    required: true,
    error: None,
};
const CODE: Entry<'static> = Entry { name: "code", label: "Code", kind: "text", autocomplete: "one-time-code", ..EMAIL };
const NAME: Entry<'static> = Entry { name: "name", label: "Name", kind: "text", autocomplete: "name", required: false, ..EMAIL };

impl<'a> StandalonePage<'a> {
    fn html(self, csrf: &'a str) -> StandaloneHtml<'a> {
        let page = |title, text: &'static str, action, submit, token, entries| StandaloneHtml {
            title,
            text: text.into(),
            action,
            token,
            entries,
            fields: Vec::new(),
            submit,
            way: None,
            problem: None,
            csrf,
        };
        match self {
            StandalonePage::Forgot { email } => page(
                "Forgot your password?",
                "Enter your email address. We send you a link to set a new password.",
                "/auth/forgot",
                "Send the link",
                None,
                vec![Entry { value: email, ..EMAIL }],
            ),
            StandalonePage::Reset { token } => page(
                "Set a new password",
                "Setting it ends all your other sessions.",
                "/auth/reset",
                "Set the password",
                Some(token),
                vec![PASSWORD],
            ),
            StandalonePage::Code => page(
                "One more step",
                "Enter the code from your authenticator app, or a recovery code.",
                "/auth/code",
                "Sign in",
                None,
                vec![CODE],
            ),
            StandalonePage::Verify { token } => {
                page("Confirm your address", "Confirm that this address is yours.", "/auth/verify", "Confirm", Some(token), vec![])
            }
            StandalonePage::Invited { token, tenant, email, name } => StandaloneHtml {
                text: format!("You are invited to {tenant}. Enter your name and choose a password for {email}.").into(),
                ..page(
                    "Welcome",
                    "",
                    "/auth/invite",
                    "Join",
                    Some(token),
                    vec![Entry { value: name, ..NAME }, Entry { label: "Password", ..PASSWORD }],
                )
            },
            StandalonePage::Join { token, tenant } => StandaloneHtml {
                text: format!("You are invited to {tenant}.").into(),
                ..page("You are invited", "", "/auth/invite", "Join", Some(token), vec![])
            },
            StandalonePage::SignInToJoin { token, tenant, email } => {
                let next = format!("/auth/invite?token={token}");
                let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", &next).finish();
                StandaloneHtml {
                    text: format!("You are invited to {tenant}. Sign in as {email} to join.").into(),
                    way: Some((format!("/login?{query}"), "Sign in")),
                    ..page("You are invited", "", "/auth/invite", "", Some(token), vec![])
                }
            }
            StandalonePage::InvalidInvitation => page("This invitation is no longer valid", "", "/auth/invite", "", None, vec![]),
            StandalonePage::Register { email, name } => page(
                "Create an account",
                "We send you a link to confirm your address.",
                "/auth/register",
                "Create the account",
                None,
                vec![Entry { value: name, ..NAME }, Entry { value: email, ..EMAIL }, Entry { label: "Password", ..PASSWORD }],
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
    let needs_name = app.account().find(NAME.name).is_some_and(|(_, field)| field.required && field.default.is_none());
    for entry in content.entries.iter_mut().filter(|entry| entry.name == NAME.name) {
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
