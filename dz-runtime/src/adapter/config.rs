//! The configuration of an adapter.

use std::{collections::BTreeMap, fmt, num::NonZeroU32, time::Duration};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// How an adapter reaches a service.
#[derive(Clone)]
pub struct AdapterConfig {
    /// The URL of which the paths of calls are a continuation.
    pub base_url: String,
    /// The maximum duration of one request, from the connection to the end of the body. 30 s by default.
    pub timeout: Duration,
    /// Headers of each request, for example credentials.
    pub headers: BTreeMap<String, String>,
    /// Parameters of the address of each request, for example a key.
    pub query: BTreeMap<String, String>,
    /// The repetition of failed requests.
    pub retry: RetryConfig,
    /// The maximum rate of requests; without it there is none.
    pub rate_limit: Option<RateLimitConfig>,
}

impl AdapterConfig {
    /// The default configuration for a URL.
    pub fn new(base_url: impl Into<String>) -> AdapterConfig {
        AdapterConfig { base_url: base_url.into(), ..AdapterConfig::default() }
    }
}

impl Default for AdapterConfig {
    fn default() -> AdapterConfig {
        AdapterConfig {
            base_url: String::new(),
            timeout: Duration::from_secs(30),
            headers: BTreeMap::new(),
            query: BTreeMap::new(),
            retry: RetryConfig::default(),
            rate_limit: None,
        }
    }
}

impl fmt::Debug for AdapterConfig {
    /// Headers and parameters can contain credentials, so that only their names are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdapterConfig")
            .field("base_url", &self.base_url)
            .field("timeout", &self.timeout)
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("query", &self.query.keys().collect::<Vec<_>>())
            .field("retry", &self.retry)
            .field("rate_limit", &self.rate_limit)
            .finish()
    }
}

/// The repetition of failed requests. The delay before retry n is `base_delay` × 2^(n−1), varied by the jitter.
#[derive(Debug, Clone, PartialEq)]
pub struct RetryConfig {
    /// The maximum number of requests after the first one. 3 by default.
    pub max_retries: u32,
    /// The delay before the first retry. 500 ms by default.
    pub base_delay: Duration,
    /// The maximum delay. 60 s by default, and never more.
    pub max_delay: Duration,
    /// The largest share of a delay that is added or removed at random, from 0 to 0.5. 0.5 by default.
    pub jitter: f64,
}

impl Default for RetryConfig {
    fn default() -> RetryConfig {
        RetryConfig { max_retries: 3, base_delay: Duration::from_millis(500), max_delay: Duration::from_secs(60), jitter: 0.5 }
    }
}

/// The maximum rate of requests. A request above it waits.
#[derive(Debug, Clone, PartialEq)]
pub struct RateLimitConfig {
    /// Requests in each second; 0.5 is one request every two seconds. 10 by default.
    pub requests_per_second: f64,
    /// The number of requests that can follow each other at once. By default the requests of one second.
    pub burst: Option<NonZeroU32>,
}

impl Default for RateLimitConfig {
    fn default() -> RateLimitConfig {
        RateLimitConfig { requests_per_second: 10.0, burst: None }
    }
}

impl RateLimitConfig {
    /// # Errors
    /// A sentence, if the rate is not a positive number.
    pub(super) fn limiter(&self) -> Result<DefaultDirectRateLimiter, &'static str> {
        const PROBLEM: &str = "`requests_per_second` of the adapter must be a positive number";
        let rate = self.requests_per_second;
        let period = Duration::try_from_secs_f64(rate.recip()).map_err(|_| PROBLEM)?;
        let quota = Quota::with_period(period).ok_or(PROBLEM)?;
        let burst = self.burst.or(NonZeroU32::new(rate as u32)).unwrap_or(NonZeroU32::MIN);
        Ok(RateLimiter::direct(quota.allow_burst(burst)))
    }
}
