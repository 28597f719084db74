//! The kinds of values: the accepted values of a key, how they are parsed, and how a default is written.

use std::{collections::BTreeMap, fmt::Display, marker::PhantomData, ops::RangeInclusive, time::Duration};

use crate::{Key, Place, Problem, Settings, Table, Value};

/// A kind of values that are read as a `T`.
pub trait Kind<T> {
    /// The accepted values, as the object of "write": `a whole number from 1 to 256`.
    fn describe(&self) -> String;

    /// Reads a value.
    ///
    /// # Errors
    /// A value that is not accepted.
    fn read(&self, value: Value, place: &Place<'_>) -> Result<T, Problem>;

    /// A default as the reference shows it; `None` if its declaration must describe it.
    fn format_default(&self, value: &T) -> Option<String>;

    /// Parses the text of a variable.
    fn parse_variable(&self, text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    /// The keys of a table.
    fn keys(&self) -> Vec<Key> {
        Vec::new()
    }
}

/// A text.
pub fn text() -> Parse<String> {
    parse("a text", |text| Some(text.to_owned()))
}

/// A text that `parse` accepts.
pub fn parse<T>(accepted: &'static str, parse: fn(&str) -> Option<T>) -> Parse<T> {
    Parse { accepted, parse, takes_numbers: false }
}

/// As [`parse`], of a text or a whole number, which can be written without quotation marks.
pub fn parse_word<T>(accepted: &'static str, parse: fn(&str) -> Option<T>) -> Parse<T> {
    Parse { accepted, parse, takes_numbers: true }
}

/// See [`parse`] and [`parse_word`].
pub struct Parse<T> {
    accepted: &'static str,
    parse: fn(&str) -> Option<T>,
    takes_numbers: bool,
}

impl<T> Kind<T> for Parse<T> {
    fn describe(&self) -> String {
        self.accepted.to_owned()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<T, Problem> {
        let parsed = match &value {
            Value::Text(text) => (self.parse)(text),
            Value::Whole(number) if self.takes_numbers => (self.parse)(&number.to_string()),
            _ => None,
        };
        parsed.ok_or_else(|| place.reject_value(&value, self))
    }

    fn format_default(&self, _: &T) -> Option<String> {
        None
    }
}

/// `true` or `false`.
pub fn boolean() -> Boolean {
    Boolean
}

/// See [`boolean`].
pub struct Boolean;

impl Kind<bool> for Boolean {
    fn describe(&self) -> String {
        "`true` or `false`".to_owned()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<bool, Problem> {
        match value {
            Value::Bool(value) => Ok(value),
            other => Err(place.reject_value(&other, self)),
        }
    }

    fn format_default(&self, value: &bool) -> Option<String> {
        Some(format!("`{value}`"))
    }

    fn parse_variable(&self, text: &str) -> Value {
        text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Bool)
    }
}

/// A whole number in a range.
pub fn whole<N: Number>(range: RangeInclusive<N>) -> Whole<N> {
    Whole { range, unit: "" }
}

/// A whole number of bytes, days and so on.
pub fn whole_of<N: Number>(unit: &'static str, range: RangeInclusive<N>) -> Whole<N> {
    Whole { range, unit }
}

/// A type of whole numbers.
pub trait Number: Copy + Display + PartialOrd + TryFrom<i128> {
    /// The largest number.
    const MAX: Self;
}

impl Number for u32 {
    const MAX: u32 = u32::MAX;
}

impl Number for u64 {
    const MAX: u64 = u64::MAX;
}

/// See [`whole`] and [`whole_of`].
pub struct Whole<N> {
    range: RangeInclusive<N>,
    unit: &'static str,
}

impl<N: Number> Kind<N> for Whole<N> {
    fn describe(&self) -> String {
        let what = if self.unit.is_empty() { "a whole number".to_owned() } else { format!("a whole number of {}", self.unit) };
        let (first, last) = (self.range.start(), self.range.end());
        match (*last < N::MAX, first.to_string() == "0") {
            (true, _) => format!("{what} from {first} to {last}"),
            (false, true) => what,
            (false, false) => format!("{what}, at least {first}"),
        }
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<N, Problem> {
        let number = match &value {
            Value::Whole(number) => N::try_from(*number).ok().filter(|number| self.range.contains(number)),
            _ => None,
        };
        number.ok_or_else(|| place.reject_value(&value, self))
    }

    fn format_default(&self, value: &N) -> Option<String> {
        Some(value.to_string())
    }

    fn parse_variable(&self, text: &str) -> Value {
        // As in TOML, `_` can separate the digits.
        text.replace('_', "").parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Whole)
    }
}

/// A whole number of seconds, at least one.
pub fn seconds() -> Seconds {
    Seconds
}

/// See [`seconds`].
pub struct Seconds;

impl Seconds {
    fn number() -> Whole<u64> {
        whole_of("seconds", 1..=u64::MAX)
    }
}

impl Kind<Duration> for Seconds {
    fn describe(&self) -> String {
        Seconds::number().describe()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<Duration, Problem> {
        Seconds::number().read(value, place).map(Duration::from_secs)
    }

    fn format_default(&self, value: &Duration) -> Option<String> {
        Seconds::number().format_default(&value.as_secs())
    }

    fn parse_variable(&self, text: &str) -> Value {
        Seconds::number().parse_variable(text)
    }
}

/// One word of a few, each with its meaning.
pub fn choice<T: Copy + PartialEq + 'static>(words: &'static [(&'static str, T)]) -> Choice<T> {
    Choice { words }
}

/// See [`choice`].
pub struct Choice<T: 'static> {
    words: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq> Kind<T> for Choice<T> {
    fn describe(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|(word, _)| format!("`{word}`")).collect();
        match words.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => words.concat(),
        }
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<T, Problem> {
        let found = self.words.iter().find(|(word, _)| matches!(&value, Value::Text(text) if text == word));
        found.map(|(_, meaning)| *meaning).ok_or_else(|| place.reject_value(&value, self))
    }

    fn format_default(&self, value: &T) -> Option<String> {
        self.words.iter().find(|(_, meaning)| meaning == value).map(|(word, _)| format!("`{word}`"))
    }
}

/// A value or none; an empty text is none.
pub fn optional<K>(kind: K) -> Optional<K> {
    Optional(kind)
}

/// See [`optional`].
pub struct Optional<K>(K);

impl<T, K: Kind<T>> Kind<Option<T>> for Optional<K> {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<Option<T>, Problem> {
        match value {
            Value::Text(text) if text.trim().is_empty() => Ok(None),
            value => self.0.read(value, place).map(Some),
        }
    }

    fn format_default(&self, value: &Option<T>) -> Option<String> {
        value.as_ref().map_or_else(|| Some("none".to_owned()), |value| self.0.format_default(value))
    }

    fn parse_variable(&self, text: &str) -> Value {
        self.0.parse_variable(text)
    }

    fn keys(&self) -> Vec<Key> {
        self.0.keys()
    }
}

/// Any number of values. In a variable, commas separate them.
pub fn list<K>(of: &'static str, kind: K) -> List<K> {
    List { of, kind, alone: false }
}

/// Any number of values, or one without brackets.
pub fn list_or_one<K>(of: &'static str, kind: K) -> List<K> {
    List { of, kind, alone: true }
}

/// See [`list`] and [`list_or_one`].
pub struct List<K> {
    of: &'static str,
    kind: K,
    alone: bool,
}

impl<T: Display, K: Kind<T>> Kind<Vec<T>> for List<K> {
    fn describe(&self) -> String {
        let alone = if self.alone { format!("{} or ", self.kind.describe()) } else { String::new() };
        format!("{alone}a list of {}", self.of)
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<Vec<T>, Problem> {
        match value {
            Value::List(values) => values.into_iter().map(|value| self.kind.read(value, place)).collect(),
            one @ Value::Text(_) if self.alone => self.kind.read(one, place).map(|one| vec![one]),
            other => Err(place.reject_value(&other, self)),
        }
    }

    fn format_default(&self, value: &Vec<T>) -> Option<String> {
        let values: Vec<String> = value.iter().map(|it| format!("`{it}`")).collect();
        Some(if values.is_empty() { "none".to_owned() } else { values.join(", ") })
    }

    fn parse_variable(&self, text: &str) -> Value {
        Value::List(text.split(',').map(|part| self.kind.parse_variable(part.trim())).collect())
    }
}

/// A value that `check` converts from another one, or refuses with the reason.
pub fn with_check<T, U, K: Kind<T>>(kind: K, check: fn(T) -> Result<U, String>) -> WithCheck<T, U, K> {
    WithCheck { kind, check }
}

/// See [`with_check`].
pub struct WithCheck<T, U, K> {
    kind: K,
    check: fn(T) -> Result<U, String>,
}

impl<T, U, K: Kind<T>> Kind<U> for WithCheck<T, U, K> {
    fn describe(&self) -> String {
        self.kind.describe()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<U, Problem> {
        let shown = value.to_string();
        let result = (self.check)(self.kind.read(value, place)?);
        result.map_err(|reason| Problem::Refused { place: place.path.clone(), value: Some(shown), reason })
    }

    fn format_default(&self, _: &U) -> Option<String> {
        None
    }

    fn parse_variable(&self, text: &str) -> Value {
        self.kind.parse_variable(text)
    }
}

/// A value that no message shows.
pub fn secret<K>(kind: K) -> Secret<K> {
    Secret(kind)
}

/// See [`secret`].
pub struct Secret<K>(K);

impl<T, K: Kind<T>> Kind<T> for Secret<K> {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<T, Problem> {
        self.0.read(value, place).map_err(Problem::hide_value)
    }

    fn format_default(&self, value: &T) -> Option<String> {
        self.0.format_default(value)
    }

    fn parse_variable(&self, text: &str) -> Value {
        self.0.parse_variable(text)
    }
}

/// A table of settings.
pub fn table<S: Settings>() -> TableOf<S> {
    TableOf(PhantomData)
}

/// See [`table()`].
pub struct TableOf<S>(PhantomData<S>);

impl<S: Settings> Kind<S> for TableOf<S> {
    fn describe(&self) -> String {
        "a table".to_owned()
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<S, Problem> {
        match value {
            Value::Table(values) => S::read(Table::at_place(place.clone(), values)),
            other => Err(place.reject_value(&other, self)),
        }
    }

    fn format_default(&self, _: &S) -> Option<String> {
        None
    }

    fn keys(&self) -> Vec<Key> {
        S::keys()
    }
}

/// Values by names that `check` accepts.
pub fn by_name<K>(of: &'static str, check: fn(&str, &Place<'_>) -> Result<(), Problem>, kind: K) -> ByName<K> {
    ByName { of, check, kind }
}

/// See [`by_name`].
pub struct ByName<K> {
    of: &'static str,
    check: fn(&str, &Place<'_>) -> Result<(), Problem>,
    kind: K,
}

impl<T, K: Kind<T>> Kind<BTreeMap<String, T>> for ByName<K> {
    fn describe(&self) -> String {
        format!("a table of {}", self.of)
    }

    fn read(&self, value: Value, place: &Place<'_>) -> Result<BTreeMap<String, T>, Problem> {
        let Value::Table(values) = value else { return Err(place.reject_value(&value, self)) };
        let one = |(name, value): (String, Value)| {
            (self.check)(&name, place)?;
            let read = self.kind.read(value, &place.child(&name))?;
            Ok((name, read))
        };
        values.into_iter().map(one).collect()
    }

    fn format_default(&self, value: &BTreeMap<String, T>) -> Option<String> {
        value.is_empty().then(|| "none".to_owned())
    }

    fn keys(&self) -> Vec<Key> {
        self.kind.keys()
    }
}
