//! Names of entities and fields, from those of tables and columns.

use dz_dsl_file::names::{camel, plural, snake};

/// The name of the entity for a table: `order_lines` → `OrderLine`, `Track` → `Track`.
pub fn entity(table: &str) -> String {
    let words = words(table);
    let (head, last) = words.rsplit_once('_').map_or(("", words.as_str()), |(head, last)| (head, last));
    let singular = singular(last);
    camel(&if head.is_empty() { singular } else { format!("{head}_{singular}") })
}

/// The name of the field for a column: `UnitPrice` → `unit_price`.
pub fn field(column: &str) -> String {
    words(column)
}

/// The table name that dz derives from the name of an entity.
pub fn table(entity: &str) -> String {
    plural(&snake(entity))
}

/// True for a name that is valid in the language.
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A name that differs from all others, with a number if necessary.
pub fn distinct(name: String, others: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|it| !others.contains(it)).unwrap_or(name)
}

/// Words in lower case with `_` between them; a name that begins with a digit gets a letter.
fn words(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let words = snake(plain.trim_matches('_'));
    match words.chars().next() {
        Some(first) if first.is_alphabetic() => words,
        _ => format!("x{words}"),
    }
}

/// Words that end in `s` and whose singular is the same word.
const UNCHANGED: &[&str] = &["news", "series", "species"];

/// The word of which this one is the plural, else the word itself.
fn singular(word: &str) -> String {
    if UNCHANGED.contains(&word) {
        return word.to_owned();
    }
    let stem = |end: &str, with: &str| word.strip_suffix(end).map(|stem| format!("{stem}{with}"));
    let irregular =
        [("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman"), ("indices", "index"), ("matrices", "matrix")];
    let known = irregular.iter().find(|(many, _)| *many == word).map(|(_, one)| (*one).to_owned());
    let hisses = |stem: &String| ["ss", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end));
    let latin = |stem: &String| stem.ends_with("us") && !["ous", "aus"].iter().any(|end| stem.ends_with(end)) && stem.len() > 3;
    let long = stem("es", "").filter(|stem| hisses(stem) || latin(stem));
    let candidates = [known, stem("ies", "y"), stem("yses", "ysis"), long, stem("s", "")];
    let is_singular = |candidate: &String| candidate.chars().count() > 1 && *candidate != word && plural(candidate) == word;
    candidates.into_iter().flatten().find(is_singular).unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{distinct, entity, field};

    #[test]
    fn names_become_those_of_the_language() {
        for (table, name) in [
            ("order_lines", "OrderLine"),
            ("Track", "Track"),
            ("MediaType", "MediaType"),
            ("addresses", "Address"),
            ("categories", "Category"),
            ("statuses", "Status"),
            ("houses", "House"),
            ("tax_boxes", "TaxBox"),
            ("invoices", "Invoice"),
            ("people", "Person"),
            ("analyses", "Analysis"),
            ("news", "News"),
            ("order details", "OrderDetail"),
            ("2fa_codes", "X2faCode"),
        ] {
            assert_eq!(entity(table), name);
        }
        assert_eq!(["UnitPrice", "unit price", "id", "2nd"].map(field), ["unit_price", "unit_price", "id", "x2nd"]);
        assert_eq!(distinct("a".to_owned(), &["a".to_owned(), "a_2".to_owned()]), "a_3");
    }
}
