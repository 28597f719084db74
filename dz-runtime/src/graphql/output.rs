//! Values of rows in responses.

use std::sync::Arc;

use dz_graphql::{Schema, Source, enum_value};
use serde_json::Value as Json;

use super::{
    data::{Data, Object},
    plan::{Selected, Selection},
    scalar::{self, Output, Scalar},
};
use crate::{
    Error, Value,
    def::{EntityDef, FieldDef, FieldIx},
    field::{self, plain_decimal, write_row_field},
    rows::Row,
};

/// The value of a field of a row.
pub(super) fn value(schema: &Schema, entity: &'static EntityDef, at: FieldIx, row: &Row, selected: &Selected) -> Data {
    let field = entity.field(at);
    let value = row.value(at);
    let is_amount = field.currency.is_some() || field.currency_in.is_some();
    if is_amount || field.kind.is_file() {
        let mut json = Vec::new();
        write_row_field(entity, at, |at| row.value(at), &mut json);
        return composite(schema, &serde_json::from_slice(&json).unwrap_or_default(), &selected.selection);
    }
    if at == entity.pk {
        return Data::Leaf(value.to_key_text().map_or_else(Output::null, scalar::text));
    }
    scalar_value(field, value)
}

/// A value that is not an object.
pub(super) fn scalar_value(field: &'static FieldDef, value: &Value) -> Data {
    let leaf = |scalar| Data::Leaf(Output::Scalar(scalar));
    match value {
        Value::Null => Data::null(),
        Value::Bool(truth) => leaf(Scalar::Boolean(*truth)),
        Value::Int(number) if field.wide => leaf(Scalar::Long(*number)),
        Value::Int(number) => match i32::try_from(*number) {
            Ok(number) => leaf(Scalar::Int(number)),
            Err(_) => Data::Failed(Error::validation(field.name, format!("is {number}, which exceeds the 32 bits of `Int`"))),
        },
        Value::Float(number) => leaf(Scalar::Float(*number)),
        Value::Decimal(number) => Data::Leaf(scalar::text(plain_decimal(field, *number))),
        Value::Text(text) if field.kind.enumeration().is_some() => Data::Leaf(scalar::text(enum_value(text))),
        Value::Text(text) => Data::Leaf(scalar::text(text.as_str())),
        Value::Json(json) => Data::Leaf(scalar::json(json.clone())),
        Value::Uuid(_) | Value::Date(_) | Value::DateTime(_) => {
            let mut json = Vec::new();
            field::write_json(field, value, &mut json);
            Data::Leaf(scalar::json(serde_json::from_slice(&json).unwrap_or_default()))
        }
    }
}

/// An amount or a file, from its JSON.
pub(super) fn composite(schema: &Schema, json: &Json, selection: &Selection) -> Data {
    if json.is_null() {
        return Data::null();
    }
    let member = |selected: &Selected| match selected.describe(schema, selection.ty).map(|field| &field.source) {
        Some(Source::Member(name)) => Data::Leaf(scalar::json(json.get(*name).cloned().unwrap_or_default())),
        _ => Data::null(),
    };
    let values = selection.fields.iter().map(member).collect();
    Data::Object(Object { selection: Arc::new(selection.clone()), values })
}

/// The sum of a field, or the number of rows in which it is true.
pub(super) fn sum(schema: &Schema, field: &'static FieldDef, sum: &Value, selected: &Selected) -> Data {
    match (sum, field.currency) {
        (Value::Null, _) => Data::null(),
        (Value::Decimal(number), Some(currency)) => {
            let amount = serde_json::json!({ "amount": plain_decimal(field, *number), "currency": currency });
            composite(schema, &amount, &selected.selection)
        }
        (Value::Decimal(number), None) if field.kind.is_int() => Data::Leaf(scalar::text(number.normalize().to_string())),
        (Value::Decimal(number), None) => Data::Leaf(scalar::text(plain_decimal(field, *number))),
        (Value::Int(number), _) if field.kind.is_bool() => {
            Data::Leaf(Output::Scalar(i32::try_from(*number).map_or(Scalar::Long(*number), Scalar::Int)))
        }
        (Value::Int(number), _) => Data::Leaf(Output::Scalar(Scalar::Long(*number))),
        (Value::Float(number), _) => Data::Leaf(Output::Scalar(Scalar::Float(*number))),
        _ => Data::null(),
    }
}
