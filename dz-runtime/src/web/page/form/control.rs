//! Controls of forms: the control of each field, and its content.

mod widget;

use crate::{
    Result, Tx, Value,
    def::{AppDef, ColumnDef, FieldDef, FieldIx, Kind, Widget},
    field::{
        File,
        currency::{self, amount_text},
    },
    files,
    rows::{self, Row},
    web::page::{Cell, Choice, Control, FormField, columns, form::picker},
};

/// The texts in the controls of a form, by field.
pub(crate) type TypedTexts = std::collections::BTreeMap<String, String>;

/// A field with a control.
#[derive(Clone, Copy)]
pub(crate) struct WritableField {
    /// The field line; for a currency, that of its amount.
    pub column: &'static ColumnDef,
    pub at: FieldIx,
    pub field: &'static FieldDef,
}

impl WritableField {
    /// True for a timestamp of which the form has only the date.
    pub fn is_day_of_time(&self) -> bool {
        self.column.widget == Some(Widget::Date) && self.field.kind.is_time() && !self.field.kind.is_date()
    }

    /// The text of a value in the control of the field.
    pub fn text(&self, whole: String) -> String {
        if self.is_day_of_time() { whole.chars().take("2026-03-12".len()).collect() } else { whole }
    }

    /// The field with the currency of this amount, which the same field line writes.
    pub fn currency_field(&self, app: &'static AppDef, at: FieldIx) -> WritableField {
        WritableField { at, field: self.column.path.origin(app).field(at), ..*self }
    }
}

/// A field, and the name of its control.
pub(crate) struct ControlSpec {
    pub name: String,
    pub label: &'static str,
    pub help: Option<&'static str>,
    pub field: &'static FieldDef,
    /// The declared control.
    pub widget: Option<Widget>,
    /// True if a declared condition decides whether the form has the field.
    pub conditional: bool,
    /// The field with the currency of this amount, and the name of its control.
    pub currency: Option<(&'static FieldDef, String)>,
    /// True if the only possible row of a required reference is selected.
    pub selects_only: bool,
}

/// Builds a field of a surface with its control.
pub(crate) fn build_surface_field(
    tx: &mut Tx<'_>,
    of: WritableField,
    typed: &TypedTexts,
    error: Option<&String>,
    searched: bool,
) -> Result<FormField> {
    let currency = of.field.currency_in.map(|at| of.currency_field(tx.app, at).field);
    let asked = ControlSpec {
        name: of.field.name.to_owned(),
        label: of.column.label,
        help: of.column.help,
        field: of.field,
        widget: of.column.widget,
        conditional: of.column.when.is_some(),
        currency: currency.map(|field| (field, field.name.to_owned())),
        selects_only: true,
    };
    self::build_field(tx, &asked, typed, error.cloned(), searched)
}

/// Builds a field with its control.
pub(crate) fn build_field(
    tx: &mut Tx<'_>,
    of: &ControlSpec,
    typed: &TypedTexts,
    error: Option<String>,
    searched: bool,
) -> Result<FormField> {
    let text = typed.get(&of.name).map_or("", String::as_str);
    let control = match &of.currency {
        Some((currency, name)) => build_amount(text, currency, name, typed),
        None => match widget::build(of, text) {
            Some(control) => widget::adapt(of.widget, control),
            None => widget::adapt(of.widget, build_control(tx, of, text, typed, searched)?),
        },
    };
    Ok(FormField {
        name: of.name.clone(),
        label: of.label.to_owned(),
        required: of.field.required && !of.field.kind.is_bool(),
        help: of.help.or(widget::help(of.widget)).map(str::to_owned).or_else(|| help_text(of.field)),
        error,
        conditional: of.conditional,
        wide: matches!(control, Control::Area { .. } | Control::Check { .. }),
        create: None,
        focused: false,
        control,
    })
}

/// Builds a read-only field.
pub(crate) fn build_fixed_field(column: &'static ColumnDef, field: &'static FieldDef, cell: Cell) -> FormField {
    FormField {
        name: format!("shown-{}", field.name),
        label: column.label.to_owned(),
        required: true,
        help: column.help.map(str::to_owned),
        error: None,
        wide: false,
        conditional: false,
        create: None,
        focused: false,
        control: Control::Fixed { cell },
    }
}

fn build_control(tx: &mut Tx<'_>, of: &ControlSpec, text: &str, typed: &TypedTexts, searched: bool) -> Result<Control> {
    let field = of.field;
    let input = |kind, max_length| Control::Input {
        kind,
        value: text.to_owned(),
        max_length,
        step: None,
        keyboard: None,
        autocomplete: "off",
        suggestions: Vec::new(),
    };
    let number = |keyboard| Control::Input {
        kind: "text",
        value: text.to_owned(),
        max_length: None,
        step: None,
        keyboard: Some(keyboard),
        autocomplete: "off",
        suggestions: Vec::new(),
    };
    Ok(match field.kind {
        Kind::Str(length) if length > 300 => Control::Area { value: text.to_owned(), code: false },
        Kind::Str(length) => input("text", Some(length)),
        Kind::Text => Control::Area { value: text.to_owned(), code: false },
        Kind::Json => Control::Area { value: text.to_owned(), code: true },
        Kind::Int => number("numeric"),
        Kind::Float | Kind::Decimal { .. } => number("decimal"),
        Kind::Bool => Control::Check { on: text == "true", switch: false },
        Kind::Date => input("date", None),
        Kind::DateTime => Control::Input {
            kind: "datetime-local",
            value: text.to_owned(),
            max_length: None,
            step: (text.len() > "2026-03-12T09:30".len()).then_some("any"),
            keyboard: None,
            autocomplete: "off",
            suggestions: Vec::new(),
        },
        Kind::Email => input("email", Some(254)),
        Kind::Url => input("url", Some(2048)),
        Kind::Currency { .. } => input("text", Some(3)),
        Kind::Timezone => Control::Input {
            kind: "text",
            value: text.to_owned(),
            max_length: None,
            step: None,
            keyboard: None,
            autocomplete: "off",
            suggestions: chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).collect(),
        },
        Kind::Enum(def) => {
            let choices = def.values.iter().map(|value| Choice {
                value: value.name.to_owned(),
                cell: Cell::text(value.title),
                chosen: value.name == text,
            });
            Control::Select { choices: choices.collect(), blank: blank_choice(field, text) }
        }
        Kind::File { limit } => {
            let found = match uuid::Uuid::try_parse(text) {
                Ok(id) => files::find(tx, id)?,
                Err(_) => None,
            };
            let value = if found.is_some() { text.to_owned() } else { String::new() };
            Control::File { value, shown: found.map(|file| Cell::from_file(&file, None, false)), limit }
        }
        Kind::Ref(target) => build_reference(tx, of, target, text, typed, searched)?,
        Kind::Uuid | Kind::Slug | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => input("text", None),
    })
}

/// Builds the controls of an amount and its currency. A currency that is no longer declared is kept.
fn build_amount(text: &str, of: &FieldDef, name: &str, typed: &TypedTexts) -> Control {
    let chosen = typed.get(name).map_or("", String::as_str);
    let choice = |value: &str, label: String| Choice { value: value.to_owned(), cell: Cell::text(label), chosen: value == chosen };
    let mut choices: Vec<Choice> =
        currency::current_currencies().iter().map(|(code, name)| choice(code, format!("{code} – {name}"))).collect();
    if !chosen.is_empty() && !choices.iter().any(|choice| choice.chosen) {
        choices.insert(0, choice(chosen, chosen.to_owned()));
    }
    let blank = (chosen.is_empty() || !of.required).then_some(say!("dz-currency", "Currency"));
    Control::Amount { value: text.to_owned(), currency: name.to_owned(), label: of.title, choices, blank }
}

fn build_reference(tx: &mut Tx<'_>, of: &ControlSpec, target: u16, text: &str, typed: &TypedTexts, searched: bool) -> Result<Control> {
    let field = of.field;
    let target = tx.app.entity(target);
    let found = picker::list_options(tx, target, None)?;
    if found.len() <= picker::SELECT_LIMIT && of.widget != Some(Widget::Picker) {
        // If a required reference has one candidate, it is selected.
        let only = match found.as_slice() {
            [(key, _)] if of.selects_only && field.required && text.is_empty() => columns::key_text(key).unwrap_or_default(),
            _ => text.to_owned(),
        };
        let text = only.as_str();
        let mut choices = picker::to_choices(tx.app, target, found, text);
        if !text.is_empty() && !choices.iter().any(|choice| choice.chosen) {
            let label =
                picker::find_label(tx, target, text)?.unwrap_or_else(|| say!("dz-not-visible-to-you", "Not visible to you").to_owned());
            choices.push(Choice { value: text.to_owned(), cell: Cell::text(label), chosen: true });
        }
        return Ok(Control::Select { choices, blank: blank_choice(field, text) });
    }
    let words = typed.get(&format!("{}.q", of.name)).cloned();
    let mut matches = Vec::new();
    if searched && let Some(words) = &words {
        matches = picker::list_options(tx, target, Some(words.trim()))?;
        matches.truncate(picker::SELECT_LIMIT);
    }
    let shown = match words.filter(|_| text.is_empty()) {
        Some(words) => words,
        None => picker::find_label(tx, target, text)?.unwrap_or_default(),
    };
    let found = picker::to_choices(tx.app, target, matches, text);
    Ok(Control::Pick { value: text.to_owned(), shown, source: picker::source_address(target), found })
}

/// The text of the empty option of a select; a required field with a value has none.
fn blank_choice(field: &FieldDef, text: &str) -> Option<&'static str> {
    match (field.required, text.is_empty()) {
        (true, true) => Some(say!("dz-choose", "Choose")),
        (true, false) => None,
        (false, _) => Some(say!("dz-none", "None")),
    }
}

fn help_text(field: &FieldDef) -> Option<String> {
    if let (Some(currency), Some(scale)) = (field.currency, field.kind.scale()) {
        return Some(match scale {
            0 => say!("dz-in-currency-without-decimals", "In {currency}, without decimals.", currency = currency),
            _ => say!(
                "dz-in-currency-at-most-scale-decimals",
                "In {currency}, at most {scale} decimals.",
                currency = currency,
                scale = scale
            ),
        });
    }
    match field.kind {
        // The currency determines the number of decimals.
        Kind::Decimal { .. } if field.currency_in.is_some() => None,
        Kind::Decimal { scale: 0, .. } => Some(say!("dz-a-whole-number", "A whole number.").to_owned()),
        Kind::Decimal { scale: 1, .. } => Some(say!("dz-at-most-one-decimal", "At most one decimal.").to_owned()),
        Kind::Decimal { scale, .. } => Some(say!("dz-at-most-scale-decimals", "At most {scale} decimals.", scale = scale)),
        Kind::File { limit } => limit.map(|bytes| say!("dz-at-most-size", "At most {size}.", size = files::size_text(bytes))),
        Kind::Slug => Some(say!("dz-lower-case-letters-digits-and-hyphens", "Lower-case letters, digits and hyphens.").to_owned()),
        Kind::Timezone => Some(say!("dz-for-example-europe-lisbon", "For example Europe/Lisbon.").to_owned()),
        Kind::Uuid
        | Kind::Str(_)
        | Kind::Text
        | Kind::Int
        | Kind::Float
        | Kind::Bool
        | Kind::Date
        | Kind::DateTime
        | Kind::Enum(_)
        | Kind::Json
        | Kind::Email
        | Kind::Url
        | Kind::Currency { .. }
        | Kind::Ref(_)
        | Kind::HasMany { .. }
        | Kind::HasOne { .. }
        | Kind::ManyToMany { .. } => None,
    }
}

/// The text of a value in its control.
pub(crate) fn control_text(app: &'static AppDef, field: &FieldDef, value: &Value) -> String {
    match value {
        Value::DateTime(at) => {
            let local = at.with_timezone(&columns::zone(app)).naive_local();
            let format = match (local.and_utc().timestamp_subsec_micros(), local.and_utc().timestamp() % 60) {
                (0, 0) => "%Y-%m-%dT%H:%M",
                (0, _) => "%Y-%m-%dT%H:%M:%S",
                // Browsers discard a time with more digits.
                _ => "%Y-%m-%dT%H:%M:%S%.3f",
            };
            local.format(format).to_string()
        }
        value if field.kind.is_file() => File::stored_id(value).map(|id| id.to_string()).unwrap_or_default(),
        Value::Json(json) => serde_json::to_string_pretty(json).unwrap_or_default(),
        value => columns::key_text(value).unwrap_or_default(),
    }
}

/// The text of a stored value in its control; an amount has the digits of its currency.
pub(crate) fn stored_text(app: &'static AppDef, of: &WritableField, row: &Row) -> String {
    let value = |at: FieldIx| row.values.get(usize::from(at)).unwrap_or(&Value::Null);
    match (value(of.at), of.field.currency_in) {
        (Value::Decimal(amount), Some(beside)) => amount_text(*amount, value(beside)),
        (value, _) => of.text(control_text(app, of.field, value)),
    }
}

/// The default of a field in the form of a new row, if it does not depend on the row.
pub(crate) fn default_text(tx: &Tx<'_>, field: &FieldDef) -> Option<String> {
    match rows::constant(field.default.as_ref()?, field.kind, tx.caller(), tx.app) {
        Value::Null => None,
        value => Some(control_text(tx.app, field, &value)),
    }
}

/// Compares two texts of a field without the white space that browsers add to line ends.
pub(crate) fn is_same_text(a: &str, b: &str) -> bool {
    a == b || a.replace("\r\n", "\n") == b.replace("\r\n", "\n")
}
