//! The two formats of a log line: text for people, JSON for programs that collect logs.

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
};

use serde_json::{Map, Value as Json};
use tracing::{
    Level, Metadata,
    field::{Field, Visit},
};

use super::one_line;
use crate::trace;

/// The format of log lines, and the lowest level that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    /// One JSON object for each line.
    pub json: bool,
    pub level: Level,
}

impl Format {
    /// Text from the level `info` on.
    pub const DEFAULT: Format = Format { json: false, level: Level::INFO };

    /// Formats an event as a line without its line end.
    pub fn format_event(self, at: &str, event: &tracing::Event<'_>) -> String {
        let metadata: &Metadata<'_> = event.metadata();
        let mut fields = Fields::new(self);
        event.record(&mut fields);
        if let Some(trace) = trace::trace_id() {
            fields.add_named("trace_id", &trace);
        }
        fields.into_line(at, metadata.level().as_str(), metadata.target())
    }

    /// Formats a message without fields as a line without its line end.
    pub fn format_message(self, at: &str, level: &str, target: &str, message: String) -> String {
        Fields { message, ..Fields::new(self) }.into_line(at, level, target)
    }
}

/// The message of an event, and its fields in their order.
struct Fields {
    message: String,
    others: Others,
}

/// The fields of an event without its message, in its format.
enum Others {
    /// ` name=value` for each.
    Text(String),
    Json(Map<String, Json>),
}

impl Fields {
    fn new(format: Format) -> Fields {
        let others = if format.json { Others::Json(Map::new()) } else { Others::Text(String::with_capacity(256)) };
        Fields { message: String::new(), others }
    }

    fn into_line(self, at: &str, level: &str, target: &str) -> String {
        let message = strip_colours(&self.message);
        match self.others {
            Others::Text(text) => format!("{at} {level:>5} {target}: {}{}", one_line(&message), one_line(&text)),
            Others::Json(fields) => {
                let own = [("time", at), ("level", level), ("target", target), ("message", &message)];
                let mut line: Map<String, Json> = own.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
                // A field of an event does not replace one of these.
                for (name, value) in fields {
                    line.entry(name).or_insert(value);
                }
                Json::Object(line).to_string()
            }
        }
    }

    fn add_text(&mut self, field: &Field, value: &str) {
        self.add_named(field.name(), value);
    }

    fn add_named(&mut self, name: &'static str, value: &str) {
        match (name, &mut self.others) {
            ("message", _) => self.message = value.to_owned(),
            (name, Others::Json(fields)) => drop(fields.insert(name.to_owned(), value.into())),
            (name, Others::Text(text)) if is_plain(value) => {
                for part in [" ", name, "=", value] {
                    text.push_str(part);
                }
            }
            // Writing to a text does not fail.
            (name, Others::Text(text)) => drop(write!(text, " {name}={value:?}")),
        }
    }

    fn add(&mut self, field: &Field, value: impl fmt::Display + Into<Json>) {
        match (field.name(), &mut self.others) {
            ("message", _) => self.message = value.to_string(),
            (name, Others::Json(fields)) => drop(fields.insert(name.to_owned(), value.into())),
            (name, Others::Text(text)) => drop(write!(text, " {name}={value}")),
        }
    }
}

/// True for a value that needs no quotes.
fn is_plain(value: &str) -> bool {
    let is_quoted = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '=');
    !value.is_empty() && !value.contains(is_quoted)
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add_text(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add_text(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, Json::from(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value);
    }
}

/// Removes the escape sequences for terminal colours.
fn strip_colours(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest));
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use tracing::{Metadata, Subscriber, span};

    use super::*;
    use crate::output::log_event;

    /// The lines of what `emit` logs.
    fn lines(format: Format, emit: impl FnOnce()) -> Vec<String> {
        #[derive(Clone)]
        struct Recorder(Format, std::sync::Arc<std::sync::Mutex<Vec<String>>>);
        impl Subscriber for Recorder {
            fn enabled(&self, metadata: &Metadata<'_>) -> bool {
                metadata.is_event() && *metadata.level() <= self.0.level
            }
            fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
                span::Id::from_u64(1)
            }
            fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
            fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
            fn event(&self, event: &tracing::Event<'_>) {
                self.1.lock().unwrap().push(self.0.format_event("T", event));
            }
            fn enter(&self, _: &span::Id) {}
            fn exit(&self, _: &span::Id) {}
        }
        let kept = Recorder(format, std::sync::Arc::default());
        let text = kept.1.clone();
        tracing::subscriber::with_default(kept, emit);
        std::mem::take(&mut *text.lock().unwrap())
    }

    fn emit() {
        log_event!(warn, target: "dz::test", row = "a\nb", path = "/x", attempt = 3, well = true, time = "own", "put \u{1b}[1moff");
        log_event!(debug, target: "dz::test", "not shown");
    }

    #[test]
    fn a_line_of_text_has_the_message_before_its_fields() {
        let line = "T  WARN dz::test: put off row=\"a\\nb\" path=/x attempt=3 well=true time=own";
        assert_eq!(lines(Format::DEFAULT, emit), [line]);
    }

    #[test]
    fn a_line_of_json_is_one_object() {
        let found = lines(Format { json: true, ..Format::DEFAULT }, emit);
        let object: Json = serde_json::from_str(&found.concat()).unwrap();
        let wanted = serde_json::json!({
            "time": "T", "level": "WARN", "target": "dz::test", "message": "put off", "row": "a\nb", "path": "/x", "attempt": 3, "well": true,
        });
        assert_eq!(object, wanted);
    }

    #[test]
    fn colours_are_removed() {
        assert_eq!(strip_colours("\u{1b}[1;34mGET\u{1b}[0m /x"), "GET /x");
        assert_eq!(strip_colours("plain"), "plain");
    }
}
