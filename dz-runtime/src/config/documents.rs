//! The documents that GraphQL accepts, if the configuration restricts them.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

/// A list of permitted documents by their identifiers; without a list, every document is permitted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Documents(Option<Arc<BTreeMap<String, String>>>);

impl Documents {
    /// Reads a JSON object of identifiers and documents.
    ///
    /// # Errors
    /// For a file that cannot be read, or has another form.
    pub fn read(path: &Path) -> Result<Documents, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let documents = serde_json::from_str(&text);
        let documents =
            documents.map_err(|error| format!("{} is not a JSON object of identifiers and documents: {error}", path.display()))?;
        Ok(Documents(Some(Arc::new(documents))))
    }

    /// The permitted document with this identifier or this text; `None` refuses the request.
    pub fn find<'d>(&'d self, id: Option<&str>, text: Option<&'d str>) -> Option<&'d str> {
        let Some(known) = &self.0 else { return text };
        match (id, text) {
            (Some(id), None) => known.get(id).map(String::as_str),
            (Some(id), Some(text)) => known.get(id).map(String::as_str).filter(|document| *document == text),
            (None, Some(text)) => known.values().map(String::as_str).find(|document| *document == text),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_restricts_documents_by_identifier_and_text() {
        let open = Documents::default();
        assert_eq!((open.find(None, Some("{ a }")), open.find(Some("x"), None)), (Some("{ a }"), None));
        let known = Documents(Some(Arc::new(BTreeMap::from([("1".to_owned(), "{ a }".to_owned())]))));
        for (id, text, found) in [
            (Some("1"), None, Some("{ a }")),
            (Some("1"), Some("{ a }"), Some("{ a }")),
            (None, Some("{ a }"), Some("{ a }")),
            (Some("1"), Some("{ b }"), None),
            (Some("2"), None, None),
            (None, Some("{ b }"), None),
            (None, None, None),
        ] {
            assert_eq!(known.find(id, text), found, "{id:?} {text:?}");
        }
    }
}
