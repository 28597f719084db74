//! The statements of a migration on PostgreSQL: they alter tables in place, in one transaction.

use super::{
    Column, Engine, Reference, Table, convert,
    diff::{Changes, Kept},
    names::{check_name, column_check_name, index_name, key_index, reference_name},
    sql::{add_reference, check_line, column_check, column_line, create_index, create_table, quoted, typed},
};

const ENGINE: Engine = Engine::Postgres;

/// The statements.
pub(super) fn statements(changes: &Changes<'_>) -> Vec<String> {
    let mut all = Vec::new();
    let stays = |kept: &Kept<'_>, reference: &Reference| keeps_reference(changes, kept, reference);
    // Constraints on what changes are dropped first.
    for kept in &changes.kept {
        for reference in kept.old.references.iter().filter(|reference| !stays(kept, reference)) {
            all.push(drop_constraint(&kept.old.name, &reference_name(kept.old, reference)));
        }
    }
    for table in &changes.dropped {
        all.extend(table.references.iter().map(|it| drop_constraint(&table.name, &reference_name(table, it))));
    }
    for kept in &changes.kept {
        take_away(kept, &mut all);
    }
    all.extend(changes.dropped.iter().map(|table| format!("DROP TABLE {}", quoted(&table.name))));
    for kept in &changes.kept {
        rename(kept, &mut all);
    }
    all.extend(changes.created.iter().map(|table| create_table(table, ENGINE)));
    for kept in &changes.kept {
        change_columns(kept, &mut all);
    }
    for kept in &changes.kept {
        let added = kept.new.checks.iter().filter(|it| !keeps_check(kept, it));
        all.extend(added.map(|it| format!("ALTER TABLE {} ADD {}", quoted(&kept.new.name), check_line(kept.new, it, ENGINE))));
        all.extend(
            kept.new
                .indexes
                .iter()
                .filter(|index| !has_index(kept, kept.old, kept.new, index))
                .map(|it| create_index(kept.new, it, ENGINE)),
        );
    }
    for table in &changes.created {
        all.extend(table.indexes.iter().map(|index| create_index(table, index, ENGINE)));
    }
    for table in &changes.created {
        all.extend(table.references.iter().map(|it| add_reference(table, it)));
    }
    for kept in &changes.kept {
        let kept_names: Vec<String> =
            kept.old.references.iter().filter(|it| stays(kept, it)).map(|it| reference_name(kept.old, it)).collect();
        let added = kept.new.references.iter().filter(|it| !kept_names.contains(&reference_name(kept.new, it)));
        all.extend(added.map(|it| add_reference(kept.new, it)));
    }
    for kept in &changes.kept {
        let new = kept.new.extras.iter().filter(|it| it.engine == ENGINE && (kept.renamed() || !kept.old.extras.contains(it)));
        all.extend(new.map(|it| it.create.clone()));
    }
    all.extend(changes.created.iter().flat_map(|table| &table.extras).filter(|it| it.engine == ENGINE).map(|it| it.create.clone()));
    all
}

fn drop_constraint(table: &str, name: &str) -> String {
    format!("ALTER TABLE {} DROP CONSTRAINT {}", quoted(table), quoted(name))
}

/// True if a foreign key is unaffected: its table, its columns and its target stay as they are.
fn keeps_reference(changes: &Changes<'_>, kept: &Kept<'_>, reference: &Reference) -> bool {
    let target = changes.kept.iter().find(|it| it.old.name == reference.table);
    let steady = |kept: &Kept<'_>, names: &[String]| names.iter().all(|name| unchanged(kept, name));
    !kept.renamed()
        && kept.new.references.contains(reference)
        && steady(kept, &reference.columns)
        && target.is_some_and(|target| {
            // It also depends on the unique index of its target.
            let indexes = target.old.indexes.iter().filter(|it| it.unique).all(|it| has_index(target, target.new, target.old, it));
            !target.renamed() && steady(target, &reference.targets) && indexes
        })
}

/// True if a column keeps its name and type.
fn unchanged(kept: &Kept<'_>, name: &str) -> bool {
    kept.columns.iter().any(|(column, before)| column.name == name && before.is_some_and(|it| it.name == name && it.ty == column.ty))
}

/// True if an index of `here` is also on `there`, and its columns do not change.
fn has_index(kept: &Kept<'_>, there: &Table, here: &Table, index: &super::Index) -> bool {
    !kept.renamed()
        && there.indexes.contains(index)
        && there.name == here.name
        && index.parts.iter().all(|part| unchanged(kept, &part.column))
}

/// PostgreSQL drops a column together with the checks that use it.
fn keeps_check(kept: &Kept<'_>, check: &super::Check) -> bool {
    !kept.renamed() && kept.lost.is_empty() && kept.old.checks.contains(check) && kept.new.checks.contains(check)
}

fn take_away(kept: &Kept<'_>, all: &mut Vec<String>) {
    let table = &kept.old.name;
    let gone = |it: &&super::Extra| it.engine == ENGINE && (kept.renamed() || !kept.new.extras.contains(it));
    all.extend(kept.old.extras.iter().filter(gone).map(|it| it.drop.clone()));
    let checks = kept.old.checks.iter().filter(|it| !keeps_check(kept, it));
    all.extend(checks.map(|it| drop_constraint(table, &check_name(kept.old, it))));
    for (column, before) in &kept.columns {
        if let Some(before) = before
            && column_check(before, ENGINE).is_some()
            && !same_check(kept, before, column)
        {
            all.push(drop_constraint(table, &column_check_name(kept.old, before)));
        }
    }
    let indexes = kept.old.indexes.iter().filter(|index| !has_index(kept, kept.new, kept.old, index));
    all.extend(indexes.map(|index| format!("DROP INDEX {}", quoted(&index_name(kept.old, index)))));
    all.extend(kept.lost.iter().map(|column| format!("ALTER TABLE {} DROP COLUMN {}", quoted(table), quoted(&column.name))));
}

fn same_check(kept: &Kept<'_>, before: &Column, column: &Column) -> bool {
    column_check(before, ENGINE) == column_check(column, ENGINE)
        && column_check_name(kept.old, before) == column_check_name(kept.new, column)
}

fn rename(kept: &Kept<'_>, all: &mut Vec<String>) {
    let (old, new) = (&kept.old.name, &kept.new.name);
    if kept.renamed() {
        all.push(format!("ALTER TABLE {} RENAME TO {}", quoted(old), quoted(new)));
        // The server names the index of the key after the table.
        all.push(format!("ALTER INDEX {} RENAME TO {}", quoted(&key_index(old)), quoted(&key_index(new))));
    }
    for (column, before) in &kept.columns {
        let Some(before) = before.filter(|it| it.name != column.name) else { continue };
        all.push(format!("ALTER TABLE {} RENAME COLUMN {} TO {}", quoted(new), quoted(&before.name), quoted(&column.name)));
    }
}

fn change_columns(kept: &Kept<'_>, all: &mut Vec<String>) {
    let table = quoted(&kept.new.name);
    for (column, before) in &kept.columns {
        match before {
            None => add_column(kept.new, column, all),
            Some(before) => change_column(kept, &table, before, column, all),
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

fn change_column(kept: &Kept<'_>, table: &str, before: &Column, column: &Column, all: &mut Vec<String>) {
    let name = quoted(&column.name);
    let alter = |what: String| format!("ALTER TABLE {table} ALTER COLUMN {name} {what}");
    // The column has its new name already.
    let value = convert::filled(&Column { name: column.name.clone(), ..before.clone() }, column, ENGINE);
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
    if let Some(condition) = column_check(column, ENGINE).filter(|_| !same_check(kept, before, column)) {
        let constraint = quoted(&column_check_name(kept.new, column));
        all.push(format!("ALTER TABLE {table} ADD CONSTRAINT {constraint} CHECK ({condition})"));
    }
}
