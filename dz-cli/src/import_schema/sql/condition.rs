//! Converts a condition of SQL to the language.

use super::Expr;

/// A field in a condition.
pub struct ConditionField {
    /// The name in the declaration.
    pub name: String,
    /// True when it can be null.
    pub optional: bool,
}

/// Finds the field of a column; `None` for a column that is not imported.
pub type Fields<'f> = &'f dyn Fn(&str) -> Option<ConditionField>;

/// Functions with the same meaning in the language.
const FUNCTIONS: &[(&str, &str)] = &[
    ("length", "length"),
    ("char_length", "length"),
    ("character_length", "length"),
    ("lower", "lower"),
    ("upper", "upper"),
    ("trim", "trim"),
    ("btrim", "trim"),
    ("abs", "abs"),
    ("coalesce", "coalesce"),
    ("nullif", "nullif"),
];

/// The treatment by SQL of a row for which a condition is null.
#[derive(Clone, Copy, PartialEq)]
pub enum Null {
    /// The row is accepted, as by a check.
    Accepted,
    /// The row is excluded, as by a partial index.
    Excluded,
}

/// The condition in the language. A condition of the language is never null, so fields that can be null are compared with null first,
/// unless the condition itself does so.
pub fn write(expr: &Expr, null: Null, fields: Fields<'_>) -> Result<String, String> {
    let mut written = ConditionWriter { fields, tested: tested(expr, null), optional: Vec::new() };
    let level = if null == Null::Accepted { 1 } else { 2 };
    let text = written.text(expr, 0)?;
    if written.optional.is_empty() {
        return Ok(text);
    }
    let text = written.text(expr, level)?;
    let (sign, word) = if null == Null::Accepted { ("=", " or ") } else { ("!=", " and ") };
    let guards: Vec<String> = written.optional.iter().map(|name| format!("{name} {sign} null")).collect();
    Ok(format!("{}{word}{text}", guards.join(word)))
}

/// The columns that the condition itself compares with null.
fn tested(expr: &Expr, null: Null) -> Vec<String> {
    let (Expr::Or(parts) | Expr::And(parts)) = expr else { return Vec::new() };
    if matches!(expr, Expr::Or(_)) != (null == Null::Accepted) {
        return Vec::new();
    }
    let column = |part: &Expr| match part {
        Expr::IsNull(inner, negated) if *negated == (null == Null::Excluded) => match inner.as_ref() {
            Expr::Column(name) => Some(name.to_lowercase()),
            _ => None,
        },
        _ => None,
    };
    parts.iter().filter_map(column).collect()
}

struct ConditionWriter<'f> {
    fields: Fields<'f>,
    /// Columns that need no comparison with null, in lower case.
    tested: Vec<String>,
    /// Fields that can be null, outside of tests for null.
    optional: Vec<String>,
}

impl ConditionWriter<'_> {
    /// The text, in parentheses if its precedence is lower than `level`: 1 in `or`, 2 in `and`, 3 in `not`, 4 in a comparison, 5
    /// and 6 in arithmetic.
    fn text(&mut self, expr: &Expr, level: u8) -> Result<String, String> {
        let (own, text) = match expr {
            Expr::Column(name) => (9, self.field(name, true)?),
            Expr::Number(number) => (9, number.clone()),
            Expr::Text(text) => (9, quoted(text)),
            Expr::Bool(value) => (9, value.to_string()),
            Expr::Null => (9, "null".to_owned()),
            Expr::Call(name, arguments) => (9, self.call(name, arguments)?),
            Expr::Minus(inner) => (7, format!("-{}", self.text(inner, 8)?)),
            Expr::Binary(sign @ ("*" | "/" | "%"), left, right) => (6, format!("{} {sign} {}", self.text(left, 6)?, self.text(right, 7)?)),
            Expr::Binary(sign @ ("+" | "-"), left, right) => (5, format!("{} {sign} {}", self.text(left, 5)?, self.text(right, 6)?)),
            Expr::Binary(sign, left, right) => (4, format!("{} {sign} {}", self.text(left, 5)?, self.text(right, 5)?)),
            Expr::In(left, values, negated) => {
                let values = values.iter().map(|value| self.text(value, 0)).collect::<Result<Vec<_>, _>>()?;
                let word = if *negated { "not in" } else { "in" };
                (4, format!("{} {word} [{}]", self.text(left, 5)?, values.join(", ")))
            }
            Expr::IsNull(inner, negated) => {
                let Expr::Column(name) = inner.as_ref() else { return Err("`IS NULL` of an expression has no counterpart".to_owned()) };
                (4, format!("{} {} null", self.field(name, false)?, if *negated { "!=" } else { "=" }))
            }
            Expr::Not(inner) => (3, format!("not {}", self.text(inner, 4)?)),
            Expr::And(parts) => (2, self.joined(parts, " and ", 3)?),
            Expr::Or(parts) => (1, self.joined(parts, " or ", 2)?),
        };
        Ok(if own < level { format!("({text})") } else { text })
    }

    fn joined(&mut self, parts: &[Expr], word: &str, level: u8) -> Result<String, String> {
        Ok(parts.iter().map(|part| self.text(part, level)).collect::<Result<Vec<_>, _>>()?.join(word))
    }

    fn field(&mut self, column: &str, compared: bool) -> Result<String, String> {
        let known = (self.fields)(column).ok_or_else(|| format!("`{column}` is not a field"))?;
        let is_open = known.optional && !self.tested.contains(&column.to_lowercase());
        if compared && is_open && !self.optional.contains(&known.name) {
            self.optional.push(known.name.clone());
        }
        Ok(known.name)
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> Result<String, String> {
        let (_, word) =
            FUNCTIONS.iter().find(|(sql, _)| *sql == name).ok_or_else(|| format!("the function `{name}` has no counterpart"))?;
        Ok(format!("{word}({})", self.joined(arguments, ", ", 0)?))
    }
}

/// A text of the language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
