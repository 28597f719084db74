//! Tenants as the language defines them: rows of other tenants do not exist for a caller.

use super::{
    oracle::{Oracle, Scope, TestCaller},
    random::Random,
    world::{Stored, World, key_text},
};
use crate::{
    Value,
    def::{AppDef, Archetype, Audience, EntityDef, FieldIx, SurfaceDef},
};

/// The memberships of a caller, their current tenant and their roles in it.
#[derive(Debug, Clone, Default)]
pub(super) struct TenantState {
    /// The key of the current tenant, if any.
    pub tenant: Option<Value>,
    /// Mask of the roles in this tenant only.
    pub roles: u64,
    /// The keys of the tenants of the caller's memberships.
    pub member_of: Vec<Value>,
    /// True if `admin` was granted system-wide.
    pub system_admin: bool,
    /// True for an administrator of the current tenant.
    pub tenant_admin: bool,
}

impl TestCaller {
    /// The roles that count in the rules of an entity: the roles of a membership do not count for every entity.
    pub fn roles_on(&self, entity: &EntityDef) -> u64 {
        if entity.tenancy.system_roles { self.roles } else { self.roles | self.tenant_state.roles }
    }

    /// The roles that count in an expression: those that count for the entity of its rule.
    pub fn roles_at(&self, mut place: Scope<'_>) -> u64 {
        while let Some(outer) = place.outer {
            place = *outer;
        }
        self.roles_on(place.entity)
    }

    /// True if the caller sees rows of the entity in all tenants.
    pub fn is_everywhere(&self, entity: &EntityDef) -> bool {
        self.tenant_state.system_admin && entity.tenancy.archetype == Some(Archetype::UserMembership)
    }

    /// True if a changed membership would give its roles to another account, and the caller lacks one of them.
    pub fn confers_roles(&self, app: &AppDef, entity: &EntityDef, before: &[Value], after: &[Value]) -> bool {
        let Some(members) = app.members().filter(|members| members.entity.ix == entity.ix && !self.tenant_state.system_admin) else {
            return false;
        };
        let (account, personas) = (usize::from(members.account), usize::from(members.personas));
        let lacks =
            |name: &str| app.roles.iter().position(|role| role.name == name).is_some_and(|bit| self.roles_on(entity) >> bit & 1 == 0);
        let Value::Json(serde_json::Value::Array(names)) = &after[personas] else { return false };
        before[account] != after[account] && names.iter().filter_map(|name| name.as_str()).any(lacks)
    }

    /// True if the caller sees no row of the entity, because they have no tenant.
    pub fn is_nowhere(&self, entity: &EntityDef) -> bool {
        entity.tenancy.tenant.is_some() && self.tenant_state.tenant.is_none() && !self.is_everywhere(entity)
    }

    /// True if the row with this key is a tenant of the caller.
    pub fn is_member_of(&self, entity: &EntityDef, key: &Value) -> bool {
        entity.tenancy.archetype == Some(Archetype::Tenant) && self.tenant_state.member_of.contains(key)
    }

    /// True if the caller belongs to the audience of the page, independently of its rules.
    pub fn is_for_page(&self, surface: &SurfaceDef) -> bool {
        self.is_in_audience(surface.place.audience)
    }

    /// True if the caller belongs to an audience.
    pub fn is_in_audience(&self, audience: Audience) -> bool {
        match audience {
            Audience::Rules => true,
            Audience::Authenticated => self.account.is_some(),
            Audience::Roles(roles) => (self.roles | self.tenant_state.roles) & roles != 0,
            Audience::SystemAdmin => self.tenant_state.system_admin,
            Audience::TenantAdmin => self.tenant_state.tenant_admin,
        }
    }
}

impl Oracle<'_> {
    /// True if an account is a member of the caller's tenant; always true without tenants.
    pub(super) fn is_fellow_member(&self, account: &EntityDef, values: &[Value]) -> bool {
        let Some(members) = self.app().members() else { return true };
        let Some(tenant) = &self.who.tenant_state.tenant else { return false };
        let key = values.get(usize::from(account.pk));
        self.world.stored_rows(members.entity.ix).any(|row| {
            row.value(members.tenant) == tenant && Some(row.value(members.account)) == key && !row.value(members.accepted).is_null()
        })
    }
}

impl World {
    /// The rows that are visible to a caller: of rows with a tenant, those of the current one.
    pub fn visible_to(&self, who: &TestCaller) -> World {
        let mut seen = self.clone();
        for entity in self.app.entities.iter().filter(|entity| !who.is_everywhere(entity)) {
            let Some(at) = entity.tenancy.tenant else { continue };
            seen.rows[usize::from(entity.ix)].retain(|row| Some(row.value(at)) == who.tenant_state.tenant.as_ref());
        }
        seen
    }

    /// The rows that a row of a tenant can refer to; a row without a tenant can refer to all rows.
    pub fn referable_rows(&self, whose: Option<&Value>) -> World {
        let mut of = self.clone();
        for entity in self.app.entities {
            let Some((tenant, at)) = whose.zip(entity.tenancy.tenant) else { continue };
            of.rows[usize::from(entity.ix)].retain(|row| row.value(at) == tenant);
        }
        of
    }
}

/// Determines the tenant of an account's session.
pub(super) fn resolve_tenant(app: &'static AppDef, world: &World, account: &Value, roles: u64, granted: u64) -> TenantState {
    let named = |names: &[&str]| app.roles.iter().enumerate().filter(|(_, role)| names.contains(&role.name)).map(|(bit, _)| 1 << bit).sum();
    let (admin, admins): (u64, u64) = (named(&["admin"]), named(&["admin", "tenant_admin"]));
    let system_admin = granted & admin != 0;
    let (Some(members), Some(tenant)) = (app.members(), app.tenant()) else {
        return TenantState { system_admin, ..TenantState::default() };
    };
    let holds = |row: &&Stored| {
        let there = world.find(tenant.ix, row.value(members.tenant)).is_some();
        row.value(members.account) == account && !row.value(members.accepted).is_null() && there
    };
    let own: Vec<&Stored> = world.stored_rows(members.entity.ix).filter(holds).collect();
    let now = match (world.entered.get(&key_text(account)), own.as_slice()) {
        (Some(entered), _) => own.iter().find(|row| row.value(members.tenant) == entered),
        (None, [_]) => own.first(),
        (None, _) => own.iter().find(|row| *row.value(members.primary) == Value::Bool(true)),
    };
    let personas = now.map_or(0, |row| {
        let Value::Json(serde_json::Value::Array(names)) = row.value(members.personas) else { return 0 };
        let held = |role: &str| names.iter().any(|name| name == role);
        app.roles.iter().enumerate().filter(|(_, role)| held(role.name)).map(|(bit, _)| 1 << bit).sum()
    });
    TenantState {
        tenant: now.map(|row| row.value(members.tenant).clone()),
        roles: personas,
        member_of: own.iter().map(|row| row.value(members.tenant).clone()).collect(),
        system_admin,
        tenant_admin: now.is_some() && (roles | personas) & admins != 0,
    }
}

/// The number of rows to generate.
pub(super) fn pick_count(random: &mut Random, world: &World, entity: &EntityDef, most: usize) -> usize {
    let tenants = world.app.tenant().map_or(0, |tenant| world.rows[usize::from(tenant.ix)].len());
    match entity.tenancy.archetype {
        // The first access would create them; here they exist before.
        Some(Archetype::Settings) => 1,
        Some(Archetype::TenantSettings) => tenants,
        Some(Archetype::Tenant) => 2 + random.below(2),
        Some(Archetype::UserMembership) => 3 + random.below(most),
        _ if entity.tenancy.tenant.is_some() => 3 + random.below(most),
        _ => {
            let least = if entity.account { 2 } else { 1 };
            least + random.below(most - least + 1)
        }
    }
}

/// The tenant of the next row of an entity.
pub(super) fn pick_tenant(random: &mut Random, world: &World, entity: &EntityDef) -> Option<Value> {
    let (at, tenant) = entity.tenancy.tenant.zip(world.app.tenant())?;
    let tenants = &world.rows[usize::from(tenant.ix)];
    let has_one = |key: &Value| world.rows[usize::from(entity.ix)].iter().any(|row| row.value(at) == key);
    let chosen = match entity.tenancy.is_singleton() {
        true => tenants.iter().find(|row| !has_one(row.value(tenant.pk))),
        false => random.pick(tenants),
    };
    chosen.map(|row| row.value(tenant.pk).clone())
}

/// A value that only memberships have: the roles that they give.
pub(super) fn generate_value(random: &mut Random, app: &'static AppDef, entity: &EntityDef, at: FieldIx) -> Option<Value> {
    app.members().filter(|members| members.entity.ix == entity.ix && members.personas == at)?;
    let held: Vec<&str> = app.roles.iter().filter(|_| random.once_in(3)).map(|role| role.name).collect();
    Some(Value::Json(serde_json::json!(held)))
}

/// True if a row is valid with regard to tenants: its references are in its tenant, and no user has two primary memberships.
pub(super) fn is_valid(world: &World, entity: &'static EntityDef, values: &[Value], instead_of: Option<usize>) -> bool {
    let Some(at) = entity.tenancy.tenant else { return true };
    let tenant = &values[usize::from(at)];
    let is_own = |(ix, field): (FieldIx, &crate::def::FieldDef)| {
        let Some(to) = field.kind.target() else { return true };
        let target = world.app.entity(to);
        let Some(theirs) = target.tenancy.tenant else { return true };
        let key = &values[usize::from(ix)];
        let row = world.rows[usize::from(to)].iter().find(|row| row.value(target.pk) == key);
        key.is_null() || row.is_some_and(|row| row.value(theirs) == tenant)
    };
    let alone = world.app.members().filter(|members| members.entity.ix == entity.ix).is_none_or(|members| {
        let primary = |values: &[Value]| values[usize::from(members.primary)] == Value::Bool(true);
        let same = |row: &Stored| row.value(members.account) == &values[usize::from(members.account)] && primary(&row.values);
        let others = world.rows[usize::from(entity.ix)].iter().enumerate().filter(|(ix, _)| Some(*ix) != instead_of);
        !primary(values) || !others.into_iter().any(|(_, row)| same(row))
    });
    (0..).zip(entity.fields).all(is_own) && alone
}

/// Switches some sessions to another tenant, sometimes to one of which the account is no longer a member.
pub(super) fn switch_tenants(random: &mut Random, world: &mut World) {
    let (Some(members), Some(tenant)) = (world.app.members(), world.app.tenant()) else { return };
    let account = world.app.account();
    for at in 0..world.rows[usize::from(account.ix)].len() {
        let key = world.rows[usize::from(account.ix)][at].value(account.pk).clone();
        let own: Vec<&Stored> = world.stored_rows(members.entity.ix).filter(|row| *row.value(members.account) == key).collect();
        let chosen = match random.below(5) {
            0 | 1 => None,
            2 => random.pick(&world.rows[usize::from(tenant.ix)]).map(|row| row.value(tenant.pk).clone()),
            _ => random.pick(&own).map(|row| row.value(members.tenant).clone()),
        };
        if let Some(chosen) = chosen {
            world.entered.insert(key_text(&key), chosen);
        }
    }
}
