//! Typed field lists of services, processes and language models, and the small values they share.

use std::{collections::HashMap, ops::RangeInclusive};

use super::{Lowering, collect, expr, fields};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{self, EnumId, EnumType, Expr, FieldType, Type, ValueField, ValueType},
    names,
    syntax::{
        duration::{Duration, Unit},
        expr as written_expr,
        expr::ExprKind,
        field::{ModifierKind, TypeExpr},
        value as written,
    },
};

/// Lowers the fields of a list; names are unique. `owner` prefixes the names of enums that are declared inside it.
pub(super) fn fields(it: &mut Lowering<'_>, fields: &[written::ValueField], owner: &str) -> Vec<ValueField> {
    let mut seen = HashMap::new();
    let mut lowered = Vec::new();
    for field in fields {
        if field.name.text.is_empty() || collect::first(it, &mut seen, "field", &field.name) {
            let mut value = plain_field(it, field, owner);
            value.default = default_of(field).and_then(|default| self::default(it, &value.ty, default));
            lowered.push(value);
        }
    }
    lowered
}

/// True if a list has a field whose name could not be parsed: it can be any.
pub(super) fn any_name<'f>(mut fields: impl Iterator<Item = &'f ValueField>) -> bool {
    fields.any(|field| field.name.is_empty())
}

/// The value after `=`.
pub(super) fn default_of(field: &written::ValueField) -> Option<&written_expr::Expr> {
    field.modifiers.iter().find_map(|modifier| if let ModifierKind::Default(value) = &modifier.kind { Some(value) } else { None })
}

/// Lowers a field without its default. A field with an unknown type is kept, so that its uses are not reported.
pub(super) fn plain_field(it: &mut Lowering<'_>, field: &written::ValueField, owner: &str) -> ValueField {
    let enum_name = names::camel(&format!("{owner}_{}", field.name.text));
    let ty = field.ty.as_ref().and_then(|ty| value_type(it, &field.name, ty, &enum_name));
    if ty.is_none() {
        it.callable.lost.insert(field.name.span);
    }
    let (mut required, mut optional, mut sensitive) = (None, None, false);
    for (at, modifier) in field.modifiers.iter().enumerate() {
        let twin = field.modifiers[..at].iter().find(|it| std::mem::discriminant(&it.kind) == std::mem::discriminant(&modifier.kind));
        if let Some(first) = twin {
            let found = Diagnostic::error("duplicate-key", modifier.name.span, format!("`{}` is already set", modifier.name.text));
            it.out.push(found.label(first.name.span, "first set here"));
        }
        match modifier.kind {
            ModifierKind::Required => required = Some(modifier),
            ModifierKind::Optional => optional = Some(modifier),
            ModifierKind::Sensitive => sensitive = true,
            ModifierKind::Default(_) => {}
            ModifierKind::Pk
            | ModifierKind::Unique
            | ModifierKind::UniqueWhereSet
            | ModifierKind::AutoAdd
            | ModifierKind::AutoUpdate
            | ModifierKind::Searchable
            | ModifierKind::Indexed
            | ModifierKind::Was(_) => it.out.push(
                Diagnostic::error(
                    "not-allowed-here",
                    modifier.name.span,
                    format!("`{}` is for stored fields, and this value is not stored", modifier.name.text),
                )
                .help("remove it; `required`, `optional`, `sensitive` and `= default` have a meaning here"),
            ),
        }
    }
    if let (Some(_), Some(optional)) = (required, optional) {
        it.out.push(
            Diagnostic::error(
                "required-and-optional",
                optional.name.span,
                format!("`{}` cannot be both required and optional", field.name.text),
            )
            .help("keep one of the two words"),
        );
    }
    ValueField {
        name: field.name.text.clone(),
        title: names::humanise(&field.name.text),
        ty: ty.unwrap_or(ValueType::Printable),
        required: required.is_some(),
        default: None,
        sensitive,
        span: field.name.span,
    }
}

fn value_type(it: &mut Lowering<'_>, field: &Name, ty: &written::ValueType, enum_name: &str) -> Option<ValueType> {
    match ty {
        written::ValueType::List(inner, _) => Some(ValueType::List(Box::new(value_type(it, field, inner, enum_name)?))),
        written::ValueType::One(ty) => one_type(it, field, ty, enum_name).map(ValueType::One),
    }
}

fn one_type(it: &mut Lowering<'_>, field: &Name, ty: &TypeExpr, enum_name: &str) -> Option<FieldType> {
    let word = ty.name.text.as_str();
    if matches!(word, "has_many" | "has_one") {
        let target = ty.target.as_ref().map_or("ENTITY", |target| target.text.as_str());
        let found = Diagnostic::error("not-allowed-here", ty.name.span, format!("`{word}` is a relation between rows, not a value"));
        it.out.push(found.help(format!("write `list[ref {target}]` or `ref {target}`")));
        return None;
    }
    if word == "computed" {
        let found = Diagnostic::error("not-allowed-here", ty.name.span, "a value that is not stored cannot be computed");
        it.out.push(found.help("write its type; the step that calls this gives the value"));
        return None;
    }
    if let Some(extra) = ty.on_delete.as_ref().or(ty.via.as_ref()) {
        let found = Diagnostic::error("not-allowed-here", extra.span, "a value that is not stored has no effect on deletions");
        it.out.push(found.help("remove the word"));
    }
    // Without a length there is no limit, because nothing is stored.
    if word == "str" && ty.args.is_empty() {
        return Some(FieldType::Text);
    }
    if word == "money" && ty.currency.is_none() && it.app.currency.is_none() {
        let found = Diagnostic::error("not-allowed-here", ty.name.span, "a value that is not stored has no field for its currency");
        it.out.push(
            found.help("write `money(EUR)`; or take the amount as `decimal`, and the currency as `str(3)`").replace(ty.span, "money(EUR)"),
        );
        return None;
    }
    fields::field_type(it, field, ty, |it| {
        let values = collect::enum_values(it, &ty.values, Some(ty.name.span));
        add_enum(it, enum_name.to_owned(), values, ty)
    })
}

fn add_enum(it: &mut Lowering<'_>, name: String, values: Vec<model::EnumValue>, ty: &TypeExpr) -> EnumId {
    let id = EnumId(it.enums.len());
    it.enums.push(EnumType { name, title: None, values, ordered: false, owner: None, span: ty.name.span });
    id
}

fn default(it: &mut Lowering<'_>, ty: &ValueType, value: &written_expr::Expr) -> Option<Expr> {
    match (ty, &value.kind) {
        (ValueType::One(ty), _) => expr::unstored(it, *ty, value),
        // The type could not be understood.
        (ValueType::Printable, _) => None,
        (_, ExprKind::List(items)) if items.is_empty() => Some(Expr::List(Vec::new())),
        _ => {
            it.out.push(Diagnostic::error("bad-default", value.span, "a list has no default but `[]`").help("write `= []`"));
            None
        }
    }
}

/// The type of a value in expressions; `None` for a value of any type that can be written as text.
pub(super) fn type_of(ty: &ValueType) -> Option<Type> {
    match ty {
        ValueType::One(ty) => Some(expr::type_of(*ty)),
        ValueType::List(inner) => type_of(inner).map(|inner| Type::List(Box::new(inner))),
        ValueType::Printable => None,
    }
}

/// A whole number within bounds.
pub(super) fn whole(it: &mut Lowering<'_>, name: &Name, what: &str, bounds: RangeInclusive<u32>) -> Option<u32> {
    let number = name.text.parse::<u32>().ok().filter(|number| bounds.contains(number));
    if number.is_none() {
        let (least, most) = (bounds.start(), bounds.end());
        let found = Diagnostic::error("number-out-of-range", name.span, format!("{what} cannot be {}", name.text));
        it.out.push(found.help(format!("write a whole number from {least} to {most}")));
    }
    number
}

/// An amount of money that is not negative, its digits as written.
pub(super) fn amount(it: &mut Lowering<'_>, name: &Name, what: &str) -> Option<String> {
    if name.text.starts_with('-') {
        it.out.push(Diagnostic::error("number-out-of-range", name.span, format!("{what} cannot be {}", name.text)).help("write 0 or more"));
        return None;
    }
    Some(name.text.clone())
}

/// A duration, with the limit of expressions.
pub(super) fn duration(it: &mut Lowering<'_>, written: Option<Duration>) -> Option<model::Duration> {
    const MONTHS: i64 = 120_000;
    const SECONDS: i64 = 10_000 * 366 * 86_400;
    let written = written?;
    let (months, seconds) = match written.unit {
        Unit::Second => (0, 1),
        Unit::Minute => (0, 60),
        Unit::Hour => (0, 3_600),
        Unit::Day => (0, 86_400),
        Unit::Week => (0, 604_800),
        Unit::Month => (1, 0),
        Unit::Year => (12, 0),
    };
    let within = |factor: i64, limit: i64| written.amount.checked_mul(factor).filter(|value| *value <= limit);
    match (within(months, MONTHS), within(seconds, SECONDS)) {
        (Some(months), Some(seconds)) => Some(model::Duration { months, seconds }),
        _ => {
            it.out.push(
                Diagnostic::error("number-out-of-range", written.span, "a duration reaches to 10000 years").help("write a shorter one"),
            );
            None
        }
    }
}
