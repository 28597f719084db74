//! The table of an entity: columns, checks, references.

use super::{
    Check, Column, ColumnType, Edition, EngineSql, OnDelete, Reference, Table, backfill, check, framework, indexes, names, tenant, timer,
};
use crate::model::{Entity, EnumId, Field, FieldType, Model};

/// The field that is the primary key.
pub(super) fn key(entity: &Entity) -> &Field {
    &entity.fields[entity.pk.0]
}

/// The fields that have a column.
pub(super) fn stored_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.is_stored())
}

pub(super) fn table(model: &Model, entity: &Entity) -> Table {
    let mut columns: Vec<Column> = stored_fields(entity).map(|field| column(model, entity, field)).collect();
    columns.extend(framework::columns(entity));
    Table {
        name: entity.table.clone(),
        entity: Some(entity.name.clone()),
        was: entity.was.clone(),
        columns,
        primary: vec![key(entity).name.clone()],
        checks: checks(model, entity),
        references: references(model, entity),
        indexes: indexes::infer(model, entity),
        extras: tenant::extras(entity),
        timers: timer::find_timers(model, entity),
        partition: None,
        edition: Edition::default(),
    }
}

fn column(model: &Model, entity: &Entity, field: &Field) -> Column {
    let is_key = std::ptr::eq(field, key(entity));
    let names = |id: EnumId| model.enums[id.0].values.iter().map(|value| value.name.clone()).collect();
    let values = field.ty.enumeration().map_or_else(Vec::new, names);
    Column {
        was: field.was.clone(),
        values,
        counted: is_key && field.ty.is_int(),
        fill: backfill::default_of(model, field),
        currency: field.ty.currency().filter(|_| field.is_stored()).map(|currency| currency.code().to_owned()),
        amount: field.ty.amount().map(|amount| entity.fields[amount.0].name.clone()),
        ..Column::new(&field.name, column_type(model, field.ty), field.required || is_key)
    }
}

/// The column type of a field type.
pub(super) fn column_type(model: &Model, ty: FieldType) -> ColumnType {
    match ty {
        FieldType::Uuid => ColumnType::Uuid,
        FieldType::Str(length) => ColumnType::Text(Some(length)),
        FieldType::Email => ColumnType::Text(Some(254)),
        FieldType::Url => ColumnType::Text(Some(2_048)),
        FieldType::Text | FieldType::Timezone | FieldType::Slug | FieldType::Enum(_) => ColumnType::Text(None),
        FieldType::Int { .. } => ColumnType::Int,
        FieldType::Float => ColumnType::Float,
        FieldType::Decimal { precision, scale } => ColumnType::Decimal(precision, scale),
        FieldType::Currency { .. } => ColumnType::Text(Some(3)),
        FieldType::Money(_) => ty.digits().map_or(ColumnType::Json, |(precision, scale)| ColumnType::Decimal(precision, scale)),
        FieldType::Bool => ColumnType::Bool,
        FieldType::Date => ColumnType::Date,
        FieldType::DateTime => ColumnType::DateTime,
        FieldType::Ref(target) => column_type(model, key(model.entity(target)).ty),
        FieldType::Json | FieldType::File { .. } | FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => {
            ColumnType::Json
        }
    }
}

/// The invariants that plain SQL can express, and the completeness of amounts. The runtime checks all of them
/// first, with their messages; the database repeats the check.
fn checks(model: &Model, entity: &Entity) -> Vec<Check> {
    let mut checks: Vec<Check> = entity.fields.iter().filter_map(|field| amount_check(entity, field)).collect();
    for invariant in &entity.invariants {
        let Some(condition) = check::condition(model, entity, &invariant.condition) else { continue };
        let columns: Vec<&str> = stored_fields(entity)
            .map(|field| field.name.as_str())
            .filter(|name| condition.sqlite.contains(&super::sql::quoted(name)))
            .collect();
        let name = names::table_check(&entity.table, &columns, &condition);
        if checks.iter().all(|known| known.name != name) {
            checks.push(Check { name, condition });
        }
    }
    checks
}

/// An amount and its currency are both set or both null.
fn amount_check(entity: &Entity, currency: &Field) -> Option<Check> {
    let amount = currency.ty.amount()?;
    let (amount, currency) = (&entity.fields[amount.0].name, &currency.name);
    let is_null = |name: &str| format!("({} IS NULL)", super::sql::quoted(name));
    let condition = EngineSql::both(format!("{} = {}", is_null(amount), is_null(currency)));
    Some(Check { name: names::table_check(&entity.table, &[amount.as_str(), currency.as_str()], &condition), condition })
}

fn references(model: &Model, entity: &Entity) -> Vec<Reference> {
    let of = |field: &Field| {
        let target = field.ty.target()?;
        let target = model.entity(target);
        let (mut columns, mut targets) = (vec![field.name.clone()], vec![key(target).name.clone()]);
        // Between rows of tenants, the reference includes the tenant, so that it cannot point to a row of another tenant.
        if let (Some(own), Some(other)) = (entity.tenant, target.tenant)
            && entity.fields[own.0].name != field.name
        {
            columns.insert(0, entity.fields[own.0].name.clone());
            targets.insert(0, target.fields[other.0].name.clone());
        }
        Some(Reference { columns, table: target.table.clone(), targets, on_delete: OnDelete::Restrict })
    };
    stored_fields(entity).filter_map(of).collect()
}
