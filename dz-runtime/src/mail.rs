//! Mails about accounts: the application's own Rust sends them.

use std::sync::Arc;

use tokio::runtime::Handle;

use crate::{
    Error, Result,
    blocking::{Slots, catch_panic},
    config::Config,
    output::log_event,
    texts,
};

/// Sends a mail.
pub(crate) type Mailer = Arc<dyn Fn(&Mail) -> Result<()> + Send + Sync>;

/// The number of mails that are sent at once; each holds a thread until the application's mailer returns.
const MAX_CONCURRENT: usize = 8;
/// The length of each queue of mails.
const QUEUE_LENGTH: usize = 64;

/// The reason for a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MailKind {
    /// Confirms an address.
    Confirm,
    /// Sets a new password.
    Reset,
    /// A registration of an address that has an account; the link sets a new password.
    AccountExists,
    /// A sign-in from a new device, after a long time, or after failed attempts.
    SignIn,
    /// Repeated failed sign-ins.
    FailedSignIns,
    /// The address of the account was changed; this mail goes to the old address.
    AddressChanged,
    /// The second factor was registered or removed.
    SecondFactor,
    /// An invitation to a tenant for an address without an account; the link creates the account.
    Invitation,
    /// An invitation to a tenant for the owner of an account.
    Membership,
    /// The password was changed; the link resets it if the owner did not change it.
    PasswordChanged,
}

impl MailKind {
    /// True if the mail notifies the owner of an account of an event that only a caller who has signed in, or a link of an earlier mail,
    /// can cause. Strangers can cause any number of the others.
    fn is_notice(self) -> bool {
        match self {
            MailKind::SignIn | MailKind::AddressChanged | MailKind::SecondFactor | MailKind::PasswordChanged => true,
            MailKind::Confirm
            | MailKind::Reset
            | MailKind::AccountExists
            | MailKind::FailedSignIns
            | MailKind::Invitation
            | MailKind::Membership => false,
        }
    }
}

/// A mail about an account. Send its text, or a text of your own with [`link`](Mail::link).
///
/// ```
/// # fn send(_: &str, _: &str, _: &str) -> std::io::Result<()> { Ok(()) }
/// # fn with(app: dz_runtime::App) -> dz_runtime::App {
/// app.mailer(|mail| send(&mail.to, &mail.subject, &mail.text).map_err(dz_runtime::Error::internal))
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The reason.
    pub kind: MailKind,
    /// The address.
    pub to: String,
    /// One line.
    pub subject: String,
    /// Plain text, with the link.
    pub text: String,
    /// The link; it begins with the configured address of the application.
    pub link: String,
    /// The token of the link, for programs in which users enter it.
    pub token: String,
}

impl Mail {
    /// Writes a mail in the language of the thread.
    pub(crate) fn new(kind: MailKind, app_title: &'static str, config: &Config, to: String, token: String) -> Mail {
        let app = texts::plain(dz_vocabulary::text_key::APP, app_title);
        let (page, (subject, why, until)) = match kind {
            MailKind::Confirm => ("verify", confirm_words(app)),
            MailKind::Reset => ("reset", reset_words(app)),
            MailKind::AccountExists => ("reset", account_exists_words(app)),
            MailKind::SignIn => ("forgot", sign_in_words(app)),
            MailKind::FailedSignIns => ("forgot", failed_sign_ins_words(app)),
            MailKind::AddressChanged => ("forgot", address_changed_words(app)),
            MailKind::SecondFactor => ("forgot", second_factor_words(app)),
            MailKind::Invitation => ("invite", invitation_words(app)),
            MailKind::Membership => ("invite", membership_words(app)),
            MailKind::PasswordChanged => ("forgot", password_changed_words(app)),
        };
        let query = if token.is_empty() { String::new() } else { format!("?token={token}") };
        let link = format!("{}/auth/{page}{query}", config.base);
        Mail { kind, to, subject, text: format!("{why}\n\n{link}\n\n{until}\n"), link, token }
    }

    /// The mail with a sentence before its text.
    pub(crate) fn introduced(self, sentence: Option<String>) -> Mail {
        match sentence {
            Some(sentence) => Mail { text: format!("{sentence}\n\n{}", self.text), ..self },
            None => self,
        }
    }
}

/// The subject of a mail, the text before its link, and the text after it.
type Words = (String, &'static str, &'static str);

fn confirm_words(app: &str) -> Words {
    (
        say!("dz-mail-confirm", "Confirm your address for {app}", app = app),
        say!("dz-mail-confirm-why", "Open this link to confirm that this address is yours:"),
        say!("dz-mail-confirm-until", "It works once, within three days. If you did not request it, ignore this mail."),
    )
}

fn reset_words(app: &str) -> Words {
    (
        say!("dz-mail-reset", "Set a new password for {app}", app = app),
        say!("dz-mail-reset-why", "Open this link to set a new password:"),
        say!(
            "dz-mail-reset-until",
            "It works once, within one hour. If you did not request it, ignore this mail: your password does not change."
        ),
    )
}

fn account_exists_words(app: &str) -> Words {
    (
        say!("dz-mail-account-exists", "You have an account at {app}", app = app),
        say!(
            "dz-mail-account-exists-why",
            "A new account was requested for this address, which has one. Open this link to set a password for it:"
        ),
        say!("dz-mail-account-exists-until", "It works once, within one hour. If it was not you, ignore this mail."),
    )
}

/// The last sentence of mails about an event that the owner of the account probably caused.
fn if_it_was_you() -> &'static str {
    say!("dz-mail-if-it-was-you", "If it was you, ignore this mail.")
}

fn sign_in_words(app: &str) -> Words {
    (
        say!("dz-mail-sign-in", "New sign-in to your account at {app}", app = app),
        say!(
            "dz-mail-sign-in-why",
            "There was an unusual sign-in to your account. If it was not you, open this link to set a new password, which ends all sessions of your account:"
        ),
        if_it_was_you(),
    )
}

fn failed_sign_ins_words(app: &str) -> Words {
    (
        say!("dz-mail-failed-sign-ins", "Failed sign-ins to your account at {app}", app = app),
        say!(
            "dz-mail-failed-sign-ins-why",
            "There were many failed attempts to sign in to your account; none succeeded. If your password is short, or you use it elsewhere, open this link to set a new one:"
        ),
        if_it_was_you(),
    )
}

fn address_changed_words(app: &str) -> Words {
    (
        say!("dz-mail-address-changed", "The address of your account at {app} was changed", app = app),
        say!(
            "dz-mail-address-changed-why",
            "The address of your account was changed; this address no longer has an account. If it was not you, tell an administrator, who can change it back at:"
        ),
        if_it_was_you(),
    )
}

fn second_factor_words(app: &str) -> Words {
    (
        say!("dz-mail-second-factor", "The second factor of your account at {app} was changed", app = app),
        say!(
            "dz-mail-second-factor-why",
            "The second factor of your account was added or removed. If it was not you, open this link to set a new password, and tell an administrator:"
        ),
        if_it_was_you(),
    )
}

/// The last sentence of an invitation.
fn if_you_do_not_join() -> &'static str {
    say!("dz-mail-invitation-until", "It works once, within seven days. If you do not want to join, ignore this mail.")
}

fn invitation_words(app: &str) -> Words {
    (
        say!("dz-mail-invitation", "You are invited to {app}", app = app),
        say!("dz-mail-invitation-why", "Open this link to enter your name and set a password:"),
        if_you_do_not_join(),
    )
}

fn membership_words(app: &str) -> Words {
    (
        say!("dz-mail-membership", "You are invited at {app}", app = app),
        say!("dz-mail-membership-why", "You have an account with this address. Open this link, and sign in, to join:"),
        if_you_do_not_join(),
    )
}

fn password_changed_words(app: &str) -> Words {
    (
        say!("dz-mail-password-changed", "Your password for {app} was changed", app = app),
        say!(
            "dz-mail-password-changed-why",
            "The password of your account was changed, and all its sessions were ended. If it was not you, open this link to set another one:"
        ),
        if_it_was_you(),
    )
}

/// Sends mails through the application's mailer. Notices have threads and places of their own, so that mails that strangers cause
/// cannot displace them.
pub(crate) struct MailQueue {
    pub mailer: Option<Mailer>,
    requested: Slots,
    notices: Slots,
}

impl MailQueue {
    pub fn new(mailer: Option<Mailer>) -> MailQueue {
        let slots = || Slots::new(MAX_CONCURRENT, QUEUE_LENGTH, "Too many mails are being sent; try again in a few seconds");
        MailQueue { mailer, requested: slots(), notices: slots() }
    }

    /// True if no mail waits and none is being sent.
    #[cfg(feature = "testing")]
    pub fn is_idle(&self) -> bool {
        [&self.requested, &self.notices].iter().all(|slots| slots.count_free_places() == MAX_CONCURRENT + QUEUE_LENGTH)
    }

    /// True if a mail can be delivered.
    pub fn can_deliver(&self, development: bool) -> bool {
        self.mailer.is_some() || development
    }

    fn slots(&self, kind: MailKind) -> &Slots {
        if kind.is_notice() { &self.notices } else { &self.requested }
    }

    /// Sends the mail of this kind that `find` returns, if any, after the response.
    ///
    /// # Errors
    /// 503 if the queue is full, for every address.
    pub fn send_later(
        self: &Arc<MailQueue>,
        kind: MailKind,
        development: bool,
        find: impl FnOnce() -> Result<Option<Mail>> + Send + 'static,
    ) -> Result<()> {
        let place = self.slots(kind).reserve_place()?;
        let post = self.clone();
        let work = move || {
            let sent = catch_panic(|| find().map(|mail| mail.iter().for_each(|mail| post.send(mail, development))));
            sent.unwrap_or_else(|error| report_unsent(&error));
        };
        match Handle::try_current() {
            Ok(runtime) => {
                let post = self.clone();
                runtime.spawn(async move { post.slots(kind).run_later(place, work).await.unwrap_or_else(|error| report_unsent(&error)) });
            }
            // Outside of a runtime, as in a command of the command line.
            Err(_) => work(),
        }
        Ok(())
    }

    /// Gives a mail to the application's mailer; development without a mailer writes it to the log.
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
            let why = error.internal.map_or(error.detail, String::from);
            log_event!(error, target: "dz::mail", "the mail \"{}\" to {} was not sent: {why}", mail.subject, mail.to);
        }
    }
}

/// Logs that a mail was not sent.
pub(crate) fn report_unsent(error: &Error) {
    log_event!(error, target: "dz::mail", "a mail was not sent: {}", error.internal.as_deref().unwrap_or(&error.detail));
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc::channel};

    use super::*;

    /// A slow mailer holds a limited number of threads, and its queue is limited.
    #[test]
    fn mails_wait_for_a_slow_mailer_without_blocking_a_thread() {
        let (end, ended) = channel::<()>();
        let (begun, begins) = channel();
        let (ended, begun) = (Mutex::new(ended), Mutex::new(begun));
        let post = Arc::new(MailQueue::new(Some(Arc::new(move |_: &Mail| -> Result<()> {
            begun.lock().unwrap().send(()).map_err(Error::internal)?;
            let _ = ended.lock().unwrap().recv();
            Ok(())
        }))));
        let mail = |kind: MailKind| Mail {
            kind,
            to: "ann@example.com".to_owned(),
            subject: String::new(),
            text: String::new(),
            link: String::new(),
            token: String::new(),
        };
        let later = |kind: MailKind| {
            let mail = mail(kind);
            post.send_later(kind, false, move || Ok(Some(mail)))
        };
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).max_blocking_threads(2 * MAX_CONCURRENT + 1).build().unwrap();
        let _inside = runtime.enter();
        for _ in 0..MAX_CONCURRENT + QUEUE_LENGTH {
            later(MailKind::Reset).unwrap();
        }
        assert_eq!(later(MailKind::Invitation).unwrap_err().retry_after, Some(2));
        // A notice has a place that requested mails cannot take.
        later(MailKind::PasswordChanged).unwrap();
        for _ in 0..=MAX_CONCURRENT {
            begins.recv().unwrap();
        }
        // Other work gets a thread.
        assert_eq!(runtime.block_on(runtime.spawn_blocking(|| 7)).unwrap(), 7);
        drop(end);
        for _ in 0..QUEUE_LENGTH {
            begins.recv().unwrap();
        }
    }

    #[test]
    fn a_panicking_mailer_frees_its_slot() {
        let post = Arc::new(MailQueue::new(Some(Arc::new(|_: &Mail| -> Result<()> { panic!("no network") }))));
        let mail = Mail {
            kind: MailKind::Reset,
            to: String::new(),
            subject: String::new(),
            text: String::new(),
            link: String::new(),
            token: String::new(),
        };
        for _ in 0..2 * (MAX_CONCURRENT + QUEUE_LENGTH) {
            let mail = mail.clone();
            post.send_later(mail.kind, false, move || Ok(Some(mail))).unwrap();
        }
    }
}
