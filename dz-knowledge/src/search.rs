//! Search over names, titles, texts, fields and aliases: BM25 over stems, with tolerance for typos.

mod words;

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use serde_json::Value;
use strsim::damerau_levenshtein;

use self::words::{Letters, asks_for_people, is_common, split, synonyms};
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

/// The weight of modules, whose names contain words of everything inside.
const MODULE: f32 = 0.5;

/// The weight of personas for a query about people.
const PERSONA: f32 = 1.5;

/// The weights of a word by its place in a node.
const NAME: f32 = 4.0;
const ALIAS: f32 = 3.0;
const TEXT: f32 = 1.5;
const PART: f32 = 1.0;
const KIND: f32 = 0.4;

/// A use of a word: the position of the node, and the weight of its uses there.
type Use = (u32, f32);

/// The words of a graph.
pub(crate) struct Index {
    stemmer: Stemmer,
    /// Words, each with its stem.
    words: HashMap<String, u32>,
    /// The same, with the letters of each word.
    letters: Vec<(Letters, String, u32)>,
    stems: HashMap<String, u32>,
    uses: Vec<Vec<Use>>,
    lengths: Vec<f32>,
    mean: f32,
    ids: Vec<String>,
    /// The stems of the name of each node.
    names: Vec<Vec<u32>>,
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
            lengths: Vec::new(),
            mean: 1.0,
            ids: Vec::new(),
            names: Vec::new(),
            exact: HashMap::new(),
        };
        for (at, node) in (0..).zip(graph.nodes()) {
            index.add(at, node);
        }
        index.mean = (index.lengths.iter().sum::<f32>() / index.lengths.len().max(1) as f32).max(1.0);
        index
    }

    fn add(&mut self, at: u32, node: &Node) {
        let mut weights: HashMap<u32, f32> = HashMap::new();
        let mut length = 0.0;
        let mut names: Vec<u32> = Vec::new();
        for (text, weight) in texts(node) {
            for word in split(text) {
                let stem = self.stem_of(word);
                *weights.entry(stem).or_default() += weight;
                length += 1.0;
                if weight == NAME && !names.contains(&stem) {
                    names.push(stem);
                }
            }
        }
        for (stem, weight) in weights {
            self.uses[stem as usize].push((at, weight));
        }
        self.lengths.push(length);
        self.ids.push(node.id.clone());
        self.names.push(names);
        let title = node.metadata.get("title").and_then(Value::as_str).unwrap_or(&node.name);
        let mut exact = [node.id.to_lowercase(), node.name.to_lowercase(), title.to_lowercase()];
        exact.sort_unstable();
        for text in exact {
            let nodes = self.exact.entry(text).or_default();
            if nodes.last() != Some(&at) {
                nodes.push(at);
            }
        }
    }

    fn stem_of(&mut self, word: String) -> u32 {
        if let Some(stem) = self.words.get(&word) {
            return *stem;
        }
        let stem = self.stemmer.stem(&word).into_owned();
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
        let mut scores = vec![0.0_f32; self.ids.len()];
        let mut answered = vec![0_u16; self.ids.len()];
        let mut stems: Vec<u32> = Vec::new();
        let sought = query_words(text);
        let about_people = asks_for_people(&split(text));
        for word in &sought {
            let mut best: HashMap<u32, f32> = HashMap::new();
            for (stem, likeness) in self.meanings(word) {
                stems.push(stem);
                for (at, score) in self.scores(stem) {
                    let best = best.entry(at).or_default();
                    *best = best.max(score * likeness);
                }
            }
            for (at, score) in best {
                scores[at as usize] += score;
                answered[at as usize] += 1;
            }
        }
        for (at, score) in scores.iter_mut().enumerate().filter(|(_, score)| **score > 0.0) {
            // A node whose whole name is in the query is more relevant than one that shares a word with it.
            let names = &self.names[at];
            let named = names.iter().filter(|stem| stems.contains(stem)).count();
            *score *= 1.0 + 0.5 * named as f32 / names.len().max(1) as f32;
            // A node that matches every word is more relevant than one that repeats a single word.
            *score *= 0.5 + 0.5 * f32::from(answered[at]) / sought.len() as f32;
            *score *= match self.ids[at].split_once(':').map(|(prefix, _)| prefix) {
                _ if is_framework(&self.ids[at]) => FRAMEWORK,
                Some("module") => MODULE,
                Some("persona") if about_people => PERSONA,
                Some(_) | None => 1.0,
            };
        }
        for at in self.exact.get(&text.trim().to_lowercase()).into_iter().flatten() {
            scores[*at as usize] += 1000.0;
        }
        let scored = self.ids.iter().map(String::as_str).zip(scores);
        let mut found: Vec<(&str, f32)> = scored.filter(|(id, score)| *score > 0.0 && wanted(id)).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        found
    }

    /// The score of each node for one stem.
    fn scores(&self, stem: u32) -> impl Iterator<Item = (u32, f32)> {
        let uses = &self.uses[stem as usize];
        let all = self.lengths.len() as f32;
        let rarity = (1.0 + (all - uses.len() as f32 + 0.5) / (uses.len() as f32 + 0.5)).ln();
        uses.iter().map(move |(at, weight)| {
            let length = 1.0 - LENGTH + LENGTH * self.lengths[*at as usize] / self.mean;
            (*at, rarity * weight * (REPETITION + 1.0) / (weight + REPETITION * length))
        })
    }

    /// The stems that match a word of a query, each with its similarity: its own stem, else those of words with typos; and those of
    /// synonyms.
    fn meanings(&self, word: &str) -> Vec<(u32, f32)> {
        let mut found = self.spellings(word);
        for other in synonyms(&self.stemmer.stem(word)) {
            if let Some(at) = self.stems.get(other)
                && found.iter().all(|(it, _)| it != at)
            {
                found.push((*at, SYNONYM));
            }
        }
        found
    }

    /// The stem of a word of a query, else those of words with typos.
    fn spellings(&self, word: &str) -> Vec<(u32, f32)> {
        if let Some(stem) = self.stems.get(self.stemmer.stem(word).as_ref()) {
            return vec![(*stem, 1.0)];
        }
        let letters = Letters::new(word);
        let most = if letters.count >= 8 { 2 } else { usize::from(letters.count >= 4) };
        let mut found: HashMap<u32, f32> = HashMap::new();
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
            "intent" | "purpose" | "definition" | "description" | "suggests" | "goals" | "domain" | "patterns" => TEXT,
            "fields" | "states" | "steps" | "regions" | "values" | "actor" | "given" | "when" | "then" | "guarantees" | "input"
            | "output" | "mode" | "entity" => PART,
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
            let named = members.iter().filter(|(key, _)| matches!(key.as_str(), "name" | "title" | "values" | "display"));
            named.for_each(|(_, value)| add_texts(value, weight, texts));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
