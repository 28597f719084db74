//! Fields: types, modifiers, presence; then relations; then defaults.

mod amount;
mod junction;
mod types;

use types::anonymous_enum;
pub(super) use types::{field_type, shown_type};

use super::{Lowering, expr};
use crate::{
    Diagnostic, Span,
    model::{Auto, EntityId, Expr, Field, FieldId, FieldType, OnDelete, Unique},
    names,
    syntax::field::{self as written, ModifierKind, TypeExpr},
};

/// True if the field is declared as the key.
pub(super) fn is_pk(field: &written::Field) -> bool {
    field.modifiers.iter().any(|modifier| modifier.kind == ModifierKind::Pk)
}

/// Lowers every field except `has_many` and `has_one`.
pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let id = EntityId(at);
        let fields = it.written[at].clone();
        let mut key: Option<Span> = None;
        for field in fields {
            let Some(lowered) = lower_field(it, id, field) else {
                it.unreadable.field(id, &field.name.text);
                it.unreadable.field(id, &amount::currency_name(&field.name.text));
                continue;
            };
            if is_pk(field) {
                primary_key(it, id, field, &mut key);
            }
            let position = it.entities[at].fields.len();
            it.field_names[at].insert(field.name.text.clone(), position);
            it.entities[at].fields.push(lowered);
            if it.entities[at].fields[position].ty == FieldType::Money(None) {
                amount::with_currency(it, id, FieldId(position), field);
            }
        }
        let may_have = it.entities[at].account || it.unreadable.any_field(id) || it.written[at].iter().any(|field| is_pk(field));
        let empty = it.declared[at].is_none_or(|declared| declared.body.empty);
        if key.is_none() && !may_have && !empty {
            missing_key(it, id);
        }
    }
}

fn primary_key(it: &mut Lowering<'_>, id: EntityId, field: &written::Field, key: &mut Option<Span>) {
    let word = field.modifiers.iter().find(|it| it.kind == ModifierKind::Pk).map_or(field.name.span, |it| it.name.span);
    if let Some(first) = *key {
        it.out.push(
            Diagnostic::error("duplicate-primary-key", word, "an entity has one primary key")
                .label(first, "the first one")
                .help("write `unique` here; a pair that must be unique is `unique a, b`")
                .replace(word, "unique"),
        );
        return;
    }
    *key = Some(word);
    if let Some(optional) = field.modifiers.iter().find(|it| it.kind == ModifierKind::Optional) {
        it.out.push(
            Diagnostic::error("required-and-optional", optional.name.span, "a primary key cannot be optional")
                .label(word, "the key")
                .help("remove `optional`")
                .replace(optional.name.span, ""),
        );
    }
    it.entities[id.0].pk = FieldId(it.entities[id.0].fields.len());
    if !is_key_type(&field.ty) {
        it.out.push(
            Diagnostic::error("missing-primary-key", field.ty.name.span, format!("a key cannot be `{}`", field.ty.name.text))
                .help("keys are `uuid`, `int`, `str(n)` or `slug`"),
        );
    }
}

fn missing_key(it: &mut Lowering<'_>, id: EntityId) {
    let entity = &it.entities[id.0];
    let found = Diagnostic::error("missing-primary-key", entity.span, format!("entity `{}` has no primary key", entity.name));
    let candidate = it.written[id.0].iter().find(|field| field.name.text == "id" && is_key_type(&field.ty));
    it.out.push(match candidate {
        Some(field) => {
            let end = Span { start: field.ty.span.end, end: field.ty.span.end, ..field.ty.span };
            let found = Diagnostic { span: field.ty.span, ..found };
            found.label(entity.span, "this entity").help("add `pk` to the field `id`").replace(end, " pk")
        }
        None => found.help("add the field `id: uuid pk`"),
    });
}

/// True for a field with a default in the text.
pub(super) fn has_default(field: &written::Field) -> bool {
    field.modifiers.iter().any(|modifier| matches!(modifier.kind, ModifierKind::Default(_)))
}

fn is_key_type(ty: &TypeExpr) -> bool {
    matches!(ty.name.text.as_str(), "uuid" | "int" | "str" | "slug")
}

fn lower_field(it: &mut Lowering<'_>, id: EntityId, field: &written::Field) -> Option<Field> {
    let has = |kind: &ModifierKind| field.modifiers.iter().find(|modifier| modifier.kind == *kind);
    let relation = matches!(field.ty.name.text.as_str(), "has_many" | "has_one");
    let ty = if relation {
        // The ref that points back is resolved after all fields are known.
        FieldType::HasMany { entity: it.entity(field.ty.target.as_ref()?)?, via: FieldId(usize::MAX) }
    } else {
        field_type(it, &field.name, &field.ty, |it| anonymous_enum(it, id, field))?
    };
    let default = has_default(field);
    let auto = auto(it, field, ty);
    if let (Some(required), Some(optional)) = (has(&ModifierKind::Required), has(&ModifierKind::Optional)) {
        it.out.push(
            Diagnostic::error(
                "required-and-optional",
                optional.name.span,
                format!("`{}` cannot be both required and optional", field.name.text),
            )
            .label(required.name.span, "required here")
            .help("keep one of the two words"),
        );
    }
    let given = has(&ModifierKind::Required).is_some() || is_pk(field) || default || auto != Auto::No;
    let required = given && has(&ModifierKind::Optional).is_none();
    duplicate_modifiers(it, field);
    if ty.is_file() {
        not_for_files(it, field);
    }
    Some(Field {
        name: field.name.text.clone(),
        title: names::humanise(&field.name.text),
        ty,
        required,
        unique: match (has(&ModifierKind::Unique), has(&ModifierKind::UniqueWhereSet)) {
            (Some(_), _) => Unique::Yes,
            (None, Some(_)) => Unique::WhereSet,
            _ => Unique::No,
        },
        auto,
        // A required flag without a default is false, like an empty check box.
        default: (ty == FieldType::Bool && required && !default).then_some(Expr::Bool(false)),
        sensitive: has(&ModifierKind::Sensitive).is_some(),
        secret: false,
        identity: false,
        searchable: has(&ModifierKind::Searchable).is_some(),
        indexed: has(&ModifierKind::Indexed).is_some(),
        computed: None,
        was: field
            .modifiers
            .iter()
            .find_map(|modifier| if let ModifierKind::Was(name) = &modifier.kind { Some(name.text.clone()) } else { None }),
        on_delete: on_delete(&field.ty, required),
        span: field.name.span,
        end: field.end,
    })
}

/// Reports modifiers about comparison on a file, which cannot be compared.
fn not_for_files(it: &mut Lowering<'_>, field: &written::Field) {
    use ModifierKind::{Indexed, Searchable, Unique, UniqueWhereSet};
    for modifier in field.modifiers.iter().filter(|it| matches!(it.kind, Unique | UniqueWhereSet | Searchable | Indexed)) {
        it.out.push(
            Diagnostic::error("not-allowed-here", modifier.name.span, format!("`{}` is not for files", modifier.name.text))
                .label(field.ty.name.span, "a file is stored and given back, and never compared")
                .help("remove it")
                .replace(modifier.name.span, ""),
        );
    }
}

fn duplicate_modifiers(it: &mut Lowering<'_>, field: &written::Field) {
    for (at, modifier) in field.modifiers.iter().enumerate() {
        let twin = |other: &&written::Modifier| std::mem::discriminant(&other.kind) == std::mem::discriminant(&modifier.kind);
        if let Some(first) = field.modifiers[..at].iter().find(twin) {
            it.out.push(
                Diagnostic::error("duplicate-key", modifier.name.span, format!("`{}` is already set", modifier.name.text))
                    .label(first.name.span, "first set here")
                    .help("keep one of them"),
            );
        }
    }
}

fn on_delete(ty: &TypeExpr, required: bool) -> OnDelete {
    match ty.on_delete.as_ref().map(|it| it.text.as_str()) {
        Some("cascade") => OnDelete::Cascade,
        Some("nullify") => OnDelete::Nullify,
        Some(_) => OnDelete::Restrict,
        None if required => OnDelete::Restrict,
        None => OnDelete::Nullify,
    }
}

fn auto(it: &mut Lowering<'_>, field: &written::Field, ty: FieldType) -> Auto {
    let mut auto = Auto::No;
    for modifier in &field.modifiers {
        let kind = match modifier.kind {
            ModifierKind::AutoAdd => Auto::Add,
            ModifierKind::AutoUpdate => Auto::Update,
            ModifierKind::Pk
            | ModifierKind::Required
            | ModifierKind::Optional
            | ModifierKind::Unique
            | ModifierKind::UniqueWhereSet
            | ModifierKind::Sensitive
            | ModifierKind::Searchable
            | ModifierKind::Indexed
            | ModifierKind::Was(_)
            | ModifierKind::Default(_) => continue,
        };
        if ty.is_time() {
            auto = kind;
        } else {
            it.out.push(
                Diagnostic::error("auto-on-wrong-type", modifier.name.span, format!("`{}` needs a date or a datetime", modifier.name.text))
                    .label(field.ty.name.span, format!("this is `{}`", field.ty.name.text))
                    .help("change the type to `datetime`, or remove the modifier")
                    .replace(field.ty.span, "datetime"),
            );
        }
    }
    auto
}

/// Resolves `has_many` and `has_one`: finds the ref of the other entity that points back.
pub(super) fn relations(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        for field in it.written[at].clone() {
            if !matches!(field.ty.name.text.as_str(), "has_many" | "has_one") {
                continue;
            }
            let Some(position) = it.field_names[at].get(&field.name.text).copied() else { continue };
            let Some(entity) = it.entities[at].fields[position].ty.children() else { continue };
            if let Some(between) = junction::named(it, entity, field) {
                connected(it, EntityId(at), position, entity, field, between);
                continue;
            }
            let Some(via) = inverse(it, EntityId(at), entity, field) else {
                it.entities[at].fields[position].ty = FieldType::HasMany { entity, via: FieldId(0) };
                continue;
            };
            it.entities[at].fields[position].ty = match field.ty.name.text.as_str() {
                "has_many" => FieldType::HasMany { entity, via },
                _ => FieldType::HasOne { entity, via },
            };
            it.entities[at].fields[position].required = false;
            deletion(it, field, entity, via);
        }
    }
    for at in 0..it.entities.len() {
        for field in it.written[at].clone() {
            let Some(word) = field.ty.on_delete.as_ref().filter(|word| word.text == "nullify") else { continue };
            let Some(position) = it.field_names[at].get(&field.name.text).copied() else { continue };
            if it.entities[at].fields[position].required {
                nullify_required(it, word.span, EntityId(at), FieldId(position));
            }
        }
    }
}

/// Resolves a relation over a junction. A deletion of this row applies to the rows of the junction.
fn connected(it: &mut Lowering<'_>, from: EntityId, position: usize, to: EntityId, field: &written::Field, between: &crate::cursor::Name) {
    it.entities[from.0].fields[position].required = false;
    match junction::lower(it, from, to, field, between) {
        Some(through) => {
            it.entities[from.0].fields[position].ty = FieldType::ManyToMany { entity: to, through };
            deletion(it, field, through.entity, through.near);
        }
        None => it.entities[from.0].fields[position].ty = FieldType::HasMany { entity: to, via: FieldId(0) },
    }
}

/// Applies the deletion rule of a relation to the ref that points back.
fn deletion(it: &mut Lowering<'_>, field: &written::Field, entity: EntityId, via: FieldId) {
    let Some(word) = &field.ty.on_delete else { return };
    let required = it.entities[entity.0].fields[via.0].required;
    it.entities[entity.0].fields[via.0].on_delete = on_delete(&field.ty, required);
    if word.text == "nullify" && required {
        nullify_required(it, word.span, entity, via);
    }
}

fn nullify_required(it: &mut Lowering<'_>, span: Span, entity: EntityId, field: FieldId) {
    let target = &it.entities[entity.0].fields[field.0];
    let found = Diagnostic::error("required-and-optional", span, format!("`{}` is required, so a deletion cannot clear it", target.name))
        .label(target.span, "required here")
        .help("make it optional, or write `cascade` or `restrict`");
    it.out.push(found);
}

fn inverse(it: &mut Lowering<'_>, from: EntityId, to: EntityId, field: &written::Field) -> Option<FieldId> {
    let points_back = |ty: FieldType| ty == FieldType::Ref(from);
    let child = &it.entities[to.0];
    let candidates: Vec<usize> = (0..child.fields.len()).filter(|at| points_back(child.fields[*at].ty)).collect();
    if let Some(via) = &field.ty.via {
        let named = candidates.iter().find(|at| child.fields[**at].name == via.text).map(|at| FieldId(*at));
        if let Some(found) = named {
            it.field_used(via.span, to, found.0);
        } else {
            let known: Vec<String> = candidates.iter().map(|at| child.fields[*at].name.clone()).collect();
            let (child, parent) = (child.name.clone(), it.entities[from.0].name.clone());
            if !it.unreadable.has_field(to, &via.text) {
                let message = format!("`{child}` has no ref `{}` to `{parent}`", via.text);
                let otherwise = format!("add `{}: ref {parent}` to `{child}`", via.text);
                it.unknown_among("unknown-field", message, via.span, &via.text, &known, &otherwise);
            }
        }
        return named;
    }
    let (child, parent) = (child.name.clone(), it.entities[from.0].name.clone());
    let span = field.ty.target.as_ref().map_or(field.name.span, |it| it.span);
    match candidates.as_slice() {
        [one] => Some(FieldId(*one)),
        // A ref that could not be parsed may be the one that points back.
        [] if it.unreadable.any_field(to) => None,
        [] => {
            it.out.push(
                Diagnostic::error("missing-inverse", span, format!("`{child}` has no ref to `{parent}`"))
                    .help(format!("add `{}: ref {parent}` to `{child}`", names::snake(&parent))),
            );
            None
        }
        many => {
            let names: Vec<String> = many.iter().map(|at| format!("`{}`", it.entities[to.0].fields[*at].name)).collect();
            let first = it.entities[to.0].fields[many[0]].name.clone();
            it.out.push(
                Diagnostic::error("ambiguous-inverse", span, format!("`{child}` has several refs to `{parent}`: {}", names.join(", ")))
                    .help(format!("name one: `via {first}`")),
            );
            None
        }
    }
}

/// Lowers defaults, after all names are known.
pub(super) fn defaults(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        for field in it.written[at].clone() {
            let Some(position) = it.field_names[at].get(&field.name.text).copied() else { continue };
            let default = field
                .modifiers
                .iter()
                .find_map(|modifier| if let ModifierKind::Default(value) = &modifier.kind { Some(value) } else { None });
            let Some(default) = default else { continue };
            let ty = it.entities[at].fields[position].ty;
            if ty == FieldType::Money(None) {
                amount::no_default(it, default.span);
                it.unreadable.defaults.insert((EntityId(at), position));
                continue;
            }
            match expr::default(it, EntityId(at), ty, default) {
                Some(value) => it.entities[at].fields[position].default = Some(value),
                None => {
                    it.unreadable.defaults.insert((EntityId(at), position));
                }
            }
        }
    }
}
