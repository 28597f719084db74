//! Output of the process: log lines, through `tracing`, to standard error; the output of commands to standard output.
//!
//! Writing can fail, because a disk is full or a pipe is closed. This must not stop a request, so this module never panics.

mod format;
mod progress;

use std::{
    borrow::Cow,
    fmt,
    io::{self, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
};

use chrono::SecondsFormat;
use tracing::{Event, Metadata, Subscriber, level_filters::LevelFilter, span};

pub(crate) use self::{
    format::Format as LogFormat,
    progress::{Progress, step},
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

/// Sets what a command does now, for its [`Progress`]: `show_step!("{count} rows")`.
macro_rules! show_step {
    ($($step:tt)+) => {
        $crate::output::step(format_args!($($step)+))
    };
}
pub(crate) use show_step;

/// Runs code that emits an event, and ignores its panic.
pub(crate) fn guard(emit: impl FnOnce()) {
    // The panic hook has reported the panic.
    let _ = catch_unwind(AssertUnwindSafe(emit));
}

/// Writes a line to standard output. A closed pipe is not an error: the reader needs no more lines, and the command continues.
///
/// # Errors
/// A failure to write, such as a full disk.
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
pub(crate) fn print_error(line: fmt::Arguments<'_>) {
    write_error(&format!("{line}\n"));
}

/// Uses one write, so that lines of several threads do not mix.
fn write_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Replaces control characters and line ends, so that text from a client cannot start a new log line or control a terminal.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    match text.contains(breaks) {
        true => Cow::Owned(text.replace(breaks, " ")),
        false => Cow::Borrowed(text),
    }
}

/// Installs the default subscriber, which writes events as lines to standard error, unless another one is installed.
pub(crate) fn install_subscriber(format: LogFormat) {
    // This fails if another subscriber is installed.
    let _ = tracing::subscriber::set_global_default(LineSubscriber(format));
}

/// Writes events as lines to standard error. Spans are ignored.
pub(crate) struct LineSubscriber(pub LogFormat);

/// The current time, as in the first column of a line.
fn timestamp() -> String {
    Clock::system().now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

impl Subscriber for LineSubscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= self.0.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.0.level.into())
    }

    fn event(&self, event: &Event<'_>) {
        write_error(&(self.0.format_event(&timestamp(), event) + "\n"));
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
impl log::Log for LineSubscriber {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        // As in Rocket: events of these crates are useful only for debugging Rocket.
        let is_inner = ["hyper", "rustls", "r2d2"].iter().any(|it| metadata.target().starts_with(it));
        metadata.level() <= log::max_level() && (!is_inner || log::max_level() == log::LevelFilter::Trace)
    }

    fn log(&self, record: &log::Record<'_>) {
        if log::Log::enabled(self, record.metadata()) {
            let (level, target) = (record.level().as_str(), record.target());
            write_error(&(self.0.format_message(&timestamp(), level, target, record.args().to_string()) + "\n"));
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_one_line() {
        assert_eq!(one_line("no such key: a\n200 GET /\r\u{1b}[2J\u{85}\u{2028}x"), "no such key: a 200 GET /  [2J  x");
        assert_eq!(one_line("schlüssel \"ß\""), "schlüssel \"ß\"");
    }

    #[test]
    fn a_panic_of_the_subscriber_is_ignored() {
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
}
