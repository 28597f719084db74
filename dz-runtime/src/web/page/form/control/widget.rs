//! Declared controls, which differ from those of the type.

use super::ControlSpec;
use crate::{
    def::{FieldDef, Widget},
    template::{Cell, Choice, Control},
};

/// The control of a widget; `None` for one that changes the control of the type ([`adapt`]).
pub(super) fn build(of: &ControlSpec, text: &str) -> Option<Control> {
    let field = of.field;
    let input = |kind, step| Control::Input {
        kind,
        value: text.to_owned(),
        max_length: field.kind.max_length(),
        step,
        keyboard: None,
        autocomplete: "off",
        suggestions: Vec::new(),
    };
    Some(match of.widget? {
        // An input of one line would drop the line breaks of a stored text.
        Widget::Text if text.contains('\n') => return None,
        Widget::Text => input("text", None),
        Widget::Textarea | Widget::Markdown => Control::Area { value: text.to_owned(), code: field.kind.is_json() },
        Widget::Phone => input("tel", None),
        Widget::Color => Control::Color { value: text.to_owned(), max_length: field.kind.max_length() },
        Widget::Number => input("number", Some(step(field))),
        Widget::Range => Control::Range { value: text.to_owned(), step: step(field) },
        Widget::Checkbox => Control::Check { on: text == "true", switch: false },
        Widget::Switch => Control::Check { on: text == "true", switch: true },
        Widget::Select | Widget::Radio if field.kind.is_bool() => Control::Select { choices: yes_or_no(text == "true"), blank: None },
        Widget::Date if field.kind.is_time() && !field.kind.is_date() => input("date", None),
        Widget::Select | Widget::Radio | Widget::Picker | Widget::Date | Widget::Datetime => return None,
    })
}

/// The control of the type, in the form that the widget asks for.
pub(super) fn adapt(widget: Option<Widget>, control: Control) -> Control {
    if widget != Some(Widget::Radio) {
        return control;
    }
    if let Control::Select { choices, blank } = control { Control::Radio { choices, blank } } else { control }
}

/// The help of a widget.
pub(super) fn help(widget: Option<Widget>) -> Option<&'static str> {
    match widget? {
        Widget::Markdown => {
            Some(say!("dz-markdown-bold-italic-list-text-address", "Markdown: **bold**, *italic*, - list, [text](address)."))
        }
        Widget::Color => Some(say!("dz-for-example-2f6fdd", "For example #2f6fdd.")),
        Widget::Text
        | Widget::Textarea
        | Widget::Phone
        | Widget::Number
        | Widget::Range
        | Widget::Checkbox
        | Widget::Switch
        | Widget::Select
        | Widget::Radio
        | Widget::Picker
        | Widget::Date
        | Widget::Datetime => None,
    }
}

fn yes_or_no(now: bool) -> Vec<Choice> {
    let choice = |value: bool, label| Choice { value: value.to_string(), cell: Cell::text(label), chosen: value == now };
    vec![choice(true, say!("dz-yes", "Yes")), choice(false, say!("dz-no", "No"))]
}

/// The smallest difference between two numbers of the field.
fn step(field: &FieldDef) -> &'static str {
    const STEPS: [&str; 7] = ["1", "0.1", "0.01", "0.001", "0.0001", "0.00001", "0.000001"];
    if field.kind.is_int() {
        return "1";
    }
    field.kind.scale().and_then(|scale| STEPS.get(usize::from(scale)).copied()).unwrap_or("any")
}
