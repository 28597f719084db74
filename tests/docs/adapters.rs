//! The code that docs/adapters.md shows.

use dz::adapter::{Adapter, AdapterConfig, RateLimitConfig, normalize_error};

#[derive(serde::Deserialize)]
struct Rate {
    euro: f64,
}

fn exchange_rates() -> Adapter {
    let config = AdapterConfig {
        rate_limit: Some(RateLimitConfig { requests_per_second: 5.0, ..RateLimitConfig::default() }),
        ..AdapterConfig::new("https://rates.example/v1")
    };
    Adapter::new("Exchange rates", config)
}

fn euro(rates: &Adapter) -> f64 {
    let rate = rates.get::<Rate>("/rates", &[("from", "GBP")]);
    if let Some(error) = rate.error() {
        let report = normalize_error(error, rates.service(), None);
        tracing::warn!("{}: {}", report.code, report.user_message);
    }
    rate.map(|rate| rate.euro).unwrap_or(1.0)
}

#[test]
fn a_failed_call_has_a_default() {
    use dz::adapter::{TransportError, TransportRequest, TransportResponse};

    assert_eq!(exchange_rates().service(), "Exchange rates");
    let down = |_: &TransportRequest| -> Result<TransportResponse, TransportError> { Err(TransportError::Request("down".to_owned())) };
    assert!((euro(&Adapter::with_transport("rates", AdapterConfig::default(), down)) - 1.0).abs() < f64::EPSILON);
}
