//! Brings the definitions of tables of an earlier edition to the current one in place, without writing rows.

use super::{
    ColumnType, Edition, Engine, Schema, Table,
    names::{self, check_name, column_check_name, index_name, reference_name},
    sql::{column_check, column_line, keeps_numbers, literal, quoted},
};

/// The changes that lead to the current edition.
pub(super) struct Renaming {
    /// The schema with its new names.
    pub schema: Schema,
    /// The statements that change the definitions; none if there is nothing to change.
    pub there: Vec<String>,
    /// The statements that restore the old definitions.
    pub back: Vec<String>,
    /// The changes, each as the end of the sentence "this migration …".
    pub what: Vec<&'static str>,
}

/// Renames the objects of `old`. A condition that `new` also contains gets the name that it has there.
pub(super) fn rename_objects(old: &Schema, new: &Schema, engine: Engine) -> Renaming {
    let mut schema = old.clone();
    for table in &mut schema.tables {
        let edition = std::mem::take(&mut table.edition);
        if edition > Edition::First {
            continue;
        }
        let twin = new.table(&table.name);
        for check in &mut table.checks {
            let same = twin.and_then(|twin| twin.checks.iter().find(|other| other.condition == check.condition));
            check.name = same.map_or_else(|| names::shorten(check.name.clone()), |same| same.name.clone());
        }
    }
    names::distinguish(&mut schema);
    let (mut there, mut back) = (Vec::new(), Vec::new());
    for (table, later) in old.tables.iter().zip(&schema.tables).filter(|(table, _)| table.edition == Edition::First) {
        match engine {
            Engine::Sqlite => {
                there.extend(on_sqlite(table, later));
                there.extend(allow_null_json(table));
                back.extend(on_sqlite(later, table));
            }
            Engine::Postgres => {
                there.extend(on_postgres(table, later));
                back.extend(on_postgres(later, table));
            }
        }
    }
    let mut what: Vec<&'static str> =
        (!there.is_empty()).then_some("renames constraints and indexes, for example to `tasks_title_key`").into_iter().collect();
    if engine == Engine::Sqlite {
        let recounted = recounted(old, &schema);
        if !recounted.is_empty() {
            what.push("gives no number of a deleted row to another row");
        }
        there.extend(recounted.iter().map(|it| replace(&it.table, &it.before, &it.after)));
        back.extend(recounted.iter().map(|it| replace(&it.table, &it.after, &it.before)));
        there = with_writable_schema(there);
        back = with_writable_schema(back);
        if !recounted.is_empty() {
            there.splice(0..0, CREATE_SEQUENCE.map(str::to_owned));
            there.extend(recounted.iter().flat_map(Recounted::largest_number));
        }
    }
    Renaming { schema: schema.in_order(), there, back, what }
}

/// SQLite creates its table of the largest numbers with the first table that needs it.
const CREATE_SEQUENCE: [&str; 2] = ["CREATE TABLE \"dz_counted\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT)", "DROP TABLE \"dz_counted\""];

/// A table whose key begins to keep its largest number.
struct Recounted {
    table: String,
    key: String,
    /// The old definition of the key.
    before: String,
    /// The new one.
    after: String,
}

impl Recounted {
    /// The statements that record the largest number so far. A reverted migration leaves the record of the table.
    fn largest_number(&self) -> [String; 2] {
        let (table, key, name) = (quoted(&self.table), quoted(&self.key), literal(&self.table));
        [
            format!("INSERT INTO sqlite_sequence (name, seq) SELECT {name}, 0 WHERE {name} NOT IN (SELECT name FROM sqlite_sequence)"),
            format!("UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max({key}), 0) FROM {table})) WHERE name = {name}"),
        ]
    }
}

/// The tables of an edition whose keys do not keep their largest number.
fn recounted(old: &Schema, schema: &Schema) -> Vec<Recounted> {
    let pairs = old.tables.iter().zip(&schema.tables).filter(|(table, _)| table.edition < Edition::Third);
    let keys = pairs.flat_map(|(_, later)| later.columns.iter().filter(|column| keeps_numbers(later, column)).map(move |it| (later, it)));
    keys.map(|(later, column)| {
        let before = Table { edition: Edition::Second, ..later.clone() };
        Recounted {
            table: later.name.clone(),
            key: column.name.clone(),
            before: column_line(&before, column, Engine::Sqlite),
            after: column_line(later, column, Engine::Sqlite),
        }
    })
    .collect()
}

fn on_postgres(from: &Table, to: &Table) -> Vec<String> {
    let table = quoted(&from.name);
    let constraints = changed_names(constraints(from, Engine::Postgres), constraints(to, Engine::Postgres))
        .map(|(old, new)| format!("ALTER TABLE {table} RENAME CONSTRAINT {} TO {}", quoted(&old), quoted(&new)));
    let indexes =
        changed_names(indexes(from), indexes(to)).map(|(old, new)| format!("ALTER INDEX {} RENAME TO {}", quoted(&old), quoted(&new)));
    constraints.chain(indexes).collect()
}

/// SQLite has no statement that renames constraints and indexes. Their names are part of the stored definitions in its catalogue.
fn on_sqlite(from: &Table, to: &Table) -> Vec<String> {
    let constraints = changed_names(constraints(from, Engine::Sqlite), constraints(to, Engine::Sqlite))
        .map(|(old, new)| replace(&from.name, &format!("CONSTRAINT {} ", quoted(&old)), &format!("CONSTRAINT {} ", quoted(&new))));
    let indexes = changed_names(indexes(from), indexes(to)).map(|(old, new)| {
        let text = |name: &str| literal(&format!("INDEX {} ON ", quoted(name)));
        format!(
            "UPDATE sqlite_master SET name = {}, sql = replace(sql, {}, {}) WHERE type = 'index' AND name = {}",
            literal(&new),
            text(&old),
            text(&new),
            literal(&old)
        )
    });
    constraints.chain(indexes).collect()
}

/// The first edition checks JSON without regard to null, which SQLite before 3.41 does not accept as valid JSON.
fn allow_null_json(table: &Table) -> impl Iterator<Item = String> {
    table.columns.iter().filter(|column| column.ty == ColumnType::Json).filter_map(|column| {
        let valid = format!("CHECK (json_valid({}))", quoted(&column.name));
        column_check(column, Engine::Sqlite).map(|now| replace(&table.name, &valid, &format!("CHECK ({now})")))
    })
}

fn replace(table: &str, old: &str, new: &str) -> String {
    let [table, old, new] = [table, old, new].map(literal);
    format!("UPDATE sqlite_master SET sql = replace(sql, {old}, {new}) WHERE type = 'table' AND name = {table}")
}

/// Wraps statements that write SQLite's catalogue, which SQLite then reads again. The view makes other connections read it again too.
fn with_writable_schema(statements: Vec<String>) -> Vec<String> {
    if statements.is_empty() {
        return statements;
    }
    let before = ["PRAGMA writable_schema=ON"];
    let after = ["PRAGMA writable_schema=RESET", "CREATE VIEW \"dz_renamed\" AS SELECT 1", "DROP VIEW \"dz_renamed\""];
    before.into_iter().map(str::to_owned).chain(statements).chain(after.map(str::to_owned)).collect()
}

/// The pairs of names that differ.
fn changed_names(old: Vec<String>, new: Vec<String>) -> impl Iterator<Item = (String, String)> {
    old.into_iter().zip(new).filter(|(old, new)| old != new)
}

fn constraints(table: &Table, engine: Engine) -> Vec<String> {
    let columns = table.columns.iter().filter(|column| column_check(column, engine).is_some());
    let columns = columns.map(|column| column_check_name(table, column));
    let checks = table.checks.iter().map(|check| check_name(table, check));
    columns.chain(checks).chain(table.references.iter().map(|reference| reference_name(table, reference))).collect()
}

fn indexes(table: &Table) -> Vec<String> {
    table.indexes.iter().map(|index| index_name(table, index)).collect()
}
