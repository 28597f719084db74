//! Search and filters, as templates show them.

use super::Cell;

/// Search and filters of a list.
#[derive(Debug)]
pub struct Toolbar {
    /// What is searched for now; `None` when the list has no search.
    pub search: Option<String>,
    /// Names of the fields that are searched.
    pub search_in: String,
    /// Filters.
    pub filters: Vec<FilterControl>,
    /// What travels with the form besides its own controls (sort, size of a page).
    pub preserved: Vec<(String, String)>,
    /// Clears search and filters, when any is set.
    pub clear: Option<String>,
}

/// A filter's button, and the controls behind it.
#[derive(Debug)]
pub struct FilterControl {
    /// Unique on the page.
    pub id: String,
    /// Its name.
    pub label: String,
    /// Its value now, shown in the button.
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
    /// A searchable choice among many rows.
    Pick {
        /// Name of the parameter.
        name: String,
        /// Key and label of what is chosen now.
        value: String,
        /// Label of what is chosen now.
        shown: String,
        /// Where options come from.
        source: String,
    },
    /// From and to.
    Range {
        /// Type of the inputs.
        kind: &'static str,
        /// Name of the lower bound.
        from_name: String,
        /// The lower bound now.
        from: String,
        /// Name of the upper bound.
        to_name: String,
        /// The upper bound now.
        to: String,
    },
    /// One time.
    Time {
        /// Name of the parameter.
        name: String,
        /// Type of the input.
        kind: &'static str,
        /// The time now.
        value: String,
    },
    /// Part of a text.
    Text {
        /// Name of the parameter.
        name: String,
        /// Its value now.
        value: String,
    },
}

/// One of several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub cell: Cell,
    /// Chosen now.
    pub chosen: bool,
}
