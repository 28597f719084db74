//! Tables that PostgreSQL divides into partitions: by month, so that old rows are dropped with their partition, or by tenant.
//!
//! Every key and unique index of a divided table contains the column by which it is divided. A month has a partition that the running
//! application creates ahead of time; `…_rest` takes the rows of every other time, and `…_before_…` those of a table that was divided
//! later. SQLite has no partitions.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{
    Engine, Schema, Table,
    names::{self, index_name, key_index, reference_name},
    sql::{add_reference, columns, create_index, create_table, literal, quoted},
};
use crate::{
    model::Model,
    project::{HistoryPartitions, Project},
};

/// How PostgreSQL divides a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Partition {
    /// A partition for each month of this column, in UTC.
    Month(String),
    /// So many partitions, by the hash of a column.
    Hash {
        /// The column.
        column: String,
        /// The number of partitions.
        count: u32,
    },
}

/// The tables with the history of an application, and the column with the time of each row. The table of runs is not one of them: a
/// run changes until its end, and its cause is unique over all times.
const HISTORY: [(&str, &str); 4] =
    [("dz_outbox", "created_at"), ("dz_audit_log", "at"), ("dz_run_steps", "started_at"), ("dz_calls", "started_at")];

impl Partition {
    /// The column.
    fn column(&self) -> &str {
        match self {
            Partition::Month(column) | Partition::Hash { column, .. } => column,
        }
    }

    /// The clause after the columns of the table.
    pub(super) fn clause(&self) -> String {
        match self {
            Partition::Month(column) => format!(" PARTITION BY RANGE ({})", quoted(column)),
            Partition::Hash { column, .. } => format!(" PARTITION BY HASH ({})", quoted(column)),
        }
    }

    /// The change that introduces it, as the end of the sentence "this migration …".
    pub(super) fn step(this: Option<&Partition>, table: &str) -> String {
        match this {
            Some(Partition::Month(_)) => format!("divides `{table}` into partitions by month"),
            Some(Partition::Hash { count, .. }) => format!("divides `{table}` into {count} partitions by tenant"),
            None => format!("joins the partitions of `{table}`"),
        }
    }
}

impl Schema {
    /// The schema of a model with the partitions of its project.
    pub fn from_project(model: &Model, project: &Project) -> Schema {
        let mut schema = Schema::from_model(model);
        if project.history_partitions == HistoryPartitions::Month {
            for (name, column) in HISTORY {
                let table = schema.tables.iter_mut().find(|table| table.name == name);
                table.into_iter().for_each(|table| table.partition = Some(Partition::Month(column.to_owned())));
            }
        }
        if project.tenant_partitions > 0 {
            let tenants: Vec<(String, String)> = tenant_columns(model).collect();
            for table in &mut schema.tables {
                let tenant = tenants.iter().find(|(name, _)| *name == table.name);
                let divided = tenant.map(|(_, column)| Partition::Hash { column: column.clone(), count: project.tenant_partitions });
                table.partition = divided.or(table.partition.take());
            }
        }
        schema
    }
}

/// The tables with a tenant in each row, and the column.
fn tenant_columns(model: &Model) -> impl Iterator<Item = (String, String)> {
    model.entities.iter().filter_map(|entity| Some((entity.table.clone(), entity.fields[entity.tenant?.0].name.clone())))
}

/// What prevents the partitions of a project, as one sentence.
pub fn refusal(model: &Model, project: &Project) -> Option<String> {
    if project.tenant_partitions == 0 {
        return None;
    }
    if model.tenant.is_none() {
        return Some(
            "`tenant_partitions` in dz.toml divides tables by tenant, and no entity has `archetype: tenant`; remove the key".to_owned(),
        );
    }
    let chosen = model.entities.iter().filter(|entity| entity.tenant.is_some()).find_map(|entity| {
        let key = entity.fields.get(entity.pk.0).filter(|key| key.ty.is_chosen_key())?;
        Some(format!("`{}.{}`", entity.name, key.name))
    });
    if let Some(key) = chosen {
        return Some(format!(
            "callers choose the key {key}, and in a table that is divided by tenant PostgreSQL keeps it unique within each tenant only: write \
             `id: uuid pk`, and give this field `required unique`, or remove `tenant_partitions` from dz.toml"
        ));
    }
    let schema = Schema::from_project(model, project);
    let lost = schema.tables.iter().flat_map(|table| table.references.iter().map(move |it| (table, it))).find(|(_, reference)| {
        let target = schema.table(&reference.table).and_then(|target| target.partition.as_ref());
        target.is_some_and(|partition| !reference.targets.iter().any(|column| column == partition.column()))
    });
    lost.map(|(table, reference)| {
        format!(
            "`{}.{}` refers to a row of a tenant without the tenant, and PostgreSQL has no foreign key to such a row in a table that is \
             divided by tenant: remove the reference, or `tenant_partitions` from dz.toml",
            table.entity.as_deref().unwrap_or(&table.name),
            reference.columns.join(", ")
        )
    })
}

/// The columns of the primary key on an engine.
pub(super) fn primary(table: &Table, engine: Engine) -> Cow<'_, [String]> {
    let partition = table.partition.as_ref().filter(|_| engine == Engine::Postgres);
    let lacks = |partition: &&Partition| !table.primary.iter().any(|column| column == partition.column());
    let Some(partition) = partition.filter(lacks) else { return Cow::Borrowed(&table.primary) };
    let mut all = table.primary.clone();
    match partition {
        // The rows of a tenant are together in the index.
        Partition::Hash { column, .. } => all.insert(0, column.clone()),
        Partition::Month(column) => all.push(column.clone()),
    }
    Cow::Owned(all)
}

/// The statements that create the partitions of a table.
pub(super) fn create(table: &Table) -> Vec<String> {
    let of = |name: &str| format!("CREATE TABLE {} PARTITION OF {}", quoted(name), quoted(&table.name));
    match &table.partition {
        Some(Partition::Month(_)) => vec![format!("{} DEFAULT", of(&format!("{}_rest", table.name)))],
        Some(Partition::Hash { count, .. }) => {
            (0..*count).map(|rest| format!("{} FOR VALUES WITH (MODULUS {count}, REMAINDER {rest})", of(&part_name(table, rest)))).collect()
        }
        None => Vec::new(),
    }
}

fn part_name(table: &Table, number: u32) -> String {
    names::extra_name(&table.name, &format!("part_{number}"))
}

/// The statements that give the partitions of a renamed table their names.
pub(super) fn rename(old: &Table, new: &Table) -> Vec<String> {
    let Some(Partition::Hash { count, .. }) = &old.partition else { return Vec::new() };
    let of = |rest| format!("ALTER TABLE {} RENAME TO {}", quoted(&part_name(old, rest)), quoted(&part_name(new, rest)));
    (0..*count).map(of).collect()
}

/// The statements of a migration that change the partitions of a table; `others` are the tables that can refer to it. Foreign keys,
/// policies and triggers are created again.
pub(super) fn change(old: &Table, new: &Table, others: &[Table]) -> Vec<String> {
    let mut all = Vec::new();
    let incoming: Vec<(&Table, &super::Reference)> = others
        .iter()
        .filter(|table| table.name != new.name)
        .flat_map(|table| table.references.iter().map(move |reference| (table, reference)))
        .filter(|(_, reference)| reference.table == new.name)
        .collect();
    let drop = |table: &Table, name: &str| format!("ALTER TABLE {} DROP CONSTRAINT {}", quoted(&table.name), quoted(name));
    all.extend(incoming.iter().map(|(table, reference)| drop(table, &reference_name(table, reference))));
    all.extend(new.references.iter().map(|reference| drop(new, &reference_name(new, reference))));
    let extras: Vec<_> = new.extras.iter().filter(|extra| extra.engine == Engine::Postgres).collect();
    all.extend(extras.iter().rev().map(|extra| extra.drop.clone()));
    match (&old.partition, &new.partition) {
        (None, Some(Partition::Month(column))) => all.extend(attach(new, column)),
        (Some(_), Some(Partition::Month(_))) | (_, Some(Partition::Hash { .. }) | None) => all.extend(copy(old, new)),
    }
    all.extend(new.references.iter().map(|reference| add_reference(new, reference)));
    all.extend(incoming.iter().map(|(table, reference)| add_reference(table, reference)));
    all.extend(extras.iter().map(|extra| extra.create.clone()));
    all
}

/// Makes the table the first partition of the new one, so that no row is written again. The first partition ends with the month of the
/// latest row.
fn attach(new: &Table, column: &str) -> Vec<String> {
    let before = format!("{}_before", new.name);
    let mut all = vec![format!("ALTER TABLE {} DROP CONSTRAINT {}", quoted(&new.name), quoted(&key_index(&new.name)))];
    let counted = new.columns.iter().find(|column| column.counted);
    // A partition has no sequence of its own.
    all.extend(counted.map(|it| format!("ALTER TABLE {} ALTER COLUMN {} DROP IDENTITY", quoted(&new.name), quoted(&it.name))));
    all.extend(new.indexes.iter().map(|index| {
        let name = index_name(new, index);
        format!("ALTER INDEX {} RENAME TO {}", quoted(&name), quoted(&names::extra_name(&name, "before")))
    }));
    all.push(format!("ALTER TABLE {} RENAME TO {}", quoted(&new.name), quoted(&before)));
    all.push(create_table(new, Engine::Postgres));
    all.extend(create(new));
    all.extend(new.indexes.iter().map(|index| create_index(new, index, Engine::Postgres)));
    let (table, column) = (quoted(&new.name), quoted(column));
    all.push(format!(
        "DO $$ DECLARE month timestamp := date_trunc('month', greatest(now(), (SELECT max({column}) FROM {})) AT TIME ZONE 'UTC') + interval \
         '1 month'; name text := {} || to_char(month, 'YYYY_MM'); BEGIN EXECUTE format('ALTER TABLE %I RENAME TO %I', {}, name); EXECUTE \
         format('ALTER TABLE {table} ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, month AT TIME ZONE 'UTC'); END $$",
        quoted(&before),
        literal(&format!("{before}_")),
        literal(&before),
    ));
    all.extend(counted.map(|it| restart(new, &it.name)));
    all
}

/// Lets a column count on from its largest number.
fn restart(table: &Table, column: &str) -> String {
    let name = dz_vocabulary::column_of_field(column);
    format!(
        "SELECT setval(pg_get_serial_sequence({}, {}), (SELECT COALESCE(max({}), 0) + 1 FROM {}), false)",
        literal(&quoted(&table.name)),
        literal(&name),
        quoted(column),
        quoted(&table.name)
    )
}

/// Copies the rows to a new table.
fn copy(old: &Table, new: &Table) -> Vec<String> {
    let former = format!("{}_former", new.name);
    let mut all = vec![format!("ALTER TABLE {} DROP CONSTRAINT {}", quoted(&new.name), quoted(&key_index(&new.name)))];
    all.extend(new.indexes.iter().map(|index| format!("DROP INDEX {}", quoted(&index_name(new, index)))));
    if let Some(Partition::Hash { count, .. }) = &old.partition {
        let rename = |rest| {
            let name = part_name(new, rest);
            format!("ALTER TABLE {} RENAME TO {}", quoted(&name), quoted(&names::extra_name(&name, "former")))
        };
        all.extend((0..*count).map(rename));
    }
    all.push(format!("ALTER TABLE {} RENAME TO {}", quoted(&new.name), quoted(&former)));
    all.push(create_table(new, Engine::Postgres));
    all.extend(create(new));
    let names: Vec<String> = new.columns.iter().map(|column| column.name.clone()).collect();
    let names = columns(&names);
    all.push(format!("INSERT INTO {} ({names}) SELECT {names} FROM {}", quoted(&new.name), quoted(&former)));
    all.extend(new.columns.iter().filter(|column| column.counted).map(|column| restart(new, &column.name)));
    all.push(format!("DROP TABLE {}", quoted(&former)));
    all.extend(new.indexes.iter().map(|index| create_index(new, index, Engine::Postgres)));
    all
}
