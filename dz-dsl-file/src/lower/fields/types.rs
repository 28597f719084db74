//! Field types: each type word with its numbers, its values, its entity.

use super::super::{Lowering, collect};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::nearest,
    dialect,
    model::{Currency, EntityId, EnumId, EnumType, FieldId, FieldType},
    names,
    suggestion::same,
    syntax::field::{self as written, TypeExpr},
};

/// Resolves the type of `field`; `anonymous` creates the enum of an `enum[…]`.
pub(in crate::lower) fn field_type<'a>(
    it: &mut Lowering<'a>,
    field: &Name,
    ty: &TypeExpr,
    anonymous: impl FnOnce(&mut Lowering<'a>) -> EnumId,
) -> Option<FieldType> {
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
        // The type follows from the expression, which needs every field.
        "computed" => return ty.computed.as_ref().map(|_| FieldType::Json),
        "enum" => return Some(FieldType::Enum(anonymous(it))),
        "ref" | "belongs_to" => {
            if let Some(via) = &ty.via {
                it.out.push(
                    Diagnostic::error("unexpected-token", via.span, "`via` is allowed with `has_many` and `has_one` only")
                        .help("remove it: a ref holds the reference itself"),
                );
            }
            return Some(FieldType::Ref(it.entity(ty.target.as_ref()?)?));
        }
        _ => return named_enum(it, field, ty),
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

/// The text of a type in messages and suggestions.
fn type_text(name: &str, ty: &TypeExpr) -> String {
    let numbers: Vec<String> = ty.args.iter().map(|(number, _)| number.to_string()).collect();
    if numbers.is_empty() { name.to_owned() } else { format!("{name}({})", numbers.join(",")) }
}

/// Reports more numbers than a type accepts.
fn surplus(it: &mut Lowering<'_>, ty: &TypeExpr, rule: &'static str, most: usize) -> bool {
    let Some((_, span)) = ty.args.get(most) else { return false };
    let numbers = if most == 1 { "one number".to_owned() } else { format!("{most} numbers") };
    let fewer = TypeExpr { args: ty.args[..most].to_vec(), ..ty.clone() };
    it.out.push(
        Diagnostic::error(rule, *span, format!("`{}` takes {numbers} at most", ty.name.text))
            .help(format!("write `{}`", type_text(&ty.name.text, &fewer)))
            .replace(ty.span, type_text(&ty.name.text, &fewer)),
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
                    .help("write the length: `str(255)`")
                    .replace(ty.name.span, same("str(255)")),
            );
            Some(FieldType::Str(255))
        }
        [(n, span), ..] if (1..=LONGEST).contains(n) => {
            if *n > LONG {
                it.out.push(
                    Diagnostic::warning("large-length", *span, format!("a `str` is for short texts, not for {n} characters"))
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
                false => found.help("write the largest number of characters, such as `str(80)`"),
            });
            None
        }
    }
}

fn money(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<FieldType> {
    let Some(code) = &ty.currency else { return Some(FieldType::Money(it.app.currency)) };
    let currency = Currency::from_code(&code.text);
    if currency.is_none() {
        let upper = code.text.to_ascii_uppercase();
        let near = Currency::from_code(&upper).map(|_| upper.clone());
        let found = Diagnostic::error("unknown-currency", code.span, format!("unknown currency `{}`", code.text));
        it.out.push(match near {
            Some(near) => found.help(format!("did you mean `{near}`?")).replace(code.span, same(near)),
            None => match swapped_currency(&upper) {
                Some(near) => found.help(format!("did you mean `{near}`?")).replace(code.span, near),
                None => found.help("write the three letters of ISO 4217, such as `EUR`"),
            },
        });
        return None;
    }
    Some(FieldType::Money(currency))
}

/// The only currency whose code has two neighbouring letters in the other order.
fn swapped_currency(code: &str) -> Option<String> {
    let letters: Vec<char> = code.chars().collect();
    let swapped = |at: usize| {
        let mut letters = letters.clone();
        letters.swap(at, at + 1);
        String::from_iter(letters)
    };
    let mut known = (0..letters.len().saturating_sub(1)).map(swapped).filter(|code| Currency::from_code(code).is_some());
    known.next().filter(|_| known.next().is_none())
}

/// The text of a field type in messages.
pub(in crate::lower) fn shown_type(it: &Lowering<'_>, ty: FieldType) -> String {
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
        FieldType::Currency { .. } => "the currency of an amount".to_owned(),
        FieldType::Money(Some(currency)) => format!("money({})", currency.code()),
        FieldType::File { .. } => "file".to_owned(),
        FieldType::Ref(id) => format!("ref {}", it.entities[id.0].name),
        FieldType::HasMany { entity, .. } | FieldType::ManyToMany { entity, .. } => format!("has_many {}", it.entities[entity.0].name),
        FieldType::HasOne { entity, .. } => format!("has_one {}", it.entities[entity.0].name),
    }
}

fn integer(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<FieldType> {
    match ty.args.as_slice() {
        [] => Some(FieldType::Int { wide: false }),
        [(64, _)] => Some(FieldType::Int { wide: true }),
        [(_, span), ..] => {
            it.out.push(
                Diagnostic::error("bad-length", *span, "the only size of `int` is 64")
                    .help("write `int` or `int(64)`")
                    .replace(ty.span, "int"),
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

pub(super) fn anonymous_enum(it: &mut Lowering<'_>, id: EntityId, field: &written::Field) -> EnumId {
    let values = collect::enum_values(it, &field.ty.values, Some(field.ty.name.span));
    let enum_id = EnumId(it.enums.len());
    let name = names::camel(&format!("{}_{}", it.entities[id.0].module, field.name.text));
    let owner = Some((id, FieldId(it.entities[id.0].fields.len())));
    it.enums.push(EnumType { name, title: None, values, ordered: false, owner, span: field.ty.name.span });
    enum_id
}

/// Adds the type of dz for a type word of another system.
fn elsewhere(found: Diagnostic, row: &dialect::Word, ty: &TypeExpr) -> Diagnostic {
    if row.ours == "ref" {
        return found.help("write `ref ENTITY`").replace(ty.name.span, same("ref"));
    }
    // A text with a length is a short text, and keeps its length.
    let short = row.ours.strip_suffix("(255)").filter(|_| !ty.args.is_empty());
    let found = found.help(format!("did you mean `{}`?", short.unwrap_or(row.ours)));
    match short.map(same).or_else(|| row.replacement()) {
        Some(ours) => found.replace(ty.name.span, ours),
        None => found,
    }
}

fn named_enum(it: &mut Lowering<'_>, field: &Name, ty: &TypeExpr) -> Option<FieldType> {
    let name: &Name = &ty.name;
    if let Some(id) = it.enum_names.get(&name.text).copied() {
        it.refer(name, it.enums[id.0].span);
        return Some(FieldType::Enum(id));
    }
    let found = Diagnostic::error("unknown-type", name.span, format!("unknown type `{}`", name.text));
    let foreign = dialect::word("type", &name.text);
    let entity = it.entity_names.contains_key(&name.text).then(|| format!("ref {}", name.text));
    // A field can have the name of its type: `email: emal` lacks a letter, and is not a transposition.
    let near = nearest(&name.text, written::TYPES.iter().copied());
    if written::TYPES.contains(&field.text.as_str()) && foreign.is_none() && entity.is_none() && near.is_none() {
        let both = Span { start: field.span.start, ..name.span };
        let turned = format!("{}: {}", name.text, field.text);
        it.out.push(found.help(format!("the name comes first: `{turned}`")).replace(both, turned));
        return None;
    }
    if let Some(row) = foreign {
        it.out.push(elsewhere(found, row, ty));
        return None;
    }
    if let Some(known) = entity {
        it.out.push(found.help(format!("did you mean `{known}`?")).replace(name.span, known));
        return None;
    }
    let mut enums: Vec<&str> = it.enum_names.keys().map(String::as_str).collect();
    enums.sort_unstable();
    // `score: itn` is a field with a misspelt type, although `score` is near `scope`.
    if let (None, Some(block)) = (near, crate::syntax::entity::block_meant(&field.text)) {
        let found =
            Diagnostic::error("unknown-key", field.span, format!("`{}` is not a field, because `{}` is not a type", field.text, name.text));
        it.out.push(found.help(format!("did you mean `{block}`?")).replace(field.span, block));
        return None;
    }
    it.out.push(found.help(format!("types are {}, or the name of an enum", crate::syntax::list(written::TYPES))).suggest_near(
        name.span,
        &name.text,
        written::TYPES.iter().copied().chain(enums),
    ));
    None
}
