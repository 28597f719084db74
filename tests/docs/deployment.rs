//! The mailer that docs/deployment.md shows.

use dz::Error;
use lettre::{Message, SmtpTransport, Transport, message::Mailbox};

fn with_mail(app: dz::App) -> dz::Result<dz::App> {
    let url = std::env::var("SMTP_URL").map_err(Error::internal)?; // smtps://user:password@mail.example.com
    let from: Mailbox = "Tasks <tasks@example.com>".parse().map_err(Error::internal)?;
    let transport = SmtpTransport::from_url(&url).map_err(Error::internal)?.build();
    Ok(app.mailer(move |mail| {
        let to = mail.to.parse().map_err(Error::internal)?;
        let message = Message::builder().from(from.clone()).to(to).subject(&mail.subject).body(mail.text.clone());
        transport.send(&message.map_err(Error::internal)?).map(|_| ()).map_err(Error::internal)
    }))
}

/// Without the variable the application does not get a mailer that cannot send.
#[test]
fn an_address_is_required() {
    assert!(std::env::var("SMTP_URL").is_ok() || with_mail(crate::leave::app()).is_err());
}
