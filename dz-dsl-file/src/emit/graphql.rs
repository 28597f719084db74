//! The GraphQL schema of an application: what `dz schema inspect` prints.
//!
//! An application answers queries by the same schema, which it builds from its own description; see the crate `dz-graphql`.

use dz_graphql::{Api, Entity, EntityField, Enum, Kind, Schema};

use crate::model::{self, Action, Auto, EnumId, FieldType, Model};

/// The schema of an application.
pub fn schema(model: &Model) -> Schema {
    let enums = enumerations(model);
    Schema::new(&Api {
        entities: model.entities.iter().map(|of| entity(&enums, of)).collect(),
        enums: enums.iter().map(|id| enumeration(&model.enums[id.0])).collect(),
    })
}

/// The enumerations that fields use, each once, in the order of the fields.
fn enumerations(model: &Model) -> Vec<EnumId> {
    let mut all = Vec::new();
    for field in model.entities.iter().flat_map(|entity| &entity.fields).filter(|field| !field.secret) {
        if let Some(id) = field.ty.enumeration()
            && !all.contains(&id)
        {
            all.push(id);
        }
    }
    all
}

fn enumeration(of: &model::EnumType) -> Enum<'_> {
    let values = of.values.iter().map(|value| (value.name.as_str(), value.title.as_str()));
    Enum { name: &of.name, values: values.collect(), ordered: of.ordered }
}

fn entity<'m>(enums: &[EnumId], of: &'m model::Entity) -> Entity<'m> {
    let custom = |action: &'m Action| match action {
        Action::Custom(name) => Some(name.as_str()).filter(|name| !matches!(*name, "transition" | "restore")),
        Action::List | Action::Read | Action::Create | Action::Update | Action::Delete => None,
    };
    let key = &of.fields[of.pk.0];
    Entity {
        name: &of.name,
        title: &of.title,
        title_plural: &of.title_plural,
        table: &of.table,
        intent: of.intent.as_deref(),
        fields: of.fields.iter().map(|of| field(enums, of)).collect(),
        key: of.pk.0,
        is_key_generated: key.ty.is_generated_key(),
        tenant: of.tenant.map(|tenant| tenant.0),
        state: of.states.as_ref().map(|machine| machine.field.0),
        soft_delete: of.soft_delete,
        temporal: of.temporal.is_some(),
        actions: of.access.permissions.iter().filter_map(|permission| custom(&permission.action)).collect(),
    }
}

fn field<'m>(enums: &[EnumId], of: &'m model::Field) -> EntityField<'m> {
    EntityField {
        name: &of.name,
        title: &of.title,
        kind: kind(enums, of.ty),
        required: of.required,
        auto: of.auto != Auto::No,
        computed: of.computed.is_some(),
        sensitive: of.sensitive,
        secret: of.secret,
        via: match of.ty.relation() {
            Some((_, model::Via::Ref(via))) => Some(via.0),
            Some((_, model::Via::Junction(_))) | None => None,
        },
    }
}

fn kind(enums: &[EnumId], ty: FieldType) -> Kind {
    match ty {
        FieldType::Uuid => Kind::Uuid,
        FieldType::Str(_) | FieldType::Text | FieldType::Timezone | FieldType::Email | FieldType::Url | FieldType::Slug => Kind::Text,
        FieldType::Int { wide: true } => Kind::BigInt,
        FieldType::Int { wide: false } => Kind::Int,
        FieldType::Float => Kind::Float,
        FieldType::Decimal { .. } => Kind::Decimal,
        FieldType::Money(Some(_)) => Kind::Money,
        FieldType::Money(None) => Kind::Amount,
        FieldType::Currency { .. } => Kind::Currency,
        FieldType::Bool => Kind::Boolean,
        FieldType::Date => Kind::Date,
        FieldType::DateTime => Kind::DateTime,
        FieldType::Enum(id) => Kind::Enum(enums.iter().position(|known| *known == id).unwrap_or_default()),
        FieldType::Json => Kind::Json,
        FieldType::File { .. } => Kind::File,
        FieldType::Ref(entity) => Kind::Ref(entity.0),
        FieldType::HasMany { entity, .. } | FieldType::ManyToMany { entity, .. } => Kind::Many(entity.0),
        FieldType::HasOne { entity, .. } => Kind::One(entity.0),
    }
}
