//! The callers of the report, and of graphs that are read at the start: an anonymous one, and an account for each role with a value in
//! every field that rules can read.

use chrono::{DateTime, NaiveDate, Utc};

use crate::{
    Account, Caller, Membership, Value, accounts,
    def::{AppDef, Archetype, EntityDef, FieldDef, Kind, Path},
    field,
};

/// Lists the callers with their names.
pub(crate) fn list_callers(app: &'static AppDef, now: DateTime<Utc>) -> Vec<(&'static str, Caller)> {
    let anonymous = Caller::anonymous(app, now, "");
    let mut all = vec![("anonymous", anonymous.clone())];
    for (bit, role) in app.roles.iter().enumerate().take(64) {
        let roles = 1_u64 << bit;
        let membership = app.tenant().map(|tenant| Membership {
            tenant: sample_value(app, tenant.key()),
            name: tenant.title.to_owned(),
            roles,
            primary: true,
        });
        all.push((
            role.name,
            Caller {
                account: Some(sample_account(app)),
                roles,
                system_roles: roles,
                memberships: membership.iter().cloned().collect(),
                membership,
                tenant_admin: role.name == "tenant_admin",
                system_admin: role.name == "admin",
                ..anonymous.clone()
            },
        ));
    }
    all
}

fn sample_account(app: &'static AppDef) -> Account {
    let entity = app.account();
    let held = |field: &'static FieldDef| if field.is_stored() && !field.secret { sample_value(app, field) } else { Value::Null };
    let hop = |path: &Path| (*path, sample_value(app, path.end(app).field(app)));
    Account {
        id: sample_value(app, entity.key()),
        email: "user@example.com".to_owned(),
        label: "User".to_owned(),
        values: entity.fields.iter().map(held).collect(),
        path_values: accounts::find_caller_paths(app).iter().map(hop).collect(),
    }
}

/// Returns a valid value of a field.
pub(super) fn sample_value(app: &'static AppDef, of: &'static FieldDef) -> Value {
    match field::stored_kind(app, of) {
        Kind::Uuid => Value::Uuid(uuid::Uuid::from_u64_pair(0x0190_0000_0000_7000, 0x8000_0000_0000_0001)),
        Kind::Int => Value::Int(1),
        Kind::Float => Value::Float(1.0),
        Kind::Decimal { .. } => Value::Decimal(1.into()),
        Kind::Bool => Value::Bool(true),
        Kind::Date => Value::Date(NaiveDate::default()),
        Kind::DateTime => Value::DateTime(DateTime::UNIX_EPOCH),
        Kind::Enum(of) => of.values.first().map_or(Value::Null, |value| Value::Text(value.name.to_owned())),
        Kind::Email => Value::Text("user@example.com".to_owned()),
        Kind::Url => Value::Text("https://example.com".to_owned()),
        Kind::Timezone => Value::Text("UTC".to_owned()),
        Kind::Currency { .. } => Value::Text("EUR".to_owned()),
        Kind::Str(_) | Kind::Text | Kind::Slug => Value::Text("x".to_owned()),
        Kind::Json | Kind::File { .. } | Kind::Ref(_) | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => Value::Null,
    }
}

/// True for entities with one row, or one row for each tenant, which need no index.
pub(super) fn is_small(entity: &EntityDef) -> bool {
    entity.tenancy.is_singleton() || entity.tenancy.archetype == Some(Archetype::Tenant)
}
