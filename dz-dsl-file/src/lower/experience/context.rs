//! The values of an experience's context.

use std::collections::HashMap;

use crate::{
    Diagnostic, Near,
    cursor::Name,
    diagnostic::near_word,
    lower::{Lowering, collect},
    model::{ContextValue, Type},
    syntax::field::{Field, TypeExpr},
};

const SCALARS: &[(&str, Type)] = &[
    ("str", Type::Text),
    ("text", Type::Text),
    ("email", Type::Text),
    ("url", Type::Text),
    ("slug", Type::Text),
    ("timezone", Type::Text),
    ("int", Type::Int),
    ("float", Type::Float),
    ("decimal", Type::Decimal),
    ("bool", Type::Bool),
    ("date", Type::Date),
    ("datetime", Type::DateTime),
    ("uuid", Type::Uuid),
    ("json", Type::Json),
];

/// Types of columns or relations, which no single value has.
const COLUMNS: &[&str] = &["enum", "has_many", "has_one", "computed", "money", "file"];

pub(super) fn lower(it: &mut Lowering<'_>, fields: &[Field]) -> Vec<ContextValue> {
    let mut seen = HashMap::new();
    let mut values = Vec::new();
    for field in fields {
        if !collect::first(it, &mut seen, "value", &field.name) {
            continue;
        }
        if let Some(modifier) = field.modifiers.first() {
            it.out.push(
                Diagnostic::error("not-allowed-here", modifier.name.span, "a value of the context has a type and nothing else")
                    .help("it is null until a step saves it"),
            );
        }
        let ty = value_type(it, &field.ty);
        values.push((ty, field));
    }
    // A value of an unknown type keeps its name, so that its uses are not reported.
    values
        .into_iter()
        .map(|(ty, field)| ContextValue { name: field.name.text.clone(), ty: ty.unwrap_or(Type::Null), span: field.name.span })
        .collect()
}

fn value_type(it: &mut Lowering<'_>, ty: &TypeExpr) -> Option<Type> {
    let name = &ty.name;
    if matches!(name.text.as_str(), "ref" | "belongs_to") {
        return Some(Type::Ref(it.entity(ty.target.as_ref()?)?));
    }
    if let Some((_, scalar)) = SCALARS.iter().find(|(word, _)| *word == name.text) {
        return Some(scalar.clone());
    }
    if COLUMNS.contains(&name.text.as_str()) {
        let found = Diagnostic::error("not-allowed-here", name.span, format!("`{}` is not a type of a value of the context", name.text));
        it.out.push(found.help("write `ref ENTITY`, a named enum, or a type such as `int`, `text`, `date`"));
        return None;
    }
    if let Some(id) = it.enum_names.get(&name.text).copied() {
        it.refer(name, it.enums[id.0].span);
        return Some(Type::Enum(id));
    }
    if it.entity_names.contains_key(&name.text) {
        return Some(Type::Ref(it.entity(name)?));
    }
    let scalars = SCALARS.iter().map(|(word, _)| *word);
    let known = scalars.chain(it.entity_names.keys().map(String::as_str)).chain(it.enum_names.keys().map(String::as_str));
    let near = near_word(&name.text, known).map(Near::into_owned);
    it.unknown("unknown-type", "type", name.span, &name.text, near);
    None
}

impl Lowering<'_> {
    /// The position of a value of the context, or a report.
    pub fn context_value(&mut self, name: &Name) -> Option<usize> {
        if let Some(at) = self.context.iter().position(|value| value.name == name.text) {
            self.used(name.span, self.context[at].span);
            return Some(at).filter(|at| self.context[*at].ty != Type::Null);
        }
        if self.context_broken {
            return None;
        }
        let near = near_word(&name.text, self.context.iter().map(|value| value.name.as_str())).map(Near::into_owned);
        let found = Diagnostic::error("unknown-context", name.span, format!("the context has no value `{}`", name.text));
        self.out.push(match near {
            Some(near) => found.help(format!("did you mean `{near}`?")).replace(name.span, near),
            None => found.help(format!("declare it under `context:`, such as `{}: text`", name.text)),
        });
        None
    }
}
