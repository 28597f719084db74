//! The entries about the language: concepts, and inference entries that suggest a concept for a described need.
//!
//! Each entry is a file below `knowledge/`: a complete declaration, whose first comment describes it.
//! The first line is the title; lines `key: values` follow; the rest is the text.

mod table;

use std::sync::LazyLock;

use serde_json::{Map, json};

use crate::{Kind, Node, Relation};

/// The parts of the knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A concept of the language, or a pattern.
    Concept,
    /// An inference entry: a suggestion for a described need.
    Inference,
}

/// An entry of the knowledge.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its part.
    pub part: Part,
    /// Its snake_case name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// For a concept: `construct`, `pattern`, or another area of the language.
    pub category: &'static str,
    /// Other names of a concept.
    pub aliases: Vec<&'static str>,
    /// Phrases of needs to which an inference entry applies.
    pub triggers: Vec<&'static str>,
    /// Phrases with which people describe it, for the search.
    pub phrases: Vec<&'static str>,
    /// Concepts: those that a concept relates to, or those that an inference entry suggests.
    pub concepts: Vec<&'static str>,
    /// The description, or the suggestion.
    pub text: String,
    /// The complete declaration.
    pub example: &'static str,
}

/// Every entry, concepts first.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let concepts = table::CONCEPTS.iter().map(|(name, file)| read(Part::Concept, name, file));
        concepts.chain(table::INFERENCE.iter().map(|(name, file)| read(Part::Inference, name, file))).collect()
    });
    &ENTRIES
}

fn read(part: Part, name: &'static str, file: &'static str) -> Entry {
    let (head, example) = file.split_once("\n\n").unwrap_or((file, ""));
    let mut lines = head.lines().map(|line| line.trim_start_matches('#').trim());
    let title = lines.next().unwrap_or_default();
    let mut entry = Entry {
        part,
        name,
        title,
        category: "",
        aliases: Vec::new(),
        triggers: Vec::new(),
        phrases: phrases_of(name),
        concepts: Vec::new(),
        text: String::new(),
        example: example.trim_start(),
    };
    for line in lines {
        let list = |rest: &'static str| rest.split(';').map(str::trim).filter(|it| !it.is_empty()).collect::<Vec<_>>();
        match line.split_once(": ") {
            Some(("category", rest)) => entry.category = rest,
            Some(("aliases", rest)) => entry.aliases = list(rest),
            Some(("triggers", rest)) => entry.triggers = list(rest),
            Some(("related" | "suggests_for", rest)) => entry.concepts = list(rest),
            _ => {
                if !entry.text.is_empty() {
                    entry.text.push(' ');
                }
                entry.text.push_str(line);
            }
        }
    }
    entry
}

/// The phrases of an entry: a line of `also.txt` begins with its name.
fn phrases_of(name: &str) -> Vec<&'static str> {
    const ALSO: &str = include_str!("../knowledge/also.txt");
    let mut lines = ALSO.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(entry, _)| *entry == name).map(|(_, phrases)| phrases.split("; ").collect()).unwrap_or_default()
}

/// The name of a concept for comparisons: in lower case, without blanks, dashes and underscores.
fn comparable_name(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The name of a concept as names are written: in lower case, with one underscore between words.
pub(crate) fn snake(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_')).filter(|it| !it.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// The concept with this name, alias or id.
pub(crate) fn concept(name: &str) -> Option<&'static Entry> {
    let name = name.trim();
    let wanted = comparable_name(name.strip_prefix("concept:").unwrap_or(name));
    let concepts = || entries().iter().filter(|it| it.part == Part::Concept);
    let alias = |it: &&Entry| it.aliases.iter().any(|alias| comparable_name(alias) == wanted);
    concepts()
        .find(|it| comparable_name(it.name) == wanted)
        .or_else(|| concepts().find(|it| comparable_name(it.title) == wanted))
        .or_else(|| concepts().find(alias))
}

/// The nodes of the knowledge.
pub(crate) fn nodes() -> &'static [Node] {
    static NODES: LazyLock<Vec<Node>> = LazyLock::new(|| entries().iter().map(node).collect());
    &NODES
}

fn node(entry: &Entry) -> Node {
    let (kind, metadata) = match entry.part {
        Part::Concept => {
            let metadata = json!({
                "title": entry.title,
                "category": entry.category,
                "definition": entry.text,
                "aliases": entry.aliases,
                "phrases": entry.phrases,
                "example": entry.example,
            });
            (Kind::Concept, metadata)
        }
        Part::Inference => {
            let metadata = json!({
                "title": entry.title,
                "triggers": entry.triggers,
                "phrases": entry.phrases,
                "suggests": entry.text,
                "example": entry.example,
            });
            (Kind::Inference, metadata)
        }
    };
    let metadata = metadata.as_object().cloned().unwrap_or_default();
    Node { id: kind.id(entry.name), kind: kind.word().to_owned(), name: entry.name.to_owned(), metadata }
}

/// The relations of the knowledge.
pub(crate) fn relations() -> impl Iterator<Item = Relation> {
    entries().iter().flat_map(|entry| {
        let (kind, word) = match entry.part {
            Part::Concept => (Kind::Concept, "related_concept"),
            Part::Inference => (Kind::Inference, "suggests_for"),
        };
        let relation = move |concept: &&'static str| Relation {
            source: kind.id(entry.name),
            target: Kind::Concept.id(concept),
            kind: word.to_owned(),
            metadata: Map::new(),
        };
        entry.concepts.iter().map(relation)
    })
}
