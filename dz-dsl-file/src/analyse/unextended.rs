//! Archetypes that no entity extends. Each is analysed in an entity of its own, of which only the findings inside the
//! archetype are kept.

use std::collections::{HashMap, HashSet};

use super::edited::covers;
use crate::{
    Diagnostics, Span,
    cursor::Name,
    lower, rules,
    syntax::{
        File, Item,
        archetype::{Archetype, lineage},
        entity::{Block, Entity},
        field::{Field, Modifier, ModifierKind, TypeExpr},
    },
};

/// The texts with an entity for each archetype that no entity extends, or `None` if there is no such archetype.
pub(super) fn entities(parsed: &[File]) -> Option<Vec<File>> {
    let alone: Vec<&Archetype> = archetypes(parsed);
    let first = parsed.first().filter(|_| !alone.is_empty())?;
    let taken: HashSet<&str> = declared_entities(parsed).map(|entity| entity.name.text.as_str()).collect();
    let named: HashMap<&str, &Archetype> = declared_archetypes(parsed).map(|it| (it.name.text.as_str(), it)).collect();
    let fields = |archetype: &Archetype| -> Vec<Field> {
        let own = std::slice::from_ref(&archetype.name);
        lineage(own, &|name| named.get(name).copied()).into_iter().flat_map(|it| it.body.fields.iter().cloned()).collect()
    };
    let items = alone.into_iter().map(|archetype| Item::Entity(entity(archetype, &fields(archetype), &taken))).collect();
    let mut files = parsed.to_vec();
    files.push(File { id: first.id, module: None, uses: Vec::new(), margin: String::new(), items, lines: Vec::new(), unread: Vec::new() });
    Some(files)
}

/// The findings inside archetypes that no entity extends.
pub(super) fn findings_inside(parsed: &[File], found: Diagnostics) -> Diagnostics {
    let mut inside = found;
    let alone = archetypes(parsed);
    inside.retain(|it| it.span.start < it.span.end && alone.iter().any(|archetype| covers(archetype.lines, it.span)));
    inside
}

/// The findings of the rules over a whole model in archetypes that no entity extends.
pub(super) fn check(parsed: &[File]) -> Diagnostics {
    let mut found = Diagnostics::default();
    if let Some(files) = entities(parsed) {
        let (model, _, lowered) = lower::lower(&files);
        if !lowered.has_errors() {
            rules::check(&model, &mut found);
        }
    }
    findings_inside(parsed, found)
}

fn declared_entities(parsed: &[File]) -> impl Iterator<Item = &Entity> {
    parsed.iter().flat_map(|file| &file.items).filter_map(|item| match item {
        Item::Entity(entity) => Some(entity),
        _ => None,
    })
}

fn declared_archetypes(parsed: &[File]) -> impl Iterator<Item = &Archetype> {
    parsed.iter().flat_map(|file| &file.items).filter_map(|item| match item {
        Item::Archetype(archetype) => Some(archetype),
        _ => None,
    })
}

/// The archetypes that no entity extends, directly or through another archetype.
fn archetypes(parsed: &[File]) -> Vec<&Archetype> {
    let named: HashMap<&str, &Archetype> = declared_archetypes(parsed).map(|it| (it.name.text.as_str(), it)).collect();
    let names: Vec<Name> = declared_entities(parsed).flat_map(|entity| entity.body.extends.iter().cloned()).collect();
    let extended: HashSet<&str> =
        lineage(&names, &|name| named.get(name).copied()).into_iter().map(|archetype| archetype.name.text.as_str()).collect();
    declared_archetypes(parsed).filter(|archetype| !extended.contains(archetype.name.text.as_str())).collect()
}

/// An entity with a key that extends the archetype, with its `fields`. Its own words have no place in the text.
fn entity(archetype: &Archetype, fields: &[Field], taken: &HashSet<&str>) -> Entity {
    let nowhere = Span { end: archetype.name.span.start, ..archetype.name.span };
    let name = |text: &str| Name { text: text.to_owned(), span: nowhere };
    let own = &archetype.name.text;
    let text = if taken.contains(own.as_str()) { format!("{own}Archetype") } else { own.clone() };
    let mut body = Block { extends: Vec::from([Name { text: own.clone(), span: nowhere }]), ..Block::default() };
    let is_key = |field: &Field| field.modifiers.iter().any(|it| it.kind == ModifierKind::Pk);
    if !fields.iter().any(is_key) {
        let taken = fields.iter().any(|field| field.name.text == "id");
        let key = Modifier { name: name("pk"), kind: ModifierKind::Pk };
        let ty = TypeExpr::plain(name("uuid"));
        body.fields.push(Field { name: name(if taken { "key" } else { "id" }), ty, modifiers: Vec::from([key]), end: nowhere });
    }
    Entity { name: name(&text), title: None, body }
}
