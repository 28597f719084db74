//! Values of fields: from and to JSON and text, checked and shown.

mod check;
mod json;
mod text;

pub use check::check;
pub(crate) use json::{decimal, int, moment_text, plain_decimal};
pub use json::{from_json, write_json};
pub use text::{display, from_text};

use std::cell::Cell;

use chrono_tz::Tz;

use crate::def::{AppDef, FieldDef, Kind};

/// The application's zone.
pub fn zone(app: &AppDef) -> Tz {
    thread_local! {
        // Every cell of every list asks, and there is one application to a program.
        static LAST: Cell<(&'static str, Tz)> = const { Cell::new(("UTC", Tz::UTC)) };
    }
    let (name, zone) = LAST.get();
    if std::ptr::eq(name, app.timezone) || name == app.timezone {
        return zone;
    }
    let zone = app.timezone.parse().unwrap_or(Tz::UTC);
    LAST.set((app.timezone, zone));
    zone
}

/// What a field really holds: a reference holds the key of its target.
pub(crate) fn held(app: &'static AppDef, field: &'static FieldDef) -> Kind {
    match field.kind {
        Kind::Ref(entity) => held(app, app.entity(entity).key()),
        kind => kind,
    }
}
