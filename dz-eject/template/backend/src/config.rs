//! Settings from the environment: `DATABASE_URL`, `PUBLIC_URL`, `TRUSTED_PROXIES`, `REGISTRATION`, `DZ_SECRETS`/*IF FILES*/, `DZ_FILES`,
//! `DZ_FILE_LIMIT`/*END FILES*/ and Rocket's own `ROCKET_…`.

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
/*IF FILES*/    /// The folder of the contents of files, if it is set.
    pub files: Option<std::path::PathBuf>,
    /// The most bytes of a file whose field has no limit.
    pub file_limit: u64,
/*END FILES*/}

/*IF FILES*//// The most bytes of a file whose field has no limit, unless `DZ_FILE_LIMIT` says otherwise.
const FILE_LIMIT: u64 = 10_000_000;

/*END FILES*/

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
/*IF FILES*/        let files = variable("DZ_FILES").map(Into::into);
        let file_limit = match variable("DZ_FILE_LIMIT") {
            None => FILE_LIMIT,
            Some(text) => bytes(&text).ok_or_else(|| format!("DZ_FILE_LIMIT is `{text}`; write a size such as 10MB"))?,
        };
/*END FILES*/        let config = Config {
            database_url,
            public_url,
            trusted_proxies,
            registration,
            secrets,
/*IF FILES*/            files,
            file_limit,
/*END FILES*/        };
        match &config.public_url {
            Some(url) if url.scheme() == "http" && !is_loopback(url) => {
                Err("PUBLIC_URL begins with http://, so passwords and sessions could be read on the way; use https://".to_owned())
            }
            _ => Ok(config),
        }
    }

/*IF FILES*/    /// The folder of the contents of files: without a setting, one beside the database with its name.
    pub fn files_folder(&self) -> std::path::PathBuf {
        let database = self.database_url.strip_prefix("sqlite://").or_else(|| self.database_url.strip_prefix("sqlite:"));
        self.files.clone().unwrap_or_else(|| match database {
            Some(path) => format!("{}.files", path.split('?').next().unwrap_or(path)).into(),
            None => format!("{}.files", crate::APP).into(),
        })
    }

/*END FILES*/    /// True if browsers use https.
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

/*IF FILES*//// A size such as `64KB`, `10MB` or `1GB`, in thousands of bytes.
fn bytes(text: &str) -> Option<u64> {
    let units = [("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    let (digits, unit) = units.into_iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit))).unwrap_or((text, 1));
    digits.trim().parse::<u64>().ok()?.checked_mul(unit)
}

/*END FILES*/fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
