//! Irregular forms of words, which no stemmer knows: `took` is a form of `take`, and `children` of `child`.

use std::{collections::HashMap, sync::LazyLock};

/// A word with its other forms in each line.
const FORMS: &str = include_str!("../../knowledge/irregular.txt");

static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = FORMS.lines().filter_map(|line| line.split_once(' '));
    lines.flat_map(|(base, forms)| forms.split(' ').map(move |form| (form, base))).collect()
});

/// The word of which this one is an irregular form, or itself.
pub(super) fn base_form(word: &str) -> &str {
    BASES.get(word).copied().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::base_form;

    #[test]
    fn irregular_forms_have_their_word() {
        assert_eq!((base_form("took"), base_form("taken"), base_form("children")), ("take", "take", "child"));
        assert_eq!(base_form("pontoon"), "pontoon");
    }
}
