//! `[default.dz.oidc.<name>]`: providers of OpenID Connect.

use std::fmt;

use dz_settings::{Place, Problem, kind, settings};

use super::{is_loopback, refusal, settings::Settings};
use crate::Result;

settings! {
    /// The table `[default.dz.oidc.<name>]`. The name is part of URLs: lower-case letters, digits and `-`.
    #[derive(Debug, Clone)]
    pub(crate) struct ProviderSettings {
        /// The address of the provider, exactly as the provider writes it.
        issuer: Issuer as issuer();
        /// The name of the application at the provider.
        client_id: String as client_id();
        /// The secret of the application at the provider; a public client has none.
        client_secret: Option<Secret> as kind::optional(kind::secret(client_secret())), default None,
            variable "DZ_OIDC_<NAME>_CLIENT_SECRET";
        /// The name of the provider on the button.
        label: Option<String> as kind::optional(kind::text()), default None, shown "the name of the table";
        /// The scopes that are requested besides `openid`.
        scopes: Vec<String> as kind::list("scopes", kind::text()), default vec!["email".to_owned(), "profile".to_owned()];
        /// Whether an identity is linked to the account with its verified address.
        link_by_email: bool as kind::boolean(), default false;
    }
}

/// A provider of OpenID Connect.
#[derive(Debug, Clone)]
pub(crate) struct Provider {
    /// Its name in URLs: `/auth/oidc/<name>`.
    pub name: String,
    pub settings: ProviderSettings,
}

/// The address of a provider.
#[derive(Debug, Clone)]
pub(crate) struct Issuer {
    pub url: url::Url,
    /// As it is configured: tokens must contain exactly this text.
    pub text: String,
}

/// A text that no log contains.
#[derive(Clone)]
pub(crate) struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Provider {
    /// True if the provider is on this machine, where http needs no encryption.
    pub fn is_loopback(&self) -> bool {
        self.settings.issuer.url.scheme() == "http"
    }

    /// The name of the provider on the button.
    pub fn label(&self) -> &str {
        self.settings.label.as_deref().unwrap_or(&self.name)
    }
}

/// The providers of a configuration.
///
/// # Errors
/// There are providers, and the cargo feature is missing.
pub(super) fn providers(settings: &Settings) -> Result<Vec<Provider>> {
    if !cfg!(feature = "oidc") && !settings.oidc.is_empty() {
        return Err(refusal("`dz.oidc` needs the cargo feature `oidc`: `dz = { version = \"0.1\", features = [\"oidc\"] }`".to_owned()));
    }
    Ok(settings.oidc.iter().map(|(name, settings)| Provider { name: name.clone(), settings: settings.clone() }).collect())
}

/// Refuses the name of a provider that cannot be a part of URLs.
pub(super) fn check_name(name: &str, place: &Place<'_>) -> Result<(), Problem> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.is_empty() && name.len() <= 32 && name.chars().all(is_plain) {
        return Ok(());
    }
    let reason = "this name is part of URLs; write at most 32 lower-case letters, digits and `-`".to_owned();
    Err(Problem::Refused { place: place.child(name).path, value: None, reason })
}

fn issuer() -> impl dz_settings::Kind<Issuer> {
    let text = kind::parse("the address of the provider, such as `https://login.example.com`", |text| {
        url::Url::parse(text).ok().map(|url| Issuer { url, text: text.to_owned() })
    });
    kind::with_check(text, |issuer: Issuer| match (issuer.url.scheme(), is_loopback(&issuer.url)) {
        ("https", _) | ("http", true) if issuer.url.query().is_none() && issuer.url.fragment().is_none() => Ok(issuer),
        ("https", _) | ("http", true) => Err("the address of a provider has no `?` and no `#`".to_owned()),
        _ => Err("the connection is not encrypted, so another server could answer; use https".to_owned()),
    })
}

fn client_id() -> kind::Parse<String> {
    kind::parse("the name that the provider gave to this application", |text| Some(text.to_owned()).filter(|text| !text.trim().is_empty()))
}

fn client_secret() -> kind::Parse<Secret> {
    kind::parse("a text", |text| Some(Secret(text.to_owned())))
}
