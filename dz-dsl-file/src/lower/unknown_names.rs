//! Reports unknown names with the nearest known ones. A use of a name whose declaration could not be understood is not reported: the
//! declaration is.

use std::collections::{HashMap, HashSet};

use super::Lowering;
use crate::{
    Near, Span,
    model::{EntityId, Field},
};

/// Names whose declaration was already reported, so that their uses are not reported too.
#[derive(Debug, Default)]
pub(crate) struct Unreadable {
    /// Fields, per entity.
    fields: HashMap<EntityId, HashSet<String>>,
    /// Entities with fields whose names are unknown.
    open: HashSet<EntityId>,
    /// Fields with a default that could not be understood.
    pub defaults: HashSet<(EntityId, usize)>,
    /// Reported names of fields: a field of an archetype is reported once for all entities that extend it.
    reported: HashSet<Span>,
}

impl Unreadable {
    /// Adds a field.
    pub fn field(&mut self, entity: EntityId, name: &str) {
        self.fields.entry(entity).or_default().insert(name.to_owned());
    }

    /// Notes that an entity may have any field.
    pub fn open(&mut self, entity: EntityId) {
        self.open.insert(entity);
    }

    /// True if the declaration may contain a field of this name.
    pub fn has_field(&self, entity: EntityId, name: &str) -> bool {
        self.open.contains(&entity) || self.fields.get(&entity).is_some_and(|fields| fields.contains(name))
    }

    /// True if any field of an entity could not be understood.
    pub fn any_field(&self, entity: EntityId) -> bool {
        self.open.contains(&entity) || self.fields.contains_key(&entity)
    }
}

impl Lowering<'_> {
    /// Reports an unknown name with the nearest known one.
    pub fn unknown(&mut self, rule: &'static str, what: &str, span: Span, name: &str, near: Option<Near<'_>>) {
        let mut found = crate::Diagnostic::error(rule, span, format!("unknown {what} `{name}`"));
        if let Some(near) = near {
            found = found.help(format!("did you mean `{near}`?")).replace(span, near);
        }
        self.out.push(found);
    }

    /// Reports an unknown name with the nearest known one, or with all of them.
    pub fn unknown_among(&mut self, rule: &'static str, message: String, span: Span, name: &str, known: &[String], otherwise: &str) {
        let found = crate::Diagnostic::error(rule, span, message).suggest(span, name, known.iter().map(String::as_str));
        self.out.push(if otherwise.is_empty() { found } else { found.or_else_help(otherwise) });
    }

    /// Reports a field that an entity does not have, unless its declaration could not be understood.
    pub fn unknown_field(&mut self, rule: &'static str, entity: EntityId, name: &crate::cursor::Name, wanted: impl Fn(&Field) -> bool) {
        if self.unreadable.has_field(entity, &name.text) || !self.unreadable.reported.insert(name.span) {
            return;
        }
        let it = &self.entities[entity.0];
        if it.fields.iter().any(|field| field.secret && field.name == name.text) {
            let found = crate::Diagnostic::error(rule, name.span, format!("`{}` is secret and cannot be used here", name.text));
            self.out.push(found.help("remove it; only dz reads the secrets of the sign-in"));
            return;
        }
        // Only a place for stored fields refuses a computed one.
        if it.fields.iter().any(|field| field.name == name.text && field.computed.is_some() && !wanted(field)) {
            let message = format!("`{}` of `{}` is computed and has no column", name.text, it.name);
            let help = "remove it, or name the fields from which it is computed; dz computes the value whenever it is read";
            self.out.push(crate::Diagnostic::error(rule, name.span, message).help(help));
            return;
        }
        let known = it.fields.iter().filter(|field| !field.secret && wanted(field)).map(|field| field.name.as_str());
        let lost = self.unreadable.fields.get(&entity);
        // A field that could not be parsed may be an amount with a currency field.
        let beside = |name: &str| name.strip_suffix("_currency").is_some_and(|amount| lost.is_some_and(|lost| lost.contains(amount)));
        let mut unread: Vec<&str> = lost.into_iter().flatten().map(String::as_str).filter(|name| !beside(name)).collect();
        unread.sort_unstable();
        let found = crate::Diagnostic::error(rule, name.span, format!("`{}` has no field `{}`", it.name, name.text))
            .suggest(name.span, &name.text, known.chain(unread))
            .or_else_help(&format!("add it to `{}`", it.name));
        self.out.push(found);
    }
}
