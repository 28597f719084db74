//! The total number of rows of a list, which is counted up to a limit.

use std::fmt;

use fluent_bundle::FluentValue;

use super::{Query, list::count};
use crate::{
    Engine,
    db::{BindKind, Statement},
    texts::Argument,
};

/// How the rows of all pages are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Counting {
    /// Not at all.
    #[default]
    Off,
    /// Up to `dz.list.count_limit`; for the buttons of pages, up to the end of the page, if it is after the limit.
    Limited,
    /// All rows.
    Exact,
}

/// The number of rows on all pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Total {
    /// The number of rows; the limit of counting, if there are more.
    pub rows: u64,
    /// True if there are more rows than the limit.
    pub is_capped: bool,
    /// The number of rows that are known to exist, also after the limit.
    pub known: u64,
    /// True if further rows can exist.
    pub has_more: bool,
}

impl Total {
    /// The exact number of rows.
    pub fn exact(rows: u64) -> Total {
        Total { rows, is_capped: false, known: rows, has_more: false }
    }

    /// True if there are more rows than this number.
    pub fn exceeds(self, rows: u64) -> bool {
        self.known > rows
    }

    /// The total number, if the page determines it: it is not full, and not after the end.
    pub(super) fn of_page(query: &Query, limit: u64, rows: usize) -> Option<Total> {
        let rows = rows as u64;
        (rows < query.limit && (rows > 0 || query.offset == 0)).then(|| Total::from_counted(query, limit, query.offset + rows))
    }

    /// The number of rows after which counting ends; `None` counts all rows. The rows of the page are always counted, so that a page
    /// after the limit has a next page exactly if there are further rows.
    fn last_counted(query: &Query, limit: u64) -> Option<u64> {
        match query.count {
            Counting::Limited => Some(limit.max(query.offset.saturating_add(query.limit))),
            Counting::Off | Counting::Exact => None,
        }
    }

    /// The statement that counts `rows`, which starts with ` FROM`. It reads one row more than it counts.
    pub(super) fn statement(engine: Engine, query: &Query, limit: u64, rows: Statement) -> Statement {
        let mut select = Statement::new();
        let Some(last) = Total::last_counted(query, limit) else {
            select.push("SELECT count(*)").append(rows);
            return select;
        };
        select.push("SELECT count(*) FROM (SELECT 1").append(rows);
        match engine {
            // For the reasons of the clauses, see those of a page.
            Engine::Sqlite => select.push(" LIMIT 0 + ").bind(count(last.saturating_add(1)), BindKind::Int),
            Engine::Postgres if last == limit => select.push(&format!(" LIMIT {}", limit.saturating_add(1))),
            Engine::Postgres => select.push(" LIMIT ").bind(count(last.saturating_add(1)), BindKind::Int),
        };
        select.push(") AS \"counted\"");
        select
    }

    /// The total number from the result of the statement.
    pub(super) fn from_counted(query: &Query, limit: u64, counted: u64) -> Total {
        match Total::last_counted(query, limit) {
            Some(last) => Total { rows: counted.min(limit), is_capped: counted > limit, known: counted, has_more: counted > last },
            None => Total::exact(counted),
        }
    }
}

/// `45`, or `100,000+` if there are more rows than the limit.
impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_capped {
            return write!(f, "{}", self.rows);
        }
        let digits = self.rows.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(say!("dz-thousands-separator", ","))?;
            }
            write!(f, "{digit}")?;
        }
        f.write_str("+")
    }
}

impl Argument for Total {
    fn value(&self) -> FluentValue<'_> {
        match self.is_capped {
            true => FluentValue::from(self.to_string()),
            false => FluentValue::from(self.rows),
        }
    }

    fn is_one(&self) -> bool {
        *self == Total::exact(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capped_total_has_separators_and_a_plus() {
        let text = |rows| Total { rows, is_capped: true, known: rows + 1, has_more: true }.to_string();
        assert_eq!([text(5), text(100), text(1_000), text(100_000), text(12_345_678)], ["5+", "100+", "1,000+", "100,000+", "12,345,678+"]);
        assert_eq!(Total::exact(12_345).to_string(), "12345");
        assert!(Total::exact(9).exceeds(8) && !Total::exact(9).exceeds(9));
    }

    #[test]
    fn a_page_after_the_limit_is_counted() {
        let at = |offset| Query { offset, limit: 10, count: Counting::Limited, ..Query::default() };
        let capped = |known, has_more| Total { rows: 25, is_capped: true, known, has_more };
        assert_eq!(Total::from_counted(&at(0), 25, 26), capped(26, true));
        assert_eq!(Total::from_counted(&at(0), 25, 25), Total::exact(25));
        // The next page exists exactly if a row after this page was counted.
        assert_eq!(Total::from_counted(&at(40), 25, 51), capped(51, true));
        assert_eq!(Total::from_counted(&at(40), 25, 50), capped(50, false));
        assert_eq!(Total::of_page(&at(40), 25, 7), Some(capped(47, false)));
        assert_eq!(Total::of_page(&at(0), 25, 7), Some(Total::exact(7)));
        assert_eq!(Total::of_page(&at(0), 25, 10), None);
        assert_eq!(Total::from_counted(&Query { count: Counting::Exact, ..at(0) }, 25, 70), Total::exact(70));
    }
}
