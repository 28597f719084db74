//! The data of an account as one JSON document.

use serde_json::{Map, Value as Json, json};

use super::references;
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
    def::{AppDef, EntityDef},
    field,
};

/// A table of dz with rows of an account.
struct OwnTable {
    /// The member of the document.
    member: &'static str,
    name: &'static str,
    columns: &'static [(&'static str, BindKind)],
    /// The column by which the rows are ordered.
    order: &'static str,
}

const TIMES: [(&str, BindKind); 3] =
    [("created_at", BindKind::DateTime), ("seen_at", BindKind::DateTime), ("expires_at", BindKind::DateTime)];

const TABLES: [OwnTable; 8] = [
    OwnTable { member: "roles", name: "dz_roles", columns: &[("role", BindKind::Text)], order: "role" },
    OwnTable {
        member: "identities",
        name: "dz_identities",
        columns: &[("issuer", BindKind::Text), ("subject", BindKind::Text), ("created_at", BindKind::DateTime)],
        order: "issuer",
    },
    OwnTable {
        member: "sessions",
        name: "dz_sessions",
        columns: &[("device", BindKind::Text), TIMES[0], TIMES[1], TIMES[2]],
        order: "created_at",
    },
    OwnTable {
        member: "api_tokens",
        name: "dz_tokens",
        columns: &[("scope", BindKind::Text), TIMES[0], TIMES[1], TIMES[2]],
        order: "created_at",
    },
    OwnTable {
        member: "files",
        name: "dz_files",
        columns: &[("name", BindKind::Text), ("type", BindKind::Text), ("size", BindKind::Int), ("since", BindKind::DateTime)],
        order: "since",
    },
    OwnTable { member: "preferences", name: "dz_preferences", columns: &[("value", BindKind::Text)], order: "value" },
    OwnTable {
        member: "saved_filters",
        name: "dz_filters",
        columns: &[("surface", BindKind::Text), ("name", BindKind::Text), ("query", BindKind::Text), ("role", BindKind::Text)],
        order: "surface",
    },
    OwnTable {
        member: "audit_log",
        name: "dz_audit_log",
        columns: &[
            ("at", BindKind::DateTime),
            ("action", BindKind::Text),
            ("entity", BindKind::Text),
            ("row_id", BindKind::Text),
            ("decision", BindKind::Text),
            ("changes", BindKind::Json),
        ],
        order: "at",
    },
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
    for table in &TABLES {
        document.insert(table.member.to_owned(), own_rows(conn, app, account, table)?.into());
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

fn own_rows(conn: &mut Conn, app: &'static AppDef, account: &Value, table: &OwnTable) -> Result<Vec<Json>> {
    let mut select = Statement::new();
    select.push("SELECT ");
    for (at, (name, _)) in table.columns.iter().enumerate() {
        select.push(if at == 0 { "" } else { ", " }).ident(name);
    }
    select.push(" FROM ").ident(table.name).push(" WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    select.push(" ORDER BY ").ident(table.order);
    let kinds: Vec<BindKind> = table.columns.iter().map(|(_, kind)| *kind).collect();
    let row = |values: Vec<Value>| {
        let members = table.columns.iter().zip(values).map(|((name, _), value)| ((*name).to_owned(), plain(value)));
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
