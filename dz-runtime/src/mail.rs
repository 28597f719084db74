//! Mails about accounts: the application's own Rust sends them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::{Error, Result, config::Config, output::log_event};

/// Sends a mail.
pub(crate) type Mailer = Arc<dyn Fn(&Mail) -> Result<()> + Send + Sync>;

/// So many mails are on their way at once; whoever asks for more is told to come back.
const AT_ONCE: usize = 64;

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MailKind {
    /// Confirms an address.
    Confirm,
    /// Sets a new password.
    Reset,
    /// Somebody wanted to register an address that has an account; the link sets a new password.
    Known,
    /// Somebody signed in from a device that the account was not used from before, or after a long time, or after failures.
    SignIn,
    /// Somebody tries to sign in, and fails again and again.
    Attempts,
    /// The address of the account is another one now; this goes to the old one.
    Moved,
    /// The second factor was set up, or taken away.
    Factor,
    /// Somebody without an account is invited to become a member of a tenant; the link makes the account.
    Invitation,
    /// The owner of an account is invited to become a member of a tenant.
    Membership,
    /// The password was changed; the link asks for another one, for whoever did not do it.
    Changed,
}

/// A mail about an account, to be sent as it is, or worded otherwise around [`link`](Mail::link).
///
/// ```
/// # fn send(_: &str, _: &str, _: &str) -> std::io::Result<()> { Ok(()) }
/// # fn with(app: dz_runtime::App) -> dz_runtime::App {
/// app.mailer(|mail| send(&mail.to, &mail.subject, &mail.text).map_err(dz_runtime::Error::internal))
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// What it is about.
    pub kind: MailKind,
    /// The address.
    pub to: String,
    /// One line.
    pub subject: String,
    /// Plain text, with the link.
    pub text: String,
    /// Where it leads; begins with the configured address of the application.
    pub link: String,
    /// What the link carries, for programs that ask people to type it.
    pub token: String,
}

impl Mail {
    pub(crate) fn new(kind: MailKind, app_title: &str, config: &Config, to: String, token: String) -> Mail {
        let (page, subject, why, until) = match kind {
            MailKind::Confirm => (
                "verify",
                format!("Confirm your address for {app_title}"),
                "Open this link to confirm that this address is yours:",
                "It works once, within three days. If you did not ask for it, there is nothing to do.",
            ),
            MailKind::Reset => (
                "reset",
                format!("Set a new password for {app_title}"),
                "Open this link to set a new password:",
                "It works once, within one hour. If you did not ask for it, there is nothing to do: your password stays as it is.",
            ),
            MailKind::Known => (
                "reset",
                format!("You have an account at {app_title}"),
                "Somebody, most likely you, wanted to make an account with this address, which has one. Open this link to set \
                 a password for it:",
                "It works once, within one hour. If it was not you, there is nothing to do.",
            ),
            MailKind::SignIn => (
                "forgot",
                format!("Somebody signed in to your account at {app_title}"),
                "Somebody signed in to your account in a way that is new to us. If it was not you, open this link to set another password, \
                 which signs everybody out:",
                "If it was you, there is nothing to do.",
            ),
            MailKind::Attempts => (
                "forgot",
                format!("Somebody tries to sign in to your account at {app_title}"),
                "Somebody failed to sign in to your account many times. Nobody was let in. If your password is short, or you use it elsewhere, \
                 open this link to set another one:",
                "If it was you, there is nothing to do.",
            ),
            MailKind::Moved => (
                "forgot",
                format!("The address of your account at {app_title} was changed"),
                "Your account has another address now, and this one no account any more. If it was not you, tell somebody who manages access, \
                 who can change it back at:",
                "If it was you, there is nothing to do.",
            ),
            MailKind::Factor => (
                "forgot",
                format!("The second factor of your account at {app_title} was changed"),
                "The second factor of your account was set up, or taken away. If it was not you, open this link to set another password, and tell \
                 somebody who manages access:",
                "If it was you, there is nothing to do.",
            ),
            MailKind::Invitation => (
                "invite",
                format!("You are invited to {app_title}"),
                "Open this link to say what you are called and to set a password:",
                "It works once, within seven days. If you do not want to, there is nothing to do.",
            ),
            MailKind::Membership => (
                "invite",
                format!("You are invited at {app_title}"),
                "You have an account with this address. Open this link, and sign in, to join:",
                "It works once, within seven days. If you do not want to, there is nothing to do.",
            ),
            MailKind::Changed => (
                "forgot",
                format!("Your password for {app_title} was changed"),
                "The password of your account was changed, and everybody who used it was signed out. If it was not you, open this link \
                 to set another one:",
                "If it was you, there is nothing to do.",
            ),
        };
        let query = if token.is_empty() { String::new() } else { format!("?token={token}") };
        let link = format!("{}/auth/{page}{query}", config.base);
        Mail { kind, to, subject, text: format!("{why}\n\n{link}\n\n{until}\n"), link, token }
    }
}

/// The way out for mails.
#[derive(Default)]
pub(crate) struct Post {
    pub mailer: Option<Mailer>,
    under_way: AtomicUsize,
}

impl Post {
    pub fn new(mailer: Option<Mailer>) -> Post {
        Post { mailer, under_way: AtomicUsize::default() }
    }

    /// True when a mail would reach anybody.
    pub fn delivers(&self, development: bool) -> bool {
        self.mailer.is_some() || development
    }

    /// Takes a place among the mails that are under way.
    ///
    /// # Errors
    /// 503 when there is none, whoever the mail is for.
    pub fn place(&self) -> Result<()> {
        if self.under_way.fetch_add(1, Ordering::AcqRel) >= AT_ONCE {
            self.done();
            let error = Error::new(503, "UNAVAILABLE", "Too many mails are on their way, try again in a few seconds");
            return Err(Error { retry_after: Some(5), ..error });
        }
        Ok(())
    }

    /// Gives a place back.
    pub fn done(&self) {
        self.under_way.fetch_sub(1, Ordering::AcqRel);
    }

    /// Hands a mail to the application; in development without a mailer, the log has it.
    pub fn send(&self, mail: &Mail, development: bool) {
        let sent = match &self.mailer {
            Some(mailer) => mailer(mail),
            None if development => {
                let token = if mail.token.is_empty() { String::new() } else { format!(" token={}", mail.token) };
                log_event!(info, target: "dz::mail", "mail to {}: {} {}{token}", mail.to, mail.subject, mail.link);
                Ok(())
            }
            None => Err(Error::internal("the application has no mailer; set one with `App::mailer`")),
        };
        if let Err(error) = sent {
            let why = error.internal.unwrap_or(error.detail);
            log_event!(error, target: "dz::mail", "the mail \"{}\" to {} was not sent: {why}", mail.subject, mail.to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_under_way_are_counted() {
        let post = Post::default();
        for _ in 0..AT_ONCE {
            post.place().unwrap();
        }
        assert_eq!(post.place().unwrap_err().retry_after, Some(5));
        post.done();
        assert!(post.place().is_ok());
    }
}
