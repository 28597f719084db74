//! Search and filters of a list, for templates.

use super::Cell;

/// Search and filters of a list.
#[derive(Debug)]
pub struct Toolbar {
    /// The current search text; `None` if the list has no search.
    pub search: Option<String>,
    /// The titles of the searched fields.
    pub search_in: String,
    /// Filters.
    pub filters: Vec<FilterControl>,
    /// Further parameters that the form preserves (sort order, page size).
    pub preserved: Vec<(String, String)>,
    /// The link that clears search and filters, if one is set.
    pub clear: Option<String>,
    /// The saved filters; `None` for a caller without an account.
    pub saved: Option<SavedFilters>,
}

/// The menu of saved filters.
#[derive(Debug)]
pub struct SavedFilters {
    /// Unique on the page.
    pub id: String,
    /// The address of the forms.
    pub action: String,
    /// The form token.
    pub csrf: String,
    /// The roles with which the caller can share a filter.
    pub roles: Vec<Choice>,
    /// The parameters of the current filter; `None` if none is set.
    pub query: Option<String>,
    /// The filters.
    pub filters: Vec<FilterLink>,
}

/// A saved filter.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLink {
    /// Identifies it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The address of the list with it.
    pub href: String,
    /// The title of the role that also sees it.
    pub shared_with: Option<String>,
    /// True for a filter that the caller can delete.
    pub is_own: bool,
    /// True if it is set.
    pub current: bool,
}

/// The button of a filter with its controls.
#[derive(Debug)]
pub struct FilterControl {
    /// Unique on the page.
    pub id: String,
    /// The label.
    pub label: String,
    /// The current value, displayed in the button.
    pub now: Option<String>,
    /// Its controls.
    pub control: FilterInput,
}

/// Controls of a filter, by the type of the field.
#[derive(Debug)]
pub enum FilterInput {
    /// Check boxes: any of several.
    Any {
        /// Name of the parameter.
        name: String,
        /// The choices.
        choices: Vec<Choice>,
    },
    /// Radio buttons: one of several, or no filter.
    One {
        /// Name of the parameter.
        name: String,
        /// The choices.
        choices: Vec<Choice>,
    },
    /// A choice among many rows, by a search.
    Pick {
        /// Name of the parameter.
        name: String,
        /// The key of the selected row.
        value: String,
        /// The label of the selected row.
        shown: String,
        /// The address of the options.
        source: String,
    },
    /// From and to.
    Range {
        /// Type of the inputs.
        kind: &'static str,
        /// Name of the lower bound.
        from_name: String,
        /// The current lower bound.
        from: String,
        /// Name of the upper bound.
        to_name: String,
        /// The current upper bound.
        to: String,
        /// Ranges to choose from; empty for numbers.
        presets: Vec<Preset>,
    },
    /// A single timestamp.
    Time {
        /// Name of the parameter.
        name: String,
        /// Type of the input.
        kind: &'static str,
        /// The current value.
        value: String,
    },
    /// Part of a text.
    Text {
        /// Name of the parameter.
        name: String,
        /// The current value.
        value: String,
    },
}

/// A range of dates to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    /// Its title.
    pub label: &'static str,
    /// The address of the list with this range.
    pub href: String,
    /// True if it is selected.
    pub current: bool,
}

/// One of several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The submitted value.
    pub value: String,
    /// The displayed value.
    pub cell: Cell,
    /// True if it is selected.
    pub chosen: bool,
}
