//! Output that commands share: streams, colours, tables, and the message of a failure.

use std::{
    fmt::Display,
    io::{IsTerminal, Write, stderr},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use dz_dsl_file::render;

/// The format of a table.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Shape {
    Human,
    Json,
}

/// Whether output has colours.
#[derive(Args)]
pub struct Coloured {
    /// When colours are used
    #[arg(long, value_enum, default_value = "auto")]
    color: Colours,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Colours {
    Auto,
    Always,
    Never,
}

impl Coloured {
    /// The colours of a stream.
    pub fn on(&self, stream: &impl IsTerminal) -> render::Colour {
        let wanted = match self.color {
            Colours::Always => true,
            Colours::Never => false,
            Colours::Auto => stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty()),
        };
        if wanted { render::Colour::Always } else { render::Colour::Never }
    }
}

/// `1 error`, `2 errors`
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Prints the reason why a command failed.
pub fn fail(message: impl Display) -> ExitCode {
    put(stderr(), &format!("error: {message}\n"));
    ExitCode::FAILURE
}

/// Writes to a stream. A closed pipe is not an error.
pub fn put(mut stream: impl Write, text: &str) {
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}
