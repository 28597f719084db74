//! The memberships of an account, and its current tenant.

use dz_vocabulary::column_of_field;

use super::mask;
use crate::{
    Caller, Membership, Result, Value,
    db::{BindKind, Conn, Statement, emit::Emit},
    def::AppDef,
    label,
};

/// The choice of the current tenant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TenantChoice {
    /// The only membership, or else the primary one.
    Default,
    /// The tenant with this key.
    This(Value),
    /// No tenant.
    None,
}

impl TenantChoice {
    /// The choice that a session stores; null without a choice.
    pub(crate) fn from_session(stored: Value) -> TenantChoice {
        if stored.is_null() { TenantChoice::Default } else { TenantChoice::This(stored) }
    }

    /// The choice that a token stores: one tenant, or none.
    pub(crate) fn from_token(stored: Value) -> TenantChoice {
        if stored.is_null() { TenantChoice::None } else { TenantChoice::This(stored) }
    }
}

/// Reads the accepted memberships of an account, sorted by the label of the tenant.
///
/// # Errors
/// 503 if the database is unavailable.
fn read_memberships(conn: &mut Conn, app: &'static AppDef, account: &Value, caller: &Caller) -> Result<Vec<Membership>> {
    let (Some(members), Some(tenant)) = (app.members(), app.tenant()) else { return Ok(Vec::new()) };
    let system = Caller { system: true, membership: None, ..Caller::anonymous(app, caller.now, "") };
    let emit = Emit { app, engine: conn.engine(), caller: &system };
    let row_label = label::RowLabel::without_sensitive(app, tenant);
    let label = row_label.field;
    let (Some(key_of), Some(label_kind)) = (BindKind::from_kind(tenant.key().kind, app), BindKind::from_kind(label.kind, app)) else {
        return Ok(Vec::new());
    };
    let column = |at| format!("m.\"{}\"", column_of_field(members.entity.field(at).name));
    let mut select = Statement::new();
    select.push("SELECT t.").ident(tenant.key().name).push(", ").append(emit.field_value(tenant, label, "t"));
    select.push(", ").push(&column(members.personas)).push(", ").push(&column(members.primary));
    select
        .push(" FROM ")
        .append(emit.visible_rows(members.entity))
        .push(" AS m JOIN ")
        .append(emit.visible_rows(tenant))
        .push(" AS t ON t.");
    select.ident(tenant.key().name).push(" = ").push(&column(members.tenant));
    select.push(" WHERE ").push(&column(members.account)).push(" = ").bind(account.clone(), BindKind::from_account_key(app)?);
    select.push(" AND ").push(&column(members.accepted)).push(" IS NOT NULL ORDER BY 2, 1");
    let kinds = [key_of, label_kind, BindKind::Json, BindKind::Bool];
    let found = conn.for_system(|conn| conn.rows(&select, &kinds))?.into_iter().filter_map(|row| {
        let [key, name, personas, primary] = <[Value; 4]>::try_from(row).ok()?;
        let name = row_label.text(app, &name, &key);
        Some(Membership { tenant: key, name, roles: mask(app, &personas), primary: primary == Value::Bool(true) })
    });
    Ok(found.collect())
}

/// Loads the memberships of a caller, and sets its current membership and roles.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn load_memberships(conn: &mut Conn, app: &'static AppDef, caller: &mut Caller, choice: &TenantChoice) -> Result<()> {
    let Some(account) = caller.account.as_ref().map(|account| account.id.clone()).filter(|_| app.tenant().is_some()) else {
        return Ok(());
    };
    caller.memberships = read_memberships(conn, app, &account, caller)?;
    caller.membership = find_active(&caller.memberships, choice).cloned();
    caller.roles = caller.system_roles | caller.membership.as_ref().map_or(0, |membership| membership.roles);
    caller.tenant_admin = super::is_tenant_admin(app, caller);
    Ok(())
}

/// The current membership.
fn find_active<'m>(all: &'m [Membership], choice: &TenantChoice) -> Option<&'m Membership> {
    match (choice, all) {
        (TenantChoice::None, _) => None,
        // Without the chosen membership there is no current tenant: switching to another one would be unexpected.
        (TenantChoice::This(tenant), _) => all.iter().find(|it| it.tenant == *tenant),
        (TenantChoice::Default, [only]) => Some(only),
        (TenantChoice::Default, _) => all.iter().find(|it| it.primary),
    }
}
