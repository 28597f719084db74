//! The data of bulk actions, imports and confirmation pages.

use super::Link;

/// The bulk actions for selected rows.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkBar {
    /// The target of the form.
    pub action: String,
    /// The CSRF token.
    pub csrf: String,
    /// The query of the list, so that the response can return to it.
    pub query: String,
    /// The number of rows on all pages as text, if the list has several.
    pub total: Option<String>,
    /// True if rows can be deleted.
    pub delete: bool,
    /// The target states of possible transitions, with their titles.
    pub transitions: Vec<(&'static str, &'static str)>,
}

/// Data of the confirmation page before rows are deleted, and of the result page with the rows that could not be deleted.
#[derive(Debug)]
pub struct BulkPage {
    /// The question, or the result.
    pub title: String,
    /// The consequences.
    pub text: String,
    /// The breadcrumbs.
    pub crumbs: Vec<Link>,
    /// The labels of the first rows.
    pub labels: Vec<String>,
    /// The number of further rows.
    pub more: usize,
    /// The target of the form; `None` without a question.
    pub action: Option<String>,
    /// The hidden fields.
    pub hidden: Vec<(&'static str, String)>,
    /// The text of the submit button.
    pub submit: String,
    /// The rows for which the action was refused.
    pub refused: Vec<Refused>,
    /// The address of the list.
    pub back: String,
}

/// A row for which an action was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The label.
    pub label: String,
    /// The address of its page.
    pub href: Option<String>,
    /// The reason.
    pub why: String,
}

/// Data of the page for a CSV import.
#[derive(Debug)]
pub struct ImportPage {
    /// Title of the page.
    pub title: String,
    /// The breadcrumbs.
    pub crumbs: Vec<Link>,
    /// The target of the form.
    pub action: String,
    /// The CSRF token.
    pub csrf: String,
    /// The possible columns of the file.
    pub columns: Vec<String>,
    /// An error of the whole file.
    pub problem: Option<String>,
    /// The errors of each row, with its number.
    pub rows: Vec<(u64, Vec<String>)>,
    /// The text of the submit button.
    pub submit: String,
    /// The address of the cancel link.
    pub cancel: String,
}

/// Data of the confirmation page before a row is deleted.
#[derive(Debug)]
pub struct ConfirmPage {
    /// The question.
    pub title: String,
    /// The consequences.
    pub text: String,
    /// The breadcrumbs.
    pub crumbs: Vec<Link>,
    /// The target of the form.
    pub action: String,
    /// The CSRF token.
    pub csrf: String,
    /// The version of the row.
    pub version: i64,
    /// The text of the submit button.
    pub submit: String,
    /// The address of the cancel link.
    pub cancel: String,
    /// The error of a refused deletion.
    pub problem: Option<String>,
}
