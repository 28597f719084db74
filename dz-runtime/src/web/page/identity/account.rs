//! The sign-in page, and the account page with its sessions and tokens.

use askama::Template;
use chrono::{DateTime, Utc};

use crate::{
    Account, Error, Result, TokenScope, Tx, Value, accounts,
    def::AppDef,
    field,
    state::State,
    web::{
        Call, Reply,
        page::{
            Answer, Document, Icon, Markup, Shell, columns,
            identity::{device, preferences::Choices},
            shell::{Frame, PageKind, role_titles},
        },
    },
};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInHtml<'a> {
    problem: Option<&'a str>,
    notice: Option<&'a str>,
    error: Option<&'a str>,
    email: &'a str,
    next: &'a str,
    csrf: &'a str,
    registration: bool,
    providers: &'a [SignInProvider],
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountHtml<'a> {
    label: &'a str,
    email: &'a str,
    confirmed: bool,
    roles: &'a [&'static str],
    sessions: Vec<SessionLine>,
    tokens: Vec<TokenLine>,
    notice: Option<&'a str>,
    error: Option<&'a str>,
    csrf: &'a str,
    choices: &'a Choices,
}

/// A session, as its owner sees it.
struct SessionLine {
    id: String,
    device: String,
    seen: String,
    current: bool,
}

/// An API token, as its owner sees it.
struct TokenLine {
    id: String,
    label: String,
    seen: String,
    expires: String,
}

/// The content of the sign-in page.
#[derive(Debug, Clone, Copy, Default)]
pub struct SignIn<'a> {
    /// The path to continue at, inside this application.
    pub next: &'a str,
    /// The entered address.
    pub email: &'a str,
    /// The error of the sign-in.
    pub error: Option<&'a str>,
    /// The error of a sign-in at a provider.
    pub problem: Option<&'a str>,
    /// The reason for the sign-in.
    pub notice: Option<&'a str>,
    /// The form token.
    pub csrf: &'a str,
    /// True if users can register.
    pub registration: bool,
    /// The configured providers.
    pub providers: &'a [SignInProvider],
}

/// A provider for sign-in.
#[derive(Debug, Clone)]
pub struct SignInProvider {
    /// The name of the provider.
    pub label: String,
    /// The address that starts the sign-in.
    pub address: String,
}

/// The sign-in page.
pub fn render_sign_in(app: &'static AppDef, markup: Markup, of: SignIn<'_>, status: u16) -> Reply {
    let SignIn { next, email, error, problem, notice, csrf, registration, providers } = of;
    let content = SignInHtml { problem, notice, error, email, next, csrf, registration, providers };
    let shell = Shell::standalone(app, markup, say!("dz-sign-in", "Sign in"), Frame::Standalone { wide: false });
    let html = content.render().map_err(Error::internal).and_then(|content| shell.render(&content));
    Answer::<Document>::document(html.unwrap_or_else(|error| error.detail)).reply(status, markup)
}

pub(crate) fn format_timestamp(app: &AppDef, at: DateTime<Utc>) -> String {
    field::format_time(at.with_timezone(&field::zone(app)).naive_local())
}

fn list_sessions(tx: &mut Tx<'_>, call: &Call, account: &Account) -> Result<Vec<SessionLine>> {
    let (app, now) = (tx.app, tx.caller.now);
    let open = accounts::list_sessions(tx.conn, app, &account.id, call.session.as_deref(), now)?;
    let line = |it: accounts::OpenSession| SessionLine {
        id: it.id.to_string(),
        device: device::describe_device(&it.device),
        seen: format_timestamp(app, it.seen_at),
        current: it.current,
    };
    Ok(open.into_iter().map(line).collect())
}

fn list_tokens(tx: &mut Tx<'_>, account: &Account) -> Result<Vec<TokenLine>> {
    let (app, now) = (tx.app, tx.caller.now);
    let tokens = accounts::list_tokens(tx.conn, app, &account.id, now)?;
    let line = |it: accounts::ListedToken| {
        let scope =
            if it.scope == TokenScope::Read { say!("dz-read-only", "Read only") } else { say!("dz-read-and-write", "Read and write") };
        let label = it
            .roles
            .map_or_else(|| scope.to_owned(), |roles| say!("dz-scope-as", "{scope}, as {roles}", scope = scope, roles = roles.join(", ")));
        TokenLine { id: it.id.to_string(), label, seen: format_timestamp(app, it.seen_at), expires: format_timestamp(app, it.expires_at) }
    };
    Ok(tokens.into_iter().map(line).collect())
}

/// `GET /app/-/account`: the roles, choices, password, sessions and API tokens of the account, and sign-out.
pub(crate) fn show_account(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let account = tx.caller().account.clone().ok_or_else(Error::unauthenticated)?;
    let failed = call.query.iter().find(|(name, _)| name == "failed").map(|(_, value)| value.as_str());
    let error = failed.map(|why| match why {
        "new" => say!("dz-the-new-password-needs-at-least-8", "The new password needs at least 8 characters."),
        _ => say!("dz-the-current-password-is-wrong", "The current password is wrong."),
    });
    let (sessions, tokens) = (list_sessions(tx, call, &account)?, list_tokens(tx, &account)?);
    let confirmed = tx.app.account().find("email_verified").and_then(|(at, _)| account.values.get(usize::from(at)));
    let content = AccountHtml {
        label: &account.label,
        email: &account.email,
        confirmed: confirmed != Some(&Value::Bool(false)),
        sessions,
        tokens,
        roles: &role_titles(tx.app, tx.caller()),
        notice: columns::notice(&call.query),
        error,
        csrf: &call.csrf,
        choices: &Choices::new(state, tx),
    };
    let content = content.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, say!("dz-account", "Account"), PageKind::Plain, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// The sign-in page with sample data.
#[cfg(test)]
pub(crate) fn sign_in_sample(app: &'static AppDef, text: &str) -> Reply {
    let providers = &[SignInProvider { label: text.into(), address: format!("/auth/oidc/acme?next={text}") }];
    let error = Some("Email and password do not match. You can try again now.");
    let of = SignIn { next: text, email: text, error, problem: Some(text), csrf: text, registration: true, providers, ..SignIn::default() };
    render_sign_in(app, Markup::Prefixed, of, 401)
}

/// The content of the account page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let error = Some("The current password is wrong.");
    let line = |current| SessionLine { id: text.to_owned(), device: text.to_owned(), seen: text.to_owned(), current };
    let token = TokenLine { id: text.to_owned(), label: text.to_owned(), seen: text.to_owned(), expires: text.to_owned() };
    let roles = &["Front desk", "Vet"];
    let (sessions, tokens) = (vec![line(true), line(false)], vec![token]);
    let choices = &Choices::sample(text);
    AccountHtml { label: text, email: text, confirmed: false, roles, sessions, tokens, notice: None, error, csrf: text, choices }
        .render()
        .expect("a page")
}
