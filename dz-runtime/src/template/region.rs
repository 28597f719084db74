//! Named places of a page.

/// A named place on a page that exchanges fill: a list, a nested list.
///
/// Only the page that holds the place prints its ids; the data of rows does not know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region(String);

impl Region {
    /// The region called `name`: a surface's name, or that of a surface with a section's.
    pub fn new(name: impl Into<String>) -> Region {
        Region(name.into())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Id of the element that the rows are put into.
    pub fn body_id(&self) -> String {
        format!("{}-body", self.0)
    }

    /// Id of the form that selected rows belong to.
    pub fn bulk_id(&self) -> String {
        format!("{}-bulk", self.0)
    }

    /// Id of the element that holds the footer.
    pub fn footer_id(&self) -> String {
        format!("{}-footer", self.0)
    }
}
