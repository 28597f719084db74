//! The JSON API of an application as an OpenAPI 3.1 document: what `dz specs openapi` prints.
//!
//! An application serves the same bytes, which it generates from its own description; see the crate `dz-openapi`.

use dz_openapi::{Api, Entity, Field, Kind, States, Transition};

use super::flow;
use crate::model::{self, Archetype, Auto, FieldType, Model, RoleId, Stage, StateMachine};

/// The document as JSON in one line.
pub fn json(model: &Model) -> String {
    api(model).json()
}

/// The same document as YAML.
pub fn yaml(model: &Model) -> String {
    api(model).yaml()
}

fn api(model: &Model) -> Api<'_> {
    Api {
        title: &model.app.title,
        description: model.app.description.as_deref(),
        tenants: model.tenant.is_some(),
        entities: model.entities.iter().map(|of| entity(model, of)).collect(),
        processes: flow::describe_all(model).next().is_some(),
    }
}

fn entity<'m>(model: &'m Model, of: &'m model::Entity) -> Entity<'m> {
    Entity {
        name: &of.name,
        title: &of.title,
        title_plural: &of.title_plural,
        table: &of.table,
        intent: of.intent.as_deref(),
        fields: of.fields.iter().map(|of| field(model, of)).collect(),
        key: of.pk.0,
        tenant: of.tenant.map(|tenant| tenant.0),
        membership: of.kind == Some(Archetype::UserMembership),
        soft_delete: of.soft_delete,
        temporal: of.temporal.is_some(),
        states: of.states.as_ref().map(|machine| states(model, of, machine)),
        is_edge: of.edge.is_some(),
        node: of.node.as_ref().map(|node| node.edges.0),
        actions: Vec::new(),
    }
}

fn field<'m>(model: &'m Model, of: &'m model::Field) -> Field<'m> {
    Field {
        name: &of.name,
        kind: kind(model, &of.ty),
        required: of.required,
        default: of.default.is_some(),
        auto: of.auto != Auto::No,
        computed: of.computed.is_some(),
        sensitive: of.sensitive,
        secret: of.secret,
    }
}

fn kind<'m>(model: &'m Model, ty: &'m FieldType) -> Kind<'m> {
    match ty {
        FieldType::Uuid => Kind::Uuid,
        FieldType::Str(length) => Kind::Str(*length),
        FieldType::Text | FieldType::Timezone => Kind::Text,
        FieldType::Int { .. } => Kind::Int,
        FieldType::Float => Kind::Float,
        FieldType::Decimal { precision, scale } => Kind::Decimal { precision: *precision, scale: *scale },
        FieldType::Money(Some(currency)) => Kind::Money { code: currency.code(), digits: currency.digits() },
        FieldType::Money(None) => Kind::Amount,
        FieldType::Currency { .. } => Kind::Currency,
        FieldType::Bool => Kind::Bool,
        FieldType::Date => Kind::Date,
        FieldType::DateTime => Kind::DateTime,
        FieldType::Enum(id) => Kind::Enum(model.enums[id.0].values.iter().map(|value| value.name.as_str()).collect()),
        FieldType::Json => Kind::Json,
        FieldType::Email => Kind::Email,
        FieldType::Url => Kind::Url,
        FieldType::Slug => Kind::Slug,
        FieldType::File { .. } => Kind::File,
        FieldType::Ref(entity) => Kind::Ref(entity.0),
        FieldType::HasMany { .. } | FieldType::ManyToMany { .. } => Kind::Many,
        FieldType::HasOne { .. } => Kind::One,
    }
}

fn states<'m>(model: &'m Model, entity: &model::Entity, machine: &'m StateMachine) -> States<'m> {
    let moves = machine.in_order().into_iter().filter(|it| machine.rows[it.row].manual);
    let moves = moves.map(|it| {
        let row = &machine.rows[it.row];
        Transition { from: it.from, to: it.to, label: row.label.as_deref(), roles: roles(model, &row.roles) }
    });
    let values = entity.fields[machine.field.0].ty.enumeration().map_or(0, |id| model.enums[id.0].values.len());
    let stages = machine.stages(values);
    let ends = |wanted: Stage| stages.iter().enumerate().filter(|(_, stage)| **stage == wanted).map(|(at, _)| at).collect();
    States { field: machine.field.0, transitions: moves.collect(), finals: ends(Stage::Succeeded), failures: ends(Stage::Failed) }
}

/// The names of roles without duplicates, in the order of their declarations.
fn roles<'m>(model: &'m Model, named: &[RoleId]) -> Vec<&'m str> {
    let roles = model.personas.iter().enumerate().filter(|(at, _)| named.contains(&RoleId(*at)));
    roles.map(|(_, role)| role.name.as_str()).collect()
}
