//! Indexes of an online migration.

use super::{ENGINE, Phase, Plan};
use crate::emit::schema::{
    Index,
    diff::{Class, SharedTable},
    lock::Lock,
    names::{extra_name, index_name},
    sql::{create_index, quoted},
};

pub(super) fn plan(shared: &SharedTable<'_>, plan: &mut Plan) {
    let added: Vec<&Index> = shared.new.indexes.iter().filter(|index| former(shared, index).is_none()).collect();
    for index in &shared.new.indexes {
        if let Some(before) = former(shared, index) {
            let (from, to) = (index_name(shared.old, before), index_name(shared.new, index));
            if from != to {
                plan.step(Phase::Expand, Class::Safe, Lock::Brief, format!("renames the index `{from}` to `{to}`"));
                plan.add(Phase::Expand, rename(&from, &to), rename(&to, &from));
            }
        }
    }
    for index in &added {
        add(shared, index, plan);
    }
    for before in shared.old.indexes.iter().filter(|before| !shared.new.indexes.iter().any(|index| former(shared, index) == Some(before))) {
        remove(shared, before, &added, plan);
    }
}

/// The index with the same keys, of columns that keep their names and types.
fn former<'s>(shared: &SharedTable<'s>, index: &Index) -> Option<&'s Index> {
    let stays = |name: &str| shared.columns.iter().any(|(column, before)| column.name == name && before.is_some_and(|it| it.name == name));
    let same = |before: &&Index| is_same(before, index) && before.parts.iter().all(|part| stays(&part.column));
    shared.old.indexes.iter().find(same)
}

fn is_same(one: &Index, other: &Index) -> bool {
    (&one.parts, one.unique, &one.rows) == (&other.parts, other.unique, &other.rows)
}

/// The index with the new names of its columns.
fn renamed(shared: &SharedTable<'_>, index: &Index) -> Index {
    let mut index = index.clone();
    for (column, before) in shared.columns.iter().filter_map(|(column, before)| Some((*column, (*before)?))) {
        if before.name == column.name {
            continue;
        }
        index.parts.iter_mut().filter(|part| part.column == before.name).for_each(|part| part.column = column.name.clone());
        if let Some(rows) = &mut index.rows {
            rows.postgres = rows.postgres.replace(&quoted(&before.name), &quoted(&column.name));
            rows.sqlite = rows.sqlite.replace(&quoted(&before.name), &quoted(&column.name));
        }
    }
    index
}

fn columns(index: &Index) -> String {
    index.parts.iter().map(|part| part.column.as_str()).collect::<Vec<_>>().join(", ")
}

/// Creates an index without blocking writes. Rows of the previous version can violate a new unique index, unless they have null in it
/// or the same values under another name.
fn add(shared: &SharedTable<'_>, index: &Index, plan: &mut Plan) {
    if shared.new.partition.is_some() {
        plan.refuse(format!(
            "`{}` has partitions, for which PostgreSQL builds no index concurrently: add the index by `{}` with a migration without `--online`",
            shared.new.name,
            columns(index)
        ));
    }
    let is_empty = |name: &str| {
        let new = shared.columns.iter().find(|(column, before)| column.name == name && before.is_none());
        new.is_some_and(|(column, _)| column.fill.is_none() && column.default.is_none() && !column.required)
    };
    let has_twin = shared.old.indexes.iter().any(|before| is_same(&renamed(shared, before), index));
    let holds = !index.unique || has_twin || index.parts.iter().any(|part| is_empty(&part.column));
    let phase = if holds { Phase::Index } else { Phase::ContractIndex };
    let what = match index.unique {
        true => format!("makes `{}` of `{}` unique; it fails if two rows have equal values", columns(index), shared.new.name),
        false => format!("indexes `{}` by `{}`", shared.new.name, columns(index)),
    };
    plan.step(phase, Class::Safe, Lock::Build, what);
    let create = create_index(shared.new, index, ENGINE).replacen("INDEX ", "INDEX CONCURRENTLY ", 1);
    plan.add(phase, create, format!("DROP INDEX CONCURRENTLY IF EXISTS {}", quoted(&index_name(shared.new, index))));
}

/// Drops an index that the new version does not have. Uniqueness ends first, because the new version does not keep it.
fn remove(shared: &SharedTable<'_>, before: &Index, added: &[&Index], plan: &mut Plan) {
    let name = index_name(shared.old, before);
    let has_twin = added.iter().any(|index| is_same(&renamed(shared, before), index));
    let phase = if before.unique && !has_twin { Phase::Expand } else { Phase::Contract };
    let what = if before.unique { "drops the uniqueness of" } else { "drops the index of" };
    plan.step(phase, Class::Safe, Lock::Brief, format!("{what} `{}` of `{}`", columns(before), shared.old.name));
    let taken = added.iter().any(|index| index_name(shared.new, index) == name);
    if phase == Phase::Contract && taken {
        // Both indexes exist until the end of the previous version.
        let aside = extra_name(&name, "dz_former_idx");
        plan.add(Phase::Expand, rename(&name, &aside), rename(&aside, &name));
        plan.add(phase, drop(&aside), create_index(shared.old, before, ENGINE).replacen(&quoted(&name), &quoted(&aside), 1));
    } else {
        plan.add(phase, drop(&name), create_index(shared.old, before, ENGINE));
    }
}

fn rename(from: &str, to: &str) -> String {
    format!("ALTER INDEX {} RENAME TO {}", quoted(from), quoted(to))
}

fn drop(name: &str) -> String {
    format!("DROP INDEX {}", quoted(name))
}
