//! The words that texts may use, from the lists that reading and resolving go by: for documentation and completion.

use crate::{
    lower::{app as themes, expr},
    model::{self, Word},
    syntax::{self, app, entity, experience, field, graph, invariant, persona, scenario, story, surface, temporal, transitions, workspace},
};

/// Words that may stand in one kind of place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// The place: a construct, a block, or what the words are.
    pub place: &'static str,
    /// The words, in the order in which messages list them.
    pub words: Vec<&'static str>,
}

/// Every place with its words.
pub fn vocabularies() -> Vec<Vocabulary> {
    let of = |place: &'static str, words: &[&'static str]| Vocabulary { place, words: words.to_vec() };
    let themes: Vec<&str> = themes::THEMES.iter().map(|(name, _)| *name).collect();
    let functions: Vec<&str> = expr::functions().map(|(name, ..)| name).chain(["role"]).collect();
    let comparisons: Vec<&str> = syntax::expr::COMPARISONS.iter().map(|(written, _)| *written).collect();
    vec![
        of("construct", syntax::CONSTRUCTS),
        of("construct not available yet", syntax::LATER),
        of("construct without meaning", syntax::FOREIGN),
        of("app", &[app::KEYS, app::LATER].concat()),
        of("theme", &themes),
        of("persona", persona::KEYS),
        of("proficiency", persona::LEVELS),
        of("type", field::TYPES),
        of("modifier", field::MODIFIERS),
        of("relation", field::PARTS),
        of("entity", entity::BLOCKS),
        of("archetype", entity::IN_ARCHETYPES),
        of("kind of entity", &model::ArchetypeKind::ALL.map(model::ArchetypeKind::name)),
        of("action", entity::ACTIONS),
        of("access", entity::ACCESS_KEYS),
        of("transition", transitions::KEYS),
        of("invariant", invariant::KEYS),
        of("graph_edge", graph::EDGE_KEYS),
        of("graph_node", graph::NODE_KEYS),
        of("temporal", temporal::KEYS),
        of("surface", surface::KEYS),
        words::<model::Mode>("mode"),
        words::<model::Priority>("priority"),
        of("section", surface::section::KEYS),
        of("field", surface::section::OPTIONS),
        words::<model::Widget>("widget"),
        words::<model::Format>("format"),
        of("surface action", surface::ACTION_KEYS),
        words::<model::Event>("event"),
        of("related", surface::RELATED_KEYS),
        words::<model::RelatedDisplay>("related display"),
        of("ux", surface::ux::KEYS),
        of("attention", surface::ux::ATTENTION_KEYS),
        words::<model::Level>("level"),
        of("variant", surface::ux::VARIANT_KEYS),
        of("workspace", workspace::KEYS),
        of("region", workspace::region::KEYS),
        words::<model::Display>("display"),
        of("story", &[story::KEYS, &story::SYNONYMS.map(|(other, _)| other)].concat()),
        of("trigger of a story", story::TRIGGERS),
        of("status of a story", story::STATUSES),
        of("experience", experience::KEYS),
        of("step of an experience", experience::STEP_KEYS),
        of("kind of step", experience::KINDS),
        of("event of a step", experience::EVENTS),
        of("scenario", scenario::KEYS),
        of("persona of a scenario", scenario::PERSONA_KEYS),
        words::<model::Bucket>("unit of time"),
        of("function", &functions),
        of("aggregate", &expr::aggregates()),
        of("comparison", &comparisons),
    ]
}

fn words<T: Word>(place: &'static str) -> Vocabulary {
    Vocabulary { place, words: T::ALL.iter().map(|it| it.word()).collect() }
}

/// The words of one place.
pub(crate) fn of(place: &str) -> Vec<&'static str> {
    vocabularies().into_iter().filter(|it| it.place == place).flat_map(|it| it.words).collect()
}

/// Every function: its name, how it is called, what it gives.
pub(crate) fn functions() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    expr::functions()
}
