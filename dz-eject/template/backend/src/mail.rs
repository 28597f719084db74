//! Mails with links. This program has no mailer: replace the body of [`send`] by a call of yours.

use crate::{APP, config::Config};

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A link that sets a new password.
    Reset,
    /// A link that confirms an address.
    Confirm,
/*IF MEMBERS*/    /// A link that accepts an invitation.
    Invitation,
/*END MEMBERS*/}

/// Sends a mail with the token of a link. During development it is printed, because the token gives access to the account.
pub fn send(config: &Config, kind: Kind, to: &str, token: &str) {
    let path = match kind {
        Kind::Reset => "reset",
        Kind::Confirm => "verify",
/*IF MEMBERS*/        Kind::Invitation => "invite",
/*END MEMBERS*/    };
    let origin = config.public_url.as_ref().map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    match cfg!(debug_assertions) {
        true => eprintln!("{APP}: mail to {to}: {origin}/auth/{path}?token={token}"),
        false => eprintln!("{APP}: a mail ({path}) was not sent, because `mail::send` has no mailer"),
    }
}
