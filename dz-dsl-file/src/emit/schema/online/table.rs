//! Tables and columns of an online migration.

use super::{
    ENGINE, Phase, Plan,
    fill::{self, Fill},
};
use crate::emit::schema::{
    Column, ColumnType, Extra, Table, convert,
    diff::{Changes, Class, SharedTable},
    lock::Lock,
    names::{column_check_name, reference_name},
    partitions,
    sql::{add_reference, column_check, column_line, create_index, create_table, quoted, typed},
    tenant,
};

/// New and dropped tables.
pub(super) fn plan_tables(changes: &Changes<'_>, plan: &mut Plan) {
    for table in &changes.created {
        if changes.dropped.iter().any(|it| it.name == table.name) {
            plan.refuse(format!("`{}` gets another primary key, so that its rows cannot stay", table.name));
            continue;
        }
        plan.step(Phase::Expand, Class::Safe, Lock::Nothing, format!("creates the table `{}`", table.name));
        plan.add(Phase::Expand, create_table(table, ENGINE), format!("DROP TABLE {}", quoted(&table.name)));
        partitions::create(table).into_iter().for_each(|part| plan.add(Phase::Expand, part, ""));
        table.indexes.iter().for_each(|index| plan.add(Phase::Expand, create_index(table, index, ENGINE), ""));
    }
    for table in &changes.created {
        for reference in &table.references {
            plan.add(Phase::Expand, add_reference(table, reference), drop_constraint(&table.name, &reference_name(table, reference)));
        }
        extras(table).for_each(|extra| plan.add(Phase::Expand, extra.create.clone(), ""));
    }
    for table in &changes.dropped {
        plan.step(Phase::Contract, Class::Destructive, Lock::Brief, format!("drops the table `{}` with its rows", table.name));
        // The new version deletes rows to which rows of the dropped table refer.
        for reference in &table.references {
            plan.add(Phase::Expand, drop_constraint(&table.name, &reference_name(table, reference)), add_reference(table, reference));
        }
        let again = std::iter::once(create_table(table, ENGINE))
            .chain(partitions::create(table))
            .chain(table.indexes.iter().map(|index| create_index(table, index, ENGINE)))
            .chain(extras(table).map(|extra| extra.create.clone()));
        plan.add(Phase::Contract, format!("DROP TABLE {}", quoted(&table.name)), again.collect::<Vec<_>>().join(";\n"));
    }
}

/// The columns and the policies of a table in both versions.
pub(super) fn plan_shared(shared: &SharedTable<'_>, plan: &mut Plan) {
    if shared.is_renamed() {
        plan.refuse(format!(
            "`{}` gets the name `{}`, and the previous version still uses the former one: rename the entity with a migration without \
             `--online`, while no instance runs",
            shared.old.name, shared.new.name
        ));
        return;
    }
    if shared.changes_partition(ENGINE) {
        plan.refuse(format!(
            "`{}` gets other partitions, while no other version may write it: write a migration without `--online`",
            shared.new.name
        ));
        return;
    }
    let mut fills = Vec::new();
    for (column, before) in &shared.columns {
        match before {
            None => add_column(shared, column, &mut fills, plan),
            Some(before) if before.name != column.name => rename_column(shared, before, column, &mut fills, plan),
            Some(before) => change_column(shared, before, column, &mut fills, plan),
        }
    }
    fill::plan(shared.new, &fills, plan);
    for column in &shared.lost {
        drop_column(shared, column, plan);
    }
    for (column, before) in shared.columns.iter().filter_map(|(column, before)| Some((*column, (*before)?))) {
        if before.name != column.name {
            drop_former(shared, before, column, plan);
        }
    }
    plan_extras(shared, plan);
}

pub(super) fn drop_constraint(table: &str, name: &str) -> String {
    format!("ALTER TABLE {} DROP CONSTRAINT {}", quoted(table), quoted(name))
}

fn extras(table: &Table) -> impl Iterator<Item = &Extra> {
    table.extras.iter().filter(|extra| extra.engine == ENGINE)
}

/// The beginning of a statement that changes a column.
pub(super) fn alter(table: &Table, column: &str, what: &str) -> String {
    format!("ALTER TABLE {} ALTER COLUMN {} {what}", quoted(&table.name), quoted(column))
}

fn add_statement(table: &Table, column: &Column) -> String {
    format!("ALTER TABLE {} ADD COLUMN {}", quoted(&table.name), column_line(table, column, ENGINE))
}

fn drop_statement(table: &Table, column: &Column) -> String {
    format!("ALTER TABLE {} DROP COLUMN {}", quoted(&table.name), quoted(&column.name))
}

/// The statement that replaces the values of some rows.
fn set_where(table: &Table, column: &str, value: &str, rows: &str) -> String {
    format!("UPDATE {} SET {} = {value} WHERE {rows}", quoted(&table.name), quoted(column))
}

/// A column as it is added: without the check of its values, which is validated later.
fn plain(column: &Column, required: bool, default: Option<String>) -> Column {
    Column { required, default, values: Vec::new(), ..column.clone() }
}

fn add_column(shared: &SharedTable<'_>, column: &Column, fills: &mut Vec<Fill>, plan: &mut Plan) {
    let (table, at) = (shared.new, format!("`{}.{}`", shared.new.name, column.name));
    if shared.lost.iter().any(|lost| lost.name == column.name) {
        plan.refuse(format!(
            "{at} gets a type to which its values cannot be converted: give the new field another name, and drop this one later"
        ));
        return;
    }
    let added = |column: &Column| (add_statement(table, column), drop_statement(table, column));
    let amount = column.amount.as_deref().filter(|amount| shared.columns.iter().any(|(it, before)| it.name == *amount && before.is_some()));
    let (up, down) = match (&column.fill, amount) {
        (Some(fill), Some(amount)) => {
            plan.step(Phase::Backfill, Class::Backfill, Lock::Fill, format!("adds the column {at} with the currency of its amounts"));
            let reads = vec![amount.to_owned()];
            fills.push(Fill { column: column.name.clone(), former: None, value: Some(fill.postgres.clone()), reads });
            if column.required {
                require(shared, column, [Phase::Rules, Phase::Validate, Phase::Complete], plan);
            }
            added(&plain(column, false, None))
        }
        (None, Some(_)) => {
            plan.refuse(format!("{at} needs the currency of existing amounts, which differs from row to row"));
            return;
        }
        (Some(fill), None) if column.default.is_none() => {
            let what = format!("adds the column {at} with a default, which every row gets without being written");
            plan.step(Phase::Expand, Class::Backfill, Lock::Brief, what);
            let default = format!("SET DEFAULT {}", fill.postgres);
            plan.step(
                Phase::Contract,
                Class::Safe,
                Lock::Brief,
                format!("drops the default of {at}, which rows of the previous version need"),
            );
            plan.add(Phase::Contract, alter(table, &column.name, "DROP DEFAULT"), alter(table, &column.name, &default));
            added(&plain(column, column.required, Some(fill.postgres.clone())))
        }
        _ => {
            plan.step(Phase::Expand, Class::Safe, Lock::Brief, format!("adds the column {at}"));
            added(&plain(column, column.required, column.default.clone()))
        }
    };
    plan.add(Phase::Expand, up, down);
    check_values(shared, column, plan);
}

/// Adds the check of the values of a new column.
fn check_values(shared: &SharedTable<'_>, column: &Column, plan: &mut Plan) {
    let Some(condition) = column_check(column, ENGINE) else { return };
    let name = column_check_name(shared.new, column);
    let (table, constraint) = (quoted(&shared.new.name), quoted(&name));
    let add = format!("ALTER TABLE {table} ADD CONSTRAINT {constraint} CHECK ({condition}) NOT VALID");
    plan.add(Phase::Rules, add, drop_constraint(&shared.new.name, &name));
    plan.add(Phase::Validate, format!("ALTER TABLE {table} VALIDATE CONSTRAINT {constraint}"), "");
    plan.step(Phase::Validate, Class::Safe, Lock::Check, format!("checks the values of `{}.{}`", shared.new.name, column.name));
}

/// Makes a column required after a check of its rows, with which PostgreSQL needs no further look at them.
fn require(shared: &SharedTable<'_>, column: &Column, [rules, validate, complete]: [Phase; 3], plan: &mut Plan) {
    let (table, of) = (shared.new, quoted(&shared.new.name));
    let full = crate::emit::schema::names::extra_name(&format!("{}_{}", table.name, column.name), "dz_not_null");
    let name = quoted(&full);
    let add = format!("ALTER TABLE {of} ADD CONSTRAINT {name} CHECK ({} IS NOT NULL) NOT VALID", quoted(&column.name));
    plan.add(rules, add.clone(), drop_constraint(&table.name, &full));
    plan.add(validate, format!("ALTER TABLE {of} VALIDATE CONSTRAINT {name}"), "");
    plan.add(complete, alter(table, &column.name, "SET NOT NULL"), alter(table, &column.name, "DROP NOT NULL"));
    plan.add(complete, drop_constraint(&table.name, &full), add);
    plan.step(validate, Class::Safe, Lock::Check, format!("makes `{}.{}` required", table.name, column.name));
}

fn rename_column(shared: &SharedTable<'_>, before: &Column, column: &Column, fills: &mut Vec<Fill>, plan: &mut Plan) {
    let (table, at) = (shared.new, format!("`{}.{}`", shared.new.name, column.name));
    if before.ty != column.ty || before.values != column.values {
        plan.refuse(format!("{at} gets another name and another type at once: change the one in this release, and the other in the next"));
        return;
    }
    if before.name == shared.old.primary.first().map_or("", String::as_str) {
        plan.refuse(format!("{at} is the primary key: rename it with a migration without `--online`, while no instance runs"));
        return;
    }
    plan.step(Phase::Backfill, Class::Backfill, Lock::Fill, format!("adds the column {at} with the values of `{}`", before.name));
    let new = plain(column, false, column.default.clone());
    plan.add(Phase::Expand, add_statement(table, &new), drop_statement(table, column));
    if before.required && !column.required {
        plan.add(Phase::Expand, alter(shared.old, &before.name, "DROP NOT NULL"), alter(shared.old, &before.name, "SET NOT NULL"));
    }
    let value = column.fill.as_ref().filter(|_| column.required && !before.required).map(|fill| fill.postgres.clone());
    fills.push(Fill { column: column.name.clone(), former: Some(before.name.clone()), value, reads: Vec::new() });
    check_values(shared, column, plan);
    if column.required {
        require(shared, column, [Phase::Rules, Phase::Validate, Phase::Complete], plan);
    }
}

/// Drops the former column of a renamed one.
fn drop_former(shared: &SharedTable<'_>, before: &Column, column: &Column, plan: &mut Plan) {
    let table = shared.old;
    let what = format!("drops the column `{}.{}`, whose values `{}` has", table.name, before.name, column.name);
    plan.step(Phase::Contract, Class::Safe, Lock::Brief, what);
    let mut again = vec![
        add_statement(table, &Column { required: false, ..before.clone() }),
        format!("UPDATE {} SET {} = {}", quoted(&table.name), quoted(&before.name), quoted(&column.name)),
    ];
    if before.required && column.required {
        again.push(alter(table, &before.name, "SET NOT NULL"));
    }
    plan.add(Phase::ContractDrop, drop_statement(table, before), again.join(";\n"));
}

fn change_column(shared: &SharedTable<'_>, before: &Column, column: &Column, fills: &mut Vec<Fill>, plan: &mut Plan) {
    let (table, at) = (shared.new, format!("`{}.{}`", shared.new.name, column.name));
    if before.ty != column.ty {
        let widens = matches!((before.ty, column.ty), (ColumnType::Text(_), ColumnType::Text(_)));
        if !widens || !convert::value(before, column, ENGINE).is_some_and(|value| value.fits) {
            plan.refuse(format!(
                "the type of {at} changes, which writes or checks every row under a lock: give the new field another name"
            ));
            return;
        }
        plan.step(Phase::Expand, Class::Safe, Lock::Brief, format!("widens the column {at}"));
        let to = |it: &Column| alter(table, &it.name, &format!("TYPE {}", typed(it.ty, ENGINE)));
        let back = convert::value(column, before, ENGINE).map_or_else(String::new, |value| format!(" USING {}", value.sql));
        plan.add(Phase::Expand, to(column), to(before) + &back);
    }
    change_values(shared, before, column, plan);
    if before.default != column.default {
        let set = |default: &Option<String>| match default {
            Some(sql) => alter(table, &column.name, &format!("SET DEFAULT {sql}")),
            None => alter(table, &column.name, "DROP DEFAULT"),
        };
        plan.step(Phase::Expand, Class::Safe, Lock::Brief, format!("changes the default in the database for {at}"));
        plan.add(Phase::Expand, set(&column.default), set(&before.default));
    }
    match (before.required, column.required, &column.fill) {
        (true, false, _) => {
            plan.step(Phase::Expand, Class::Safe, Lock::Brief, format!("makes {at} optional"));
            let fill = convert::placeholder_value(before).postgres;
            let back = set_where(table, &column.name, &fill, &format!("{} IS NULL", quoted(&column.name)));
            plan.add(
                Phase::Expand,
                alter(table, &column.name, "DROP NOT NULL"),
                format!("{back};\n{}", alter(table, &column.name, "SET NOT NULL")),
            );
        }
        (false, true, Some(fill)) => {
            plan.step(
                Phase::Backfill,
                Class::Backfill,
                Lock::Fill,
                format!("sets a value where {at} is null, also in rows of the previous version"),
            );
            fills.push(Fill { column: column.name.clone(), former: None, value: Some(fill.postgres.clone()), reads: Vec::new() });
            require(shared, column, [Phase::ContractRules, Phase::ContractValidate, Phase::ContractComplete], plan);
        }
        // `unfilled` reports a missing value.
        (false, true, None) | (true, true, _) | (false, false, _) => {}
    }
}

/// The check of the values of an enumeration.
fn change_values(shared: &SharedTable<'_>, before: &Column, column: &Column, plan: &mut Plan) {
    let (table, at) = (shared.new, format!("`{}.{}`", shared.new.name, column.name));
    let (old, new) = (column_check(before, ENGINE), column_check(column, ENGINE));
    if old == new {
        return;
    }
    if new.is_some() && (old.is_none() || before.values.iter().any(|value| !column.values.contains(value))) {
        plan.refuse(format!(
            "{at} loses values, which the previous version still writes: change the rows first, and remove the values with a migration \
             without `--online`"
        ));
        return;
    }
    plan.step(Phase::Validate, Class::Safe, Lock::Check, format!("adds values to {at}"));
    let name = column_check_name(table, column);
    let (of, constraint) = (quoted(&table.name), quoted(&name));
    let add = |condition: &Option<String>, end: &str| {
        condition.as_ref().map_or_else(String::new, |it| format!("ALTER TABLE {of} ADD CONSTRAINT {constraint} CHECK ({it}){end}"))
    };
    if let Some(condition) = &old {
        // A row of the new version can have a value that the previous one does not know.
        let other = if before.required { convert::placeholder_value(before).postgres } else { "NULL".to_owned() };
        let back = set_where(table, &column.name, &other, &format!("NOT ({condition})"));
        plan.add(Phase::Expand, drop_constraint(&table.name, &name), format!("{back};\n{}", add(&old, "")));
    }
    if new.is_some() {
        plan.add(Phase::Expand, add(&new, " NOT VALID"), drop_constraint(&table.name, &name));
        plan.add(Phase::Validate, format!("ALTER TABLE {of} VALIDATE CONSTRAINT {constraint}"), "");
    }
}

fn drop_column(shared: &SharedTable<'_>, column: &Column, plan: &mut Plan) {
    let (table, at) = (shared.old, format!("`{}.{}`", shared.old.name, column.name));
    if shared.new.column(&column.name).is_some() {
        // The new column has refused already.
        return;
    }
    let mut kept = column.clone();
    if column.required && column.default.is_none() {
        if table.references.iter().any(|reference| reference.columns.contains(&column.name)) {
            plan.refuse(format!(
                "{at} is a required reference, which rows of the new version do not have: make it optional in a release of its own, and \
                 remove it in the next"
            ));
            return;
        }
        let default = convert::placeholder_value(column).postgres;
        plan.step(
            Phase::Expand,
            Class::Safe,
            Lock::Brief,
            format!("gives {at} a default ({default}), which the previous version reads in new rows"),
        );
        plan.add(Phase::Expand, alter(table, &column.name, &format!("SET DEFAULT {default}")), alter(table, &column.name, "DROP DEFAULT"));
        kept.default = Some(default);
    }
    plan.step(Phase::Contract, Class::Destructive, Lock::Brief, format!("drops the column {at} with its values"));
    plan.add(Phase::ContractDrop, drop_statement(table, column), add_statement(table, &kept));
}

/// Policies and other objects: those that only the previous version has are dropped first, and new ones follow its end.
fn plan_extras(shared: &SharedTable<'_>, plan: &mut Plan) {
    let policy = |table: &'_ Table| extras(table).find(|it| tenant::is_policy(it)).map(|it| it.create.clone());
    if let (Some(old), Some(new)) = (policy(shared.old), policy(shared.new))
        && old != new
    {
        plan.refuse(format!(
            "the tenant of `{}` changes, which decides what each version sees: use a migration without `--online`",
            shared.new.name
        ));
        return;
    }
    let (gone, added): (Vec<&Extra>, Vec<&Extra>) = (
        extras(shared.old).filter(|it| !shared.new.extras.contains(it)).collect(),
        extras(shared.new).filter(|it| !shared.old.extras.contains(it)).collect(),
    );
    for extra in &gone {
        plan.step(Phase::Expand, Class::Locking, Lock::Brief, format!("drops a trigger or policy of `{}`", shared.old.name));
        plan.add(Phase::Expand, extra.drop.clone(), extra.create.clone());
    }
    for extra in &added {
        // Another definition of the same object replaces it at once.
        let phase = if gone.iter().any(|it| it.drop == extra.drop) { Phase::Expand } else { Phase::ContractComplete };
        plan.step(phase, Class::Locking, Lock::Brief, format!("adds a trigger or policy to `{}`", shared.new.name));
        plan.add(phase, extra.create.clone(), extra.drop.clone());
    }
}

/// Timed transitions, which the database does not contain.
pub(super) fn plan_timers(changes: &Changes<'_>, plan: &mut Plan) {
    let timers = changes.timer_steps();
    plan.head.push_str(&changes.due_lines());
    plan.steps.extend(timers.into_iter().map(|step| (false, step)));
}
