//! What applications and generated code use of other crates, so that they need not depend on them.

pub use askama;
pub use chrono::{DateTime, NaiveDate, Utc};
pub use rocket;
pub use rust_decimal::Decimal;
pub use serde;
pub use serde_json::{self, Value as Json};
pub use uuid::Uuid;
