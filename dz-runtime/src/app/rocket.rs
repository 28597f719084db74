//! Settings of Rocket: its configuration sources and its log.

use std::sync::OnceLock;

use figment::{
    Figment, Profile,
    providers::{Env, Format, Serialized, Toml},
};
use rocket::config::{Config as RocketConfig, LogLevel};

use crate::{
    config,
    output::{LineSubscriber, install_subscriber},
};

/// Rocket's configuration sources, with the defaults of dz.
pub(crate) fn figment() -> Figment {
    Figment::from(RocketConfig::default())
        .merge(("log_level", "off"))
        .merge(("ip_header", false))
        .merge(Serialized::default("ident", "dz"))
        .merge(Toml::file(Env::var_or("ROCKET_CONFIG", "Rocket.toml")).nested())
        .merge(Env::prefixed("ROCKET_").ignore(&["PROFILE"]).global())
        .select(Profile::from_env_or("ROCKET_PROFILE", RocketConfig::DEFAULT_PROFILE))
}

/// Writes log lines to standard error: of dz, of the application's own `tracing` events, and of Rocket at Rocket's `log_level` (`off`
/// by default). `dz.log_format` and `dz.log_level` set their format and level.
///
/// [`App::main`](crate::App::main) calls this. Programs that launch [`App::rocket`](crate::App::rocket) themselves can call it, or
/// install a `tracing` subscriber of their own. An installed subscriber is not replaced.
pub fn log_to_stderr() {
    install(&figment());
}

pub(super) fn install(figment: &Figment) {
    install_subscriber(config::log_format(figment));
    take_over_rocket_log(figment);
}

/// Writes Rocket's log to standard error at Rocket's `log_level`. Rocket's own logger panics if standard output is closed, and logs the
/// requests of all servers of a process while one of them starts.
pub(super) fn take_over_rocket_log(figment: &Figment) {
    static LOGGER: OnceLock<LineSubscriber> = OnceLock::new();
    let logger = LOGGER.get_or_init(|| LineSubscriber(config::log_format(figment)));
    if log::set_logger(logger).is_ok() {
        let level = figment.extract_inner::<LogLevel>(RocketConfig::LOG_LEVEL).unwrap_or(LogLevel::Off);
        log::set_max_level(level.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_servers_log_nothing_while_another_starts() {
        take_over_rocket_log(&Figment::from(RocketConfig::default()).merge(("log_level", "off")));
        let _starting = rocket::custom(RocketConfig::default());
        assert_eq!(log::max_level(), log::LevelFilter::Off);
    }
}
