//! The words after the type of a field: the parts of a relation, and the modifiers.

use super::{MODIFIERS, Modifier, ModifierKind, TypeExpr};
use crate::{
    Diagnostic, Span,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    dialect::{self, Meaning, Word},
    suggestion::same,
    syntax::{duplicate_key, expr, list},
    token::{Token, TokenKind},
};

/// The words after the entity of a relation.
pub(crate) const PARTS: &[&str] = &["via", "cascade", "restrict", "nullify"];

/// Parses `via FIELD` or the action on deletion, which belong to the relation but can be written among the modifiers.
pub(super) fn relation_part(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> bool {
    if ty.target.is_none() {
        return false;
    }
    let word = cursor.here();
    let name = |text: &str| Name { text: text.to_owned(), span: word };
    if cursor.eat_word("via") {
        match &ty.via {
            Some(first) => duplicate_key(&name("via"), first.span, cursor.out),
            None => via(cursor, ty),
        }
    } else if let Some(word) = PARTS.iter().skip(1).find(|word| cursor.eat_word(word)) {
        match &ty.on_delete {
            Some(first) => duplicate_key(&name(word), first.span, cursor.out),
            None => ty.on_delete = Some(name(word)),
        }
    } else {
        return false;
    }
    true
}

/// Parses the text after `via`: the field that points back, or the junction entity and, after a dot, its field.
fn via(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) {
    ty.via = cursor.expect_name("the field that points back, or the entity between the two");
    if ty.via.is_some() && cursor.eat(".") {
        ty.via_field = cursor.expect_name("its field that points back");
    }
}

/// Parses the modifiers to the end of the line.
pub(in crate::syntax) fn modifiers(cursor: &mut Cursor<'_>, ty: &mut TypeExpr) -> Vec<Modifier> {
    let mut modifiers = Vec::new();
    while !cursor.is_done() {
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
            limit(cursor);
            cursor.finish();
            break;
        };
        if name.text == "not" && cursor.at_word("null") {
            cursor.take();
            let span = Span { end: cursor.previous_span().end, ..here };
            let found = Diagnostic::error("unknown-key", span, "a field has no modifier `not null`");
            cursor.out.push(found.help("write `required`").replace(span, same("required")));
            modifiers.push(Modifier { name: Name { span, ..name }, kind: ModifierKind::Required });
            continue;
        }
        if let Some(row) = dialect::modifier(&name.text) {
            modifiers.extend(foreign_modifier(cursor, name, row));
            continue;
        }
        let behind_default = modifiers.last().is_some_and(|it: &Modifier| matches!(it.kind, ModifierKind::Default(_)));
        let word = match MODIFIERS.iter().find(|it| **it == name.text) {
            Some(known) => known,
            None => match unknown_modifier(cursor, &name, ty, behind_default) {
                Some(meant) => meant,
                None => continue,
            },
        };
        let kind = match word {
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
            "via" => {
                via(cursor, ty);
                continue;
            }
            _ => continue,
        };
        modifiers.push(Modifier { name, kind });
    }
    modifiers
}

/// Reports a limit of the value among the modifiers, such as `>= 0`.
fn limit(cursor: &mut Cursor<'_>) {
    let sign = ["<", "<=", ">", ">="].into_iter().find(|sign| cursor.at(sign));
    if let (Some(sign), Some(row)) = (sign, dialect::modifier("min")) {
        let found = Diagnostic::error("unexpected-token", cursor.here(), format!("`{sign}` has no meaning here"));
        cursor.out.push(found.help(row.help()));
        cursor.skip();
    }
}

/// Reports an unknown modifier, and returns the one of which it is a misspelling.
fn unknown_modifier(cursor: &mut Cursor<'_>, name: &Name, ty: &TypeExpr, behind_default: bool) -> Option<&'static str> {
    let parts: &[&str] = if ty.target.is_some() { PARTS } else { &[] };
    let found = Diagnostic::error("unknown-key", name.span, format!("a field has no modifier `{}`", name.text));
    let near = near_word(&name.text, MODIFIERS.iter().chain(parts).copied());
    let found = match near.clone() {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(name.span, near),
        None if behind_default => found.help("a default is one expression: a value with spaces needs quotes, and parts need an operator"),
        None => found.help(format!("modifiers are {} and `= default`", list(MODIFIERS))),
    };
    cursor.out.push(found);
    MODIFIERS.iter().chain(PARTS).find(|it| near.as_deref() == Some(**it)).copied()
}

/// Reports a modifier of another dialect with its value, and returns the modifier of dz with the same meaning.
fn foreign_modifier(cursor: &mut Cursor<'_>, name: Name, row: &Word) -> Option<Modifier> {
    let found = Diagnostic::error("unknown-key", name.span, format!("a field has no modifier `{}`", name.text));
    if row.ours == "optional" {
        cursor.out.push(found.help(row.help()).replace(name.span, same(row.ours)));
        return Some(Modifier { name, kind: ModifierKind::Optional });
    }
    let before = source_text(&cursor.tokens_before()[..cursor.tokens_before().len().saturating_sub(1)]);
    if !cursor.eat(":") {
        cursor.eat("=");
    }
    let (sign, first) = (cursor.previous_span(), cursor.tokens_before().len());
    let joined = cursor.here().start == sign.end;
    let modifier = cursor.peek().and_then(Token::word).is_some_and(super::is_modifier);
    let value = if cursor.is_done() || modifier { None } else { expr::parse(cursor) };
    let (Some(value), Meaning::Same) = (value, row.meaning) else {
        let help = if row.meaning == Meaning::Same { "write the value after `=`, such as `= 3`".to_owned() } else { row.help() };
        cursor.out.push(found.help(help));
        return None;
    };
    let line = format!("{before} = {}", source_text(&cursor.tokens_before()[first..]));
    let equals = same(if joined { "= " } else { "=" });
    cursor.out.push(found.help(format!("write `{line}`")).replace(Span { end: sign.end, ..name.span }, equals));
    Some(Modifier { name: Name { text: "=".to_owned(), ..name }, kind: ModifierKind::Default(value) })
}

/// Tokens as text, with the blanks between them.
fn source_text(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|end| end < token.span.start) {
            text.push(' ');
        }
        end = Some(token.span.end);
        match &token.kind {
            TokenKind::Word(word) | TokenKind::Number(word) | TokenKind::Raw(word) => text.push_str(word),
            TokenKind::Text(inner) => text.push_str(&format!("{inner:?}")),
            TokenKind::Duration(amount, unit) => text.push_str(&format!("{amount}{unit}")),
            TokenKind::Mark(mark) => text.push_str(mark),
        }
    }
    text
}
