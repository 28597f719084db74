//! The second fence around the rows of tenants: on PostgreSQL each transaction says whose rows it is about, and the
//! policies of the tables keep all others out, whatever a statement asks for.

use crate::{
    Caller, Engine, Error, Value,
    caller::TenantScope,
    db::{BindKind, Conn, Statement, schema::refusal},
    def::AppDef,
};

/// What the policies compare with: the tenant, and the one whose members are seen.
pub(super) type SessionSettings = [String; 2];

/// The rows of all tenants.
const ALL_TENANTS: &str = "*";

/// What a transaction says before anybody asks for anything: its work is that of the system.
pub(super) fn system_settings() -> SessionSettings {
    [ALL_TENANTS.to_owned(), ALL_TENANTS.to_owned()]
}

/// What the policies are told of a caller.
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

/// The statement that tells the policies, until the transaction ends.
pub(super) fn statement(settings: &SessionSettings) -> Statement {
    let mut select = Statement::new();
    let setting = |at: usize| Value::Text(settings[at].clone());
    select.push("SELECT set_config('dz.tenant', ").bind(setting(0), BindKind::Text);
    select.push(", true), set_config('dz.members', ").bind(setting(1), BindKind::Text).push(", true)");
    select
}

/// Whether the role of the connection is one that policies hold; SQLite has none.
///
/// # Errors
/// One sentence for the operator, when the role is above policies.
pub(crate) fn check(conn: &mut Conn, app: &'static AppDef) -> Result<(), Error> {
    if conn.engine() == Engine::Sqlite || app.tenant().is_none() {
        return Ok(());
    }
    let mut select = Statement::new();
    select.push("SELECT current_user::text, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user");
    match conn.rows(&select, &[BindKind::Text, BindKind::Bool])?.into_iter().next().as_deref() {
        Some([Value::Text(role), Value::Bool(true)]) => Err(refusal(format!(
            "the database role `{role}` is above row-level security, which keeps tenants apart: name one in `DATABASE_URL` that is \
             neither SUPERUSER nor BYPASSRLS, and let `dz.migrations_url` name the role that owns the tables"
        ))),
        _ => Ok(()),
    }
}

/// Lets the role of another connection use the tables that this one's role owns.
///
/// # Errors
/// 500 when this role may not.
pub(crate) fn grant_tables(conn: &mut Conn, role: &str) -> Result<(), Error> {
    let role = role.replace('"', "\"\"");
    conn.batch(&format!(
        "GRANT USAGE ON SCHEMA public TO \"{role}\"; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \"{role}\"; \
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO \"{role}\""
    ))
}

/// The role of a connection.
pub(crate) fn role(conn: &mut Conn) -> Result<String, Error> {
    let mut select = Statement::new();
    select.push("SELECT current_user::text");
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(role)) => Ok(role),
        _ => Err(Error::internal("a connection without a role")),
    }
}
