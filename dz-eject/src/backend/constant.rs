//! Defaults of fields as Rust code.

use dz_dsl_file::model::{Entity, Expr, Field, Model, Type};

use crate::{Refusal, condition, names};

/// The default of a field as an option of its Rust type; `None` without one.
pub(super) fn default(model: &Model, entity: &Entity, field: &Field) -> Result<Option<String>, Refusal> {
    let Some(expr) = &field.default else {
        return Ok((field.required && field.ty.is_bool()).then(|| "Some(false)".to_owned()));
    };
    let refuse = || {
        let what = format!("the default of `{}.{}`", entity.name, field.name);
        Refusal::new(what, "the ejected backend has literals, the caller and the time as defaults", field.span)
    };
    if *expr == Expr::CurrentUser {
        return Ok(Some("caller.id()".to_owned()));
    }
    if let Expr::CurrentUserPath(path) = expr {
        return Ok(Some(format!("caller.{}()", condition::caller_value(model, path))));
    }
    value(model, field, expr).map(|value| Some(format!("Some({value})"))).ok_or_else(refuse)
}

fn value(model: &Model, field: &Field, expr: &Expr) -> Option<String> {
    let is_exact = field.ty.digits().is_some();
    Some(match expr {
        Expr::Bool(value) => value.to_string(),
        Expr::Int(value) if is_exact => format!("exact(\"{value}\")"),
        Expr::Int(value) if !field.ty.is_int() => format!("{value}.0"),
        Expr::Int(value) => value.to_string(),
        Expr::Decimal(digits) if is_exact => format!("exact(\"{digits}\")"),
        Expr::Float(value) => format!("{value:?}"),
        Expr::Text(text) => format!("{}.to_owned()", names::literal(text)),
        Expr::EnumValue(id, at) => {
            let of = &model.enums[id.0];
            format!("{}::{}", names::choice(model, of), of.values.get(*at)?.variant)
        }
        Expr::Typed(Type::Date, text) => {
            format!("NaiveDate::parse_from_str({}, \"%Y-%m-%d\").unwrap_or_default()", names::literal(text))
        }
        Expr::Typed(Type::DateTime, text) => {
            format!("Timestamp::new(chrono::DateTime::parse_from_rfc3339({}).unwrap_or_default().to_utc())", names::literal(text))
        }
        Expr::Typed(Type::Uuid | Type::Ref(_), text) => format!("Id::parse({}).unwrap_or_default()", names::literal(text)),
        Expr::Typed(Type::Json, text) => format!("Document(serde_json::from_str({}).unwrap_or_default())", names::literal(text)),
        Expr::Today => "caller.today".to_owned(),
        Expr::Now => "caller.now".to_owned(),
        Expr::Arithmetic(how, left, right, _) => condition::time(left, *how, right)?.1,
        _ => return None,
    })
}
