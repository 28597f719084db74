//! The reasons why an operation fails.

use std::fmt;

/// The cause of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The call: the operation is unknown, or its parameters are not an object.
    Usage,
    /// A part that the call names: an id, a file, a parameter or data.
    Content,
}

/// A failed operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind of the cause.
    pub fault: Fault,
    /// The cause, and the nearest known word, if there is one.
    pub message: String,
}

impl Failure {
    /// An invalid call.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { fault: Fault::Usage, message: message.into() }
    }

    /// A call that names something that does not exist or is invalid.
    pub fn content(message: impl Into<String>) -> Failure {
        Failure { fault: Fault::Content, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The end of a message about an unknown word: the nearest known one, or some of those that exist.
pub(crate) fn nearest_or_some<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 20;
    let known: Vec<&str> = known.collect();
    let lower = word.to_lowercase();
    let same = known.iter().find(|it| it.to_lowercase() == lower).copied();
    match same.or_else(|| dz_dsl_file::diagnostic::nearest(word, known.iter().copied())) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => {
            let some: Vec<String> = known.iter().take(SHOWN).map(|it| format!("`{it}`")).collect();
            let more = if known.len() > SHOWN { ", …" } else { "" };
            format!("known ones are {}{more}", some.join(", "))
        }
    }
}
