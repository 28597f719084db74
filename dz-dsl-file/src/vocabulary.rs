//! The words of the language, from the lists that the parser and the resolver use: for documentation and completion.

use crate::{
    lower::{app as themes, expr},
    model::{self, Word},
    syntax::{
        self, app, entity, experience, field, graph, invariant, llm, persona, process, scenario, schedule, service, story, surface,
        temporal, transitions, workspace,
    },
};

/// The words allowed in one kind of place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// The place: a construct, a block, or the kind of words.
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
        of("construct without meaning", syntax::FOREIGN),
        of("app", app::KEYS),
        of("theme", &themes),
        of("persona", persona::KEYS),
        of("proficiency", persona::LEVELS),
        of("type", field::TYPES),
        of("modifier", field::MODIFIERS),
        of("relation", field::PARTS),
        of("entity", entity::BLOCKS),
        of("archetype", entity::IN_ARCHETYPES),
        words::<model::Archetype>("kind of entity"),
        of("action", entity::ACTIONS),
        of("access", entity::ACCESS_KEYS),
        of("transitions", transitions::ENDS),
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
        of("service", service::KEYS),
        words::<model::ServiceKind>("kind of service"),
        words::<model::StubLanguage>("stub"),
        words::<model::SpecForm>("spec"),
        words::<model::AuthKind>("auth_profile"),
        of("process", process::KEYS),
        of("trigger of a process", process::trigger::KEYS),
        of("start of a process", process::trigger::KINDS),
        words::<model::EntityEvent>("event of a row"),
        words::<model::Overlap>("overlap"),
        of("emits", process::EMITS),
        of("step of a process", process::step::STEP_KEYS),
        of("parallel", process::step::PARALLEL_KEYS),
        words::<model::FailurePolicy>("on_any_failure"),
        of("compensation", process::step::COMPENSATION_KEYS),
        of("effect", process::effect::VERBS),
        of("human_task", process::human_task::KEYS),
        of("outcome", process::human_task::OUTCOME_KEYS),
        of("retry", process::retry::KEYS),
        words::<model::Backoff>("backoff"),
        of("schedule", schedule::KEYS),
        of("llm_model", llm::model::KEYS),
        words::<model::Provider>("provider"),
        words::<model::Tier>("tier"),
        of("llm_config", llm::config::KEYS),
        of("logging", llm::config::LOGGING),
        of("llm_intent", llm::intent::KEYS),
        of("pii", llm::intent::PII_KEYS),
        words::<model::PiiAction>("action of pii"),
        of("trigger of an intent", llm::intent::TRIGGER_KEYS),
        of("function", &functions),
        of("aggregate", &expr::aggregates()),
        of("comparison", &comparisons),
    ]
}

fn words<T: Word>(place: &'static str) -> Vocabulary {
    Vocabulary { place, words: T::ALL.iter().map(|it| it.word()).collect() }
}

/// The words of one place.
pub fn words_of(place: &str) -> Vec<&'static str> {
    vocabularies().into_iter().filter(|it| it.place == place).flat_map(|it| it.words).collect()
}

/// True for a word of the language at any place.
pub(crate) fn holds(word: &str) -> bool {
    vocabularies().iter().any(|it| it.words.contains(&word))
}

/// Every function: its name, its call, and its result.
#[cfg(feature = "tools")]
pub fn functions() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    expr::functions()
}
