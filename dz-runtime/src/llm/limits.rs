//! The limits of intents in the configuration: a budget for each calendar month, and requests for each minute.

use std::{num::NonZeroU32, thread, time::Duration};

use governor::{
    DefaultDirectRateLimiter, Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
};

use crate::{
    Error, Result, SystemCx,
    config::{Config, IntentLimits},
    def::AppDef,
    process::calls,
    suggest::did_you_mean,
};

/// The limits of one intent.
#[derive(Default)]
pub(super) struct Limits {
    /// US dollars for each calendar month.
    budget: Option<u32>,
    limiter: Option<DefaultDirectRateLimiter>,
}

impl Limits {
    /// The limits of each intent, in the order of the declaration.
    ///
    /// # Errors
    /// 500 `CONFIGURATION` for an unknown intent.
    pub(super) fn read(app: &'static AppDef, config: &Config) -> Result<Vec<Limits>> {
        let configured = &config.settings.intents;
        if let Some(name) = configured.keys().find(|name| app.llm.intents.iter().all(|it| it.name != name.as_str())) {
            let near = did_you_mean(name, app.llm.intents.iter().map(|it| it.name).collect());
            let detail = format!("`dz.intents.{name}` names an intent that the application does not have{near}");
            return Err(Error::new(500, "CONFIGURATION", detail));
        }
        Ok(app.llm.intents.iter().map(|intent| configured.get(intent.name).map_or_else(Limits::default, Limits::from_settings)).collect())
    }

    fn from_settings(settings: &IntentLimits) -> Limits {
        Limits { budget: settings.budget_usd, limiter: settings.requests_per_minute.and_then(NonZeroU32::new).map(limiter) }
    }

    /// Waits until the intent may send a request.
    ///
    /// # Errors
    /// 429 `LLM_BUDGET` if its calls of this calendar month have cost the budget.
    pub(super) fn admit(&self, system: &SystemCx, app: &'static AppDef, intent: &'static str) -> Result<()> {
        wait_for(self.limiter.as_ref());
        if let Some(budget) = self.budget {
            let spent = system.read(|tx| calls::spent_by(tx.conn, app, intent, tx.caller.now))?;
            if spent >= i64::from(budget) * 1_000_000 {
                let detail = format!("The calls of `{intent}` have cost their budget of {budget} US dollars for this month");
                return Err(Error::new(429, "LLM_BUDGET", detail));
            }
        }
        Ok(())
    }
}

/// A limiter of requests for each minute.
pub(super) fn limiter(limit: NonZeroU32) -> DefaultDirectRateLimiter {
    RateLimiter::direct(Quota::per_minute(limit))
}

/// Waits until a limiter permits a request.
pub(super) fn wait_for(limiter: Option<&DefaultDirectRateLimiter>) {
    let Some(limiter) = limiter else { return };
    while let Err(until) = limiter.check() {
        thread::sleep(until.wait_time_from(DefaultClock::default().now()).max(Duration::from_millis(1)));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_request_above_the_limit_waits() {
        let limiter = limiter(NonZeroU32::new(60).expect("a number"));
        while limiter.check().is_ok() {}
        let started = Instant::now();
        wait_for(Some(&limiter));
        assert!(started.elapsed() >= Duration::from_millis(400), "{:?}", started.elapsed());
        wait_for(None);
    }
}
