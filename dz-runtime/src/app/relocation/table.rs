//! The tables of an application with the types of their columns, which both engines encode in their own way.

use super::refusal;
use crate::{
    Engine, Result,
    db::{BindKind, Statement},
    def::AppDef,
};

/// Tables whose rows belong to a database or a process, and are not data.
const NOT_COPIED: [&str; 3] = ["dz_meta", "dz_instances", "dz_edge_changes"];

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    /// Its name.
    pub name: String,
    /// The encoding of its values.
    pub kind: BindKind,
}

impl Table {
    /// The names of all columns, separated by commas.
    pub fn column_names(&self) -> Statement {
        let mut names = Statement::new();
        for (at, column) in self.columns.iter().enumerate() {
            names.push(if at == 0 { "" } else { ", " }).ident(&column.name);
        }
        names
    }

    /// The encodings of all columns.
    pub fn kinds(&self) -> Vec<BindKind> {
        self.columns.iter().map(|column| column.kind).collect()
    }
}

/// The tables whose rows are copied. Both engines have the same columns; the types are read from those of PostgreSQL, which name the
/// digits of decimals.
///
/// # Errors
/// A type that no field and no table of dz has.
pub(super) fn data_tables(app: &'static AppDef) -> Result<Vec<Table>> {
    let mut tables: Vec<Table> = Vec::new();
    for line in app.schema.for_engine(Engine::Postgres).columns.lines() {
        let mut parts = line.split('\t');
        let (Some(table), Some(name), Some(ty)) = (parts.next(), parts.next(), parts.next()) else { continue };
        if NOT_COPIED.contains(&table) {
            continue;
        }
        let kind = kind_of(ty).ok_or_else(|| refusal(format!("`{table}.{name}` has the unknown type {ty}")))?;
        if tables.last().is_none_or(|last| last.name != table) {
            tables.push(Table { name: table.to_owned(), columns: Vec::new() });
        }
        tables.last_mut().into_iter().for_each(|table| table.columns.push(Column { name: name.to_owned(), kind }));
    }
    Ok(tables)
}

/// The encoding of a type of PostgreSQL.
fn kind_of(ty: &str) -> Option<BindKind> {
    Some(match ty {
        "uuid" => BindKind::Uuid,
        "text" => BindKind::Text,
        "bigint" => BindKind::Int,
        "double precision" => BindKind::Float,
        "boolean" => BindKind::Bool,
        "date" => BindKind::Date,
        "timestamp with time zone" => BindKind::DateTime,
        "jsonb" => BindKind::Json,
        text if text.starts_with("character varying(") => BindKind::Text,
        number => {
            let (precision, scale) = number.strip_prefix("numeric(")?.strip_suffix(')')?.split_once(',')?;
            BindKind::Decimal { precision: precision.parse().ok()?, scale: scale.parse().ok()? }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_postgresql_have_an_encoding() {
        assert_eq!(kind_of("character varying(80)"), Some(BindKind::Text));
        assert_eq!(kind_of("numeric(20,4)"), Some(BindKind::Decimal { precision: 20, scale: 4 }));
        assert_eq!(kind_of("timestamp with time zone"), Some(BindKind::DateTime));
        assert_eq!(kind_of("money"), None);
    }
}
