//! Names: titles from identifiers, plurals, and Rust identifiers.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// True for a word in upper case, such as `SATB`.
fn is_abbreviation(name: &str) -> bool {
    name.chars().filter(|c| c.is_uppercase()).count() > 1 && name.chars().all(|c| c.is_uppercase() || c.is_numeric())
}

/// `line_item` → `Line item`; `OrderLine` → `Order line`; `SATB` stays.
pub fn humanise(name: &str) -> String {
    if is_abbreviation(name) {
        return name.to_owned();
    }
    // Most names are in snake case already.
    let simple = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let snake = if name.split('_').all(simple) { name.to_owned() } else { name.to_snake_case() };
    let spaced = if snake.is_empty() { name.to_owned() } else { snake.replace('_', " ") };
    let mut chars = spaced.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().collect::<String>() + chars.as_str(),
        None => spaced,
    }
}

/// A title inside a sentence: `Line item` → `line item`, while `API key` stays.
pub fn within(title: &str) -> String {
    let mut chars = title.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_uppercase() => format!("{first}{second}{}", chars.as_str()),
        (Some(first), second) => first.to_lowercase().chain(second).chain(chars).collect(),
        (None, _) => String::new(),
    }
}

const IRREGULAR: &[(&str, &str)] = &[
    ("person", "people"),
    ("child", "children"),
    ("man", "men"),
    ("woman", "women"),
    ("datum", "data"),
    ("criterion", "criteria"),
    ("phenomenon", "phenomena"),
    ("medium", "media"),
    ("mouse", "mice"),
    ("goose", "geese"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("index", "indices"),
    ("matrix", "matrices"),
    ("vertex", "vertices"),
    ("leaf", "leaves"),
    ("half", "halves"),
    ("life", "lives"),
    ("shelf", "shelves"),
    ("wolf", "wolves"),
    ("knife", "knives"),
    ("wife", "wives"),
    ("ox", "oxen"),
    ("quiz", "quizzes"),
];

const UNCHANGED: &[&str] = &["news", "series", "species", "equipment", "information", "staff", "feedback", "data", "sheep", "fish"];

/// The plural of a title: of the word before ` of `, else of the last word.
pub fn plural_title(title: &str) -> String {
    match title.split_once(" of ") {
        Some((head, rest)) => format!("{} of {rest}", plural(head)),
        None => plural(title),
    }
}

/// True for a word with a plural ending. Endings of singulars such as `bus`, `address`, `gas` and `lens` do not count.
fn is_plural(word: &str) -> bool {
    const SINGULAR: &[&str] = &["lens", "corps"];
    let Some(stem) = word.strip_suffix('s') else { return false };
    let regular = !stem.ends_with(['s', 'u', 'i', 'a', 'o']) && stem.chars().count() > 1;
    (regular && !SINGULAR.contains(&word)) || IRREGULAR.iter().any(|(_, many)| *many == word)
}

/// The plural of the last word of a snake_case or spaced name; a plural does not change.
pub fn plural(name: &str) -> String {
    let at = name.rfind(['_', ' ']).map_or(0, |at| at + 1);
    let (head, last) = name.split_at(at);
    let lower = last.to_lowercase();
    if UNCHANGED.contains(&lower.as_str()) || is_plural(&lower) {
        return name.to_owned();
    }
    if let Some((_, many)) = IRREGULAR.iter().find(|(one, _)| *one == lower) {
        let capital = last.chars().next().is_some_and(char::is_uppercase);
        let many = if capital { humanise(many) } else { (*many).to_owned() };
        return format!("{head}{many}");
    }
    let mut chars = lower.chars().rev();
    let end = chars.next().unwrap_or('s');
    let before = chars.next().unwrap_or('a');
    let vowel = |c: char| "aeiou".contains(c);
    if let Some(stem) = last.strip_suffix("is") {
        format!("{head}{stem}es")
    } else if end == 'y' && !vowel(before) {
        format!("{head}{}ies", &last[..last.len() - 1])
    } else if matches!(end, 's' | 'x' | 'z') || lower.ends_with("ch") || lower.ends_with("sh") {
        format!("{head}{last}es")
    } else {
        format!("{head}{last}s")
    }
}

/// An entity's name in snake case: the name of its module; its plural is the name of its table.
pub fn snake(name: &str) -> String {
    let snake = name.to_snake_case();
    if snake.is_empty() { name.to_lowercase() } else { snake }
}

/// The form in which a database compares names of tables, columns and indexes: SQLite ignores the case of ASCII letters, also in
/// quotes.
///
/// ```
/// use dz_dsl_file::names::in_database;
/// assert_eq!(in_database("ORDERS"), in_database("orders"));
/// assert_ne!(in_database("É"), in_database("é"));
/// ```
pub fn in_database(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// `in progress` → `InProgress`, `2fa` → `V2fa`, `self` → `Self_`: always an identifier of Rust.
pub fn variant(value: &str) -> String {
    let camel: String = value.to_upper_camel_case().chars().filter(|c| unicode_ident::is_xid_continue(*c)).collect();
    match camel.chars().next() {
        _ if camel == "Self" => rust_ident(&camel),
        Some(first) if unicode_ident::is_xid_start(first) => camel,
        _ => format!("V{camel}"),
    }
}

/// `Task` and `status` → `TaskStatus`.
pub fn camel(name: &str) -> String {
    name.to_upper_camel_case()
}

const RUST_KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let",
    "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "true", "type", "unsafe", "use", "where",
    "while", "abstract", "become", "box", "do", "final", "gen", "macro", "override", "priv", "try", "typeof", "unsized", "virtual",
    "yield",
];

/// A name as a Rust identifier: keywords become raw, except four, which get a trailing underscore.
pub fn rust_ident(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" => format!("{name}_"),
        _ if RUST_KEYWORDS.contains(&name) => format!("r#{name}"),
        _ => name.to_owned(),
    }
}

/// True if the column of a field has another name than the field, because an engine refuses or loses that name.
pub fn is_column_renamed(field: &str) -> bool {
    dz_vocabulary::column_of_field(field) != field
}

/// True for a single word, such as `in_work` and not `in work`.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|c| c == '_' || unicode_ident::is_xid_start(c)) && text.chars().all(unicode_ident::is_xid_continue)
}

/// A value of an enum as a declaration contains it: in quotes unless it is a single word.
///
/// ```
/// assert_eq!(dz_dsl_file::names::as_value("open"), "open");
/// assert_eq!(dz_dsl_file::names::as_value("in work"), "\"in work\"");
/// ```
pub fn as_value(value: &str) -> String {
    if is_identifier(value) { value.to_owned() } else { format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_follow_the_table() {
        for (one, many) in [
            ("task", "tasks"),
            ("line_item", "line_items"),
            ("person", "people"),
            ("company", "companies"),
            ("day", "days"),
            ("bus", "buses"),
            ("box", "boxes"),
            ("branch", "branches"),
            ("analysis", "analyses"),
            ("shelf", "shelves"),
            ("app_settings", "app_settings"),
            ("news", "news"),
            ("sales_person", "sales_people"),
            ("Line item", "Line items"),
            ("Person", "People"),
            ("house_rules", "house_rules"),
            ("office_hours", "office_hours"),
            ("lens", "lenses"),
            ("address", "addresses"),
            ("status", "statuses"),
            ("atlas", "atlases"),
            ("gas", "gases"),
        ] {
            assert_eq!(plural(one), many, "{one}");
        }
    }

    #[test]
    fn plurals_of_titles_are_those_of_the_head() {
        for (one, many) in [
            ("Set of copies", "Sets of copies"),
            ("Genre of a work", "Genres of a work"),
            ("House rules", "House rules"),
            ("Line item", "Line items"),
            ("Proof", "Proofs"),
        ] {
            assert_eq!(plural_title(one), many, "{one}");
        }
    }

    #[test]
    fn words_in_upper_case_stay() {
        for (name, title) in [("SATB", "SATB"), ("USA", "USA"), ("A4", "A4"), ("A", "A"), ("IN_WORK", "In work"), ("Unison", "Unison")] {
            assert_eq!(humanise(name), title, "{name}");
        }
    }

    #[test]
    fn identifiers_are_legal_rust() {
        assert_eq!(variant("in progress"), "InProgress");
        assert_eq!(variant("2fa"), "V2fa");
        assert_eq!(variant("type"), "Type");
        assert_eq!(rust_ident("type"), "r#type");
        assert_eq!(rust_ident("self"), "self_");
        assert_eq!(humanise("line_item"), "Line item");
        assert_eq!(humanise("OrderLine"), "Order line");
        assert_eq!(humanise("line2_items"), "Line2 items");
        assert_eq!(humanise("_line__item_"), "Line item");
    }
}
