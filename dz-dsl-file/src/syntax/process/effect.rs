//! The effects of a step on rows, and the signals that it sends.

use crate::{
    Diagnostic, Diagnostics, Near,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    layout::Line,
    syntax::{duplicate_key, expr, keyed, list, no_children, paths::path},
};

/// A line of `effects:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The verb.
    pub verb: Name,
    /// Its kind.
    pub kind: EffectKind,
}

/// Fields with their new values.
pub type Values = Vec<(Name, expr::Expr)>;

/// The kinds of effects.
#[derive(Debug, Clone, PartialEq)]
pub enum EffectKind {
    /// `create E: f: v`
    Create(Name, Values),
    /// `update E:` with `where:`, or `update trigger.entity: f: v`
    Update(Vec<Name>, Option<expr::Expr>, Values),
    /// `delete E:` with `where:`, or `delete trigger.entity`
    Delete(Vec<Name>, Option<expr::Expr>),
    /// `emit NAME`
    Emit(Name),
}

pub(crate) const VERBS: &[&str] = &["create", "update", "delete", "emit"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Vec<Effect> {
    keyed::block(line, out).iter().filter_map(|line| effect(line, out)).collect()
}

fn effect(line: &Line, out: &mut Diagnostics) -> Option<Effect> {
    let mut cursor = keyed::entry(line, out);
    let verb = cursor.expect_name("`create`, `update`, `delete` or `emit`")?;
    let kind = match verb.text.as_str() {
        "create" => {
            let entity = cursor.expect_name("an entity")?;
            let body = body(&mut cursor, line);
            if let Some((key, _)) = body.filter {
                let found = Diagnostic::error("not-allowed-here", key.span, "a new row has no `where`");
                out.push(found.help("remove it, or write `update`"));
            }
            EffectKind::Create(entity, body.values)
        }
        "update" => {
            let target = path(&mut cursor)?;
            let mut body = body(&mut cursor, line);
            misspelt_filter(&mut body, &target, cursor.out);
            EffectKind::Update(target, body.filter.map(|(_, filter)| filter), body.values)
        }
        "delete" => {
            let target = path(&mut cursor)?;
            let mut body = body(&mut cursor, line);
            misspelt_filter(&mut body, &target, cursor.out);
            if let Some((field, _)) = body.values.first() {
                let found = Diagnostic::error("not-allowed-here", field.span, "a deletion sets no fields");
                out.push(found.help("remove the line, or write `update`"));
            }
            EffectKind::Delete(target, body.filter.map(|(_, filter)| filter))
        }
        "emit" => {
            let signal = cursor.expect_name("the name of a signal");
            cursor.finish();
            no_children(line, out);
            EffectKind::Emit(signal?)
        }
        _ => {
            let near = near_word(&verb.text, VERBS.iter().copied());
            let help = near.as_ref().map_or_else(|| format!("effects are {}", list(VERBS)), |near| format!("did you mean `{near}`?"));
            let mut found = Diagnostic::error("unknown-key", verb.span, format!("`{}` is not an effect", verb.text)).help(help);
            if let Some(near) = near {
                found = found.replace(verb.span, near);
            }
            cursor.out.push(found);
            return None;
        }
    };
    Some(Effect { verb, kind })
}

#[derive(Default)]
struct Body {
    filter: Option<(Name, expr::Expr)>,
    values: Values,
}

/// Parses `: f: v, g: w` and the lines under it: `f: v`, `f -> v`, `where: …`, or `set:` with such lines.
fn body(cursor: &mut Cursor<'_>, line: &Line) -> Body {
    let mut body = Body::default();
    if !cursor.is_done() && cursor.expect(":") {
        while !cursor.is_done() {
            if value(cursor, &mut body).is_none() {
                cursor.skip();
            }
            if !cursor.comma() {
                break;
            }
        }
    }
    cursor.finish();
    lines(&line.children, &mut body, cursor.out);
    body
}

/// Takes a misspelt `where` from the values of an effect that needs a condition.
fn misspelt_filter(body: &mut Body, target: &[Name], out: &mut Diagnostics) {
    let is_entity = target.len() == 1 && target[0].text.starts_with(char::is_uppercase);
    if body.filter.is_some() || !is_entity {
        return;
    }
    let near = |name: &Name| near_word(&name.text, ["where"]).map(Near::into_owned);
    let Some((at, near)) = body.values.iter().enumerate().find_map(|(at, (name, _))| Some((at, near(name)?))) else { return };
    let (name, value) = body.values.remove(at);
    let found = Diagnostic::error("unknown-key", name.span, format!("`{}` is not a key of an effect", name.text));
    out.push(found.help("did you mean `where`?").replace(name.span, near));
    body.filter = Some((name, value));
}

fn lines(children: &[Line], body: &mut Body, out: &mut Diagnostics) {
    for child in children {
        let opens = child.tokens.len() <= 2 && !child.children.is_empty();
        let word = child.tokens[0].word().filter(|_| opens).unwrap_or_default();
        if let Some(near) = near_word(word, ["set"]) {
            if word != "set" {
                let span = child.tokens[0].span;
                let found = Diagnostic::error("unknown-key", span, format!("`{word}` is not a key of an effect"));
                out.push(found.help("did you mean `set`?").replace(span, near));
            }
            lines(keyed::block(child, out), body, out);
            continue;
        }
        no_children(child, out);
        let mut cursor = keyed::entry(child, out);
        if value(&mut cursor, body).is_none() {
            cursor.skip();
        }
        cursor.finish_expression();
    }
}

fn value(cursor: &mut Cursor<'_>, body: &mut Body) -> Option<()> {
    let name = cursor.expect_name("a field")?;
    if !cursor.eat("->") && !cursor.expect(":") {
        return None;
    }
    let value = expr::parse(cursor)?;
    if name.text == "where" {
        match &body.filter {
            Some((first, _)) => duplicate_key(&name, first.span, cursor.out),
            None => body.filter = Some((name, value)),
        }
    } else {
        body.values.push((name, value));
    }
    Some(())
}
