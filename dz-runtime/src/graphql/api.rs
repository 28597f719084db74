//! The facts about the application from which its GraphQL schema follows.

use std::ptr;

use dz_graphql::{Api, Entity, EntityField, Enum, Kind, Schema};

use crate::{
    access::BUILT_IN,
    def::{self, AppDef, Auto, EntityDef, EnumDef, FieldDef},
};

/// The schema of an application.
pub(super) fn schema(app: &'static AppDef) -> Schema {
    Schema::new(&describe_app(app))
}

/// The enumerations that fields use, each once, in the order of the fields.
pub(super) fn enumerations(app: &'static AppDef) -> Vec<&'static EnumDef> {
    let mut all: Vec<&'static EnumDef> = Vec::new();
    for field in app.entities.iter().flat_map(|entity| entity.fields).filter(|field| !field.secret) {
        if let Some(of) = field.kind.enumeration()
            && !all.iter().any(|known| ptr::eq(*known, of) || known.name == of.name)
        {
            all.push(of);
        }
    }
    all
}

fn describe_app(app: &'static AppDef) -> Api<'static> {
    let enums = enumerations(app);
    Api {
        entities: app.entities.iter().map(|of| describe_entity(&enums, of)).collect(),
        enums: enums.iter().map(|of| describe_enum(of)).collect(),
    }
}

fn describe_enum(of: &'static EnumDef) -> Enum<'static> {
    Enum { name: of.name, values: of.values.iter().map(|value| (value.name, value.title)).collect(), ordered: of.ordered }
}

fn describe_entity(enums: &[&'static EnumDef], of: &'static EntityDef) -> Entity<'static> {
    Entity {
        name: of.name,
        title: of.title,
        title_plural: of.title_plural,
        table: of.table,
        intent: of.intent,
        fields: of.fields.iter().map(|field| describe_field(enums, field)).collect(),
        key: of.pk.into(),
        is_key_generated: of.key().kind.is_generated_key(),
        tenant: of.tenancy.tenant.map(usize::from),
        state: of.states.map(|states| states.field.into()),
        soft_delete: of.soft_delete,
        temporal: of.temporal.is_some(),
        actions: of.rules.iter().map(|rule| rule.action).filter(|action| !BUILT_IN.contains(action)).collect(),
    }
}

fn describe_field(enums: &[&'static EnumDef], of: &'static FieldDef) -> EntityField<'static> {
    EntityField {
        name: of.name,
        title: of.title,
        kind: describe_kind(enums, of),
        required: of.required,
        auto: of.auto != Auto::No,
        computed: of.computed.is_some(),
        sensitive: of.sensitive,
        secret: of.secret,
        via: match of.kind.relation().map(|relation| relation.via) {
            Some(def::Via::Ref(via)) => Some(via.position().into()),
            Some(def::Via::Junction(_)) | None => None,
        },
    }
}

fn describe_kind(enums: &[&'static EnumDef], of: &'static FieldDef) -> Kind {
    match of.kind {
        def::Kind::Decimal { .. } if of.currency.is_some() => Kind::Money,
        def::Kind::Decimal { .. } if of.currency_in.is_some() => Kind::Amount,
        def::Kind::Decimal { .. } => Kind::Decimal,
        def::Kind::Currency { .. } => Kind::Currency,
        def::Kind::Uuid => Kind::Uuid,
        def::Kind::Int if of.wide => Kind::BigInt,
        def::Kind::Int => Kind::Int,
        def::Kind::Float => Kind::Float,
        def::Kind::Bool => Kind::Boolean,
        def::Kind::Date => Kind::Date,
        def::Kind::DateTime => Kind::DateTime,
        def::Kind::Enum(values) => Kind::Enum(enums.iter().position(|known| known.name == values.name).unwrap_or_default()),
        def::Kind::Json => Kind::Json,
        def::Kind::Str(_) | def::Kind::Text | def::Kind::Timezone | def::Kind::Email | def::Kind::Url | def::Kind::Slug => Kind::Text,
        def::Kind::File { .. } => Kind::File,
        def::Kind::Ref(entity) => Kind::Ref(entity.into()),
        def::Kind::HasMany { via } => Kind::Many(via.entity_ix().into()),
        def::Kind::ManyToMany { entity, .. } => Kind::Many(entity.into()),
        def::Kind::HasOne { via } => Kind::One(via.entity_ix().into()),
    }
}
