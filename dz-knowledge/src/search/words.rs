//! Words of names, texts and queries.

use std::{collections::HashMap, sync::LazyLock};

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

/// Words that people use for the same thing in business applications. A query for one of them also finds the others, with less weight.
const SYNONYMS: &[&[&str]] = &[
    &["approve", "approval", "sign", "authorise", "authorize", "confirm", "endorse", "accept"],
    &["reject", "decline", "refuse", "deny"],
    &["email", "mail", "message", "notify", "inform", "tell", "alert"],
    &["delete", "remove", "erase", "purge", "clear", "discard"],
    &["restore", "recover", "undelete", "undo", "revert"],
    &["picture", "photo", "image"],
    &["document", "file", "attachment", "upload", "pdf"],
    &["price", "cost", "fee", "charge", "rate", "amount"],
    &["person", "people", "user", "account", "employee", "staff", "colleague"],
    &["customer", "client", "buyer"],
    &["company", "organisation", "organization", "firm", "tenant"],
    &["list", "overview", "table", "all"],
    &["create", "new", "add", "register", "enter", "submit"],
    &["edit", "change", "update", "modify", "correct"],
    &["view", "show", "display", "see", "look"],
    &["status", "state", "stage", "phase"],
    &["due", "deadline", "late", "overdue"],
    &["schedule", "cron", "nightly", "daily", "weekly", "monthly", "recurring", "periodic", "regularly", "night"],
    &["role", "persona"],
    &["rule", "constraint", "validation", "invariant", "check"],
    &["permission", "access", "right", "permit", "allow", "allowed"],
    &["report", "chart", "dashboard", "statistics", "figure", "metric", "kpi"],
    &["comment", "chat", "discussion", "conversation", "talk"],
    &["tree", "hierarchy", "parent", "nested"],
    &["retry", "again", "repeat", "attempt"],
    &["wait", "delay", "pause", "timer"],
    &["duplicate", "unique", "twice"],
    &["sensitive", "confidential", "secret", "private", "hide"],
    &["history", "version", "audit", "log", "track", "trail", "record"],
    &["settings", "configuration", "preferences", "options"],
    &["wizard", "guided", "onboarding", "experience"],
    &["payment", "pay", "paid"],
    &["invoice", "bill"],
    &["booking", "reservation", "appointment", "slot", "reserve"],
    &["stock", "inventory", "warehouse"],
    &["expire", "expiry", "lapse", "validity"],
    &["begin", "start", "first"],
    &["end", "finish", "complete", "close"],
    &["run", "manage", "lead", "head"],
    &["demo", "sample", "test", "example"],
    &["urgent", "attention", "highlight", "colour", "color", "mark"],
];

/// The stems of words that people use in place of a word, by its stem.
pub(super) fn synonyms(stem: &str) -> &'static [String] {
    static BY_STEM: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut by_stem: HashMap<String, Vec<String>> = HashMap::new();
        for group in SYNONYMS {
            let stems: Vec<String> = group.iter().map(|word| stemmer.stem(word).into_owned()).collect();
            for stem in &stems {
                let others = by_stem.entry(stem.clone()).or_default();
                others.extend(stems.iter().filter(|it| *it != stem).cloned());
            }
        }
        by_stem
    });
    BY_STEM.get(stem).map(Vec::as_slice).unwrap_or_default()
}

/// True for a query about people or roles.
pub(super) fn asks_for_people(words: &[String]) -> bool {
    words.iter().any(|word| matches!(word.as_str(), "who" | "whom" | "role" | "roles" | "persona" | "personas"))
}

/// Words that people use for nodes of a type.
pub(super) fn of_kind(kind: &str) -> &'static [&'static str] {
    match kind {
        "dsl_entity" => &["entity", "table", "record", "data"],
        "dsl_surface" => &["surface", "page", "screen"],
        "dsl_workspace" => &["workspace", "dashboard"],
        "dsl_persona" => &["persona", "role", "user"],
        "dsl_story" => &["story"],
        "dsl_process" => &["process", "workflow"],
        "dsl_service" => &["service"],
        "dsl_experience" => &["experience", "wizard"],
        "dsl_schedule" => &["schedule"],
        "dsl_llm_intent" => &["intent"],
        "dsl_enum" => &["enum", "values"],
        "concept" => &["concept"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::{is_common, split, synonyms};

    #[test]
    fn names_are_split_at_signs_and_capitals() {
        assert_eq!(split("task_list"), ["task", "list", "tasklist"]);
        assert_eq!(split("LineItem, due-date"), ["line", "item", "lineitem", "due", "date"]);
        assert_eq!(split("  "), Vec::<String>::new());
    }

    #[test]
    fn synonyms_are_stems_of_the_same_group() {
        assert!(synonyms("approv").contains(&"sign".to_owned()) && synonyms("sign").contains(&"approv".to_owned()));
        assert!(synonyms("sign").iter().all(|it| it != "sign") && synonyms("pontoon").is_empty());
    }

    #[test]
    fn common_words_are_found() {
        assert!(is_common("a") && is_common("your") && is_common("may") && !is_common("task"));
    }
}
