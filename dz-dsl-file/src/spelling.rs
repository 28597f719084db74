//! Which known word a misspelt one was meant to be, and whether that can be said for certain.

use std::{borrow::Cow, fmt, ops::Deref};

/// The known word that is nearest to a written one. What [`Diagnostic::replace`](crate::Diagnostic::replace) makes of it is
/// certain only where no other known word is as near, and where no more than a slip makes one of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near<'a> {
    text: Cow<'a, str>,
    certain: bool,
}

impl<'a> Near<'a> {
    /// True when so few letters differ that it is a slip: one, or two of a long word. Two of a short one make another word, as
    /// `member` and `mender` are.
    fn is_slip(distance: usize, letters: usize) -> bool {
        distance <= if letters < 8 { 1 } else { 2 }
    }

    /// The word without the text that it was found in.
    pub fn into_owned(self) -> Near<'static> {
        Near { text: Cow::Owned(self.text.into_owned()), certain: self.certain }
    }

    /// The same word, written as this place needs it: in quotes, behind a slash.
    pub fn written(&self, as_text: impl FnOnce(&str) -> String) -> Near<'static> {
        Near { text: Cow::Owned(as_text(&self.text)), certain: self.certain }
    }

    /// The same word, which a person must choose: the text has a meaning without it, or the word says something else.
    pub fn doubtful(self) -> Near<'a> {
        Near { certain: false, ..self }
    }

    /// True when the written word can only have been this one.
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

/// The candidate nearest to `name`, when one is near enough to be meant.
pub fn near_word<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Near<'a>> {
    const LONGEST: usize = 80;
    if name.len() > LONGEST {
        return None;
    }
    let (name_letters, name_length) = (Letters::count(name), name.chars().count());
    let lower = name.to_lowercase();
    let first = |it: &str| it.chars().next() != name.chars().next();
    let mut best: Option<(usize, &str)> = None;
    let mut alone = true;
    for it in candidates {
        let letters = Letters::count(it);
        // A single letter beside another single letter says nothing.
        let longer = name_length.max(it.chars().count());
        let limit = if longer < 2 { 0 } else { 1.max(longer / 3) };
        // Most words are far apart, which is seen without comparing them letter by letter.
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
                // A slip of the pen leaves the first letter where it is, most of the time.
                if (first(it), it.len(), it) < (first(word), word.len(), word) {
                    best = Some((distance, it));
                }
            }
            _ => (best, alone) = (Some((distance, it)), true),
        }
    }
    best.map(|(distance, it)| Near {
        text: Cow::Borrowed(it),
        certain: alone && Near::is_slip(distance, name_length.max(it.chars().count())),
    })
}

/// The text of the candidate nearest to `name`, for a question and not for an edit.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    match near_word(name, candidates)?.text {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

/// How many letters a word has in lower case, and which, as bits; several letters may share one.
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

    /// No fewer edits make one word of the other: each changes the length by one, and takes away or brings one letter.
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
        /// What is skipped unseen would not have been near.
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
        assert_eq!(certain("lat", &["cat", "hat"]), Some(false), "two words are as near");
        assert_eq!(certain("member", &["mender"]), Some(false), "two letters of a short word");
        assert_eq!(certain("lat", &["cat", "cat"]), Some(true), "one word that is listed twice");
        assert_eq!(certain("proficiency_level", &["proficiency_names"]), Some(false), "five letters differ");
        assert_eq!(certain("departments", &["department_s_x"]), Some(false), "three letters differ");
        assert!(!near_word("requird", ["required"]).expect("a word").doubtful().is_certain());
    }
}
