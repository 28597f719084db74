//! The application of docs/tutorial.md.

use dz::Error;

dz::include_dsl!("app.dsl");

pub fn application() -> dz::App {
    app().before_create::<ticket::Ticket>(|_, new| match new.subject.split_whitespace().count() {
        0 | 1 => Err(Error::validation("subject", "describe the problem in two words or more")),
        _ => Ok(()),
    })
}
