//! The OpenAPI document, created from the description at the first request.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use dz_openapi::{Action, Api, Entity, Field, Kind, States, Transition};

use crate::{
    Hooks,
    def::{self, AppDef, Archetype, Auto, EntityDef, FieldDef, Stage, StatesDef},
};

/// The document as JSON. Without typed actions it is byte for byte what `dz specs openapi` prints.
pub(crate) fn write_document(app: &'static AppDef, hooks: &Hooks) -> Arc<str> {
    hooks.document(|| describe_with_actions(app, hooks).json().into()).unwrap_or_else(|| write_declared_document(app))
}

fn write_declared_document(app: &'static AppDef) -> Arc<str> {
    // By the address of the description, because a process of tests can have several applications.
    static CACHE: Mutex<BTreeMap<usize, Arc<str>>> = Mutex::new(BTreeMap::new());
    let mut kept = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    kept.entry(std::ptr::from_ref(app).addr()).or_insert_with(|| describe_app(app).json().into()).clone()
}

fn describe_app(app: &'static AppDef) -> Api<'static> {
    Api {
        title: app.title,
        description: app.description,
        tenants: app.tenant().is_some(),
        entities: app.entities.iter().map(|of| describe_entity(app, of)).collect(),
        processes: !app.processes.is_empty(),
    }
}

/// The declaration and the typed actions of the application's Rust.
fn describe_with_actions<'h>(app: &'static AppDef, hooks: &'h Hooks) -> Api<'h> {
    let mut api: Api<'h> = describe_app(app);
    for (entity, of) in api.entities.iter_mut().zip(app.entities) {
        let typed = hooks.typed_actions(of.ix).into_iter().filter(|(name, _)| of.rule(name).is_some());
        entity.actions =
            typed.map(|(name, inputs)| Action { name, inputs: inputs.iter().map(|it| describe_field(&it.field)).collect() }).collect();
    }
    api
}

fn describe_entity(app: &'static AppDef, of: &'static EntityDef) -> Entity<'static> {
    Entity {
        name: of.name,
        title: of.title,
        title_plural: of.title_plural,
        table: of.table,
        intent: of.intent,
        fields: of.fields.iter().map(describe_field).collect(),
        key: of.pk.into(),
        tenant: of.tenancy.tenant.map(usize::from),
        membership: of.tenancy.archetype == Some(Archetype::UserMembership),
        soft_delete: of.soft_delete,
        temporal: of.temporal.is_some(),
        states: of.states.map(|machine| describe_states(app, of, machine)),
        is_edge: of.edge.is_some(),
        node: of.node.map(|node| node.edges.into()),
        actions: Vec::new(),
    }
}

fn describe_field(of: &'static FieldDef) -> Field<'static> {
    Field {
        name: of.name,
        kind: describe_kind(of),
        required: of.required,
        default: of.default.is_some(),
        auto: of.auto != Auto::No,
        computed: of.computed.is_some(),
        sensitive: of.sensitive,
        secret: of.secret,
    }
}

fn describe_kind(of: &FieldDef) -> Kind<'static> {
    match (of.kind, of.currency) {
        (def::Kind::Decimal { scale, .. }, Some(code)) => Kind::Money { code, digits: scale },
        (def::Kind::Decimal { .. }, None) if of.currency_in.is_some() => Kind::Amount,
        (def::Kind::Currency { .. }, _) => Kind::Currency,
        (def::Kind::Decimal { precision, scale }, None) => Kind::Decimal { precision, scale },
        (def::Kind::Uuid, _) => Kind::Uuid,
        (def::Kind::Str(length), _) => Kind::Str(length),
        (def::Kind::Text | def::Kind::Timezone, _) => Kind::Text,
        (def::Kind::Int, _) => Kind::Int,
        (def::Kind::Float, _) => Kind::Float,
        (def::Kind::Bool, _) => Kind::Bool,
        (def::Kind::Date, _) => Kind::Date,
        (def::Kind::DateTime, _) => Kind::DateTime,
        (def::Kind::Enum(of), _) => Kind::Enum(of.values.iter().map(|value| value.name).collect()),
        (def::Kind::Json, _) => Kind::Json,
        (def::Kind::Email, _) => Kind::Email,
        (def::Kind::Url, _) => Kind::Url,
        (def::Kind::Slug, _) => Kind::Slug,
        (def::Kind::File { .. }, _) => Kind::File,
        (def::Kind::Ref(entity), _) => Kind::Ref(entity.into()),
        (def::Kind::HasMany { .. } | def::Kind::ManyToMany { .. }, _) => Kind::Many,
        (def::Kind::HasOne { .. }, _) => Kind::One,
    }
}

fn describe_states(app: &'static AppDef, entity: &'static EntityDef, machine: &'static StatesDef) -> States<'static> {
    let moves = machine.transitions.iter().map(|(from, to, row)| (*from, *to, &machine.rows[usize::from(*row)]));
    let moves = moves.filter(|(.., row)| row.manual).map(|(from, to, row)| {
        let roles = app.roles.iter().enumerate().filter(|(at, _)| row.roles >> at & 1 == 1);
        Transition { from: from.into(), to: to.into(), label: row.label, roles: roles.map(|(_, role)| role.name).collect() }
    });
    let ends = |wanted: Stage| {
        let stages = entity.field(machine.field).stages;
        stages.iter().enumerate().filter(|(_, stage)| **stage == wanted).map(|(at, _)| at).collect()
    };
    States { field: machine.field.into(), transitions: moves.collect(), finals: ends(Stage::Succeeded), failures: ends(Stage::Failed) }
}
