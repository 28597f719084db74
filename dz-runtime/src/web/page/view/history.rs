//! The history of a row: who changed what and when, from the audit log.

use std::collections::HashMap;

use serde_json::Value as Json;

use crate::{
    Result, Tx, Value,
    access::{Action as _, Create, Delete, Update},
    audit::{self, AuditEntry, AuditFilter},
    caller::TenantScope,
    def::{Auto, EntityDef, FieldDef},
    field,
    record::Row,
    rows,
    template::{HistoryChange, HistoryEntry},
    web::page::{cell, columns, variant::Variant},
};

/// The number of entries on a page.
const ENTRIES: i64 = 15;
/// The number of changed fields that an entry lists.
const FIELDS: usize = 8;
/// The name of the creation and of a restoration in the audit log.
const RESTORE: &str = "restore";

/// Labels of referenced rows, by entity and key.
type Labels = HashMap<(u16, String), Option<String>>;

/// The newest entries about a row. Former values are those of rows that the rules may have hidden, so that only callers who may update
/// the row see them; fields that the surface hides are omitted.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn load(tx: &mut Tx<'_>, variant: &Variant, row: &Row, may_update: bool) -> Result<Vec<HistoryEntry>> {
    let entity = tx.app.entity(variant.surface().entity);
    let Some(key) = row.value(entity.pk).to_key_text().filter(|_| may_update && !entity.audits.is_empty()) else { return Ok(Vec::new()) };
    let filter = AuditFilter {
        entity: Some(entity.name.to_owned()),
        decision: Some("allowed".to_owned()),
        row: Some(key),
        changed: true,
        ..AuditFilter::default()
    };
    // A key can belong to a new row after the deletion of another one, also in another tenant.
    let scope = if entity.tenancy.tenant.is_some() { tx.caller.tenant_scope_of(entity) } else { TenantScope::All };
    let found = audit::find(tx.conn, tx.app, &tx.caller, &scope, &filter, ENTRIES)?;
    let mut labels = Labels::new();
    let mut entries = Vec::new();
    for entry in found.iter().take_while(|entry| entity.soft_delete || entry.action != Delete::NAME) {
        entries.extend(describe(tx, variant, entity, entry, &mut labels)?);
        if entry.action == Create::NAME {
            break;
        }
    }
    Ok(entries)
}

/// An entry as text; `None` if the caller sees none of its changes.
fn describe(
    tx: &mut Tx<'_>,
    variant: &Variant,
    entity: &'static EntityDef,
    entry: &AuditEntry,
    labels: &mut Labels,
) -> Result<Option<HistoryEntry>> {
    let mut changes = Vec::new();
    let whole = [Create::NAME, Delete::NAME, RESTORE].contains(&entry.action.as_str());
    for (name, change) in entry.changes.iter().filter_map(Json::as_object).flatten() {
        let Some((at, field)) = entity.find(name).filter(|(at, field)| !field.secret && !variant.hides_own(tx.app, *at)) else { continue };
        // The time of the change is that of the entry.
        if at == entity.pk || entity.tenancy.tenant == Some(at) || field.auto == Auto::Update {
            continue;
        }
        let text = |tx: &mut Tx<'_>, json: Option<&Json>, labels: &mut Labels| show(tx, field, json, labels);
        let (from, to) = (text(tx, change.get("from"), labels)?, text(tx, change.get("to"), labels)?);
        changes.push(HistoryChange { label: field.title, from, to });
    }
    if changes.is_empty() && !whole {
        return Ok(None);
    }
    let fields: Vec<&str> = changes.iter().map(|change| change.label).collect();
    let what = match entry.action.as_str() {
        Create::NAME => say!("dz-created-this", "created this").to_owned(),
        Delete::NAME => say!("dz-deleted-this", "deleted this").to_owned(),
        RESTORE => say!("dz-restored-this", "restored this").to_owned(),
        _ if fields.len() > 3 => say!("dz-changed-fields", "changed {count} fields", count = fields.len()),
        _ => say!("dz-changed-field", "changed {fields}", fields = columns::lower_title(&fields.join(", "))),
    };
    let (who, is_account) = match &entry.account {
        Some(account) => {
            (account_label(tx, account, labels)?.unwrap_or_else(|| say!("dz-another-account", "Another account").to_owned()), true)
        }
        None => (say!("dz-system", "System").to_owned(), false),
    };
    // The values of a new row are those that the page shows, or that a later entry changed.
    changes.truncate(if whole { 0 } else { FIELDS });
    let local = entry.at.with_timezone(&field::zone(tx.app));
    let day = field::format_short_date(local.date_naive(), tx.caller().today);
    Ok(Some(HistoryEntry {
        mark: if is_account { cell::initials(&who) } else { "·".to_owned() },
        tone: if is_account { cell::text_tone(&who) } else { "gray" },
        who,
        what,
        at: field::join_time(day, &local.format("%H:%M").to_string()),
        machine: field::datetime_attribute(&entry.at),
        changes,
    }))
}

fn account_label(tx: &mut Tx<'_>, key: &str, labels: &mut Labels) -> Result<Option<String>> {
    let account = tx.app.account();
    find_label(tx, account, key, labels)
}

fn find_label(tx: &mut Tx<'_>, target: &'static EntityDef, key: &str, labels: &mut Labels) -> Result<Option<String>> {
    let place = (target.ix, key.to_owned());
    if let Some(known) = labels.get(&place) {
        return Ok(known.clone());
    }
    let value = columns::parse_value(tx.app, target.key(), key).unwrap_or_default();
    let label = rows::label(tx, target, &value)?;
    labels.insert(place, label.clone());
    Ok(label)
}

/// A former or new value; `None` for no value.
fn show(tx: &mut Tx<'_>, field: &'static FieldDef, json: Option<&Json>, labels: &mut Labels) -> Result<Option<String>> {
    let Some(json) = json.filter(|json| !json.is_null()) else { return Ok(None) };
    if field.sensitive {
        return Ok(json.as_str().map(str::to_owned));
    }
    let Ok(value) = field::from_json(tx.app, field, json) else { return Ok(Some(json.to_string())) };
    if let Some(target) = field.kind.target() {
        let key = value.to_key_text().unwrap_or_default();
        let label = find_label(tx, tx.app.entity(target), &key, labels)?;
        return Ok(Some(label.unwrap_or_else(|| say!("dz-not-visible-to-you", "Not visible to you").to_owned())));
    }
    if field.kind.is_file() {
        return Ok(Some(say!("dz-a-file", "A file").to_owned()));
    }
    let text = columns::show(tx.app, field, &value).text;
    Ok((value != Value::Null && !text.is_empty()).then_some(text))
}

/// True if the history of rows of the entity is recorded and can be shown to the caller for some row.
pub(crate) fn is_recorded(tx: &Tx<'_>, entity: &'static EntityDef) -> bool {
    !entity.audits.is_empty() && tx.ask::<Update>(entity).is_ok()
}
