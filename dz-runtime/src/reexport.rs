//! Re-exports of other crates for applications and generated code, so that applications need no dependency on them.

pub use askama;
pub use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
pub use rocket;
pub use rust_decimal::Decimal;
pub use serde;
pub use serde_json::{self, Value as Json};
pub use uuid::Uuid;
