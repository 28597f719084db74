//! Values of fields: conversion from and to JSON and text, checks, and display.

mod check;
pub(crate) mod currency;
mod duplicate_members;
pub(crate) mod email;
mod file;
mod input;
mod json;
mod text;
mod widen;

pub use check::check;
pub(crate) use duplicate_members::find_duplicate_member;
pub use file::File;
pub(crate) use file::{file_address, is_file};
pub use input::InputType;
#[doc(hidden)]
pub use input::describe_input;
pub(crate) use json::{datetime_attribute, datetime_text, decimal, int, plain_decimal};
pub use json::{from_json, write_json};
pub use text::{display, display_amount, from_text};
pub(crate) use text::{display_plain, format_date, format_month, format_short_date, format_time, join_time, year_text};
pub(crate) use widen::widen;

use std::cell::Cell;

use chrono_tz::Tz;

use crate::{
    Value,
    def::{AppDef, EntityDef, FieldDef, FieldIx, Kind},
};

/// The error for a CSV cell of a file field.
pub(crate) const NO_FILE_IN_TABLES: &str = "is a file, which CSV cannot contain; leave the cell as it was exported, or omit the column";

/// Writes a field of a row as JSON; `value_of` returns the values of the row. A file includes its address, and an amount its
/// currency.
pub(crate) fn write_row_field<'v>(entity: &'static EntityDef, at: FieldIx, value_of: impl Fn(FieldIx) -> &'v Value, out: &mut Vec<u8>) {
    let (field, value, key) = (entity.field(at), value_of(at), value_of(entity.pk));
    if let Some(currency) = field.currency_in {
        return currency::write(value, value_of(currency), out);
    }
    let file = if is_file(field) { File::from_stored(value) } else { None };
    let Some(file) = file else { return write_json(field, value, out) };
    let mut json = file.json();
    if let Some(members) = json.as_object_mut() {
        members.insert("url".to_owned(), file_address(entity, key, field).into());
    }
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(out, &json);
}

thread_local! {
    static CHOSEN_ZONE: Cell<Option<Tz>> = const { Cell::new(None) };
}

/// Runs `work` with the time zone that the user of a page has chosen.
pub(crate) fn with_zone<T>(zone: Option<Tz>, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<Tz>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CHOSEN_ZONE.set(self.0);
        }
    }
    let _restore = Restore(CHOSEN_ZONE.replace(zone));
    work()
}

/// The time zone in which times are shown and read: that of the user of a page, or else that of the application.
pub fn zone(app: &AppDef) -> Tz {
    CHOSEN_ZONE.get().unwrap_or_else(|| app_zone(app))
}

/// The time zone of the application, in which rules and schedules are evaluated.
pub(crate) fn app_zone(app: &AppDef) -> Tz {
    thread_local! {
        // Every cell of a list needs the zone, and a program usually has one application.
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

/// The kind of the stored value: for a reference, that of the key of its target.
pub(crate) fn stored_kind(app: &'static AppDef, field: &'static FieldDef) -> Kind {
    field.kind.resolved(app)
}
