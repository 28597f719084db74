//! `/app/-/factor`: the second factor of the account.

use askama::Template;
use qrcodegen::{QrCode, QrCodeEcc};

use crate::{
    Error, Result, Tx,
    accounts::{self, mfa},
    web::{
        Call, Reply,
        page::{Answer, Document, Icon, Shell, shell::PageKind},
    },
};

#[derive(Template)]
#[template(path = "second_factor.html")]
struct FactorHtml<'a> {
    error: Option<&'a str>,
    has_password: bool,
    /// The secret in groups, and its QR code.
    begun: Option<(String, String)>,
    /// The number of unused recovery codes.
    left: Option<usize>,
    /// The codes, which are shown once.
    codes: &'a [String],
    csrf: &'a str,
}

/// Draws the QR code of a text as SVG: the dark modules are one path.
fn draw_qr_code(text: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return String::new() };
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        for x in (0..size).filter(|x| code.get_module(*x, y)) {
            path.push_str(&format!("M{},{}h1v1h-1z", x + 4, y + 4));
        }
    }
    let whole = size + 8;
    format!(
        // words: allow(fill) because SVG has an attribute of this name
        "<svg viewBox=\"0 0 {whole} {whole}\" width=\"220\" height=\"220\" aria-hidden=\"true\" \
         shape-rendering=\"crispEdges\"><rect width=\"{whole}\" height=\"{whole}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>"
    )
}

fn group_secret(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().collect();
    letters.chunks(4).map(|part| part.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// The page.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let account = tx.caller().account.clone().ok_or_else(Error::unauthenticated)?;
    let app = tx.app;
    let has_password = accounts::has_password(tx.conn, app, &account.id)?;
    let failed = call.query.iter().find(|(name, _)| name == "failed").map(|(_, value)| value.as_str());
    let error = failed.map(|why| match why {
        "current" => say!("dz-the-password-is-wrong", "The password is wrong."),
        "there" => say!("dz-your-account-has-a-second-factor-already", "Your account has a second factor already."),
        "wait" => say!("dz-too-many-failed-attempts-try-again-in", "Too many failed attempts. Try again in half a minute."),
        "required" => say!("dz-your-role-requires-a-second-factor-set", "Your role requires a second factor. Set one up to continue."),
        _ => say!("dz-the-code-is-wrong-expired-or-already", "The code is wrong, expired or already used."),
    });
    let (begun, left) = match mfa::load_state(tx.conn, app, &account.id, call.session.as_deref())? {
        mfa::MfaState::None => (None, None),
        mfa::MfaState::Pending(secret) => {
            (Some((group_secret(&secret), draw_qr_code(&mfa::provisioning_uri(app, &account.email, &secret)))), None)
        }
        mfa::MfaState::Confirmed(left) => (None, Some(left)),
    };
    render_content(tx, call, FactorHtml { error, has_password, begun, left, codes: &[], csrf: &call.csrf })
}

/// Shows the recovery codes, which cannot be shown again.
pub fn show_recovery_codes(tx: &mut Tx<'_>, call: &Call, codes: &[String]) -> Result<Reply> {
    render_content(tx, call, FactorHtml { error: None, has_password: false, begun: None, left: None, codes, csrf: &call.csrf })
}

fn render_content(tx: &mut Tx<'_>, call: &Call, content: FactorHtml<'_>) -> Result<Reply> {
    let content = content.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, say!("dz-second-factor", "Second factor"), PageKind::Plain, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// The content of the page with sample data, in each of its states.
#[cfg(test)]
pub(crate) fn samples(text: &str) -> Vec<String> {
    let codes = vec![text.to_owned()];
    let states = [
        FactorHtml { error: Some(text), has_password: true, begun: None, left: None, codes: &[], csrf: text },
        FactorHtml {
            error: None,
            has_password: true,
            begun: Some((text.to_owned(), draw_qr_code(text))),
            left: None,
            codes: &[],
            csrf: text,
        },
        FactorHtml { error: None, has_password: true, begun: None, left: Some(3), codes: &[], csrf: text },
        FactorHtml { error: None, has_password: true, begun: None, left: None, codes: &codes, csrf: text },
    ];
    states.iter().map(|state| state.render().expect("a page")).collect()
}
