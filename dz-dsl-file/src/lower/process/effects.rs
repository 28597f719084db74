//! The effects of steps on rows.

use std::collections::HashMap;

use super::data::{self, condition};
use crate::{
    Diagnostic,
    cursor::Name,
    diagnostic::{near_word, nearest},
    lower::{Lowering, collect},
    model::{Auto, Effect, EntityId, Expr, FieldId, NameUse, Placed, Rows, Type, ValueType, WhichRows},
    syntax::{
        expr as written_expr,
        expr::ExprKind,
        process::{self as written, EffectKind, Values},
    },
};

pub(super) fn lower(it: &mut Lowering<'_>, effects: &[written::Effect]) -> Vec<Effect> {
    effects.iter().filter_map(|effect| lower_effect(it, effect)).collect()
}

fn lower_effect(it: &mut Lowering<'_>, effect: &written::Effect) -> Option<Effect> {
    match &effect.kind {
        EffectKind::Emit(signal) => Some(Effect::Emit(NameUse { name: signal.text.clone(), span: signal.span })),
        EffectKind::Create(name, values) => {
            let entity = Placed { it: it.entity(name)?, span: name.span };
            let lowered = assignments(it, entity.it, values);
            lacking(it, name, entity.it, values);
            Some(Effect::Create { entity, values: lowered })
        }
        EffectKind::Update(target, filter, values) => {
            if values.is_empty() {
                let found = Diagnostic::error("missing-key", effect.verb.span, "this changes nothing");
                it.out.push(found.help("add lines such as `status: done`"));
            }
            if let Some(slip) = slip_of_where(it, target, filter.as_ref(), values) {
                let found =
                    Diagnostic::error("unknown-key", slip.span, format!("`{}` is neither a field nor a condition for the rows", slip.text));
                it.out.push(found.help("did you mean `where`?").replace(slip.span, "where"));
                return None;
            }
            let rows = rows(it, target, filter.as_ref())?;
            let values = assignments(it, rows.entity.it, values);
            Some(Effect::Update { rows, values })
        }
        EffectKind::Delete(target, filter) => Some(Effect::Delete { rows: rows(it, target, filter.as_ref())? }),
    }
}

/// A key that is a misspelt `where`, if the effect selects no rows otherwise.
fn slip_of_where<'v>(it: &Lowering<'_>, target: &[Name], filter: Option<&written_expr::Expr>, values: &'v Values) -> Option<&'v Name> {
    let [name] = target else { return None };
    let entity = it.entity_names.get(&name.text).filter(|_| filter.is_none())?;
    let strange = |name: &&Name| !it.field_names[entity.0].contains_key(&name.text) && nearest(&name.text, ["where"]).is_some();
    values.iter().map(|(name, _)| name).find(strange)
}

/// The rows of an effect: `E` with a `where`, or a value that references one row.
fn rows(it: &mut Lowering<'_>, target: &[Name], filter: Option<&written_expr::Expr>) -> Option<Rows> {
    let (first, last) = (target.first()?, target.last()?);
    if target.len() == 1
        && let Some(to) = it.entity_names.get(&first.text).copied()
    {
        it.used(first.span, it.entities[to.0].span);
        let entity = Placed { it: to, span: first.span };
        let Some(filter) = filter else {
            let started = it.data.as_ref().and_then(data::DataScope::row) == Some(to);
            let found = Diagnostic::error("missing-key", first.span, format!("this has no condition for the rows of `{}`", first.text));
            it.out.push(match started {
                true => found.help("write `trigger.entity` for the row that started the process, or add `where: …`"),
                false => found.help("add `where: …`"),
            });
            return None;
        };
        return Some(Rows { entity, which: WhichRows::Where(condition(it, Some(to), filter)?) });
    }
    if target.len() == 1 && first.text.starts_with(char::is_uppercase) {
        it.entity(first)?;
    }
    let span = crate::Span { end: last.span.end, ..first.span };
    let value = written_expr::Expr { kind: ExprKind::Path(target.to_vec()), span };
    let (row, ty) = data::typed(it, &value, None)?;
    let Type::Ref(to) = ty else {
        let found = data::describe_type(it, &ty);
        let found = Diagnostic::error("type-mismatch", span, format!("expected a reference to a row, but this is {found}"));
        it.out.push(found.help("write `trigger.entity`, or an entity with `where: …`"));
        return None;
    };
    if let Some(filter) = filter {
        let found = Diagnostic::error("not-allowed-here", filter.span, "a single row needs no `where`");
        it.out.push(found.help("remove it, or name an entity"));
        return None;
    }
    Some(Rows { entity: Placed { it: to, span }, which: WhichRows::Row(row) })
}

fn assignments(it: &mut Lowering<'_>, entity: EntityId, values: &Values) -> Vec<(Placed<FieldId>, Expr)> {
    let mut seen = HashMap::new();
    let mut lowered = Vec::new();
    for (name, value) in values {
        if !collect::first(it, &mut seen, "field", name) {
            continue;
        }
        let Some(field) = settable(it, entity, std::slice::from_ref(name)) else { continue };
        lowered.extend(assigned(it, entity, field, value).map(|value| (field, value)));
    }
    lowered
}

/// Types a value for a field of an entity.
pub(super) fn assigned(it: &mut Lowering<'_>, entity: EntityId, field: Placed<FieldId>, value: &written_expr::Expr) -> Option<Expr> {
    let ty = it.entities[entity.0].fields[field.it.0].ty;
    data::value(it, &ValueType::One(ty), value)
}

/// Resolves a field that a process can set: `field`, `Entity.field` or `trigger.entity.field`.
pub(in crate::lower) fn settable(it: &mut Lowering<'_>, entity: EntityId, path: &[Name]) -> Option<Placed<FieldId>> {
    let name = match path {
        [name] => name,
        [owner, name] if owner.text == it.entities[entity.0].name || owner.text == "entity" => name,
        [trigger, row, name] if trigger.text == "trigger" && row.text == "entity" && row_is(it, entity) => name,
        [owner, _] if it.entity_names.contains_key(&owner.text) => {
            let meant = it.entities[entity.0].name.clone();
            let found = Diagnostic::error("type-mismatch", owner.span, format!("the row is a `{meant}`, not a `{}`", owner.text));
            it.out.push(found.help(format!("set a field of `{meant}`")).replace(owner.span, meant));
            return None;
        }
        [owner, ..] => {
            let meant = it.entities[entity.0].name.clone();
            let found = Diagnostic::error("unknown-field", owner.span, format!("only fields of the row itself can be set, a `{meant}`"));
            it.out.push(match near_word(&owner.text, [meant.as_str(), "entity"]) {
                Some(near) => found.help(format!("did you mean `{near}`?")).replace(owner.span, near),
                None => found.help(format!("write `{meant}.field` or `field`")),
            });
            return None;
        }
        [] => return None,
    };
    let position = it.field_names[entity.0].get(&name.text).copied().filter(|at| !it.entities[entity.0].fields[*at].secret);
    let Some(at) = position else {
        it.unknown_field("unknown-field", entity, name, |field| field.ty.is_stored());
        return None;
    };
    it.field_used(name.span, entity, at);
    if let [owner, _] = path
        && owner.text == it.entities[entity.0].name
    {
        it.used(owner.span, it.entities[entity.0].span);
    }
    let field = &it.entities[entity.0].fields[at];
    let reason = if FieldId(at) == it.entities[entity.0].pk {
        "is the key"
    } else if field.auto != Auto::No {
        "is set by dz"
    } else if field.computed.is_some() {
        "is computed"
    } else if !field.ty.is_stored() {
        "lists other rows"
    } else {
        return Some(Placed { it: FieldId(at), span: name.span });
    };
    let found = Diagnostic::error("not-allowed-here", name.span, format!("`{}` {reason} and cannot be set", name.text));
    it.out.push(found.help("set another field"));
    None
}

fn row_is(it: &Lowering<'_>, entity: EntityId) -> bool {
    it.data.as_ref().and_then(data::DataScope::row) == Some(entity)
}

/// Reports required fields that a new row lacks. The tenant of a row is that of the run.
fn lacking(it: &mut Lowering<'_>, name: &Name, entity: EntityId, values: &Values) {
    let declared = &it.entities[entity.0];
    let given: std::collections::HashSet<&str> = values.iter().map(|(name, _)| name.text.as_str()).collect();
    let lacking: Vec<&str> = declared
        .fields
        .iter()
        .enumerate()
        .filter(|(at, field)| {
            let generated = FieldId(*at) == declared.pk && field.ty.is_generated_key();
            let given = field.default.is_some() || field.auto != Auto::No || generated || declared.tenant == Some(FieldId(*at));
            field.required && field.ty.is_stored() && !given
        })
        .map(|(_, field)| field.name.as_str())
        .filter(|name| !given.contains(name))
        .collect();
    if !lacking.is_empty() {
        let found = format!("a new `{}` lacks {}", declared.name, crate::syntax::list(&lacking));
        it.out.push(Diagnostic::error("missing-required-field", name.span, found).help("give every required field a value"));
    }
}
