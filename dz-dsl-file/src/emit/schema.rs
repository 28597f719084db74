//! The database schema of a model: a description without an engine, and its SQL for each engine.
//!
//! It is the only source of SQL for tables. The macros embed the SQL in the application; `dz migrate diff` compares the
//! description with the snapshot of the last migration. The names of constraints and indexes follow from their columns (`names`).

mod backfill;
mod check;
mod convert;
pub mod diff;
pub mod distribute;
mod entity;
pub mod framework;
mod indexes;
pub mod lock;
mod names;
pub mod online;
pub mod partitions;
mod postgres;
mod renaming;
pub mod snapshot;
mod sql;
mod sqlite;
pub mod tenant;
pub mod timer;
pub mod unfilled;

pub(crate) use check::rows;
pub(crate) use indexes::{compared_by_region, has_index_on};
pub use names::Edition;
use serde::{Deserialize, Serialize};

use crate::model::Model;

/// A database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// SQLite 3.37 and later.
    Sqlite,
    /// PostgreSQL 13 and later.
    Postgres,
}

impl Engine {
    /// Its name in `dz.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgres",
        }
    }
}

/// All tables of an application, including those of dz.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The tables, those of entities first.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The entity whose rows the table contains; dz's own tables have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The former entity or table, from `was:`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The columns of its primary key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primary: Vec<String>,
    /// Conditions beyond the type of one column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Foreign keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// Indexes, including unique ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<Index>,
    /// Other objects of the table, such as triggers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extras: Vec<Extra>,
    /// The timed transitions of its rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timers: Vec<timer::Timer>,
    /// How PostgreSQL divides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<partitions::Partition>,
    /// The naming scheme of its constraints and indexes.
    #[serde(skip)]
    pub edition: Edition,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The former name, from `was:`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The type of its values.
    #[serde(rename = "type")]
    pub ty: ColumnType,
    /// True if null is not allowed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// The allowed texts; empty if every text is allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The default of the database, as SQL that both engines accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// True for an auto-increment key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counted: bool,
    /// The value that existing rows get when the column is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<EngineSql>,
    /// The currency of all amounts in it, by its ISO 4217 code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The column of amounts whose currency this column contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
}

/// An SQL expression for each engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "snapshot::Sql", from = "snapshot::Sql")]
pub struct EngineSql {
    /// For SQLite.
    pub sqlite: String,
    /// For PostgreSQL.
    pub postgres: String,
}

/// The type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ColumnType {
    /// 128-bit identifiers.
    Uuid,
    /// Text of at most so many code points.
    Text(Option<u32>),
    /// 64-bit whole numbers.
    Int,
    /// IEEE doubles.
    Float,
    /// Exact decimals: the number of digits, and the number of digits after the point.
    Decimal(u8, u8),
    /// True or false.
    Bool,
    /// Dates.
    Date,
    /// Timestamps.
    DateTime,
    /// JSON.
    Json,
}

/// A condition on every row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// The condition, which is never null.
    pub condition: EngineSql,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The referring columns.
    pub columns: Vec<String>,
    /// The referenced table.
    pub table: String,
    /// The referenced columns.
    pub targets: Vec<String>,
    /// The referential action for a deleted target row.
    pub on_delete: OnDelete,
}

/// What the database does with a row whose referenced row is deleted. dz applies its own deletion rules first, so this applies only to
/// other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnDelete {
    /// Refuses the deletion.
    Restrict,
    /// Deletes the row too.
    Cascade,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// The keys.
    pub parts: Vec<Part>,
    /// True for a unique index.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// The condition of a partial index, or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<EngineSql>,
    /// True if the name has a hash, because another index or table would have the same name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
}

/// An index and its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Purpose {
    /// The table.
    pub table: String,
    /// The name of the index.
    pub index: String,
    /// The column of its first key.
    #[serde(skip)]
    pub first_column: String,
    /// The reasons, each as the end of "this index …".
    pub why: Vec<String>,
}

/// One key of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The column.
    pub column: String,
    /// Largest first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
    /// How values are compared.
    #[serde(default, skip_serializing_if = "Order::is_plain")]
    pub order: Order,
}

/// How an index compares values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// As the column compares them, for equality and ranges.
    #[default]
    Plain,
    /// As lists are sorted: null is the smallest value.
    List,
    /// As lists sort text: without regard to ASCII case, then by code points.
    Text,
    /// By the position among these texts.
    Positions(Vec<String>),
}

/// A statement that belongs to a table, with the statement that reverts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// The engine it is for.
    pub engine: Engine,
    /// Creates the object.
    pub create: String,
    /// Drops it; on SQLite it is also dropped with its table.
    pub drop: String,
}

impl Schema {
    /// The schema of a model.
    pub fn from_model(model: &Model) -> Schema {
        let mut tables: Vec<Table> = model.entities.iter().map(|entity| entity::table(model, entity)).collect();
        let tenant = model.tenant.and_then(|tenant| tables.get(tenant.0));
        let own = tables.get(model.account.0).map(|account| framework::tables(account, tenant, framework::Needs::of_model(model)));
        tables.extend(own.into_iter().flatten());
        Schema::with(tables)
    }

    /// The schema of these tables.
    pub fn with(tables: Vec<Table>) -> Schema {
        let mut schema = Schema { tables }.in_order();
        names::distinguish(&mut schema);
        schema
    }

    /// Sorts lists without a meaningful order, so that equal schemas compare as equal.
    fn in_order(mut self) -> Schema {
        for table in &mut self.tables {
            table.checks.sort_by(|one, other| one.name.cmp(&other.name));
            table.references.sort_by(|one, other| one.columns.cmp(&other.columns));
            table.indexes.sort_by_key(names::index_identity);
        }
        self
    }

    /// Every index of the entities' tables, with its name and its reasons.
    pub fn purposes(&self, model: &Model) -> Vec<Purpose> {
        let of = |entity: &crate::model::Entity| {
            let table = self.table(&entity.table);
            let named = |explained: indexes::Explained| {
                let (table, wanted) = (table?, &explained.index);
                let same = |index: &&Index| (&index.parts, index.unique, &index.rows) == (&wanted.parts, wanted.unique, &wanted.rows);
                let index = table.indexes.iter().find(same)?;
                let first_column = index.parts.first().map(|part| part.column.clone()).unwrap_or_default();
                Some(Purpose { table: table.name.clone(), index: names::index_name(table, index), first_column, why: explained.reasons })
            };
            indexes::explain(model, entity).into_iter().filter_map(named).collect::<Vec<_>>()
        };
        model.entities.iter().flat_map(of).collect()
    }

    /// The table called `name`.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Every statement that creates the schema, in order, each with a semicolon and a line break at the end.
    pub fn sql(&self, engine: Engine) -> String {
        sql::all(self, engine).into_iter().map(|statement| statement + ";\n").collect()
    }

    /// One line for each column: table, column, the type by its name in the engine, and `!` if null is not allowed, separated
    /// by tabs.
    pub fn columns(&self, engine: Engine) -> String {
        let line = |table: &Table, column: &Column| {
            let required = if column.required { "!" } else { "" };
            format!("{}\t{}\t{}\t{required}\n", table.name, column.name, sql::column_type(column.ty, engine))
        };
        self.tables.iter().flat_map(|table| table.columns.iter().map(move |column| line(table, column))).collect()
    }

    /// The columns of each constraint, one line each: the name, a tab, and the columns separated by commas.
    pub fn constraints(&self) -> String {
        names::constraints(self)
    }

    /// A word that changes with the schema, and not with the order in which tables and columns are declared.
    pub fn fingerprint(&self, engine: Engine) -> String {
        let mut sorted = self.clone();
        sorted.tables.sort_by(|one, other| one.name.cmp(&other.name));
        sorted.tables.iter_mut().for_each(|table| table.columns.sort_by(|one, other| one.name.cmp(&other.name)));
        let sql = sorted.sql(engine);
        format!("{:016x}{:016x}", hash(sql.as_bytes(), 0), hash(sql.as_bytes(), 1))
    }
}

/// FNV-1a: it distinguishes texts, and is not a cryptographic hash.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

impl Table {
    /// An empty table.
    pub fn new(name: &str) -> Table {
        Table { name: name.to_owned(), ..Table::default() }
    }

    /// Adds a column that is never null.
    #[must_use]
    pub fn required(mut self, name: &str, ty: ColumnType) -> Table {
        self.columns.push(Column::new(name, ty, true));
        self
    }

    /// Adds a column that may be null.
    #[must_use]
    pub fn optional(mut self, name: &str, ty: ColumnType) -> Table {
        self.columns.push(Column::new(name, ty, false));
        self
    }

    /// Gives the last column a default, as SQL that both engines accept.
    #[must_use]
    pub fn preset(mut self, sql: &str) -> Table {
        if let Some(column) = self.columns.last_mut() {
            column.default = Some(sql.to_owned());
        }
        self
    }

    /// Makes the last column, which must be an integer, an auto-increment key.
    #[must_use]
    pub fn counted(mut self) -> Table {
        if let Some(column) = self.columns.last_mut() {
            column.counted = true;
            self.primary = vec![column.name.clone()];
        }
        self
    }

    /// Sets the primary key.
    #[must_use]
    pub fn key(mut self, columns: &[&str]) -> Table {
        self.primary = columns.iter().map(|&column| column.to_owned()).collect();
        self
    }

    /// Adds a foreign key of one column.
    #[must_use]
    pub fn reference(mut self, column: &str, table: &str, target: &str, on_delete: OnDelete) -> Table {
        let reference =
            Reference { columns: vec![column.to_owned()], table: table.to_owned(), targets: vec![target.to_owned()], on_delete };
        self.references.push(reference);
        self
    }

    /// Adds an index for equality and ranges.
    #[must_use]
    pub fn index(mut self, columns: &[&str]) -> Table {
        self.indexes.push(Index::plain(columns, false));
        self
    }

    /// Adds an index of the rows that meet `rows`, as SQL that both engines accept.
    #[must_use]
    pub fn partial_index(mut self, columns: &[&str], rows: &str) -> Table {
        self.indexes.push(Index { rows: Some(EngineSql::both(rows)), ..Index::plain(columns, false) });
        self
    }

    /// Adds a unique index.
    #[must_use]
    pub fn unique(mut self, columns: &[&str]) -> Table {
        self.indexes.push(Index::plain(columns, true));
        self
    }

    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Column {
    /// A column of this type without further properties.
    pub fn new(name: &str, ty: ColumnType, required: bool) -> Column {
        Column {
            name: name.to_owned(),
            was: None,
            ty,
            required,
            values: Vec::new(),
            default: None,
            counted: false,
            fill: None,
            currency: None,
            amount: None,
        }
    }
}

impl Order {
    fn is_plain(&self) -> bool {
        *self == Order::Plain
    }
}

impl Index {
    /// An index of these columns.
    pub fn plain(columns: &[&str], unique: bool) -> Index {
        let part = |&column: &&str| Part { column: column.to_owned(), descending: false, order: Order::Plain };
        Index { parts: columns.iter().map(part).collect(), unique, rows: None, distinct: false }
    }
}

impl EngineSql {
    /// The same for both engines.
    pub fn both(sql: impl Into<String>) -> EngineSql {
        let sql = sql.into();
        EngineSql { sqlite: sql.clone(), postgres: sql }
    }

    /// The conjunction of two conditions.
    fn and(&self, other: &EngineSql) -> EngineSql {
        let of = |engine| format!("{} AND {}", self.for_engine(engine), other.for_engine(engine));
        EngineSql { sqlite: of(Engine::Sqlite), postgres: of(Engine::Postgres) }
    }

    /// The expression for one engine.
    pub fn for_engine(&self, engine: Engine) -> &str {
        match engine {
            Engine::Sqlite => &self.sqlite,
            Engine::Postgres => &self.postgres,
        }
    }
}
