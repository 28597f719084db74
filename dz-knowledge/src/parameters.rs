//! The parameters of operations: their names, forms and limits, and the check of a call, which refuses unknown parameters.

use serde_json::{Map, Value};

use crate::{Failure, Graph, Kind, RELATIONS, failure::nearest_or_some};

/// A parameter of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its form.
    pub form: Form,
    /// True if the operation fails without it.
    pub required: bool,
}

/// The longest text of a parameter, in bytes.
const LONGEST: usize = 10_000;

/// The longest text of a declaration, in bytes.
const LONGEST_DECLARATION: usize = 4 << 20;

/// The forms of parameters.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Text of a limited length: an id, a name, or a question.
    Text,
    /// The text of a declaration.
    Declaration,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of types of nodes.
    NodeTypes,
    /// A list of types of relations.
    RelationTypes,
    /// A whole number in this range.
    Whole(u64, u64),
    /// True or false.
    Flag,
    /// An object.
    Object,
}

impl Parameter {
    /// A parameter that is required.
    pub(crate) const fn required(name: &'static str, form: Form) -> Parameter {
        Parameter { name, form, required: true }
    }

    /// An optional parameter.
    pub(crate) const fn optional(name: &'static str, form: Form) -> Parameter {
        Parameter { name, form, required: false }
    }
}

/// The parameters of a call, checked.
pub(crate) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Checks the parameters of a call; `null` is a parameter that is not given.
    pub fn check(given: &'a Map<String, Value>, parameters: &[Parameter], graph: &Graph) -> Result<Arguments<'a>, Failure> {
        for (name, value) in given {
            let Some(parameter) = parameters.iter().find(|it| it.name == name) else {
                let known = nearest_or_some(name, parameters.iter().map(|it| it.name));
                return Err(Failure::content(format!("unknown parameter `{name}`; {known}")));
            };
            if !value.is_null() {
                parameter.check(value, graph)?;
            }
        }
        let given_value = |name: &str| given.get(name).is_some_and(|value| !value.is_null());
        match parameters.iter().find(|it| it.required && !given_value(it.name)) {
            Some(missing) => Err(Failure::content(format!("the parameter `{}` is missing", missing.name))),
            None => Ok(Arguments(given)),
        }
    }

    /// A text.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A text that is required.
    pub fn required(&self, name: &str) -> &'a str {
        self.text(name).unwrap_or_default()
    }

    /// A list of texts; empty without the parameter.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let list = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// A whole number, or its default.
    pub fn whole(&self, name: &str, default: u64) -> usize {
        let number = self.0.get(name).and_then(whole).unwrap_or(default);
        usize::try_from(number).unwrap_or(usize::MAX)
    }

    /// True or false; false without the parameter.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Any value.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }
}

/// A whole number, also written as `3.0`.
fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|it| it.fract() == 0.0 && *it >= 0.0 && *it < 1e15).map(|it| it as u64);
    value.as_u64().or_else(float)
}

impl Parameter {
    fn check(&self, value: &Value, graph: &Graph) -> Result<(), Failure> {
        let wrong = |wanted: &str| Err(Failure::content(format!("the parameter `{}` must be {wanted}", self.name)));
        match self.form {
            Form::Text | Form::Declaration => match value.as_str() {
                Some(text) => self.check_length(text),
                None => wrong("text"),
            },
            Form::Word(words) => match value.as_str() {
                Some(word) => self.word(word, words.iter().copied()),
                None => wrong("text"),
            },
            Form::NodeTypes => self.words(value, &node_types(graph)),
            Form::RelationTypes => self.words(value, &relation_types(graph)),
            Form::Whole(least, most) => match whole(value) {
                Some(number) if (least..=most).contains(&number) => Ok(()),
                _ if most == u64::MAX => wrong(&format!("a whole number of at least {least}")),
                _ => wrong(&format!("a whole number from {least} to {most}")),
            },
            Form::Flag if value.is_boolean() => Ok(()),
            Form::Flag => wrong("true or false"),
            Form::Object if value.is_object() => Ok(()),
            Form::Object => wrong("an object"),
        }
    }

    fn check_length(&self, text: &str) -> Result<(), Failure> {
        let most = if matches!(self.form, Form::Declaration) { LONGEST_DECLARATION } else { LONGEST };
        if text.len() <= most {
            return Ok(());
        }
        Err(Failure::content(format!("the parameter `{}` has {} bytes; at most {most} are read", self.name, text.len())))
    }

    fn words(&self, value: &Value, known: &[&str]) -> Result<(), Failure> {
        let Some(list) = value.as_array() else {
            return Err(Failure::content(format!("the parameter `{}` must be a list of texts", self.name)));
        };
        for item in list {
            match item.as_str() {
                Some(word) => self.word(word, known.iter().copied())?,
                None => return Err(Failure::content(format!("the parameter `{}` must be a list of texts", self.name))),
            }
        }
        Ok(())
    }

    fn word<'w>(&self, word: &str, mut known: impl Iterator<Item = &'w str> + Clone) -> Result<(), Failure> {
        if known.clone().any(|it| it == word) {
            return Ok(());
        }
        let known = nearest_or_some(word, known.by_ref());
        Err(Failure::content(format!("the parameter `{}` has no value `{word}`; {known}", self.name)))
    }
}

/// The types of nodes that a call can name: those of dz, and those of imported nodes.
fn node_types(graph: &Graph) -> Vec<&str> {
    let mut types: Vec<&str> = Kind::ALL.iter().map(|it| it.word()).collect();
    types.extend(graph.node_counts().into_keys().filter(|it| !Kind::ALL.iter().any(|kind| kind.word() == *it)));
    types
}

fn relation_types(graph: &Graph) -> Vec<&str> {
    let mut types: Vec<&str> = RELATIONS.iter().map(|(word, _)| *word).collect();
    types.extend(graph.relation_counts().into_keys().filter(|it| !RELATIONS.iter().any(|(word, _)| word == it)));
    types
}
