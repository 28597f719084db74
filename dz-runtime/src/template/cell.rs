//! A value as a page shows it.

use std::fmt;

use askama::Template;

use super::Icon;

/// A value, ready to be shown. Printed in a template it becomes its whole markup, escaped.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// What kind of value it is.
    pub shape: Shape,
    /// Its text.
    pub text: String,
    /// Where it leads.
    pub href: Option<String>,
}

/// Kinds of shown values.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// No value; the text says why, for those who cannot see the dash.
    Empty,
    /// A line of text.
    Text,
    /// Long text, with its line breaks.
    Prose,
    /// Right-aligned, tabular.
    Number,
    /// Yes or no.
    Bool(bool),
    /// A day or moment; the attribute holds its machine form.
    Time(String),
    /// A value of an enumeration.
    Choice {
        /// Its colour.
        tone: &'static str,
        /// Its icon; without one a coloured square stands before it.
        icon: Option<Icon>,
        /// Shown as over and done with.
        dropped: bool,
    },
    /// Another row.
    Ref {
        /// Colour of its mark.
        tone: &'static str,
        /// Initials.
        mark: String,
        /// A person rather than a thing.
        person: bool,
    },
    /// A stored file.
    File {
        /// How large it is.
        size: String,
        /// It is a picture, and is shown as one.
        pictured: bool,
    },
    /// A web address or a mail address.
    Link,
    /// Machine text.
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
    /// No value, and why.
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

    /// True where there is no value.
    pub fn is_empty(&self) -> bool {
        self.shape == Shape::Empty
    }

    /// True for values that say nothing without the name of their field.
    pub fn needs_label(&self) -> bool {
        matches!(self.shape, Shape::Number | Shape::Bool(_))
    }

    /// True for long text.
    pub fn is_prose(&self) -> bool {
        self.shape == Shape::Prose
    }
}
