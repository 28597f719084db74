//! Pages about the person: sign-in, and the account.

use askama::Template;

use super::{
    Answer, Document, Icon, Markup, Shell, present,
    shell::{Frame, Part, role_titles},
};
use crate::{
    Error, Result, Tx,
    def::AppDef,
    http::{Call, Reply},
};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInHtml<'a> {
    notice: Option<&'a str>,
    error: Option<&'a str>,
    email: &'a str,
    next: &'a str,
    csrf: &'a str,
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountHtml<'a> {
    label: &'a str,
    email: &'a str,
    roles: &'a [&'static str],
    notice: Option<&'a str>,
    error: Option<&'a str>,
    csrf: &'a str,
}

/// What the sign-in page shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct SignIn<'a> {
    /// Where to go afterwards: a path of this application.
    pub next: &'a str,
    /// The address that was typed.
    pub email: &'a str,
    /// Why signing in failed.
    pub error: Option<&'a str>,
    /// Why one is asked to sign in.
    pub notice: Option<&'a str>,
    /// The form token.
    pub csrf: &'a str,
}

/// The sign-in page.
pub fn sign_in(app: &'static AppDef, markup: Markup, of: SignIn<'_>, status: u16) -> Reply {
    let content = SignInHtml { notice: of.notice, error: of.error, email: of.email, next: of.next, csrf: of.csrf };
    let shell = Shell::solo(app, markup, "Sign in", Frame::Solo { wide: false });
    let html = content.render().map_err(Error::internal).and_then(|content| shell.render(&content));
    Answer::<Document>::document(html.unwrap_or_else(|error| error.detail)).reply(status, markup)
}

/// `GET /app/-/account`: who one is, roles, password, sign-out.
pub(super) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let account = tx.caller().account.clone().ok_or_else(Error::unauthenticated)?;
    let failed = call.query.iter().find(|(name, _)| name == "failed").map(|(_, value)| value.as_str());
    let error = failed.map(|why| match why {
        "new" => "The new password needs at least 8 characters.",
        _ => "The current password is not right.",
    });
    let content = AccountHtml {
        label: &account.label,
        email: &account.email,
        roles: &role_titles(tx.app, tx.caller()),
        notice: present::notice(&call.query),
        error,
        csrf: &call.csrf,
    };
    let content = content.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, "Account", Part::Plain, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// The account page's content over made-up data.
#[cfg(test)]
pub(super) fn sample(text: &str) -> String {
    let error = Some("The current password is not right.");
    AccountHtml { label: text, email: text, roles: &["Front desk", "Vet"], notice: None, error, csrf: text }.render().expect("a page")
}
