//! Pages of scoped queries.

use std::sync::Arc;

use super::{Clauses, Count, Load};
use crate::{Result, Tx, db::Statement};

/// A page of the rows of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<U> {
    /// The rows of the page.
    pub rows: Vec<U>,
    /// The number of rows on all pages.
    pub total: i64,
    /// The number of the page, from 1.
    pub page: u64,
    /// The number of pages; at least 1.
    pub pages: u64,
}

impl Clauses {
    /// Restricts the rows to those of a page. The key is the last sort key, so that no row is on two pages.
    pub(super) fn limit_to_page(&mut self, page: u64, size: u64, is_aggregate: bool) {
        let skipped = i64::try_from(page.saturating_sub(1).saturating_mul(size)).unwrap_or(i64::MAX);
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        self.limit = Some(self.limit.map_or(size, |limit| size.min(limit.saturating_sub(skipped).max(0))));
        self.offset = Some(self.offset.unwrap_or(0).saturating_add(skipped));
        if !is_aggregate && self.groups.is_empty() && !self.distinct {
            let keys: Vec<Statement> = self.sources().map(|source| source.key_column()).collect();
            keys.into_iter().for_each(|key| self.order.push(Arc::new(key)));
        }
    }
}

/// The largest number of rows of a page.
const MAX_SIZE: u64 = 1_000;

impl Tx<'_> {
    /// Loads a page of a scoped query, and counts the rows of all pages. Pages are numbered from 1; page 0 is page 1. A page has at most
    /// 1,000 rows, so that a size can come from a request.
    ///
    /// ```ignore
    /// let page = tx.load_page::<_, task::Task>(task::scoped(tx, List)?.order(tasks::title), 2, 50)?;
    /// ```
    ///
    /// # Errors
    /// As [`load`](Tx::load).
    pub fn load_page<Q: Load<U> + Count + Clone, U>(&mut self, query: Q, page: u64, size: u64) -> Result<Page<U>> {
        let (page, size) = (page.max(1), size.clamp(1, MAX_SIZE));
        let total = self.count(query.clone())?;
        let rows = self.load(query.page_only(page, size))?;
        Ok(Page { rows, total, page, pages: u64::try_from(total).unwrap_or_default().div_ceil(size).max(1) })
    }
}
