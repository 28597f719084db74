//! Finds the known word of which another word is a misspelling, and decides whether this is certain.

use std::{borrow::Cow, fmt, ops::Deref};

/// The known word that is nearest to a written one. [`Diagnostic::replace`](crate::Diagnostic::replace) makes a certain edit of
/// it if no other known word is as near, and if the two differ by a typo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near<'a> {
    text: Cow<'a, str>,
    certain: bool,
}

impl<'a> Near<'a> {
    /// True if few enough letters differ for a typo: one, or two of a long word. Two letters of a short word make another word,
    /// as in `member` and `mender`.
    fn is_slip(distance: usize, letters: usize) -> bool {
        distance <= if letters < 8 { 1 } else { 2 }
    }

    /// The word without a reference to the text of its list.
    pub fn into_owned(self) -> Near<'static> {
        Near { text: Cow::Owned(self.text.into_owned()), certain: self.certain }
    }

    /// The same word in the form that the place needs: in quotes, after a slash.
    pub fn spelled_as(&self, as_text: impl FnOnce(&str) -> String) -> Near<'static> {
        Near { text: Cow::Owned(as_text(&self.text)), certain: self.certain }
    }

    /// The same word as a proposal, because the written word could also have another meaning.
    pub fn as_proposal(self) -> Near<'a> {
        Near { certain: false, ..self }
    }

    /// True if the correction is certain.
    pub fn is_certain(&self) -> bool {
        self.certain
    }
}

impl Deref for Near<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The candidate nearest to `name`, if one is near enough.
pub fn near_word<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Near<'a>> {
    const LONGEST: usize = 80;
    if name.len() > LONGEST {
        return None;
    }
    let (name_letters, name_length) = (Letters::count(name), name.chars().count());
    let lower = name.to_lowercase();
    // A typo rarely changes the first letter, and seldom its case.
    let first = |it: &str| {
        let other = !it.chars().flat_map(char::to_lowercase).next().eq(&lower.chars().next());
        (other, it.chars().next() != name.chars().next())
    };
    let mut best: Option<(usize, &str)> = None;
    let mut alone = true;
    for it in candidates {
        let letters = Letters::count(it);
        // Two single letters are not similar.
        let longer = name_length.max(it.chars().count());
        let limit = if longer < 2 { 0 } else { 1.max(longer / 3) };
        // Most words differ in many letters, which this check finds without a comparison letter by letter.
        if name_letters.least_distance(&letters) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lower, &it.to_lowercase());
        if distance > limit {
            continue;
        }
        match best {
            Some((least, word)) if least < distance || word == it => {}
            Some((least, word)) if least == distance => {
                alone = false;
                if (first(it), it.len(), it) < (first(word), word.len(), word) {
                    best = Some((distance, it));
                }
            }
            _ => (best, alone) = (Some((distance, it)), true),
        }
    }
    best.map(|(distance, it)| Near {
        text: Cow::Borrowed(it),
        certain: alone && Near::is_slip(distance, name_length.max(it.chars().count())) && !is_half_other(name, it),
    })
}

/// True for two words of two letters that differ in one: `c1` and `c2` are two words, `kp` and `pk` are one word with a typo.
fn is_half_other(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let (one, other) = (sorted(one), sorted(other));
    one.len() == 2 && other.len() == 2 && one != other
}

/// The text of the candidate nearest to `name`, for a "did you mean" text without an edit.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    match near_word(name, candidates)?.text {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

/// The number of letters of a word in lower case, and the set of its letters as bits; several letters can share a bit.
#[derive(Default)]
struct Letters {
    count: usize,
    set: u64,
}

impl Letters {
    fn count(word: &str) -> Letters {
        let mut it = Letters::default();
        let mut add = |c: char| {
            it.count += 1;
            it.set |= 1 << (u32::from(c) % 64);
        };
        match word.is_ascii() {
            true => word.chars().for_each(|c| add(c.to_ascii_lowercase())),
            false => word.to_lowercase().chars().for_each(add),
        }
        it
    }

    /// A lower bound of the edit distance: each edit changes the length by one, and adds or removes one letter.
    fn least_distance(&self, other: &Letters) -> usize {
        let lengths = self.count.abs_diff(other.count);
        let letters = (self.set & !other.set).count_ones().max((other.set & !self.set).count_ones());
        lengths.max(letters as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Letters, near_word, nearest};

    proptest! {
        /// Candidates that are skipped early must not be near.
        #[test]
        fn the_least_distance_is_no_more_than_the_distance(one in "[a-eA-Eéß_İΣ]{0,12}", other in "[a-eA-Eéß_İΣ]{0,12}") {
            let least = Letters::count(&one).least_distance(&Letters::count(&other));
            let distance = strsim::damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase());
            prop_assert!(least <= distance, "{least} > {distance}");
        }
    }

    #[test]
    fn the_nearest_is_found() {
        assert_eq!(nearest("requird", ["optional", "required", "unique"]), Some("required"));
        assert_eq!(nearest("Requierd", ["required"]), Some("required"));
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("naem", ["name", "mean"]), Some("name"));
        assert_eq!(nearest("zone", ["status", "kept_for"]), None);
    }

    #[test]
    fn only_one_word_of_two_letters_is_certain() {
        let certain = |name, candidates: &[&'static str]| near_word(name, candidates.iter().copied()).map(|it| it.is_certain());
        assert_eq!(certain("requird", &["optional", "required", "unique"]), Some(true));
        assert_eq!(certain("new_count", &["now_count", "old_count"]), Some(true));
        assert_eq!(certain("c1", &["c2"]), Some(false), "half of the word differs");
        assert_eq!(certain("kp", &["pk"]), Some(true));
        assert_eq!(certain("lat", &["cat", "hat"]), Some(false), "two words are as near");
        assert_eq!(certain("member", &["mender"]), Some(false), "two letters of a short word");
        assert_eq!(certain("lat", &["cat", "cat"]), Some(true), "one word that is listed twice");
        assert_eq!(certain("proficiency_level", &["proficiency_names"]), Some(false), "five letters differ");
        assert_eq!(certain("departments", &["department_s_x"]), Some(false), "three letters differ");
        assert!(!near_word("requird", ["required"]).expect("a word").as_proposal().is_certain());
    }
}
