//! The data that templates show. An application may put templates of its own over it: every value
//! arrives already filtered by the caller's rights.

mod bulk;
mod cell;
mod custom;
mod icon;
mod primary_button;
mod region;
mod toolbar;

pub use bulk::{BulkBar, BulkPage, ConfirmPage, ImportPage, Refused};
pub use cell::{Cell, Shape};
pub use custom::Templates;
use dz_vocabulary::RelatedDisplay;
pub use icon::Icon;
pub(crate) use icon::{ICONS, asset_address};
pub use primary_button::PrimaryButton;
pub use region::Region;
pub use toolbar::{Choice, FilterControl, FilterInput, Toolbar};

/// A link or button.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Where it leads.
    pub href: String,
    /// What it says.
    pub label: String,
}

impl Link {
    /// A link to `href` that says `label`.
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
    /// The region that the rows stand in.
    pub region: Region,
    /// Path of the page, without a query.
    pub path: String,
    /// The button that stands out because the declaration says so for the caller.
    pub primary: Option<PrimaryButton>,
    /// The way to the form for a new row, where the caller may make one and it does not stand out anyway.
    pub create: Option<Link>,
    /// All rows of the list, as CSV.
    pub export: Option<Link>,
    /// The way to the page that takes rows from CSV, where the caller may store any.
    pub import: Option<Link>,
    /// What can be done with selected rows.
    pub bulk: Option<BulkBar>,
    /// A sentence about what has just happened.
    pub notice: Option<&'static str>,
    /// Figures over the rows of all pages.
    pub metrics: Vec<Metric>,
    /// Search and filters, if the list has any.
    pub toolbar: Option<Toolbar>,
    /// What the table shows, for those who cannot see it.
    pub caption: String,
    /// The rows.
    pub rows: ListRows,
    /// The rows as HTML, by the surface's own template.
    pub rows_html: String,
    /// The footer in its place, as HTML.
    pub footer_html: String,
}

/// A figure over the rows of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// What it is called.
    pub label: &'static str,
    /// What it comes to.
    pub text: String,
}

/// Data of a list's rows (`templates/<surface>.rows.html`). It does not know the ids of the place the
/// rows stand in, so that rows cannot repeat them.
#[derive(Debug)]
pub struct ListRows {
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, a cell per column.
    pub rows: Vec<RowLine>,
    /// True when some row can be changed or removed by the caller: the table has a column of menus.
    pub menus: bool,
    /// The form that selected rows belong to; `None` where rows cannot be selected.
    pub bulk: Option<String>,
    /// What stands there instead of rows.
    pub empty: Option<Empty>,
}

impl ListRows {
    /// Number of columns, those of the check boxes and menus included.
    pub fn width(&self) -> usize {
        self.columns.len() + usize::from(self.menus) + usize::from(self.bulk.is_some())
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its head.
    pub label: String,
    /// What its cells are to the row.
    pub role: Role,
    /// Right-aligned.
    pub numeric: bool,
    /// The link that sorts by it.
    pub sort: Option<Sort>,
}

/// What a cell is to its row, where rows are two lines high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What the row is called: first line, and the link to the row.
    Title,
    /// Its state: first line, at the end.
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

/// A sort link in a column's head.
#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    /// Sorts by the column, the other way round when it already does.
    pub href: String,
    /// How the list is sorted by it now: `ascending`, `descending`.
    pub now: Option<&'static str>,
}

/// A row of a table.
#[derive(Debug)]
pub struct RowLine {
    /// Id of its element: unique on the page, the same on every page.
    pub id: String,
    /// Its key, as forms send it.
    pub key: String,
    /// The states that it may be moved to, with commas between them.
    pub transitions: String,
    /// What it is called.
    pub label: String,
    /// The page of the row.
    pub href: Option<String>,
    /// A cell per column.
    pub cells: Vec<Cell>,
    /// The form that changes it.
    pub edit: Option<String>,
    /// The page that asks before it is removed.
    pub delete: Option<String>,
}

/// What stands in place of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Empty {
    /// Its picture.
    pub icon: Icon,
    /// What is so.
    pub title: String,
    /// What it means, or what will appear here.
    pub text: Option<String>,
    /// The way on.
    pub action: Option<Link>,
    /// True when the way on makes something, false when it only leads somewhere.
    pub creates: bool,
}

/// Buttons that move a row to another state.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionButtons {
    /// Where the form is sent.
    pub action: String,
    /// The token against forged requests.
    pub csrf: String,
    /// The version of the row that is shown.
    pub version: i64,
    /// The states to which the row can be moved now, each with what its button says.
    pub states: Vec<(&'static str, &'static str)>,
    /// The state that the row goes to on its way, as the first of them; never an exit that is open from everywhere.
    pub next: Option<&'static str>,
    /// Moves that cannot be taken now.
    pub closed: Vec<ClosedTransition>,
}

/// A move that cannot be taken now.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedTransition {
    /// What its button says.
    pub title: &'static str,
    /// What is missing.
    pub why: String,
    /// Where it can be filled in.
    pub href: Option<String>,
}

/// Buttons that do what the application's own Rust does with a row.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionButtons {
    /// Where the form is sent.
    pub action: String,
    /// The token against forged requests.
    pub csrf: String,
    /// The version of the row that is shown.
    pub version: i64,
    /// The actions, each with its title.
    pub names: Vec<(&'static str, String)>,
}

/// Data of a view page (`templates/<surface>.html` of a view).
#[derive(Debug)]
pub struct ViewPage {
    /// What the row is called.
    pub title: String,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// The way back to the list.
    pub crumbs: Vec<Link>,
    /// The button that stands out because the declaration says so for the caller.
    pub primary: Option<PrimaryButton>,
    /// The form that changes it, where the caller may and it does not stand out anyway.
    pub edit: Option<Link>,
    /// The page that asks before it is removed, where the caller may.
    pub delete: Option<Link>,
    /// The moves that the caller may take now.
    pub transitions: Option<TransitionButtons>,
    /// The actions of the application's own that the caller may take now.
    pub actions: Option<ActionButtons>,
    /// Why a move was refused.
    pub problem: Option<String>,
    /// A sentence about what has just happened.
    pub notice: Option<&'static str>,
    /// Its sections.
    pub sections: Vec<ViewSection>,
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
    /// What it shows.
    pub body: ViewBody,
}

/// What a section of a view shows.
#[derive(Debug)]
pub enum ViewBody {
    /// Fields of the row.
    Facts(Vec<Fact>),
    /// Rows that belong to it.
    Nested(Box<NestedTable>),
    /// Rows of several entities that belong to it.
    Related(Vec<NestedTable>),
}

/// A field and its value.
#[derive(Debug)]
pub struct Fact {
    /// Its label.
    pub label: &'static str,
    /// Its value.
    pub cell: Cell,
    /// Takes the whole width.
    pub wide: bool,
}

/// The rows that belong to the row of a view.
#[derive(Debug)]
pub struct NestedTable {
    /// The region that they stand in.
    pub region: Region,
    /// Title of the list.
    pub title: &'static str,
    /// How they are shown.
    pub display: RelatedDisplay,
    /// How many there are.
    pub total: u64,
    /// The way to the form for a new one, where the caller may make one.
    pub create: Option<Link>,
    /// The rows.
    pub rows: ListRows,
    /// The rows as HTML.
    pub rows_html: String,
    /// The footer in its place, as HTML; empty while one page holds all.
    pub footer_html: String,
}

/// Data of a create or edit form (`templates/<surface>.html` of a form).
#[derive(Debug)]
pub struct FormPage {
    /// Title of the page.
    pub title: String,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// The button that the declaration asks for beside the form.
    pub primary: Option<PrimaryButton>,
    /// The way back.
    pub crumbs: Vec<Link>,
    /// Where it is sent.
    pub action: String,
    /// Hidden fields: the form token, the version of the row.
    pub hidden: Vec<(&'static str, String)>,
    /// Hidden fields that tell later which controls were changed.
    pub was: Vec<(String, String)>,
    /// What is wrong as a whole.
    pub problem: Option<String>,
    /// What is wrong at which field, for the summary.
    pub errors: Vec<FieldError>,
    /// Fields that somebody else changed meanwhile.
    pub conflicts: Vec<Conflict>,
    /// Sections with their fields.
    pub sections: Vec<FormSection>,
    /// What the button says; nothing where nothing can be saved.
    pub submit: String,
    /// What the button for one more says, on forms for a new row.
    pub submit_and_new: Option<&'static str>,
    /// The way out.
    pub cancel: String,
}

/// What is wrong at a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldError {
    /// Id of its control.
    pub id: String,
    /// Its label.
    pub label: String,
    /// What is wrong.
    pub message: String,
}

/// A field with two values: the one that was typed, and the one that is stored now.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// Name of the field.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// What was typed.
    pub mine: Cell,
    /// What is stored.
    pub theirs: Cell,
}

/// A section of a form.
#[derive(Debug)]
pub struct FormSection {
    /// Unique on the page.
    pub id: String,
    /// Its title.
    pub title: Option<&'static str>,
    /// A sentence under the title.
    pub note: Option<&'static str>,
    /// Its fields.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Debug)]
pub struct FormField {
    /// Name of the parameter, and id of the control.
    pub name: String,
    /// Its label.
    pub label: String,
    /// Must be given.
    pub required: bool,
    /// Help under the control.
    pub help: Option<String>,
    /// What is wrong.
    pub error: Option<String>,
    /// Takes the whole width.
    pub wide: bool,
    /// Its control.
    pub control: Control,
}

impl FormField {
    /// Ids of what describes the control, for `aria-describedby`.
    pub fn described_by(&self) -> Option<String> {
        described_by(&self.name, self.error.is_some(), self.help.is_some())
    }
}

/// The value of `aria-describedby` for the control `name`: its error, then its help.
pub(crate) fn described_by(name: &str, has_error: bool, has_help: bool) -> Option<String> {
    match (has_error, has_help) {
        (false, false) => None,
        (true, false) => Some(format!("{name}-error")),
        (false, true) => Some(format!("{name}-help")),
        (true, true) => Some(format!("{name}-error {name}-help")),
    }
}

/// Controls of forms, by the type of the field.
#[derive(Debug)]
pub enum Control {
    /// One line.
    Input {
        /// `type`
        kind: &'static str,
        /// What stands in it.
        value: String,
        /// Most characters.
        max_length: Option<u32>,
        /// `step`, for numbers and times.
        step: Option<&'static str>,
        /// Right-aligned, with this keyboard.
        keyboard: Option<&'static str>,
        /// `autocomplete`
        autocomplete: &'static str,
        /// Suggested values.
        suggestions: Vec<&'static str>,
    },
    /// Several lines.
    Area {
        /// What stands in it.
        value: String,
        /// Machine text.
        code: bool,
    },
    /// One of a few.
    Select {
        /// The choices.
        choices: Vec<Choice>,
        /// What the empty choice says; `None` when there is no empty choice.
        blank: Option<&'static str>,
    },
    /// A number, and its currency.
    Amount {
        /// What stands in the number.
        value: String,
        /// Name of the parameter with the currency.
        currency: String,
        /// What the choice of the currency is called, for those who cannot see what it belongs to.
        label: &'static str,
        /// The currencies.
        choices: Vec<Choice>,
        /// What the empty choice says; `None` when there is no empty choice.
        blank: Option<&'static str>,
    },
    /// Yes or no.
    Check {
        /// Ticked.
        on: bool,
    },
    /// One of many, searched for.
    Pick {
        /// Key of what is chosen.
        value: String,
        /// What stands in the search field.
        shown: String,
        /// Where options come from.
        source: String,
        /// What was found, where no script searches.
        found: Vec<Choice>,
    },
    /// A file to be sent.
    File {
        /// The identifier of the one that is there.
        value: String,
        /// The one that is there, or that waits to be saved with the form.
        shown: Option<Cell>,
        /// Bytes at most, where the field says so.
        limit: Option<u64>,
    },
    /// Shown, not written.
    Fixed {
        /// The value.
        cell: Cell,
    },
}
