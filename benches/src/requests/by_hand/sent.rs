//! Requests and responses.

use chrono::NaiveDate;
use rocket::FromForm;
use serde::{Deserialize, Serialize};

/// Parameters of the list.
#[derive(Debug, FromForm)]
pub struct ListQuery {
    page: Option<i64>,
    page_size: Option<i64>,
    pub(super) sort: Option<String>,
    pub(super) status: Option<String>,
    pub(super) search: Option<String>,
    pub(super) expand: Option<String>,
}

impl ListQuery {
    pub(super) fn size(&self) -> i64 {
        self.page_size.unwrap_or(20).clamp(1, 100)
    }

    pub(super) fn page(&self) -> i64 {
        self.page.unwrap_or(1).max(1)
    }
}

/// A new item in a request.
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

/// The changed fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    pub(super) rank: i64,
}

/// The results of all items.
#[derive(Debug, Serialize)]
pub struct Results {
    pub(super) results: Vec<ItemOutcome>,
}

/// The result of one item.
#[derive(Debug, Serialize)]
pub struct ItemOutcome {
    pub(super) id: String,
    pub(super) status: u16,
}

/// A row of a file, which is a new item.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowOfFile {
    title: String,
    owner: Option<String>,
    due: Option<NaiveDate>,
    hours: Option<String>,
    rank: Option<i64>,
    billable: Option<bool>,
    details: Option<String>,
}

impl RowOfFile {
    /// Converts it to a new item; the guard against spreadsheet formulas is removed.
    pub(super) fn into_sent(self) -> Option<Sent> {
        let text = |text: String| match text.strip_prefix('\'') {
            Some(rest) if rest.starts_with(['=', '+', '-', '@', '\t', '\r']) => rest.to_owned(),
            _ => text,
        };
        let hours = match self.hours {
            None => 0,
            Some(hours) => {
                let (whole, part) = hours.split_once('.').unwrap_or((&hours, "0"));
                let part = format!("{part:0<2}");
                whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(part.parse().ok().filter(|_| part.len() == 2)?)?
            }
        };
        Some(Sent {
            title: text(self.title),
            status: open(),
            owner: self.owner,
            due: self.due,
            hours,
            rank: self.rank.unwrap_or(0),
            score: None,
            billable: self.billable.unwrap_or(true),
            details: self.details.map(text),
        })
    }
}

/// The result of an import.
#[derive(Debug, Serialize)]
pub struct Taken {
    pub(super) created: u64,
}

/// The rows of a file with errors, numbered as in spreadsheets.
#[derive(Debug, Serialize)]
pub struct Wrong {
    pub(super) rows: Vec<usize>,
}

/// True if the transition is permitted.
pub(super) fn leads(from: &str, to: &str, has_owner: bool) -> bool {
    matches!((from, to, has_owner), ("open", "doing", true) | ("doing", "done", _) | ("done", "open", _))
}

fn open() -> String {
    "open".to_owned()
}

fn yes() -> bool {
    true
}

/// True if a new item is valid.
pub(super) fn fits(sent: &Sent) -> bool {
    !sent.title.is_empty() && sent.title.chars().count() <= 120 && sent.status == "open" && sent.hours >= 0 && sent.rank >= 0
}

/// Values in responses: decimals as text, timestamps in UTC.
pub(super) mod wire {
    use chrono::NaiveDateTime;
    use serde::Serializer;

    pub fn hundredths<S: Serializer>(hundredths: &i64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{}.{:02}", hundredths / 100, hundredths % 100))
    }

    pub fn moment<S: Serializer>(moment: &NaiveDateTime, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&moment.format("%Y-%m-%dT%H:%M:%S%.6fZ"))
    }
}
