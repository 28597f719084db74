//! Words of names, texts and queries.

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
    pub fn of(word: &str) -> Letters {
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
    use super::{is_common, split};

    #[test]
    fn names_are_split_at_signs_and_capitals() {
        assert_eq!(split("task_list"), ["task", "list", "tasklist"]);
        assert_eq!(split("LineItem, due-date"), ["line", "item", "lineitem", "due", "date"]);
        assert_eq!(split("  "), Vec::<String>::new());
    }

    #[test]
    fn common_words_are_found() {
        assert!(is_common("a") && is_common("your") && is_common("may") && !is_common("task"));
    }
}
