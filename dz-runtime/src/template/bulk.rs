//! The data of pages that ask or tell: before rows are removed, what can be done with selected ones, and files.

use super::Link;

/// What can be done with selected rows.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkBar {
    /// Where the form is sent.
    pub action: String,
    /// The form token.
    pub csrf: String,
    /// What the list is asked for, so that the way leads back to it.
    pub query: String,
    /// Rows can be removed.
    pub delete: bool,
    /// States that rows can be moved to, each with its title.
    pub transitions: Vec<(&'static str, &'static str)>,
}

/// Data of the page that asks before rows are removed, and of the one that tells which could not be.
#[derive(Debug)]
pub struct BulkPage {
    /// The question, or what was done.
    pub title: String,
    /// What follows from it.
    pub text: String,
    /// The way back.
    pub crumbs: Vec<Link>,
    /// What the first rows are called.
    pub labels: Vec<String>,
    /// How many rows there are besides.
    pub more: usize,
    /// Where the answer is sent; `None` when there is no question.
    pub action: Option<String>,
    /// What is sent with it.
    pub hidden: Vec<(&'static str, String)>,
    /// What the button says.
    pub submit: String,
    /// Rows for which it was refused.
    pub refused: Vec<Refused>,
    /// The list.
    pub back: String,
}

/// A row for which something was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// What it is called.
    pub label: String,
    /// Its page.
    pub href: Option<String>,
    /// Why.
    pub why: String,
}

/// Data of the page that takes rows from a file.
#[derive(Debug)]
pub struct ImportPage {
    /// Title of the page.
    pub title: String,
    /// The way back.
    pub crumbs: Vec<Link>,
    /// Where the file is sent.
    pub action: String,
    /// The form token.
    pub csrf: String,
    /// The fields that a file may hold.
    pub columns: Vec<String>,
    /// What is wrong as a whole.
    pub problem: Option<String>,
    /// What is wrong with which row.
    pub rows: Vec<(u64, Vec<String>)>,
    /// What the button says.
    pub submit: String,
    /// The way out.
    pub cancel: String,
}

/// Data of the page that asks before a row is removed.
#[derive(Debug)]
pub struct ConfirmPage {
    /// The question.
    pub title: String,
    /// What goes with it.
    pub text: String,
    /// The way back.
    pub crumbs: Vec<Link>,
    /// Where the answer is sent.
    pub action: String,
    /// The form token.
    pub csrf: String,
    /// The row's version.
    pub version: i64,
    /// What the button says.
    pub submit: String,
    /// The way out.
    pub cancel: String,
    /// Why it was refused.
    pub problem: Option<String>,
}
