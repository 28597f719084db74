//! Values of fields: from and to JSON and text, checked and shown.

use chrono_tz::Tz;

use crate::{
    Value,
    def::{AppDef, FieldDef},
};

/// The value that a text stands for, as queries and forms write it; times without an offset are in `zone`.
pub fn from_text(app: &'static AppDef, field: &'static FieldDef, text: &str, zone: Tz) -> Result<Value, String> {
    let _ = (app, field, text, zone);
    todo!()
}

/// What is wrong with a value in itself: its length, its format.
pub fn check(field: &'static FieldDef, value: &Value) -> Result<(), String> {
    let _ = (field, value);
    todo!()
}

/// The value as people read it.
pub fn display(field: &'static FieldDef, value: &Value, zone: Tz) -> String {
    let _ = (field, value, zone);
    todo!()
}
