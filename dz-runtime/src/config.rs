//! Configuration: Rocket's own (`Rocket.toml`, `ROCKET_*`), the table `[default.dz]`, and `DATABASE_URL`.

#[cfg_attr(not(feature = "oidc"), allow(dead_code, reason = "what is written down is read and checked without the feature, too"))]
pub(crate) mod oidc;

pub(crate) mod breached;
mod markup;

use std::{collections::BTreeMap, net::IpAddr, path::PathBuf, time::Duration};

use figment::Figment;

pub use markup::Markup;

use crate::{Engine, Error, Result, def::AppDef, field::USUAL_FILE_LIMIT, output::LogFormat, secrets::Secrets, suggest::nearest};

/// What `[default.dz]` may say.
const KEYS: &[&str] = &[
    "database_url",
    "pool_size",
    "public_url",
    "insecure_http",
    "markup",
    "trusted_proxies",
    "body_limit",
    "registration",
    "rate_limits",
    "worker",
    "log_format",
    "log_level",
    "audit_days",
    "migrations_url",
    "files",
    "file_limit",
    "upload_pause",
    "upload_time",
    "oidc",
    "second_factor",
    "breached_passwords",
    "secrets",
];

/// The configuration of a running application.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub database_url: String,
    pub pool_size: u32,
    /// The database by the role that owns the tables, where that is not the one that serves.
    pub migrations_url: Option<String>,
    /// Scheme, host and port under which people reach the application.
    pub public_url: Option<url::Url>,
    pub markup: Markup,
    pub trusted_proxies: Vec<IpAddr>,
    /// Bytes of a request's body at most.
    pub body_limit: u64,
    /// False when timed moves and events are left to another instance.
    pub worker: bool,
    /// True when people may make accounts for themselves.
    pub registration: bool,
    /// What links in mails begin with, without a slash at the end. Never what a request says of its host.
    pub base: String,
    pub rates: Rates,
    /// For how many days the audit log is kept; `None` is for good.
    pub audit_days: Option<u32>,
    /// The folder of stored files, where one is named.
    pub files: Option<PathBuf>,
    /// Bytes of a file at most, for fields that say nothing else.
    pub file_limit: u64,
    /// For so long nothing of a form with files may arrive.
    pub upload_pause: Duration,
    /// The whole of it may take so long, and a second more for so many bytes.
    pub upload_time: Duration,
    /// Mask of the roles that ask for a second factor.
    pub second_factor: u64,
    /// The file of passwords that became known elsewhere.
    pub breached: Option<std::path::PathBuf>,
    /// Keys for what is encrypted at rest.
    pub secrets: Secrets,
    /// Providers by whose word people sign in.
    pub oidc: Vec<oidc::Provider>,
    /// True under the profile `debug`.
    pub development: bool,
}

/// Requests per minute and client address, by what they do; zero is without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rates {
    /// Signing in, registering, links by mail.
    pub auth: u32,
    /// Whatever else may change something.
    pub write: u32,
    /// Looking.
    pub read: u32,
    /// Clients on this machine are counted too: they are proxies or tools, unless the limits were written down.
    pub local: bool,
}

impl Rates {
    const KEYS: [&'static str; 3] = ["auth", "write", "read"];

    fn read(figment: &Figment) -> Result<Rates> {
        let given = get::<BTreeMap<String, u32>>(figment, "rate_limits")?;
        let local = given.is_some();
        let given = given.unwrap_or_default();
        if let Some(key) = given.keys().find(|key| !Rates::KEYS.contains(&key.as_str())) {
            return Err(refusal(format!("`dz.rate_limits` has the keys {}, and no `{key}`", Rates::KEYS.join(", "))));
        }
        let rate = |key: &str, usual: u32| given.get(key).copied().unwrap_or(usual);
        Ok(Rates { auth: rate("auth", 120), write: rate("write", 1_200), read: rate("read", 12_000), local })
    }
}

fn refusal(sentence: String) -> Error {
    Error::new(500, "CONFIGURATION", sentence)
}

impl Config {
    /// Reads the configuration. An error is one sentence that names the culprit and the way out.
    pub fn read(figment: &Figment, app: &'static AppDef, engine: Engine, url: Option<String>) -> Result<Config> {
        check_keys(figment)?;
        let text = |key: &str| get::<String>(figment, key);
        let configured = text("database_url")?;
        let from_env = std::env::var("DATABASE_URL").ok().filter(|url| !url.is_empty());
        let default = match engine {
            Engine::Sqlite => format!("sqlite://{}.db", app.name),
            Engine::Postgres => format!("postgres://localhost/{}", app.name),
        };
        let public_url = text("public_url")?.map(|url| public(&url)).transpose()?;
        if !get::<bool>(figment, "insecure_http")?.unwrap_or(false) {
            check_secure(figment, public_url.as_ref())?;
        }
        LogFormat::read(figment).map_err(refusal)?;
        let markup = text("markup")?.unwrap_or_else(|| "prefixed".to_owned());
        let markup = Markup::named(&markup).ok_or_else(|| refusal(format!("`dz.markup` is `prefixed` or `plain`, not `{markup}`")))?;
        let proxies = get::<Vec<String>>(figment, "trusted_proxies")?.unwrap_or_default();
        let trusted_proxies = proxies
            .iter()
            .map(|proxy| proxy.parse().map_err(|_| refusal(format!("`dz.trusted_proxies` lists addresses, and `{proxy}` is none"))))
            .collect::<Result<_>>()?;
        Ok(Config {
            database_url: url.or(from_env).or(configured).unwrap_or(default),
            migrations_url: std::env::var("DATABASE_MIGRATIONS_URL").ok().filter(|url| !url.is_empty()).or(text("migrations_url")?),
            pool_size: get::<u32>(figment, "pool_size")?.unwrap_or(8).clamp(1, 256),
            markup,
            trusted_proxies,
            body_limit: get::<u64>(figment, "body_limit")?.unwrap_or(1 << 20),
            worker: get::<bool>(figment, "worker")?.unwrap_or(true),
            registration: get::<bool>(figment, "registration")?.or(app.registration).unwrap_or(false),
            base: base(figment, public_url.as_ref()),
            rates: Rates::read(figment)?,
            audit_days: get::<u32>(figment, "audit_days")?.filter(|days| *days > 0),
            files: text("files")?.filter(|folder| !folder.is_empty()).map(PathBuf::from),
            file_limit: get::<u64>(figment, "file_limit")?.unwrap_or(USUAL_FILE_LIMIT),
            upload_pause: seconds(figment, "upload_pause", 30)?,
            upload_time: seconds(figment, "upload_time", 60)?,
            second_factor: roles(figment, app)?,
            breached: text("breached_passwords")?.map(breached).transpose()?,
            secrets: secrets(figment)?,
            oidc: oidc::read(figment)?,
            public_url,
            development: *figment.profile() == "debug",
        })
    }

    /// The folder of stored files: the one that is named, or beside the database one that is called like it.
    pub fn files_folder(&self, app: &AppDef) -> PathBuf {
        self.files.clone().unwrap_or_else(|| match self.database_url.strip_prefix("sqlite://") {
            Some(path) => PathBuf::from(format!("{}.files", path.split('?').next().unwrap_or(path))),
            None => PathBuf::from(format!("{}.files", app.name)),
        })
    }

    /// True when people reach the application over https.
    pub fn https(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.scheme() == "https")
    }

    /// The name of the cookie of a browser that has registered an account.
    pub fn registrant(&self) -> &'static str {
        if self.https() { "__Host-dz_registered" } else { "dz_registered" }
    }

    /// The name of the cookie of a browser between a password and a code.
    pub fn step(&self) -> &'static str {
        if self.https() { "__Host-dz_step" } else { "dz_step" }
    }

    /// The name of the cookie of a browser that is on its way to a provider and back.
    pub fn errand(&self) -> &'static str {
        if self.https() { "__Host-dz_errand" } else { "dz_errand" }
    }

    /// The session cookie's name: the prefix makes browsers insist on Secure, this host and the path `/`.
    pub fn cookie(&self) -> &'static str {
        if self.https() { "__Host-dz_session" } else { "dz_session" }
    }
}

fn get<'a, T: serde::Deserialize<'a>>(figment: &Figment, key: &str) -> Result<Option<T>> {
    let path = format!("dz.{key}");
    if !figment.contains(&path) {
        return Ok(None);
    }
    figment.extract_inner(&path).map(Some).map_err(|error| refusal(format!("the configuration `{path}` is wrong: {}", one_line(&error))))
}

/// A length of time, in whole seconds; less than one is none in which anything could happen.
fn seconds(figment: &Figment, key: &str, usual: u64) -> Result<Duration> {
    match get::<u64>(figment, key)?.unwrap_or(usual) {
        0 => Err(refusal(format!("`dz.{key}` is a number of seconds, at least 1"))),
        seconds => Ok(Duration::from_secs(seconds)),
    }
}

/// The roles that ask for a second factor.
fn roles(figment: &Figment, app: &'static AppDef) -> Result<u64> {
    let names = get::<Vec<String>>(figment, "second_factor")?.unwrap_or_default();
    names.iter().try_fold(0, |mask, name| match app.roles.iter().position(|role| role.name == name) {
        Some(bit) => Ok(mask | 1 << bit),
        None => {
            let known: Vec<&str> = app.roles.iter().map(|role| role.name).collect();
            Err(refusal(format!("`dz.second_factor` lists roles, and `{name}` is not a role; the roles are {}", known.join(", "))))
        }
    })
}

/// The keys, by the environment or by what is written down.
fn secrets(figment: &Figment) -> Result<Secrets> {
    let from_env = std::env::var("DZ_SECRETS").ok().filter(|keys| !keys.is_empty());
    let written = match from_env {
        Some(keys) => keys.split(',').map(|key| key.trim().to_owned()).collect(),
        None => get::<Vec<String>>(figment, "secrets")?.unwrap_or_default(),
    };
    Secrets::read(&written).map_err(|why| refusal(format!("`dz.secrets`: {why}")))
}

/// The file of known passwords.
fn breached(path: String) -> Result<std::path::PathBuf> {
    let path = std::path::PathBuf::from(path);
    breached::check(&path).map_err(|why| refusal(format!("`dz.breached_passwords`: {why}")))?;
    Ok(path)
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

fn public(text: &str) -> Result<url::Url> {
    let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| refusal(format!("`dz.public_url` must be an address such as `https://tasks.example.com`, not `{text}`")))
}

/// Refuses a configuration that cannot be read, and keys that mean nothing.
fn check_keys(figment: &Figment) -> Result<()> {
    let table = match figment.find_value("dz") {
        Ok(value) => value.into_dict().ok_or_else(|| refusal("the configuration `dz` must be a table: `[default.dz]`".to_owned()))?,
        Err(error) if error.missing() => return Ok(()),
        Err(error) => return Err(refusal(format!("the configuration cannot be read: {}", one_line(&error)))),
    };
    let unknown = table.keys().find(|key| !KEYS.contains(&key.as_str()));
    let Some(key) = unknown else { return Ok(()) };
    let near =
        nearest(key, KEYS.to_vec()).map_or_else(|| format!("known ones are {}", KEYS.join(", ")), |near| format!("did you mean `{near}`?"));
    Err(refusal(format!("unknown configuration key `dz.{key}`; {near}")))
}

/// TOML's messages draw the place over several lines.
fn one_line(error: &figment::Error) -> String {
    error.to_string().split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ")
}

/// Plain http carries sessions in the open, so it is for loopback, or for those who say so.
fn check_secure(figment: &Figment, public_url: Option<&url::Url>) -> Result<()> {
    if let Some(url) = public_url {
        return check_scheme(url);
    }
    let address = figment.extract_inner::<IpAddr>("address").ok();
    match address.filter(|address| !address.to_canonical().is_loopback()) {
        None => Ok(()),
        Some(address) => Err(refusal(format!(
            "at the address {address} others reach the application over http, which is not encrypted; set `dz.public_url` to its \
             https address, or `dz.insecure_http = true`"
        ))),
    }
}

/// True for addresses of this machine.
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
    Err(refusal(format!("`dz.public_url` is `{url}`, over which sessions travel unencrypted; use https, or set `dz.insecure_http = true`")))
}

#[cfg(test)]
mod tests {
    use figment::providers::{Format as _, Toml};

    use super::*;

    /// The document lists every key, and no other.
    #[test]
    fn every_key_is_documented() {
        let document = include_str!("../../docs/configuration.md");
        let rows = document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        assert_eq!(rows.collect::<std::collections::BTreeSet<_>>(), KEYS.iter().copied().collect());
    }

    static ACCOUNT: crate::def::EntityDef = crate::def::EntityDef {
        ix: 0,
        name: "User",
        title: "Person",
        title_plural: "People",
        mark: "P",
        table: "users",
        intent: None,
        fields: &[],
        pk: 0,
        label: crate::def::LabelDef::by(0),
        rules: &[],
        indexes: &[],
        no_index: &[],
        states: None,
        audits: &[],
        invariants: &[],
        temporal: None,
        soft_delete: false,
        account: true,
        tenancy: crate::def::TenancyDef::NONE,
    };
    static APP: AppDef = AppDef {
        name: "tasks",
        title: "Tasks",
        description: None,
        timezone: "UTC",
        locale: "en",
        hue: 250,
        engine: Engine::Sqlite,
        roles: &[],
        entities: &[&ACCOUNT],
        account: 0,
        surfaces: &[],
        demo: &[],
        registration: None,
        access: "{}",
        schema: crate::def::Schemas::NONE,
    };

    fn read(toml: &str) -> Result<Config> {
        let figment = Figment::from(rocket::Config::default()).merge(Toml::string(toml).nested()).select("default");
        Config::read(&figment, &APP, Engine::Sqlite, Some("sqlite://x.db".to_owned()))
    }

    #[track_caller]
    fn refused(toml: &str, words: &[&str]) {
        let detail = read(toml).expect_err("a refusal").detail;
        assert_eq!(detail.lines().count(), 1, "{detail}");
        for word in words {
            assert!(detail.contains(word), "`{word}` is not in: {detail}");
        }
    }

    #[test]
    fn wrong_configurations_name_the_culprit_and_the_way_out() {
        refused("[default.dz]\npool_sise = 3", &["dz.pool_sise", "`pool_size`"]);
        refused("[default.dz]\npool_size = \"many\"", &["dz.pool_size", "many"]);
        refused("[default]\ndz = 3", &["[default.dz]"]);
        refused("[default.dz\n", &["cannot be read"]);
        refused("[default.dz]\npublic_url = \"tasks\"", &["dz.public_url", "https://"]);
        refused("[default.dz]\npublic_url = \"http://tasks.example\"", &["https", "insecure_http"]);
        refused("[default]\naddress = \"0.0.0.0\"", &["0.0.0.0", "public_url", "insecure_http"]);
        refused("[default.dz]\ntrusted_proxies = [\"proxy\"]", &["trusted_proxies", "proxy"]);
        refused("[default.dz]\nrate_limits = { raed = 1 }", &["dz.rate_limits", "raed", "read"]);
        refused("[default.dz]\nmarkup = \"fancy\"", &["prefixed", "plain", "fancy"]);
        refused("[default.dz]\nupload_pause = 0", &["dz.upload_pause", "seconds"]);
        refused("[default.dz]\nsecond_factor = [\"amdin\"]", &["dz.second_factor", "amdin"]);
        refused("[default.dz]\nbreached_passwords = \"/nowhere/at/all\"", &["dz.breached_passwords", "/nowhere/at/all"]);
    }

    #[cfg(not(feature = "oidc"))]
    #[test]
    fn providers_need_their_feature() {
        refused("[default.dz.oidc.acme]\nissuer = \"https://id.example\"\nclient_id = \"x\"", &["dz.oidc", "feature `oidc`"]);
    }

    #[cfg(feature = "oidc")]
    #[test]
    fn wrong_providers_name_the_culprit_and_the_way_out() {
        let of = |lines: &str| format!("[default.dz.oidc.acme]\n{lines}");
        refused(&of("client_id = \"x\""), &["dz.oidc.acme", "issuer", "https://"]);
        refused(&of("issuer = \"https://id.example\""), &["dz.oidc.acme", "client_id"]);
        refused(&of("issuer = \"id.example\"\nclient_id = \"x\""), &["dz.oidc.acme.issuer", "id.example"]);
        refused(&of("issuer = \"http://id.example\"\nclient_id = \"x\""), &["dz.oidc.acme.issuer", "use https"]);
        refused(&of("issuer = \"https://id.example/?a=b\"\nclient_id = \"x\""), &["dz.oidc.acme.issuer", "`?`"]);
        refused(&of("isuer = \"https://id.example\""), &["dz.oidc.acme.isuer", "`issuer`"]);
        refused(&of("issuer = 3\nclient_id = \"x\""), &["dz.oidc.acme.issuer", "3"]);
        refused("[default.dz.oidc.\"Ac me\"]\nissuer = \"https://id.example\"", &["dz.oidc.Ac me", "lower-case letters"]);
        let good = read(&of("issuer = \"https://id.example\"\nclient_id = \"x\"\nclient_secret = \"hush\"")).unwrap();
        assert_eq!((good.oidc[0].label.as_str(), good.oidc[0].link_by_email), ("acme", false));
        assert!(!format!("{good:?}").contains("hush"), "no log has it");
    }

    #[test]
    fn links_begin_with_the_public_address_alone() {
        for (toml, base) in [
            ("", "http://127.0.0.1:8000"),
            ("[default]\nport = 9000", "http://127.0.0.1:9000"),
            ("[default.dz]\npublic_url = \"https://tasks.example/x\"", "https://tasks.example"),
        ] {
            assert_eq!(read(toml).unwrap().base, base);
        }
        assert!(!read("").unwrap().registration);
        assert!(read("[default.dz]\nregistration = true").unwrap().registration);
    }

    #[test]
    fn limits_that_are_written_down_hold_for_this_machine_too() {
        assert_eq!(read("").unwrap().rates, Rates { auth: 120, write: 1_200, read: 12_000, local: false });
        assert_eq!(
            read("[default.dz]\nrate_limits = { auth = 5 }").unwrap().rates,
            Rates { auth: 5, write: 1_200, read: 12_000, local: true }
        );
    }

    #[test]
    fn the_public_address_decides_about_cookies() {
        for (toml, https, cookie) in [
            ("", false, "dz_session"),
            ("[default.dz]\npublic_url = \"https://tasks.example\"", true, "__Host-dz_session"),
            ("[default]\naddress = \"0.0.0.0\"\n[default.dz]\npublic_url = \"https://tasks.example\"", true, "__Host-dz_session"),
            ("[default.dz]\npublic_url = \"http://localhost:8000\"", false, "dz_session"),
            ("[default.dz]\npublic_url = \"http://[::1]:8000\"", false, "dz_session"),
            ("[default.dz]\npublic_url = \"http://tasks.example\"\ninsecure_http = true", false, "dz_session"),
            ("[default]\naddress = \"0.0.0.0\"\n[default.dz]\ninsecure_http = true", false, "dz_session"),
        ] {
            let config = read(toml).unwrap_or_else(|error| panic!("{toml}: {error}"));
            assert_eq!((config.https(), config.cookie()), (https, cookie), "{toml}");
        }
    }
}
