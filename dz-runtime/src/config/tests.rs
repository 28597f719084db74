//! Tests of the configuration.

mod reference;
mod timezones;

use figment::providers::{Format as _, Toml};

use super::*;

static ACCOUNT: crate::def::EntityDef = crate::def::EntityDef {
    ix: 0,
    name: "User",
    title: "Person",
    title_plural: "People",
    mark: "P",
    table: "users",
    account: true,
    ..crate::def::EntityDef::EMPTY
};
static APP: AppDef = AppDef { name: "tasks", title: "Tasks", entities: &[&ACCOUNT], ..AppDef::EMPTY };

impl Config {
    /// The configuration of an application without any.
    pub fn for_tests() -> Config {
        read("").unwrap()
    }
}

fn read(toml: &str) -> Result<Config> {
    read_with(toml, &[])
}

fn read_with(toml: &str, variables: &[(&str, &str)]) -> Result<Config> {
    let figment = Figment::from(rocket::Config::default()).merge(Toml::string(toml).nested()).select("default");
    let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    Config::new(source::read_with(&figment, &variable)?, &figment, &APP, Engine::Sqlite, None)
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
fn wrong_configurations_name_the_key_the_value_and_the_correction() {
    refused("[default.dz]\npool_sise = 3", &["dz.pool_sise", "`pool_size`"]);
    refused("[default.dz]\npool_size = \"many\"", &["dz.pool_size", "many", "a whole number from 1 to 256"]);
    refused("[default.dz]\npool_size = 257", &["dz.pool_size", "`257`", "from 1 to 256"]);
    refused("[default.dz]\nbody_limit = -1", &["dz.body_limit", "`-1`", "a whole number of bytes"]);
    refused("[default.dz]\naudit_days = 1.5", &["dz.audit_days", "`1.5`", "a whole number of days"]);
    refused("[default.dz]\nworker = \"yes\"", &["dz.worker", "yes", "`true` or `false`"]);
    refused("[default.dz]\nlog_format = \"xml\"", &["dz.log_format", "xml", "`text` or `json`"]);
    refused("[default.dz]\nlog_level = \"loud\"", &["dz.log_level", "loud", "`error`, `warn`, `info`, `debug` or `trace`"]);
    refused("[default.dz]\ntoken_days = 0", &["dz.token_days", "from 1 to 36500"]);
    refused("[default.dz]\ndatabase_url = 3", &["dz.database_url", "`3`", "a text"]);
    refused("[default.dz]\nzzzzzzzzzz = 3", &["dz.zzzzzzzzzz", "known ones are database_url, migrations_url"]);
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
    refused("[default.dz]\nreplicas = [\"postgres://me:secret@two/x\"]", &["dz.replicas", "SQLite does not have", "remove the key"]);
    refused("[default.dz]\nreplicas = 3", &["dz.replicas", "a list of addresses of PostgreSQL databases"]);
    refused("[default.dz]\nreplica_lag = 601", &["dz.replica_lag", "at most 600 seconds"]);
    refused("[default.dz.regions]\nrefresh = 4", &["dz.regions.refresh", "at least 5 seconds"]);
    refused("[default.dz.regions]\nrefresh = 100000", &["dz.regions.refresh", "from 0 to 86400"]);
    refused("[default.dz]\nbreached_passwords = \"/nowhere/at/all\"", &["dz.breached_passwords", "/nowhere/at/all"]);
}

#[test]
fn replicas_are_addresses_of_postgres_and_no_message_shows_them() {
    let urls = |urls: &[&str]| urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>();
    assert!(check_replicas(&urls(&["postgres://two/x", "postgresql://three/x"]), Engine::Postgres).is_ok());
    assert!(check_replicas(&[], Engine::Sqlite).is_ok());
    let refused = check_replicas(&urls(&["postgres://two/x", "mysql://me:secret@three/x"]), Engine::Postgres).unwrap_err().detail;
    assert!(refused.starts_with("address 2 of `dz.replicas` is not that of a PostgreSQL database: write `postgres://"), "{refused}");
    assert!(!refused.contains("secret"));
}

#[cfg(not(feature = "oidc"))]
#[test]
fn providers_need_their_feature() {
    refused("[default.dz.oidc.acme]\nissuer = \"https://id.example\"\nclient_id = \"x\"", &["dz.oidc", "feature `oidc`"]);
}

#[cfg(feature = "oidc")]
#[test]
fn wrong_providers_name_the_key_the_value_and_the_correction() {
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
    let provider = &good.oidc[0];
    assert_eq!((provider.label(), provider.settings.link_by_email), ("acme", false));
    assert_eq!(provider.settings.scopes, ["email", "profile"]);
    assert!(!format!("{good:?}").contains("hush"), "no log has it");
}

#[test]
fn links_begin_with_the_public_address() {
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
fn rate_limits_have_a_default_each() {
    let config = read("").unwrap();
    assert_eq!((config.rates, config.settings.rate_limits), (RateLimits { auth: 120, write: 1_200, read: 12_000 }, None));
    let config = read("[default.dz]\nrate_limits = { auth = 5 }").unwrap();
    assert_eq!(config.rates, RateLimits { auth: 5, write: 1_200, read: 12_000 });
    assert!(config.settings.rate_limits.is_some(), "the limits also hold for clients on this machine");
}

/// The defaults that the documentation and the deployments of an application rely on.
#[test]
fn an_application_starts_without_configuration() {
    let config = read("").unwrap();
    let Settings { pool_size, body_limit, file_limit, audit_days, token_days, upload_pause, upload_time, worker, .. } = config.settings;
    assert_eq!((pool_size, body_limit, file_limit, audit_days, token_days), (8, 1_048_576, 10_000_000, 0, 90));
    assert_eq!((upload_pause.as_secs(), upload_time.as_secs(), worker), (30, 60, true));
    assert_eq!(config.database_url, "sqlite://tasks.db");
    assert_eq!(config.settings.line_format(), LogFormat::DEFAULT);
    assert_eq!(read("[default.dz]\naudit_days = 30").unwrap().settings.audit_days, 30);
}

/// `token create` without options.
#[test]
fn the_lifetime_of_a_token_is_configured() {
    let now = chrono::DateTime::UNIX_EPOCH;
    let lifetime = |toml: &str| {
        let token = crate::accounts::NewToken::new(&read(toml).unwrap().settings, now);
        assert!(token.scope == crate::TokenScope::Read && token.roles.is_none());
        (token.expires_at - now).num_days()
    };
    assert_eq!(lifetime(""), 90);
    assert_eq!(lifetime("[default.dz]\ntoken_days = 7"), 7);
}

#[test]
fn variables_take_precedence_over_keys() {
    const FILE: &str = "[default.dz]\ndatabase_url = \"sqlite://file.db\"";
    assert_eq!(read(FILE).unwrap().database_url, "sqlite://file.db");
    assert_eq!(read_with(FILE, &[("DATABASE_URL", "sqlite://variable.db")]).unwrap().database_url, "sqlite://variable.db");
    assert_eq!(read_with(FILE, &[("DATABASE_URL", "")]).unwrap().database_url, "sqlite://file.db");
    assert_eq!(read("[default.dz]\ndatabase_url = \"\"").unwrap().database_url, "sqlite://tasks.db");
    let migrations = read_with("", &[("DATABASE_MIGRATIONS_URL", "postgres://owner@db/tasks")]).unwrap().settings.migrations_url;
    assert_eq!(migrations.as_deref(), Some("postgres://owner@db/tasks"));
}

/// A message about keys and secrets never contains them.
#[test]
fn secrets_are_in_no_message() {
    let key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    let config = read_with("", &[("DZ_SECRETS", &format!("2026:{key}, 2025:{key}"))]).unwrap();
    assert!(config.settings.secrets.can_encrypt() && !format!("{config:?}").contains(key));
    let wrong = read_with("", &[("DZ_SECRETS", "hush")]).unwrap_err().detail;
    assert!(wrong.contains("`DZ_SECRETS`: entry 1 has no id") && !wrong.contains("hush"), "{wrong}");
    let wrong = read("[default.dz]\nsecrets = \"hush\"").unwrap_err().detail;
    assert_eq!(wrong, "`dz.secrets` has a wrong value; write a list of keys, each `id:key`");
}

#[cfg(feature = "oidc")]
#[test]
fn the_secret_of_a_provider_comes_from_its_variable() {
    let file = "[default.dz.oidc.acme-login]\nissuer = \"https://id.example\"\nclient_id = \"x\"\nclient_secret = \"file\"";
    let secret = |variables: &[(&str, &str)]| {
        let config = read_with(file, variables).unwrap();
        config.oidc[0].settings.client_secret.as_ref().map(|secret| secret.0.clone())
    };
    assert_eq!(secret(&[]).as_deref(), Some("file"));
    assert_eq!(secret(&[("DZ_OIDC_ACME_LOGIN_CLIENT_SECRET", "variable")]).as_deref(), Some("variable"));
    assert_eq!(secret(&[("DZ_OIDC_OTHER_CLIENT_SECRET", "variable")]).as_deref(), Some("file"));
    let wrong = read(&file.replace("\"file\"", "[\"hush\"]")).unwrap_err().detail;
    assert!(wrong.contains("dz.oidc.acme-login.client_secret") && !wrong.contains("hush"), "{wrong}");
}

/// An operator sees which file or variable contains a wrong value.
#[test]
fn a_wrong_value_is_named_with_its_source() {
    let folder = std::env::temp_dir().join(format!("dz-config-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("Rocket.toml");
    std::fs::write(&file, "[default.dz]\npool_size = 0\n").unwrap();
    let figment = Figment::from(rocket::Config::default()).merge(Toml::file(&file).nested()).select("default");
    let wrong = source::read_with(&figment, &|_| None).unwrap_err().detail;
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.contains("Rocket.toml: `dz.pool_size` is `0`; write a whole number from 1 to 256"), "{wrong}");
}

#[test]
fn the_public_address_decides_about_https() {
    for (toml, https) in [
        ("", false),
        ("[default.dz]\npublic_url = \"https://tasks.example\"", true),
        ("[default]\naddress = \"0.0.0.0\"\n[default.dz]\npublic_url = \"https://tasks.example\"", true),
        ("[default.dz]\npublic_url = \"http://localhost:8000\"", false),
        ("[default.dz]\npublic_url = \"http://[::1]:8000\"", false),
        ("[default.dz]\npublic_url = \"http://tasks.example\"\ninsecure_http = true", false),
        ("[default]\naddress = \"0.0.0.0\"\n[default.dz]\ninsecure_http = true", false),
    ] {
        let config = read(toml).unwrap_or_else(|error| panic!("{toml}: {error}"));
        assert_eq!(config.https(), https, "{toml}");
    }
}
