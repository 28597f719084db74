//! The data of templates, including those that an application replaces. Every value is already filtered by the rights of the
//! caller.

mod attention;
mod bulk;
mod cell;
mod component;
mod custom;
mod form;
mod icon;
mod metric;
mod primary_button;
mod region;
mod toolbar;
mod version;

pub use attention::{AttentionMark, LevelCount};
pub use bulk::{BulkBar, BulkPage, ConfirmPage, ImportPage, Refused};
pub use cell::{Cell, Shape};
pub use component::{Badge, Banner, Field, Table, Tone};
pub use custom::Templates;
use dz_vocabulary::RelatedDisplay;
pub use form::{Conflict, Control, FieldError, FormField, FormPage, FormRow, FormRows, FormSection};
pub(crate) use form::{described_by, input_type, is_any_chosen, is_color, slider_ends};
pub use icon::Icon;
pub(crate) use icon::{ICONS, asset_address};
pub use metric::Metric;
pub use primary_button::PrimaryButton;
pub use region::Region;
pub use toolbar::{Choice, FilterControl, FilterInput, FilterLink, Preset, SavedFilters, Toolbar};
pub use version::VERSION;

/// A link or button.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The target address.
    pub href: String,
    /// The text.
    pub label: String,
}

impl Link {
    /// A link to `href` with the text `label`.
    pub fn new(href: impl Into<String>, label: impl Into<String>) -> Link {
        Link { href: href.into(), label: label.into() }
    }
}

/// Data of a list page (`templates/<surface>.html` of a list).
#[derive(Debug)]
pub struct ListPage {
    /// Title of the page.
    pub title: &'static str,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// The region of the rows.
    pub region: Region,
    /// Path of the page, without a query.
    pub path: String,
    /// The primary button that the declaration defines for the caller.
    pub primary: Option<PrimaryButton>,
    /// The link to the form for a new row, if the caller may create one and it is not the primary button.
    pub create: Option<Link>,
    /// Buttons that open other surfaces.
    pub links: Vec<PrimaryButton>,
    /// The link to the CSV export of the whole list.
    pub export: Option<Link>,
    /// The link to the CSV import, if the caller may create or update rows.
    pub import: Option<Link>,
    /// The page that chooses the columns, for callers with an account.
    pub choose: Option<Link>,
    /// The bulk actions for selected rows.
    pub bulk: Option<BulkBar>,
    /// A sentence about the last action.
    pub notice: Option<&'static str>,
    /// Metrics over the rows of all pages.
    pub metrics: Vec<Metric>,
    /// Search and filters, if the list has any.
    pub toolbar: Option<Toolbar>,
    /// The number of rows of each level of attention.
    pub levels: Vec<LevelCount>,
    /// The caption of the table, for screen readers.
    pub caption: String,
    /// The rows.
    pub rows: ListRows,
    /// The rows as HTML, from the template of the surface.
    pub rows_html: String,
    /// The footer as HTML.
    pub footer_html: String,
}

/// Data of the rows of a list (`templates/<surface>.rows.html`). It has no ids of the surrounding region, so that rows cannot
/// repeat them.
#[derive(Debug)]
pub struct ListRows {
    /// Columns.
    pub columns: Vec<Column>,
    /// The rows, with one cell for each column.
    pub rows: Vec<RowLine>,
    /// True if the caller can edit or delete at least one row: the table then has a column of menus.
    pub menus: bool,
    /// The id of the form for selected rows; `None` if rows cannot be selected.
    pub bulk: Option<String>,
    /// The content in place of rows.
    pub empty: Option<Empty>,
}

impl ListRows {
    /// The number of columns, including check boxes and menus.
    pub fn width(&self) -> usize {
        self.columns.len() + usize::from(self.menus) + usize::from(self.bulk.is_some())
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The column header.
    pub label: String,
    /// The role of its cells in a row.
    pub role: Role,
    /// Right-aligned.
    pub numeric: bool,
    /// The link that sorts by this column.
    pub sort: Option<Sort>,
    /// The width that the user has chosen: `automatic`, `narrow`, `medium` or `wide`.
    pub width: &'static str,
}

/// The role of a cell, in layouts with two lines for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The label of the row: first line, with the link to the row.
    Title,
    /// The state: end of the first line.
    State,
    /// Second line.
    Detail,
}

impl Role {
    /// The value of `data-cell`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Title => "title",
            Role::State => "state",
            Role::Detail => "detail",
        }
    }
}

/// A sort link in a column header.
#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    /// Sorts by the column, or reverses the direction if the list is already sorted by it.
    pub href: String,
    /// Sorts by the column after the present columns, or reverses its direction; a click with the shift key follows it.
    pub further: String,
    /// The current direction: `ascending`, `descending`.
    pub now: Option<&'static str>,
    /// The place of the column among several sort keys, from 1.
    pub place: Option<usize>,
}

/// A row of a table.
#[derive(Debug)]
pub struct RowLine {
    /// The id of its element: unique on the page and stable between requests.
    pub id: String,
    /// The key, as forms send it.
    pub key: String,
    /// The target states of the possible transitions, separated by commas.
    pub transitions: String,
    /// The label.
    pub label: String,
    /// The address of the row's page.
    pub href: Option<String>,
    /// The most urgent signal of the row.
    pub attention: Option<AttentionMark>,
    /// One cell for each column.
    pub cells: Vec<Cell>,
    /// Buttons that open other surfaces for the row.
    pub links: Vec<PrimaryButton>,
    /// The address of the edit form.
    pub edit: Option<String>,
    /// The address of the confirmation page for deletion.
    pub delete: Option<String>,
}

/// The content of an empty list.
#[derive(Debug, Clone, PartialEq)]
pub struct Empty {
    /// The icon.
    pub icon: Icon,
    /// The message.
    pub title: String,
    /// An explanation, or what will appear here.
    pub text: Option<String>,
    /// The next action.
    pub action: Option<Link>,
    /// True if the action creates something, false if it is only a link.
    pub creates: bool,
}

/// The buttons for transitions of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionButtons {
    /// The target of the form.
    pub action: String,
    /// The CSRF token.
    pub csrf: String,
    /// The version of the displayed row.
    pub version: i64,
    /// The target states of the transitions that are possible now, with the texts of the buttons.
    pub states: Vec<(&'static str, &'static str)>,
    /// The target state of the next regular step, if any; never an exit that several states have.
    pub next: Option<&'static str>,
    /// Transitions that are not possible now.
    pub closed: Vec<ClosedTransition>,
}

/// A transition that is not possible now.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedTransition {
    /// The text of the button.
    pub title: &'static str,
    /// The missing condition.
    pub why: String,
    /// The address of the form for the missing fields.
    pub href: Option<String>,
}

/// A step of the states of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The title of the state.
    pub title: &'static str,
    /// Its colour; grey for a state that the row has not reached.
    pub tone: &'static str,
    /// Its icon.
    pub icon: Option<Icon>,
    /// True for the current state.
    pub is_current: bool,
}

/// A record of the history of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryEntry {
    /// The name of the account.
    pub who: String,
    /// The initials of the account.
    pub mark: String,
    /// The colour of the initials.
    pub tone: &'static str,
    /// The action of the account.
    pub what: String,
    /// The time, as text.
    pub at: String,
    /// The time, in its machine-readable form.
    pub machine: String,
    /// The changed fields.
    pub changes: Vec<HistoryChange>,
}

/// The former and the new value of a field; `None` for no value.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryChange {
    /// The title of the field.
    pub label: &'static str,
    /// The former value.
    pub from: Option<String>,
    /// The new value.
    pub to: Option<String>,
}

/// The buttons for custom actions of the application.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionButtons {
    /// The target of the form.
    pub action: String,
    /// The CSRF token.
    pub csrf: String,
    /// The version of the displayed row.
    pub version: i64,
    /// The actions with their titles.
    pub names: Vec<(&'static str, String)>,
}

/// The rows beside a row in the list from which its page was opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    /// The address of the list, on the page with the row.
    pub list: String,
    /// The address of the row before it.
    pub previous: Option<String>,
    /// The address of the row after it.
    pub next: Option<String>,
}

/// Data of a view page (`templates/<surface>.html` of a view).
#[derive(Debug)]
pub struct ViewPage {
    /// The label of the row.
    pub title: String,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// The breadcrumbs to the list.
    pub crumbs: Vec<Link>,
    /// The rows before and after this one, if the page was opened from a list.
    pub neighbours: Option<Neighbours>,
    /// The primary button that the declaration defines for the caller.
    pub primary: Option<PrimaryButton>,
    /// The link to the edit form, if the caller may update the row and it is not the primary button.
    pub edit: Option<Link>,
    /// The link to the confirmation page for deletion, if the caller may delete the row.
    pub delete: Option<Link>,
    /// Buttons that open other surfaces.
    pub links: Vec<PrimaryButton>,
    /// The link to the graph around the row, if its entity has one.
    pub graph: Option<Link>,
    /// The states as steps; empty if the surface shows none.
    pub steps: Vec<Step>,
    /// The transitions that the caller may make.
    pub transitions: Option<TransitionButtons>,
    /// The custom actions that the caller may execute.
    pub actions: Option<ActionButtons>,
    /// The error of a refused transition.
    pub problem: Option<String>,
    /// A sentence about the last action.
    pub notice: Option<&'static str>,
    /// Its sections.
    pub sections: Vec<ViewSection>,
    /// The newest changes of the row, from the audit log.
    pub history: Vec<HistoryEntry>,
}

/// A section of a view.
#[derive(Debug)]
pub struct ViewSection {
    /// Unique on the page.
    pub id: String,
    /// Its title.
    pub title: Option<&'static str>,
    /// A sentence under the title.
    pub note: Option<&'static str>,
    /// The content.
    pub body: ViewBody,
}

/// The content of a section of a view.
#[derive(Debug)]
pub enum ViewBody {
    /// Fields of the row.
    Facts(Vec<Fact>),
    /// Child rows.
    Nested(Box<NestedTable>),
    /// Child rows of several entities.
    Related(Vec<NestedTable>),
}

/// A field with its value.
#[derive(Debug)]
pub struct Fact {
    /// Its label.
    pub label: &'static str,
    /// Its value.
    pub cell: Cell,
    /// True for the full width.
    pub wide: bool,
}

/// The child rows of the row of a view.
#[derive(Debug)]
pub struct NestedTable {
    /// The region of the rows.
    pub region: Region,
    /// Title of the list.
    pub title: &'static str,
    /// The display mode.
    pub display: RelatedDisplay,
    /// The total number of rows as text.
    pub total: String,
    /// The link to the form for a new row, if the caller may create one.
    pub create: Option<Link>,
    /// The rows.
    pub rows: ListRows,
    /// The rows as HTML.
    pub rows_html: String,
    /// The footer as HTML; empty if there is only one page.
    pub footer_html: String,
}
