//! `[default.dz.oidc.<name>]`: providers by whose word people sign in (OpenID Connect).

use std::fmt;

use figment::{Figment, value::Dict};

use super::{get, refusal};
use crate::{Result, suggest::nearest};

/// What the table of a provider may say.
const KEYS: &[&str] = &["issuer", "client_id", "client_secret", "label", "scopes", "link_by_email"];

/// A provider by whose word people sign in.
#[derive(Debug, Clone)]
pub(crate) struct Provider {
    /// As it stands in addresses: `/auth/oidc/<name>`.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// Where its description is, and what its tokens must say.
    pub issuer: url::Url,
    /// The issuer as it is written down: tokens must say exactly this.
    pub issuer_text: String,
    pub client_id: String,
    pub client_secret: Option<Secret>,
    /// What is asked for besides `openid`.
    pub scopes: Vec<String>,
    /// True when an account that is there already is found by an address that the provider has confirmed.
    pub link_by_email: bool,
}

/// Something that stands in no log.
#[derive(Clone)]
pub(crate) struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Provider {
    /// True when the provider is on this machine, where plain http is nobody else's to hear.
    pub fn is_near(&self) -> bool {
        self.issuer.scheme() == "http"
    }

    /// The environment variable that holds its secret, if that is not to stand in a file.
    fn variable(name: &str) -> String {
        format!("DZ_OIDC_{}_CLIENT_SECRET", name.to_uppercase().replace('-', "_"))
    }
}

/// The providers of a configuration, by name.
///
/// # Errors
/// One sentence that names the culprit and the way out.
pub(super) fn read(figment: &Figment) -> Result<Vec<Provider>> {
    let Some(tables) = get::<Dict>(figment, "oidc")? else { return Ok(Vec::new()) };
    if !cfg!(feature = "oidc") && !tables.is_empty() {
        return Err(refusal("`dz.oidc` needs the cargo feature `oidc`: `dz = { version = \"0.1\", features = [\"oidc\"] }`".to_owned()));
    }
    tables.keys().map(|name| provider(figment, name)).collect()
}

fn provider(figment: &Figment, name: &str) -> Result<Provider> {
    let place = format!("dz.oidc.{name}");
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 32 || !name.chars().all(good) {
        return Err(refusal(format!(
            "`{place}` is part of URLs: its name may have only lower-case letters, digits and `-`, and at most 32 characters"
        )));
    }
    let table = get::<Dict>(figment, &format!("oidc.{name}"))?.unwrap_or_default();
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let near =
            nearest(key, KEYS.to_vec()).map_or_else(|| format!("it has {}", KEYS.join(", ")), |near| format!("did you mean `{near}`?"));
        return Err(refusal(format!("unknown configuration key `{place}.{key}`; {near}")));
    }
    let text = |key: &str| get::<String>(figment, &format!("oidc.{name}.{key}")).map(|text| text.filter(|text| !text.trim().is_empty()));
    let needed = |key: &str, what: &str| text(key)?.ok_or_else(|| refusal(format!("`{place}` needs `{key}`, {what}")));
    let issuer_text = needed("issuer", "the address of the provider, such as `https://login.example.com`")?;
    let client_id = needed("client_id", "the name that the provider gave to this application")?;
    let secret = std::env::var(Provider::variable(name)).ok().filter(|secret| !secret.is_empty()).or(text("client_secret")?);
    Ok(Provider {
        label: text("label")?.unwrap_or_else(|| name.to_owned()),
        issuer: issuer(&place, &issuer_text)?,
        scopes: get::<Vec<String>>(figment, &format!("oidc.{name}.scopes"))?
            .unwrap_or_else(|| vec!["email".to_owned(), "profile".to_owned()]),
        link_by_email: get::<bool>(figment, &format!("oidc.{name}.link_by_email"))?.unwrap_or(false),
        name: name.to_owned(),
        client_secret: secret.map(Secret),
        issuer_text,
        client_id,
    })
}

fn issuer(place: &str, text: &str) -> Result<url::Url> {
    let wrong = |why: &str| refusal(format!("`{place}.issuer` is `{text}`, {why}"));
    let url = url::Url::parse(text).map_err(|_| wrong("which is not an address such as `https://login.example.com`"))?;
    let near = super::is_loopback(&url);
    match (url.scheme(), near) {
        ("https", _) | ("http", true) if url.query().is_none() && url.fragment().is_none() => Ok(url),
        ("https", _) | ("http", true) => Err(wrong("and an issuer has no `?` and no `#`")),
        _ => Err(wrong("which is not encrypted, so another server could answer in its place; use https")),
    }
}
