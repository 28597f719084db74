//! The keys of `[default.dz]`: their types, defaults, environment variables and documentation. No other place names them.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use dz_settings::{Place, Problem, Settings as _, kind, settings};
use tracing::Level;

use super::{
    Markup, breached,
    documents::Documents,
    oidc::{self, ProviderSettings},
    storage::{self, S3Settings, StoragePlace},
};
use crate::{output::LogFormat, secrets::Secrets};

/// The default of `pool_idle`.
pub(crate) const POOL_IDLE: Duration = Duration::from_secs(600);

settings! {
    /// The table `[default.dz]`.
    #[derive(Debug, Clone)]
    pub(crate) struct Settings {
        /// The database.
        database_url: Option<String> as kind::optional(kind::text()), default None,
            shown "`sqlite://<app>.db`, or `postgres://localhost/<app>`", variable "DATABASE_URL";
        /// The database for migrations, if another role owns the tables.
        migrations_url: Option<String> as kind::optional(kind::text()), default None, shown "`database_url`",
            variable "DATABASE_MIGRATIONS_URL";
        /// The database for the connection that receives notifications of other instances, if `database_url` is the address of a [pooler](deployment.md#pgbouncer).
        notices_url: Option<String> as kind::optional(kind::text()), default None, shown "`database_url`",
            variable "DATABASE_NOTICES_URL";
        /// Replicas of a PostgreSQL database, each an address such as that of `database_url`, which serve reads ([replicas](deployment.md#read-replicas)).
        replicas: Vec<String> as kind::secret(kind::list("addresses of PostgreSQL databases", kind::text())), default Vec::new(),
            shown "none", variable "DATABASE_REPLICAS";
        /// A replica that is further behind the primary serves no reads. The value is at most 600.
        replica_lag: Duration as kind::with_check(kind::seconds(), check_replica_lag), default Duration::from_secs(5), shown "5";
        /// Connections to the database ([load](running.md#load)), and to each of its replicas.
        pool_size: u32 as kind::whole(1..=256), default 8;
        /// How long a connection to PostgreSQL stays open without use.
        pool_idle: Duration as kind::seconds(), default POOL_IDLE;
        /// Scheme, host and port under which browsers reach the application. With `https`, cookies are secure and HSTS is sent.
        public_url: Option<url::Url> as kind::optional(public_url()), default None;
        /// Allows plain http on an address outside of loopback.
        insecure_http: bool as kind::boolean(), default false;
        /// The dialect of attributes and classes in pages: `data-dz-pagination` or `data-pagination`.
        markup: Markup as kind::choice(&[("prefixed", Markup::Prefixed), ("plain", Markup::Plain)]), default Markup::Prefixed;
        /// The default language of pages, such as `de` ([languages](languages.md)).
        locale: Option<String> as kind::optional(kind::text()), default None, shown "`default_locale:` of the declaration";
        /// Proxies whose `X-Forwarded-For` names the client.
        trusted_proxies: Vec<IpAddr> as kind::list("IP addresses", ip_address()), default Vec::new();
        /// The largest body of a request, except uploads.
        body_limit: u64 as kind::whole_of("bytes", 0..=u64::MAX), default 1 << 20;
        /// Whether users can create their own accounts ([accounts](accounts.md)).
        registration: Option<bool> as kind::optional(kind::boolean()), default None, shown "`registration:` of the declaration";
        /// Limits of requests; 0 means no limit. A client can send a sixth of a limit at once, and at least 10 requests. Requests from the loopback address are limited only if this table is present.
        rate_limits: Option<RateLimits> as kind::optional(kind::table()), default None, shown "the defaults of its keys";
        /// Limits of lists ([totals](running.md#totals-of-large-lists)).
        list: Option<ListLimits> as kind::optional(kind::table()), default None, shown "the defaults of its keys";
        /// Regions of workspaces ([refresh](workspaces.md#refresh)).
        regions: Option<RegionSettings> as kind::optional(kind::table()), default None, shown "the defaults of its keys";
        /// Backups that the application makes itself ([scheduled backups](running.md#scheduled-backups)).
        backup: Option<BackupSettings> as kind::optional(kind::table()), default None;
        /// Limits of results about graphs ([graphs](graph.md)).
        graph: Option<GraphLimits> as kind::optional(kind::table()), default None, shown "the defaults of its keys";
        /// A file of the documents that GraphQL accepts ([GraphQL](graphql.md#permitted-documents)); other documents are refused.
        graphql_documents: Documents as documents(), default Documents::default(), shown "none";
        /// Whether GraphQL answers queries for its schema ([GraphQL](graphql.md)).
        graphql_introspection: Option<bool> as kind::optional(kind::boolean()), default None, shown "true in debug builds, false in release builds";
        /// The largest number of open streams of this instance ([subscriptions](graphql.md#subscriptions)).
        streams: u32 as kind::whole_of("streams", 1..=1_000_000), default 2_000;
        /// The largest number of open streams of one account on this instance.
        streams_of_account: u32 as kind::whole_of("streams", 1..=1_000_000), default 20;
        /// Whether this instance runs background work: jobs, schedules, runs of processes, events, timed transitions and clean-up. At least one instance must have a worker.
        worker: bool as kind::boolean(), default true;
        /// How long a call of a service may take if its step has no timeout ([services](services.md)).
        service_timeout: Duration as kind::seconds(), default Duration::from_secs(60);
        /// The interpreter of services in Python ([services](services.md#python)).
        python: PathBuf as program(), default PathBuf::from("python3"), shown "`python3`";
        /// The folder of the files of services in Python.
        services: Option<PathBuf> as kind::optional(folder()), default None, shown "`services` in the working directory, else beside the `Cargo.toml` of the build";
        /// Worker processes of each service in Python.
        python_workers: u32 as kind::whole(1..=64), default 1;
        /// The address at which metrics are served ([monitoring](monitoring.md#metrics)); a port alone is one of 127.0.0.1.
        metrics: Option<SocketAddr> as kind::optional(metrics_address()), default None;
        /// Traces for a collector of OpenTelemetry ([monitoring](monitoring.md#traces)).
        traces: Option<TraceSettings> as kind::optional(kind::table()), default None;
        /// Statements that take at least this time are logged ([monitoring](monitoring.md#slow-statements)).
        slow_statement: Option<Duration> as kind::optional(short_time()), default None;
        /// The format of log lines ([logs](running.md#logs)).
        log_format: LogStyle as kind::choice(&[("text", LogStyle::Text), ("json", LogStyle::Json)]), default LogStyle::Text;
        /// The lowest level of log lines.
        log_level: Level as log_level(), default Level::INFO;
        /// How long records of the audit log are kept; 0 keeps them all.
        audit_days: u32 as kind::whole_of("days", 0..=36_500), default 0;
        /// How long dead letters of events and jobs are kept; 0 keeps them all ([retention](running.md#retention)).
        dead_letter_days: u32 as kind::whole_of("days", 0..=36_500), default 0;
        /// How long runs that have ended are kept, with their steps and tasks; 0 keeps them all ([processes](processes.md)).
        run_days: u32 as kind::whole_of("days", 0..=36_500), default 0;
        /// Limits of requests to language models, by intent ([limits](llm.md#limits)).
        intents: BTreeMap<String, IntentLimits>
            as kind::by_name("intents", accept_intent, kind::table()), default BTreeMap::new();
        /// How long calls of language models are kept, and at least the current month; 0 keeps them all ([calls](llm.md#calls)).
        call_days: u32 as kind::whole_of("days", 0..=36_500), default 90;
        /// How long an API token is valid if `token create` has no `--expires`.
        token_days: u32 as kind::whole_of("days", 1..=36_500), default 90;
        /// The folder of uploaded files, or their bucket in object storage: `s3://bucket/prefix` ([files](files.md)).
        files: Option<StoragePlace> as kind::optional(storage::place()), default None, shown "`<database>.files` beside an SQLite file, or `<app>.files`";
        /// The former folder or bucket of uploaded files, where a file is read that `files` does not contain ([another storage](files.md#another-storage)).
        files_before: Option<StoragePlace> as kind::optional(storage::place()), default None;
        /// The connection to object storage ([files](files.md#object-storage)).
        s3: Option<S3Settings> as kind::optional(kind::table()), default None, shown "the variables of its keys";
        /// The largest file in a field that declares no limit.
        file_limit: u64 as kind::whole_of("bytes", 0..=u64::MAX), default 10_000_000;
        /// How long an upload may send nothing.
        upload_pause: Duration as kind::seconds(), default Duration::from_secs(30);
        /// How long a body may take; large uploads get more time.
        upload_time: Duration as kind::seconds(), default Duration::from_secs(60);
        /// Providers of OpenID Connect ([accounts](accounts.md#openid-connect)), by their names in URLs.
        oidc: BTreeMap<String, ProviderSettings>
            as kind::by_name("providers", oidc::check_name, kind::table()), default BTreeMap::new();
        /// Roles that require a second factor.
        second_factor: Vec<String> as kind::list("roles", kind::text()), default Vec::new();
        /// A file of leaked passwords, which are refused ([accounts](accounts.md)).
        breached_passwords: Option<PathBuf> as kind::optional(breached_passwords()), default None;
        /// Keys that encrypt secrets at rest, each `id:key` ([accounts](accounts.md#encryption-of-the-secrets)).
        secrets: Secrets as kind::secret(secrets()), default Secrets::default(), shown "none", variable "DZ_SECRETS";
    }
}

settings! {
    /// The table `[default.dz.rate_limits]`: requests for each minute and client address; 0 means no limit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct RateLimits {
        /// Requests that sign in, register, or send links by mail.
        auth: u32 as kind::whole_of("requests for each minute and client address", 0..=u32::MAX), default 120;
        /// Other requests that can change something.
        write: u32 as kind::whole_of("requests for each minute and client address", 0..=u32::MAX), default 1_200;
        /// Requests that only read.
        read: u32 as kind::whole_of("requests for each minute and client address", 0..=u32::MAX), default 12_000;
    }
}

settings! {
    /// A table `[default.dz.intents.NAME]`: limits of the requests of an intent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct IntentLimits {
        /// The cost of its calls in a calendar month after which it sends no further request.
        budget_usd: Option<u32> as kind::optional(kind::whole_of("US dollars", 1..=1_000_000)), default None;
        /// Requests for each minute and instance; further requests wait.
        requests_per_minute: Option<u32> as kind::optional(kind::whole_of("requests for each minute", 1..=1_000_000)), default None;
    }
}

/// The application checks the names of intents when it starts.
fn accept_intent(_: &str, _: &Place<'_>) -> Result<(), Problem> {
    Ok(())
}

settings! {
    /// The table `[default.dz.list]`: limits of lists.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct ListLimits {
        /// The largest total number of rows that a list counts exactly.
        count_limit: u64 as kind::whole_of("rows", 1..=1_000_000_000), default 100_000;
    }
}

impl Default for ListLimits {
    fn default() -> ListLimits {
        ListLimits::defaults()
    }
}

settings! {
    /// The table `[default.dz.regions]`: regions of workspaces.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct RegionSettings {
        /// The seconds after which a page loads its regions again, at least 5; 0 switches this off.
        refresh: u32 as kind::with_check(kind::whole_of("seconds", 0..=86_400), check_refresh), default 0, shown "0";
    }
}

settings! {
    /// The table `[default.dz.backup]`: backups that the application makes itself.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct BackupSettings {
        /// The folder in which each backup gets a folder of its own, or a bucket of object storage: `s3://bucket/prefix`.
        folder: StoragePlace as storage::place();
        /// The times of the backups, as a cron expression in the time zone of the application.
        cron: Option<String> as kind::optional(kind::text()), default None, shown "`0 3 * * *`, unless `every` is given";
        /// The time between two backups, in place of `cron`; `m` means minutes here.
        every: Option<Duration> as kind::optional(interval()), default None;
        /// How many backups are kept; the oldest are removed.
        keep: u32 as kind::whole(1..=10_000), default 7;
    }
}

settings! {
    /// The table `[default.dz.traces]`: traces for a collector of OpenTelemetry.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct TraceSettings {
        /// The address of the collector for OTLP over HTTP.
        endpoint: url::Url as collector_address();
        /// Of new traces, this share is recorded; traces of clients are recorded as their header says.
        sample: u32 as kind::whole_of("percent", 0..=100), default 100;
    }
}

settings! {
    /// The table `[default.dz.graph]`: limits of results about graphs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct GraphLimits {
        /// The largest number of nodes and edges in one result; an algorithm reads ten times as many edges.
        max_elements: u64 as kind::whole_of("nodes and edges", 1..=10_000_000), default 200_000;
        /// The longest time of a result; a first load of all edges for algorithms is not part of it.
        max_milliseconds: u64 as kind::whole_of("milliseconds", 1..=600_000), default 10_000;
    }
}

/// The two formats of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogStyle {
    Text,
    Json,
}

impl Settings {
    /// The format and the level of log lines.
    pub fn line_format(&self) -> LogFormat {
        LogFormat { json: self.log_format == LogStyle::Json, level: self.log_level }
    }
}

#[cfg_attr(not(feature = "graphql"), allow(dead_code, reason = "only GraphQL reads its settings"))]
impl Settings {
    /// Whether queries for the schema are answered.
    pub fn allows_introspection(&self) -> bool {
        self.graphql_introspection.unwrap_or(cfg!(debug_assertions))
    }

    /// The permitted document with this identifier or this text.
    pub fn find_document<'d>(&'d self, id: Option<&str>, text: Option<&'d str>) -> Option<&'d str> {
        self.graphql_documents.find(id, text)
    }
}

/// The positions that reads must see are kept for an hour.
fn check_replica_lag(lag: Duration) -> Result<Duration, String> {
    if lag <= Duration::from_secs(600) { Ok(lag) } else { Err("it is at most 600 seconds".to_owned()) }
}

fn check_refresh(seconds: u32) -> Result<u32, String> {
    if matches!(seconds, 1..=4) { Err("it is 0, or at least 5 seconds".to_owned()) } else { Ok(seconds) }
}

fn log_level() -> kind::Choice<Level> {
    kind::choice(&[("error", Level::ERROR), ("warn", Level::WARN), ("info", Level::INFO), ("debug", Level::DEBUG), ("trace", Level::TRACE)])
}

fn public_url() -> kind::Parse<url::Url> {
    kind::parse("an address such as `https://tasks.example.com`", http_address)
}

fn collector_address() -> kind::Parse<url::Url> {
    kind::parse("an address such as `http://127.0.0.1:4318`", http_address)
}

fn http_address(text: &str) -> Option<url::Url> {
    url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn ip_address() -> kind::Parse<IpAddr> {
    kind::parse("an IP address such as `10.0.0.1`", |text| text.parse().ok())
}

fn metrics_address() -> kind::Parse<SocketAddr> {
    kind::parse_word("an address such as `127.0.0.1:9464`, or a port", |text| {
        let port = || text.parse().ok().filter(|port| *port > 0).map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        text.parse().ok().or_else(port)
    })
}

fn short_time() -> kind::Parse<Duration> {
    kind::parse("a time such as `200ms` or `2s`", |text| {
        let (number, unit) = text.split_at(text.find(|letter: char| !letter.is_ascii_digit())?);
        let number: u32 = number.parse().ok()?;
        match unit.trim() {
            "ms" => Some(Duration::from_millis(number.into())),
            "s" => Some(Duration::from_secs(number.into())),
            _ => None,
        }
    })
}

fn interval() -> kind::Parse<Duration> {
    kind::parse("a time such as `30m`, `6h` or `1d`", |text| {
        let (number, unit) = text.split_at(text.find(|letter: char| !letter.is_ascii_digit())?);
        let number: u32 = number.parse().ok().filter(|number| *number > 0)?;
        let minutes = match unit.trim() {
            "m" => 1,
            "h" => 60,
            "d" => 24 * 60,
            _ => return None,
        };
        Some(Duration::from_secs(u64::from(number) * minutes * 60))
    })
}

fn folder() -> kind::Parse<PathBuf> {
    kind::parse("the path of a folder", |text| Some(PathBuf::from(text)))
}

fn program() -> kind::Parse<PathBuf> {
    kind::parse("the name or path of a program", |text| Some(PathBuf::from(text)))
}

fn breached_passwords() -> impl dz_settings::Kind<PathBuf> {
    kind::with_check(kind::parse("the path of a file", |text| Some(PathBuf::from(text))), |path: PathBuf| {
        breached::check(Path::new(&path)).map(|()| path)
    })
}

fn documents() -> impl dz_settings::Kind<Documents> {
    kind::with_check(kind::parse("the path of a file", |text| Some(PathBuf::from(text))), |path: PathBuf| Documents::read(&path))
}

fn secrets() -> impl dz_settings::Kind<Secrets> {
    kind::with_check(kind::list("keys, each `id:key`", kind::text()), |keys: Vec<String>| Secrets::read(&keys))
}
