//! Defaults of fields as Rust code.

use dz_dsl_file::model::{Entity, Expr, Field, FieldType, Model, Type};

use crate::{Refusal, condition, names};

/// The default of a field as a value of its Rust type; `None` without one.
pub(super) fn default(model: &Model, entity: &Entity, field: &Field) -> Result<Option<String>, Refusal> {
    let Some(expr) = &field.default else {
        return Ok((field.required && field.ty == FieldType::Bool).then(|| "false".to_owned()));
    };
    let refuse = || {
        let what = format!("the default of `{}.{}`", entity.name, field.name);
        Refusal::new(what, "the ejected backend has literals, the caller and the time as defaults", field.span.clone())
    };
    value(model, field, expr).map(Some).ok_or_else(refuse)
}

fn value(model: &Model, field: &Field, expr: &Expr) -> Option<String> {
    Some(match (expr, field.ty) {
        (Expr::Bool(value), _) => value.to_string(),
        (Expr::Int(value), FieldType::Decimal { .. }) => format!("exact(\"{value}\")"),
        (Expr::Int(value), FieldType::Float) => format!("{value}.0"),
        (Expr::Int(value), _) => value.to_string(),
        (Expr::Decimal(digits), FieldType::Decimal { .. }) => format!("exact(\"{digits}\")"),
        (Expr::Float(value), _) => format!("{value:?}"),
        (Expr::Text(text), _) => format!("{}.to_owned()", names::literal(text)),
        (Expr::EnumValue(id, at), _) => {
            let of = &model.enums[id.0];
            format!("{}::{}", names::choice(model, of), of.values.get(*at)?.variant)
        }
        (Expr::Typed(Type::Date, text), _) => {
            format!("NaiveDate::parse_from_str({}, \"%Y-%m-%d\").unwrap_or_default()", names::literal(text))
        }
        (Expr::Today, _) => "caller.today".to_owned(),
        (Expr::Now, _) => "caller.now".to_owned(),
        (Expr::Arithmetic(how, left, right, _), _) => condition::time(left, *how, right)?.1,
        _ => return None,
    })
}
