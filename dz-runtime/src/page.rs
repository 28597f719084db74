//! Pages: data for the templates, and the templates.

/// Data of a list page.
#[derive(Debug)]
pub struct ListPage {}
/// Data of a list's rows.
#[derive(Debug)]
pub struct ListRows {}
/// Data of a view page.
#[derive(Debug)]
pub struct ViewPage {}
/// Data of a form.
#[derive(Debug)]
pub struct FormPage {}
