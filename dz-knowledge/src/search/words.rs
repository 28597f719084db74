//! Words of names, texts and queries.

use std::{collections::HashMap, sync::LazyLock};

use super::irregular::base_form;
use rust_stemmers::{Algorithm, Stemmer};

/// The words of a text in lower case: split at signs and at capitals. A name of several words is also one word.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for name in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|it| !it.is_empty()) {
        let first = words.len();
        for part in name.split('_').filter(|it| !it.is_empty()) {
            let mut word = String::new();
            let mut lower_before = false;
            for c in part.chars() {
                if c.is_uppercase() && lower_before && !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                lower_before = c.is_lowercase() || c.is_numeric();
                word.extend(c.to_lowercase());
            }
            words.push(word);
        }
        if words.len() > first + 1 {
            words.push(words[first..].concat());
        }
    }
    words
}

/// The number of letters of a word, and the set of its letters as bits; several letters can share a bit.
pub(super) struct Letters {
    pub count: usize,
    set: u64,
}

impl Letters {
    pub fn new(word: &str) -> Letters {
        let set = word.chars().fold(0, |set, c| set | 1 << (u32::from(c) % 64));
        Letters { count: word.chars().count(), set }
    }

    /// A lower bound of the number of typos between two words: each changes the length by one, and adds or removes one letter.
    pub fn least_distance(&self, other: &Letters) -> usize {
        let letters = (self.set & !other.set).count_ones().max((other.set & !self.set).count_ones());
        self.count.abs_diff(other.count).max(letters as usize)
    }
}

/// True for a word without a topic, which every query can contain.
pub(super) fn is_common(word: &str) -> bool {
    const COMMON: &[&str] = &[
        "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "do", "does", "each", "for",
        "from", "get", "gets", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "make", "may", "me", "must", "my",
        "need", "of", "on", "one", "only", "or", "our", "out", "should", "so", "some", "such", "than", "that", "the", "their", "them",
        "then", "there", "these", "they", "thing", "things", "this", "those", "to", "us", "want", "was", "we", "were", "what", "when",
        "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
    ];
    COMMON.binary_search(&word).is_ok()
}

/// Words and phrases that people use for the same thing in business applications, one group in a line. A query for one of them also
/// finds the others, with less weight.
const GROUPS: &str = include_str!("../../knowledge/words.txt");

/// The thesaurus: what a word or a phrase also means.
#[derive(Default)]
struct Thesaurus {
    /// By the stem of a word.
    words: HashMap<String, Vec<String>>,
    /// By the stems of a phrase.
    phrases: Vec<(Vec<String>, Vec<String>)>,
}

static THESAURUS: LazyLock<Thesaurus> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut all = Thesaurus::default();
    for line in GROUPS.lines() {
        let terms: Vec<Vec<String>> = line.split(',').map(|term| stems_of(&stemmer, &split_plain(term))).collect();
        let single: Vec<&String> = terms.iter().filter(|term| term.len() == 1).map(|term| &term[0]).collect();
        for term in &terms {
            let others = single.iter().filter(|it| term.len() > 1 || **it != &term[0]).map(|it| (*it).clone());
            match term.as_slice() {
                [stem] => all.words.entry(stem.clone()).or_default().extend(others),
                phrase => all.phrases.push((phrase.to_vec(), others.collect())),
            }
        }
    }
    all
});

fn split_plain(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

fn stems_of(stemmer: &Stemmer, words: &[String]) -> Vec<String> {
    words.iter().map(|word| stemmer.stem(base_form(word)).into_owned()).collect()
}

/// The stems of words that people use in place of a word, by its stem.
pub(super) fn synonyms(stem: &str) -> &'static [String] {
    THESAURUS.words.get(stem).map(Vec::as_slice).unwrap_or_default()
}

/// What the phrases in a query mean: for each phrase, the stems of words.
pub(super) fn phrases_in(words: &[String]) -> Vec<&'static [String]> {
    let stems = stems_of(&Stemmer::create(Algorithm::English), words);
    let is_in = |phrase: &[String]| stems.windows(phrase.len()).any(|part| part == phrase);
    THESAURUS.phrases.iter().filter(|(phrase, _)| is_in(phrase)).map(|(_, others)| others.as_slice()).collect()
}

/// Words that people use for nodes of a type.
pub(super) fn of_kind(kind: &str) -> &'static [&'static str] {
    match kind {
        "dsl_entity" => &["entity", "table", "record", "data"],
        "dsl_surface" => &["surface", "page", "screen", "form"],
        "dsl_workspace" => &["workspace", "dashboard", "start", "page"],
        "dsl_persona" => &["persona", "role", "user"],
        "dsl_story" => &["story"],
        "dsl_process" => &["process", "workflow", "happens", "after"],
        "dsl_service" => &["service"],
        "dsl_experience" => &["experience", "wizard", "onboarding"],
        "dsl_schedule" => &["schedule", "job"],
        "dsl_llm_intent" => &["intent"],
        "dsl_enum" => &["enum", "values", "kinds", "types"],
        "concept" => &["concept"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::{is_common, phrases_in, split, synonyms};

    #[test]
    fn names_are_split_at_signs_and_capitals() {
        assert_eq!(split("task_list"), ["task", "list", "tasklist"]);
        assert_eq!(split("LineItem, due-date"), ["line", "item", "lineitem", "due", "date"]);
        assert_eq!(split("  "), Vec::<String>::new());
    }

    #[test]
    fn synonyms_are_stems_of_the_same_group() {
        assert!(synonyms("approv").contains(&"confirm".to_owned()) && synonyms("confirm").contains(&"approv".to_owned()));
        assert!(synonyms("confirm").iter().all(|it| it != "confirm") && synonyms("pontoon").is_empty());
    }

    #[test]
    fn a_phrase_means_words() {
        let words = split("somebody has to sign off the report");
        assert!(phrases_in(&words).iter().any(|others| others.contains(&"approv".to_owned())));
        assert!(phrases_in(&split("pontoon")).is_empty());
    }

    #[test]
    fn common_words_are_found() {
        assert!(is_common("a") && is_common("your") && is_common("may") && !is_common("task"));
    }
}
