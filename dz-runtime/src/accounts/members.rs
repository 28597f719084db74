//! Memberships: the tenants of an account and its personas in each.

use serde_json::{Value as Json, json};

use crate::{
    Error, Result, Tx, Value,
    access::{Create, Update},
    accounts::{self, additional_fields::AdditionalFields},
    db::{
        BindKind, Statement,
        emit::{Emit, NEVER},
    },
    def::{AppDef, Members},
    field, label,
    record::FieldValues,
    rows::{self, Row},
};

/// Finds a tenant by its key, or by its label if only one tenant has it. The unit of work must act as the system.
///
/// # Errors
/// 400 if there is none, or more than one.
pub(crate) fn find_tenant(tx: &mut Tx<'_>, text: &str) -> Result<Value> {
    let app = tx.app;
    let tenant = app.tenant().ok_or_else(|| Error::bad_request("this application has no tenants, so `--tenant` has no meaning"))?;
    let kind = BindKind::from_kind(tenant.key().kind, app).ok_or_else(|| Error::internal("a key without a column"))?;
    let emit = Emit { app, engine: tx.engine(), caller: &tx.caller };
    let label = label::RowLabel::without_sensitive(app, tenant).field;
    let by_key = field::from_text(app, tenant.key(), text, field::zone(app)).ok().filter(|key| !key.is_null());
    let mut select = Statement::new();
    select.push("SELECT t.").ident(tenant.key().name).push(" FROM ").append(emit.visible_rows(tenant)).push(" AS t WHERE ");
    if let Some(key) = by_key {
        select.push("t.").ident(tenant.key().name).push(" = ").bind(key, kind).push(" OR ");
    }
    match label.kind.is_text() {
        true => select.append(emit.field_value(tenant, label, "t")).push(" = ").bind(Value::Text(text.to_owned()), BindKind::Text),
        false => select.push(NEVER),
    };
    let mut found = tx.conn.rows(&select, &[kind])?.into_iter().flatten();
    match (found.next(), found.next()) {
        (Some(key), None) => Ok(key),
        (None, _) => Err(Error::bad_request(format!("there is no {} `{text}`: name it, or give its key", tenant.title.to_lowercase()))),
        _ => Err(Error::bad_request(format!("several rows of {} are called `{text}`: give the key of one", tenant.name))),
    }
}

fn require_memberships(app: &'static AppDef) -> Result<Members> {
    app.members().ok_or_else(|| Error::bad_request("no entity contains memberships: add one with `archetype: user_membership`"))
}

/// Adds a persona to the membership of an account, or creates an accepted membership with `further` fields. The unit of work must act as
/// the system in the tenant.
///
/// # Errors
/// 400 if the application has no memberships; 422 for an unknown persona.
pub(crate) fn add_persona(tx: &mut Tx<'_>, account: &Value, persona: Option<&str>, further: FieldValues) -> Result<()> {
    if let Some(persona) = persona {
        accounts::find_role(tx.app, persona)?;
    }
    let personas: Vec<String> = persona.map(str::to_owned).into_iter().collect();
    add_personas(tx, account, &personas, further).map(drop)
}

/// As [`add_persona`], for several personas; returns the key of the membership.
///
/// # Errors
/// As [`add_persona`], and the errors of rows and hooks.
pub(super) fn add_personas(tx: &mut Tx<'_>, account: &Value, personas: &[String], further: FieldValues) -> Result<Value> {
    let members = require_memberships(tx.app)?;
    let key = |row: &Row| row.value(members.entity.pk).clone();
    let mut given = further;
    let Some(row) = find(tx, &members, account)? else {
        given.set(members.account, account.clone());
        given.set(members.personas, Value::Json(json!(personas)));
        given.set(members.accepted, Value::DateTime(tx.now()));
        let grant = tx.ask::<Create>(members.entity)?;
        let made = rows::create_row(tx, &grant, given).map(|row| key(&row));
        return made.map_err(|error| AdditionalFields::for_membership(tx.app).map_or(error.clone(), |needed| needed.qualify_errors(error)));
    };
    let mut held = list_personas(row.value(members.personas));
    let before = held.len();
    held.extend(
        personas.iter().filter(|name| !list_personas(row.value(members.personas)).iter().any(|it| it == *name)).map(|it| json!(it)),
    );
    let accepted = !row.value(members.accepted).is_null();
    let mut changes = if accepted { FieldValues::default() } else { given };
    if held.len() > before {
        changes.set(members.personas, Value::Json(Json::Array(held)));
    }
    if !accepted {
        changes.set(members.accepted, Value::DateTime(tx.now()));
    }
    update(tx, &members, &row, changes).map(|()| key(&row))
}

/// Removes a persona, and returns whether the account had it.
///
/// # Errors
/// As [`add_persona`].
pub(crate) fn remove_persona(tx: &mut Tx<'_>, account: &Value, persona: &str) -> Result<bool> {
    let members = require_memberships(tx.app)?;
    accounts::find_role(tx.app, persona)?;
    let Some(row) = find(tx, &members, account)? else { return Ok(false) };
    let mut personas = list_personas(row.value(members.personas));
    let before = personas.len();
    personas.retain(|held| held != persona);
    let mut changes = FieldValues::default();
    let had = personas.len() < before;
    if had {
        changes.set(members.personas, Value::Json(Json::Array(personas)));
    }
    update(tx, &members, &row, changes).map(|()| had)
}

fn update(tx: &mut Tx<'_>, members: &Members, row: &Row, changes: FieldValues) -> Result<()> {
    let grant = tx.ask::<Update>(members.entity)?;
    rows::update_row(tx, &grant, row.value(members.entity.pk), changes).map(drop)
}

fn list_personas(personas: &Value) -> Vec<Json> {
    match personas {
        Value::Json(Json::Array(names)) => names.clone(),
        _ => Vec::new(),
    }
}

/// Finds the membership of an account in the tenant of the unit of work.
fn find(tx: &mut Tx<'_>, members: &Members, account: &Value) -> Result<Option<Row>> {
    let (entity, app) = (members.entity, tx.app);
    let kind = BindKind::from_kind(entity.key().kind, app).ok_or_else(|| Error::internal("a key without a column"))?;
    let tenant_kind =
        BindKind::from_kind(entity.field(members.tenant).kind, app).ok_or_else(|| Error::internal("a ref without a column"))?;
    let emit = Emit { app, engine: tx.engine(), caller: &tx.caller };
    let mut select = Statement::new();
    select.push("SELECT m.").ident(entity.key().name).push(" FROM ").append(emit.visible_rows(entity)).push(" AS m WHERE m.");
    select.ident(entity.field(members.account).name).push(" = ").bind(account.clone(), BindKind::from_account_key(app)?);
    // The system acts as an administrator of memberships in every tenant.
    select.push(" AND m.").ident(entity.field(members.tenant).name).push(" = ");
    select.bind(tx.tenant().cloned().unwrap_or_default(), tenant_kind);
    let Some(key) = tx.conn.rows(&select, &[kind])?.into_iter().flatten().next() else { return Ok(None) };
    let grant = tx.ask::<crate::access::Read>(entity)?;
    rows::read(tx, &grant, &key, &[]).map(Some)
}
