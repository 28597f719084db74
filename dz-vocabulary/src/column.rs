//! The names of columns. A field and its column have the same name, except for the few names that an engine refuses or loses.

use std::borrow::Cow;

/// SQLite does not name the column of a subquery by a truth value.
const TRUTH: [&str; 2] = ["true", "false"];

/// Every table of PostgreSQL has system columns with these names.
const SYSTEM: [&str; 6] = ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];

/// The column of a field: `true` becomes `true_`, and `true_` becomes `true__`, so that no two fields have one column.
///
/// ```
/// use dz_vocabulary::column_of_field;
/// assert_eq!(column_of_field("title"), "title");
/// assert_eq!((column_of_field("true"), column_of_field("xmin_")), ("true_".into(), "xmin__".into()));
/// ```
pub fn column_of_field(field: &str) -> Cow<'_, str> {
    if is_special(field) { Cow::Owned(format!("{field}_")) } else { Cow::Borrowed(field) }
}

/// The field of a column.
///
/// ```
/// use dz_vocabulary::field_of_column;
/// assert_eq!((field_of_column("true_"), field_of_column("title_")), ("true", "title_"));
/// ```
pub fn field_of_column(column: &str) -> &str {
    column.strip_suffix('_').filter(|field| is_special(field)).unwrap_or(column)
}

fn is_special(name: &str) -> bool {
    let word = name.trim_end_matches('_');
    TRUTH.iter().any(|truth| truth.eq_ignore_ascii_case(word)) || SYSTEM.contains(&word)
}
