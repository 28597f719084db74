//! Where an account is a member, and where it is now.

use super::mask;
use crate::{
    Caller, Membership, Result, Value,
    db::{BindKind, Conn, Statement, emit::Emit},
    def::AppDef,
    label,
};

/// Which tenant somebody asked to be in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TenantChoice {
    /// None in particular: the primary one, else the only one.
    Default,
    /// This one.
    This(Value),
    /// None at all.
    None,
}

impl TenantChoice {
    /// What a session has stored: null until somebody chooses.
    pub(crate) fn from_session(stored: Value) -> TenantChoice {
        if stored.is_null() { TenantChoice::Default } else { TenantChoice::This(stored) }
    }

    /// What a token has stored: it is good for one tenant, or for none.
    pub(crate) fn from_token(stored: Value) -> TenantChoice {
        if stored.is_null() { TenantChoice::None } else { TenantChoice::This(stored) }
    }
}

/// The tenants of which an account is a member that has accepted, by name.
///
/// # Errors
/// 503 when the database is away.
fn read_memberships(conn: &mut Conn, app: &'static AppDef, account: &Value, caller: &Caller) -> Result<Vec<Membership>> {
    let (Some(members), Some(tenant)) = (app.members(), app.tenant()) else { return Ok(Vec::new()) };
    let system = Caller { system: true, membership: None, ..Caller::anonymous(app, caller.now, "") };
    let emit = Emit { app, engine: conn.engine(), caller: &system };
    let row_label = label::RowLabel::without_sensitive(app, tenant);
    let label = row_label.field;
    let (Some(key_of), Some(label_kind)) = (BindKind::from_kind(tenant.key().kind, app), BindKind::from_kind(label.kind, app)) else {
        return Ok(Vec::new());
    };
    let column = |at| format!("m.\"{}\"", members.entity.field(at).name);
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

/// Tells a caller where it is a member and where it is now, with the roles that it has there.
///
/// # Errors
/// 503 when the database is away.
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

/// The membership that holds now.
fn find_active<'m>(all: &'m [Membership], choice: &TenantChoice) -> Option<&'m Membership> {
    match (choice, all) {
        (TenantChoice::None, _) => None,
        // Whoever is no member any more is nowhere, and not all of a sudden somewhere else.
        (TenantChoice::This(tenant), _) => all.iter().find(|it| it.tenant == *tenant),
        (TenantChoice::Default, [only]) => Some(only),
        (TenantChoice::Default, _) => all.iter().find(|it| it.primary),
    }
}
