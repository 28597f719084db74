//! Fields: a name, a type, modifiers.

mod enumeration;
mod modifiers;

pub(crate) use modifiers::PARTS;
pub(super) use modifiers::modifiers;
use modifiers::relation_part;

use super::expr;
use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    dialect,
    layout::Line,
    suggestion::Replacement,
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
    /// The place after its last word, where another modifier can be inserted.
    pub end: Span,
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
    /// `via FIELD` or `via J`
    pub via: Option<Name>,
    /// The field in `via J.FIELD`.
    pub via_field: Option<Name>,
    /// `cascade`, `restrict`, `nullify`
    pub on_delete: Option<Name>,
    /// `computed expr`
    pub computed: Option<expr::Expr>,
    /// `money(GBP)`
    pub currency: Option<Name>,
    /// Bytes of `file(20MB)`.
    pub limit: Option<(i64, Span)>,
    /// From the word to the closing bracket or the entity.
    pub span: Span,
}

impl TypeExpr {
    /// A type without arguments.
    pub(crate) fn plain(name: Name) -> Self {
        TypeExpr {
            span: name.span,
            name,
            args: Vec::new(),
            values: Vec::new(),
            target: None,
            via: None,
            via_field: None,
            on_delete: None,
            computed: None,
            currency: None,
            limit: None,
        }
    }
}

/// A modifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// The word and its place.
    pub name: Name,
    /// Its kind.
    pub kind: ModifierKind,
}

/// The kinds of modifiers.
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

/// The words allowed after a type.
pub(crate) const MODIFIERS: &[&str] =
    &["pk", "required", "optional", "unique", "auto_add", "auto_update", "sensitive", "searchable", "indexed", "was"];

/// True for a modifier, or for a word that only relations have.
pub fn is_modifier(word: &str) -> bool {
    MODIFIERS.contains(&word) || PARTS.contains(&word)
}

/// True for a word that starts a type.
pub(super) fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}

/// Blocks whose lines contain names of fields, which can have the names of types.
const NAMES_FIELDS: &[&str] = &["invariant", "index", "unique", "no_index", "display_field"];

/// True if a type follows `NAME :` and the rest of the line is that of a field, so that the line is a field with any name.
/// If the block `block` would contain names of fields, and `declared` contains a field with the name of the type, the word is that
/// field: `invariant: email != null`, `unique: email`.
pub(super) fn type_follows(line: &Line, block: &str, declared: impl Fn(&str) -> bool) -> bool {
    let [_, colon, ty, rest @ ..] = line.tokens.as_slice() else { return false };
    let Some(ty) = ty.word().filter(|word| is_type(word)) else { return false };
    let named = NAMES_FIELDS.contains(&block) && declared(ty);
    let label = block == "display_field" && rest.is_empty();
    line.children.is_empty() && colon.is(":") && goes_on_as_field(ty, rest) && !named && !label
}

/// True if the text after a type can belong to a field: nothing, its arguments, a modifier or a default.
fn goes_on_as_field(ty: &str, rest: &[Token]) -> bool {
    let Some(next) = rest.first() else { return true };
    match ty {
        "computed" => true,
        "enum" => next.is("["),
        "ref" | "has_many" | "has_one" | "belongs_to" => next.word().is_some(),
        "str" | "int" | "decimal" | "money" | "file" if next.is("(") => true,
        _ => next.is("=") || next.word().is_some_and(is_modifier),
    }
}

/// True for a field without its colon, or with another sign in its place: a type follows the name, or the name of an enum.
pub(super) fn lacks_colon(line: &Line) -> bool {
    let sign = line.tokens.get(1).is_some_and(|it| it.is("=") || it.is(";"));
    let at = 1 + usize::from(sign);
    let Some(ty) = line.tokens.get(at).and_then(Token::word) else { return false };
    let named = ty.starts_with(char::is_uppercase) && line.children.is_empty() && goes_on_as_field(ty, &line.tokens[at + 1..]);
    is_type(ty) || named
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Field> {
    super::no_children(line, out);
    let mut cursor = Cursor::new(line, out);
    let name = cursor.name()?;
    cursor.expect_colon(&name);
    if !type_is_there(&mut cursor, line) {
        return None;
    }
    let (mut ty, whole) = type_expr(&mut cursor)?;
    let modifiers = modifiers(&mut cursor, &mut ty);
    let last = cursor.previous_span();
    if ty.computed.is_some() {
        modifiers.iter().for_each(|modifier| not_for_computed(modifier, out));
    }
    whole.then_some(Field { name, ty, modifiers, end: Span { start: last.end, ..last } })
}

/// Reports a field without a type, or with a type after the modifiers.
fn type_is_there(cursor: &mut Cursor<'_>, line: &Line) -> bool {
    let Some(token) = cursor.peek() else {
        cursor.report_unexpected("expected a type");
        return false;
    };
    let modifier = token.is("=") || token.word().is_some_and(|word| MODIFIERS.contains(&word));
    if !modifier {
        return true;
    }
    let rest = || line.tokens.iter().enumerate().skip(2);
    let later = rest().find(|(_, it)| it.word().is_some_and(is_type)).map(|(at, _)| at);
    let found = Diagnostic::error("unexpected-token", token.span, format!("expected a type, but found {}", token.describe()));
    let before = Span { end: token.span.start, ..token.span };
    let found = match (later, token.word()) {
        (Some(at), _) => {
            let simple = line.tokens.get(at + 1).is_none_or(|next| next.word().is_some());
            let found = found.help("the type comes first, and its modifiers follow").label(line.tokens[at].span, "the type");
            let words: Vec<&str> = rest().take(at - 1).filter_map(|(_, it)| it.word()).collect();
            match words.split_last() {
                Some((ty, modifiers)) if simple && words.len() == at - 1 => {
                    let span = Span { end: line.tokens[at].span.end, ..token.span };
                    found.replace(span, format!("{ty} {}", modifiers.join(" ")))
                }
                _ => found,
            }
        }
        (None, Some("pk")) => found.help("write `uuid pk`").replace(before, "uuid "),
        (None, Some("auto_add" | "auto_update")) => found.help("write `datetime` before it").replace(before, "datetime "),
        (None, _) => found.help("write a type before it, such as `str(80)`"),
    };
    cursor.out.push(found);
    cursor.skip();
    false
}

/// Parses the type. The flag is false if a part of it could not be parsed.
pub(super) fn type_expr(cursor: &mut Cursor<'_>) -> Option<(TypeExpr, bool)> {
    if cursor.at("{") {
        let found = Diagnostic::error("unexpected-token", cursor.here(), "expected a type, but found `{`");
        cursor.out.push(found.help("write the type, and its modifiers after it: `due: date required`"));
        cursor.skip();
        return None;
    }
    let mut name = cursor.expect_name("a type").or_else(|| {
        cursor.skip();
        None
    })?;
    if let Some(meant) = type_meant(&name.text, cursor) {
        let found = Diagnostic::error("unknown-type", name.span, format!("unknown type `{}`", name.text));
        let ours = meant.text().to_owned();
        cursor.out.push(found.help(format!("did you mean `{ours}`?")).replace(name.span, meant));
        name.text = ours;
    }
    if !is_type(&name.text) && cursor.at("(") && !matches!(cursor.peek_at(1).map(|it| &it.kind), Some(TokenKind::Number(_))) {
        let found = Diagnostic::error("unknown-type", name.span, format!("unknown type `{}`", name.text));
        // Only the arguments of `money` and `file` are words or sizes.
        if let (Some(near), true) = (near_word(&name.text, ["money", "file"]), cursor.peek_at(2).is_some_and(|it| it.is(")"))) {
            cursor.out.push(found.help(format!("did you mean `{near}`?")).replace(name.span, near));
            cursor.skip();
            return None;
        }
        if name.text == "role" {
            cursor.out.push(found.help("a rule such as `read: role(clerk)` is a line under `permit:`, with the name of an action"));
            cursor.skip();
            return None;
        }
        let before = Span { end: name.span.start, ..name.span };
        cursor.out.push(found.help(format!("a computed value needs the word: `computed {}(…)`", name.text)).replace(before, "computed "));
        cursor.skip();
        return None;
    }
    let mut ty = TypeExpr::plain(name);
    let whole = match ty.name.text.as_str() {
        "enum" => enumeration::values(cursor, &mut ty),
        "ref" | "has_many" | "has_one" | "belongs_to" => relation(cursor, &mut ty),
        "computed" => {
            ty.computed = Some(computed(cursor)?);
            true
        }
        "money" => {
            if cursor.eat("(") {
                ty.currency = cursor.expect_name("a currency such as `EUR`");
                cursor.expect(")");
            }
            true
        }
        "file" => {
            if cursor.eat("(") {
                ty.limit = size(cursor);
                cursor.expect(")");
            }
            true
        }
        _ if cursor.eat("(") => arguments(cursor, &mut ty),
        _ => true,
    };
    ty.span.end = cursor.previous_span().end;
    Some((ty, whole))
}

/// Parses the expression of a computed field, up to a modifier.
fn computed(cursor: &mut Cursor<'_>) -> Option<expr::Expr> {
    let value = expr::parse(cursor)?;
    let modifier = |word: &str| MODIFIERS.contains(&word) || near_word(word, ["sensitive"]).is_some();
    if cursor.is_done() || cursor.peek().and_then(Token::word).is_some_and(modifier) {
        return Some(value);
    }
    cursor.finish_expression();
    None
}

/// Reports a modifier about the column of a computed field, which has no column.
fn not_for_computed(modifier: &Modifier, out: &mut Diagnostics) {
    if modifier.kind == ModifierKind::Sensitive {
        return;
    }
    let word = &modifier.name;
    let found = Diagnostic::error("not-allowed-here", word.span, format!("`{}` has no meaning for a computed field", word.text));
    out.push(found.help("remove it: a computed field has no column; the only modifier it can have is `sensitive`"));
}

/// The type of which an unknown word is a misspelling, if only a relation or a list of values can be followed by the next token.
fn type_meant(word: &str, cursor: &Cursor<'_>) -> Option<Replacement> {
    const RELATIONS: &[&str] = &["ref", "has_many", "has_one", "belongs_to"];
    const LISTS: &[&str] = &["enum"];
    let next = cursor.peek()?;
    let named = next.word().is_some_and(|word| !is_modifier(word));
    let candidates = match (is_type(word), named, next.is("[")) {
        (true, ..) | (_, false, false) => return None,
        (_, true, _) => RELATIONS,
        _ => LISTS,
    };
    let elsewhere = dialect::word("type", word).and_then(|row| row.replacement()).filter(|ours| candidates.contains(&ours.text()));
    elsewhere.or_else(|| near_word(word, candidates.iter().copied()).map(Replacement::from))
}

/// Parses `20MB`.
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
            if bytes == 0 {
                cursor.out.push(Diagnostic::error("bad-length", here, "no file has zero bytes").help("write at least `1KB`"));
            }
            Some((bytes, here))
        }
        None => {
            cursor.report_missing("a size such as `20MB`", "write a whole number with `KB`, `MB` or `GB`; `1MB` is 1,000,000 bytes");
            cursor.skip();
            None
        }
    }
}

fn arguments(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> bool {
    let mut whole = true;
    loop {
        match cursor.peek() {
            Some(Token { kind: TokenKind::Number(number), span }) => {
                cursor.take();
                match number.parse() {
                    Ok(number) => ty.args.push((number, *span)),
                    Err(_) => {
                        whole = false;
                        let found = Diagnostic::error("bad-length", *span, format!("`{number}` is not a whole number"));
                        cursor.out.push(found.help(format!("write one, such as `{}(20)`", ty.name.text)));
                    }
                }
            }
            _ => {
                cursor.report_unexpected("expected a number");
                cursor.skip();
                return false;
            }
        }
        if !cursor.comma() {
            break;
        }
    }
    cursor.expect(")") && whole
}

fn relation(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> bool {
    // An entity can have the name of a modifier; the next token decides.
    let follows = cursor.peek_at(1).is_none_or(|next| next.is("=") || next.word().is_some_and(is_modifier));
    let named = cursor.peek().and_then(Token::word).is_some_and(|word| follows || !is_modifier(word));
    if !named {
        cursor.report_unexpected("expected an entity");
        cursor.skip();
        return false;
    }
    ty.target = cursor.name();
    while relation_part(cursor, ty) {}
    true
}
