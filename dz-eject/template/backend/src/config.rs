//! Settings from the environment: `DATABASE_URL`, `PUBLIC_URL`, `TRUSTED_PROXIES`, `REGISTRATION`, `DZ_SECRETS` and Rocket's own
//! `ROCKET_…`.

use crate::{client::Proxies, secrets::Secrets};

/// The settings of the program.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The address of the database.
    pub database_url: String,
    /// The address that browsers use; without it the program is reached at the address where it listens.
    pub public_url: Option<url::Url>,
    /// The proxies whose `X-Forwarded-For` names the client.
    pub trusted_proxies: Proxies,
    /// True if people can create accounts for themselves.
    pub registration: bool,
    /// The keys that encrypt the secrets of second factors.
    pub secrets: Secrets,
}

impl Config {
    /// Reads the environment.
    pub fn from_environment(default_database: &str) -> Result<Config, String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let public_url = match variable("PUBLIC_URL") {
            Some(text) => Some(text.parse().map_err(|_| format!("PUBLIC_URL is `{text}`; write an address such as https://app.example"))?),
            None => None,
        };
        let registration = match variable("REGISTRATION").as_deref() {
            None => crate::REGISTRATION,
            Some("true") => true,
            Some("false") => false,
            Some(other) => return Err(format!("REGISTRATION is `{other}`; write true or false")),
        };
        let trusted_proxies = Proxies::read(&variable("TRUSTED_PROXIES").unwrap_or_default())?;
        let secrets = Secrets::read(&variable("DZ_SECRETS").unwrap_or_default())?;
        let database_url = variable("DATABASE_URL").unwrap_or_else(|| default_database.to_owned());
        let config = Config { database_url, public_url, trusted_proxies, registration, secrets };
        match &config.public_url {
            Some(url) if url.scheme() == "http" && !is_loopback(url) => {
                Err("PUBLIC_URL begins with http://, so passwords and sessions could be read on the way; use https://".to_owned())
            }
            _ => Ok(config),
        }
    }

    /// True if browsers use https.
    pub fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.scheme() == "https")
    }

    /// The name of the session cookie. With the prefix, browsers accept it from this host over https only.
    pub fn session_cookie(&self) -> &'static str {
        if self.is_https() { "__Host-dz_session" } else { "dz_session" }
    }

    /// The name of the cookie of a browser that registers an account.
    pub fn registrant_cookie(&self) -> &'static str {
        if self.is_https() { "__Host-dz_registered" } else { "dz_registered" }
    }
}

fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
