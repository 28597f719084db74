//! The footer of a list: the number of rows, the number of selected rows, and the page buttons.

use std::fmt::Write as _;

use askama::Template;
use url::form_urlencoded;

use crate::{
    rows::Total,
    web::page::{Icon, Region},
};

/// The content of the footer.
#[derive(Debug, Clone, PartialEq)]
pub struct Pagination {
    /// The region of the rows.
    pub region: Region,
    /// The path of the htmx request, e.g. `/app/task_list`.
    pub path: String,
    /// The current page, from 1.
    pub page: u64,
    /// The number of rows on a page.
    pub page_size: u64,
    /// The number of all rows.
    pub total: Total,
    /// Parameters that every link preserves, in order, beside the page and its size.
    pub preserved: Vec<(String, String)>,
    /// The name of rows; `None` for `row` or `rows`.
    pub rows_label: Option<String>,
    /// True if a page of rows is an address of the page that shows the region, so that a page button is an entry of the browser's history.
    pub moves_page: bool,
}

/// A page button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageLink {
    /// A page.
    Page(u64),
    /// The ellipsis for omitted pages.
    Gap,
}

#[derive(Template)]
#[template(path = "pages.html")]
struct Pages<'a> {
    of: &'a Pagination,
    stops: Vec<PageLink>,
    last: u64,
}

#[derive(Template)]
#[template(path = "pagination.html")]
struct Footer<'a> {
    of: &'a Pagination,
    label: &'a str,
    pages_html: &'a str,
}

impl Pagination {
    /// The number of the last page that is known.
    pub fn last(&self) -> u64 {
        self.total.known.div_ceil(self.page_size.max(1)).max(1)
    }

    /// Address of a page.
    pub fn href(&self, page: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("page", &page.to_string());
        query.append_pair("page_size", &self.page_size.to_string());
        query.extend_pairs(&self.preserved);
        format!("{}?{}", self.path, query.finish())
    }

    /// The page buttons: all pages if there are at most nine; otherwise the first, the last, and the current page with two neighbours on
    /// each side, with an ellipsis for omitted pages.
    pub fn window(page: u64, last: u64) -> Vec<PageLink> {
        if last <= 9 {
            return (1..=last).map(PageLink::Page).collect();
        }
        let mut stops = vec![PageLink::Page(1)];
        let (from, to) = (page.saturating_sub(2).max(2), page.saturating_add(2).min(last - 1));
        if from > 2 {
            stops.push(PageLink::Gap);
        }
        stops.extend((from..=to).map(PageLink::Page));
        if to < last - 1 {
            stops.push(PageLink::Gap);
        }
        stops.push(PageLink::Page(last));
        stops
    }

    /// The page buttons as HTML; empty without rows.
    fn pages_html(&self) -> askama::Result<String> {
        if self.total == Total::default() {
            return Ok(String::new());
        }
        let last = self.last();
        let mut stops = Pagination::window(self.page.min(last), last);
        if self.total.has_more {
            stops.push(PageLink::Gap);
        }
        Pages { of: self, stops, last }.render()
    }

    /// The footer as HTML; empty without rows.
    pub fn footer_html(&self) -> askama::Result<String> {
        let pages_html = self.pages_html()?;
        if pages_html.is_empty() {
            return Ok(String::new());
        }
        let label = match &self.rows_label {
            Some(label) => label.as_str(),
            None if self.total == Total::exact(1) => say!("dz-one-row", "row"),
            None => say!("dz-several-rows", "rows"),
        };
        Footer { of: self, label, pages_html: &pages_html }.render()
    }

    /// The footer after the body, as in a page.
    pub fn slot_html(&self) -> askama::Result<String> {
        let footer = self.footer_html()?;
        Ok(format!(r#"<div id="{}">{footer}</div>"#, self.region.footer_id()))
    }

    /// The footer in an htmx response. It is inside a `template`, because a parser of table rows would drop a form after them.
    pub fn out_of_band_html(&self) -> askama::Result<String> {
        let mut html = String::from("<template>");
        let id = self.region.footer_id();
        let _ = write!(html, r#"<div id="{id}" hx-swap-oob="morph">{}</div></template>"#, self.footer_html()?);
        Ok(html)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn pagination(page: u64, total: u64) -> Pagination {
        Pagination {
            region: Region::new("task_list"),
            path: "/app/task_list".to_owned(),
            page,
            page_size: 20,
            total: Total::exact(total),
            preserved: Vec::new(),
            rows_label: None,
            moves_page: true,
        }
    }

    #[track_caller]
    fn window(page: u64, last: u64, expected: &str) {
        let stops: Vec<String> = Pagination::window(page, last)
            .iter()
            .map(|stop| match stop {
                PageLink::Page(at) if *at == page => format!("[{at}]"),
                PageLink::Page(at) => at.to_string(),
                PageLink::Gap => "…".to_owned(),
            })
            .collect();
        assert_eq!(stops.join(" "), expected);
    }

    #[test]
    fn windows() {
        window(1, 1, "[1]");
        window(5, 9, "1 2 3 4 [5] 6 7 8 9");
        window(1, 10, "[1] 2 3 … 10");
        window(3, 10, "1 2 [3] 4 5 … 10");
        window(4, 10, "1 2 3 [4] 5 6 … 10");
        window(5, 10, "1 … 3 4 [5] 6 7 … 10");
        window(7, 10, "1 … 5 6 [7] 8 9 10");
        window(10, 10, "1 … 8 9 [10]");
        window(50, 100, "1 … 48 49 [50] 51 52 … 100");
    }

    #[track_caller]
    fn check(pagination: &Pagination, expected: Expect) {
        let html = pagination.footer_html().expect("a footer");
        expected.assert_eq(&html.replace('>', ">\n"));
    }

    #[test]
    fn no_rows_no_footer() {
        assert_eq!(pagination(1, 0).footer_html().expect("a footer"), "");
        assert_eq!(pagination(1, 0).slot_html().expect("a footer"), r#"<div id="task_list-footer"></div>"#);
    }

    #[test]
    fn the_summary_counts_and_names_rows() {
        for (total, label, text) in
            [(1, None, ">1 row<"), (2, None, ">2 rows<"), (1, Some("task"), ">1 task<"), (12, Some("a < b"), ">12 a &#60; b<")]
        {
            let of = Pagination { rows_label: label.map(str::to_owned), ..pagination(1, total) };
            let html = of.footer_html().expect("a footer");
            assert!(html.contains(text), "{html}");
            let selected = format!("<span data-dz-bulk-count-target>0</span> of {total} selected");
            assert!(html.contains(&selected), "{html}");
            assert!(html.contains(&format!(r#"data-dz-grid-total="{total}""#)));
        }
    }

    #[test]
    fn every_page_button_preserves_the_parameters() {
        let of = Pagination {
            preserved: [("sort", "-due"), ("search", "a&b"), ("include_closed", "true"), ("as_of", "2026-03-01")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            ..pagination(2, 41)
        };
        let html = of.footer_html().expect("a footer");
        let buttons: Vec<&str> = html.split("hx-get=\"").skip(1).collect();
        assert_eq!(buttons.len(), 4, "previous, 1, 3, next: {html}");
        for button in buttons {
            assert!(
                button.contains("page_size=20&#38;sort=-due&#38;search=a%26b&#38;include_closed=true&#38;as_of=2026-03-01"),
                "{button}"
            );
            assert!(button.contains(r##"hx-target="#task_list-body""##) && button.contains(r#"hx-swap="morph:innerHTML""#));
        }
    }

    #[test]
    fn the_first_page_of_two() {
        check(
            &pagination(1, 21),
            expect![[r##"
                <form class="dz-pagination" method="get" action="/app/task_list" data-dz-pagination data-dz-grid-pagination data-dz-grid-total="21">
                <input type="hidden" name="page_size" value="20">
                <span class="dz-pagination-summary">
                <span class="dz-pagination-selected">
                <span data-dz-bulk-count-target>
                0</span>
                 of 21 selected</span>
                <span class="dz-pagination-rows">
                21 rows</span>
                </span>
                <span class="dz-pagination-pages" role="group" aria-label="Pages">
                <button class="dz-pagination-page" type="button" id="task_list-previous" disabled aria-label="Previous page">
                <svg class="dz-i" aria-hidden="true">
                <use href="/-/assets/c3e78bf2f2784257/icons.svg#left"/>
                </svg>
                </button>
                <button class="dz-pagination-page is-current" id="task_list-page-1" type="button" aria-current="page">
                1</button>
                <button class="dz-pagination-page" id="task_list-page-2" name="page" value="2" hx-get="/app/task_list?page=2&#38;page_size=20" hx-target="#task_list-body" hx-swap="morph:innerHTML" hx-params="none" hx-sync="#task_list:replace" hx-push-url="true">
                2</button>
                <button class="dz-pagination-page" name="page" value="2" id="task_list-next" aria-label="Next page" hx-get="/app/task_list?page=2&#38;page_size=20" hx-target="#task_list-body" hx-swap="morph:innerHTML" hx-params="none" hx-sync="#task_list:replace" hx-push-url="true">
                <svg class="dz-i" aria-hidden="true">
                <use href="/-/assets/c3e78bf2f2784257/icons.svg#right"/>
                </svg>
                </button>
                </span>
                </form>
            "##]],
        );
    }

    #[test]
    fn a_capped_total_has_a_next_page() {
        let total = |known| Total { rows: 100_000, is_capped: true, known, has_more: true };
        let at = |page: u64| Pagination { total: total((page * 20).max(100_000) + 1), ..pagination(page, 0) };
        assert_eq!((at(1).last(), at(5_000).last(), at(6_000).last()), (5_001, 5_001, 6_001));
        let html = at(5_000).footer_html().expect("a footer");
        assert!(html.contains(">100,000+ rows<") && html.contains(" of 100,000+ selected"), "{html}");
        assert!(html.contains(r#"data-dz-grid-total="100000""#) && html.contains(r#"name="page" value="5001""#), "{html}");
        assert!(
            html.contains(
                "<span class=\"dz-pagination-gap\" aria-hidden=\"true\">…</span><button class=\"dz-pagination-page\" name=\"page\""
            ),
            "{html}"
        );
    }

    #[test]
    fn the_last_page_has_no_next() {
        let html = pagination(3, 41).footer_html().expect("a footer");
        assert!(html.contains(r#"disabled aria-label="Next page""#), "{html}");
        assert!(!html.contains(r#"disabled aria-label="Previous page""#), "{html}");
    }
}
