//! Reads the settings from Rocket's configuration and the environment.

use dz_settings::{Problem, Settings as _, Table, Value};
use figment::{Figment, Source, value::Value as Configured};

use super::{refusal, settings::Settings};
use crate::{Result, suggest::nearest};

/// The settings of a configuration.
///
/// # Errors
/// One sentence that names the place, the key, the value and the correction.
pub(super) fn read(figment: &Figment) -> Result<Settings> {
    read_with(figment, &|name| std::env::var(name).ok())
}

/// As [`read`], with the environment that `variables` returns.
pub(super) fn read_with(figment: &Figment, variables: dz_settings::Variables<'_>) -> Result<Settings> {
    let values = match figment.find_value("dz").map(from_figment) {
        Ok(Value::Table(values)) => values,
        Ok(_) => return Err(refusal("the configuration `dz` must be a table: `[default.dz]`".to_owned())),
        Err(error) if error.missing() => Default::default(),
        Err(error) => return Err(refusal(format!("the configuration cannot be read: {}", one_line(&error)))),
    };
    Settings::read(Table::new("dz", values, variables)).map_err(|problem| {
        let sentence = problem.sentence(|name, known| nearest(name, known.to_vec()).map(str::to_owned));
        refusal(format!("{}{sentence}", source(figment, &problem)))
    })
}

/// The file or the variable that contains a wrong setting, with a colon; nothing for settings of a program.
fn source(figment: &Figment, problem: &Problem) -> String {
    let Some(metadata) = figment.find_metadata(&problem.place()) else { return String::new() };
    match &metadata.source {
        Some(Source::File(path)) => format!("{}: ", path.display()),
        None if metadata.name.contains("environment") => "environment variable `ROCKET_DZ`: ".to_owned(),
        _ => String::new(),
    }
}

fn from_figment(value: Configured) -> Value {
    match value {
        Configured::String(_, text) => Value::Text(text),
        Configured::Char(_, c) => Value::Text(c.to_string()),
        Configured::Bool(_, value) => Value::Bool(value),
        Configured::Num(_, number) => {
            let whole = number.to_i128().or_else(|| number.to_u128()?.try_into().ok());
            whole.map_or_else(|| Value::Other(number.to_actual().to_string()), Value::Whole)
        }
        Configured::Empty(..) => Value::Other("empty".to_owned()),
        Configured::Dict(_, values) => Value::Table(values.into_iter().map(|(key, value)| (key, from_figment(value))).collect()),
        Configured::Array(_, values) => Value::List(values.into_iter().map(from_figment).collect()),
    }
}

/// Messages of TOML show the position on several lines.
fn one_line(error: &figment::Error) -> String {
    error.to_string().split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ")
}
