//! Defaults of fields, and other constant values of fields: demo data, examples, variants.

use super::{Position, Typer, type_of};
use crate::{
    Diagnostic, dialect,
    lower::{Lowering, literal},
    model::{Currency, EntityId, Expr, FieldType, Type},
    suggestion::same,
    syntax::expr::{self as written, ExprKind},
};

/// A field's default.
pub(crate) fn default(it: &mut Lowering<'_>, entity: EntityId, ty: FieldType, expr: &written::Expr) -> Option<Expr> {
    if ty.children().is_some() {
        let found = Diagnostic::error("bad-default", expr.span, "a relation has no default");
        it.out.push(found.help("remove it: the rows that point here are the value"));
        return None;
    }
    convert(it, (Position::Default, Some(entity)), ty, expr)
}

/// The default of a value that is not stored.
pub(crate) fn unstored(it: &mut Lowering<'_>, ty: FieldType, expr: &written::Expr) -> Option<Expr> {
    convert(it, (Position::Value, None), ty, expr)
}

/// The value of a field in a row of the declaration.
pub(crate) fn entry(it: &mut Lowering<'_>, ty: FieldType, expr: &written::Expr) -> Option<Expr> {
    convert(it, (Position::Demo, None), ty, expr)
}

/// The initial value of a form in a step.
pub(crate) fn prefilled(it: &mut Lowering<'_>, ty: FieldType, expr: &written::Expr) -> Option<Expr> {
    convert(it, (Position::Step, None), ty, expr)
}

/// Types a constant for a field.
fn convert(
    it: &mut Lowering<'_>,
    (position, default_of): (Position, Option<EntityId>),
    ty: FieldType,
    expr: &written::Expr,
) -> Option<Expr> {
    let (rule, what) =
        if matches!(position, Position::Default | Position::Value) { ("bad-default", "default") } else { ("type-mismatch", "value") };
    // The amount alone is a number; its currency is another field.
    let expected = if ty == FieldType::Money(None) { Type::Decimal } else { type_of(ty) };
    if ty == FieldType::Json
        && let Some(json) = json_literal(expr)
    {
        return Some(Expr::Typed(Type::Json, json));
    }
    if ty.is_bool()
        && let ExprKind::Path(path) = &expr.kind
        && let [word] = path.as_slice()
        && let Some(flag) = dialect::word("flag", &word.text)
    {
        let found = Diagnostic::error(rule, word.span, format!("`{}` is neither `true` nor `false`", word.text));
        it.out.push(found.help(flag.help()).replace(word.span, same(flag.ours)));
        return None;
    }
    let mut typer = Typer::new(it, position, None);
    typer.default_of = default_of;
    let (value, found) = typer.typed(expr, Some(&expected))?;
    if let Some(help) = misfit(ty, &value) {
        typer.it.out.push(Diagnostic::error(rule, expr.span, format!("this {what} does not fit the field")).help(help));
        return None;
    }
    if !typer.assignable(&found, &expected) {
        let (found, field) = (typer.describe_type(&found), typer.describe_type(&expected));
        let report = Diagnostic::error(rule, expr.span, format!("the field is {field}, but its {what} is {found}"));
        let report = typer.instead(report, expr, &expected);
        typer.it.out.push(report);
        return None;
    }
    Some(value)
}

/// The reason why the field refuses a literal.
pub(crate) fn misfit(ty: FieldType, value: &Expr) -> Option<String> {
    match value {
        Expr::Text(text) => text_misfit(ty, text),
        Expr::Decimal(text) => ty.digits().and_then(|(precision, scale)| decimal_misfit(precision, scale, text)),
        Expr::Int(number) => ty.digits().and_then(|(precision, scale)| decimal_misfit(precision, scale, &number.to_string())),
        _ => None,
    }
}

fn text_misfit(ty: FieldType, text: &str) -> Option<String> {
    let (fits, requirement) = match ty {
        FieldType::Str(n) => (text.chars().count() <= n as usize, format!("at most {n} characters")),
        FieldType::Timezone => (literal::is_timezone(text), "write an IANA name such as \"Europe/Lisbon\"".to_owned()),
        FieldType::Currency { .. } => {
            (Currency::from_code(text).is_some(), "write the three letters of ISO 4217, such as \"EUR\"".to_owned())
        }
        FieldType::Email => (text.contains('@'), "write an address such as \"ann@example.com\"".to_owned()),
        FieldType::Url => {
            let web = text.starts_with("http://") || text.starts_with("https://");
            (web, "write an address that starts with `https://`".to_owned())
        }
        FieldType::Slug => (is_slug(text), "use the letters a to z, digits and hyphens".to_owned()),
        FieldType::Uuid
        | FieldType::Text
        | FieldType::Int { .. }
        | FieldType::Float
        | FieldType::Decimal { .. }
        | FieldType::Bool
        | FieldType::Date
        | FieldType::DateTime
        | FieldType::Enum(_)
        | FieldType::Json
        | FieldType::Money(_)
        | FieldType::File { .. }
        | FieldType::Ref(_)
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => return None,
    };
    (!fits).then_some(requirement)
}

fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn decimal_misfit(precision: u8, scale: u8, digits: &str) -> Option<String> {
    let digits = digits.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fits =
        fraction.trim_end_matches('0').len() <= usize::from(scale) && whole.trim_start_matches('0').len() <= usize::from(precision - scale);
    (!fits).then(|| format!("at most {} digits before and {scale} after the point", precision - scale))
}

/// The JSON of an expression that consists of literals.
pub(super) fn json_literal(expr: &written::Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::List(items) => Some(format!("[{}]", items.iter().map(json_literal).collect::<Option<Vec<_>>>()?.join(","))),
        ExprKind::EmptyObject => Some("{}".to_owned()),
        ExprKind::Object(members) => {
            let member = |(name, value): &(crate::cursor::Name, written::Expr)| {
                Some(format!("{}:{}", quoted_json(&name.text), json_literal(value)?))
            };
            Some(format!("{{{}}}", members.iter().map(member).collect::<Option<Vec<_>>>()?.join(",")))
        }
        ExprKind::Negate(inner) => match &inner.kind {
            ExprKind::Number(number) => Some(format!("-{}", json_number(number))),
            _ => None,
        },
        ExprKind::Null => Some("null".to_owned()),
        ExprKind::Number(number) => Some(json_number(number).to_owned()),
        ExprKind::Text(text) => Some(quoted_json(text)),
        ExprKind::Path(path) if path.len() == 1 && matches!(path[0].text.as_str(), "true" | "false") => Some(path[0].text.clone()),
        _ => None,
    }
}

/// JSON does not allow leading zeros.
fn json_number(digits: &str) -> &str {
    let bare = digits.trim_start_matches('0');
    if bare.starts_with(|c: char| c.is_ascii_digit()) { bare } else { &digits[digits.len() - bare.len() - 1..] }
}

fn quoted_json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if (c as u32) < 0x20 => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
