//! A document as data, written as JSON or as YAML; members keep their order.

use std::{borrow::Cow, fmt::Write};

/// A value of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(Cow<'static, str>, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Int(value)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Json {
        Json::List(items.into_iter().map(Into::into).collect())
    }
}

/// An object of members.
macro_rules! object {
    ($($name:expr => $value:expr),* $(,)?) => {
        $crate::json::Json::Object(vec![$((::std::borrow::Cow::Borrowed($name), $crate::json::Json::from($value))),*])
    };
}
pub(crate) use object;

impl Json {
    /// An object from an iterator of members.
    pub(crate) fn object<N: Into<String>>(members: impl IntoIterator<Item = (N, Json)>) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (Cow::Owned(name.into()), value)).collect())
    }

    /// The object with one more member.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Json>) -> Json {
        if let Json::Object(members) = &mut self {
            members.push((name.into(), value.into()));
        }
        self
    }

    /// As JSON, without blanks.
    pub(crate) fn json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        match self {
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            // Writing to a string cannot fail.
            Json::Int(value) => drop(write!(out, "{value}")),
            Json::Text(text) => quote(text, out),
            Json::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write_json(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    quote(name, out);
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }

    /// As YAML, with a line for each member; texts have the quotes of JSON, which YAML accepts.
    pub(crate) fn yaml(&self) -> String {
        let mut out = String::new();
        self.write_yaml(0, &mut out);
        out
    }

    fn is_leaf(&self) -> bool {
        match self {
            Json::List(items) => items.is_empty(),
            Json::Object(members) => members.is_empty(),
            _ => true,
        }
    }

    fn write_yaml(&self, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        match self {
            Json::Object(members) if !members.is_empty() => {
                for (name, value) in members {
                    out.push_str(&indent);
                    quote(name, out);
                    value.write_yaml_value(':', depth, out);
                }
            }
            Json::List(items) if !items.is_empty() => {
                for item in items {
                    out.push_str(&indent);
                    item.write_yaml_value('-', depth, out);
                }
            }
            leaf => {
                leaf.write_json(out);
                out.push('\n');
            }
        }
    }

    fn write_yaml_value(&self, mark: char, depth: usize, out: &mut String) {
        out.push(mark);
        if self.is_leaf() {
            out.push(' ');
            self.write_yaml(0, out);
        } else {
            out.push('\n');
            self.write_yaml(depth + 1, out);
        }
    }
}

/// ASCII bytes that need no escape in quotes. Most texts consist of them, and the macro generates long documents without
/// optimisation, so that a table is the fastest way.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        plain[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    plain
};

fn is_plain(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if !PLAIN[bytes[at] as usize] {
            return false;
        }
        at += 1;
    }
    true
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    if is_plain(text.as_bytes()) {
        out.push_str(text);
        return out.push('"');
    }
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Characters with a special meaning in YAML or scripts are written as escapes.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let document = object! { "a" => "x: \"y\"\n\u{7}", "b" => vec![1_i64, 2], "c" => object! {}, "d" => Json::List(vec![object! { "e" => true }]) };
        assert_eq!(document.json(), r#"{"a":"x: \"y\"\n\u0007","b":[1,2],"c":{},"d":[{"e":true}]}"#);
        assert_eq!(document.yaml(), "\"a\": \"x: \\\"y\\\"\\n\\u0007\"\n\"b\":\n  - 1\n  - 2\n\"c\": {}\n\"d\":\n  -\n    \"e\": true\n");
    }
}
