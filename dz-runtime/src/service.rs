//! Services: functions of the application with typed input and output, which processes call.

mod call;
mod figures;
mod intent;
mod python;
mod registry;
mod threads;

use std::{fmt, marker::PhantomData};

use serde_json::Value as Json;

pub use call::ServiceCall;
pub(crate) use figures::WorkerFigures;
pub(crate) use intent::unknown_intent;
pub use intent::{CallIntent, IntentCall};
pub(crate) use python::PythonSettings;
pub use registry::Services;

use crate::{
    Caller, Clock, Error, Result, SystemCx,
    def::ServiceDef,
    signature::{self, Values, to_object},
};

/// The context that a service gets in addition to its input.
///
/// ```ignore
/// impl services::Quote for Prices {
///     fn call(&self, cx: &ServiceCx, input: services::QuoteInput) -> dz::Result<services::QuoteOutput> {
///         let repair = cx.system().read(|tx| repair::Repair::find(tx, input.repair_id))?;
///         self.carrier.order(cx.key(), &repair)
///     }
/// }
/// ```
#[derive(Clone)]
pub struct ServiceCx {
    key: String,
    attempt: u32,
    system: SystemCx,
    deadline: std::time::Instant,
}

impl fmt::Debug for ServiceCx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceCx").field("key", &self.key).field("attempt", &self.attempt).finish()
    }
}

impl ServiceCx {
    /// The idempotency key: equal for all attempts of one step of one run, also after a restart, and different for every other step,
    /// branch, compensation and run. Pass it to systems that accept such a key, so that a repeated call has no second effect.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The interface of the system, on the rows of the tenant of the run. It holds no connection between its calls.
    pub fn system(&self) -> &SystemCx {
        &self.system
    }

    /// The time until the timeout of the call, after which its result is dropped.
    pub fn remaining(&self) -> std::time::Duration {
        self.deadline.saturating_duration_since(std::time::Instant::now())
    }
}

/// An implementation of a service without types. Input and output are JSON objects; the caller checks both.
pub trait CallService: Send + Sync + 'static {
    /// Runs an attempt. It blocks, and holds no database connection.
    ///
    /// # Errors
    /// Any error is a failed attempt.
    fn call(&self, cx: &ServiceCx, input: Json) -> Result<Json>;
}

/// The types of a declared service. The macros implement it for `dyn services::Name`.
pub trait Service: 'static {
    /// The struct of its inputs.
    type Input: Values;
    /// The struct of its outputs.
    type Output: Values;

    /// Its description.
    fn def() -> &'static ServiceDef;
}

/// An implementation with types, as one without.
struct Typed<S: Service + ?Sized, F> {
    call: F,
    service: PhantomData<fn(&S)>,
}

impl<S: Service + ?Sized, F> CallService for Typed<S, F>
where
    F: Fn(&ServiceCx, S::Input) -> Result<S::Output> + Send + Sync + 'static,
{
    fn call(&self, cx: &ServiceCx, input: Json) -> Result<Json> {
        let output = (self.call)(cx, signature::read(&input, &cx.system.caller())?)?;
        Ok(to_object(&output))
    }
}

/// Reads the typed value of a JSON object that was checked before.
fn read_checked<V: Values>(json: &Json) -> Result<V> {
    signature::read(json, &Caller::system(V::describe().0, Clock::default().now()))
}

/// Converts an implementation with types to one without.
fn without_types<S: Service + ?Sized>(
    call: impl Fn(&ServiceCx, S::Input) -> Result<S::Output> + Send + Sync + 'static,
) -> impl CallService {
    Typed::<S, _> { call, service: PhantomData }
}

/// 500 with a sentence that names a wrong configuration of services.
fn configuration(detail: String) -> Error {
    Error::new(500, "CONFIGURATION", detail)
}

impl SystemCx {
    /// Calls a service outside of a process, for example from a job. `key` is the idempotency key of the call: use the same one when the
    /// call is repeated.
    ///
    /// ```ignore
    /// let quote = cx.call::<dyn services::Quote>("quote of 12", services::QuoteInput { repair_id, discounts: Vec::new() })?;
    /// ```
    ///
    /// # Errors
    /// Those of the service; 422 for a wrong input or output, 504 after `dz.service_timeout`, 500 for a panic or a broken guarantee.
    pub fn call<S: Service + ?Sized>(&self, key: &str, input: S::Input) -> Result<S::Output> {
        let call = ServiceCall { service: S::def().name, key: key.to_owned(), attempt: 1, input: to_object(&input), timeout: None };
        signature::read(&self.services().call(self, call)?, &self.caller())
    }
}
