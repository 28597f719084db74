//! Errors of the protocol.

use lsp_server::ErrorCode;

/// The error of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Its number in the protocol.
    pub code: i32,
    /// The cause and the correction.
    pub message: String,
}

impl Failure {
    /// An error with a number of the protocol.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        Failure { code: code as i32, message: message.into() }
    }

    /// Wrong parameters.
    pub fn wrong_params(message: impl Into<String>) -> Failure {
        Failure::new(ErrorCode::InvalidParams, message)
    }

    /// A correct request that has no result.
    pub fn refused(message: impl Into<String>) -> Failure {
        Failure::new(ErrorCode::RequestFailed, message)
    }
}
