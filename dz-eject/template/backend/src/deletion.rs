//! Deletion of rows, with the rows that refer to them.

use std::collections::BTreeMap;

use diesel::{RunQueryDsl, sql_types::{BigInt, Text}};

use crate::{
    caller::Caller,
    db::Connection,
    problem::{Problem, Result},
    sql::{Sql, Value, all, list_of},
    types::{Id, Identifier},
};

/// The type of the keys of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyType {
    Id,
    Int,
    Text,
}

/// What the deletion of a row means for the rows that refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDelete {
    /// They are in the way.
    Restrict,
    /// They are deleted too.
    Cascade,
    /// Their reference becomes null.
    Nullify,
}

/// A reference from one table to another.
pub struct Reference {
    /// The table with the reference.
    pub table: &'static str,
    /// The column with its key, and the type of the key.
    pub key: (&'static str, KeyType),
    /// Its column.
    pub column: &'static str,
    /// The table that it refers to.
    pub target: &'static str,
    /// What a deletion means.
    pub on_delete: OnDelete,
    /// What users call the rows of the table.
    pub title: &'static str,
    /// The rows of the table that the caller may list: only these are named in a refusal.
    pub list: fn(&Caller, &str) -> Sql,
    /// The rows of the table whose deletion is not forbidden.
    pub deletable: fn(&Caller, &str) -> Sql,
    /// True if deleted rows are kept and hidden.
    pub keeps: bool,
    /// Stores the events of rows of the table that are about to be deleted.
    pub record: fn(&mut Connection, &Caller, &[Value]) -> Result<()>,
}

/// Rows of one table that are deleted together.
#[derive(Debug, Clone)]
struct Batch {
    table: &'static str,
    /// The column with the key.
    key: &'static str,
    /// True if they are removed, false if they are kept and hidden. What refers to a removed row cannot be kept.
    removed: bool,
    keys: Vec<Value>,
}

/// The rows to delete, in the order in which they were found.
type Rows = Vec<Batch>;

/// Deletes a row. The caller was asked for before; rows that a cascade reaches are deleted unless a rule forbids it.
pub fn delete(connection: &mut Connection, caller: &Caller, references: &[Reference], (table, column, removed): (&'static str, &'static str, bool), key: Value) -> Result<()> {
    let mut rows: Rows = vec![Batch { table, key: column, removed, keys: vec![key] }];
    let mut at = 0;
    while let Some(Batch { table: target, removed, keys, .. }) = rows.get(at).cloned() {
        for reference in references.iter().filter(|it| it.target == target && it.on_delete == OnDelete::Cascade) {
            let known: Vec<Value> = rows.iter().filter(|of| of.table == reference.table).flat_map(|of| of.keys.clone()).collect();
            let mut found = referring(connection, reference, (&keys, removed), None)?;
            found.retain(|key| !known.contains(key));
            if found.is_empty() {
                continue;
            }
            let deletable = referring(connection, reference, (&keys, removed), Some((reference.deletable)(caller, reference.table)))?;
            if let Some(kept) = found.iter().find(|key| !deletable.contains(key)) {
                return Err(in_the_way(connection, caller, vec![(reference, vec![kept.clone()])])?);
            }
            (reference.record)(connection, caller, &found)?;
            rows.push(Batch { table: reference.table, key: reference.key.0, removed: removed || !reference.keeps, keys: found });
        }
        at += 1;
    }
    settle(connection, caller, references, &rows)?;
    for Batch { table, key, removed, keys } in rows.iter().rev() {
/*IF FILES*/        if *removed {
            crate::files::release_rows(connection, caller, (*table, *key), keys)?;
        }
/*END FILES*/        let start = match removed {
            true => Sql::text(format!("DELETE FROM {table}")),
            false => {
                let set = format!("UPDATE {table} SET dz_version = dz_version + 1, deleted_at = ?");
                Sql::new(set, [Value::Timestamp(Some(caller.now))])
            }
        };
        execute(connection, start.then(list_of(keys.clone()).between(format!(" WHERE \"{key}\" IN ("), ")")))?;
    }
    Ok(())
}

/// Refuses if a row that stays refers to a deleted one, or clears its reference.
fn settle(connection: &mut Connection, caller: &Caller, references: &[Reference], rows: &Rows) -> Result<()> {
    let mut deleted: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    rows.iter().for_each(|of| deleted.entry(of.table).or_default().extend(of.keys.iter().cloned()));
    let mut blocked = Vec::new();
    for Batch { table: target, removed, keys, .. } in rows {
        for reference in references.iter().filter(|it| it.target == *target && it.on_delete != OnDelete::Cascade) {
            let mut staying = referring(connection, reference, (keys, *removed), None)?;
            staying.retain(|key| !deleted.get(reference.table).is_some_and(|gone| gone.contains(key)));
            if staying.is_empty() {
                continue;
            }
            if reference.on_delete == OnDelete::Restrict {
                blocked.push((reference, staying));
                continue;
            }
            let (table, column, (key, _)) = (reference.table, reference.column, reference.key);
            let update = format!("UPDATE {table} SET \"{column}\" = NULL, dz_version = dz_version + 1 WHERE \"{key}\" IN (");
            execute(connection, list_of(staying).between(update, ")"))?;
        }
    }
    if blocked.is_empty() { Ok(()) } else { Err(in_the_way(connection, caller, blocked)?) }
}

/// The keys of the rows that refer to these keys. Hidden rows refer only to rows that are removed.
fn referring(
    connection: &mut Connection,
    reference: &Reference,
    (keys, removed): (&[Value], bool),
    condition: Option<Sql>,
) -> Result<Vec<Value>> {
    let (table, column, (key, ty)) = (reference.table, reference.column, reference.key);
    let rows = list_of(keys.to_vec()).between(format!("{table}.\"{column}\" IN ("), ")");
    let rows = match condition {
        Some(condition) => all([rows, condition]),
        None => rows,
    };
    let rows = match reference.keeps && !removed {
        true => all([rows, Sql::text(format!("{table}.deleted_at IS NULL"))]),
        false => rows,
    };
    let select = rows.between(format!("SELECT \"{key}\" AS key FROM {table} WHERE "), format!(" ORDER BY \"{key}\""));
    Ok(match ty {
        KeyType::Id => select.load::<IdKey>(connection)?.into_iter().map(|row| Value::Id(Some(row.key))).collect(),
        KeyType::Int => select.load::<IntKey>(connection)?.into_iter().map(|row| Value::Int(Some(row.key))).collect(),
        KeyType::Text => select.load::<TextKey>(connection)?.into_iter().map(|row| Value::Text(Some(row.key))).collect(),
    })
}

/// 409. It names only tables of which the caller may list a row that is in the way.
fn in_the_way(connection: &mut Connection, caller: &Caller, blocked: Vec<(&Reference, Vec<Value>)>) -> Result<Problem> {
    let mut named: Vec<&str> = Vec::new();
    for (reference, keys) in blocked {
        let (table, (key, _)) = (reference.table, reference.key);
        let rows = all([list_of(keys).between(format!("{table}.\"{key}\" IN ("), ")"), (reference.list)(caller, table)]);
        let select = rows.between(format!("SELECT count(*) AS count FROM {table} WHERE "), "");
        if select.get_result::<Count>(connection)?.count > 0 && !named.contains(&reference.title) {
            named.push(reference.title);
        }
    }
    Ok(Problem::new(
        409,
        "REFERENCED",
        match named.is_empty() {
            true => "Other rows refer to this one, so it cannot be deleted".to_owned(),
            false => format!("It cannot be deleted as long as these refer to it: {}", named.join(", ")),
        },
    ))
}

fn execute(connection: &mut Connection, statement: Sql) -> Result<()> {
    RunQueryDsl::execute(statement, connection)?;
    Ok(())
}

#[derive(diesel::QueryableByName)]
struct IdKey {
    #[diesel(sql_type = Identifier)]
    key: Id,
}

#[derive(diesel::QueryableByName)]
struct IntKey {
    #[diesel(sql_type = BigInt)]
    key: i64,
}

#[derive(diesel::QueryableByName)]
struct TextKey {
    #[diesel(sql_type = Text)]
    key: String,
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}
