//! The description of a key for the reference.

use crate::Kind;

/// A key, as the reference describes it.
#[derive(Debug, Clone)]
pub struct Key {
    /// Its name in the file.
    pub name: &'static str,
    /// Its documentation.
    pub documentation: String,
    /// The accepted values.
    pub accepted: String,
    /// Its default in words; `None` for a key that is required.
    pub default: Option<String>,
    /// The environment variable that takes precedence.
    pub variable: Option<&'static str>,
    /// The keys of the table that is its value, or of each table in it.
    pub keys: Vec<Key>,
}

impl Key {
    /// Describes a key from its declaration.
    ///
    /// # Panics
    /// For a default that neither its kind nor its declaration describes.
    pub fn new<T>(
        name: &'static str,
        documentation: &[&str],
        kind: &dyn Kind<T>,
        default: Option<fn() -> T>,
        shown: Option<&'static str>,
        variable: Option<&'static str>,
    ) -> Key {
        let documentation = documentation.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let default = default.map(|default| match shown {
            Some(shown) => shown.to_owned(),
            None => kind.format_default(&default()).unwrap_or_else(|| panic!("the default of `{name}` needs `shown`")),
        });
        Key { name, documentation, accepted: kind.describe(), default, variable, keys: kind.keys() }
    }
}
