//! The contents of the catalogue of a database, in one form for both engines.

/// The contents of a database.
#[derive(Debug, Default)]
pub struct Database {
    /// Its name.
    pub name: String,
    /// The tables, by name.
    pub tables: Vec<Table>,
    /// Enumeration types.
    pub enums: Vec<Enum>,
    /// Objects that are not imported, such as ``the view `totals` ``.
    pub others: Vec<String>,
}

/// An enumeration.
#[derive(Debug)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// The values in their order.
    pub values: Vec<String>,
}

/// A table.
#[derive(Debug, Default)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its comment.
    pub comment: Option<String>,
    /// The columns in their order.
    pub columns: Vec<Column>,
    /// The columns of the primary key.
    pub primary: Vec<String>,
    /// The foreign keys.
    pub references: Vec<Reference>,
    /// Indexes and unique constraints, without that of the primary key.
    pub indexes: Vec<Index>,
    /// The conditions of its checks, as SQL.
    pub checks: Vec<String>,
    /// Its triggers.
    pub triggers: Vec<String>,
}

/// A column.
#[derive(Debug, Default)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type as declared.
    pub ty: String,
    /// True with `NOT NULL`.
    pub required: bool,
    /// The default, as SQL.
    pub default: Option<String>,
    /// True for a column that the database computes.
    pub generated: bool,
}

/// A foreign key.
#[derive(Debug)]
pub struct Reference {
    /// The referring columns.
    pub columns: Vec<String>,
    /// The referenced table.
    pub table: String,
    /// Its columns; empty for its primary key.
    pub targets: Vec<String>,
    /// `CASCADE`, `SET NULL`, `SET DEFAULT`, `RESTRICT` or `NO ACTION`.
    pub on_delete: String,
}

/// An index or a unique constraint.
#[derive(Debug)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// The columns, with true for descending order; `None` is an expression.
    pub columns: Vec<(Option<String>, bool)>,
    /// True for a unique index.
    pub unique: bool,
    /// The condition of a partial index, as SQL.
    pub condition: Option<String>,
}

impl Table {
    /// The column with this name, ignoring case.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }
}
