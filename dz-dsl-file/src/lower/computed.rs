//! Computed fields. Each is typed when it is first needed, because one can depend on another.

use dz_vocabulary::DIVISION_PLACES;

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    Diagnostic,
    model::{Aggregate, Arithmetic, EntityId, Expr, FieldId, FieldType, Function, Type},
};

/// The state of typing a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The field is being typed: a field that needs it now depends on itself.
    Running,
    /// Its type is known, or the error was reported.
    Done {
        /// True if the type is known.
        sound: bool,
    },
}

/// The largest depth of computed fields that depend on each other.
const MAX_DEPTH: usize = 32;

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        for field in it.written[at].clone() {
            if field.ty.computed.is_some()
                && let Some(position) = it.field_names[at].get(&field.name.text).copied()
            {
                ensure(it, EntityId(at), FieldId(position));
            }
        }
    }
}

/// Types a computed field unless this was done; false if its type is unknown, which was then reported.
pub(crate) fn ensure(it: &mut Lowering<'_>, entity: EntityId, field: FieldId) -> bool {
    let (name, span) = {
        let field = &it.entities[entity.0].fields[field.0];
        (field.name.clone(), field.span)
    };
    match it.computed.get(&(entity, field)) {
        Some(State::Done { sound }) => return *sound,
        Some(State::Running) => {
            it.out.push(
                Diagnostic::error("computed-cycle", span, format!("the computed field `{name}` depends on itself"))
                    .help("compute one of the fields from stored ones"),
            );
            return false;
        }
        None => {}
    }
    let written = it.written[entity.0].iter().find(|written| written.name.text == name).and_then(|written| written.ty.computed.as_ref());
    let Some(written) = written else { return true };
    if it.computed.values().filter(|state| **state == State::Running).count() >= MAX_DEPTH {
        let found = Diagnostic::error("computed-cycle", span, format!("more than {MAX_DEPTH} computed fields depend on each other"));
        it.out.push(found.help("compute some of them from stored fields"));
        return false;
    }
    it.computed.insert((entity, field), State::Running);
    let typed = expr::value(it, Position::Computed, entity, written);
    let fits = typed.and_then(|(value, ty)| Some((field_type(it, &value, &ty, written.span)?, value)));
    let sound = fits.is_some();
    it.computed.insert((entity, field), State::Done { sound });
    let target = &mut it.entities[entity.0].fields[field.0];
    if let Some((ty, value)) = fits {
        target.ty = ty;
        target.computed = Some(value);
    }
    sound
}

/// The field type of a computed field with this type.
fn field_type(it: &mut Lowering<'_>, value: &Expr, ty: &Type, span: crate::Span) -> Option<FieldType> {
    let refuse = |it: &mut Lowering<'_>, what: &str, help: &str| {
        it.out.push(Diagnostic::error("type-mismatch", span, format!("a computed field cannot be {what}")).help(help));
        None
    };
    Some(match ty {
        Type::Bool => FieldType::Bool,
        Type::Int => FieldType::Int { wide: false },
        Type::Float => FieldType::Float,
        Type::Decimal => FieldType::Decimal { precision: 28, scale: scale(it, value).min(28) },
        Type::Text => FieldType::Text,
        Type::Date => FieldType::Date,
        Type::DateTime => FieldType::DateTime,
        Type::Uuid | Type::Ref(_) => FieldType::Uuid,
        Type::Enum(id) => FieldType::Enum(*id),
        Type::Json => FieldType::Json,
        Type::Money(Some(currency)) => FieldType::Money(Some(*currency)),
        Type::Money(None) => {
            let help = "give all rows one currency: `money(EUR)`; or compare: a condition such as `price > 0` can be computed";
            return refuse(it, "an amount with a currency of its own in each row", help);
        }
        Type::Duration => return refuse(it, "a duration", "compute a number: `days_since(…)`, `hours_since(…)`, or a difference of dates"),
        Type::List(_) => return refuse(it, "a list", "compute one value, such as `count(…)`"),
        Type::Null => return refuse(it, "null alone", "compute it from the row's fields"),
    })
}

/// The largest number of digits after the point of the value.
fn scale(it: &Lowering<'_>, value: &Expr) -> u8 {
    let deepest = |values: &[Expr]| values.iter().map(|value| scale(it, value)).max().unwrap_or(0);
    match value {
        Expr::Decimal(digits) => digits.split_once('.').map_or(0, |(_, fraction)| fraction.len() as u8),
        Expr::Path(path) => of_field(it, path),
        Expr::Aggregate { kind: Aggregate::Avg, value: Some(path), .. } => of_field(it, path).max(DIVISION_PLACES),
        Expr::Aggregate { value: Some(path), .. } => of_field(it, path),
        Expr::Arithmetic(Arithmetic::Div, left, _, _) => scale(it, left).max(DIVISION_PLACES),
        Expr::Arithmetic(Arithmetic::Mul, left, right, _) => scale(it, left).saturating_add(scale(it, right)),
        Expr::Arithmetic(_, left, right, _) => scale(it, left).max(scale(it, right)),
        Expr::Negate(inner) => scale(it, inner),
        Expr::Call(Function::Round, values, _) => match values.as_slice() {
            [_, Expr::Int(digits)] => u8::try_from(*digits).unwrap_or(0),
            [_] => 0,
            _ => DIVISION_PLACES,
        },
        Expr::Call(Function::Floor | Function::Ceil, ..) => 0,
        Expr::Call(_, values, _) => deepest(values),
        Expr::If(branches, rest) => branches.iter().map(|(_, value)| scale(it, value)).max().unwrap_or(0).max(scale(it, rest)),
        _ => 0,
    }
}

fn of_field(it: &Lowering<'_>, path: &crate::model::Path) -> u8 {
    let (entity, field) = path.end(&it.entities);
    it.entities[entity.0].fields.get(field.0).and_then(|field| field.ty.digits()).map_or(0, |(_, scale)| scale)
}
