//! The pagination response written by hand: the same rows and footer, in an askama template.

use askama::Template;

/// A row on the page.
pub struct PageRow {
    /// The key.
    pub id: String,
    /// The title.
    pub title: String,
    /// The status.
    pub status: String,
    /// The name of the owner.
    pub owner: Option<String>,
    /// The due date.
    pub due: Option<chrono::NaiveDate>,
    /// Hundredths of hours.
    pub hours: i64,
}

impl PageRow {
    fn status_title(&self) -> &'static str {
        match self.status.as_str() {
            "open" => "Open",
            "doing" => "Doing",
            _ => "Done",
        }
    }

    /// The states that the row can be transitioned to.
    fn moves(&self) -> &'static str {
        match self.status.as_str() {
            "open" => "doing",
            "doing" => "done",
            _ => "open",
        }
    }

    fn tone(&self) -> &'static str {
        match self.status.as_str() {
            "open" => "gray",
            "doing" => "blue",
            _ => "green",
        }
    }

    fn icon(&self) -> &'static str {
        match self.status.as_str() {
            "open" => "s-0",
            "doing" => "s-50",
            _ => "s-100",
        }
    }

    fn day(&self) -> Option<(String, String)> {
        self.due.map(|due| (due.format("%Y-%m-%d").to_string(), due.format("%-d %b %Y").to_string()))
    }

    fn hours(&self) -> String {
        format!("{}.{:02}", self.hours / 100, self.hours % 100)
    }
}

/// The rows of a page, and the footer after them.
#[derive(Template)]
#[template(path = "items.html")]
pub struct Fragment {
    /// The rows.
    pub rows: Vec<PageRow>,
    /// The number of all rows.
    pub total: i64,
    /// The page, from 1.
    pub page: i64,
    /// The page size.
    pub page_size: i64,
}

impl Fragment {
    fn last(&self) -> i64 {
        ((self.total + self.page_size - 1) / self.page_size).max(1)
    }

    /// The page buttons, with zero for omitted pages.
    fn stops(&self) -> Vec<i64> {
        let last = self.last();
        if last <= 9 {
            return (1..=last).collect();
        }
        let (from, to) = ((self.page - 2).max(2), (self.page + 2).min(last - 1));
        let mut stops = vec![1];
        if from > 2 {
            stops.push(0);
        }
        stops.extend(from..=to);
        if to < last - 1 {
            stops.push(0);
        }
        stops.push(last);
        stops
    }
}
