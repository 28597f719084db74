//! Row-level security on PostgreSQL: each transaction sets the tenant whose rows it accesses, and the policies of the tables
//! exclude all other rows, independently of the statement.

use crate::{
    Caller, Engine, Error, Value,
    caller::TenantScope,
    db::{BindKind, Conn, Statement, schema::refusal},
    def::AppDef,
};

/// The settings that the policies compare: the tenant, and the tenant whose memberships are visible.
pub(super) type SessionSettings = [String; 2];

/// The setting that permits the rows of all tenants.
const ALL_TENANTS: &str = "*";

/// The settings of the system, with which every transaction starts.
pub(super) fn system_settings() -> SessionSettings {
    [ALL_TENANTS.to_owned(), ALL_TENANTS.to_owned()]
}

/// The settings for a caller.
pub(crate) fn settings_for(caller: &Caller) -> SessionSettings {
    let to_setting = |reach: TenantScope| match reach {
        TenantScope::All => ALL_TENANTS.to_owned(),
        TenantScope::One(tenant) => format!("={}", tenant.to_key_text().unwrap_or_default()),
        TenantScope::None => String::new(),
    };
    let own = to_setting(caller.tenant_scope());
    let members = if caller.system_admin { ALL_TENANTS.to_owned() } else { own.clone() };
    [own, members]
}

/// The statement that applies the settings until the end of the transaction.
pub(super) fn statement(settings: &SessionSettings) -> Statement {
    let mut select = Statement::new();
    let setting = |at: usize| Value::Text(settings[at].clone());
    select.push("SELECT set_config('dz.tenant', ").bind(setting(0), BindKind::Text);
    select.push(", true), set_config('dz.members', ").bind(setting(1), BindKind::Text).push(", true)");
    select
}

/// Checks that policies apply to the database role of the connection; SQLite has no roles.
///
/// # Errors
/// One sentence for the operator, if policies do not apply to the role.
pub(crate) fn check(conn: &mut Conn, app: &'static AppDef) -> Result<(), Error> {
    if conn.engine() == Engine::Sqlite || app.tenant().is_none() {
        return Ok(());
    }
    let mut select = Statement::new();
    select.push("SELECT current_user::text, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user");
    match conn.rows(&select, &[BindKind::Text, BindKind::Bool])?.into_iter().next().as_deref() {
        Some([Value::Text(role), Value::Bool(true)]) => Err(refusal(format!(
            "the database role `{role}` bypasses row-level security, which separates tenants: name a role without SUPERUSER and \
             BYPASSRLS in `DATABASE_URL`, and the role that owns the tables in `dz.migrations_url`"
        ))),
        _ => Ok(()),
    }
}

/// Grants the role of another connection access to the tables of this role.
///
/// # Errors
/// 500 if this role may not grant it.
pub(crate) fn grant_tables(conn: &mut Conn, role: &str) -> Result<(), Error> {
    let role = role.replace('"', "\"\"");
    conn.batch(&format!(
        "GRANT USAGE ON SCHEMA public TO \"{role}\"; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \"{role}\"; \
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO \"{role}\""
    ))
}

/// The database role of a connection.
pub(crate) fn role(conn: &mut Conn) -> Result<String, Error> {
    let mut select = Statement::new();
    select.push("SELECT current_user::text");
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(role)) => Ok(role),
        _ => Err(Error::internal("a connection without a role")),
    }
}
