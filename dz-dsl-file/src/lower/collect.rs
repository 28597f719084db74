//! Collects the declared names of every kind, and reports duplicates.

use std::collections::{HashMap, HashSet};

use super::Lowering;
use crate::{
    Diagnostic, Span,
    cursor::Name,
    facts::cycles::{Edges, find_cycles},
    model::{Entity, EntityId, EnumId, EnumType, EnumValue, FieldGroup, FieldId, Label},
    names,
    syntax::{
        File, Item,
        archetype::{Archetype, lineage},
        entity::Block,
    },
};

impl<'a> Lowering<'a> {
    /// The archetypes that a block extends, directly or through others, each once and after those that it extends itself.
    pub fn lineage(&self, body: &Block) -> Vec<&'a Archetype> {
        lineage(&body.extends, &|name| self.archetypes.get(name).copied())
    }
}

/// Reports the second of two declarations with one name; true if `name` is the first.
pub(super) fn first(it: &mut Lowering<'_>, seen: &mut HashMap<String, Span>, what: &str, name: &Name) -> bool {
    match seen.get(&name.text) {
        Some(span) => {
            it.out.push(
                Diagnostic::error("duplicate-name", name.span, format!("{what} `{}` is declared twice", name.text))
                    .label(*span, "first declared here")
                    .help("rename or remove one of them"),
            );
            false
        }
        None => {
            seen.insert(name.text.clone(), name.span);
            true
        }
    }
}

/// Reports the second use of a name that is allowed once, with `message`; true if `name` is the first.
pub(super) fn once(it: &mut Lowering<'_>, seen: &mut HashMap<String, Span>, name: &Name, message: impl FnOnce(&str) -> String) -> bool {
    if let Some(span) = seen.get(&name.text) {
        let found = Diagnostic::error("duplicate-name", name.span, message(&name.text));
        it.out.push(found.label(*span, "first named here").help("remove one of them"));
        return false;
    }
    seen.insert(name.text.clone(), name.span);
    true
}

pub(super) fn title(title: &Option<Name>, name: &Name) -> String {
    title.as_ref().map_or_else(|| names::humanise(&name.text), |title| title.text.clone())
}

pub(super) fn enums(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Enum(declared) = item else { continue };
        if !first(it, &mut seen, "enum", &declared.name) {
            continue;
        }
        let values = enum_values(it, &declared.values, Some(declared.name.span).filter(|_| !declared.empty));
        let id = EnumId(it.enums.len());
        it.enum_names.insert(declared.name.text.clone(), id);
        it.enums.push(EnumType {
            name: names::camel(&declared.name.text),
            title: declared.title.as_ref().map(|it| it.text.clone()),
            values,
            ordered: declared.ordered,
            owner: None,
            span: declared.name.span,
        });
    }
}

/// Checks the values of an enum: at least one, without duplicates, also as Rust variants. A missing value is reported at `place`.
pub(super) fn enum_values(it: &mut Lowering<'_>, values: &[(Name, Option<Name>)], place: Option<Span>) -> Vec<EnumValue> {
    let mut seen = HashMap::new();
    let mut variants: HashMap<String, &Name> = HashMap::new();
    let mut lowered = Vec::new();
    for (name, label) in values {
        if !first(it, &mut seen, "value", name) {
            continue;
        }
        let variant = names::variant(&name.text);
        if let Some(other) = variants.insert(variant.clone(), name) {
            it.out.push(
                Diagnostic::error(
                    "name-collision",
                    name.span,
                    format!("`{}` and `{}` both become `{variant}` in Rust", other.text, name.text),
                )
                .label(other.span, "the other one")
                .help("rename one of them"),
            );
        }
        let title = label.as_ref().map_or_else(|| value_title(&name.text), |label| label.text.clone());
        lowered.push(EnumValue { name: name.text.clone(), title, variant, span: name.span });
    }
    if let (true, Some(place)) = (lowered.is_empty(), place) {
        let found = Diagnostic::error("empty-enum", place, "an enum needs at least one value");
        it.out.push(found.help("list its values, such as `open` and `done`"));
    }
    lowered
}

fn value_title(name: &str) -> String {
    if name.contains(' ') {
        let mut chars = name.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
    } else {
        names::humanise(name)
    }
}

pub(super) fn archetypes<'a>(it: &mut Lowering<'a>, files: &'a [File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Archetype(archetype) = item else { continue };
        if first(it, &mut seen, "archetype", &archetype.name) {
            it.archetypes.insert(&archetype.name.text, archetype);
        }
    }
    cyclic_archetypes(it, files);
}

/// Reports archetypes that extend themselves, directly or through others.
fn cyclic_archetypes(it: &mut Lowering<'_>, files: &[File]) {
    let items = files.iter().flat_map(|file| &file.items);
    let archetypes: Vec<_> = items
        .filter_map(|item| match item {
            Item::Archetype(archetype) => Some(archetype),
            _ => None,
        })
        .collect();
    let place = |name: &Name| archetypes.iter().position(|archetype| archetype.name.text == name.text);
    let edges: Edges = archetypes
        .iter()
        .map(|archetype| archetype.body.extends.iter().filter_map(|name| Some((place(name)?, name.span))).collect())
        .collect();
    for (span, cycle) in find_cycles(&edges) {
        let names: Vec<String> = cycle.iter().map(|at| format!("`{}`", archetypes[*at].name.text)).collect();
        let through = if names.len() > 1 { format!(" through {}", names[1..].join(", ")) } else { String::new() };
        let message = format!("the archetype {} extends itself{through}", names[0]);
        it.out.push(
            Diagnostic::error("cyclic-extends", span, message).help("remove this name, or put the shared fields into another archetype"),
        );
    }
}

/// The archetypes, each with the information whether an entity extends it.
pub(super) fn groups(it: &mut Lowering<'_>, files: &[File]) -> Vec<FieldGroup> {
    let mut extended: HashSet<&str> = HashSet::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let body = match item {
            Item::Entity(entity) => &entity.body,
            Item::Archetype(archetype) => &archetype.body,
            _ => continue,
        };
        for name in &body.extends {
            extended.insert(&name.text);
            if let Some(archetype) = it.archetypes.get(name.text.as_str()).copied() {
                it.refer(name, archetype.name.span);
            }
        }
    }
    let archetypes = files.iter().flat_map(|file| &file.items).filter_map(|item| match item {
        Item::Archetype(archetype) => Some(&archetype.name),
        _ => None,
    });
    archetypes
        .map(|name| FieldGroup { name: name.text.clone(), extended: extended.contains(name.text.as_str()), span: name.span })
        .collect()
}

pub(super) fn entities<'a>(it: &mut Lowering<'a>, files: &'a [File]) {
    let mut seen = HashMap::new();
    let declared = || {
        files.iter().flat_map(|file| &file.items).filter_map(|item| match item {
            Item::Entity(entity) => Some(entity),
            _ => None,
        })
    };
    let names: HashSet<&str> = declared().map(|entity| entity.name.text.as_str()).collect();
    for entity in declared() {
        if !first(it, &mut seen, "entity", &entity.name) {
            continue;
        }
        let title = title(&entity.title, &entity.name);
        let plural = entity.body.plural.as_ref().map(|it| it.text.clone());
        let id = add_entity(it, &entity.name.text, title, plural, entity.name.span);
        it.declared.push(Some(entity));
        lose(it, id, &entity.body);
        let written = written_fields(it, id, entity, &names);
        it.written.push(written);
    }
}

/// Notes the fields that could not be parsed.
fn lose(it: &mut Lowering<'_>, id: EntityId, body: &Block) {
    body.unread.iter().for_each(|name| it.unreadable.field(id, &name.text));
    if body.open {
        it.unreadable.open(id);
    }
}

/// The fields of the archetypes in order, then those of the entity; the entity's own field replaces one of the same name.
fn written_fields<'a>(
    it: &mut Lowering<'a>,
    id: EntityId,
    entity: &'a crate::syntax::entity::Entity,
    entities: &HashSet<&str>,
) -> Vec<&'a crate::syntax::field::Field> {
    let mut fields: Vec<&crate::syntax::field::Field> = Vec::new();
    let lineage = it.lineage(&entity.body);
    for body in lineage.iter().map(|archetype| &archetype.body).chain([&entity.body]) {
        for name in &body.extends {
            if !it.archetypes.contains_key(name.text.as_str()) {
                unknown_archetype(it, name, entities);
                it.unreadable.open(id);
            }
        }
    }
    for (at, archetype) in lineage.iter().enumerate() {
        lose(it, id, &archetype.body);
        // An archetype that extends this one can override its fields, as the entity can.
        let heirs = lineage[at + 1..].iter().filter(|heir| it.lineage(&heir.body).iter().any(|it| it.name == archetype.name));
        let bodies: Vec<_> = heirs.map(|heir| &heir.body).chain([&entity.body]).collect();
        for field in &archetype.body.fields {
            match bodies.iter().flat_map(|body| &body.fields).find(|own| own.name.text == field.name.text) {
                Some(own) => overridden(it, own, field, &archetype.name),
                None => fields.push(field),
            }
        }
    }
    fields.extend(&entity.body.fields);
    let mut seen = HashMap::new();
    fields.into_iter().filter(|field| first(it, &mut seen, "field", &field.name)).collect()
}

/// Reports a field that replaces one of an archetype.
fn overridden(it: &mut Lowering<'_>, own: &crate::syntax::field::Field, field: &crate::syntax::field::Field, archetype: &Name) {
    let message = format!("`{}` overrides the field of archetype `{}`", own.name.text, archetype.text);
    it.out.push(
        Diagnostic::lint("overridden-field", own.name.span, message)
            .label(field.name.span, "the overridden field")
            .help("rename one of them, if this is not meant"),
    );
}

fn unknown_archetype(it: &mut Lowering<'_>, name: &Name, entities: &HashSet<&str>) {
    let mut known: Vec<String> = it.archetypes.keys().map(|it| (*it).to_owned()).collect();
    known.sort_unstable();
    if entities.contains(name.text.as_str()) {
        let message = format!("`{}` is an entity, and only archetypes can be extended", name.text);
        let otherwise = format!("put the shared fields into an `archetype`, or reference it with `ref {}`", name.text);
        return it.unknown_among("unknown-archetype", message, name.span, "", &[], &otherwise);
    }
    let otherwise = format!("declare it: `archetype {}:`", name.text);
    it.unknown_among("unknown-archetype", format!("unknown archetype `{}`", name.text), name.span, &name.text, &known, &otherwise);
}

pub(super) fn add_entity(it: &mut Lowering<'_>, name: &str, title: String, plural: Option<String>, span: Span) -> EntityId {
    let id = EntityId(it.entities.len());
    let module = names::snake(name);
    let table = plural.unwrap_or_else(|| names::plural(&module));
    it.entities.push(Entity {
        name: name.to_owned(),
        title_plural: names::plural_title(&title),
        title,
        table,
        module,
        was: None,
        intent: None,
        domain: None,
        patterns: Vec::new(),
        fields: Vec::new(),
        pk: FieldId(0),
        label: Label::own(id, FieldId(0), true),
        access: Default::default(),
        indexes: Vec::new(),
        no_index: Vec::new(),
        states: None,
        invariants: Vec::new(),
        examples: Vec::new(),
        kind: None,
        tenant: None,
        edge: None,
        node: None,
        temporal: None,
        soft_delete: false,
        account: false,
        declared: true,
        span,
    });
    it.entity_names.insert(name.to_owned(), id);
    it.field_names.push(HashMap::new());
    id
}
