//! One call: its requests, with the rate limit, the circuit breaker and the retries.

use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use serde::{Serialize, de::DeserializeOwned};
use url::form_urlencoded;

use super::{
    Adapter, AdapterError, AdapterResult, Method, TransportRequest, TransportResponse,
    failure::Failure,
    normalize_error,
    retry::{self, Attempt},
};
use crate::trace::{self, Description, SpanKind};

/// Appends parameters to a path, which can have parameters already.
pub(super) fn encode_query(path: &str, params: &[(&str, &str)]) -> String {
    if params.is_empty() {
        return path.to_owned();
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(params).finish();
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{query}")
}

impl Adapter {
    pub(super) fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&(impl Serialize + ?Sized)>,
    ) -> AdapterResult<T> {
        let body = match body.map(serde_json::to_vec).transpose() {
            Ok(body) => body,
            Err(error) => return AdapterResult::failure(Failure::Request(format!("the body cannot be written as JSON: {error}")).into()),
        };
        let decoded = self.send(method, path, body).and_then(|response| {
            // A response without content is `null`, so that `()` and `Option` accept it.
            let content = if response.body.is_empty() { b"null".as_slice() } else { &response.body };
            serde_json::from_slice(content).map_err(|error| Failure::Decode { status: response.status, problem: error.to_string() }.into())
        });
        AdapterResult::from(decoded)
    }

    /// Sends a request until it succeeds, or no further attempt is permitted.
    pub(super) fn send(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Result<TransportResponse, AdapterError> {
        let work = || self.send_in_span(method, path, body);
        trace::in_span(SpanKind::Client, work, |result| self.describe(method, result.as_ref()))
    }

    /// The span of a call. The path, the parameters and the text of an error can contain personal data, and are not recorded.
    pub(super) fn describe(&self, method: Method, result: Result<&TransportResponse, &AdapterError>) -> Description {
        let server = url::Url::parse(&self.shared.config.base_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let mut attributes = vec![
            ("http.request.method", method.name().as_str().into()),
            ("server.address", server.unwrap_or_default().as_str().into()),
            ("dz.service", self.shared.service.as_str().into()),
        ];
        let status = result.map_or_else(AdapterError::status_code, |response| Some(response.status));
        attributes.extend(status.map(|status| ("http.response.status_code", status.into())));
        let error = result.err().map(|error| normalize_error(error, &self.shared.service, None).code);
        Description { error, ..Description::new(method.name().as_str(), attributes) }
    }

    fn send_in_span(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Result<TransportResponse, AdapterError> {
        let (config, circuit) = (&self.shared.config, &self.shared.circuit);
        let request = self.request(method, path, body);
        let mut attempt = Attempt { number: 1, repeatable: method.is_idempotent() || self.idempotency_key.is_some() };
        loop {
            circuit.admit()?;
            self.wait_for_rate()?;
            let outcome = self.shared.transport.send(&request).map_err(Failure::from).and_then(Failure::check);
            let failure = match outcome {
                Ok(response) => {
                    circuit.record_success();
                    return Ok(response);
                }
                Err(failure) => failure,
            };
            circuit.record(&failure);
            match retry::delay(&config.retry, attempt, &failure) {
                Some(delay) => {
                    tracing::debug!(service = self.shared.service, attempt = attempt.number, ?delay, %failure, "an external service is called again");
                    self.shared.transport.wait(delay);
                    attempt.number += 1;
                }
                None => return Err(failure.into()),
            }
        }
    }

    fn request(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> TransportRequest {
        let config = &self.shared.config;
        let url = format!("{}/{}", config.base_url.trim_end_matches('/'), path.trim_start_matches('/'));
        let query: Vec<(&str, &str)> = config.query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let url = encode_query(&url, &query);
        let mut headers = config.headers.clone();
        let mut set = |name: &str, value: &str| {
            if !headers.keys().any(|known| known.eq_ignore_ascii_case(name)) {
                headers.insert(name.to_owned(), value.to_owned());
            }
        };
        set("Accept", "application/json");
        if body.is_some() {
            set("Content-Type", "application/json");
        }
        if let Some(key) = &self.idempotency_key {
            set("Idempotency-Key", key);
        }
        if let Some(trace) = trace::traceparent() {
            set("traceparent", &trace);
        }
        TransportRequest { method, url, headers, body, timeout: config.timeout }
    }

    /// Waits until the rate limit permits another request.
    fn wait_for_rate(&self) -> Result<(), AdapterError> {
        let limiter = self.shared.limiter.as_ref().map_err(|problem| Failure::Request((*problem).to_owned()))?;
        let Some(limiter) = limiter else { return Ok(()) };
        while let Err(until) = limiter.check() {
            let wait = until.wait_time_from(DefaultClock::default().now());
            self.shared.transport.wait(wait.max(Duration::from_millis(1)));
        }
        Ok(())
    }
}
