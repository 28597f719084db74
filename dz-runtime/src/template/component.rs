//! Components for the pages of an application: in its template, `{{ table }}` is the markup of dz with escaped texts.

use std::fmt;

use askama::Template;
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use rust_decimal::Decimal;

use super::{Cell, Choice, Control, FormField, Icon, Shape};

/// The colours of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Without a meaning.
    Gray,
    /// In progress.
    Blue,
    /// Succeeded.
    Green,
    /// Needs attention.
    Amber,
    /// Failed.
    Red,
}

impl Tone {
    fn name(self) -> &'static str {
        match self {
            Tone::Gray => "gray",
            Tone::Blue => "blue",
            Tone::Green => "green",
            Tone::Amber => "amber",
            Tone::Red => "red",
        }
    }
}

/// A coloured label.
///
/// ```
/// use dz_runtime::page::{Badge, Tone};
/// assert_eq!(Badge::new("Late", Tone::Red).to_string(), r#"<span class="dz-badge" data-tone="red">Late</span>"#);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Badge(Cell);

impl Badge {
    /// A label with this text.
    pub fn new(text: impl Into<String>, tone: Tone) -> Badge {
        Badge(Cell { shape: Shape::Badge { tone: tone.name() }, text: text.into(), href: None })
    }
}

/// A sentence about the last action, above the content.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(path = "component_banner.html")]
pub struct Banner {
    text: String,
    is_error: bool,
}

impl Banner {
    /// The action succeeded.
    pub fn success(text: impl Into<String>) -> Banner {
        Banner { text: text.into(), is_error: false }
    }

    /// The action was refused.
    pub fn error(text: impl Into<String>) -> Banner {
        Banner { text: text.into(), is_error: true }
    }
}

/// A table. On a narrow screen each row is a block, which begins with the first cell.
///
/// ```
/// use dz_runtime::page::{Badge, Cell, Table, Tone};
/// let table = Table::new("Ships", ["Name", "Tons", "State"])
///     .row([Cell::link("Alma", "/app/ship_view/1"), 5_i64.into(), Badge::new("Late", Tone::Red).into()])
///     .empty("No ship is in the harbour");
/// assert!(table.to_string().contains("<th scope=\"col\">Tons</th>"));
/// ```
#[derive(Debug, Clone, PartialEq, Template)]
#[template(path = "component_table.html")]
pub struct Table {
    caption: String,
    columns: Vec<String>,
    /// The cells of each row, with the labels of their columns.
    rows: Vec<Vec<(String, Cell)>>,
    empty: String,
}

impl Table {
    /// A table without rows. The caption is for screen readers.
    pub fn new<C: Into<String>>(caption: impl Into<String>, columns: impl IntoIterator<Item = C>) -> Table {
        let columns = columns.into_iter().map(Into::into).collect();
        Table { caption: caption.into(), columns, rows: Vec::new(), empty: "Nothing here".to_owned() }
    }

    /// Adds a row, with one cell for each column.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Table {
        let labels = self.columns.iter().cloned().chain(std::iter::repeat(String::new()));
        self.rows.push(labels.zip(cells).collect());
        self
    }

    /// The sentence in place of rows.
    #[must_use]
    pub fn empty(self, text: impl Into<String>) -> Table {
        Table { empty: text.into(), ..self }
    }
}

/// A field of a form, with its label, help and error.
///
/// ```
/// use dz_runtime::page::Field;
/// let field = Field::text("name", "Name").value("Alma").max_length(40).help("As on the bow");
/// assert!(field.to_string().contains(r#"<label class="dz-label" for="name">Name"#));
/// ```
#[derive(Debug)]
pub struct Field(FormField);

#[derive(Template)]
#[template(path = "component_field.html")]
struct FieldHtml<'a> {
    field: &'a FormField,
}

impl Field {
    fn new(name: &str, label: &str, control: Control) -> Field {
        let wide = matches!(control, Control::Area { .. } | Control::Check { .. });
        let (name, label) = (name.to_owned(), label.to_owned());
        Field(FormField {
            name,
            label,
            required: true,
            help: None,
            error: None,
            wide,
            conditional: false,
            create: None,
            focused: false,
            control,
        })
    }

    fn input(name: &str, label: &str, kind: &'static str, keyboard: Option<&'static str>) -> Field {
        let control = Control::Input {
            kind,
            value: String::new(),
            max_length: None,
            step: None,
            keyboard,
            autocomplete: "off",
            suggestions: Vec::new(),
        };
        Field::new(name, label, control)
    }

    /// A line of text.
    pub fn text(name: &str, label: &str) -> Field {
        Field::input(name, label, "text", None)
    }

    /// A number.
    pub fn number(name: &str, label: &str) -> Field {
        Field::input(name, label, "text", Some("decimal"))
    }

    /// A date.
    pub fn date(name: &str, label: &str) -> Field {
        Field::input(name, label, "date", None)
    }

    /// Several lines of text.
    pub fn area(name: &str, label: &str) -> Field {
        Field::new(name, label, Control::Area { value: String::new(), code: false })
    }

    /// Yes or no; the form sends `true` or nothing.
    pub fn check(name: &str, label: &str) -> Field {
        Field::new(name, label, Control::Check { on: false, switch: false })
    }

    /// One of some values, each with its text.
    pub fn select<V: Into<String>, T: Into<String>>(name: &str, label: &str, choices: impl IntoIterator<Item = (V, T)>) -> Field {
        let choice = |(value, text): (V, T)| Choice { value: value.into(), cell: Cell::text(text), chosen: false };
        Field::new(name, label, Control::Select { choices: choices.into_iter().map(choice).collect(), blank: None })
    }

    /// The value in the control; for a check box `true`.
    #[must_use]
    pub fn value(mut self, text: impl Into<String>) -> Field {
        let text = text.into();
        match &mut self.0.control {
            Control::Check { on, .. } => *on = text == "true",
            Control::Select { choices, .. } => choices.iter_mut().for_each(|choice| choice.chosen = choice.value == text),
            Control::Input { value, .. } | Control::Area { value, .. } => *value = text,
            // No constructor builds another control.
            Control::Amount { .. }
            | Control::Radio { .. }
            | Control::Range { .. }
            | Control::Color { .. }
            | Control::Pick { .. }
            | Control::File { .. }
            | Control::Fixed { .. } => {}
        }
        self
    }

    /// The form can be sent without a value.
    #[must_use]
    pub fn optional(mut self) -> Field {
        self.0.required = false;
        if let Control::Select { blank, .. } = &mut self.0.control {
            *blank = Some("None");
        }
        self
    }

    /// The maximum number of characters of a line.
    #[must_use]
    pub fn max_length(mut self, characters: u32) -> Field {
        if let Control::Input { max_length, .. } = &mut self.0.control {
            *max_length = Some(characters);
        }
        self
    }

    /// Help under the control.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Field {
        self.0.help = Some(text.into());
        self
    }

    /// The error of the value, if there is one.
    #[must_use]
    pub fn error(mut self, text: Option<impl Into<String>>) -> Field {
        self.0.error = text.map(Into::into);
        self
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FieldHtml { field: &self.0 }.render_into(f).map_err(|_| fmt::Error)
    }
}

impl fmt::Display for Badge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl askama::filters::HtmlSafe for Field {}
impl askama::filters::HtmlSafe for Badge {}
impl askama::filters::HtmlSafe for Banner {}
impl askama::filters::HtmlSafe for Table {}

impl Cell {
    /// A link inside the application.
    pub fn link(text: impl Into<String>, href: impl Into<String>) -> Cell {
        Cell { href: Some(href.into()), ..Cell::text(text) }
    }
}

impl From<Badge> for Cell {
    fn from(badge: Badge) -> Cell {
        badge.0
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::text(text)
    }
}

impl From<bool> for Cell {
    fn from(on: bool) -> Cell {
        Cell { shape: Shape::Bool(on), text: if on { "Yes" } else { "No" }.to_owned(), href: None }
    }
}

impl From<NaiveDate> for Cell {
    fn from(day: NaiveDate) -> Cell {
        Cell { shape: Shape::Time(day.to_string()), text: day.format("%-d %b %Y").to_string(), href: None }
    }
}

impl From<DateTime<Utc>> for Cell {
    fn from(time: DateTime<Utc>) -> Cell {
        Cell {
            shape: Shape::Time(time.to_rfc3339_opts(SecondsFormat::Secs, false)),
            text: time.format("%-d %b %Y %H:%M UTC").to_string(),
            href: None,
        }
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Cell {
            fn from(number: $number) -> Cell {
                Cell { shape: Shape::Number, text: number.to_string(), href: None }
            }
        }
    )*};
}

numbers! { i64 u64 f64 Decimal }

impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(value: Option<C>) -> Cell {
        value.map_or_else(|| Cell::empty("No value"), Into::into)
    }
}
