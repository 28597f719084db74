//! The calls of functions and aggregates in words, for messages and for the reference.

use dz_vocabulary::{Aggregate, Vocabulary};

use super::{FUNCTIONS, ParameterType, ResultType, Shape};

/// The call of a function, for messages.
pub(super) fn usage(name: &str, shape: &Shape) -> String {
    format!("write `{name}({})`", parameter_words(name, shape).join(", "))
}

/// The parameters of a function, one word for each.
fn parameter_words(name: &str, shape: &Shape) -> Vec<&'static str> {
    match shape {
        Shape::Fixed(takes, _) => takes
            .iter()
            .map(|take| match take {
                ParameterType::Number => "number",
                ParameterType::Text => "text",
                ParameterType::Time => "date",
                ParameterType::DateTime => "datetime",
                ParameterType::OptionalInt => "digits",
            })
            .collect(),
        Shape::Same(_) if name == "nullif" => vec!["a", "b"],
        Shape::Same(_) => vec!["a", "b", "…"],
    }
}

/// Every function with its call and its result.
pub(crate) fn functions() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    FUNCTIONS.iter().map(|(function, shape)| {
        let name = function.word();
        let gives = match shape {
            Shape::Fixed(_, ResultType::Int) => "int",
            Shape::Fixed(_, ResultType::Bool) => "bool",
            Shape::Fixed(_, ResultType::Text) => "text",
            Shape::Fixed(_, ResultType::Date) => "date",
            Shape::Fixed(_, ResultType::First) => "as the argument",
            Shape::Fixed(_, ResultType::Rounded) => "decimal; int for an int",
            Shape::Same(_) if name == "concat" => "text",
            Shape::Same(_) => "as the arguments",
        };
        (name, format!("{name}({})", parameter_words(name, shape).join(", ")), gives)
    })
}

/// The names of the aggregates.
pub(crate) fn aggregates() -> Vec<&'static str> {
    Aggregate::ALL.iter().map(|aggregate| aggregate.word()).collect()
}

/// A number of arguments, for messages.
pub(super) fn arguments(count: usize) -> String {
    match count {
        1 => "one argument".to_owned(),
        2 => "two arguments".to_owned(),
        n => format!("{n} arguments"),
    }
}
