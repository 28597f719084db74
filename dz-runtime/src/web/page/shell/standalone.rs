//! Pages of people who cannot sign in yet: a forgotten password, a new one, an address to confirm, a new account.

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

/// Which page, and what is known already.
#[derive(Debug, Clone, Copy)]
pub enum StandalonePage<'a> {
    /// Asks for the address to which a link goes.
    Forgot {
        /// The address that was typed.
        email: &'a str,
    },
    /// Asks for a new password.
    Reset {
        /// What the link carries.
        token: &'a str,
    },
    /// Asks for the code of a device, after the password.
    Code,
    /// Asks to confirm an address.
    Verify {
        /// What the link carries.
        token: &'a str,
    },
    /// Asks somebody who is invited for what a new account needs.
    Invited {
        /// What the link carries.
        token: &'a str,
        /// What the tenant is called.
        tenant: &'a str,
        /// The address that was invited.
        email: &'a str,
        /// The name that was typed.
        name: &'a str,
    },
    /// Asks somebody who is invited, and signed in, to join.
    Join {
        /// What the link carries.
        token: &'a str,
        /// What the tenant is called.
        tenant: &'a str,
    },
    /// Asks somebody who is invited, and has an account, to sign in first.
    SignInToJoin {
        /// What the link carries.
        token: &'a str,
        /// What the tenant is called.
        tenant: &'a str,
        /// The address that was invited.
        email: &'a str,
    },
    /// Says that an invitation does not hold any more.
    InvalidInvitation,
    /// Asks for what a new account needs.
    Register {
        /// The address that was typed.
        email: &'a str,
        /// The name that was typed.
        name: &'a str,
    },
}

/// A field of such a page.
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
    /// The value of `aria-describedby`, used by the template.
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
    /// Further fields of the account.
    fields: Vec<FormField>,
    /// What the button says; there is none where there is nothing to send.
    submit: &'static str,
    /// What one may do instead.
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

/// One of these pages; with an error, it is that answer and says what is wrong where.
pub fn render(app: &'static AppDef, call: &Call, of: StandalonePage<'_>, error: Option<&Error>) -> Reply {
    render_with(app, call, of, Vec::new(), error)
}

/// As [`render`], with further fields of a new account.
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
