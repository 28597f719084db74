//! The data of an account as one JSON document.

use serde_json::{Map, Value as Json, json};

use super::references;
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
    def::{AppDef, EntityDef},
    field,
};

/// The tables of dz with rows of an account, their columns, and the order of the rows.
const TABLES: [(&str, &str, &[(&str, BindKind)], &str); 8] = [
    ("roles", "dz_roles", &[("role", BindKind::Text)], "role"),
    (
        "identities",
        "dz_identities",
        &[("issuer", BindKind::Text), ("subject", BindKind::Text), ("created_at", BindKind::DateTime)],
        "issuer",
    ),
    (
        "sessions",
        "dz_sessions",
        &[
            ("device", BindKind::Text),
            ("created_at", BindKind::DateTime),
            ("seen_at", BindKind::DateTime),
            ("expires_at", BindKind::DateTime),
        ],
        "created_at",
    ),
    (
        "api_tokens",
        "dz_tokens",
        &[
            ("scope", BindKind::Text),
            ("created_at", BindKind::DateTime),
            ("seen_at", BindKind::DateTime),
            ("expires_at", BindKind::DateTime),
        ],
        "created_at",
    ),
    (
        "files",
        "dz_files",
        &[("name", BindKind::Text), ("type", BindKind::Text), ("size", BindKind::Int), ("since", BindKind::DateTime)],
        "since",
    ),
    ("preferences", "dz_preferences", &[("value", BindKind::Text)], "value"),
    (
        "saved_filters",
        "dz_filters",
        &[("surface", BindKind::Text), ("name", BindKind::Text), ("query", BindKind::Text), ("role", BindKind::Text)],
        "surface",
    ),
    (
        "audit_log",
        "dz_audit_log",
        &[
            ("at", BindKind::DateTime),
            ("action", BindKind::Text),
            ("entity", BindKind::Text),
            ("row_id", BindKind::Text),
            ("decision", BindKind::Text),
            ("changes", BindKind::Json),
        ],
        "at",
    ),
];

/// The account, the rows that refer to it, and what dz stores about it. Secrets, such as hashes of passwords, are not part of it.
///
/// # Errors
/// 503 if the database is unavailable.
pub(in crate::app) fn export(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<Json> {
    let entity = app.account();
    let mut own = Statement::new();
    own.push(" WHERE ").ident(entity.key().name).push(" = ").bind(account.clone(), BindKind::from_account_key(app)?);
    let own = rows(conn, app, entity, &own)?.pop().unwrap_or_default();
    let mut referring = Vec::new();
    for reference in references(app) {
        let Some(condition) = reference.condition(app, account) else { continue };
        let rows = rows(conn, app, reference.entity, &condition)?;
        if !rows.is_empty() {
            referring.push(json!({"entity": reference.entity.name, "field": reference.field.name, "rows": rows}));
        }
    }
    let mut document = Map::from_iter([("account".to_owned(), own), ("rows".to_owned(), referring.into())]);
    for (name, table, columns, order) in TABLES {
        document.insert(name.to_owned(), own_rows(conn, app, account, (table, columns, order))?.into());
    }
    Ok(document.into())
}

/// The stored fields of the rows of an entity, deleted rows included.
fn rows(conn: &mut Conn, app: &'static AppDef, entity: &'static EntityDef, condition: &Statement) -> Result<Vec<Json>> {
    let kinds: Vec<_> = entity.fields.iter().filter(|field| field.is_stored() && !field.secret).collect();
    let mut select = Statement::new();
    select.push("SELECT ");
    let mut binds = Vec::new();
    for (at, field) in kinds.iter().enumerate() {
        select.push(if at == 0 { "" } else { ", " }).ident(field.name);
        binds.extend(BindKind::from_kind(field.kind, app));
    }
    select.push(" FROM ").ident(entity.table).append(condition.clone()).push(" ORDER BY ").ident(entity.key().name);
    let row = |values: Vec<Value>| {
        let members = kinds.iter().zip(&values).map(|(field, value)| {
            let mut bytes = Vec::new();
            field::write_json(field, value, &mut bytes);
            (field.name.to_owned(), serde_json::from_slice(&bytes).unwrap_or_default())
        });
        Json::Object(members.collect())
    };
    Ok(conn.rows(&select, &binds)?.into_iter().map(row).collect())
}

type OwnTable = (&'static str, &'static [(&'static str, BindKind)], &'static str);

fn own_rows(conn: &mut Conn, app: &'static AppDef, account: &Value, (table, columns, order): OwnTable) -> Result<Vec<Json>> {
    let mut select = Statement::new();
    select.push("SELECT ");
    for (at, (name, _)) in columns.iter().enumerate() {
        select.push(if at == 0 { "" } else { ", " }).ident(name);
    }
    select.push(" FROM ").ident(table).push(" WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    select.push(" ORDER BY ").ident(order);
    let kinds: Vec<BindKind> = columns.iter().map(|(_, kind)| *kind).collect();
    let row = |values: Vec<Value>| {
        let members = columns.iter().zip(values).map(|((name, _), value)| ((*name).to_owned(), plain(value)));
        Json::Object(members.collect())
    };
    Ok(conn.rows(&select, &kinds)?.into_iter().map(row).collect())
}

/// A value without a field as JSON.
fn plain(value: Value) -> Json {
    match value {
        Value::Json(json) => json,
        Value::Int(number) => number.into(),
        Value::Bool(on) => on.into(),
        Value::Null => Json::Null,
        Value::DateTime(at) => at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true).into(),
        other @ (Value::Text(_) | Value::Uuid(_) | Value::Float(_) | Value::Decimal(_) | Value::Date(_)) => {
            other.to_key_text().map_or(Json::Null, Json::from)
        }
    }
}
