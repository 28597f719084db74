//! Fields: a name, a type, modifiers.

use super::{duplicate_key, expr, list, not_available};
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::nearest,
    layout::Line,
    token::{Token, TokenKind},
};

/// `NAME: type modifiers`
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its modifiers in order.
    pub modifiers: Vec<Modifier>,
}

/// A type as written.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// The word, e.g. `str` or the name of an enum.
    pub name: Name,
    /// Numbers in parentheses.
    pub args: Vec<(i64, Span)>,
    /// Values of `enum[…]`.
    pub values: Vec<(Name, Option<Name>)>,
    /// Entity of `ref`, `belongs_to`, `has_many`, `has_one`.
    pub target: Option<Name>,
    /// `via J`
    pub via: Option<Name>,
    /// `cascade`, `restrict`, `nullify`
    pub on_delete: Option<Name>,
    /// `computed expr`
    pub computed: Option<expr::Expr>,
    /// `money(GBP)`
    pub currency: Option<Name>,
    /// Bytes of `file(20MB)`.
    pub limit: Option<(i64, Span)>,
}

/// A modifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// The word and its place.
    pub name: Name,
    /// What it says.
    pub kind: ModifierKind,
}

/// What a modifier says.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "named as in the language")]
pub enum ModifierKind {
    Pk,
    Required,
    Optional,
    Unique,
    UniqueWhereSet,
    AutoAdd,
    AutoUpdate,
    Sensitive,
    Searchable,
    Indexed,
    Was(Name),
    Default(expr::Expr),
}

/// The words that start a type.
pub const TYPES: &[&str] = &[
    "uuid",
    "str",
    "text",
    "int",
    "float",
    "decimal",
    "bool",
    "date",
    "datetime",
    "enum",
    "json",
    "email",
    "url",
    "timezone",
    "slug",
    "ref",
    "has_many",
    "has_one",
    "belongs_to",
    "computed",
    "money",
    "file",
];

const MODIFIERS: &[&str] =
    &["pk", "required", "optional", "unique", "auto_add", "auto_update", "sensitive", "searchable", "indexed", "was"];

/// True when a type follows `NAME :`, which makes the line a field whatever the name. `display_field: email` names
/// a field that happens to be called like a type.
pub(super) fn type_follows(line: &Line) -> bool {
    let [name, colon, ty, rest @ ..] = line.tokens.as_slice() else { return false };
    let names_a_field = rest.is_empty() && name.word() == Some("display_field");
    line.children.is_empty() && colon.is(":") && ty.word().is_some_and(|it| TYPES.contains(&it)) && !names_a_field
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Field> {
    super::no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    let name = cursor.name()?;
    cursor.expect(":");
    let mut ty = type_expr(&mut cursor)?;
    let modifiers = modifiers(&mut cursor, &mut ty);
    Some(Field { name, ty, modifiers })
}

fn type_expr(cursor: &mut Cursor<'_>) -> Option<TypeExpr> {
    let name = cursor.expect_name("a type").or_else(|| {
        cursor.skip();
        None
    })?;
    let mut ty = TypeExpr {
        name,
        args: Vec::new(),
        values: Vec::new(),
        target: None,
        via: None,
        on_delete: None,
        computed: None,
        currency: None,
        limit: None,
    };
    match ty.name.text.as_str() {
        "enum" => enum_values(cursor, &mut ty),
        "ref" | "has_many" | "has_one" | "belongs_to" => relation(cursor, &mut ty),
        "computed" => {
            not_available(ty.name.span, "computed", cursor.out);
            ty.computed = Some(expr::parse(cursor)?);
            cursor.finish();
        }
        "money" => {
            not_available(ty.name.span, "money", cursor.out);
            if cursor.eat("(") {
                ty.currency = cursor.expect_name("a currency such as `EUR`");
                cursor.expect(")");
            }
        }
        "file" => {
            not_available(ty.name.span, "file", cursor.out);
            if cursor.eat("(") {
                ty.limit = size(cursor);
                cursor.expect(")");
            }
        }
        _ if cursor.eat("(") => arguments(cursor, &mut ty),
        _ => {}
    }
    Some(ty)
}

/// `20MB`: an amount of bytes.
fn size(cursor: &mut Cursor<'_>) -> Option<(i64, Span)> {
    let here = cursor.here();
    let bytes = match &cursor.peek()?.kind {
        TokenKind::Duration(amount, unit) => match unit.as_str() {
            "KB" => amount.checked_mul(1_000),
            "MB" => amount.checked_mul(1_000_000),
            "GB" => amount.checked_mul(1_000_000_000),
            _ => None,
        },
        _ => None,
    };
    match bytes {
        Some(bytes) => {
            cursor.take();
            Some((bytes, here))
        }
        None => {
            cursor.unexpected("expected a size such as `20MB`");
            cursor.skip();
            None
        }
    }
}

fn arguments(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) {
    loop {
        match cursor.peek() {
            Some(Token { kind: TokenKind::Number(number), span }) => {
                cursor.take();
                match number.parse() {
                    Ok(number) => ty.args.push((number, *span)),
                    Err(_) => cursor.out.push(Diagnostic::error("bad-length", *span, format!("`{number}` is not a whole number"))),
                }
            }
            _ => {
                cursor.unexpected("expected a number");
                cursor.skip();
                return;
            }
        }
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(")");
}

fn enum_values(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) {
    if !cursor.expect("[") {
        return cursor.skip();
    }
    while !cursor.at("]") && !cursor.done() {
        let Some(value) = cursor.name_or_text() else {
            cursor.unexpected("expected a value");
            return cursor.skip();
        };
        ty.values.push((value, None));
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect("]");
}

fn relation(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) {
    ty.target = cursor.expect_name("an entity");
    while relation_part(cursor, ty) {}
}

/// `via FIELD`, or what a deletion does: part of a relation, though it may stand among the modifiers.
fn relation_part(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> bool {
    if ty.target.is_none() {
        return false;
    }
    let word = cursor.here();
    let name = |text: &str| Name { text: text.to_owned(), span: word };
    if cursor.eat_word("via") {
        match &ty.via {
            Some(first) => duplicate_key(&name("via"), first.span, cursor.out),
            None => ty.via = cursor.expect_name("the field that points back"),
        }
    } else if let Some(word) = ["cascade", "restrict", "nullify"].into_iter().find(|word| cursor.eat_word(word)) {
        match &ty.on_delete {
            Some(first) => duplicate_key(&name(word), first.span, cursor.out),
            None => ty.on_delete = Some(name(word)),
        }
    } else {
        return false;
    }
    true
}

fn modifiers(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> Vec<Modifier> {
    let mut modifiers = Vec::new();
    while !cursor.done() {
        let here = cursor.here();
        if relation_part(cursor, ty) {
            continue;
        }
        if cursor.eat("=") {
            let name = Name { text: "=".to_owned(), span: here };
            match expr::parse(cursor) {
                Some(value) => modifiers.push(Modifier { name, kind: ModifierKind::Default(value) }),
                None => cursor.skip(),
            }
            continue;
        }
        let Some(name) = cursor.name() else {
            cursor.finish();
            break;
        };
        let kind = match name.text.as_str() {
            "pk" => ModifierKind::Pk,
            "required" => ModifierKind::Required,
            "optional" => ModifierKind::Optional,
            "unique" if cursor.eat("?") => ModifierKind::UniqueWhereSet,
            "unique" => ModifierKind::Unique,
            "auto_add" => ModifierKind::AutoAdd,
            "auto_update" => ModifierKind::AutoUpdate,
            "sensitive" => ModifierKind::Sensitive,
            "searchable" => ModifierKind::Searchable,
            "indexed" => ModifierKind::Indexed,
            "was" => {
                cursor.expect(":");
                match cursor.expect_name("the former name") {
                    Some(name) => ModifierKind::Was(name),
                    None => break,
                }
            }
            _ => {
                unknown_modifier(cursor, &name);
                continue;
            }
        };
        modifiers.push(Modifier { name, kind });
    }
    modifiers
}

fn unknown_modifier(cursor: &mut Cursor<'_>, name: &Name) {
    let near = nearest(&name.text, MODIFIERS.iter().copied());
    let mut found = Diagnostic::error("unknown-key", name.span, format!("a field has no modifier `{}`", name.text)).help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("modifiers are {} and `= default`", list(MODIFIERS)),
    });
    if let Some(near) = near {
        found = found.replace(name.span, near);
    }
    cursor.out.push(found);
}
