//! The statements of a migration on SQLite.
//!
//! SQLite can only add columns and indexes in place. For other changes the script creates a new table, copies the rows, and replaces
//! the old table.

use super::{
    Column, Engine, Index, Table, convert,
    diff::{Changes, SharedTable},
    names::index_name,
    sql::{check_line, column_line, create_index, create_table, create_table_as, keeps_numbers, literal, quoted, reference_line},
};

const ENGINE: Engine = Engine::Sqlite;
const BEGIN: &str = "PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\n";
const END: &str = "COMMIT;\nPRAGMA foreign_keys=ON;\n";

/// The transaction around a rebuild. Dropping a table deletes its rows and the rows that reference them, unless foreign keys are off.
/// A transaction cannot disable foreign keys, so the script contains its own transaction. The script converts a row of the foreign key
/// check to an error, which leaves the transaction open for a rollback, also if the tool ignores results.
pub(super) fn add_frame(sql: &str) -> String {
    let check = "CREATE TEMP TABLE dz_dangling (rows INTEGER CHECK (rows = 0));\n\
                 INSERT INTO dz_dangling SELECT count(*) FROM pragma_foreign_key_check;\n\
                 DROP TABLE dz_dangling;\n\
                 PRAGMA foreign_key_check;\n";
    format!("{BEGIN}{sql}{check}{END}")
}

/// True if the statements need a frame, because a table is dropped or rebuilt.
pub(super) fn needs_frame(changes: &Changes<'_>) -> bool {
    !changes.dropped.is_empty() || changes.shared.iter().any(needs_rebuild)
}

/// The statements.
pub(super) fn statements(changes: &Changes<'_>) -> Vec<String> {
    let (rebuilt, altered): (Vec<&SharedTable<'_>>, Vec<&SharedTable<'_>>) =
        changes.shared.iter().partition(|shared| needs_rebuild(shared));
    let mut all = Vec::new();
    for shared in &altered {
        let gone = shared.old.indexes.iter().filter(|index| !same_index(shared.new, shared.old, index));
        all.extend(gone.map(|index| format!("DROP INDEX {}", quoted(&index_name(shared.old, index)))));
        all.extend(extras(shared.old).filter(|it| !shared.new.extras.contains(it)).map(|it| it.drop.clone()));
    }
    for shared in &rebuilt {
        let aside = temporary_name(shared.new);
        all.push(create_table_as(shared.new, &aside, ENGINE));
        all.push(copy_rows(shared, &aside));
        all.extend(copy_largest_number(shared, &aside));
    }
    all.extend(
        rebuilt.iter().map(|shared| shared.old).chain(changes.dropped.iter().copied()).map(|it| format!("DROP TABLE {}", quoted(&it.name))),
    );
    all.extend(
        rebuilt.iter().map(|shared| format!("ALTER TABLE {} RENAME TO {}", quoted(&temporary_name(shared.new)), quoted(&shared.new.name))),
    );
    all.extend(changes.created.iter().map(|table| create_table(table, ENGINE)));
    for shared in &altered {
        for (column, _) in shared.columns.iter().filter(|(_, before)| before.is_none()) {
            all.push(format!("ALTER TABLE {} ADD COLUMN {}", quoted(&shared.new.name), column_line(shared.new, column, ENGINE)));
            all.extend(fill_value(shared.new, column));
        }
    }
    for table in rebuilt.iter().map(|shared| shared.new).chain(changes.created.iter().copied()) {
        all.extend(table.indexes.iter().map(|index| create_index(table, index, ENGINE)));
        all.extend(extras(table).map(|it| it.create.clone()));
    }
    for shared in &altered {
        let added = shared.new.indexes.iter().filter(|index| !same_index(shared.old, shared.new, index));
        all.extend(added.map(|index| create_index(shared.new, index, ENGINE)));
        all.extend(extras(shared.new).filter(|it| !shared.old.extras.contains(it)).map(|it| it.create.clone()));
    }
    all
}

fn extras(table: &Table) -> impl Iterator<Item = &super::Extra> {
    table.extras.iter().filter(|it| it.engine == ENGINE)
}

fn same_index(there: &Table, here: &Table, index: &Index) -> bool {
    there.indexes.iter().any(|other| create_index(there, other, ENGINE) == create_index(here, index, ENGINE))
}

/// The temporary name of the new table.
fn temporary_name(table: &Table) -> String {
    format!("dz_new_{}", table.name)
}

/// True unless new columns and indexes are the only changes, and SQLite can add the columns in place.
fn needs_rebuild(shared: &SharedTable<'_>) -> bool {
    let addable = |column: &Column| !column.required || column.default.is_some();
    // Types with the same text can have other values: 12.50 is 1250 with two decimal places, and 125000 with four.
    let converts = |old: &Column, new: &Column| convert::value(old, new, ENGINE).is_none_or(|value| value.sql != quoted(&old.name));
    let same =
        |old: &Column, new: &Column| column_line(shared.old, old, ENGINE) == column_line(shared.new, new, ENGINE) && !converts(old, new);
    let columns = shared.columns.iter().all(|(column, before)| match before {
        None => addable(column),
        Some(before) => same(before, column),
    });
    // The constraints with their names, as the text of the table contains them.
    let around = |table: &Table| {
        let checks = table.checks.iter().map(|check| check_line(table, check, ENGINE));
        checks.chain(table.references.iter().map(|reference| reference_line(table, reference))).collect::<Vec<_>>()
    };
    shared.is_renamed() || !shared.lost.is_empty() || !columns || around(shared.old) != around(shared.new)
}

fn copy_rows(shared: &SharedTable<'_>, aside: &str) -> String {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for (column, before) in &shared.columns {
        let value = match before {
            Some(before) => convert::required_value(before, column, ENGINE),
            None => match &column.fill {
                Some(fill) => fill.sqlite.clone(),
                // An omitted column gets its default. A required column without a default gets null, so that the migration fails if there are rows.
                None if column.default.is_some() || !column.required => continue,
                None => "NULL".to_owned(),
            },
        };
        names.push(quoted(&column.name));
        values.push(value);
    }
    format!("INSERT INTO {} ({}) SELECT {} FROM {}", quoted(aside), names.join(", "), values.join(", "), quoted(&shared.old.name))
}

/// The statements that take over the largest number of a key, which can be that of a deleted row.
fn copy_largest_number(shared: &SharedTable<'_>, aside: &str) -> Vec<String> {
    let keeps = |table: &Table| table.columns.iter().any(|column| keeps_numbers(table, column));
    if !keeps(shared.old) || !keeps(shared.new) {
        return Vec::new();
    }
    let (aside, old) = (literal(aside), literal(&shared.old.name));
    vec![
        format!("INSERT INTO sqlite_sequence (name, seq) SELECT {aside}, 0 WHERE {aside} NOT IN (SELECT name FROM sqlite_sequence)"),
        format!(
            "UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max(o.seq), 0) FROM sqlite_sequence AS o WHERE o.name = {old})) WHERE \
             name = {aside}"
        ),
    ]
}

fn fill_value(table: &Table, column: &Column) -> Option<String> {
    let fill = column.fill.as_ref().filter(|_| column.default.is_none())?;
    Some(format!("UPDATE {} SET {} = {}", quoted(&table.name), quoted(&column.name), fill.sqlite))
}
