//! The names of fields, lists and enumeration values in GraphQL.

/// The types of GraphQL, and those of dz that every schema can contain.
pub const RESERVED_TYPES: &[&str] = &[
    "Query",
    "Mutation",
    "Subscription",
    "String",
    "Int",
    "Float",
    "Boolean",
    "ID",
    "BigInt",
    "Date",
    "DateTime",
    "Decimal",
    "JSON",
    "UUID",
    "PageInfo",
];

/// The camelCase name of a field or table: `created_at` becomes `createdAt`.
pub fn field_name(name: &str) -> String {
    let mut parts = name.split('_').filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut letters = part.chars();
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(letters.as_str());
        name
    })
}

/// The name of the query for one row: `LineItem` becomes `lineItem`.
pub fn single_name(entity: &str) -> String {
    let mut letters = entity.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters.as_str().chars()).collect()
}

/// The name of the query for many rows: the table as a field name, or `<name>List` if that is the name for one row.
pub fn list_name(entity: &str, table: &str) -> String {
    let (single, plural) = (single_name(entity), field_name(table));
    if single == plural { format!("{single}List") } else { plural }
}

/// The name of an enumeration value: `in progress` becomes `in_progress`, and `2fa` becomes `_2fa`.
pub fn enum_value(value: &str) -> String {
    let mut name: String = value.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if name.starts_with(|letter: char| letter.is_ascii_digit()) || name.is_empty() {
        name.insert(0, '_');
    }
    // The grammar excludes these words, and names with two underscores at the start belong to introspection.
    if matches!(name.as_str(), "true" | "false" | "null") {
        name.push('_');
    }
    if name.starts_with("__") {
        name.insert_str(0, "value");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_conventions_of_graphql() {
        assert_eq!((field_name("created_at"), field_name("id"), field_name("line_2_total")).0, "createdAt");
        assert_eq!(field_name("line_2_total"), "line2Total");
        assert_eq!((single_name("LineItem"), list_name("LineItem", "line_items")), ("lineItem".to_owned(), "lineItems".to_owned()));
        assert_eq!(list_name("News", "news"), "newsList");
        for (value, name) in [("in progress", "in_progress"), ("2fa", "_2fa"), ("type", "type"), ("true", "true_"), ("--", "value__")] {
            assert_eq!(enum_value(value), name);
        }
    }
}
