//! Named regions of a page.

/// A named region of a page that partial responses replace: a list, a nested list.
///
/// Only the page with the region contains its ids; the data of rows does not have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region(String);

impl Region {
    /// The region with the name of a surface, or of a surface and a section.
    pub fn new(name: impl Into<String>) -> Region {
        Region(name.into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The id of the element that contains the rows.
    pub fn body_id(&self) -> String {
        format!("{}-body", self.0)
    }

    /// The id of the form for selected rows.
    pub fn bulk_id(&self) -> String {
        format!("{}-bulk", self.0)
    }

    /// The id of the element that contains the footer.
    pub fn footer_id(&self) -> String {
        format!("{}-footer", self.0)
    }
}
