//! The choice of a language.

use super::wanted;

#[test]
fn languages_of_a_header_are_ordered_by_weight() {
    assert_eq!(wanted("de-AT,de;q=0.8,en;q=0.9,fr;q=0,*;q=0.1"), ["de-AT", "en", "de", "*"]);
    assert_eq!(wanted("en ; q=0.5 , he"), ["he", "en"]);
    assert!(wanted("de;q=x").is_empty());
    assert_eq!(wanted(&"xx,".repeat(1_000)).len(), super::MOST_WANTED);
}
