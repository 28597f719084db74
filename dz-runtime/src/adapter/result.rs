//! The result of a call.

use super::AdapterError;

/// The data of a successful call, or the error of a failed one.
///
/// ```
/// use dz_runtime::adapter::{AdapterError, AdapterResult};
/// let stock = AdapterResult::success(3).map(|count| count * 2);
/// assert!(stock.is_success() && stock.data() == Some(&6));
/// let missing: AdapterResult<u32> = AdapterResult::failure(AdapterError::critical("the ledger is lost"));
/// assert_eq!((missing.error().and_then(AdapterError::status_code), missing.unwrap_or(0)), (None, 0));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a failed call is a value"]
pub struct AdapterResult<T>(Result<T, AdapterError>);

impl<T> AdapterResult<T> {
    /// A successful call.
    pub fn success(data: T) -> AdapterResult<T> {
        AdapterResult(Ok(data))
    }

    /// A failed call.
    pub fn failure(error: AdapterError) -> AdapterResult<T> {
        AdapterResult(Err(error))
    }

    /// True if the call succeeded.
    pub fn is_success(&self) -> bool {
        self.0.is_ok()
    }

    /// The data of a successful call.
    pub fn data(&self) -> Option<&T> {
        self.0.as_ref().ok()
    }

    /// The error of a failed call.
    pub fn error(&self) -> Option<&AdapterError> {
        self.0.as_ref().err()
    }

    /// The data, or the default.
    pub fn unwrap_or(self, default: T) -> T {
        self.0.unwrap_or(default)
    }

    /// Changes the data of a successful call.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> AdapterResult<U> {
        AdapterResult(self.0.map(change))
    }

    /// The standard form, for `?`.
    ///
    /// # Errors
    /// The error of a failed call.
    pub fn into_result(self) -> Result<T, AdapterError> {
        self.0
    }
}

impl<T> From<Result<T, AdapterError>> for AdapterResult<T> {
    fn from(result: Result<T, AdapterError>) -> AdapterResult<T> {
        AdapterResult(result)
    }
}
