//! What the process writes: log lines, through `tracing`, to standard error; what commands print, to standard output.
//!
//! The disk of a log can be full and the reader of a pipe can end. Neither may stop a request, so nothing here panics.

use std::{
    fmt::{self, Write as _},
    io::{self, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
};

use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    span,
};

use crate::{Clock, Error, Result};

/// Emits an event: `log_event!(warn, target: "dz::http", status, "refused")`. A subscriber that panics ends neither the request nor
/// the thread that logs.
macro_rules! log_event {
    ($level:ident, $($event:tt)+) => {
        $crate::output::guard(|| tracing::$level!($($event)+))
    };
}
pub(crate) use log_event;

/// Prints a line of a command's output: `print_line!("{count} rows")?`.
macro_rules! print_line {
    ($($line:tt)+) => {
        $crate::output::print(format_args!($($line)+))
    };
}
pub(crate) use print_line;

/// Runs the code that emits an event.
pub(crate) fn guard(emit: impl FnOnce()) {
    // The panic hook has reported it.
    let _ = catch_unwind(AssertUnwindSafe(emit));
}

/// Writes a line to standard output. A reader that has closed the pipe needs no more lines: the command goes on to its end.
///
/// # Errors
/// A full disk, for instance.
pub(crate) fn print(line: fmt::Arguments<'_>) -> Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::new(500, "OUTPUT", format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error for the user of a command.
pub(crate) fn complain(line: fmt::Arguments<'_>) {
    write_error(&format!("{line}\n"));
}

/// In one write, so that lines of several threads stay apart.
fn write_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A text for one line of the log: what a client sent cannot begin a line and cannot control a terminal.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

/// Writes events as lines to standard error, where no other subscriber is installed.
pub(crate) fn install_subscriber() {
    // It refuses when another one is installed.
    let _ = tracing::subscriber::set_global_default(Lines);
}

/// Events as lines of standard error, from the level `INFO` on. Spans are not shown.
pub(crate) struct Lines;

impl Lines {
    fn write(level: &str, target: &str, text: &str) {
        let at = Clock::system().now().format("%Y-%m-%dT%H:%M:%S%.3fZ");
        write_error(&format!("{at} {level:>5} {target}: {}\n", one_line(&without_colours(text))));
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= Level::INFO
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::INFO)
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let metadata = event.metadata();
        Lines::write(metadata.level().as_str(), metadata.target(), &(text.message + &text.fields));
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Rocket logs by the crate `log`; its own logger panics in debug builds when standard output is closed.
impl log::Log for Lines {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        // As Rocket does it: these crates are for those who look into Rocket itself.
        let is_inner = ["hyper", "rustls", "r2d2"].iter().any(|it| metadata.target().starts_with(it));
        metadata.level() <= log::max_level() && (!is_inner || log::max_level() == log::LevelFilter::Trace)
    }

    fn log(&self, record: &log::Record<'_>) {
        if log::Log::enabled(self, record.metadata()) {
            Lines::write(record.level().as_str(), record.target(), &record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// An event as text: its message, then its fields.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a text fails only when the value's own format does.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}

/// A text without the escape sequences by which terminals change colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_a_line_for_each() {
        assert_eq!(one_line("no such key: a\n200 GET /\r\u{1b}[2J\u{85}\u{2028}x"), "no such key: a 200 GET /  [2J  x");
        assert_eq!(one_line("schlüssel \"ß\""), "schlüssel \"ß\"");
    }

    #[test]
    fn colours_are_removed() {
        assert_eq!(without_colours("\u{1b}[1;34mGET\u{1b}[0m /x"), "GET /x");
        assert_eq!(without_colours("plain"), "plain");
    }

    #[test]
    fn a_subscriber_that_panics_ends_nothing() {
        struct Broken;
        impl Subscriber for Broken {
            fn enabled(&self, _: &Metadata<'_>) -> bool {
                true
            }
            fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
                span::Id::from_u64(1)
            }
            fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
            fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
            fn event(&self, _: &Event<'_>) {
                panic!("the disk is full");
            }
            fn enter(&self, _: &span::Id) {}
            fn exit(&self, _: &span::Id) {}
        }
        tracing::subscriber::with_default(Broken, || log_event!(warn, target: "dz::test", "one"));
    }

    #[test]
    fn a_message_comes_before_its_fields() {
        #[derive(Clone, Default)]
        struct Kept(std::sync::Arc<std::sync::Mutex<String>>);
        impl Subscriber for Kept {
            fn enabled(&self, metadata: &Metadata<'_>) -> bool {
                Subscriber::enabled(&Lines, metadata)
            }
            fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
                span::Id::from_u64(1)
            }
            fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
            fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
            fn event(&self, event: &Event<'_>) {
                let mut text = Text::default();
                event.record(&mut text);
                self.0.lock().unwrap().push_str(&(text.message + &text.fields));
            }
            fn enter(&self, _: &span::Id) {}
            fn exit(&self, _: &span::Id) {}
        }
        let kept = Kept::default();
        let text = kept.0.clone();
        tracing::subscriber::with_default(kept, || {
            log_event!(warn, target: "dz::test", row = "a\nb", attempt = 3, "put off");
            log_event!(debug, target: "dz::test", "not shown");
        });
        assert_eq!(*text.lock().unwrap(), "put off row=\"a\\nb\" attempt=3");
    }
}
