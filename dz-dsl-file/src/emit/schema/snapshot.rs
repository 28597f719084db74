//! The file beside the migrations that contains the schema after the last of them.

use serde::{Deserialize, Serialize};

use super::{ColumnType, Edition, Engine, EngineSql, Schema};

/// The file's name.
pub const FILE: &str = "schema.toml";

const HEAD: &str = "# The schema that the last migration leads to, for the next `dz migrate diff`. Keep it with the migrations.\n\n";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// A word that changes with the schema, so that two branches with a new migration each conflict.
    fingerprint: String,
    database: Engine,
    /// The naming scheme of constraints and indexes.
    #[serde(default = "first")]
    edition: Edition,
    #[serde(flatten)]
    schema: Schema,
}

fn first() -> Edition {
    Edition::First
}

/// SQL in the file: one text if it is the same for both engines.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Sql {
    Both(String),
    EachEngine(EachEngine),
}

/// A text for each engine.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EachEngine {
    sqlite: String,
    postgres: String,
}

impl From<EngineSql> for Sql {
    fn from(EngineSql { sqlite, postgres }: EngineSql) -> Sql {
        if sqlite == postgres { Sql::Both(sqlite) } else { Sql::EachEngine(EachEngine { sqlite, postgres }) }
    }
}

impl From<Sql> for EngineSql {
    fn from(sql: Sql) -> EngineSql {
        match sql {
            Sql::Both(sql) => EngineSql::both(sql),
            Sql::EachEngine(EachEngine { sqlite, postgres }) => EngineSql { sqlite, postgres },
        }
    }
}

/// The text of the file.
///
/// # Errors
/// One sentence, if the schema contains a value that TOML cannot express.
pub fn write(schema: &Schema, database: Engine) -> Result<String, String> {
    let mut schema = schema.clone();
    // Former names only matter for one migration.
    for table in &mut schema.tables {
        table.was = None;
        table.columns.iter_mut().for_each(|column| column.was = None);
    }
    let edition = schema.tables.first().map_or_else(Edition::default, |table| table.edition);
    let file = File { fingerprint: schema.fingerprint(database), database, edition, schema };
    let text = toml::to_string(&file).map_err(|error| format!("the schema cannot be written: {error}"))?;
    Ok(format!("{HEAD}{text}"))
}

/// Reads what [`write()`] wrote.
///
/// # Errors
/// One sentence about the error.
pub fn read(text: &str) -> Result<(Schema, Engine), String> {
    let mut file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| text.get(..span.start).unwrap_or(text).matches('\n').count() + 1);
        format!("line {line}: {}", error.message().lines().next().unwrap_or_default())
    })?;
    file.schema.tables.iter_mut().for_each(|table| table.edition = file.edition);
    Ok((file.schema, file.database))
}

impl From<ColumnType> for String {
    fn from(ty: ColumnType) -> String {
        match ty {
            ColumnType::Uuid => "uuid".to_owned(),
            ColumnType::Text(None) => "text".to_owned(),
            ColumnType::Text(Some(length)) => format!("text({length})"),
            ColumnType::Int => "int".to_owned(),
            ColumnType::Float => "float".to_owned(),
            ColumnType::Decimal(precision, scale) => format!("decimal({precision},{scale})"),
            ColumnType::Bool => "bool".to_owned(),
            ColumnType::Date => "date".to_owned(),
            ColumnType::DateTime => "datetime".to_owned(),
            ColumnType::Json => "json".to_owned(),
        }
    }
}

impl TryFrom<String> for ColumnType {
    type Error = String;

    fn try_from(text: String) -> Result<ColumnType, String> {
        let unknown = || format!("`{text}` is not a type of a column");
        let (word, inner) = match text.split_once('(') {
            Some((word, rest)) => (word, Some(rest.strip_suffix(')').ok_or_else(unknown)?)),
            None => (text.as_str(), None),
        };
        Ok(match (word, inner) {
            ("uuid", None) => ColumnType::Uuid,
            ("text", None) => ColumnType::Text(None),
            ("text", Some(length)) => ColumnType::Text(Some(length.parse().map_err(|_| unknown())?)),
            ("int", None) => ColumnType::Int,
            ("float", None) => ColumnType::Float,
            ("decimal", Some(inner)) => {
                let (precision, scale) = inner.split_once(',').ok_or_else(unknown)?;
                ColumnType::Decimal(precision.parse().map_err(|_| unknown())?, scale.parse().map_err(|_| unknown())?)
            }
            ("bool", None) => ColumnType::Bool,
            ("date", None) => ColumnType::Date,
            ("datetime", None) => ColumnType::DateTime,
            ("json", None) => ColumnType::Json,
            _ => return Err(unknown()),
        })
    }
}
