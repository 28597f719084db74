//! Values of JSON, whose members keep their order.

use std::fmt::{self, Write as _};

/// A value of JSON.
#[derive(Debug, Clone)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub fn index(at: usize) -> Json {
        Json::Int(i64::try_from(at).unwrap_or(i64::MAX))
    }

    pub fn list(items: impl IntoIterator<Item = Json>) -> Json {
        Json::List(items.into_iter().collect())
    }

    pub fn object<const N: usize>(members: [(&'static str, Json); N]) -> Json {
        Json::Object(members.into())
    }

    /// An object with one member, which names a variant.
    pub fn tagged(name: &'static str, value: Json) -> Json {
        Json::object([(name, value)])
    }

    pub fn optional(value: Option<Json>) -> Json {
        value.unwrap_or(Json::Null)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Int(value) => write!(f, "{value}"),
            // `{:?}` keeps the decimal point, and a declaration has only finite numbers.
            Json::Float(value) => write!(f, "{value:?}"),
            Json::Text(text) => write_text(f, text),
            Json::List(items) => {
                f.write_char('[')?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at == 0 { "" } else { "," })?;
                }
                f.write_char(']')
            }
            Json::Object(members) => {
                f.write_char('{')?;
                for (at, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}\"{name}\":{value}", if at == 0 { "" } else { "," })?;
                }
                f.write_char('}')
            }
        }
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            control if control < ' ' => write!(f, "\\u{:04x}", u32::from(control))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn texts_are_escaped() {
        let value =
            Json::object([("a", Json::list([Json::text("\"\\\n"), Json::Float(2.0), Json::Null, Json::Bool(true), Json::Int(-3)]))]);
        assert_eq!(value.to_string(), r#"{"a":["\"\\\u000a",2.0,null,true,-3]}"#);
    }
}
