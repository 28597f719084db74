//! Templates that the application replaces.

use super::{FormPage, ListPage, ListRows, ViewPage};

/// Custom templates of the application; `None` uses the template of the runtime.
///
/// Each function renders an askama template with the documented page data.
#[derive(Debug, Clone, Copy)]
pub struct Templates {
    /// `templates/<surface>.html` of a list.
    pub list: Option<fn(&ListPage) -> askama::Result<String>>,
    /// `templates/<surface>.rows.html` of a list.
    pub rows: Option<fn(&ListRows) -> askama::Result<String>>,
    /// `templates/<surface>.html` of a view.
    pub view: Option<fn(&ViewPage) -> askama::Result<String>>,
    /// `templates/<surface>.html` of a create or edit form.
    pub form: Option<fn(&FormPage) -> askama::Result<String>>,
}

impl Templates {
    /// The templates of the runtime.
    pub const DEFAULT: Templates = Templates { list: None, rows: None, view: None, form: None };
}
