//! Search over names, titles, texts, fields and aliases: BM25 over stems, with tolerance for typos.

mod irregular;
mod topic;
mod words;

use std::collections::{HashMap, HashSet};

use rust_stemmers::{Algorithm, Stemmer};
use serde_json::Value;
use strsim::damerau_levenshtein;

use self::{
    irregular::base_form,
    topic::Topic,
    words::{Letters, is_common, phrases_in, split, synonyms},
};
use crate::{Graph, Node, kinds::is_framework};

/// The weight of repeated words (BM25).
const REPETITION: f32 = 1.2;

/// The penalty of long texts (BM25).
const LENGTH: f32 = 0.4;

/// The weights of words that differ from a word of the query by one typo, and by two.
const TYPOS: [f32; 3] = [1.0, 0.6, 0.4];

/// The weight of the entries of dz compared with the project, which has fewer words.
const FRAMEWORK: f32 = 0.75;

/// The weight of a word that people use in place of a word of the query.
const SYNONYM: f32 = 0.4;

/// The weight of modules and of the application, whose names contain words of everything inside.
const MODULE: f32 = 0.5;

/// The weight of nodes of the kind that a query asks for, such as personas for a query about people.
const TOPIC: f32 = 2.2;

/// The weights of a word by its place in a node.
const NAME: f32 = 4.0;
const ALIAS: f32 = 3.0;
const PHRASE: f32 = 2.0;
const TEXT: f32 = 1.5;
const PART: f32 = 1.0;
const KIND: f32 = 0.4;

/// The members of parts with words that people search for.
const PARTS: &[&str] = &[
    "name",
    "title",
    "values",
    "display",
    "entity",
    "field",
    "from",
    "to",
    "signal",
    "sources",
    "metrics",
    "purpose",
    "description",
    "period",
];

/// A use of a word: the position of the node, and the weight of its uses there.
type Use = (u32, f32);

/// A node of the index.
#[derive(Debug, Default)]
struct Entry {
    /// Its id; empty for a node that was removed.
    id: String,
    /// The number of its words.
    length: f32,
    /// The stems of its name.
    names: Vec<u32>,
    /// Every stem of its texts.
    stems: Vec<u32>,
    /// Its id, name and title in lower case.
    exact: Vec<String>,
    topics: &'static [Topic],
    /// The weight of its kind.
    weight: f32,
}

/// The words of a graph.
pub(crate) struct Index {
    stemmer: Stemmer,
    /// Words, each with its stem.
    words: HashMap<String, u32>,
    /// The same, with the letters of each word.
    letters: Vec<(Letters, String, u32)>,
    stems: HashMap<String, u32>,
    uses: Vec<Vec<Use>>,
    entries: Vec<Entry>,
    /// The position of each node.
    positions: HashMap<String, u32>,
    /// The number of words of all nodes.
    total: f32,
    /// Ids, names and titles in lower case.
    exact: HashMap<String, Vec<u32>>,
}

impl Index {
    /// Reads every node of a graph.
    pub fn new(graph: &Graph) -> Index {
        let mut index = Index {
            stemmer: Stemmer::create(Algorithm::English),
            words: HashMap::new(),
            letters: Vec::new(),
            stems: HashMap::new(),
            uses: Vec::new(),
            entries: Vec::new(),
            positions: HashMap::new(),
            total: 0.0,
            exact: HashMap::new(),
        };
        graph.nodes().for_each(|node| index.add(node));
        index
    }

    /// Adds a node that is not in the index.
    pub fn add(&mut self, node: &Node) {
        let at = self.entries.len() as u32;
        let mut weights: HashMap<u32, f32> = HashMap::new();
        let mut entry = Entry { id: node.id.clone(), topics: Topic::of_kind(&node.kind), ..Entry::default() };
        entry.weight = match node.id.split_once(':') {
            _ if is_framework(&node.id) => FRAMEWORK,
            Some(("module" | "app", _)) => MODULE,
            Some(_) | None => 1.0,
        };
        for (text, weight) in texts(node) {
            for word in split(text) {
                let stem = self.stem_of(word);
                *weights.entry(stem).or_default() += weight;
                entry.length += 1.0;
                if weight == NAME && !entry.names.contains(&stem) {
                    entry.names.push(stem);
                }
            }
        }
        for (stem, weight) in weights {
            self.uses[stem as usize].push((at, weight));
            entry.stems.push(stem);
        }
        let title = node.metadata.get("title").and_then(Value::as_str).unwrap_or(&node.name);
        entry.exact = vec![node.id.to_lowercase(), node.name.to_lowercase(), title.to_lowercase()];
        entry.exact.sort_unstable();
        entry.exact.dedup();
        for text in &entry.exact {
            self.exact.entry(text.clone()).or_default().push(at);
        }
        self.total += entry.length;
        self.positions.insert(entry.id.clone(), at);
        self.entries.push(entry);
    }

    /// Removes a node.
    pub fn remove(&mut self, id: &str) {
        let Some(at) = self.positions.remove(id) else { return };
        let entry = std::mem::take(&mut self.entries[at as usize]);
        for stem in entry.stems {
            self.uses[stem as usize].retain(|(node, _)| *node != at);
        }
        for text in entry.exact {
            if let Some(nodes) = self.exact.get_mut(&text) {
                nodes.retain(|node| *node != at);
            }
        }
        self.total -= entry.length;
    }

    fn mean(&self) -> f32 {
        (self.total / self.positions.len().max(1) as f32).max(1.0)
    }

    fn stem_of(&mut self, word: String) -> u32 {
        if let Some(stem) = self.words.get(&word) {
            return *stem;
        }
        let stem = self.stemmer.stem(base_form(&word)).into_owned();
        let next = self.uses.len() as u32;
        let at = *self.stems.entry(stem).or_insert(next);
        if at == next {
            self.uses.push(Vec::new());
        }
        self.letters.push((Letters::new(&word), word.clone(), at));
        self.words.insert(word, at);
        at
    }

    /// The nodes that a text describes among those that `wanted` accepts, with their scores, best first.
    pub fn search<'i>(&'i self, text: &str, wanted: impl Fn(&str) -> bool) -> Vec<(&'i str, f32)> {
        let mut scores = vec![0.0_f32; self.entries.len()];
        let mut answered = vec![0.0_f32; self.entries.len()];
        let mut stems: HashSet<u32> = HashSet::new();
        let parts = self.parts(text);
        let topic = Topic::for_query(text);
        let mut best = vec![0.0_f32; self.entries.len()];
        for part in &parts {
            let mut reached: Vec<u32> = Vec::new();
            for (stem, likeness) in part {
                stems.insert(*stem);
                for (at, score) in self.scores(*stem) {
                    let best = &mut best[at as usize];
                    if *best == 0.0 {
                        reached.push(at);
                    }
                    *best = best.max(score * likeness);
                }
            }
            for at in reached {
                scores[at as usize] += std::mem::take(&mut best[at as usize]);
                answered[at as usize] += 1.0;
            }
        }
        for (at, score) in scores.iter_mut().enumerate().filter(|(_, score)| **score > 0.0) {
            let entry = &self.entries[at];
            // A node whose whole name is in the query is more relevant than one that shares a word with it.
            let named = entry.names.iter().filter(|stem| stems.contains(stem)).count();
            *score *= 1.0 + 0.5 * named as f32 / entry.names.len().max(1) as f32;
            // A node that matches every word is more relevant than one that repeats a single word.
            *score *= 0.5 + 0.5 * answered[at] / parts.len() as f32;
            *score *= entry.weight;
            if topic.is_some_and(|it| entry.topics.contains(&it)) {
                *score *= TOPIC;
            }
        }
        for at in self.exact.get(&text.trim().to_lowercase()).into_iter().flatten() {
            scores[*at as usize] += 1000.0;
        }
        let scored = self.entries.iter().map(|entry| entry.id.as_str()).zip(scores);
        let mut found: Vec<(&str, f32)> = scored.filter(|(id, score)| *score > 0.0 && wanted(id)).collect();
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        found
    }

    /// The parts of a query: for each of its words, and for each phrase that means a word, the stems with their similarity.
    fn parts(&self, text: &str) -> Vec<Vec<(u32, f32)>> {
        let mut parts: Vec<Vec<(u32, f32)>> = query_words(text).iter().map(|word| self.meanings(word)).collect();
        for others in phrases_in(&split(text)) {
            parts.push(others.iter().filter_map(|other| Some((*self.stems.get(other)?, SYNONYM))).collect());
        }
        parts
    }

    /// The score of each node for one stem.
    fn scores(&self, stem: u32) -> impl Iterator<Item = (u32, f32)> {
        let uses = &self.uses[stem as usize];
        let (all, mean) = (self.positions.len() as f32, self.mean());
        let rarity = (1.0 + (all - uses.len() as f32 + 0.5) / (uses.len() as f32 + 0.5)).ln();
        uses.iter().map(move |(at, weight)| {
            let length = 1.0 - LENGTH + LENGTH * self.entries[*at as usize].length / mean;
            (*at, rarity * weight * (REPETITION + 1.0) / (weight + REPETITION * length))
        })
    }

    /// The stems that match a word of a query, each with its similarity: its own stem, else those of words with typos; and those of
    /// synonyms.
    fn meanings(&self, word: &str) -> Vec<(u32, f32)> {
        let mut found = self.spellings(word);
        for other in synonyms(&self.stemmer.stem(base_form(word))) {
            if let Some(at) = self.stems.get(other)
                && found.iter().all(|(it, _)| it != at)
            {
                found.push((*at, SYNONYM));
            }
        }
        found
    }

    /// The stem of a word of a query, and those of words with typos if the word itself is unknown.
    fn spellings(&self, word: &str) -> Vec<(u32, f32)> {
        if let Some(stem) = self.words.get(word) {
            return vec![(*stem, 1.0)];
        }
        let own = self.stems.get(self.stemmer.stem(base_form(word)).as_ref()).copied();
        let letters = Letters::new(word);
        let most = if letters.count >= 8 { 2 } else { usize::from(letters.count >= 4) };
        let mut found: HashMap<u32, f32> = own.into_iter().map(|stem| (stem, 1.0)).collect();
        // The letters of most words show that they are too far apart.
        let near = self.letters.iter().filter(|(it, ..)| most > 0 && it.least_distance(&letters) <= most);
        for (_, known, stem) in near {
            let distance = damerau_levenshtein(word, known);
            if distance <= most {
                let likeness = found.entry(*stem).or_default();
                *likeness = likeness.max(TYPOS[distance]);
            }
        }
        let mut found: Vec<(u32, f32)> = found.into_iter().collect();
        found.sort_unstable_by_key(|(stem, _)| *stem);
        found
    }
}

/// The words of a query; common words count only if there are no others.
fn query_words(text: &str) -> Vec<String> {
    let mut words = split(text);
    words.sort_unstable();
    words.dedup();
    match words.iter().any(|word| !is_common(word)) {
        true => words.into_iter().filter(|word| !is_common(word)).collect(),
        false => words,
    }
}

/// The texts of a node with their weights.
fn texts(node: &Node) -> Vec<(&str, f32)> {
    let mut texts = vec![(node.name.as_str(), NAME)];
    for (key, value) in &node.metadata {
        let weight = match key.as_str() {
            "title" => NAME,
            "aliases" | "triggers" => ALIAS,
            "phrases" => PHRASE,
            "access" if value == "public" => PART,
            "intent" | "purpose" | "definition" | "description" | "suggests" | "goals" | "domain" | "patterns" => TEXT,
            "fields" | "states" | "steps" | "regions" | "values" | "actor" | "given" | "when" | "then" | "guarantees" | "input"
            | "output" | "mode" | "entity" | "trigger" | "actions" | "labels" | "default_for" | "default_workspace" => PART,
            _ => continue,
        };
        add_texts(value, weight, &mut texts);
    }
    texts.extend(words::of_kind(&node.kind).iter().map(|word| (*word, KIND)));
    texts
}

fn add_texts<'v>(value: &'v Value, weight: f32, texts: &mut Vec<(&'v str, f32)>) {
    match value {
        Value::String(text) => texts.push((text, weight)),
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, weight, texts)),
        Value::Object(members) => {
            let named = members.iter().filter(|(key, _)| PARTS.contains(&key.as_str()));
            named.for_each(|(_, value)| add_texts(value, weight, texts));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
