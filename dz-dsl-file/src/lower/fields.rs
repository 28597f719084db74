//! Fields: types, modifiers, presence; then relations; then defaults.

use super::{Lowering, collect, expr};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    model::{Auto, Currency, EntityId, EnumId, EnumType, Expr, Field, FieldId, FieldType, OnDelete, Unique},
    names,
    syntax::field::{self as written, ModifierKind, TypeExpr},
};

/// True when the field is declared as the key.
pub(super) fn is_pk(field: &written::Field) -> bool {
    field.modifiers.iter().any(|modifier| modifier.kind == ModifierKind::Pk)
}

/// Every field but has_many and has_one.
pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let id = EntityId(at);
        let fields = it.written[at].clone();
        let mut key: Option<Span> = None;
        for field in fields {
            let Some(lowered) = lower_field(it, id, field) else {
                it.lost.field(id, &field.name.text);
                continue;
            };
            if is_pk(field) {
                primary_key(it, id, field, &mut key);
            }
            let position = it.entities[at].fields.len();
            it.field_names[at].insert(field.name.text.clone(), position);
            it.entities[at].fields.push(lowered);
        }
        let may_have = it.entities[at].account || it.lost.any_field(id) || it.written[at].iter().any(|field| is_pk(field));
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
            Diagnostic::error("required-and-optional", optional.name.span, "a key is never left out")
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

fn is_key_type(ty: &TypeExpr) -> bool {
    matches!(ty.name.text.as_str(), "uuid" | "int" | "str" | "slug")
}

fn lower_field(it: &mut Lowering<'_>, id: EntityId, field: &written::Field) -> Option<Field> {
    let has = |kind: &ModifierKind| field.modifiers.iter().find(|modifier| modifier.kind == *kind);
    let relation = matches!(field.ty.name.text.as_str(), "has_many" | "has_one");
    let ty = if relation {
        // The ref that points back is looked for when every field is known.
        FieldType::HasMany { entity: it.entity(field.ty.target.as_ref()?)?, via: FieldId(usize::MAX) }
    } else {
        field_type(it, id, field)?
    };
    let default = field.modifiers.iter().any(|modifier| matches!(modifier.kind, ModifierKind::Default(_)));
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
        // A required flag without a default is false, as a form's empty check box says.
        default: (ty == FieldType::Bool && required && !default).then_some(Expr::Bool(false)),
        sensitive: has(&ModifierKind::Sensitive).is_some(),
        secret: false,
        identity: false,
        searchable: has(&ModifierKind::Searchable).is_some(),
        indexed: has(&ModifierKind::Indexed).is_some(),
        computed: None,
        was: field.modifiers.iter().find_map(|modifier| match &modifier.kind {
            ModifierKind::Was(name) => Some(name.text.clone()),
            _ => None,
        }),
        on_delete: on_delete(&field.ty, required),
        span: field.name.span,
    })
}

fn duplicate_modifiers(it: &mut Lowering<'_>, field: &written::Field) {
    for (at, modifier) in field.modifiers.iter().enumerate() {
        let twin = |other: &&written::Modifier| std::mem::discriminant(&other.kind) == std::mem::discriminant(&modifier.kind);
        if let Some(first) = field.modifiers[..at].iter().find(twin) {
            it.out.push(
                Diagnostic::error("duplicate-key", modifier.name.span, format!("`{}` is already said", modifier.name.text))
                    .label(first.name.span, "first said here")
                    .help("say it once"),
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
            _ => continue,
        };
        if matches!(ty, FieldType::Date | FieldType::DateTime) {
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

fn field_type(it: &mut Lowering<'_>, id: EntityId, field: &written::Field) -> Option<FieldType> {
    let ty = &field.ty;
    let simple = match ty.name.text.as_str() {
        "uuid" => FieldType::Uuid,
        "text" => FieldType::Text,
        "float" => FieldType::Float,
        "bool" => FieldType::Bool,
        "date" => FieldType::Date,
        "datetime" => FieldType::DateTime,
        "json" => FieldType::Json,
        "email" => FieldType::Email,
        "url" => FieldType::Url,
        "timezone" => FieldType::Timezone,
        "slug" => FieldType::Slug,
        "str" => return length(it, ty),
        "int" => return integer(it, ty),
        "decimal" => return decimal(it, ty),
        "money" => return money(it, ty),
        "file" => return Some(FieldType::File { limit: ty.limit.and_then(|(bytes, _)| u64::try_from(bytes).ok()) }),
        // What it holds follows from its expression, which needs every field.
        "computed" => return ty.computed.as_ref().map(|_| FieldType::Json),
        "enum" => return Some(FieldType::Enum(anonymous_enum(it, id, field))),
        "ref" | "belongs_to" => {
            if let Some(via) = &ty.via {
                it.out.push(
                    Diagnostic::error("unexpected-token", via.span, "`via` stands on `has_many` and `has_one` only")
                        .help("remove it: a ref holds the reference itself"),
                );
            }
            return Some(FieldType::Ref(it.entity(ty.target.as_ref()?)?));
        }
        _ => return named_enum(it, field),
    };
    if let Some((_, span)) = ty.args.first() {
        it.out.push(
            Diagnostic::error("bad-length", *span, format!("`{}` takes no numbers", ty.name.text))
                .help("remove the parentheses")
                .replace(ty.span, ty.name.text.clone()),
        );
    }
    Some(simple)
}

/// A type as a message or a repair writes it.
fn written(name: &str, ty: &TypeExpr) -> String {
    let numbers: Vec<String> = ty.args.iter().map(|(number, _)| number.to_string()).collect();
    if numbers.is_empty() { name.to_owned() } else { format!("{name}({})", numbers.join(",")) }
}

/// Reports more numbers than a type takes.
fn surplus(it: &mut Lowering<'_>, ty: &TypeExpr, rule: &'static str, most: usize) -> bool {
    let Some((_, span)) = ty.args.get(most) else { return false };
    let numbers = if most == 1 { "one number".to_owned() } else { format!("{most} numbers") };
    let fewer = TypeExpr { args: ty.args[..most].to_vec(), ..ty.clone() };
    it.out.push(
        Diagnostic::error(rule, *span, format!("`{}` takes {numbers} at most", ty.name.text))
            .help(format!("write `{}`", written(&ty.name.text, &fewer)))
            .replace(ty.span, written(&ty.name.text, &fewer)),
    );
    true
}

fn length(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<FieldType> {
    const LONGEST: i64 = 10_000;
    const LONG: i64 = 4_000;
    if surplus(it, ty, "bad-length", 1) {
        return None;
    }
    match ty.args.as_slice() {
        [] => {
            it.out.push(
                Diagnostic::lint("str-without-length", ty.name.span, "`str` without a length holds 255 characters")
                    .help("say how many: `str(255)`")
                    .replace(ty.name.span, "str(255)"),
            );
            Some(FieldType::Str(255))
        }
        [(n, span), ..] if (1..=LONGEST).contains(n) => {
            if *n > LONG {
                it.out.push(
                    Diagnostic::warning("large-length", *span, format!("texts of up to {n} characters are no short texts"))
                        .help("use `text` for long ones")
                        .replace(ty.span, "text"),
                );
            }
            Some(FieldType::Str(*n as u32))
        }
        [(n, span), ..] => {
            let found = Diagnostic::error("bad-length", *span, format!("a length is from 1 to {LONGEST}, not {n}"));
            it.out.push(match *n > LONGEST {
                true => found.help("use `text` for longer ones").replace(ty.span, "text"),
                false => found.help("say how many characters there may be, such as `str(80)`"),
            });
            None
        }
    }
}

fn money(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<FieldType> {
    let Some(code) = &ty.currency else { return Some(FieldType::Money(None)) };
    let currency = Currency::from_code(&code.text);
    if currency.is_none() {
        let upper = code.text.to_ascii_uppercase();
        let near = Currency::from_code(&upper).map(|_| upper);
        let found = Diagnostic::error("unknown-currency", code.span, format!("unknown currency `{}`", code.text));
        it.out.push(match near {
            Some(near) => found.help(format!("did you mean `{near}`?")).replace(code.span, near),
            None => found.help("write the three letters of ISO 4217, such as `EUR`"),
        });
        return None;
    }
    Some(FieldType::Money(currency))
}

/// A type as it is written, for messages.
pub(super) fn shown_type(it: &Lowering<'_>, ty: FieldType) -> String {
    match ty {
        FieldType::Uuid => "uuid".to_owned(),
        FieldType::Str(n) => format!("str({n})"),
        FieldType::Text => "text".to_owned(),
        FieldType::Int { .. } => "int".to_owned(),
        FieldType::Float => "float".to_owned(),
        FieldType::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
        FieldType::Bool => "bool".to_owned(),
        FieldType::Date => "date".to_owned(),
        FieldType::DateTime => "datetime".to_owned(),
        FieldType::Enum(id) => {
            let values: Vec<&str> = it.enums[id.0].values.iter().map(|value| value.name.as_str()).collect();
            format!("enum[{}]", values.join(", "))
        }
        FieldType::Json => "json".to_owned(),
        FieldType::Email => "email".to_owned(),
        FieldType::Url => "url".to_owned(),
        FieldType::Timezone => "timezone".to_owned(),
        FieldType::Slug => "slug".to_owned(),
        FieldType::Money(None) => "money".to_owned(),
        FieldType::Money(Some(currency)) => format!("money({})", currency.code()),
        FieldType::File { .. } => "file".to_owned(),
        FieldType::Ref(id) => format!("ref {}", it.entities[id.0].name),
        FieldType::HasMany { entity, .. } => format!("has_many {}", it.entities[entity.0].name),
        FieldType::HasOne { entity, .. } => format!("has_one {}", it.entities[entity.0].name),
    }
}

fn integer(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<FieldType> {
    match ty.args.as_slice() {
        [] => Some(FieldType::Int { wide: false }),
        [(64, _)] => Some(FieldType::Int { wide: true }),
        [(_, span), ..] => {
            it.out.push(
                Diagnostic::error("bad-length", *span, "`int` has no size but 64").help("write `int` or `int(64)`").replace(ty.span, "int"),
            );
            None
        }
    }
}

fn decimal(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<FieldType> {
    if surplus(it, ty, "bad-precision", 2) {
        return None;
    }
    let (precision, scale) = match ty.args.as_slice() {
        [] => (18, 4),
        [(precision, _)] => (*precision, 0),
        [(precision, _), (scale, _), ..] => (*precision, *scale),
    };
    let whole = (1..=28).contains(&precision);
    if !whole || !(0..=precision).contains(&scale) {
        let (_, span) = ty.args.get(usize::from(whole)).copied().unwrap_or((0, ty.name.span));
        let message = match whole {
            false => format!("a decimal has 1 to 28 digits, not {precision}"),
            true => format!("a decimal of {precision} digits cannot have {scale} of them after the point"),
        };
        it.out.push(
            Diagnostic::error("bad-precision", span, message)
                .help("write `decimal(p,s)`: `p` digits in all, 1 to 28, and `s` of them after the point"),
        );
        return None;
    }
    Some(FieldType::Decimal { precision: precision as u8, scale: scale as u8 })
}

fn anonymous_enum(it: &mut Lowering<'_>, id: EntityId, field: &written::Field) -> EnumId {
    let values = collect::enum_values(it, &field.ty.values, Some(field.ty.name.span));
    let enum_id = EnumId(it.enums.len());
    let name = names::camel(&format!("{}_{}", it.entities[id.0].module, field.name.text));
    let owner = Some((id, FieldId(it.entities[id.0].fields.len())));
    it.enums.push(EnumType { name, title: None, values, ordered: false, owner, span: field.ty.name.span });
    enum_id
}

/// Words of other systems and the type they mean here.
const FOREIGN: &[(&str, &str)] = &[
    ("string", "str(255)"),
    ("varchar", "str(255)"),
    ("char", "str(255)"),
    ("integer", "int"),
    ("bigint", "int(64)"),
    ("number", "decimal"),
    ("boolean", "bool"),
    ("timestamp", "datetime"),
    ("double", "float"),
    ("numeric", "decimal"),
    ("fk", "ref"),
    ("foreign", "ref"),
    ("reference", "ref"),
    ("link", "url"),
    ("uri", "url"),
    ("identifier", "slug"),
    ("hasmany", "has_many"),
    ("hasone", "has_one"),
    ("belongsto", "belongs_to"),
    ("choice", "enum"),
    ("select", "enum"),
    ("real", "float"),
    ("long", "int(64)"),
    ("day", "date"),
    ("time", "datetime"),
    ("object", "json"),
    ("tz", "timezone"),
    ("jsonb", "json"),
    ("guid", "uuid"),
];

fn named_enum(it: &mut Lowering<'_>, field: &written::Field) -> Option<FieldType> {
    let ty = &field.ty;
    let name: &Name = &ty.name;
    if let Some(id) = it.enum_names.get(&name.text) {
        return Some(FieldType::Enum(*id));
    }
    let found = Diagnostic::error("unknown-type", name.span, format!("unknown type `{}`", name.text));
    let foreign = FOREIGN.iter().find(|(word, _)| word.eq_ignore_ascii_case(&name.text)).map(|(_, ours)| (*ours).to_owned());
    let entity = it.entity_names.contains_key(&name.text).then(|| format!("ref {}", name.text));
    if written::TYPES.contains(&field.name.text.as_str()) && foreign.is_none() && entity.is_none() {
        let both = Span { start: field.name.span.start, ..name.span };
        let turned = format!("{}: {}", name.text, field.name.text);
        it.out.push(found.help(format!("the name comes first: `{turned}`")).replace(both, turned));
        return None;
    }
    if let Some(ours) = foreign.or(entity) {
        // A length that was given stays the length.
        let known = ours.strip_suffix("(255)").filter(|_| !ty.args.is_empty()).map_or(ours.as_str(), |short| short);
        let whole = if ours == "ref" { found.help("write `ref ENTITY`") } else { found.help(format!("did you mean `{known}`?")) };
        it.out.push(if ours == "ref" { whole.replace(name.span, "ref") } else { whole.replace(name.span, known) });
        return None;
    }
    let mut enums: Vec<&str> = it.enum_names.keys().map(String::as_str).collect();
    enums.sort_unstable();
    if let Some(block) = crate::syntax::entity::block_meant(&field.name.text) {
        let found = Diagnostic::error(
            "unknown-key",
            field.name.span,
            format!("`{}` is no field, since `{}` is no type", field.name.text, name.text),
        );
        it.out.push(found.help(format!("did you mean `{block}`?")).replace(field.name.span, block));
        return None;
    }
    it.out.push(found.help(format!("types are {}, or the name of an enum", crate::syntax::list(written::TYPES))).suggest_near(
        name.span,
        &name.text,
        written::TYPES.iter().copied().chain(enums),
    ));
    None
}

/// has_many and has_one: finds the ref of the other entity that points back.
pub(super) fn relations(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        for field in it.written[at].clone() {
            if !matches!(field.ty.name.text.as_str(), "has_many" | "has_one") {
                continue;
            }
            let Some(position) = it.field_names[at].get(&field.name.text).copied() else { continue };
            let FieldType::HasMany { entity, .. } = it.entities[at].fields[position].ty else { continue };
            let Some(via) = inverse(it, EntityId(at), entity, field) else {
                it.entities[at].fields[position].ty = FieldType::HasMany { entity, via: FieldId(0) };
                continue;
            };
            it.entities[at].fields[position].ty = match field.ty.name.text.as_str() {
                "has_many" => FieldType::HasMany { entity, via },
                _ => FieldType::HasOne { entity, via },
            };
            it.entities[at].fields[position].required = false;
            if let Some(word) = &field.ty.on_delete {
                let required = it.entities[entity.0].fields[via.0].required;
                it.entities[entity.0].fields[via.0].on_delete = on_delete(&field.ty, required);
                if word.text == "nullify" && required {
                    nullify_required(it, word.span, entity, via);
                }
            }
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
        if named.is_none() {
            let known: Vec<String> = candidates.iter().map(|at| child.fields[*at].name.clone()).collect();
            let (child, parent) = (child.name.clone(), it.entities[from.0].name.clone());
            if !it.lost.has_field(to, &via.text) {
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
        // A ref that could not be understood may be the one.
        [] if it.lost.any_field(to) => None,
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
                    .help(format!("say which: `via {first}`")),
            );
            None
        }
    }
}

/// Defaults, now that every name is known.
pub(super) fn defaults(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        for field in it.written[at].clone() {
            let Some(position) = it.field_names[at].get(&field.name.text).copied() else { continue };
            let default = field.modifiers.iter().find_map(|modifier| match &modifier.kind {
                ModifierKind::Default(value) => Some(value),
                _ => None,
            });
            let Some(default) = default else { continue };
            let ty = it.entities[at].fields[position].ty;
            match expr::default(it, EntityId(at), ty, default) {
                Some(value) => it.entities[at].fields[position].default = Some(value),
                None => {
                    it.lost.defaults.insert((EntityId(at), position));
                }
            }
        }
    }
}
