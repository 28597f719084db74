//! Values as pages display them.

use std::fmt;

use askama::Template;

use super::Icon;

/// A value for display. In a template it is rendered as escaped markup.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The kind of the value.
    pub shape: Shape,
    /// Its text.
    pub text: String,
    /// The target of the link.
    pub href: Option<String>,
}

/// The kinds of values.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// No value; the text contains the reason, for screen readers.
    Empty,
    /// A line of text.
    Text,
    /// Long text, with its line breaks.
    Prose,
    /// Right-aligned, tabular.
    Number,
    /// Yes or no.
    Bool(bool),
    /// A date or timestamp, with its machine-readable form.
    Time(String),
    /// The distance of a date or timestamp from now, with its machine-readable form and its exact text.
    Relative {
        /// The machine-readable form.
        machine: String,
        /// The date or timestamp.
        exact: String,
    },
    /// A coloured label.
    Badge {
        /// Its colour.
        tone: &'static str,
    },
    /// A value of an enumeration.
    Choice {
        /// Its colour.
        tone: &'static str,
        /// The icon; without one, a coloured square.
        icon: Option<Icon>,
        /// True for a value that is displayed as completed.
        dropped: bool,
    },
    /// Another row.
    Ref {
        /// The colour of its tile.
        tone: &'static str,
        /// The letters of its tile.
        mark: String,
        /// True for a person.
        person: bool,
    },
    /// A stored file.
    File {
        /// The size, as text.
        size: String,
        /// True for an image that is displayed.
        pictured: bool,
    },
    /// A web address or a mail address.
    Link,
    /// Text in a fixed-width font.
    Code,
}

#[derive(Template)]
#[template(path = "cell.html")]
struct CellHtml<'a> {
    cell: &'a Cell,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CellHtml { cell: self }.render_into(f).map_err(|_| fmt::Error)
    }
}

impl askama::filters::HtmlSafe for Cell {}

impl Cell {
    /// An empty cell with its reason.
    pub fn empty(why: impl Into<String>) -> Cell {
        Cell { shape: Shape::Empty, text: why.into(), href: None }
    }

    /// Plain text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { shape: Shape::Text, text: text.into(), href: None }
    }

    /// True for right-aligned values.
    pub fn is_number(&self) -> bool {
        self.shape == Shape::Number
    }

    /// True without a value.
    pub fn is_empty(&self) -> bool {
        self.shape == Shape::Empty
    }

    /// True for values that need the label of their field.
    pub fn needs_label(&self) -> bool {
        let is_answer = || self.text == say!("dz-yes", "Yes") || self.text == say!("dz-no", "No");
        matches!(self.shape, Shape::Number | Shape::Bool(_)) || self.shape == Shape::Text && is_answer()
    }

    /// True for long text.
    pub fn is_prose(&self) -> bool {
        self.shape == Shape::Prose
    }
}
