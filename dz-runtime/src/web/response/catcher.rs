//! Responses to refusals of guards of custom routes and of Rocket, in the format of dz.

use std::sync::{Arc, Mutex, PoisonError};

use rocket::{Catcher, Request, http::Status};

use crate::{
    Error,
    state::State,
    texts,
    web::{request::handler, response},
};

/// The error of a guard, stored for the catcher.
#[derive(Default)]
pub(crate) struct Refusal(Mutex<Option<Error>>);

impl Refusal {
    /// Stores an error for the catcher.
    pub fn keep(request: &Request<'_>, error: Error) -> Status {
        let status = Status::new(error.status);
        let kept: &Refusal = request.local_cache(Refusal::default);
        *kept.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        status
    }

    /// Returns the error of a guard if it has this status, because the catcher also runs for other refusals.
    fn take(request: &Request<'_>, status: Status) -> Option<Error> {
        let kept: &Refusal = request.local_cache(Refusal::default);
        kept.0.lock().unwrap_or_else(PoisonError::into_inner).take_if(|error| error.status == status.code)
    }
}

/// The error for a status.
fn status_error(status: Status) -> Error {
    let code = match status.code {
        401 => return Error::unauthenticated(),
        403 => return Error::forbidden(say!("dz-you-may-not-do-this", "You may not do this")),
        404 => return Error::not_found(),
        405 => "METHOD_NOT_ALLOWED",
        409 => "CONFLICT",
        412 => "STALE",
        413 => return Error::new(413, "TOO_LARGE", say!("dz-the-request-is-too-large", "The request is too large")),
        415 => "UNSUPPORTED_MEDIA_TYPE",
        422 => "VALIDATION",
        429 => "RATE_LIMIT",
        400..=499 => "BAD_REQUEST",
        501 => return Error::new(501, "NOT_IMPLEMENTED", say!("dz-this-is-not-available", "This is not available")),
        503 => {
            return Error {
                retry_after: Some(2),
                ..Error::new(503, "UNAVAILABLE", say!("dz-this-is-not-available-now", "This is not available now"))
            };
        }
        code => return Error::internal(format_args!("status {code}")),
    };
    Error::new(status.code, code, status.reason_lossy())
}

/// Answers refusals of custom routes and of Rocket in the format of dz.
pub(crate) fn catcher(state: &Arc<State>) -> Catcher {
    #[derive(Clone)]
    struct ErrorCatcher(Arc<State>);

    #[rocket::async_trait]
    impl rocket::catcher::Handler for ErrorCatcher {
        async fn handle<'r>(&self, status: Status, request: &'r Request<'_>) -> rocket::catcher::Result<'r> {
            let call = handler::build_unrouted_call(&self.0, request);
            let error = Refusal::take(request, status).unwrap_or_else(|| texts::with(call.texts(), || status_error(status)));
            let reply = response::refuse(&self.0, &call, &error);
            Ok(response::to_response(&self.0, reply, handler::request_id(request)))
        }
    }

    Catcher::new(None, ErrorCatcher(state.clone()))
}
