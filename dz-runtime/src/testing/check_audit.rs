//! The audit records that a request must write by `audit:` of the declaration: for rows that a response shows, and for lists.
//!
//! They are determined from the response and the oracle, independently of the code of the response.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::{
    check_graph::{self, GraphQuery},
    check_reads::{Verdict, offered_keys},
    operation::Operation,
    oracle::{Oracle, Scope},
    query,
    server::Answer,
    world::{Stored, key_text},
};
use crate::{
    Result, Value,
    access::{Action as _, List, Read},
    db::{BindKind, Database, Statement},
    def::{AppDef, EntityDef, FieldIx},
};

type Entity = &'static EntityDef;

/// The audit records of permitted reads.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AuditRecords {
    /// Entity and key of each record.
    reads: Vec<(String, String)>,
    /// The keys of each record, by entity.
    lists: Vec<(String, BTreeSet<String>)>,
}

/// True if the declaration records anything.
pub(super) fn is_kept(app: &'static AppDef) -> bool {
    app.entities.iter().any(|entity| !entity.audits.is_empty())
}

/// The latest record.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn load_last(db: &Database) -> Result<Option<Value>> {
    let mut select = Statement::new();
    select.push("SELECT id FROM dz_audit_log ORDER BY id DESC LIMIT 1");
    db.read(&mut |conn| Ok(conn.rows(&select, &[BindKind::Uuid])?.into_iter().flatten().next()))
}

/// The records after `last`.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn load_since(db: &Database, last: Option<&Value>) -> Result<AuditRecords> {
    let mut select = Statement::new();
    select.push("SELECT action, entity, row_id, changes FROM dz_audit_log WHERE decision = 'allowed'");
    if let Some(last) = last {
        select.push(" AND id > ").bind(last.clone(), BindKind::Uuid);
    }
    let kinds = [BindKind::Text, BindKind::Text, BindKind::Text, BindKind::Json];
    let mut found = AuditRecords::default();
    for row in db.read(&mut |conn| conn.rows(&select, &kinds))? {
        let Ok([Value::Text(action), Value::Text(entity), row, changes]) = <[Value; 4]>::try_from(row) else { continue };
        match (action.as_str(), row, changes) {
            ("read", Value::Text(row), _) => found.reads.push((entity, row)),
            ("list", _, Value::Json(changes)) => {
                let ids = changes["ids"].as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned);
                found.lists.push((entity, ids.collect()));
            }
            _ => {}
        }
    }
    found.reads.sort();
    found.lists.sort();
    Ok(found)
}

/// Compares the records with the response. `oracle` has the rows that the response shows: after a write, the changed rows.
/// Hooks can read further rows for the caller.
pub(super) fn check(oracle: &Oracle<'_>, ask: &Operation, answer: &Answer, found: &AuditRecords, runs_hooks: bool) -> Verdict {
    let Some(wanted) = expected_records(oracle, ask, answer) else { return Ok(()) };
    let mut reads = wanted.reads;
    reads.sort();
    let missing = |read: &&(String, String)| count(&found.reads, read) < count(&reads, read);
    if runs_hooks {
        let lacks = reads.iter().find(missing);
        return lacks.map_or(Ok(()), |read| Err(format!("no read is written down of {read:?}, which the answer shows whole")));
    }
    if found.reads != reads {
        return Err(format!("reads are written down of {:?} where the answer shows {reads:?} whole", found.reads));
    }
    let mut entities: Vec<&String> = found.lists.iter().map(|(entity, _)| entity).collect();
    entities.dedup();
    if entities.len() != found.lists.len() {
        return Err(format!("a request writes one record for an entity that it lists, not {:?}", found.lists));
    }
    match wanted.lists {
        Some(lists) if lists != found.lists.iter().cloned().collect() => {
            Err(format!("lists are written down of {:?} where the answer shows {lists:?}", found.lists))
        }
        _ => Ok(()),
    }
}

fn count(reads: &[(String, String)], read: &(String, String)) -> usize {
    reads.iter().filter(|other| *other == read).count()
}

/// The records that a response requires.
struct ExpectedRecords {
    reads: Vec<(String, String)>,
    /// `None` for pages with further lists; each entity of them has at most one record.
    lists: Option<BTreeMap<String, BTreeSet<String>>>,
}

/// `None` for channels whose responses show no rows.
fn expected_records(oracle: &Oracle<'_>, ask: &Operation, answer: &Answer) -> Option<ExpectedRecords> {
    let nothing = || ExpectedRecords { reads: Vec::new(), lists: Some(BTreeMap::new()) };
    if answer.status >= 300 {
        return Some(nothing());
    }
    let body: Json = serde_json::from_str(&answer.body).unwrap_or_default();
    let one = |entity: Entity, row: Option<&Stored>| row.map_or_else(Vec::new, |row| audited_keys(oracle, entity, Read::NAME, [row]));
    let find = |entity: Entity, key: &Value| one(entity, oracle.world.find(entity.ix, key));
    let named =
        |entity: Entity, of: &Json| oracle.world.stored_rows(entity.ix).find(|row| key_text(row.value(entity.pk)) == key_of(entity, of));
    let reads = |entity: Entity, keys: Vec<String>| keys.into_iter().map(|key| (entity.name.to_owned(), key)).collect::<Vec<_>>();
    let items = || body["items"].as_array().into_iter().flatten();
    let listed = |entity: Entity, rows: Vec<&Stored>| {
        let ids: BTreeSet<String> = audited_keys(oracle, entity, List::NAME, rows).into_iter().collect();
        if ids.is_empty() { BTreeMap::new() } else { BTreeMap::from([(entity.name.to_owned(), ids)]) }
    };
    let with_keys = |entity: Entity, keys: &BTreeSet<String>| {
        let rows = oracle.world.stored_rows(entity.ix).filter(|row| keys.contains(&key_text(row.value(entity.pk)))).collect();
        ExpectedRecords { lists: Some(listed(entity, rows)), ..nothing() }
    };
    Some(match ask {
        Operation::Read(entity, key) => ExpectedRecords { reads: reads(entity, find(entity, key)), ..nothing() },
        Operation::ViewPage(surface, key) | Operation::EditPage(surface, key) => {
            let entity = oracle.app().entity(surface.entity);
            ExpectedRecords { reads: reads(entity, find(entity, key)), lists: None }
        }
        Operation::ListPage(..) | Operation::Region(..) => ExpectedRecords { lists: None, ..nothing() },
        Operation::Pick(entity, _) => with_keys(entity, &offered_keys(&answer.body).into_iter().collect()),
        Operation::List(entity, _) => {
            ExpectedRecords { lists: Some(listed(entity, items().filter_map(|item| named(entity, item)).collect())), ..nothing() }
        }
        Operation::Csv(entity, _) => with_keys(entity, &csv_keys(entity, &answer.body)),
        Operation::Expanded(entity, at) => {
            let rows: Vec<&Stored> = items().filter_map(|item| named(entity, item)).collect();
            let (whole, lists) = expanded_records(oracle, entity, *at, &rows, &items().cloned().collect::<Vec<_>>());
            let lists = lists.then(|| listed(entity, rows));
            ExpectedRecords { reads: whole, lists }
        }
        Operation::Graph(entity, query) => graph_records(oracle, entity, query, &body)?,
        // A count shows no rows.
        Operation::Typed(_, _, query) if query.shows.is_none() => nothing(),
        Operation::Typed(entity, engine, query) => {
            let (rows, further): (Vec<_>, Vec<_>) = query::select_rows(oracle, entity, *engine, query).into_iter().unzip();
            let mut lists = listed(entity, rows);
            if let Some(other) = &query.other {
                lists.extend(listed(other.entity, further.into_iter().flatten().collect()));
            }
            ExpectedRecords { lists: Some(lists), ..nothing() }
        }
        // The response is the row, or its key if the caller cannot read it.
        Operation::Create(entity, ..)
        | Operation::Update(entity, ..)
        | Operation::Transition(entity, ..)
        | Operation::Restore(entity, _) => {
            let is_whole = body.as_object().is_some_and(|row| row.len() > 1);
            ExpectedRecords { reads: reads(entity, one(entity, named(entity, &body).filter(|_| is_whole))), ..nothing() }
        }
        Operation::Delete(..) => nothing(),
        Operation::Act(..)
        | Operation::BulkUpdate(..)
        | Operation::BulkQuery(..)
        | Operation::BulkTransition(..)
        | Operation::PageDelete(..)
        | Operation::PageTransition(..)
        | Operation::GraphQl(_) => {
            return None;
        }
    })
}

/// The rows that a response about a graph shows; `None` for a response that contains ids only.
fn graph_records(oracle: &Oracle<'_>, entity: Entity, query: &GraphQuery, body: &Json) -> Option<ExpectedRecords> {
    let is_list = matches!(query, GraphQuery::Edges);
    let action = if is_list { List::NAME } else { Read::NAME };
    let mut by_entity: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (of, row) in check_graph::shown_rows(oracle, entity, query, body)? {
        by_entity.entry(of.name.to_owned()).or_default().extend(audited_keys(oracle, of, action, [row]));
    }
    by_entity.retain(|_, keys| !keys.is_empty());
    let reads = by_entity.iter().filter(|_| !is_list).flat_map(|(name, keys)| keys.iter().map(|key| (name.clone(), key.clone()))).collect();
    Some(ExpectedRecords { reads, lists: Some(if is_list { by_entity } else { BTreeMap::new() }) })
}

/// The rows that an expanded reference shows; false if further lists are shown.
fn expanded_records(oracle: &Oracle<'_>, entity: Entity, at: FieldIx, rows: &[&Stored], items: &[Json]) -> (Vec<(String, String)>, bool) {
    let Some(target) = entity.field(at).kind.target() else { return (Vec::new(), false) };
    let target = oracle.app().entity(target);
    let mut whole: BTreeMap<String, &Stored> = BTreeMap::new();
    for (row, item) in rows.iter().zip(items) {
        let seen = oracle.world.target(entity, at, &row.values).filter(|_| item[entity.field(at).name].is_object());
        if let Some((_, seen)) = seen.filter(|(target, seen)| oracle.reads(target, &seen.values)) {
            whole.insert(key_text(seen.value(target.pk)), seen);
        }
    }
    let keys = audited_keys(oracle, target, Read::NAME, whole.into_values());
    (keys.into_iter().map(|key| (target.name.to_owned(), key)).collect(), true)
}

/// The keys of rows for which an action is recorded: one of the audit conditions is true or unknown.
fn audited_keys<'s>(oracle: &Oracle<'_>, entity: Entity, action: &str, rows: impl IntoIterator<Item = &'s Stored>) -> Vec<String> {
    let lines: Vec<_> = entity.audits.iter().filter(|line| line.action.is_none_or(|name| name == action)).collect();
    let is_kept = |row: &&Stored| {
        let place = Scope { entity, values: &row.values, outer: None };
        lines.iter().any(|line| line.when.as_ref().is_none_or(|when| oracle.truth(when, place) != Some(false)))
    };
    rows.into_iter().filter(is_kept).map(|row| key_text(row.value(entity.pk))).collect()
}

fn key_of(entity: Entity, item: &Json) -> String {
    let key = &item[entity.key().name];
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

fn csv_keys(entity: Entity, body: &str) -> BTreeSet<String> {
    let mut reader = csv::Reader::from_reader(body.as_bytes());
    let at = reader.headers().ok().and_then(|heads| heads.iter().position(|head| head.trim_start_matches('\u{feff}') == entity.key().name));
    let lines = reader.records().filter_map(std::result::Result::ok);
    lines.filter_map(|line| line.get(at?).map(str::to_owned)).collect()
}
