//! Adapters: typed calls of external HTTP services, with timeout, retries, a rate limit, a circuit breaker and normalized errors.
//!
//! An [`Adapter`] is one service. Its calls block, so that hooks, subscribers, jobs and services can make them; a custom route makes
//! them on a blocking thread. Expected failures are values, an [`AdapterResult`]; [`normalize_error`] turns any error into the form
//! in which pages, logs and GraphQL report it.
//!
//! ```no_run
//! use dz_runtime::adapter::{Adapter, AdapterConfig, normalize_error};
//!
//! #[derive(serde::Deserialize)]
//! struct Rate {
//!     euro: f64,
//! }
//!
//! let rates = Adapter::new("Exchange rates", AdapterConfig::new("https://rates.example/v1"));
//! let rate = rates.get::<Rate>("/rates", &[("from", "GBP")]);
//! if let Some(error) = rate.error() {
//!     let report = normalize_error(error, "Exchange rates", None);
//!     assert!(report.code.starts_with("EXCHANGE_RATES_"));
//! }
//! println!("{}", rate.map(|rate| rate.euro).unwrap_or(1.0));
//! ```
//!
//! A test replaces the network by a [`Transport`] of its own.

mod call;
mod circuit;
mod config;
mod declared;
mod failure;
mod field_errors;
mod normalize;
mod result;
mod retry;
#[cfg(test)]
mod tests;
mod transport;

use std::{fmt, sync::Arc};

use governor::DefaultDirectRateLimiter;
use serde::{Serialize, de::DeserializeOwned};

use self::{call::encode_query, circuit::Circuit, transport::Network};
pub use self::{
    circuit::CircuitBreaker,
    config::{AdapterConfig, RateLimitConfig, RetryConfig},
    failure::AdapterError,
    normalize::normalize_error,
    result::AdapterResult,
    transport::{Method, Transport, TransportError, TransportRequest, TransportResponse},
};
pub use crate::error::{Category, NormalizedError, Severity};

/// One external service. Clones share the rate limit and the circuit breaker.
#[derive(Clone)]
pub struct Adapter {
    shared: Arc<Shared>,
    idempotency_key: Option<String>,
}

struct Shared {
    service: String,
    config: AdapterConfig,
    transport: Box<dyn Transport>,
    /// The error of a rate that is not a positive number.
    limiter: Result<Option<DefaultDirectRateLimiter>, &'static str>,
    circuit: Circuit,
}

impl Adapter {
    /// An adapter of a service. `service` is the name of the service in messages, codes and logs.
    pub fn new(service: impl Into<String>, config: AdapterConfig) -> Adapter {
        Adapter::with_transport(service, config, Network::default())
    }

    /// An adapter whose requests go through another transport, for example a fake service in a test.
    ///
    /// ```
    /// use dz_runtime::adapter::{Adapter, AdapterConfig, TransportError, TransportRequest, TransportResponse};
    ///
    /// let fake = |request: &TransportRequest| -> Result<TransportResponse, TransportError> {
    ///     assert_eq!(request.url, "https://rates.example/v1/rates?from=GBP");
    ///     Ok(TransportResponse::json(200, &serde_json::json!({ "euro": 1.17 })))
    /// };
    /// let rates = Adapter::with_transport("rates", AdapterConfig::new("https://rates.example/v1"), fake);
    /// let answer = rates.get::<serde_json::Value>("/rates", &[("from", "GBP")]);
    /// assert_eq!(answer.data().map(|rate| rate["euro"].clone()), Some(serde_json::json!(1.17)));
    /// ```
    pub fn with_transport(service: impl Into<String>, config: AdapterConfig, transport: impl Transport) -> Adapter {
        let limiter = config.rate_limit.as_ref().map(RateLimitConfig::limiter).transpose();
        let circuit = Circuit::default();
        Adapter {
            shared: Arc::new(Shared { service: service.into(), config, transport: Box::new(transport), limiter, circuit }),
            idempotency_key: None,
        }
    }

    /// The same service with a circuit breaker: after a number of failures in succession, calls fail at once for a time.
    pub fn with_circuit_breaker(self, breaker: CircuitBreaker) -> Adapter {
        self.shared.circuit.configure(breaker);
        self
    }

    /// The same service for calls with an idempotency key, which is sent as `Idempotency-Key`. `POST` and `PATCH` are then repeated
    /// like the other methods. A service of dz passes the key of its step, so that the repetition of a step repeats no effect.
    pub fn with_idempotency_key(&self, key: impl Into<String>) -> Adapter {
        Adapter { shared: Arc::clone(&self.shared), idempotency_key: Some(key.into()) }
    }

    /// The name of the service.
    pub fn service(&self) -> &str {
        &self.shared.service
    }

    /// Requests a path below the base URL. The parameters are percent-encoded.
    pub fn get<T: DeserializeOwned>(&self, path: &str, params: &[(&str, &str)]) -> AdapterResult<T> {
        self.call(Method::Get, &encode_query(path, params), None::<&()>)
    }

    /// Sends a body as JSON.
    pub fn post<T: DeserializeOwned>(&self, path: &str, body: &(impl Serialize + ?Sized)) -> AdapterResult<T> {
        self.call(Method::Post, path, Some(body))
    }

    /// Sends a body as JSON.
    pub fn put<T: DeserializeOwned>(&self, path: &str, body: &(impl Serialize + ?Sized)) -> AdapterResult<T> {
        self.call(Method::Put, path, Some(body))
    }

    /// Sends a body as JSON.
    pub fn patch<T: DeserializeOwned>(&self, path: &str, body: &(impl Serialize + ?Sized)) -> AdapterResult<T> {
        self.call(Method::Patch, path, Some(body))
    }

    /// Deletes a resource. The body of the response is not read.
    pub fn delete(&self, path: &str) -> AdapterResult<()> {
        AdapterResult::from(self.send(Method::Delete, path, None).map(drop))
    }
}

impl fmt::Debug for Adapter {
    /// Headers can contain credentials and are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapter")
            .field("service", &self.shared.service)
            .field("base_url", &self.shared.config.base_url)
            .finish_non_exhaustive()
    }
}
