//! What a name in the parameters of a list means.

use crate::{
    sql::{Sql, Value, constant},
    types::Id,
};

/// The most references that a path follows.
const LONGEST_PATH: usize = 4;

/// A value of each row of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The value.
    pub sql: Sql,
    /// Its type.
    pub kind: Kind,
    /// For a reference: the label of the row that it names, by which lists are sorted.
    pub label: Option<Box<Column>>,
    /// For an amount of money: its currency, by which lists are sorted before the number.
    pub currency: Option<Box<Column>>,
}

/// The type of a value, as far as filters and orders depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// The texts of a closed set, which are ordered by their positions or as text.
    Choice {
        names: &'static [&'static str],
        ordered: bool,
    },
    Id,
    Int,
    Float,
    Bool,
    Date,
    Timestamp,
    Number {
        precision: u8,
        scale: u8,
    },
    Document,
    File,
}

impl Kind {
    /// For values that cannot be compared: what they are.
    pub fn incomparable(self) -> Option<&'static str> {
        match self {
            Kind::Document => Some("is json"),
            Kind::File => Some("is a file"),
            Kind::Text | Kind::Choice { .. } | Kind::Id | Kind::Int | Kind::Float | Kind::Bool => None,
            Kind::Date | Kind::Timestamp | Kind::Number { .. } => None,
        }
    }

    /// A key in a response as a parameter.
    pub fn key(self, key: &serde_json::Value) -> Option<Value> {
        match self {
            Kind::Id => key.as_str().and_then(Id::parse).map(|id| Value::Id(Some(id))),
            Kind::Int => key.as_i64().map(|number| Value::Int(Some(number))),
            Kind::Text => key.as_str().map(|text| Value::Text(Some(text.to_owned()))),
            Kind::Choice { .. } | Kind::Float | Kind::Bool | Kind::Date | Kind::Timestamp => None,
            Kind::Number { .. } | Kind::Document | Kind::File => None,
        }
    }

    /// True for text without a closed set of values.
    pub fn is_text(self) -> bool {
        self == Kind::Text
    }
}

/// A name without a meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// No such name.
    Name { name: String, known: &'static [&'static str] },
    /// A path goes on after a field that is not a reference.
    NoReference { name: String, rest: String },
    /// A field that only callers who may update a row see; an order would reveal its values.
    Sensitive { name: String },
    /// A path follows too many references.
    TooLong { name: String },
}

/// A column of the row itself.
pub fn own(row: &str, name: &str, kind: Kind) -> Column {
    Column { sql: Sql::text(format!("{row}.\"{name}\"")), kind, label: None, currency: None }
}

/// A computed value of the row.
pub fn computed(sql: Sql, kind: Kind) -> Column {
    Column { sql, kind, label: None, currency: None }
}

/// A reference, with the type of the key of its target and its label.
pub fn reference(row: &str, name: &str, kind: Kind, label: Option<Column>) -> Column {
    Column { label: label.map(Box::new), ..own(row, name, kind) }
}

/// A value of the row that a reference names. It is null if the caller may not read that row, so that no filter and no order
/// reveals anything about it.
pub fn over_reference(
    row: &str,
    name: &str,
    (table, key): (&str, &str),
    readable: impl FnOnce(&str) -> Sql,
    value: impl FnOnce(&str) -> Result<Column, Unknown>,
) -> Result<Column, Unknown> {
    // Each reference adds one more `$` to the name of the row.
    let target = format!("{row}$");
    if target.matches('$').count() > LONGEST_PATH {
        return Err(Unknown::TooLong { name: name.to_owned() });
    }
    let Column { sql, kind, label, currency } = value(&target)?;
    let readable = readable(&target);
    let select = |value: Sql| {
        let from = format!(" FROM {table} AS {target} WHERE {target}.\"{key}\" = {row}.\"{name}\" AND ");
        value.between("(SELECT ", from).then(readable.clone()).then(Sql::text(")"))
    };
    let unreadable = readable == constant(false);
    let null = || Sql::text("NULL");
    let label = label.map(|label| {
        let sql = if unreadable { null() } else { select(label.sql) };
        Box::new(Column { sql, kind: label.kind, label: None, currency: None })
    });
    let currency = currency.map(|currency| {
        let sql = if unreadable { null() } else { select(currency.sql) };
        Box::new(Column { sql, ..*currency })
    });
    Ok(Column { sql: if unreadable { null() } else { select(sql) }, kind, label, currency })
}

impl Column {
    /// The column of an amount whose currency another column has.
    pub fn within(self, currency: Column) -> Column {
        Column { currency: Some(Box::new(currency)), ..self }
    }

    /// The keys by which rows are sorted: text without the case of ASCII and then as it is, closed sets by position if they are
    /// ordered, references by their labels.
    pub fn sort_keys(self) -> Vec<Sql> {
        if let Some(currency) = self.currency {
            return vec![currency.sql, self.sql];
        }
        match (self.label, self.kind) {
            (Some(label), _) => label.sort_keys(),
            (None, Kind::Text) => vec![self.sql.clone().between("lower(", ")"), self.sql],
            (None, Kind::Choice { names, ordered: true }) => vec![position(self.sql, names)],
            (None, _) => vec![self.sql],
        }
    }
}

/// The position of a text in its closed set.
pub fn position(value: Sql, names: &[&str]) -> Sql {
    let cases = names.iter().enumerate().map(|(at, name)| format!(" WHEN '{}' THEN {at}", name.replace('\'', "''")));
    value.between("(CASE ", cases.collect::<String>() + " END)")
}
