//! Forms and their controls, for templates.

use chrono::{NaiveDate, NaiveDateTime};

use super::{Cell, Choice, Link, PrimaryButton};

/// Data of a create or edit form (`templates/<surface>.html` of a form).
#[derive(Debug)]
pub struct FormPage {
    /// Title of the page.
    pub title: String,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// A message above the form: what was saved before, or what follows.
    pub notice: Option<String>,
    /// The primary button that the declaration defines.
    pub primary: Option<PrimaryButton>,
    /// The breadcrumbs.
    pub crumbs: Vec<Link>,
    /// The target of the form.
    pub action: String,
    /// Hidden fields: the form token, the version of the row.
    pub hidden: Vec<(&'static str, String)>,
    /// The original values, as hidden fields, to detect changed controls.
    pub was: Vec<(String, String)>,
    /// An error of the whole form.
    pub problem: Option<String>,
    /// The errors of the fields, for the summary.
    pub errors: Vec<FieldError>,
    /// Fields that another user changed in the meantime.
    pub conflicts: Vec<Conflict>,
    /// Sections with their fields.
    pub sections: Vec<FormSection>,
    /// Buttons that open other surfaces.
    pub links: Vec<PrimaryButton>,
    /// The names of the fields on which conditions of other fields depend, separated by commas.
    pub controls: String,
    /// The text of the submit button; empty if nothing can be saved.
    pub submit: String,
    /// The value of the parameter `event` of the submit button, in a step of an experience.
    pub submit_event: Option<&'static str>,
    /// Further submit buttons: the value of the parameter `dz.then`, and the text.
    pub submits: Vec<(String, &'static str)>,
    /// The text of the button "save and create another", on forms for a new row. Its name is `dz.then`, and its value `new`.
    pub submit_and_new: Option<&'static str>,
    /// In the form of a new row for a reference of another form: the text of the button that returns to that form without saving. Its name
    /// is `dz.then` and its value `back`.
    pub back: Option<&'static str>,
    /// The address of the cancel link; empty without one.
    pub cancel: String,
}

/// The error of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldError {
    /// Id of its control.
    pub id: String,
    /// Its label.
    pub label: String,
    /// The error message.
    pub message: String,
}

/// A field with a conflict: the submitted value and the stored one.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// Name of the field.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// The submitted value.
    pub mine: Cell,
    /// The stored value.
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
    /// Rows of another entity, which are saved with the row of the form.
    pub rows: Option<FormRows>,
}

impl FormSection {
    /// True if the caller can add rows of another entity.
    pub(crate) fn may_add(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| rows.add.is_some())
    }

    /// True if a field of the section, or of a row in it, is a file.
    pub fn has_files(&self) -> bool {
        let rows = self.rows.iter().flat_map(|of| &of.rows).flat_map(|row| &row.fields);
        self.fields.iter().chain(rows).any(|field| matches!(field.control, Control::File { .. }))
    }
}

/// Rows of another entity in a form.
#[derive(Debug)]
pub struct FormRows {
    /// The value of the button that adds a row, and the id of the element of the rows.
    pub name: String,
    /// The rows.
    pub rows: Vec<FormRow>,
    /// The text of the button that adds a row; `None` if the caller cannot create rows.
    pub add: Option<String>,
    /// A sentence below the rows.
    pub note: Option<String>,
}

/// A row of another entity in a form.
#[derive(Debug)]
pub struct FormRow {
    /// Its title.
    pub title: String,
    /// Its key, its version and its values when the form was shown, as hidden fields.
    pub hidden: Vec<(String, String)>,
    /// An error of the whole row.
    pub problem: Option<String>,
    /// Its fields.
    pub fields: Vec<FormField>,
    /// The parameter that removes the row; `None` if the caller cannot delete it.
    pub remove: Option<String>,
    /// True if the row is removed.
    pub removed: bool,
}

/// A field of a form.
#[derive(Debug)]
pub struct FormField {
    /// Name of the parameter, and id of the control.
    pub name: String,
    /// Its label.
    pub label: String,
    /// True if a value is required.
    pub required: bool,
    /// Help under the control.
    pub help: Option<String>,
    /// The error message.
    pub error: Option<String>,
    /// True for the full width.
    pub wide: bool,
    /// True if a declared condition decides whether the form has the field.
    pub conditional: bool,
    /// The text of the button that creates a row for the reference; `None` if the caller cannot. Its name is `dz.new`, and its value is the
    /// name of the parameter.
    pub create: Option<String>,
    /// True if the control has the focus when the page opens.
    pub focused: bool,
    /// Its control.
    pub control: Control,
}

impl FormField {
    /// The ids of the elements that describe the control, for `aria-describedby`.
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

/// True if one of some choices is selected.
pub(crate) fn is_any_chosen(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| choice.chosen)
}

/// The ends of the slider of a number: 0 and 100, or so far that the slider shows the number in its middle.
pub(crate) fn slider_ends(value: &str) -> (i64, i64) {
    let number = value.parse::<f64>().unwrap_or(0.0);
    // A slider over more than nine digits cannot be set to a number.
    let most = (2.0 * number.abs()).min(1e9);
    let beyond = 10_f64.powf(most.max(1.0).log10().ceil()).max(100.0) as i64;
    match number {
        number if number < 0.0 => (-beyond, 100),
        number if number > 100.0 => (0, beyond),
        _ => (0, 100),
    }
}

/// The `type` of an input. A control for dates or numbers drops every other text, so that such a text is shown in a control for texts
/// until the user corrects it.
pub(crate) fn input_type(kind: &'static str, value: &str) -> &'static str {
    let is_shown = match kind {
        "date" => NaiveDate::parse_from_str(value, "%Y-%m-%d").is_ok() && value.len() == "2026-03-12".len(),
        // At most milliseconds.
        "datetime-local" => {
            let forms = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S%.f"];
            value.len() <= "2026-03-12T09:30:15.123".len() && forms.iter().any(|form| NaiveDateTime::parse_from_str(value, form).is_ok())
        }
        "url" => url::Url::parse(value).is_ok(),
        "number" => value.parse::<f64>().is_ok_and(f64::is_finite) && !value.starts_with('+') && !value.ends_with('.'),
        _ => true,
    };
    if value.is_empty() || is_shown { kind } else { "text" }
}

/// True for a colour that a palette can show.
pub(crate) fn is_color(value: &str) -> bool {
    value.strip_prefix('#').is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// Controls of forms, by the type of the field.
#[derive(Debug)]
pub enum Control {
    /// One line.
    Input {
        /// `type`
        kind: &'static str,
        /// The current value.
        value: String,
        /// The maximum number of characters.
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
        /// The current value.
        value: String,
        /// True for text in a fixed-width font.
        code: bool,
    },
    /// One of a few.
    Select {
        /// The choices.
        choices: Vec<Choice>,
        /// The text of the empty choice; `None` without an empty choice.
        blank: Option<&'static str>,
    },
    /// A number with its currency.
    Amount {
        /// The number.
        value: String,
        /// Name of the parameter with the currency.
        currency: String,
        /// The label of the currency control, for screen readers.
        label: &'static str,
        /// The currencies.
        choices: Vec<Choice>,
        /// The text of the empty choice; `None` without an empty choice.
        blank: Option<&'static str>,
    },
    /// All choices at once.
    Radio {
        /// The choices.
        choices: Vec<Choice>,
        /// The text of the empty choice; `None` without an empty choice.
        blank: Option<&'static str>,
    },
    /// A number with a slider.
    Range {
        /// The number.
        value: String,
        /// `step`
        step: &'static str,
    },
    /// A colour as `#rrggbb`, with a palette.
    Color {
        /// The colour.
        value: String,
        /// The maximum number of characters.
        max_length: Option<u32>,
    },
    /// Yes or no.
    Check {
        /// Ticked.
        on: bool,
        /// True for a switch, false for a check box.
        switch: bool,
    },
    /// One of many, chosen by a search.
    Pick {
        /// The key of the selected row.
        value: String,
        /// The text of the search field.
        shown: String,
        /// The address of the options.
        source: String,
        /// The search results, without JavaScript.
        found: Vec<Choice>,
    },
    /// A file upload.
    File {
        /// The id of the current file.
        value: String,
        /// The current file, or an upload that is saved with the form.
        shown: Option<Cell>,
        /// The maximum size in bytes, if the field has one.
        limit: Option<u64>,
    },
    /// A read-only value.
    Fixed {
        /// The value.
        cell: Cell,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_of_a_type_shows_only_texts_of_that_type() {
        for (kind, value) in [
            ("date", "2026-03-12"),
            ("datetime-local", "2026-03-12T09:30"),
            ("datetime-local", "2026-03-12T09:30:15.25"),
            ("number", "-12.5"),
            ("email", "junk"),
            ("url", "https://example.com/a"),
            ("date", ""),
        ] {
            assert_eq!(input_type(kind, value), kind, "{value}");
        }
        for (kind, value) in [
            ("date", "12 March"),
            ("date", "2026-3-12"),
            ("date", "2026-02-30"),
            ("datetime-local", "2026-03-12"),
            ("datetime-local", "2026-03-12T09:30:15.123456"),
            ("url", "example"),
            ("number", "twelve"),
            ("number", "NaN"),
            ("number", "12,5"),
        ] {
            assert_eq!(input_type(kind, value), "text", "{value}");
        }
        assert_eq!(["#2f6fdd", "#2F6FDD", "red", "#12345", "2f6fdd"].map(is_color), [true, true, false, false, false]);
    }

    #[test]
    fn a_slider_contains_its_number() {
        let ends = ["", "abc", "40", "420", "-5", "1e300", "NaN"].map(slider_ends);
        assert_eq!(ends, [(0, 100), (0, 100), (0, 100), (0, 1_000), (-100, 100), (0, 1_000_000_000), (0, 100)]);
    }
}
