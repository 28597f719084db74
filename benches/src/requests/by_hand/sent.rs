//! What clients send, and what they are told.

use chrono::NaiveDate;
use rocket::FromForm;
use serde::{Deserialize, Serialize};

/// Parameters of the list.
#[derive(Debug, FromForm)]
pub struct Asked {
    page: Option<i64>,
    page_size: Option<i64>,
    pub(super) sort: Option<String>,
    pub(super) status: Option<String>,
    pub(super) search: Option<String>,
    pub(super) expand: Option<String>,
}

impl Asked {
    pub(super) fn size(&self) -> i64 {
        self.page_size.unwrap_or(20).clamp(1, 100)
    }

    pub(super) fn page(&self) -> i64 {
        self.page.unwrap_or(1).max(1)
    }
}

/// A new item as clients send it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    pub(super) title: String,
    #[serde(default = "open")]
    pub(super) status: String,
    pub(super) owner: Option<String>,
    pub(super) due: Option<NaiveDate>,
    #[serde(default)]
    pub(super) hours: i64,
    #[serde(default)]
    pub(super) rank: i64,
    pub(super) score: Option<f64>,
    #[serde(default = "yes")]
    pub(super) billable: bool,
    pub(super) details: Option<String>,
}

/// A change of many items.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bulk {
    #[allow(dead_code, reason = "the only action that this application has")]
    pub(super) action: String,
    pub(super) ids: Vec<String>,
    pub(super) set: Set,
}

/// What changes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    pub(super) rank: i64,
}

/// What became of each item.
#[derive(Debug, Serialize)]
pub struct Results {
    pub(super) results: Vec<ItemOutcome>,
}

/// What became of one item.
#[derive(Debug, Serialize)]
pub struct ItemOutcome {
    pub(super) id: String,
    pub(super) status: u16,
}

/// True when an item in this state may be moved there.
pub(super) fn leads(from: &str, to: &str, has_owner: bool) -> bool {
    matches!((from, to, has_owner), ("open", "doing", true) | ("doing", "done", _) | ("done", "open", _))
}

fn open() -> String {
    "open".to_owned()
}

fn yes() -> bool {
    true
}

/// True when a new item may be stored.
pub(super) fn fits(sent: &Sent) -> bool {
    !sent.title.is_empty() && sent.title.chars().count() <= 120 && sent.status == "open" && sent.hours >= 0 && sent.rank >= 0
}
