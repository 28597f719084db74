//! States in quotes in prose: `then: the invoice's status becomes "sent"`.

use std::collections::HashMap;

use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::nearest,
    lower::Lowering,
    model::{EntityId, FieldId, Placed, QuotedState, Sentence},
};

/// The states of the entities of a story.
pub(super) struct States {
    /// Enum fields by name.
    fields: HashMap<String, Vec<(EntityId, FieldId)>>,
    /// Entities by name, as words of prose.
    entities: HashMap<String, EntityId>,
    /// Values by name and by label, as words of prose.
    values: HashMap<String, Vec<Value>>,
}

/// A value of an enum field.
#[derive(Clone, Copy)]
struct Value {
    entity: EntityId,
    field: FieldId,
    at: usize,
}

/// Words that can be between the name of a field and its quoted value.
const LINKING: &[&str] = &[
    "is", "are", "was", "be", "becomes", "become", "changes", "change", "changed", "moves", "set", "sets", "to", "from", "as", "equals",
    "in", "remains", "stays", "still", "not", "now", "the", "value", "or", "and", "either", "into", "of",
];

/// Words before a quoted state if no field is named.
const BECOMING: &[&str] = &["is", "becomes", "become", "remains", "stays", "to", "from", "into", "as", "in"];

/// The number of words before and after a quote that are examined; names of states are short.
const REACH: usize = 12;
const LONGEST: usize = 80;

/// Notes the name of a state; a sentence can also quote its title, which is not a name.
fn note_use(it: &mut Lowering<'_>, value: Value, quoted: &str, span: Span) {
    let Some(id) = it.entities[value.entity.0].fields[value.field.0].ty.enumeration() else { return };
    let declared = it.enums[id.0].values.get(value.at).filter(|value| value.name == quoted).map(|value| value.span);
    declared.into_iter().for_each(|declared| it.used(span, declared));
}

impl States {
    pub fn collect(it: &Lowering<'_>, scope: &[Placed<EntityId>]) -> Self {
        let mut states = States { fields: HashMap::new(), entities: HashMap::new(), values: HashMap::new() };
        for Placed { it: entity, .. } in scope {
            let declared = &it.entities[entity.0];
            for name in [&declared.module, &declared.title] {
                states.entities.insert(prose_name(name), *entity);
            }
            for (at, field) in declared.fields.iter().enumerate() {
                let Some(id) = field.ty.enumeration() else { continue };
                let field_id = FieldId(at);
                states.fields.entry(prose_name(&field.name)).or_default().push((*entity, field_id));
                for (at, value) in it.enums[id.0].values.iter().enumerate() {
                    let value_of = Value { entity: *entity, field: field_id, at };
                    let (name, title) = (prose_name(&value.name), prose_name(&value.title));
                    if title != name {
                        states.values.entry(title).or_default().push(value_of);
                    }
                    states.values.entry(name).or_default().push(value_of);
                }
            }
        }
        states
    }

    /// Resolves the states that a line quotes, and reports a quoted word that is probably a misspelt state.
    pub fn sentence(&self, it: &mut Lowering<'_>, line: &Name) -> Sentence {
        let mut states = Vec::new();
        if !self.fields.is_empty() {
            for (start, end) in quotes(&line.text) {
                let Some(quoted) = line.text.get(start..end) else { continue };
                let span = inside(line, start, end);
                let words = words_before(&line.text[..start]);
                match self.resolve(&prose_name(quoted), &words) {
                    Ok(Some(value)) => {
                        note_use(it, value, quoted, span);
                        states.push(QuotedState { entity: value.entity, field: value.field, value: value.at, span });
                    }
                    Ok(None) => self.doubt(it, quoted, &words, span),
                    Err(fields) => self.unknown(it, quoted, &fields, span),
                }
            }
        }
        Sentence { text: line.text.clone(), states, span: line.span }
    }

    /// The quoted value; the error contains the fields without this value that the words before it name.
    fn resolve(&self, quoted: &str, words: &[String]) -> Result<Option<Value>, Vec<(EntityId, FieldId)>> {
        let mut fields = self.fields_before(words);
        let values = self.values.get(quoted).map(Vec::as_slice).unwrap_or_default();
        if fields.is_empty() {
            // Without a field, a word is a state only if one entity has it, or if an entity is named before.
            let entity = words.iter().find_map(|word| self.entities.get(word));
            let mut meant = values.iter().filter(|value| entity.is_none_or(|entity| value.entity == *entity));
            return match (meant.next(), meant.next()) {
                (Some(only), None) => Ok(Some(*only)),
                _ => Ok(None),
            };
        }
        if let Some(value) = values.iter().find(|value| fields.contains(&(value.entity, value.field))) {
            return Ok(Some(*value));
        }
        fields.truncate(REACH);
        Err(fields)
    }

    /// The enum fields that the words before a quote name, the nearest first, with only linking words between.
    fn fields_before(&self, words: &[String]) -> Vec<(EntityId, FieldId)> {
        for (at, word) in words.iter().enumerate() {
            // In prose, names can consist of several words: `payment status`.
            for length in (1..=3).rev() {
                let Some(phrase) = words.get(at..at + length) else { continue };
                let phrase: Vec<&str> = phrase.iter().rev().map(String::as_str).collect();
                let Some(fields) = self.fields.get(&phrase.join(" ")) else { continue };
                let owner = words[at + length..].iter().filter(|word| *word != "s").take(2).find_map(|word| self.entities.get(word));
                let owned: Vec<_> = fields.iter().filter(|(entity, _)| owner.is_none_or(|owner| owner == entity)).copied().collect();
                return if owned.is_empty() { fields.clone() } else { owned };
            }
            if !LINKING.contains(&word.as_str()) && !self.values.contains_key(word) {
                return Vec::new();
            }
        }
        Vec::new()
    }

    fn unknown(&self, it: &mut Lowering<'_>, quoted: &str, fields: &[(EntityId, FieldId)], span: Span) {
        let mut names: Vec<String> = Vec::new();
        let mut owners: Vec<String> = Vec::new();
        for (entity, field) in fields {
            let entity = &it.entities[entity.0];
            let field = &entity.fields[field.0];
            owners.push(format!("`{}.{}`", entity.name, field.name));
            if let Some(id) = field.ty.enumeration() {
                names.extend(it.enums[id.0].values.iter().map(|value| value.name.clone()));
            }
        }
        let near = nearest(quoted, names.iter().map(String::as_str)).map(str::to_owned);
        report(it, quoted, &owners.join(" or "), near, &names, span);
    }

    /// Reports a quoted word that resembles a state, after a word that usually precedes one.
    fn doubt(&self, it: &mut Lowering<'_>, quoted: &str, words: &[String], span: Span) {
        let plain = !quoted.is_empty() && quoted.chars().all(|c| c.is_lowercase() || matches!(c, '_' | '-' | ' '));
        let becoming = words.first().is_some_and(|word| BECOMING.contains(&word.as_str()));
        if !plain || !becoming || self.values.contains_key(&prose_name(quoted)) {
            return;
        }
        let mut names: Vec<&str> = self.values.keys().map(String::as_str).collect();
        names.sort_unstable();
        let Some(near) = nearest(quoted, names) else { return };
        let Some(value) = self.values.get(near).and_then(|values| values.first()) else { return };
        let entity = &it.entities[value.entity.0];
        let field = &entity.fields[value.field.0];
        let Some(id) = field.ty.enumeration() else { return };
        let name = it.enums[id.0].values[value.at].name.clone();
        let owner = format!("`{}.{}`", entity.name, field.name);
        report(it, quoted, &owner, Some(name), &[], span);
    }
}

fn report(it: &mut Lowering<'_>, quoted: &str, owner: &str, near: Option<String>, names: &[String], span: Span) {
    let found = Diagnostic::warning("unknown-quoted-state", span, format!("`{quoted}` is not a value of {owner}"));
    it.out.push(match near {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(span, near),
        None => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            found.help(format!("its values are {}", crate::syntax::list(&names)))
        }
    });
}

/// A name as words of prose.
fn prose_name(name: &str) -> String {
    name.to_lowercase().replace('_', " ")
}

/// The texts in quotes, as byte ranges without the quotes. An apostrophe inside a word is not a quote.
fn quotes(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        let opens = at >= skip_to && !before.is_alphanumeric();
        before = c;
        let closing = match c {
            '"' | '\'' | '`' => c,
            '“' | '„' => '”',
            '‘' => '’',
            _ => continue,
        };
        if !opens {
            continue;
        }
        let start = at + c.len_utf8();
        let mut rest = text[start..].char_indices().take(LONGEST).peekable();
        while let Some((length, end)) = rest.next() {
            if end == closing && !rest.peek().is_some_and(|(_, next)| next.is_alphanumeric()) {
                found.push((start, start + length));
                skip_to = start + length + end.len_utf8();
                break;
            }
        }
    }
    found
}

/// The words before a place, the nearest first, in lower case.
fn words_before(text: &str) -> Vec<String> {
    let words = text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.take(REACH).map(prose_name).collect()
}

/// The place of a part of a line's text; the whole line if it has escapes.
fn inside(line: &Name, start: usize, end: usize) -> Span {
    let length = (line.span.end - line.span.start) as usize;
    let first = match length.checked_sub(line.text.len()) {
        Some(0) => line.span.start,
        Some(2) => line.span.start + 1,
        _ => return line.span,
    };
    Span { start: first + start as u32, end: first + end as u32, ..line.span }
}
