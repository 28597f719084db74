//! The description as SQL. It uses only built-in SQL, so that other tools can open the database.

use super::{
    Check, Column, ColumnType, Edition, Engine, Index, OnDelete, Order, Part, Reference, Schema, Table,
    names::{check_name, column_check_name, index_name, reference_name},
    partitions::{self, primary},
};

/// The largest number of digits of which a scaled 64-bit integer can contain every value.
pub(super) const INTEGER_DIGITS: u8 = 18;

/// Every statement, in order.
pub(super) fn all(schema: &Schema, engine: Engine) -> Vec<String> {
    let mut statements: Vec<String> = schema.tables.iter().map(|table| create_table(table, engine)).collect();
    if engine == Engine::Postgres {
        statements.extend(schema.tables.iter().flat_map(partitions::create));
        // Indexes follow the tables, because tables can reference each other in a cycle.
        statements.extend(schema.tables.iter().flat_map(unique_indexes).map(|(table, index)| create_index(table, index, engine)));
        statements.extend(schema.tables.iter().flat_map(|table| table.references.iter().map(|it| add_reference(table, it))));
        statements.extend(schema.tables.iter().flat_map(other_indexes).map(|(table, index)| create_index(table, index, engine)));
    } else {
        statements.extend(schema.tables.iter().flat_map(unique_indexes).map(|(table, index)| create_index(table, index, engine)));
        statements.extend(schema.tables.iter().flat_map(other_indexes).map(|(table, index)| create_index(table, index, engine)));
    }
    let extras = schema.tables.iter().flat_map(|table| &table.extras).filter(|extra| extra.engine == engine);
    statements.extend(extras.map(|extra| extra.create.clone()));
    statements
}

fn unique_indexes(table: &Table) -> impl Iterator<Item = (&Table, &Index)> {
    table.indexes.iter().filter(|index| index.unique).map(move |index| (table, index))
}

fn other_indexes(table: &Table) -> impl Iterator<Item = (&Table, &Index)> {
    table.indexes.iter().filter(|index| !index.unique).map(move |index| (table, index))
}

/// A name in quotes; the name of a field becomes that of its column.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", dz_vocabulary::column_of_field(name).replace('"', "\"\""))
}

/// A text as a literal.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A truth value; SQLite stores it as a number.
pub(super) fn boolean(value: bool, engine: Engine) -> &'static str {
    match (engine, value) {
        (Engine::Sqlite, true) => "1",
        (Engine::Sqlite, false) => "0",
        (Engine::Postgres, true) => "TRUE",
        (Engine::Postgres, false) => "FALSE",
    }
}

/// The type by its name in the engine.
pub(super) fn column_type(ty: ColumnType, engine: Engine) -> String {
    match engine {
        Engine::Sqlite => match ty {
            ColumnType::Uuid => "BLOB",
            ColumnType::Int | ColumnType::Bool => "INTEGER",
            ColumnType::Float => "REAL",
            ColumnType::Decimal(precision, _) if precision <= INTEGER_DIGITS => "INTEGER",
            ColumnType::Text(_) | ColumnType::Decimal(..) | ColumnType::Date | ColumnType::DateTime | ColumnType::Json => "TEXT",
        }
        .to_owned(),
        Engine::Postgres => match ty {
            ColumnType::Uuid => "uuid".to_owned(),
            ColumnType::Text(None) => "text".to_owned(),
            ColumnType::Text(Some(length)) => format!("character varying({length})"),
            ColumnType::Int => "bigint".to_owned(),
            ColumnType::Float => "double precision".to_owned(),
            ColumnType::Decimal(precision, scale) => format!("numeric({precision},{scale})"),
            ColumnType::Bool => "boolean".to_owned(),
            ColumnType::Date => "date".to_owned(),
            ColumnType::DateTime => "timestamp with time zone".to_owned(),
            ColumnType::Json => "jsonb".to_owned(),
        },
    }
}

/// The statement that creates a table; on PostgreSQL without its foreign keys.
pub(super) fn create_table(table: &Table, engine: Engine) -> String {
    create_table_as(table, &table.name, engine)
}

/// The same statement with another name for the table; constraints have their final names.
pub(super) fn create_table_as(table: &Table, name: &str, engine: Engine) -> String {
    let mut lines: Vec<String> = table.columns.iter().map(|column| column_line(table, column, engine)).collect();
    let key = primary(table, engine);
    if key.len() > 1 || key.iter().any(|key| table.column(key).is_none()) {
        lines.push(format!("PRIMARY KEY ({})", columns(&key)));
    }
    lines.extend(table.checks.iter().map(|check| check_line(table, check, engine)));
    if engine == Engine::Sqlite {
        lines.extend(table.references.iter().map(|reference| reference_line(table, reference)));
    }
    let end = match engine {
        Engine::Sqlite => " STRICT".to_owned(),
        Engine::Postgres => table.partition.as_ref().map(partitions::Partition::clause).unwrap_or_default(),
    };
    format!("CREATE TABLE {} (\n  {}\n){end}", quoted(name), lines.join(",\n  "))
}

/// The definition of a column in its table.
pub(super) fn column_line(table: &Table, column: &Column, engine: Engine) -> String {
    let mut line = format!("{} {}", quoted(&column.name), typed(column.ty, engine));
    if column.required {
        line.push_str(" NOT NULL");
    }
    if column.counted && engine == Engine::Postgres {
        line.push_str(" GENERATED BY DEFAULT AS IDENTITY");
    }
    if *primary(table, engine) == [column.name.as_str()] {
        line.push_str(" PRIMARY KEY");
        if engine == Engine::Sqlite && keeps_numbers(table, column) {
            line.push_str(" AUTOINCREMENT");
        }
    }
    if let Some(default) = &column.default {
        line.push_str(&format!(" DEFAULT {default}"));
    }
    if let Some(condition) = column_check(column, engine) {
        line.push_str(&format!(" CONSTRAINT {} CHECK ({condition})", quoted(&column_check_name(table, column))));
    }
    line
}

/// True if SQLite must record the largest number of a key: responses, records and links name rows by it. The rows of dz's own tables
/// have no such names.
pub(super) fn keeps_numbers(table: &Table, column: &Column) -> bool {
    column.counted && table.edition >= Edition::Third && !table.name.starts_with("dz_")
}

/// The type with the collation of texts.
pub(super) fn typed(ty: ColumnType, engine: Engine) -> String {
    let collation = if engine == Engine::Postgres && matches!(ty, ColumnType::Text(_)) { " COLLATE \"C\"" } else { "" };
    column_type(ty, engine) + collation
}

/// The condition on a column beyond its type.
pub(super) fn column_check(column: &Column, engine: Engine) -> Option<String> {
    let name = quoted(&column.name);
    if !column.values.is_empty() {
        let values: Vec<String> = column.values.iter().map(|value| literal(value)).collect();
        return Some(format!("{name} IN ({})", values.join(", ")));
    }
    match (column.ty, engine) {
        (_, Engine::Postgres) => None,
        (ColumnType::Bool, _) => Some(format!("{name} IN (0, 1)")),
        (ColumnType::Uuid, _) => Some(format!("length({name}) = 16")),
        // SQLite before 3.41 does not accept null as valid JSON.
        (ColumnType::Json, _) => Some(format!("{name} IS NULL OR json_valid({name})")),
        (ColumnType::Text(Some(length)), _) => Some(format!("length({name}) <= {length}")),
        _ => None,
    }
}

pub(super) fn check_line(table: &Table, check: &Check, engine: Engine) -> String {
    format!("CONSTRAINT {} CHECK ({})", quoted(&check_name(table, check)), check.condition.for_engine(engine))
}

pub(super) fn reference_line(table: &Table, reference: &Reference) -> String {
    let on_delete = match reference.on_delete {
        OnDelete::Restrict => "RESTRICT",
        OnDelete::Cascade => "CASCADE",
    };
    format!(
        "CONSTRAINT {} FOREIGN KEY ({}) REFERENCES {} ({}) ON DELETE {on_delete}",
        quoted(&reference_name(table, reference)),
        columns(&reference.columns),
        quoted(&reference.table),
        columns(&reference.targets)
    )
}

pub(super) fn add_reference(table: &Table, reference: &Reference) -> String {
    format!("ALTER TABLE {} ADD {}", quoted(&table.name), reference_line(table, reference))
}

/// Columns in quotes.
pub(super) fn columns(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

pub(super) fn create_index(table: &Table, index: &Index, engine: Engine) -> String {
    let unique = if index.unique { "UNIQUE " } else { "" };
    let keys: Vec<String> = index.parts.iter().flat_map(|part| keys(part, engine)).collect();
    let rows = index.rows.as_ref().map_or(String::new(), |rows| format!(" WHERE {}", rows.for_engine(engine)));
    format!("CREATE {unique}INDEX {} ON {} ({}){rows}", quoted(&index_name(table, index)), quoted(&table.name), keys.join(", "))
}

/// The keys of an index, which are those that the runtime sorts by.
fn keys(part: &Part, engine: Engine) -> Vec<String> {
    let column = quoted(&part.column);
    let direction = match (engine, part.descending, &part.order) {
        (_, false, Order::Plain) | (Engine::Sqlite, false, _) => "",
        (_, true, Order::Plain) | (Engine::Sqlite, true, _) => " DESC",
        (Engine::Postgres, false, _) => " NULLS FIRST",
        (Engine::Postgres, true, _) => " DESC NULLS LAST",
    };
    let keys = match (&part.order, engine) {
        (Order::Plain | Order::List, _) => vec![column],
        (Order::Text, Engine::Sqlite) => vec![format!("{column} COLLATE NOCASE"), column],
        (Order::Text, Engine::Postgres) => vec![format!("lower({column} COLLATE \"C\")"), column],
        (Order::Positions(values), _) => {
            let cases = values.iter().enumerate().map(|(at, value)| format!(" WHEN {} THEN {at}", literal(value)));
            vec![format!("(CASE {column}{} END)", cases.collect::<String>())]
        }
    };
    keys.into_iter().map(|key| key + direction).collect()
}
