//! From a Rocket request to a [`Call`](super::Call): headers, body, and the limits and checks of both.

pub(crate) mod body;
pub(crate) mod body_stream;
mod client_address;
pub(crate) mod csrf;
pub(crate) mod duplicates;
pub(crate) mod form_parameters;
pub(crate) mod handler;
pub(crate) mod headers;
pub(crate) mod rate_limits;
pub(crate) mod request_log;
