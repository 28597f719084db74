//! The statements of a migration on PostgreSQL: they alter tables in place, in one transaction.

use super::{
    Column, Engine, Reference, Table, convert,
    diff::{Changes, SharedTable},
    names::{check_name, column_check_name, index_name, key_index, reference_name},
    partitions,
    sql::{add_reference, check_line, column_check, column_line, create_index, create_table, quoted, typed},
};

const ENGINE: Engine = Engine::Postgres;

/// The statements.
pub(super) fn statements(changes: &Changes<'_>) -> Vec<String> {
    let mut all = Vec::new();
    let stays = |shared: &SharedTable<'_>, reference: &Reference| keeps_reference(changes, shared, reference);
    // Constraints on what changes are dropped first.
    for shared in &changes.shared {
        for reference in shared.old.references.iter().filter(|reference| !stays(shared, reference)) {
            all.push(drop_constraint(&shared.old.name, &reference_name(shared.old, reference)));
        }
    }
    for table in &changes.dropped {
        all.extend(table.references.iter().map(|it| drop_constraint(&table.name, &reference_name(table, it))));
    }
    for shared in &changes.shared {
        drop_objects(shared, &mut all);
    }
    all.extend(changes.dropped.iter().map(|table| format!("DROP TABLE {}", quoted(&table.name))));
    for shared in &changes.shared {
        rename(shared, &mut all);
    }
    all.extend(changes.created.iter().map(|table| create_table(table, ENGINE)));
    all.extend(changes.created.iter().flat_map(|table| partitions::create(table)));
    for shared in &changes.shared {
        change_columns(shared, &mut all);
    }
    for shared in &changes.shared {
        let added = shared.new.checks.iter().filter(|it| !keeps_check(shared, it));
        all.extend(added.map(|it| format!("ALTER TABLE {} ADD {}", quoted(&shared.new.name), check_line(shared.new, it, ENGINE))));
        all.extend(
            shared
                .new
                .indexes
                .iter()
                .filter(|index| !has_index(shared, shared.old, shared.new, index))
                .map(|it| create_index(shared.new, it, ENGINE)),
        );
    }
    for table in &changes.created {
        all.extend(table.indexes.iter().map(|index| create_index(table, index, ENGINE)));
    }
    for table in &changes.created {
        all.extend(table.references.iter().map(|it| add_reference(table, it)));
    }
    for shared in &changes.shared {
        let kept_names: Vec<String> =
            shared.old.references.iter().filter(|it| stays(shared, it)).map(|it| reference_name(shared.old, it)).collect();
        let added = shared.new.references.iter().filter(|it| !kept_names.contains(&reference_name(shared.new, it)));
        all.extend(added.map(|it| add_reference(shared.new, it)));
    }
    for shared in &changes.shared {
        let new = shared.new.extras.iter().filter(|it| it.engine == ENGINE && (shared.is_renamed() || !shared.old.extras.contains(it)));
        all.extend(new.map(|it| it.create.clone()));
    }
    all.extend(changes.created.iter().flat_map(|table| &table.extras).filter(|it| it.engine == ENGINE).map(|it| it.create.clone()));
    let now: Vec<Table> = changes.created.iter().copied().chain(changes.shared.iter().map(|shared| shared.new)).cloned().collect();
    for shared in changes.shared.iter().filter(|shared| shared.changes_partition(ENGINE)) {
        all.extend(partitions::change(shared.old, shared.new, &now));
    }
    all
}

fn drop_constraint(table: &str, name: &str) -> String {
    format!("ALTER TABLE {} DROP CONSTRAINT {}", quoted(table), quoted(name))
}

/// True if a foreign key is unaffected: its table, its columns and its target do not change.
fn keeps_reference(changes: &Changes<'_>, shared: &SharedTable<'_>, reference: &Reference) -> bool {
    let target = changes.shared.iter().find(|it| it.old.name == reference.table);
    let steady = |shared: &SharedTable<'_>, names: &[String]| names.iter().all(|name| is_unchanged(shared, name));
    !shared.is_renamed()
        && shared.new.references.contains(reference)
        && steady(shared, &reference.columns)
        && target.is_some_and(|target| {
            // It also depends on the unique index of exactly these columns of its target.
            let is_used = |index: &&super::Index| {
                let columns = || index.parts.iter().map(|part| &part.column);
                index.unique
                    && index.rows.is_none()
                    && columns().count() == reference.targets.len()
                    && columns().all(|it| reference.targets.contains(it))
            };
            let indexes = target.old.indexes.iter().filter(is_used).all(|it| has_index(target, target.new, target.old, it));
            !target.is_renamed() && steady(target, &reference.targets) && indexes
        })
}

/// True if a column keeps its name and type.
fn is_unchanged(shared: &SharedTable<'_>, name: &str) -> bool {
    shared.columns.iter().any(|(column, before)| column.name == name && before.is_some_and(|it| it.name == name && it.ty == column.ty))
}

/// True if an index of `here` is also on `there`, and its columns do not change.
fn has_index(shared: &SharedTable<'_>, there: &Table, here: &Table, index: &super::Index) -> bool {
    !shared.is_renamed()
        && there.indexes.contains(index)
        && there.name == here.name
        && index.parts.iter().all(|part| is_unchanged(shared, &part.column))
}

/// PostgreSQL drops a column together with the checks that use it.
fn keeps_check(shared: &SharedTable<'_>, check: &super::Check) -> bool {
    !shared.is_renamed() && shared.lost.is_empty() && shared.old.checks.contains(check) && shared.new.checks.contains(check)
}

fn drop_objects(shared: &SharedTable<'_>, all: &mut Vec<String>) {
    let table = &shared.old.name;
    let gone = |it: &&super::Extra| it.engine == ENGINE && (shared.is_renamed() || !shared.new.extras.contains(it));
    all.extend(shared.old.extras.iter().filter(gone).map(|it| it.drop.clone()));
    let checks = shared.old.checks.iter().filter(|it| !keeps_check(shared, it));
    all.extend(checks.map(|it| drop_constraint(table, &check_name(shared.old, it))));
    for (column, before) in &shared.columns {
        if let Some(before) = before
            && column_check(before, ENGINE).is_some()
            && !same_check(shared, before, column)
        {
            all.push(drop_constraint(table, &column_check_name(shared.old, before)));
        }
    }
    let indexes = shared.old.indexes.iter().filter(|index| !has_index(shared, shared.new, shared.old, index));
    all.extend(indexes.map(|index| format!("DROP INDEX {}", quoted(&index_name(shared.old, index)))));
    all.extend(shared.lost.iter().map(|column| format!("ALTER TABLE {} DROP COLUMN {}", quoted(table), quoted(&column.name))));
}

fn same_check(shared: &SharedTable<'_>, before: &Column, column: &Column) -> bool {
    column_check(before, ENGINE) == column_check(column, ENGINE)
        && column_check_name(shared.old, before) == column_check_name(shared.new, column)
}

fn rename(shared: &SharedTable<'_>, all: &mut Vec<String>) {
    let (old, new) = (&shared.old.name, &shared.new.name);
    if shared.is_renamed() {
        all.push(format!("ALTER TABLE {} RENAME TO {}", quoted(old), quoted(new)));
        // The server names the index of the key after the table.
        all.push(format!("ALTER INDEX {} RENAME TO {}", quoted(&key_index(old)), quoted(&key_index(new))));
        all.extend(partitions::rename(shared.old, shared.new));
    }
    for (column, before) in &shared.columns {
        let Some(before) = before.filter(|it| it.name != column.name) else { continue };
        all.push(format!("ALTER TABLE {} RENAME COLUMN {} TO {}", quoted(new), quoted(&before.name), quoted(&column.name)));
    }
}

fn change_columns(shared: &SharedTable<'_>, all: &mut Vec<String>) {
    let table = quoted(&shared.new.name);
    for (column, before) in &shared.columns {
        match before {
            None => add_column(shared.new, column, all),
            Some(before) => change_column(shared, &table, before, column, all),
        }
    }
}

fn add_column(table: &Table, column: &Column, all: &mut Vec<String>) {
    let name = quoted(&table.name);
    match &column.fill {
        Some(fill) if column.default.is_none() => {
            let optional = Column { required: false, ..column.clone() };
            all.push(format!("ALTER TABLE {name} ADD COLUMN {}", column_line(table, &optional, ENGINE)));
            all.push(format!("UPDATE {name} SET {} = {}", quoted(&column.name), fill.postgres));
            if column.required {
                all.push(format!("ALTER TABLE {name} ALTER COLUMN {} SET NOT NULL", quoted(&column.name)));
            }
        }
        _ => all.push(format!("ALTER TABLE {name} ADD COLUMN {}", column_line(table, column, ENGINE))),
    }
}

fn change_column(shared: &SharedTable<'_>, table: &str, before: &Column, column: &Column, all: &mut Vec<String>) {
    let name = quoted(&column.name);
    let alter = |what: String| format!("ALTER TABLE {table} ALTER COLUMN {name} {what}");
    // The column has its new name already.
    let value = convert::required_value(&Column { name: column.name.clone(), ..before.clone() }, column, ENGINE);
    if before.default != column.default && before.default.is_some() {
        all.push(alter("DROP DEFAULT".to_owned()));
    }
    if before.ty != column.ty {
        all.push(alter(format!("TYPE {} USING {value}", typed(column.ty, ENGINE))));
    } else if let Some(fill) = column.fill.as_ref().filter(|fill| value == format!("COALESCE({name}, {})", fill.postgres)) {
        all.push(format!("UPDATE {table} SET {name} = {} WHERE {name} IS NULL", fill.postgres));
    } else if value != name {
        all.push(format!("UPDATE {table} SET {name} = {value} WHERE {name} IS DISTINCT FROM {value}"));
    }
    match (before.required, column.required) {
        (false, true) => all.push(alter("SET NOT NULL".to_owned())),
        (true, false) => all.push(alter("DROP NOT NULL".to_owned())),
        _ => {}
    }
    if let Some(default) = column.default.as_ref().filter(|_| before.default != column.default) {
        all.push(alter(format!("SET DEFAULT {default}")));
    }
    if let Some(condition) = column_check(column, ENGINE).filter(|_| !same_check(shared, before, column)) {
        let constraint = quoted(&column_check_name(shared.new, column));
        all.push(format!("ALTER TABLE {table} ADD CONSTRAINT {constraint} CHECK ({condition})"));
    }
}
