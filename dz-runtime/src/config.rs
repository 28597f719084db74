//! Configuration: Rocket's own (`Rocket.toml`, `ROCKET_*`), the table `[default.dz]`, and environment variables.
//!
//! [`settings`] declares the keys. [`Config`] adds the values that are derived from them for one application.

pub(crate) mod breached;
mod documents;
mod markup;
#[cfg_attr(not(feature = "oidc"), allow(dead_code, reason = "the settings of providers are checked without the feature, too"))]
pub(crate) mod oidc;
mod settings;
mod source;
#[cfg_attr(not(feature = "s3"), allow(dead_code, reason = "the settings of object storage are checked without the feature, too"))]
mod storage;
#[cfg(test)]
mod tests;

use std::{net::IpAddr, path::PathBuf};

use dz_settings::Settings as _;
use figment::Figment;

pub use markup::Markup;
pub(crate) use settings::{BackupSettings, GraphLimits, IntentLimits, ListLimits, POOL_IDLE, RateLimits, Settings};
pub(crate) use storage::{BucketAddress, StoragePlace};
#[cfg(feature = "s3")]
pub(crate) use storage::{Downloads, S3Settings};

use crate::{Engine, Error, Result, def::AppDef, output::LogFormat};

/// The configuration of a running application.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// The values of the keys.
    pub settings: Settings,
    /// The database of the application: that of the program, of the settings, or the default.
    pub database_url: String,
    /// Requests for each minute and client address.
    pub rates: RateLimits,
    /// Limits of the answers about graphs.
    pub graph: GraphLimits,
    /// True if users can create their own accounts, by the settings or the declaration.
    pub registration: bool,
    /// The start of links in mails, without a slash at the end. It never depends on the host that a request names.
    pub base: String,
    /// Mask of the roles that require a second factor.
    pub second_factor: u64,
    /// Providers of OpenID Connect.
    pub oidc: Vec<oidc::Provider>,
    /// True under the profile `debug`.
    pub development: bool,
}

fn refusal(sentence: String) -> Error {
    Error::new(500, "CONFIGURATION", sentence)
}

/// The format of log lines before the application starts. An invalid configuration gives the default; the start reports the error.
pub(crate) fn log_format(figment: &Figment) -> LogFormat {
    source::read(figment).map_or(LogFormat::DEFAULT, |settings| settings.line_format())
}

impl Config {
    /// Reads the configuration. An error is one sentence that names the key, the value and the correction.
    pub fn read(figment: &Figment, app: &'static AppDef, engine: Engine, url: Option<String>) -> Result<Config> {
        Config::new(source::read(figment)?, figment, app, engine, url)
    }

    fn new(settings: Settings, figment: &Figment, app: &'static AppDef, engine: Engine, url: Option<String>) -> Result<Config> {
        if !settings.insecure_http {
            check_secure(figment, settings.public_url.as_ref())?;
        }
        check_replicas(&settings.replicas, engine)?;
        let default = match engine {
            Engine::Sqlite => format!("sqlite://{}.db", app.name),
            Engine::Postgres => format!("postgres://localhost/{}", app.name),
        };
        Ok(Config {
            database_url: url.or_else(|| settings.database_url.clone()).unwrap_or(default),
            rates: settings.rate_limits.unwrap_or_else(RateLimits::defaults),
            graph: settings.graph.unwrap_or_else(GraphLimits::defaults),
            registration: settings.registration.or(app.registration).unwrap_or(false),
            base: base(figment, settings.public_url.as_ref()),
            second_factor: role_mask(&settings.second_factor, app)?,
            oidc: oidc::providers(&settings)?,
            development: *figment.profile() == "debug",
            settings,
        })
    }

    /// The connection to object storage.
    ///
    /// # Errors
    /// An invalid variable, or an address that sends files unencrypted to another machine.
    #[cfg(feature = "s3")]
    pub fn s3(&self) -> Result<S3Settings> {
        S3Settings::resolve(self.settings.s3.as_ref())
    }

    /// The place of stored files: that of the settings, else a folder beside the database with its name.
    pub fn files_place(&self, app: &AppDef) -> StoragePlace {
        self.settings.files.clone().unwrap_or_else(|| {
            StoragePlace::Folder(match self.database_url.strip_prefix("sqlite://") {
                Some(path) => PathBuf::from(format!("{}.files", path.split('?').next().unwrap_or(path))),
                None => PathBuf::from(format!("{}.files", app.name)),
            })
        })
    }

    /// True if browsers reach the application over https.
    pub fn https(&self) -> bool {
        self.settings.public_url.as_ref().is_some_and(|url| url.scheme() == "https")
    }
}

/// Only PostgreSQL has replicas. No message shows the addresses, because they contain passwords.
fn check_replicas(replicas: &[String], engine: Engine) -> Result<()> {
    let is_postgres = |url: &String| ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
    match (engine, replicas.iter().position(|url| !is_postgres(url))) {
        (Engine::Sqlite, _) if !replicas.is_empty() => Err(refusal(
            "`dz.replicas` names read replicas, which SQLite does not have: remove the key, or build the application for PostgreSQL, with \
             `database = \"postgres\"` in dz.toml and dz's feature `postgres`"
                .to_owned(),
        )),
        (Engine::Postgres, Some(at)) => Err(refusal(format!(
            "address {} of `dz.replicas` is not that of a PostgreSQL database: write `postgres://user@host/database`",
            at + 1
        ))),
        (Engine::Sqlite | Engine::Postgres, _) => Ok(()),
    }
}

/// The mask of the roles that require a second factor.
fn role_mask(names: &[String], app: &'static AppDef) -> Result<u64> {
    names.iter().try_fold(0, |mask, name| match app.roles.iter().position(|role| role.name == name) {
        Some(bit) => Ok(mask | 1 << bit),
        None => {
            let known: Vec<&str> = app.roles.iter().map(|role| role.name).collect();
            Err(refusal(format!("`dz.second_factor` lists roles, and `{name}` is not a role; the roles are {}", known.join(", "))))
        }
    })
}

/// Without a public address, the one that Rocket listens on.
fn base(figment: &Figment, public_url: Option<&url::Url>) -> String {
    let socket = || {
        let address = figment.extract_inner::<IpAddr>("address").unwrap_or(IpAddr::from([127, 0, 0, 1]));
        let port = figment.extract_inner::<u16>("port").unwrap_or(8_000);
        format!("http://{}", std::net::SocketAddr::new(address, port))
    };
    public_url.map_or_else(socket, |url| url.origin().ascii_serialization())
}

/// Refuses plain http outside of loopback, because it sends sessions unencrypted.
fn check_secure(figment: &Figment, public_url: Option<&url::Url>) -> Result<()> {
    if let Some(url) = public_url {
        return check_scheme(url);
    }
    let address = figment.extract_inner::<IpAddr>("address").ok();
    match address.filter(|address| !address.to_canonical().is_loopback()) {
        None => Ok(()),
        Some(address) => Err(refusal(format!(
            "at the address {address} other machines reach the application over http, which is not encrypted; set `dz.public_url` to its \
             https address, or `dz.insecure_http = true`"
        ))),
    }
}

/// True for an address of this machine.
fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

fn check_scheme(url: &url::Url) -> Result<()> {
    if url.scheme() == "https" || is_loopback(url) {
        return Ok(());
    }
    Err(refusal(format!("`dz.public_url` is `{url}`, which sends sessions unencrypted; use https, or set `dz.insecure_http = true`")))
}
